"""How often a player of Connect Four on 7x6 loses a proven win or draw, by the exact solver.

    python -m benchmarks.mistakes network mcts:iterations=1000 [--positions 500] [--seed 1] [--file POSITIONS]

Positions are those of random games in the middle of the game (14 to 28 discs), or the lines of a file, of which the
first word is a transcript. A position in which every move is worth the same is no test and is left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from time import process_time

import numpy as np

from flipdrop.games import ConnectFour
from flipdrop.players import player
from flipdrop.search import Solver

FEWEST, MOST = 14, 28  # discs


def random_positions(count: int, seed: int) -> list[ConnectFour]:
    random = Random(seed)
    found: list[ConnectFour] = []
    while len(found) < count:
        position = ConnectFour()
        for _ in range(random.randint(FEWEST, MOST)):
            if position.is_over:
                break
            position = position.play(random.choice(position.legal_moves))
        if not position.is_over:
            found.append(position)
    return found


def worths(solver: Solver, position: ConnectFour) -> dict[int, int]:
    """The outcome of each move for the side to move: 1, 0 or -1."""
    found = {}
    for move in position.legal_moves:
        after = position.play(move)
        found[move] = abs(after.result or 0) if after.is_over else -int(np.sign(solver.solve(after).lower))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", metavar="SPEC")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path)
    options = parser.parse_args()
    if options.file:
        lines = options.file.read_text().splitlines()[: options.positions]
        positions = [ConnectFour.from_transcript(line.split()[0]) for line in lines]
    else:
        positions = random_positions(options.positions, options.seed)
    solver = Solver()
    judged = [(position, worths(solver, position)) for position in positions]
    tests = [(position, worth) for position, worth in judged if len(set(worth.values())) > 1]
    print(f"{len(positions)} positions, in {len(tests)} of which a move can be a mistake")
    for spec in options.players:
        asked = player(spec, game="connect4", seed=1)
        began = process_time()
        mistakes = sum(worth[asked.choose(position)] < max(worth.values()) for position, worth in tests)
        milliseconds = 1000 * (process_time() - began) / max(len(tests), 1)
        print(
            f"{spec}: {mistakes} mistakes, {mistakes / len(positions):.1%} of all positions, "
            f"{mistakes / max(len(tests), 1):.1%} of those; {milliseconds:.1f} ms of CPU a move"
        )


if __name__ == "__main__":
    main()
