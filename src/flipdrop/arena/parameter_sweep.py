"""A sweep: a player with every combination of some options' values, against one opponent.

All points of the grid play the same openings with the same seeds, so that they differ by their options alone and can be
compared opening by opening. A fine pass then refines the grid around the best point of the coarse one.
"""

from __future__ import annotations

import itertools
from dataclasses import MISSING, dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from flipdrop.arena.competition import MAX_PAIRING_GAMES, Competition, pairs_of
from flipdrop.arena.option_values import Axis, number_text, with_values
from flipdrop.arena.statistics import EloEstimate, Tally, estimate_elo
from flipdrop.arena.statistics.elo import finite
from flipdrop.arena.statistics.means import Mean, possibly_best
from flipdrop.errors import ArenaError
from flipdrop.files import csv_text
from flipdrop.games import game as game_of
from flipdrop.options import option

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from flipdrop.arena.model import Event
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.statistics.likelihood import Array

MAX_POINTS = 2000
MAX_AXES = 2

Measure = Literal["score", "margin"]


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
            "repeats": [{"score": finite(score), "margin": finite(margin)} for score, margin in self.repeats],
            "forfeits": self.forfeits,
        }


def grid_points(
    state: EventProgress, values: Sequence[tuple[str, ...]], *, repeats: int = 1, is_fine: bool = False
) -> list[GridPoint]:
    """The results of the pairings of an event so far, from the view of the first-named player of each.

    :param values: of the options, for each pairing
    """
    event = state.event
    forfeits = [event.pairing_of(number) for number, _, _ in state.forfeits()]
    points = []
    for pairing, (scores, margins) in enumerate(zip(*state.outcomes(event.pairs), strict=True)):
        tally = Tally.from_scores(scores)
        pair_scores, pair_margins = scores.mean(axis=1), margins.mean(axis=1)
        blocks = zip(np.array_split(pair_scores, repeats), np.array_split(pair_margins, repeats), strict=True)
        points.append(
            GridPoint(
                values=values[pairing],
                spec=event.players[event.pairings[pairing][0]],
                tally=tally,
                elo=estimate_elo(tally.pairs),
                margin=Mean.of(pair_margins[~np.isnan(pair_margins)]),
                repeats=tuple((_mean(of_scores), _mean(of_margins)) for of_scores, of_margins in blocks),
                forfeits=forfeits.count(pairing),
                is_fine=is_fine,
                pair_scores=pair_scores,
                pair_margins=pair_margins,
            )
        )
    return points


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
        """For each point whether it may be the best, with 95% confidence for all together; see `possibly_best`."""
        by_margin = self.sweep.by == "margin"
        table = np.array([point.pair_margins if by_margin else point.pair_scores for point in self.points])
        return tuple(bool(may) for may in possibly_best(table))

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
        names = [axis.name for axis in self.sweep.axes]
        counts = ("games", "wins", "draws", "losses")
        measures = [f"{name}{end}" for name in ("score", "elo", "margin") for end in ("", "_low", "_high")]
        repeats = [f"repeat_{i + 1}_{what}" for i in range(self.sweep.repeats) for what in ("score", "margin")]
        rows: list[list[object]] = [[*names, "fine", *counts, *measures, "may_be_best", *repeats, "spec"]]
        for point, may in self.in_order:
            data = point.to_json()
            measured = [cell for name in ("score", "elo", "margin") for cell in (data[name], *data[f"{name}_interval"])]
            repeated = [cell for repeat in data["repeats"] for cell in repeat.values()]
            is_fine, may_be_best = ("yes" if yes else "no" for yes in (point.is_fine, may))
            counted = [data[name] for name in counts]
            rows.append([*point.values, is_fine, *counted, *measured, may_be_best, *repeated, point.spec])
        return csv_text(rows)


