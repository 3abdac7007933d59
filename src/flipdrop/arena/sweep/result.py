"""The result of a sweep: the strength of each grid point, the best one, and those that may be just as good."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from flipdrop.arena.statistics import EloEstimate, Tally, estimate_elo
from flipdrop.arena.statistics.elo import finite, student_quantile
from flipdrop.arena.sweep.significance import possibly_best

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.sweep.sweep import Sweep

Array = NDArray[np.float64]
Measure = Literal["score", "margin"]
LEVEL = 0.95


@dataclass(frozen=True)
class Mean:
    """A mean with its 95% interval, whose ends are infinite for fewer than two numbers."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, numbers: Array) -> Mean:
        """The mean of independent numbers, by Student's t."""
        n = len(numbers)
        if n == 0:
            return cls(0.0, -np.inf, np.inf)
        mean = float(numbers.mean())
        reach = float(numbers.std(ddof=1)) / n**0.5 * student_quantile(n - 1, (1 + LEVEL) / 2) if n > 1 else np.inf
        return cls(mean, mean - reach, mean + reach)

    def to_json(self) -> list[float | None]:
        return [finite(self.low), finite(self.high)]


@dataclass(frozen=True)
class GridPoint:
    """A point of the grid, and the results of the player with these options.

    :param values: of the options, in the order of the sweep's axes
    :param margin: the mean disc margin, from the means of pairs
    :param pair_scores: of each pair of games, from 0 to 1, by number; nan for an incomplete one
    :param pair_margins: their mean margins
    :param repeats: score and margin of each repeat; nan for one with no finished pair
    :param forfeits: games that either player lost by an error, an illegal move or on time
    """

    values: tuple[str, ...]
    spec: str
    tally: Tally
    elo: EloEstimate
    margin: Mean
    repeats: tuple[tuple[float, float], ...]
    forfeits: int
    is_fine: bool = False
    pair_scores: Array = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    pair_margins: Array = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)

    def measured(self, by: Measure) -> float:
        """The score or the margin, from complete pairs."""
        return self.tally.pairs.score if by == "score" else self.margin.value

    def to_json(self) -> dict[str, Any]:
        elo = self.elo.to_json()
        return {
            "spec": self.spec,
            "fine": self.is_fine,
            **self.tally.games.summary(),
            "score": elo["score"],  # of complete pairs
            "score_interval": elo["score_interval"],
            "elo": elo["elo"],
            "elo_interval": elo["elo_interval"],
            "margin": self.margin.value,
            "margin_interval": self.margin.to_json(),
            "repeats": [{"score": _known(score), "margin": _known(margin)} for score, margin in self.repeats],
            "forfeits": self.forfeits,
        }


def grid_point(
    state: EventProgress, pairing: int, *, values: tuple[str, ...], spec: str, repeats: int = 1, is_fine: bool = False
) -> GridPoint:
    """The result of a pairing of an event so far, from the view of its first player."""
    event = state.event
    games = np.full((event.pairs, 2), np.nan)
    margins = np.full((event.pairs, 2), np.nan)
    forfeits = 0
    for number, result in state.results.items():  # many more may be planned
        if event.pairing_of(number) != pairing:
            continue
        pair, sign = number // (2 * len(event.pairings)), 1 - 2 * (number % 2)
        games[pair, number % 2] = (1 + sign * result.result) / 2
        margins[pair, number % 2] = sign * result.margin
        forfeits += bool(result.termination)
    begun = ~np.isnan(games).all(axis=1)
    tally = Tally.from_scores((_known(one), _known(two)) for one, two in games[begun])
    pair_scores, pair_margins = games.mean(axis=1), margins.mean(axis=1)
    blocks = zip(np.array_split(pair_scores, repeats), np.array_split(pair_margins, repeats), strict=True)
    return GridPoint(
        values=values,
        spec=spec,
        tally=tally,
        elo=estimate_elo(tally.pairs, level=LEVEL),
        margin=Mean.of(_finished(pair_margins)),
        repeats=tuple((_mean(scores), _mean(margins)) for scores, margins in blocks),
        forfeits=forfeits,
        is_fine=is_fine,
        pair_scores=pair_scores,
        pair_margins=pair_margins,
    )


