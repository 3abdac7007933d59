"""A tournament's standings and cross table as plain text, Markdown and CSV.

Long specs have their column in the standings; the cross table names its columns by rank, so that twenty players fit.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flipdrop.arena.tournament import Entry, TournamentResult

_ABSENT = "·"  # two players who have not met
_HEADS = ("#", "player", "Elo", "95%", "score", "games", "won", "drawn", "lost")
_LONGEST_NAME = 40  # characters of a player in the cross table, which is wide enough


def elo_text(elo: float) -> str:
    """An Elo difference as tables show it.

    >>> elo_text(12.4), elo_text(-0.2), elo_text(float("inf"))
    ('+12', '0', '+inf')
    """
    text = f"{elo:+.0f}"
    return "0" if text in ("+0", "-0") else text


def interval_text(interval: tuple[float, float]) -> str:
    """Where an Elo difference is."""
    return f"{elo_text(interval[0])} to {elo_text(interval[1])}"


def share_text(score: float) -> str:
    """A share of the points, in three places: .750, 1.00."""
    return "1.00" if score >= 0.9995 else f"{score:.3f}".removeprefix("0")


def shortened(text: str, length: int) -> str:
    """The text; if it is long, without its middle: a file's path tells more at its end, a search at both ends.

    >>> shortened("mcts:iterations=800,c=1.4", 16)
    'mcts:iter…,c=1.4'
    """
    if len(text) <= length:
        return text
    tail = 2 * (length - 1) // 5
    return text[: length - 1 - tail] + "…" + text[len(text) - tail :]


def standing_cells(entry: Entry) -> list[str]:
    """A line of the standings."""
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


def in_columns(rows: Iterable[Sequence[str]], left: Iterable[int] = ()) -> list[str]:
    """Lines of text with aligned columns: to the right, but for those named.

    >>> in_columns([("#", "player"), ("10", "me")], left=[1])
    [' #  player', '10  me']
    """
    rows = list(rows)
    to_left = set(left)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if i in to_left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def text_report(table: TournamentResult) -> str:
    """Standings, cross table, the first mover's advantage and what was broken off, for a terminal."""
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
    """What the tables do not say, a sentence for each."""
    lines = [first_mover_text(table)]
    if table.missing:
        lines.append(f"{table.missing} of {table.event.games} games are missing")
    if table.repeats:
        lines.append(
            f"only {table.different_openings} different openings for {table.rounds} pairs: players without "
            "chance repeat their games, and the intervals are too narrow; try longer openings"
        )
    for broken in table.forfeits:
        games = "1 game" if broken.games == 1 else f"{broken.games} games"
        lines.append(f"{broken.player} lost {games} that {'was' if broken.games == 1 else 'were'} broken off:")
        lines += [f"  {reason}" + (f" ({count} times)" if count > 1 else "") for reason, count in broken.reasons]
    return lines


def first_mover_text(table: TournamentResult) -> str:
    """How much it helps to move first."""
    games = table.first_mover
    if not games.total:
        return "no game has ended yet"
    text = f"the first side won {games.wins}, drew {games.draws}, lost {games.losses}: score {share_text(games.score)}"
    if table.advantage is None:
        return text
    return f"{text}, worth {elo_text(table.advantage.elo)} Elo ({interval_text(table.advantage.interval)})"


def standings_csv(table: TournamentResult) -> str:
    """The standings, for spreadsheets and programs."""
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
    return _csv([heads, *rows])


def cross_csv(table: TournamentResult) -> str:
    """Who won how many against whom: a line for each ordered pair that has met."""
    rows: list[list[object]] = [["player", "opponent", "score", "games", "won", "drawn", "lost"]]
    for one, entry in enumerate(table.entries):
        for two, opponent in enumerate(table.entries):
            games = table.cross(one, two)
            if one != two and games.total:
                counts = (games.total, games.wins, games.draws, games.losses)
                rows.append([entry.player, opponent.player, round(games.score, 6), *counts])
    return _csv(rows)


def _csv(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def markdown(table: TournamentResult, pictures: Iterable[tuple[str, str]]) -> str:
    """The whole report.

    :param pictures: the name and the file of each
    """
    lines = [f"# {title(table)}", "", setting_text(table), ""]
    lines += _markdown_table(_HEADS, map(standing_cells, table.entries), left=[1])
    lines += ["", "Elo is Bradley-Terry's, with mean 0.", "", "## Score of each player (row) against each (column)", ""]
    heads = ("#", "player", *(str(entry.rank) for entry in table.entries))
    rows = [
        [str(entry.rank), entry.player, *cells] for entry, cells in zip(table.entries, cross_cells(table), strict=True)
    ]
    lines += _markdown_table(heads, rows, left=[1])
    lines += [""]
    lines += [f"    {line}" if line.startswith("  ") else f"- {line}" for line in remarks(table)]
    for name, file in pictures:
        lines += ["", f"## {name}", "", f"![{name}]({file})"]
    return "\n".join(lines) + "\n"


def title(table: TournamentResult) -> str:
    """What the report is called."""
    from flipdrop.games import game

    return f"{table.event.kind.capitalize()}: {game(table.event.game).title}, {len(table.entries)} players"


def setting_text(table: TournamentResult) -> str:
    """All that decides the games, on one line."""
    event = table.event
    clock = "" if event.time is None else f", clock {event.time}"
    return (
        f"{table.games} games, {2 * event.pairs} for each of {len(event.pairings)} pairings; "
        f"openings {event.openings}, seed {event.seed}{clock}; flipdrop {table.version}."
    )


def _markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: Iterable[int]) -> list[str]:
    to_left = set(left)
    ruler = [":--" if i in to_left else "--:" for i in range(len(heads))]
    body = [[_markdown_cell(cell, code=i in to_left) for i, cell in enumerate(row)] for row in rows]
    return ["| " + " | ".join(row) + " |" for row in (heads, ruler, *body)]


def _markdown_cell(text: str, *, code: bool) -> str:
    text = text.replace("|", "\\|")
    return f"`{text}`" if code else text
