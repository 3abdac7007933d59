"""The report of a tournament: text for the terminal, and a folder with Markdown, HTML, CSV and plots.

Long specs have their column in the standings; the cross table names its columns by rank, so that twenty players fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.errors import ArenaError
from flipdrop.files import atomic_write, csv_text
from flipdrop.games import game as game_of
from flipdrop.reporting.figures import embedded_svg, png, svg
from flipdrop.reporting.formatting import elo_text, interval_text, share_text, shortened
from flipdrop.reporting.tables import Table, in_columns
from flipdrop.reporting.templating import render
from flipdrop.reporting.tournament_plots import PLOTS

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.arena.tournament import Entry, TournamentResult

_ABSENT = "·"  # two players that have not met
_HEADS = ("#", "player", "Elo", "95%", "score", "games", "won", "drawn", "lost")
_LONGEST_NAME = 40  # characters of a player's name in the cross table


def standing_cells(entry: Entry) -> list[str]:
    """A row of the standings."""
    games = entry.games
    counts = (games.total, games.wins, games.draws, games.losses)
    return [
        str(entry.rank),
        entry.name,
        elo_text(entry.rating),
        interval_text(entry.interval),
        share_text(games.score),
        *map(str, counts),
    ]


def cross_cells(result: TournamentResult) -> list[list[str]]:
    """The score of each player against each other, by rank; empty against itself."""
    rows = range(len(result.entries))
    return [[_cross_cell(result, row, column) for column in rows] for row in rows]


def _cross_cell(result: TournamentResult, row: int, column: int) -> str:
    if row == column:
        return ""
    games = result.cross(row, column)
    return share_text(games.score) if games.total else _ABSENT


def text_report(result: TournamentResult) -> str:
    """Standings, cross table, the advantage of moving first and forfeited games, for a terminal."""
    lines = in_columns([_HEADS, *map(standing_cells, result.entries)], left=[1])
    if len(result.entries) > 2:
        numbers = [str(entry.rank) for entry in result.entries]
        cross = [["#", "score against", *numbers]]
        for entry, cells in zip(result.entries, cross_cells(result), strict=True):
            cross.append([str(entry.rank), shortened(entry.name, _LONGEST_NAME), *cells])
        lines += ["", *in_columns(cross, left=[1])]
    lines += ["", *remarks(result)]
    return "\n".join(lines)


def remarks(result: TournamentResult) -> list[str]:
    """One line each: the advantage of moving first, missing games, repeated openings, forfeited games."""
    lines = [first_mover_text(result)]
    if result.missing:
        lines.append(f"{result.missing} of {result.event.games} games are missing")
    if result.repeats:
        lines.append(
            f"only {result.different_openings} different openings for {result.rounds} pairs: deterministic players "
            "repeat games, so the intervals are too narrow; try longer openings"
        )
    for forfeits in result.forfeits:
        games = "1 game" if forfeits.games == 1 else f"{forfeits.games} games"
        lines.append(f"{forfeits.name} forfeited {games}:")
        lines += [f"  {reason}" + (f" ({count} times)" if count > 1 else "") for reason, count in forfeits.reasons]
    return lines


def first_mover_text(result: TournamentResult) -> str:
    games = result.first_mover
    if not games.total:
        return "no game has ended yet"
    text = f"the first side won {games.wins}, drew {games.draws}, lost {games.losses}: score {share_text(games.score)}"
    if result.advantage is None:
        return text
    return f"{text}, worth {elo_text(result.advantage.elo)} Elo ({interval_text(result.advantage.interval)})"


def standings_csv(result: TournamentResult) -> str:
    """The standings with more digits, for programs."""
    heads = ["rank", "player", "elo", "elo_low", "elo_high", "score", "games", "won", "drawn", "lost", "forfeits"]
    forfeits = {of.player: of.games for of in result.forfeits}
    rows: list[list[object]] = [
        [
            entry.rank,
            entry.player,
            *(round(number, 2) for number in (entry.rating, *entry.interval)),
            round(entry.games.score, 6),
            *(entry.games.total, entry.games.wins, entry.games.draws, entry.games.losses),
            forfeits.get(entry.player, 0),
        ]
        for entry in result.entries
    ]
    return csv_text([heads, *rows])


def cross_csv(result: TournamentResult) -> str:
    """The cross table, with a line for each ordered pair of players that have met."""
    rows: list[list[object]] = [["player", "opponent", "score", "games", "won", "drawn", "lost"]]
    for one, entry in enumerate(result.entries):
        for two, opponent in enumerate(result.entries):
            games = result.cross(one, two)
            if one != two and games.total:
                counts = (games.total, games.wins, games.draws, games.losses)
                rows.append([entry.player, opponent.player, round(games.score, 6), *counts])
    return csv_text(rows)


_TIGHT: dict[str, Any] = {"bbox_inches": "tight", "pad_inches": 0.2}  # labels stand outside the axes

FILES = (
    "report.md",
    "report.csv",
    "cross-table.csv",
    "report.html",
    *(f"{name}.{kind}" for name in PLOTS for kind in ("png", "svg")),
)
"""The files of a report."""


def check_folder(directory: Path) -> None:
    """Makes the folder, before the first game; raises if nothing can be written to it."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        probe = directory / ".flipdrop-probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ArenaError(f"report {str(directory)!r}: {error.strerror}; name a folder that can be written to") from None


def write_report(result: TournamentResult, directory: Path) -> None:
    """Writes every file of a report, each of them atomically."""
    directory.mkdir(parents=True, exist_ok=True)
    drawn: list[tuple[str, str]] = []
    for name, (title, draw) in PLOTS.items():
        figure = draw(result)
        picture = svg(figure, **_TIGHT)
        drawn.append((title, embedded_svg(picture, name, title)))
        atomic_write(directory / f"{name}.svg", picture)
        atomic_write(directory / f"{name}.png", png(figure, **_TIGHT))
    files = {
        "report.csv": standings_csv(result),
        "cross-table.csv": cross_csv(result),
        "report.html": _rendered("tournament.html", result, drawn),
        "report.md": _rendered("tournament.md", result, [(title, f"{name}.svg") for name, (title, _) in PLOTS.items()]),
    }
    for name, text in files.items():
        atomic_write(directory / name, text.encode())


def _rendered(template: str, result: TournamentResult, pictures: list[tuple[str, str]]) -> str:
    """The report as HTML or Markdown.

    :param pictures: the title of each, and its SVG or its file
    """
    ranks = [str(entry.rank) for entry in result.entries]
    cells = zip(ranks, result.entries, cross_cells(result), strict=True)
    cross = tuple((rank, entry.name, *row) for rank, entry, row in cells)
    return render(
        template,
        title=report_title(result),
        setting=setting_text(result),
        standings=Table("", _HEADS, tuple(tuple(standing_cells(entry)) for entry in result.entries), (1,)),
        cross=Table("", ("#", "player", *ranks), cross, (1,)),
        remarks=remarks(result),
        pictures=pictures,
    )


def report_title(result: TournamentResult) -> str:
    return f"{result.event.kind.capitalize()}: {game_of(result.event.game).title}, {len(result.entries)} players"


def setting_text(result: TournamentResult) -> str:
    """The settings of the games on one line."""
    event = result.event
    clock = "" if event.time is None else f", clock {event.time}"
    return (
        f"{result.games} games, {2 * event.pairs} for each of {len(event.pairings)} pairings; "
        f"openings {event.openings}, seed {event.seed}{clock}; flipdrop {result.version}."
    )
