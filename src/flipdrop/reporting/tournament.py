"""The report of a tournament: text for the terminal, and a folder with Markdown, HTML, CSV and plots.

Long specs have their column in the standings; the cross table names its columns by rank, so that twenty players fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.errors import ArenaError
from flipdrop.files import atomic_write
from flipdrop.games import game as game_of
from flipdrop.reporting.figures import embedded_svg, png, svg
from flipdrop.reporting.formatting import elo_text, interval_text, share_text, shortened
from flipdrop.reporting.tables import Table, csv_text, in_columns
from flipdrop.reporting.templating import render

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
        entry.player,
        elo_text(entry.rating),
        interval_text(entry.interval),
        share_text(games.score),
        *map(str, counts),
    ]


def cross_cells(table: TournamentResult) -> list[list[str]]:
    """What each player scored against each, both by rank: a share of the points, empty against itself."""
    return [
        [_cross_cell(table, row, column) for column in range(len(table.entries))] for row in range(len(table.entries))
    ]


def _cross_cell(table: TournamentResult, row: int, column: int) -> str:
    if row == column:
        return ""
    games = table.cross(row, column)
    return share_text(games.score) if games.total else _ABSENT


def text_report(table: TournamentResult) -> str:
    """Standings, cross table, the advantage of moving first and forfeited games, for a terminal."""
    lines = in_columns([_HEADS, *map(standing_cells, table.entries)], left=[1])
    if len(table.entries) > 2:
        numbers = [str(entry.rank) for entry in table.entries]
        cross = [["#", "score against", *numbers]]
        for entry, cells in zip(table.entries, cross_cells(table), strict=True):
            cross.append([str(entry.rank), shortened(entry.player, _LONGEST_NAME), *cells])
        lines += ["", *in_columns(cross, left=[1])]
    lines += ["", *remarks(table)]
    return "\n".join(lines)


def remarks(table: TournamentResult) -> list[str]:
    """One line each: the advantage of moving first, missing games, repeated openings, forfeited games."""
    lines = [first_mover_text(table)]
    if table.missing:
        lines.append(f"{table.missing} of {table.event.games} games are missing")
    if table.repeats:
        lines.append(
            f"only {table.different_openings} different openings for {table.rounds} pairs: deterministic players "
            "repeat games, so the intervals are too narrow; try longer openings"
        )
    for broken in table.forfeits:
        games = "1 game" if broken.games == 1 else f"{broken.games} games"
        lines.append(f"{broken.player} forfeited {games}:")
        lines += [f"  {reason}" + (f" ({count} times)" if count > 1 else "") for reason, count in broken.reasons]
    return lines


def first_mover_text(table: TournamentResult) -> str:
    games = table.first_mover
    if not games.total:
        return "no game has ended yet"
    text = f"the first side won {games.wins}, drew {games.draws}, lost {games.losses}: score {share_text(games.score)}"
    if table.advantage is None:
        return text
    return f"{text}, worth {elo_text(table.advantage.elo)} Elo ({interval_text(table.advantage.interval)})"


def standings_csv(table: TournamentResult) -> str:
    """The standings, unrounded enough for programs."""
    heads = ["rank", "player", "elo", "elo_low", "elo_high", "score", "games", "won", "drawn", "lost", "forfeits"]
    broken = {of.player: of.games for of in table.forfeits}
    rows: list[list[object]] = [
        [
            entry.rank,
            entry.player,
            *(round(number, 2) for number in (entry.rating, *entry.interval)),
            round(entry.games.score, 6),
            *(entry.games.total, entry.games.wins, entry.games.draws, entry.games.losses),
            broken.get(entry.player, 0),
        ]
        for entry in table.entries
    ]
    return csv_text([heads, *rows])


def cross_csv(table: TournamentResult) -> str:
    """The cross table, with a line for each ordered pair of players that have met."""
    rows: list[list[object]] = [["player", "opponent", "score", "games", "won", "drawn", "lost"]]
    for one, entry in enumerate(table.entries):
        for two, opponent in enumerate(table.entries):
            games = table.cross(one, two)
            if one != two and games.total:
                counts = (games.total, games.wins, games.draws, games.losses)
                rows.append([entry.player, opponent.player, round(games.score, 6), *counts])
    return csv_text(rows)


_TIGHT: dict[str, Any] = {"bbox_inches": "tight", "pad_inches": 0.2}  # labels stand outside the axes
TITLES = {"ratings": "Ratings", "cross-table": "Cross table", "score": "Score over time"}
"""The title of each plot, by the name of its file."""

FILES = (
    "report.md",
    "report.csv",
    "cross-table.csv",
    "report.html",
    *(f"{name}.{kind}" for name in TITLES for kind in ("png", "svg")),
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


def write_report(table: TournamentResult, directory: Path) -> None:
    """Writes every file of a report, each of them atomically."""
    from flipdrop.reporting.tournament_plots import PLOTS

    directory.mkdir(parents=True, exist_ok=True)
    drawn: list[tuple[str, str]] = []
    for name, draw in PLOTS.items():
        figure = draw(table)
        picture = svg(figure, **_TIGHT)
        drawn.append((TITLES[name], embedded_svg(picture, name, TITLES[name])))
        atomic_write(directory / f"{name}.svg", picture)
        atomic_write(directory / f"{name}.png", png(figure, **_TIGHT))
    files = {
        "report.csv": standings_csv(table),
        "cross-table.csv": cross_csv(table),
        "report.html": _rendered("tournament.html", table, drawn),
        "report.md": _rendered("tournament.md", table, [(title, f"{name}.svg") for name, title in TITLES.items()]),
    }
    for name, text in files.items():
        atomic_write(directory / name, text.encode())


def _rendered(template: str, table: TournamentResult, pictures: list[tuple[str, str]]) -> str:
    """The report as HTML or Markdown.

    :param pictures: the title of each, and its SVG or its file
    """
    ranks = [str(entry.rank) for entry in table.entries]
    cells = zip(ranks, table.entries, cross_cells(table), strict=True)
    cross = tuple((rank, entry.player, *row) for rank, entry, row in cells)
    return render(
        template,
        title=title(table),
        setting=setting_text(table),
        standings=Table("", _HEADS, tuple(tuple(standing_cells(entry)) for entry in table.entries), (1,)),
        cross=Table("", ("#", "player", *ranks), cross, (1,)),
        remarks=remarks(table),
        pictures=pictures,
    )


def title(table: TournamentResult) -> str:
    return f"{table.event.kind.capitalize()}: {game_of(table.event.game).title}, {len(table.entries)} players"


def setting_text(table: TournamentResult) -> str:
    """The settings of the games on one line."""
    event = table.event
    clock = "" if event.time is None else f", clock {event.time}"
    return (
        f"{table.games} games, {2 * event.pairs} for each of {len(event.pairings)} pairings; "
        f"openings {event.openings}, seed {event.seed}{clock}; flipdrop {table.version}."
    )
