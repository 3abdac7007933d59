"""Makes zugzwang_positions.json: positions of large boards of Connect Four in which the usual searches lose a won game.

Both sides play by a small tree search from random openings on random boards, most with a forbidden cell. Kept are
positions in which the side to move wins by a proof, but the move of a tree search of 4,000 simulations or that of an
alpha-beta search of depth 8 with the evaluation ``lines`` does not; ``good`` are the moves that keep the win.

    python -m tests.data.make_zugzwang_positions SEED COUNT

The positions from the sixth on were added by hand: they are from the ends of games of the engine against itself with
3,000 nodes a move, found by the same two searches; the outcome of every move is proven, and ``good`` are the best ones.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.games import ConnectFourGame
from flipdrop.search import Mcts, Minimax, Solver

if TYPE_CHECKING:
    from flipdrop.games import ConnectFour

FILE = Path(__file__).with_name("zugzwang_positions.json")
MAX_EMPTY, MIN_EMPTY = 56, 18
PROOF_NODES = 3_000_000


def random_game(source: random.Random) -> ConnectFourGame:
    columns, rows = source.randint(8, 12), source.randint(7, 12)
    plain = ConnectFourGame(columns, rows)
    if source.random() < 0.2:
        return plain
    return ConnectFourGame(columns, rows, plain.cell_name(source.randrange(columns * rows)))


def good_moves(position: ConnectFour) -> list[int] | None:
    """The moves that keep a proven win, if there is another one that does not; None otherwise."""
    solver = Solver(nodes=PROOF_NODES, outcome_only=True, line=False, moves=True, table=256)
    solution = solver.solve(position)
    if solution.outcome != 1 or not solution.proven:
        return None
    good = [entry.move for entry in solution.moves if entry.lower > 0]
    return good if len(good) < len(solution.moves) else None


def found_in(position: ConnectFour, seed: int) -> dict[str, Any] | None:
    played = {
        "mcts": Mcts(iterations=4000, decisive="tree", decisive_playouts=True, seed=seed).search(position).best,
        "lines": Minimax(depth=8).search(position).best,
    }
    if played["mcts"] == played["lines"] and seed % 4:  # they seldom make the same mistake
        return None
    good = good_moves(position)
    if good is None or not (wrong := sorted(name for name, move in played.items() if move not in good)):
        return None
    names = [position.move_name(move) for move in good]
    return {"game": position.game.name, "board": position.board, "good": names, "wrong": wrong}


def main(seed: int, count: int) -> None:
    source = random.Random(seed)
    found: list[dict[str, Any]] = []
    while len(found) < count:
        position = random_game(source).start()
        search = Mcts(iterations=400, decisive="tree", decisive_playouts=True)
        while not position.is_over:
            empty = position.cells.count("-")
            if MIN_EMPTY <= empty <= MAX_EMPTY and (entry := found_in(position, source.getrandbits(32))):
                found.append(entry)
                print(entry, flush=True)
                FILE.write_text("[\n" + ",\n".join(json.dumps(item) for item in found) + "\n]\n")
                break
            opening = position.ply < 4
            chosen = (
                source.choice(position.legal_moves)
                if opening
                else search.with_options(seed=source.getrandbits(32)).search(position).best
            )
            position = position.play(chosen)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
