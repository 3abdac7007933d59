"""A sweep: a player with every combination of some options' values, against one opponent.

All points of the grid play the same openings with the same seeds, so that they differ by their options alone and can be
compared opening by opening. A fine pass looks closer at the surroundings of the best point of the first, coarse one.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flipdrop.arena.event import Event
from flipdrop.arena.run_event import run_event
from flipdrop.arena.sweep.axes import Axis, number_text
from flipdrop.arena.sweep.result import Measure, SweepResult, point_of
from flipdrop.arena.sweep.settings import with_values
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from decimal import Decimal

    from flipdrop.arena.model import TimeControl
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store

MOST_POINTS = 2000
MOST_AXES = 2


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """What is going to be tried.

    :param spec: the player whose options are set
    :param axes: the options and their values, one or two
    :param against: the opponent of every point
    :param pairs: pairs of games for each point and repeat
    :param repeats: how often each point is played, each time from other openings and with other seeds
    :param fine: the steps of the fine pass, by option; options that are not named keep the best value
    :param reach: how many coarse steps around the best point the fine pass looks at
    :param by: what the best point is best by
    """

    spec: str
    axes: tuple[Axis, ...]
    against: str
    game: str
    pairs: int
    openings: str
    seed: int
    repeats: int = 1
    fine: Mapping[str, Decimal] | None = None
    reach: int = 1
    by: Measure = "score"
    time: TimeControl | None = None

    def __post_init__(self) -> None:
        names = [axis.name for axis in self.axes]
        if not 1 <= len(names) <= MOST_AXES:
            raise ArenaError(f"{len(names)} options; a sweep is over one or {MOST_AXES}")
        if len(set(names)) < len(names):
            raise ArenaError(f"option {names[0]} is given twice")
        if len(self.grid) > MOST_POINTS:
            raise ArenaError(f"{len(self.grid):,} points; a sweep has at most {MOST_POINTS:,}, so take larger steps")
        for name, step in (self.fine or {}).items():
            self._check_fine(name, step)

    def _check_fine(self, name: str, step: Decimal) -> None:
        axis = next((axis for axis in self.axes if axis.name == name), None)
        if axis is None or axis.step is None:
            raise ArenaError(f"a fine step of {name}; only options with FROM:TO:STEP have one")
        if not 0 < step < axis.step:
            raise ArenaError(f"a fine step of {step} for {axis}; it has to be above 0 and below {axis.step}")

    @property
    def grid(self) -> list[tuple[str, ...]]:
        """The values of every point of the coarse pass."""
        return list(itertools.product(*(axis.values for axis in self.axes)))

    def spec_at(self, values: tuple[str, ...]) -> str:
        """The player at a point."""
        options = dict(zip((axis.name for axis in self.axes), values, strict=True))
        return with_values(self.spec, options, game_of(self.game))

    def event(self, points: list[tuple[str, ...]]) -> Event:
        """The games of some points."""
        specs = [self.spec_at(values) for values in points]
        players = list(dict.fromkeys([*specs, self.against]))  # a point may be the opponent itself
        return Event(
            kind="sweep",
            game=self.game,
            players=tuple(players),
            pairings=tuple((players.index(spec), players.index(self.against)) for spec in specs),
            pairs=self.pairs * self.repeats,
            openings=self.openings,
            seed=self.seed,
            time=self.time,
            common_seeds=True,
        )

    def fine_grid(self, best: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The points of the fine pass, those of the coarse one left out."""
        fine = self.fine or {}
        values = [
            axis.refine(value, fine[axis.name], self.reach) if axis.name in fine else (value,)
            for axis, value in zip(self.axes, best, strict=True)
        ]
        known = set(self.grid)
        points = [point for point in itertools.product(*values) if point not in known]
        if len(points) > MOST_POINTS:
            raise ArenaError(f"{len(points):,} fine points; there can be {MOST_POINTS:,}, so take larger steps")
        return points

    def with_seed(self, seed: int) -> Sweep:
        """The same with another seed."""
        return replace(self, seed=seed)

    def __str__(self) -> str:
        fine = "".join(f", then {name} by {number_text(step)}" for name, step in (self.fine or {}).items())
        return f"{self.spec} over {' and '.join(map(str, self.axes))}{fine} against {self.against}"


class SweepRun:
    """Plays a sweep, and knows at any time how it stands."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self._passes: list[tuple[list[tuple[str, ...]], EventProgress]] = []

    def play(
        self, store: Store, runner: Runner, *, progress: Callable[[EventProgress], object] | None = None
    ) -> SweepResult:
        """Plays what is missing, and says what came of it."""
        self._play(self.sweep.grid, store, runner, progress)
        if self.sweep.fine:
            points = self.sweep.fine_grid(self.result().best.values)
            if points:
                self._play(points, store, runner, progress)
        return self.result()

    def _play(
        self,
        points: list[tuple[str, ...]],
        store: Store,
        runner: Runner,
        progress: Callable[[EventProgress], object] | None,
    ) -> None:
        def shown(state: EventProgress) -> None:
            latest[:] = [(points, state)]
            self._passes[before:] = latest
            if progress:
                progress(state)

        before = len(self._passes)
        latest: list[tuple[list[tuple[str, ...]], EventProgress]] = []
        state = run_event(self.sweep.event(points), store, runner, progress=shown)
        self._passes[before:] = [(points, state)]

    @property
    def has_games(self) -> bool:
        """Whether there is anything to tell yet."""
        return any(state.results for _, state in self._passes)

    def result(self) -> SweepResult:
        """How the sweep stands."""
        points = []
        for is_fine, (values, state) in enumerate(self._passes):
            for pairing, at in enumerate(values):
                points.append(
                    point_of(
                        state,
                        pairing,
                        values=at,
                        spec=state.event.players[state.event.pairings[pairing][0]],
                        repeats=self.sweep.repeats,
                        is_fine=bool(is_fine),
                    )
                )
        return SweepResult(
            sweep=self.sweep,
            points=tuple(points),
            games=sum(len(state.results) for _, state in self._passes),
            seconds=sum(state.seconds for _, state in self._passes),
        )
