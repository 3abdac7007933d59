"""What a player of Connect Four on 7x6 makes of the first move against perfect play, which varies.

    python -m benchmarks.against_perfect greedy:evaluation=patterns [--games 200]

The opponent plays one of its best moves at random, from the seed 0, 1, 2... of each game. For each player: games won,
drawn and lost, and at which plies a won game was thrown away.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from flipdrop.games import ConnectFour
from flipdrop.players import player
from flipdrop.search import Solver

if TYPE_CHECKING:
    from flipdrop.players import Player


class PerfectPlay:
    """A cache of exact scores: games against perfect play return to the same positions."""

    def __init__(self) -> None:
        self._solver = Solver(moves=True, line=False)
        self._known: dict[ConnectFour, dict[int, int]] = {}

    def scores(self, position: ConnectFour) -> dict[int, int]:
        if position not in self._known:
            self._known[position] = {move.move: move.lower for move in self._solver.solve(position).moves}
        return self._known[position]

    def reply(self, position: ConnectFour, random: Random) -> int:
        scores = self.scores(position)
        return random.choice([move for move, score in scores.items() if score == max(scores.values())])


def game(asked: Player, perfect: PerfectPlay, seed: int) -> tuple[int, int | None]:
    """The result for the first side, and the ply at which it lost a win."""
    position, random, thrown = ConnectFour(), Random(seed), None
    while not position.is_over:
        if position.to_move == 0:
            move = asked.choose(position)
            if thrown is None and perfect.scores(position)[move] <= 0:
                thrown = position.ply
        else:
            move = perfect.reply(position, random)
        position = position.play(move)
    return position.result or 0, thrown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", metavar="SPEC")
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    perfect = PerfectPlay()
    for spec in options.players:
        asked = player(spec, game="connect4", seed=1)
        played = [game(asked, perfect, number) for number in range(options.games)]
        results = Counter(result for result, _ in played)
        thrown = Counter(ply for _, ply in played if ply is not None)
        print(
            f"{spec}: {results[1]} won, {results[0]} drawn, {results[-1]} lost; wins thrown away at ply: "
            + (", ".join(f"{ply} ({count} games)" for ply, count in sorted(thrown.items())) or "never")
        )


if __name__ == "__main__":
    main()
