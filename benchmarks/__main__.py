"""Runs every benchmark, or those named: ``python -m benchmarks [--quick] [NAME ...]``."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable

from benchmarks import arena, batch, nodes, other_engines, perft, random_games, searches, solvers, sprt, startup
from flipdrop import kernel

BENCHMARKS: dict[str, Callable[[float], None]] = {
    "perft": perft.run,
    "games": random_games.run,
    "batch": batch.run,
    "searches": searches.run,
    "solvers": solvers.run,
    "other_engines": other_engines.run,
    "arena": arena.run,
    "nodes": nodes.run,
    "sprt": sprt.run,
    "startup": startup.run,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}; all if none is given")
    parser.add_argument("--quick", action="store_true", help="a tenth of the time, noisier")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(BENCHMARKS):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    print(f"flipdrop {kernel.BUILD} kernel, Python {platform.python_version()}, {platform.machine()}")
    for name in arguments.names or BENCHMARKS:
        BENCHMARKS[name](0.1 if arguments.quick else 1.0)


if __name__ == "__main__":
    main()