@dataclass(frozen=True, kw_only=True)
class Sweep(Competition[SweepResult]):
    """A player with every combination of some options' values, against one opponent.

    :param spec: the player whose options are set
    :param axes: the options and their values, one or two
    :param against: the opponent of every point
    :param refine: the steps of the fine pass, by option; options that are not named keep the best value
    """

    kind: ClassVar[str] = "sweep"
    readers: ClassVar = {
        "axes": lambda texts: tuple(map(Axis.parse, texts)),
        "refine": lambda steps: {name: Decimal(step) for name, step in steps.items()},
    }

    spec: str
    axes: tuple[Axis, ...]
    against: str = option(MISSING, "the opponent, such as level:4")
    games: int = option(100, "games per grid point; each opening is played twice", minimum=2, maximum=MAX_PAIRING_GAMES)
    repeats: int = option(1, "play each grid point N times, with other openings and seeds", minimum=1, maximum=100)
    refine: dict[str, Decimal] = field(default_factory=dict)
    refine_range: int = option(1, "coarse steps on either side that --refine covers", minimum=1, maximum=100)
    by: Measure = option("score", "measure by which points are compared")

    def __post_init__(self) -> None:
        super().__post_init__()
        pairs_of(self.games)
        names = [axis.name for axis in self.axes]
        if not 1 <= len(names) <= MAX_AXES:
            raise ArenaError(f"{len(names)} options; a sweep is over one or {MAX_AXES}")
        if len(set(names)) < len(names):
            raise ArenaError(f"option {names[0]} is given twice")
        if len(self.grid) > MAX_POINTS:
            raise ArenaError(f"{len(self.grid):,} points; a sweep has at most {MAX_POINTS:,}, so take larger steps")
        for name, step in self.refine.items():
            self._check_fine(name, step)

    def _check_fine(self, name: str, step: Decimal) -> None:
        axis = next((axis for axis in self.axes if axis.name == name), None)
        if axis is None or axis.step is None:
            raise ArenaError(f"a fine step of {name}; only options with FROM:TO:STEP have one")
        if not 0 < step < axis.step:
            raise ArenaError(f"a fine step of {step} for {axis}; it has to be above 0 and below {axis.step}")

    @property
    def specs(self) -> tuple[str, ...]:
        return self.first_event.players

    @property
    def games_planned(self) -> int:
        """Those of the coarse pass, and of the fine one at most."""
        return self.games * self.repeats * len(self.grid)

    @cached_property
    def first_event(self) -> Event:
        return self.event(self.grid)

    def events(self) -> Generator[Event, EventProgress, None]:
        coarse = yield self.first_event
        if self.refine:
            points = self.fine_grid(self.result([coarse]).best.values)
            if points:
                yield self.event(points)

    def result(self, states: list[EventProgress]) -> SweepResult:
        points: list[GridPoint] = []
        for state in states:
            is_fine = bool(points)
            values = self.fine_grid(self.result(states[:1]).best.values) if is_fine else self.grid
            points += grid_points(state, values, repeats=self.repeats, is_fine=is_fine)
        games = sum(len(state.results) for state in states)
        return SweepResult(self, tuple(points), games, sum(state.seconds for state in states))

    @property
    def grid(self) -> list[tuple[str, ...]]:
        return list(itertools.product(*(axis.values for axis in self.axes)))

    def spec_at(self, values: tuple[str, ...]) -> str:
        options = dict(zip((axis.name for axis in self.axes), values, strict=True))
        return with_values(self.spec, options, game_of(self.game))

    def event(self, points: list[tuple[str, ...]]) -> Event:
        specs = [self.spec_at(values) for values in points]
        players = list(dict.fromkeys([*specs, self.against]))  # a point may be the opponent itself
        pairings = tuple((players.index(spec), players.index(self.against)) for spec in specs)
        return self.make_event(tuple(players), pairings, pairs=self.games // 2 * self.repeats, common_seeds=True)

    def fine_grid(self, best: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The points of the fine pass, those of the coarse one left out."""
        values = [
            axis.refine(value, self.refine[axis.name], self.refine_range) if axis.name in self.refine else (value,)
            for axis, value in zip(self.axes, best, strict=True)
        ]
        known = set(self.grid)
        points = [point for point in itertools.product(*values) if point not in known]
        if len(points) > MAX_POINTS:
            raise ArenaError(f"{len(points):,} fine points; there can be {MAX_POINTS:,}, so take larger steps")
        return points

    def __str__(self) -> str:
        fine = "".join(f", then {name} by {number_text(step)}" for name, step in self.refine.items())
        return f"{self.spec} over {' and '.join(map(str, self.axes))}{fine} against {self.against}"


def _mean(numbers: Array) -> float:
    """The mean of those numbers that are known."""
    known = numbers[~np.isnan(numbers)]
    return float(known.mean()) if len(known) else np.nan
