"""Round robins of experiments: their matches, ratings and cross tables."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from flipdrop.arena.statistics import CrossTable, Pairs, Ratings, rate
from flipdrop.arena.statistics.elo import finite
from flipdrop.experiments.equal_time import timing
from flipdrop.experiments.presentation import Columns, interval_picture, table
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.formatting import number, with_interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flipdrop.experiments.experiment import Results, Values
    from flipdrop.reporting.figures import Picture
    from flipdrop.reporting.tables import Table


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
        table.add_pairs(one, other, Pairs.from_counts(values["pairs"]))
    return rate(table, anchors=None if zero is None else {zero: 0.0}, level=level)


def finite_interval(interval: tuple[float, float]) -> tuple[float | None, float | None]:
    """An interval with None for infinite ends."""
    return finite(interval[0]), finite(interval[1])


def matches_between(results: Results, names: Sequence[str]) -> dict[tuple[str, str], Values]:
    """The matches of a round robin by the names of both players."""
    pairs = itertools.permutations(names, 2)
    return {pair: results[match_key(*pair)] for pair in pairs if match_key(*pair) in results.done}


def cross_table(title: str, results: Results, names: Sequence[str]) -> Table:
    """The score of each player against each other."""
    scores = {}
    for (one, other), values in matches_between(results, names).items():
        scores[one, other], scores[other, one] = values["score"], 1 - values["score"]
    columns = {other: {one: number(scores[one, other], 3) for one in names if one != other} for other in names}
    return table(title, "player", dict.fromkeys(names), columns)


RATING: Columns = {
    "Elo (95%)": lambda rating: with_interval(rating.elo, finite_interval(rating.interval), 0),
    "score": lambda rating: number(rating.score, 3),
    "games": lambda rating: f"{rating.games:,}",
}
"""Columns of ratings."""


def ratings_picture(name: str, caption: str, found: Ratings, size: tuple[float, float] = (7.5, 4.0)) -> Picture:
    """Ratings with their intervals, the best at the top."""
    rows = {
        rating.name: {"elo": rating.elo, "elo_interval": finite_interval(rating.interval)} for rating in found.players
    }
    return interval_picture(
        name, caption, {"": rows}, value_label="Elo", value="elo", even_at=(), limits=None, horizontal=True, size=size
    )


def timings_against(
    reference: str,
    players: Mapping[str, str],
    *,
    pairs: int,
    estimate: float,
    depends_on: Mapping[str, Task] | None = None,
) -> list[Task]:
    """The times of moves of all players but one, each compared with that one's.

    :param estimate: seconds for each player
    """
    other = players[reference]
    return [
        timing(
            MatchTask(name, spec, other, games=2, depends_on=dependencies_of(depends_on or {}, spec, other)),
            pairs=pairs,
            estimate=estimate,
        )
        for name, spec in players.items()
        if name != reference
    ]