@dataclass(frozen=True)
class SweepResult:
    """The result of a sweep.

    :param points: those of the coarse pass in the order of the grid, then those of the fine one
    """

    sweep: Sweep
    points: tuple[GridPoint, ...]
    games: int
    seconds: float

    @property
    def best(self) -> GridPoint:
        """The point that did best; of equals the first."""
        return max(self.points, key=lambda point: point.measured(self.sweep.by))

    @cached_property
    def may_be_best(self) -> tuple[bool, ...]:
        """For each point whether it may be the best, with 95% confidence for all together; see `significance`."""
        by_margin = self.sweep.by == "margin"
        table = np.array([point.pair_margins if by_margin else point.pair_scores for point in self.points])
        return tuple(bool(may) for may in possibly_best(table, level=LEVEL))

    @property
    def in_order(self) -> list[tuple[GridPoint, bool]]:
        """The points by their values, each with whether it may be the best."""
        axes = self.sweep.axes

        def key(entry: tuple[GridPoint, bool]) -> tuple[float, ...]:
            return tuple(
                float(value) if axis.step is not None else float(axis.values.index(value))
                for axis, value in zip(axes, entry[0].values, strict=True)
            )

        return sorted(zip(self.points, self.may_be_best, strict=True), key=key)

    def to_json(self) -> dict[str, Any]:
        sweep = self.sweep
        best = self.best
        names = [axis.name for axis in sweep.axes]
        return {
            "game": sweep.game,
            "spec": sweep.spec,
            "against": sweep.against,
            "options": [str(axis) for axis in sweep.axes],
            "by": sweep.by,
            "points": [
                {"options": dict(zip(names, point.values, strict=True))} | point.to_json() | {"may_be_best": may}
                for point, may in self.in_order
            ],
            "best": {"options": dict(zip(names, best.values, strict=True)), "spec": best.spec},
            "games": self.games,
            "repeats": sweep.repeats,
            "openings": sweep.openings,
            "time": None if sweep.time is None else str(sweep.time),
            "seconds": self.seconds,
            "seed": sweep.seed,
        }

    def to_csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        repeats = [f"repeat_{i + 1}_{what}" for i in range(self.sweep.repeats) for what in ("score", "margin")]
        measures = (
            "score",
            "score_low",
            "score_high",
            "elo",
            "elo_low",
            "elo_high",
            "margin",
            "margin_low",
            "margin_high",
        )
        names = [axis.name for axis in self.sweep.axes]
        writer.writerow(
            [*names, "fine", "games", "wins", "draws", "losses", *measures, "may_be_best", *repeats, "spec"]
        )
        for point, may in self.in_order:
            writer.writerow([*point.values, *self._cells(point, may), point.spec])
        return text.getvalue()

    def _cells(self, point: GridPoint, may: bool) -> Iterator[object]:
        data = point.to_json()
        yield from (_yes_no(point.is_fine), data["games"], data["wins"], data["draws"], data["losses"])
        for name in ("score", "elo", "margin"):
            yield from (data[name], *data[f"{name}_interval"])
        yield _yes_no(may)
        if self.sweep.repeats:
            yield from (cell for repeat in data["repeats"] for cell in repeat.values())


def _yes_no(yes: bool) -> str:
    return "yes" if yes else "no"


def _finished(numbers: Array) -> Array:
    return numbers[~np.isnan(numbers)]


def _mean(numbers: Array) -> float:
    finished = _finished(numbers)
    return float(finished.mean()) if len(finished) else np.nan


def _known(number: float) -> float | None:
    return None if np.isnan(number) else float(number)
