"""Perft: leaves per second, on one thread and on all."""

from __future__ import annotations

import os

from benchmarks.measure import seconds_of
from flipdrop import ConnectFour, Othello, Position

CASES: list[tuple[str, Position, int, int]] = [
    ("othello 11", Othello(), 11, 212_258_800),
    ("connect4 10", ConnectFour(), 10, 268_031_646),
]


def run(effort: float) -> None:
    """Prints the best of several runs."""
    print("\nperft: best of a few runs")
    for name, start, depth, expected in CASES:
        for threads in dict.fromkeys((1, os.cpu_count() or 1)):
            seconds = min(_timed(start, depth, threads, expected) for _ in range(max(2, round(5 * effort))))
            print(f"  {name:12} {threads} thread(s) {seconds:7.3f} s {expected / seconds / 1e6:8,.0f} million leaves/s")


def _timed(start: Position, depth: int, threads: int, expected: int) -> float:
    counts = []
    seconds = seconds_of(lambda: counts.append(start.perft(depth, threads=threads)))
    if counts != [expected]:
        raise SystemExit(f"perft {depth} gave {counts[0]}, not {expected}")
    return seconds
