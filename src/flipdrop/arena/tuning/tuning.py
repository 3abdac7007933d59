"""Tuning: trials of proposed values, a final among the best of them, and a match of the winner against the start.

The best of many noisy trials did well partly by luck. So the leading ones meet the opponent again in a final, from
other openings and with more games, and only the final counts there. What the winner is worth is then measured by a
match against the start values, from fresh openings again: nothing was chosen by its result, so its interval is honest.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from flipdrop.arena.event import Event
from flipdrop.arena.match import MatchResult, match_result
from flipdrop.arena.run_event import run_event
from flipdrop.arena.seeds import derive_seed
from flipdrop.arena.sweep.result import GridPoint, Measure, point_of
from flipdrop.arena.sweep.settings import value_of, with_values
from flipdrop.arena.tuning.optimisers import Method, Values, check_installed, searcher
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.arena.model import TimeControl
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store
    from flipdrop.arena.tuning.ranges import Range


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """What is going to be searched.

    :param spec: the player; its own values are where the search starts
    :param against: whom it plays
    :param trials: how many proposals are tried
    :param pairs: pairs of games for each
    :param finalists: how many of the best trials meet again in the final; with 1 there is none
    :param final_pairs: pairs of games of each in the final
    :param validation_pairs: of the winner's match against the start values
    :param by: what trials are judged by
    """

    spec: str
    ranges: tuple[Range, ...]
    against: str
    game: str
    openings: str
    seed: int
    method: Method = "optuna"
    trials: int = 50
    pairs: int = 20
    finalists: int = 4
    final_pairs: int = 80
    validation_pairs: int = 200
    by: Measure = "score"
    time: TimeControl | None = None

    def __post_init__(self) -> None:
        if not self.ranges:
            raise ArenaError("no option to tune; name one at least, such as c=0.2:3")
        names = [one.name for one in self.ranges]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ArenaError(f"option {twice} is given twice")
        object.__setattr__(self, "ranges", tuple(one.suiting(self.spec) for one in self.ranges))

    def check(self) -> None:
        """Raises if a player, the ends of a range or the openings do not suit the game, or a library is missing."""
        check_installed(self.method)
        self.first_event.check()
        for one in self.ranges:
            for value in one.words or (one.text(0.0), one.text(1.0)):
                with_values(self.spec, {one.name: value}, game_of(self.game))
        searcher(self.method, self.ranges, self.start_unit_values, 0.5, self.seed)

    @property
    def name(self) -> str:
        """What is searched and how: it tells the games of this search from those of others in a store."""
        by = "" if self.by == "score" else f" for {self.by}"
        return f"tune of {' '.join(map(str, self.ranges))} by {self.method}{by}"

    @property
    def first_event(self) -> Event:
        """The games of the start values, by which the search is found in a store."""
        return self._event(self.name, self.spec, self.against, self.pairs, self.seed)

    def trial_event(self, number: int, batch: int, spec: str) -> Event:
        """The games of a trial, counted from 1."""
        seed = derive_seed(self.seed, "batch", batch)
        return self._event(f"trial {number} of {self.name}", spec, self.against, self.pairs, seed)

    def final_event(self, spec: str) -> Event:
        """The games of a finalist; all of them play the same openings."""
        return self._event(
            f"final of {self.name}", spec, self.against, self.final_pairs, derive_seed(self.seed, "final")
        )

    def validation_event(self, spec: str) -> Event:
        """The match against the start values."""
        seed = derive_seed(self.seed, "validation")
        return self._event(f"validation of {self.name}", spec, self.spec, self.validation_pairs, seed)

    def _event(self, kind: str, one: str, two: str, pairs: int, seed: int) -> Event:
        return Event(
            kind=kind,
            game=self.game,
            players=(one, two) if one != two else (one,),
            pairings=((0, 1 if one != two else 0),),
            pairs=pairs,
            openings=self.openings,
            seed=seed,
            time=self.time,
        )

    @property
    def start(self) -> Values:
        """The start values of all options that have one."""
        found = {one.name: value_of(self.spec, one.name, game_of(self.game)) for one in self.ranges}
        return {name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in found.items()}

    @property
    def start_unit_values(self) -> dict[str, float | None]:
        """Where in its range each start value lies, from 0 to 1; None if it is outside of it."""
        return {one.name: one.unit_value(value_of(self.spec, one.name, game_of(self.game))) for one in self.ranges}

    def with_seed(self, seed: int) -> Tuning:
        """The same with another seed."""
        return replace(self, seed=seed)

    def __str__(self) -> str:
        return f"{self.spec}, {' '.join(map(str, self.ranges))}, against {self.against} by {self.method}"


@dataclass(frozen=True)
class Trial:
    """Values that were tried, and how they did.

    :param number: 0 for the start values
    """

    number: int
    values: Values
    point: GridPoint

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        data = self.point.to_json()
        del data["fine"], data["repeats"]
        return {"trial": self.number, "options": self.values} | data


@dataclass
class TuningResult:
    """What a search has found so far.

    :param trials: in their order, the start values first
    :param final: the finalists, the best first; empty if there was none
    :param validation: how the winner did against the start values; None before, and if nothing better was found
    """

    tuning: Tuning
    trials: list[Trial] = field(default_factory=list)
    final: list[Trial] = field(default_factory=list)
    validation: MatchResult | None = None
    games: int = 0
    seconds: float = 0.0

    def ranked(self) -> list[Trial]:
        """The trials from the best to the worst, of equals the earlier first.

        A player that was tried more than once is there once, at the mean of its trials: the best of them was lucky.
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
        """Everything, as JSON can hold it."""
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


