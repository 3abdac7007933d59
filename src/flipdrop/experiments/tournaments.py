"""Round robins of experiments: their matches, ratings and cross tables."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from flipdrop.arena.ladder.published import add_pairs
from flipdrop.arena.statistics import CrossTable, Pairs, Ratings, rate
from flipdrop.arena.statistics.elo import finite
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.formatting import number
from flipdrop.reporting.plots import GRID, Canvas, panel, with_bars
from flipdrop.reporting.tables import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flipdrop.experiments.experiment import Results, Values


def match_key(one: str, other: str) -> str:
    """The key of the match of two players of a tournament."""
    return f"{one} against {other}"


def round_robin(
    players: Mapping[str, str], *, games: int, estimate: float, depends_on: Mapping[str, Task] | None = None
) -> list[MatchTask]:
    """A round robin of Othello players.

    :param players: specs by display names
    :param games: per match
    :param estimate: seconds per game
    """
    return [
        MatchTask(
            match_key(one, other),
            players[one],
            players[other],
            games=games,
            estimate=estimate * games,
            depends_on=dependencies_of(depends_on or {}, players[one], players[other]),
        )
        for one, other in itertools.combinations(players, 2)
    ]


def dependencies_of(depends_on: Mapping[str, Task], *specs: str) -> dict[str, Task]:
    """The tasks whose values some specs refer to."""
    return {name: task for name, task in depends_on.items() if any(f"{{{name}[" in spec for spec in specs)}


def ratings(matches: Mapping[tuple[str, str], Values], *, zero: str | None = None, level: float = 0.95) -> Ratings:
    """Ratings of all players, with mean 0 or with one player at 0.

    :param matches: values of matches by the names of both players
    """
    table = CrossTable()
    for (one, other), values in matches.items():
        add_pairs(table, one, other, Pairs.from_counts(values["pairs"]))
    return rate(table, anchors=None if zero is None else {zero: 0.0}, level=level)


def finite_interval(interval: tuple[float, float]) -> tuple[float | None, float | None]:
    """An interval with None for infinite ends."""
    return finite(interval[0]), finite(interval[1])


def matches_between(results: Results, names: Sequence[str]) -> dict[tuple[str, str], Values]:
    """The matches of a round robin by the names of both players."""
    return {(one, other): results[match_key(one, other)] for one, other in itertools.combinations(names, 2)}


def cross_table(title: str, results: Results, names: Sequence[str]) -> Table:
    rows = []
    for one in names:
        cells = []
        for other in names:
            if one == other:
                cells.append("")
            elif match_key(one, other) in results.done:
                cells.append(number(results[match_key(one, other)]["score"], 3))
            else:
                cells.append(number(1 - results[match_key(other, one)]["score"], 3))
        rows.append((one, *cells))
    return Table(title, ("player", *names), tuple(rows))


def draw_ratings(canvas: Canvas, found: Ratings) -> None:
    """Ratings with their intervals, the best at the top."""
    axes = panel(canvas, across="Elo", up="")
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    players = found.players[::-1]
    elos, intervals = [rating.elo for rating in players], [finite_interval(rating.interval) for rating in players]
    with_bars(axes, range(len(players)), elos, intervals, joined=False, horizontal=True)
    axes.set_yticks(range(len(players)), [rating.name for rating in players])
    axes.set_ylim(-0.6, len(players) - 0.4)
