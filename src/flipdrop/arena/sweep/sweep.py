"""A sweep: a player with every combination of some options' values, against one opponent.

All points of the grid play the same openings with the same seeds, so that they differ by their options alone and can be
compared opening by opening. A fine pass looks closer at the surroundings of the best point of the first, coarse one.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from flipdrop.arena.competition import Competition, pairs_of
from flipdrop.arena.sweep.axes import Axis, number_text
from flipdrop.arena.sweep.result import Measure, SweepResult, grid_point
from flipdrop.arena.sweep.settings import with_values
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from flipdrop.arena.model import Event
    from flipdrop.arena.run_event import EventProgress

MOST_POINTS = 2000
MOST_AXES = 2


@dataclass(frozen=True, kw_only=True)
class Sweep(Competition[SweepResult]):
    """A player with every combination of some options' values, against one opponent.

    :param spec: the player whose options are set
    :param axes: the options and their values, one or two
    :param against: the opponent of every point
    :param games: for each point and repeat, an even number
    :param repeats: of each point, from other openings and with other seeds
    :param fine: the steps of the fine pass, by option; options that are not named keep the best value
    :param reach: of the fine pass around the best point, in coarse steps
    :param by: the measure that the best point maximises
    """

    kind: ClassVar[str] = "sweep"

    spec: str
    axes: tuple[Axis, ...]
    against: str
    games: int = 100
    repeats: int = 1
    fine: Mapping[str, Decimal] = field(default_factory=dict)
    reach: int = 1
    by: Measure = "score"

    def __post_init__(self) -> None:
        super().__post_init__()
        pairs_of(self.games)
        names = [axis.name for axis in self.axes]
        if not 1 <= len(names) <= MOST_AXES:
            raise ArenaError(f"{len(names)} options; a sweep is over one or {MOST_AXES}")
        if len(set(names)) < len(names):
            raise ArenaError(f"option {names[0]} is given twice")
        if len(self.grid) > MOST_POINTS:
            raise ArenaError(f"{len(self.grid):,} points; a sweep has at most {MOST_POINTS:,}, so take larger steps")
        for name, step in self.fine.items():
            self._check_fine(name, step)

    def _check_fine(self, name: str, step: Decimal) -> None:
        axis = next((axis for axis in self.axes if axis.name == name), None)
        if axis is None or axis.step is None:
            raise ArenaError(f"a fine step of {name}; only options with FROM:TO:STEP have one")
        if not 0 < step < axis.step:
            raise ArenaError(f"a fine step of {step} for {axis}; it has to be above 0 and below {axis.step}")

    @property
    def players(self) -> tuple[str, ...]:
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
        if self.fine:
            points = self.fine_grid(self.result([coarse]).best.values)
            if points:
                yield self.event(points)

    def result(self, states: list[EventProgress]) -> SweepResult:
        points = [
            grid_point(
                state,
                pairing,
                values=values,
                spec=state.event.players[state.event.pairings[pairing][0]],
                repeats=self.repeats,
                is_fine=state is not states[0],
            )
            for state in states
            for pairing, values in enumerate(self._values_in(state, states))
        ]
        games = sum(len(state.results) for state in states)
        return SweepResult(self, tuple(points), games, sum(state.seconds for state in states))

    def _values_in(self, state: EventProgress, states: list[EventProgress]) -> list[tuple[str, ...]]:
        """The points whose games an event holds."""
        return self.grid if state is states[0] else self.fine_grid(self.result(states[:1]).best.values)

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
            axis.refine(value, self.fine[axis.name], self.reach) if axis.name in self.fine else (value,)
            for axis, value in zip(self.axes, best, strict=True)
        ]
        known = set(self.grid)
        points = [point for point in itertools.product(*values) if point not in known]
        if len(points) > MOST_POINTS:
            raise ArenaError(f"{len(points):,} fine points; there can be {MOST_POINTS:,}, so take larger steps")
        return points

    def settings(self) -> dict[str, Any]:
        return {
            "spec": self.spec,
            "options": list(map(str, self.axes)),
            "against": self.against,
            "games": self.games,
            "repeats": self.repeats,
            "fine": {name: number_text(step) for name, step in self.fine.items()},
            "reach": self.reach,
            "by": self.by,
        }

    @classmethod
    def read_settings(cls, data: dict[str, Any]) -> dict[str, Any]:
        same = {name: data[name] for name in ("spec", "against", "games", "repeats", "reach", "by")}
        fine = {name: Decimal(step) for name, step in data["fine"].items()}
        return same | {"axes": tuple(map(Axis.parse, data["options"])), "fine": fine}

    def __str__(self) -> str:
        fine = "".join(f", then {name} by {number_text(step)}" for name, step in self.fine.items())
        return f"{self.spec} over {' and '.join(map(str, self.axes))}{fine} against {self.against}"