class TuningRun:
    """Plays a search, and knows at any time what it has found."""

    def __init__(self, tuning: Tuning) -> None:
        self.tuning = tuning
        self.found = TuningResult(tuning)

    def play(
        self,
        store: Store,
        runner: Runner,
        *,
        told: Callable[[Trial], object] | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> TuningResult:
        """Plays what is missing, and says what came of it.

        :param told: told of each trial as it ends
        :param progress: told how many games are over, of how many that there will be at most
        """
        tuning, found = self.tuning, self.found
        total = 2 * (
            tuning.pairs * (tuning.trials + 1)
            + tuning.final_pairs * (tuning.finalists if tuning.finalists > 1 else 0)
            + tuning.validation_pairs
        )

        def play(event: Event) -> EventProgress:
            def shown(state: EventProgress) -> None:
                if progress:
                    progress(found.games + len(state.results), total)

            state = run_event(event, store, runner, progress=shown)
            found.games += len(state.results)
            found.seconds += state.seconds
            return state

        def tried(number: int, values: Values, event: Event) -> Trial:
            state = play(event)
            spec = event.players[0]
            return Trial(number, values, point_of(state, 0, values=tuple(values.values()), spec=spec))

        def note(trial: Trial) -> None:
            found.trials.append(trial)
            if told:
                told(trial)

        note(tried(0, tuning.start, tuning.first_event))
        worth = found.trials[0].point.measured(tuning.by)
        search = searcher(tuning.method, tuning.ranges, tuning.start_unit_values, worth, tuning.seed)
        for number in range(1, tuning.trials + 1):
            values, batch = search.ask()
            trial = tried(number, values, tuning.trial_event(number, batch, self._spec(values)))
            search.tell(trial.point.measured(tuning.by))
            note(trial)
        if tuning.finalists > 1:
            found.final = self._final(search.recommended(), tried)
        if found.best.point.spec != tuning.spec:
            state = play(tuning.validation_event(found.best.point.spec))
            found.validation = match_result(state)
        return found

    def _final(self, recommended: Values | None, tried: Callable[[int, Values, Event], Trial]) -> list[Trial]:
        """The best trials and the method's recommended once more; the best first."""
        tuning = self.tuning
        chosen = {trial.point.spec: (trial.number, trial.values) for trial in self.found.ranked()[: tuning.finalists]}
        if recommended is not None and (spec := self._spec(recommended)) not in chosen:
            if len(chosen) == tuning.finalists:
                chosen.popitem()
            chosen[spec] = len(self.found.trials), recommended
        finalists = [tried(number, values, tuning.final_event(spec)) for spec, (number, values) in chosen.items()]
        return sorted(finalists, key=lambda trial: -trial.point.measured(tuning.by))

    def _spec(self, values: Values) -> str:
        return with_values(self.tuning.spec, values, game_of(self.tuning.game))
