"""Q6: which learner makes the strongest player for the same time of learning, in games at equal time for a move."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from flipdrop.arena.seeds import derive_seed
from flipdrop.evaluation import Evaluation
from flipdrop.experiments.conclusions import bonferroni_level
from flipdrop.experiments.equal_time import FAIR, favours, ratio, timing_key
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared
from flipdrop.experiments.presentation import table
from flipdrop.experiments.tasks import MeasureTask, Task, TaskContext, learn
from flipdrop.experiments.tournaments import (
    RATING,
    cross_table,
    finite_interval,
    matches_between,
    ratings,
    ratings_picture,
    round_robin,
    timings_against,
)
from flipdrop.games import game as game_of
from flipdrop.learning import Budget, Learner
from flipdrop.learning.genetic import Evolution, EvolutionStrategy, OnlineGA, PositionGA, TournamentGA, genome
from flipdrop.learning.network import NetworkLearner, TrainingSettings
from flipdrop.learning.patterns import PatternLearner
from flipdrop.players.evaluation_option import write_evaluation
from flipdrop.reporting.formatting import listed, number, seconds, with_interval

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS: dict[Size, float] = {"quick": 0.6, "full": 70.0}
"""Of learning, on all cores, for each learner."""
SHARE: dict[Size, float] = {"quick": 0.05, "full": 1.0}
"""Of what a move may cost."""
NODES = {"D": 47_500, "Seven": 40_000, "patterns": 29_300}
SIMULATIONS, ITERATIONS = 84, 4800
"""Of the network, and of the tree search without learning, in the time of these nodes."""
GAMES: dict[Size, int] = {"quick": 2, "full": 24}
PAIRS: dict[Size, int] = {"quick": 1, "full": 3}

OTHELLO = game_of("othello")
TREE_SEARCH, BY_HAND, REFERENCE = "tree search, nothing learned", "D by hand", "GA of R2"


@dataclass(frozen=True)
class Contestant:
    """A learner, and the player that uses its model.

    :param plays: the player's spec, with ``{it[weights]}`` or ``{folder}/{it[model]}`` for the model
    :param ending: of its model's file
    :param make: makes the learner from a seed and a number of threads
    :param settings: everything that decides what it learns, beside seed, time and threads
    :param steps: the most steps; None for no limit but the time
    """

    name: str
    plays: str
    ending: str
    make: Callable[[int, int], Learner]
    settings: dict[str, Any]
    steps: int | None = None


def evolving(
    name: str, plays: str, method: type[Evolution], of: str, steps: int | None = None, **settings: Any
) -> Contestant:
    """A learner of the weights of an evaluation."""

    def make(seed: int, threads: int) -> Evolution:
        return method(OTHELLO, genome(of, OTHELLO), seed=seed, threads=threads, benchmark_every=0, **settings)

    return Contestant(name, plays, ".weights", make, make(0, 1).settings, steps)


def on_patterns(name: str, plays: str, rule: Literal["q", "td"]) -> Contestant:
    """A learner of pattern networks."""

    def make(seed: int, threads: int) -> PatternLearner:
        return PatternLearner(OTHELLO, rule, seed=seed, threads=threads, opponents=())

    return Contestant(name, plays, ".pattern", make, make(0, 1).settings)


def contestants(size: Size) -> tuple[Contestant, ...]:

    def iterative(kind: str, evaluation: str) -> str:
        return f"iterative:nodes={round(SHARE[size] * NODES[kind])},evaluation={evaluation}"

    is_full = size == "full"
    of_d, of_seven = (iterative(kind, "{it[weights]}") for kind in ("D", "Seven"))
    of_patterns = iterative("patterns", "{folder}/{it[model]}")
    guided = f"network:model={{folder}}/{{it[model]}},simulations={round(SHARE[size] * SIMULATIONS)}"
    generation: dict[str, Any] = {
        "population": 50 if is_full else 8,
        "openings": "random:8",
        "openings_per_generation": 50,
    }
    games, simulations, cheap = (64, 100, 25) if is_full else (4, 8, 4)
    self_play = TrainingSettings(
        body="conv:3x32+dense:128", games=games, simulations=simulations, cheap_simulations=cheap, opponent=""
    )

    def network(seed: int, threads: int) -> NetworkLearner:
        return NetworkLearner(OTHELLO, self_play, seed=seed, threads=threads)

    return (
        evolving("GA of R1", of_d, TournamentGA, "D", **generation),
        evolving("CMA-ES", of_d, EvolutionStrategy, "D", **generation),
        evolving(REFERENCE, of_seven, OnlineGA, "Seven", steps=3000 if is_full else 50),
        evolving("GA of R5", of_seven, PositionGA, "Seven", steps=200 if is_full else 5),
        on_patterns("Q-learning on patterns", of_patterns, "q"),
        on_patterns("TD(lambda) on patterns", of_patterns, "td"),
        Contestant("network-guided search", guided, ".onnx", network, asdict(self_play)),
    )


def _tasks(size: Size) -> list[Task]:
    training: dict[str, Task] = {}
    players = {}
    for place, contestant in enumerate(contestants(size)):
        name = f"l{place}"
        training[name] = learning_task(contestant, SECONDS[size])
        players[contestant.name] = contestant.plays.replace("{it[", f"{{{name}[")
    players[TREE_SEARCH] = f"mcts:iterations={round(SHARE[size] * ITERATIONS)}"
    players[BY_HAND] = f"iterative:nodes={round(SHARE[size] * NODES['D'])},evaluation=D"
    tournament = round_robin(players, games=GAMES[size], estimate=0.18 * SHARE[size], depends_on=training)
    estimate = 0.7 * PAIRS[size] * SHARE[size]
    timings = timings_against(REFERENCE, players, pairs=PAIRS[size], estimate=estimate, depends_on=training)
    return [*training.values(), *tournament, *timings]


def learning_task(contestant: Contestant, seconds: float) -> MeasureTask:
    """The task that trains a learner."""
    parameters = {
        "kind": "learning",
        "learner": contestant.name,
        "seconds": seconds,
        "steps": contestant.steps,
        "algorithm": contestant.settings,
    }
    estimate = seconds if contestant.steps is None else min(seconds, 10.0)
    key = f"learning: {contestant.name}"
    return MeasureTask(key, parameters=parameters, measure=partial(train, contestant), estimate=estimate)


def train(contestant: Contestant, task: MeasureTask, context: TaskContext) -> Values:
    learner = contestant.make(derive_seed(context.seed, contestant.name), context.threads)
    budget = Budget(seconds=task.parameters["seconds"], steps=task.parameters["steps"])
    training_run = learn(task, context, learner, budget, ending=contestant.ending)
    values: Values = {
        "model": training_run.model.name,
        "steps": training_run.steps,
        "learning_games": learner.games,
        "learning_seconds": training_run.seconds,
        "learning_threads": context.threads,
    }
    if isinstance(learner, Evolution):
        values["weights"] = write_evaluation(Evaluation(learner.weights))
    return values


def _unequal_times(results: Results, players: list[str]) -> str:
    """Which players took more or less time than the budgets were meant for."""
    ratios = {name: number(results[timing_key(name)]["ratio"]) for name in players if favours(results, name)}
    return f"Measured ratios beyond that are {listed([' '.join(of) for of in ratios.items()])}. " if ratios else ""


def _conclude(results: Results) -> Finding:
    names = [contestant.name for contestant in contestants(results.size)]
    players = [*names, TREE_SEARCH, BY_HAND]
    found = ratings(matches_between(results, players))
    order = [rating.name for rating in found.players]
    learners = [name for name in order if name in names]
    best, second = learners[:2]
    lead = found.difference(best, second)
    level = bonferroni_level(len(names) - 1)
    is_clear = ratings(matches_between(results, players), level=level).difference(best, second).interval[0] > 0
    learning = {name: results[f"learning: {name}"] for name in names}
    threads = max(values["learning_threads"] for values in learning.values())
    early = [name for name, of in learning.items() if of["learning_seconds"] < 0.9 * SECONDS[results.size]]
    steps = {one.name: f" (after {one.steps:,} steps)" if one.steps else "" for one in contestants(results.size)}
    others = [name for name in players if name != REFERENCE]
    beat_nothing = [name for name in learners if found.difference(name, TREE_SEARCH).interval[0] > 0]
    text = (
        f"After {seconds(SECONDS[results.size])} of learning on {threads} threads, one run each, the strongest is "
        f"{best}, {with_interval(lead.elo, finite_interval(lead.interval), 0)} Elo ahead of {second}"
        + ("" if is_clear else f" (which is not certain at {number(100 * level, 1)}%, as one of {len(names)} learners)")
        + f". In order: {listed(order)}. "
        + (
            f"Stronger than a tree search that has learned nothing are {listed(beat_nothing)}."
            if beat_nothing
            else "No learner is seen to be stronger than a tree search that has learned nothing."
        ),
        (
            f"{listed([name + steps[name] for name in early])} ended before the time was over: they "
            "play no games from which they could learn more. "
            if early
            else ""
        )
        + f"Budgets are chosen so that a move takes all players the same time as {REFERENCE} (up to {number(FAIR)} "
        f"times counts as equal). {_unequal_times(results, others)}Each learner had one run; other seeds may come out "
        "differently.",
    )
    return Finding(
        conclusion=Conclusion.ANSWERED if is_clear else Conclusion.OPEN,
        headline=f"After {seconds(SECONDS[results.size])} of learning each, in one run each, {best} is the strongest, "
        f"{number(lead.elo, 0)} Elo ahead of {second}.",
        rule=f"Answered if the strongest learner is ahead of the second at {number(100 * level, 1)}%, as one of "
        f"{len(names)}, else still open. Other seeds may come out differently.",
        text=text,
        tables=(
            table(
                "Round robin at equal time",
                "player",
                {rating.name: rating for rating in found.players},
                RATING
                | {
                    "games to learn from": {name: f"{values['learning_games']:,}" for name, values in learning.items()},
                    "time of learning": {name: seconds(of["learning_seconds"]) for name, of in learning.items()},
                    f"time of a move / {REFERENCE}'s": {name: ratio(results, name) for name in others},
                },
            ),
            cross_table("Score of the row against the column", results, order),
        ),
        pictures=(
            ratings_picture(
                "learners",
                "Elo at equal time for a move after the same time of learning, their mean at 0, with 95% intervals.",
                found,
            ),
        ),
    )


EXPERIMENT = declared("Q6", _tasks, _conclude)
