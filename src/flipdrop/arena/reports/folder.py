"""A tournament's report as a folder of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.arena.reports.html import html
from flipdrop.arena.reports.tables import cross_csv, markdown, standings_csv
from flipdrop.errors import ArenaError
from flipdrop.files import atomic_write

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.arena.tournament import TournamentResult

TITLES = {"ratings": "Ratings", "cross-table": "Cross table", "score": "Score as the games went on"}
"""What each picture is called, by the name of its file."""

FILES = (
    "report.md",
    "report.csv",
    "cross-table.csv",
    "report.html",
    *(f"{name}.{kind}" for name in TITLES for kind in ("png", "svg")),
)
"""What is in the folder."""


def check_folder(directory: Path) -> None:
    """Makes the folder; raises if it can't be, or nothing can be written to it: better now than after the last game."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        probe = directory / ".flipdrop-probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ArenaError(f"report {str(directory)!r}: {error.strerror}; name a folder that can be written to") from None


def write_report(table: TournamentResult, directory: Path) -> None:
    """Writes every file of a report; each is the old one or the new one at any time."""
    from flipdrop.arena.reports.plots import PICTURES, png, svg

    directory.mkdir(parents=True, exist_ok=True)
    drawn: list[tuple[str, bytes]] = []
    for name, draw in PICTURES.items():
        figure = draw(table)
        drawn.append((TITLES[name], svg(figure)))
        atomic_write(directory / f"{name}.svg", drawn[-1][1])
        atomic_write(directory / f"{name}.png", png(figure))
    atomic_write(directory / "report.csv", standings_csv(table).encode())
    atomic_write(directory / "cross-table.csv", cross_csv(table).encode())
    atomic_write(directory / "report.html", html(table, drawn).encode())
    pictures = [(title, f"{name}.svg") for name, title in TITLES.items()]
    atomic_write(directory / "report.md", markdown(table, pictures).encode())
