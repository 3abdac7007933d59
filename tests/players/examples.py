"""Players of every kind, and positions that are hard on them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from flipdrop.games import ConnectFourGame, Othello, OthelloGame
from flipdrop.players import FunctionPlayer, SpecPlayer, player
from tests.strategies import AnyGame, AnyPosition, random_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GAMES: list[AnyGame] = [
    OthelloGame(8),
    OthelloGame(6),
    OthelloGame(4),
    ConnectFourGame(),
    ConnectFourGame(4, 4),
    ConnectFourGame(9, 10, "i5"),
    ConnectFourGame(12, 12),
]

AGENT = """
import random

class Agent:
    def __init__(self, seed):
        self.seed = seed

    def choose(self, position, clock):
        return random.Random(self.seed + position.ply).choice(position.legal_moves)

def last(position):
    return position.move_name(position.legal_moves[-1])
"""

SPECS = [
    "random",
    "greedy",
    "flat:games=20",
    "minimax:depth=2",
    "alphabeta:depth=3",
    "iterative:depth=3",
    "adaptive:depth=2,rounds=3",
    "mcts:iterations=60",
    "mcts:iterations=60,playout=depth,depth=5,bias=1",
    "mcts:iterations=60,reuse=yes",
    "level:1",
    "intermediate",
    "level:7",
]

NAMES = [*SPECS, "agent.py:Agent", "agent.py:last", "function"]


def all_players(folder: Path) -> dict[str, Callable[[int], SpecPlayer]]:
    """How to make a player of every kind with a seed, by a name for it."""
    path = folder / "agent.py"
    path.write_text(AGENT)
    specs = dict(zip(NAMES, [*SPECS, f"{path}:Agent", f"{path}:last"], strict=False))
    makers: dict[str, Callable[[int], SpecPlayer]] = {
        name: lambda seed, spec=spec: player(spec, seed=seed)  # type: ignore[misc]
        for name, spec in specs.items()
    }
    return makers | {"function": lambda seed: FunctionPlayer(lambda position: position.legal_moves[seed % 2])}


def positions_with(wanted: Callable[[AnyPosition], bool], games: list[AnyGame], count: int) -> list[AnyPosition]:
    """Positions of random games, the same in every run."""
    source = random.Random(5)
    found: list[AnyPosition] = []
    while len(found) < count:
        line = random_line(games[len(found) % len(games)], source)
        found += [position for position in line if not position.is_over and wanted(position)][:1]
    return found


def must_pass(position: AnyPosition) -> bool:
    return position.legal_moves == (position.pass_move,)


def has_one_move(position: AnyPosition) -> bool:
    return len(position.legal_moves) == 1 and not must_pass(position)


PASSES = positions_with(must_pass, [OthelloGame(8), OthelloGame(6), OthelloGame(4)], 3)
SINGLE_MOVES = positions_with(has_one_move, [OthelloGame(8), ConnectFourGame(), OthelloGame(4)], 3)
# Every disc is black: white, to move, has no move, and neither has black.
WIPED_OUT = Othello.from_transcript("f5d6c5f4e7f6g5e6e3")
