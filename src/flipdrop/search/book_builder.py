"""Builds an opening book by solving every position of its last ply; each result is saved at once."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING

from flipdrop.errors import BookError
from flipdrop.search.book import Book, positions_of
from flipdrop.search.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def build_book(
    plies: int,
    notes: Path,
    *,
    threads: int,
    table: int,
    command: str,
    progress: Callable[[int, int], object] | None = None,
) -> Book:
    """A book of `plies` plies.

    :param notes: a file of solved positions, from which an interrupted build resumes; each line holds a key, a score
        and the seconds of the proof
    :param command: the command that builds the book, for its header
    """
    positions = positions_of(plies)
    solved = read_notes(notes)
    if unknown := [number for number in solved if number not in positions]:
        raise BookError(f"{notes}: position {unknown[0]} has not {plies} plies; these are notes of another book")
    solver = Solver(threads=threads, table=table, line=False, book=False)
    with notes.open("a") as file:
        for number, position in positions.items():
            if number in solved:
                continue
            if progress is not None:
                progress(len(solved), len(positions))
            began = perf_counter()
            score = solver.solve(position).lower
            solved[number] = (score, perf_counter() - began)
            file.write(f"{number} {score} {solved[number][1]:.3f}\n")
            file.flush()
    made = {
        "command": command,
        "threads": threads,
        "table_megabytes": table,
        "seconds": round(sum(seconds for _, seconds in solved.values())),
    }
    return Book.from_last_ply(plies, {number: score for number, (score, _) in solved.items()}, made)


def read_notes(notes: Path) -> dict[int, tuple[int, float]]:
    """The positions solved so far; removes an incomplete last line."""
    if not notes.exists():
        return {}
    text = notes.read_text()
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        notes.write_text(whole)
    solved = {}
    for number, line in enumerate(whole.splitlines(), 1):
        with suppress(ValueError):
            key, score, seconds = line.split()
            solved[int(key)] = (int(score), float(seconds))
            continue
        raise BookError(f"{notes}, line {number}: {line[:60]!r}; write KEY SCORE SECONDS")
    return solved
