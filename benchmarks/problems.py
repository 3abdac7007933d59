"""How good a player's moves are in problems with exact scores: the share of best moves and the mean loss in discs.

    python -m benchmarks.problems hard-25.obf engine:seconds=0.1 engine:depth=12 [--every 4]

FILE is in OBF with the score of every legal move; entries ``--:`` are left out.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from time import perf_counter

from flipdrop.games.problems import Problem, read_problem
from flipdrop.players import player


def judged(spec: str, problems: list[Problem]) -> str:
    """A line on the moves of one player."""
    chooser = player(spec, game="othello")
    best, loss, began = 0, 0, perf_counter()
    for problem in problems:
        move = chooser.choose(problem.position)
        assert problem.score is not None
        best += move in problem.best
        loss += problem.score - problem.scores[move]
    count = len(problems)
    milliseconds = 1000 * (perf_counter() - began) / count
    return f"{spec:<40} best move {best / count:.1%}, mean loss {loss / count:.3f} discs, {milliseconds:.0f} ms a move"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("players", nargs="+", metavar="SPEC")
    parser.add_argument("--every", type=int, metavar="N", default=1, help="take one problem of N")
    options = parser.parse_args()
    lines = options.file.read_text().splitlines()[:: options.every]
    problems = [read_problem(re.sub(r"--:[^;]*;", "", line)) for line in lines]
    print(f"{options.file.name}: {len(problems)} problems")
    for spec in options.players:
        print(judged(spec, problems), flush=True)


if __name__ == "__main__":
    main()
