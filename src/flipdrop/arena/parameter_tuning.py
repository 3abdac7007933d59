"""Tuning: trials of proposed values, a final among the best of them, and a match of the winner against the start.

The scores of the best of many noisy trials are overestimates. So the leading ones play the opponent again in a final,
from other openings and with more games, and the final alone decides. A match of the winner against the start values,
from fresh openings, then measures the improvement: nothing was selected by its result, so its interval is unbiased.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from flipdrop.arena.competition import MAX_GAMES, MAX_PAIRING_GAMES, Competition, pairs_of
from flipdrop.arena.match import MatchResult, match_result
from flipdrop.arena.optimisers import Method, Values, check_installed, make_optimiser
from flipdrop.arena.option_values import Range, value_of, with_values
from flipdrop.arena.parameter_sweep import GridPoint, Measure, grid_points
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of
from flipdrop.options import option

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from flipdrop.arena.model import Event
    from flipdrop.arena.player_pool import Makers
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.players import SpecPlayer
    from flipdrop.players.agent_process import AgentLimits


@dataclass(frozen=True, kw_only=True)
class Tuning(Competition["TuningResult"]):
    """A search for good values of a player's options.

    :param spec: the player; its own values are where the search starts
    :param final_games: of each finalist, an even number, as are all numbers of games
    """

    kind: ClassVar[str] = "tune"
    readers: ClassVar = {"ranges": lambda texts: tuple(map(Range.parse, texts))}

    spec: str
    ranges: tuple[Range, ...]
    against: str = option(MISSING, "the opponent, such as level:4")
    method: Method = option("optuna", "TPE of Optuna, or CMA-ES for two or more numbers")
    trials: int = option(50, "number of trials", minimum=1, maximum=100_000)
    games: int = option(40, "games per trial; each opening is played twice", minimum=2, maximum=MAX_PAIRING_GAMES)
    finalists: int = option(4, "number of best trials in the final; 1: no final", minimum=1, maximum=100)
    final_games: int = 160
    validation_games: int = option(400, "games of the winner against the start values", minimum=2, maximum=MAX_GAMES)
    by: Measure = option("score", "measure that is maximised")

    def __post_init__(self) -> None:
        super().__post_init__()
        for games, of in ((self.games, "trial"), (self.final_games, "finalist"), (self.validation_games, "validation")):
            pairs_of(games, f"of a {of}")
        if not self.ranges:
            raise ArenaError("no option to tune; name at least one, such as c=0.2:3")
        names = [one.name for one in self.ranges]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ArenaError(f"option {twice} is given twice")
        object.__setattr__(self, "ranges", tuple(one.for_player(self.spec) for one in self.ranges))

    @property
    def specs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.spec, self.against)))

    @property
    def games_planned(self) -> int:
        finals = self.final_games * (self.finalists if self.finalists > 1 else 0)
        return self.games * (self.trials + 1) + finals + self.validation_games

    def check(
        self, agents: AgentLimits | None = None, *, makers: Makers | None = None, load_code: bool = True
    ) -> dict[str, SpecPlayer]:
        """Raises if a player, the ends of a range or the openings are wrong, or a library is missing."""
        check_installed(self.method)
        players = super().check(agents, makers=makers, load_code=load_code)
        for one in self.ranges:
            for value in one.words or (one.text(0.0), one.text(1.0)):
                with_values(self.spec, {one.name: value}, game_of(self.game))
        make_optimiser(self.method, self.ranges, self.start_unit_values, 0.5, self.seed)
        return players

    @property
    def name(self) -> str:
        """Ranges and method: distinguishes the games of this search from those of others in a store."""
        by = "" if self.by == "score" else f" for {self.by}"
        return f"tune of {' '.join(map(str, self.ranges))} by {self.method}{by}"

    @property
    def first_event(self) -> Event:
        """The games of the start values, by which the search is found in a store."""
        return self._event(self.name, self.spec, self.against, self.games, self.seed)

    def trial_event(self, number: int, batch: int, spec: str) -> Event:
        seed = derive_seed(self.seed, "batch", batch)
        return self._event(f"trial {number} of {self.name}", spec, self.against, self.games, seed)

    def final_event(self, spec: str) -> Event:
        """The games of a finalist; all of them play the same openings."""
        seed = derive_seed(self.seed, "final")
        return self._event(f"final of {self.name}", spec, self.against, self.final_games, seed)

    def validation_event(self, spec: str) -> Event:
        seed = derive_seed(self.seed, "validation")
        return self._event(f"validation of {self.name}", spec, self.spec, self.validation_games, seed)

    def _event(self, kind: str, one: str, two: str, games: int, seed: int) -> Event:
        players, pairing = ((one, two), (0, 1)) if one != two else ((one,), (0, 0))
        return self.make_event(players, (pairing,), pairs=games // 2, seed=seed, kind=kind)

    @property
    def start(self) -> Values:
        """The start values of all options that have one."""
        found = {one.name: value_of(self.spec, one.name, game_of(self.game)) for one in self.ranges}
        return {name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in found.items()}

    @property
    def start_unit_values(self) -> dict[str, float | None]:
        """The position of each start value in its range, from 0 to 1; None if it is outside."""
        return {one.name: one.unit_value(value_of(self.spec, one.name, game_of(self.game))) for one in self.ranges}

    def events(self) -> Generator[Event, EventProgress, None]:
        return self.search(TuningResult(self))

    def search(self, found: TuningResult) -> Generator[Event, EventProgress, None]:
        """Yields the event of each trial, and adds its result to `found`."""

        def trial(number: int, values: Values, state: EventProgress) -> Trial:
            found.games += len(state.results)
            found.seconds += state.seconds
            (point,) = grid_points(state, [tuple(values.values())])
            return Trial(number, values, point)

        found.add(trial(0, self.start, (yield self.first_event)))
        value = found.trials[0].point.measured(self.by)
        optimiser = make_optimiser(self.method, self.ranges, self.start_unit_values, value, self.seed)
        for number in range(1, self.trials + 1):
            values, batch = optimiser.ask()
            found.add(trial(number, values, (yield self.trial_event(number, batch, self._spec(values)))))
            optimiser.tell(found.trials[-1].point.measured(self.by))
        if self.finalists > 1:
            final = []
            for number, values in self._finalists(found, optimiser.recommended()):
                final.append(trial(number, values, (yield self.final_event(self._spec(values)))))
            found.final = sorted(final, key=lambda trial: -trial.point.measured(self.by))
        if found.best.point.spec != self.spec:
            state = yield self.validation_event(found.best.point.spec)
            found.games += len(state.results)
            found.seconds += state.seconds
            found.validation = match_result(state)

    def _finalists(self, found: TuningResult, recommended: Values | None) -> list[tuple[int, Values]]:
        """The numbers and values of the best trials, and the values that the optimiser recommends."""
        chosen = {trial.point.spec: (trial.number, trial.values) for trial in found.ranked()[: self.finalists]}
        if recommended is not None and (spec := self._spec(recommended)) not in chosen:
            if len(chosen) == self.finalists:
                chosen.popitem()
            chosen[spec] = len(found.trials), recommended
        return list(chosen.values())

    def _spec(self, values: Values) -> str:
        return with_values(self.spec, values, game_of(self.game))

    def result(self, states: list[EventProgress]) -> TuningResult:
        found = TuningResult(self)
        search = self.search(found)  # the optimiser proposes the same values again
        next(search)
        for state in states:
            if len(state.results) < state.event.games:
                break
            try:
                search.send(state)
            except StopIteration:
                break
        return found

    def partial_result(self, states: list[EventProgress]) -> TuningResult | None:
        found = self.result(states)
        return found if found.trials else None

    def __str__(self) -> str:
        return f"{self.spec}, {' '.join(map(str, self.ranges))}, against {self.against} by {self.method}"


@dataclass(frozen=True)
class Trial:
    """Values that were tried, and their results.

    :param number: 0 for the start values
    """

    number: int
    values: Values
    point: GridPoint

    def to_json(self) -> dict[str, Any]:
        data = self.point.to_json()
        del data["fine"], data["repeats"]
        return {"trial": self.number, "options": self.values} | data


@dataclass
class TuningResult:
    """The result of a search so far.

    :param trials: in their order, the start values first
    :param final: the finalists, the best first; empty if there was none
    :param validation: the winner's match against the start values; None before it, and if the start values won
    :param on_trial: called with each trial as it ends
    """

    tuning: Tuning
    trials: list[Trial] = field(default_factory=list)
    final: list[Trial] = field(default_factory=list)
    validation: MatchResult | None = None
    games: int = 0
    seconds: float = 0.0
    on_trial: Callable[[Trial], object] | None = None

    def add(self, trial: Trial) -> None:
        self.trials.append(trial)
        if self.on_trial:
            self.on_trial(trial)

    def ranked(self) -> list[Trial]:
        """The trials from the best to the worst, of equals the earlier first.

        A player that was tried more than once is listed once, with the mean of its trials.
        """
        by_spec: dict[str, list[Trial]] = {}
        for trial in self.trials:
            by_spec.setdefault(trial.point.spec, []).append(trial)

        def mean(trials: list[Trial]) -> float:
            return sum(trial.point.measured(self.tuning.by) for trial in trials) / len(trials)

        return [trials[0] for trials in sorted(by_spec.values(), key=mean, reverse=True)]

    @property
    def best(self) -> Trial:
        """The winner of the final, or the best trial before there was one."""
        return self.final[0] if self.final else self.ranked()[0]

    def to_json(self) -> dict[str, Any]:
        tuning = self.tuning
        return {
            "game": tuning.game,
            "spec": tuning.spec,
            "against": tuning.against,
            "options": [str(one) for one in tuning.ranges],
            "method": tuning.method,
            "by": tuning.by,
            "trials": [trial.to_json() for trial in self.trials],
            "final": [trial.to_json() for trial in self.final],
            "best": {"options": self.best.values, "spec": self.best.point.spec},
            "validation": None if self.validation is None else self.validation.to_json(),
            "games": self.games,
            "openings": tuning.openings,
            "time": None if tuning.time is None else str(tuning.time),
            "seconds": self.seconds,
            "seed": tuning.seed,
        }
