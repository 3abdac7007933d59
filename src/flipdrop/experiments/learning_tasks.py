"""Learners as tasks of experiments: each learns for a given time, and players of other tasks use its model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, Literal

from flipdrop.arena.seeds import derive_seed
from flipdrop.evaluation import Evaluation, Weights
from flipdrop.experiments.tasks import MeasureTask, TaskContext
from flipdrop.games import game as game_of
from flipdrop.learning import Budget, Learner, TrainingRun
from flipdrop.learning.genetic import Evolution, genome
from flipdrop.learning.linear import LinearLearner
from flipdrop.learning.patterns import PatternLearner
from flipdrop.players.option_types import format_evaluation

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.experiments.experiment import Values

OTHELLO = game_of("othello")
RULES = {"q": "Q-learning", "sarsa": "Sarsa"}
"""Rules of `episode_learner`, and what pages call them."""


@dataclass(frozen=True)
class LearnerEntry:
    """A learner, and the player that uses its model.

    :param plays: the player's spec, with ``{it[weights]}`` or ``{folder}/{it[model]}`` for the model
    :param ending: of its model's file
    :param make: makes the learner from a seed and a number of threads
    :param settings: everything that decides what it learns, beside seed, time and threads
    :param steps: the most steps; None for no limit but the time
    :param also: further players that use the same model: their specs by the suffix of their name
    """

    name: str
    plays: str
    ending: str
    make: Callable[[int, int], Learner]
    settings: dict[str, Any]
    steps: int | None = None
    also: tuple[tuple[str, str], ...] = ()

    @property
    def players(self) -> dict[str, str]:
        """The specs of all players that use the model, by their names."""
        return {self.name: self.plays} | {f"{self.name}, {suffix}": spec for suffix, spec in self.also}


def weights_learner(
    name: str, plays: str, method: type[Evolution], of: str, steps: int | None = None, **settings: Any
) -> LearnerEntry:
    """A learner of the weights of an evaluation."""

    def make(seed: int, threads: int) -> Evolution:
        return method(OTHELLO, genome(of, OTHELLO), seed=seed, threads=threads, benchmark_every=0, **settings)

    return LearnerEntry(name, plays, ".weights", make, make(0, 1).settings, steps)


def pattern_learner(
    name: str, plays: str, rule: Literal["q", "td"], also: tuple[tuple[str, str], ...] = ()
) -> LearnerEntry:
    """A learner of pattern networks."""

    def make(seed: int, threads: int) -> PatternLearner:
        return PatternLearner(OTHELLO, rule, seed=seed, threads=threads, opponents=())

    return LearnerEntry(name, plays, ".pattern", make, make(0, 1).settings, also=also)


def episode_learner(name: str, plays: str, kind: type[Any], ending: str, rule: str, **settings: Any) -> LearnerEntry:
    """A learner from whole games, with a table or a linear function."""

    def make(seed: int, _: int) -> Learner:
        learner: Learner = kind(OTHELLO, rule, seed=seed, opponents=(), **settings)
        return learner

    return LearnerEntry(name, plays, ending, make, make(0, 1).settings)


def learning_task(entry: LearnerEntry, seconds: float, *, of_cpu: bool = False) -> MeasureTask:
    """The task that trains a learner.

    :param of_cpu: whether these are seconds of CPU time on one thread, which other programs do not shorten
    """
    parameters = {
        "kind": "learning",
        "learner": entry.name,
        "cpu_seconds" if of_cpu else "seconds": seconds,
        "steps": entry.steps,
        "algorithm": entry.settings,
    }
    estimate = seconds if entry.steps is None else min(seconds, 10.0)
    key = f"learning: {entry.name}"
    return MeasureTask(key, parameters=parameters, measure=partial(train, entry), estimate=estimate)


def train(entry: LearnerEntry, task: MeasureTask, context: TaskContext) -> Values:
    """Trains a learner and records its run in the store; continues from a checkpoint if there is one.

    The values hold the name of the model's file, so that specs can refer to it by ``{folder}/{name[model]}``.
    """
    asked = task.parameters
    of_cpu = "cpu_seconds" in asked
    threads = 1 if of_cpu else context.threads
    learner = entry.make(derive_seed(context.seed, entry.name), threads)
    budget = Budget(seconds=asked["cpu_seconds" if of_cpu else "seconds"], steps=asked["steps"])
    context.folder.mkdir(parents=True, exist_ok=True)
    model = context.folder / f"{learner.name}-{task.digest(context.seed)}{entry.ending}"
    training_run = TrainingRun(learner, model, clock=process_time if of_cpu else perf_counter)
    if training_run.checkpoint.exists():
        training_run.resume()
        context.seconds_before += training_run.seconds
    context.run = training_run.record_in(context.store)

    def report(run: TrainingRun) -> None:
        context.report_progress(run.used_share(budget) or 0.0, run.learner.status[:60])

    training_run.run(budget, progress=report)
    values: Values = {
        "model": training_run.model.name,
        "steps": training_run.steps,
        "learning_games": learner.games,
        "learning_seconds": training_run.seconds,
        "learning_threads": threads,
    }
    weights: Weights | None = None
    if isinstance(learner, Evolution):
        weights = learner.weights
    elif isinstance(learner, LinearLearner) and learner.options.features == "terms":
        weights = Weights("Seven", tuple(map(float, learner.values.weights)))
    if weights is not None:
        values["weights"] = format_evaluation(Evaluation(weights))
    return values
