"""Tasks of experiments: matches and measurements whose results are stored.

`MatchTask` is a match between two specs; `MeasureTask` is any other measurement: a training run, a timing. A task that
uses the values of another one names it in `depends_on`::

    evolved = MeasureTask("evolve p20/g80", parameters={...}, measure=_evolve, estimate=8)
    MatchTask("p20/g80", first="alphabeta:depth=2,evaluation={ga[weights]}", depends_on={"ga": evolved}, ...)

Files, such as models, are in the context's folder. Their names hold a digest of the task's settings, so a model trained
with other settings is never reused; specs write ``{folder}`` for the folder.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.match import Match, match_result
from flipdrop.arena.openings import default_openings
from flipdrop.arena.running import runner_for
from flipdrop.arena.seeds import derive_seed
from flipdrop.arena.statistics.means import Mean
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from flipdrop.arena.competition import Competition
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store
    from flipdrop.cluster import RayCluster
    from flipdrop.experiments.experiment import Values

OPENINGS = "random:8"
"""The default openings of Othello games."""


@dataclass
class TaskContext:
    """Resources of a running task, and what it reports back.

    :param values: of earlier tasks, by their keys
    :param folder: for files such as models
    :param report_progress: called with the fraction of the task that is done, 0 to 1, and a status text
    :param cluster: plays the games of matches whose moves are not timed; threads of this process if it is None
    :param event: set by a task that plays an event of the store
    :param run: set by a task that is a training run of the store
    :param seconds_before: increased by a task that resumes the work of an earlier run
    """

    store: Store
    folder: Path
    seed: int
    threads: int
    values: Mapping[str, Values]
    report_progress: Callable[[float, str], object] = lambda *_: None
    cluster: RayCluster | None = None
    event: int | None = None
    run: int | None = None
    seconds_before: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Task(ABC):
    """A task of an experiment.

    :param key: unique in the experiment, and the same in all versions
    :param estimate: seconds on two cores
    :param depends_on: earlier tasks whose values it uses, by local names
    """

    key: str = field(kw_only=False)
    estimate: float = 1.0
    depends_on: Mapping[str, Task] = field(default_factory=dict)

    @property
    def settings(self) -> Values:
        """Everything but the seed that determines the result; a task whose settings have changed is run again."""
        needed = {name: task.settings for name, task in self.depends_on.items()}
        read: Values = json.loads(json.dumps(self._settings() | ({"needs": needed} if needed else {})))
        return read

    def digest(self, seed: int) -> str:
        """A hash of everything that determines the result."""
        text = json.dumps([self.key, seed, self.settings], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()

    @abstractmethod
    def _settings(self) -> Values:
        """The settings without those of dependencies."""

    @abstractmethod
    def run(self, context: TaskContext) -> Values: ...

    def dependencies(self, context: TaskContext) -> dict[str, Values]:
        """The values of `depends_on`, by the same names."""
        return {name: context.values[task.key] for name, task in self.depends_on.items()}


@dataclass(frozen=True, kw_only=True)
class MatchTask(Task):
    """A match: pairs of games from the same openings, each side once.

    Specs may contain ``{name[value]}``, a value of a dependency, and ``{folder}``.

    :param first: the player whose results these are
    :param games: an even number
    :param threads: parallel games; 1 where moves are timed, all threads of the run if not given
    :param own_openings: whether no other task uses the same openings, so that several matches can be pooled;
        otherwise all rows of a table use the same openings
    """

    first: str = field(kw_only=False)
    second: str = field(kw_only=False)
    games: int
    game: str = "othello"
    openings: str | None = None
    threads: int | None = None
    own_openings: bool = False

    def _settings(self) -> Values:
        return {
            "kind": "match",
            "game": self.game,
            "first": self.first,
            "second": self.second,
            "games": self.games,
            "openings": self._openings,
        } | ({"own_openings": True} if self.own_openings else {})

    @property
    def _openings(self) -> str:
        return self.openings or default_openings(game_of(self.game))

    def run(self, context: TaskContext) -> Values:
        needed = self.dependencies(context)
        first, second = (spec.format(**needed, folder=context.folder) for spec in (self.first, self.second))
        seed = derive_seed(context.seed, self.key) if self.own_openings else context.seed
        match = Match(players=(first, second), game=self.game, games=self.games, openings=self._openings, seed=seed)
        measured = match_values(play(context, match, threads=self.threads))
        return {"players": [spec.format(**needed, folder="models") for spec in (self.first, self.second)]} | measured


def matches(
    players: Mapping[str, tuple[str, str]], *, games: int, seconds: float, game: str = "othello"
) -> list[MatchTask]:
    """A match of each two players.

    :param players: both specs by the key of their match
    :param seconds: of a game, on two cores
    """
    return [
        MatchTask(key, first, second, game=game, games=games, estimate=seconds * games)
        for key, (first, second) in players.items()
    ]


def play(
    context: TaskContext,
    competition: Competition[Any],
    *,
    threads: int | None = None,
    report_progress: Callable[[float, str], object] | None = None,
) -> EventProgress:
    """Plays a competition of one event, as far as the store does not have it.

    :param threads: those of the context if not given, as is `report_progress`
    """
    (state,) = play_events(context, competition, threads=threads, report_progress=report_progress)
    return state


def play_events(
    context: TaskContext,
    competition: Competition[Any],
    *,
    threads: int | None = None,
    report_progress: Callable[[float, str], object] | None = None,
) -> list[EventProgress]:
    """Plays all events of a competition, as far as the store does not have them."""
    context.event = context.store.event_id_for(competition.first_event)
    report = report_progress or context.report_progress
    players = competition.check()
    runner: Runner = runner_for(players, threads=threads or context.threads)
    if context.cluster is not None and threads is None:
        from flipdrop.arena.running.ray_runner import RayRunner

        runner = RayRunner(context.cluster)
    states = competition.play(
        context.store,
        runner,
        progress=lambda state: report(state.done / state.total, f"{state.games_a_second:,.0f} games/s"),
    )
    for state in states:
        state.results = {number: result for number, result in state.results.items() if number < state.event.games}
        if state.played > 0:
            context.seconds_before += state.seconds * state.stored / state.played
    return states


def play_match(
    context: TaskContext, first: str, second: str, *, games: int, seed: int, openings: str = OPENINGS
) -> Values:
    """Plays a match and returns its `match_values`; it is one of several of a task, so it reports no progress."""
    match = Match(players=(first, second), games=games, openings=openings, seed=seed)
    return match_values(play(context, match, report_progress=lambda *_: None))


def match_values(state: EventProgress) -> Values:
    """Results of the first player: score, Elo and margins, with 95% intervals.

    ``as_first`` and ``as_second`` are the games with either side. Margins are discs in Othello: a mean margin of m is
    ``32 + m / 2`` of 64 discs. The interval of a constant is a point.
    """
    result = match_result(state)
    estimate, games = result.elo.to_json(), result.tally.games
    sides = [_margins(state, side) for side in (0, 1)]
    margin = Mean.of(np.mean(sides, axis=0))
    return {
        "games": games.total,
        **games.to_json(),
        "pairs": list(result.tally.pairs.counts),
        **{name: estimate[name] for name in ("score", "score_interval", "elo", "elo_interval", "los")},
        "margin": margin.value,
        "margin_interval": margin.to_json(),
        **{
            name: by.to_json() | {"margin": Mean.of(margins).value, "margin_interval": Mean.of(margins).to_json()}
            for name, by, margins in zip(("as_first", "as_second"), result.by_side, sides, strict=True)
        },
        "forfeits": list(result.forfeits),
        "games_a_second": state.games_a_second,
    }


def _margins(state: EventProgress, side: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    sign = -1 if side else 1
    return np.array([sign * state.results[n].margin for n in range(side, state.event.games, 2)], dtype=np.float64)


@dataclass(frozen=True, kw_only=True)
class MeasureTask(Task):
    """A measurement by a function.

    :param parameters: everything that determines the result, JSON-serialisable; ``kind`` names the measurement
    :param measure: returns the values
    """

    parameters: Mapping[str, Any]
    measure: Callable[[MeasureTask, TaskContext], Values]

    def _settings(self) -> Values:
        return {"kind": "measurement"} | dict(self.parameters)

    def run(self, context: TaskContext) -> Values:
        return self.measure(self, context)
