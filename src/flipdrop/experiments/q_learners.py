"""Q6: which learner makes the strongest player for the same time of learning, in games at equal time for a move."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal

from flipdrop.evaluation import Evaluation
from flipdrop.experiments.conclusions import RULE_OF_SIDES, bonferroni_level, by_side
from flipdrop.experiments.equal_time import FAIR, farthest, ratio, timing
from flipdrop.experiments.experiment import Claim, Experiment, Finding, Results, Size, Values
from flipdrop.experiments.formatting import score, wins_draws_losses
from flipdrop.experiments.tasks import MatchTask, MeasureTask, Task, TaskContext, learn
from flipdrop.experiments.tournaments import (
    cross_table,
    dependencies_of,
    draw_ratings,
    finite_interval,
    matches_between,
    ratings,
    round_robin,
)
from flipdrop.games import game as game_of
from flipdrop.learning import Budget, Learner
from flipdrop.learning.genetic import (
    Evolution,
    EvolutionStrategy,
    OnlineGA,
    PositionGA,
    TournamentGA,
    genome,
)
from flipdrop.learning.network import NetworkLearner, settings_for
from flipdrop.learning.patterns import PatternLearner
from flipdrop.players.evaluation_option import write_evaluation
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import listed, number, seconds, with_interval
from flipdrop.reporting.tables import Table

if TYPE_CHECKING:
    from flipdrop.arena.statistics import Ratings

SECONDS: dict[Size, float] = {"quick": 0.6, "full": 70.0}
"""Of learning, on all cores, for each learner."""
SHARE: dict[Size, float] = {"quick": 0.05, "full": 1.0}
"""Of what a move may cost."""
NODES = {"D": 47_500, "Seven": 40_000, "patterns": 29_300}
SIMULATIONS, ITERATIONS = 84, 4800
"""Of the network, and of the tree search without learning, in the time of these nodes."""
GAMES: dict[Size, int] = {"quick": 2, "full": 24}
PAIRS: dict[Size, int] = {"quick": 1, "full": 3}
CLAIM_GAMES: dict[Size, int] = {"quick": 20, "full": 1000}

TREE_SEARCH, BY_HAND, REFERENCE = "tree search, nothing learned", "D by hand", "GA of R2"
Q_LEARNING, GA_OF_R5 = "Q-learning", "GA of R5"
CLAIMED = "R5's claim"


_RULES: dict[str, Literal["q", "td"]] = {"q": "q", "td": "td"}
"""The learners that are pattern networks."""
_EVOLUTION: dict[str, tuple[str, type[Evolution]]] = {
    "R1": ("D", TournamentGA),
    "cma": ("D", EvolutionStrategy),
    "R2": ("Seven", OnlineGA),
    "R5": ("Seven", PositionGA),
}
"""The evaluation and the class of methods that evolve weights."""


@dataclass(frozen=True)
class Contestant:
    """A learner, and the player that uses its model.

    :param plays: the player's spec, with ``{it[weights]}`` or ``{folder}/{it[model]}`` for the model
    :param ending: of its model's file
    :param method: R1, cma, R2, R5 (weights of evaluations), q, td (pattern networks) or network
    :param settings: other settings of the learner
    :param steps: the most steps; None for no limit but the time
    """

    name: str
    plays: str
    ending: str
    method: str
    settings: dict[str, Any]
    steps: int | None = None

    def learner(self, seed: int, threads: int) -> Learner:
        game = game_of("othello")
        if self.method in _RULES:
            return PatternLearner(game, _RULES[self.method], seed=seed, threads=threads, opponents=())
        if self.method == "network":
            return NetworkLearner(game, settings_for(game, **self.settings), seed=seed, threads=threads)
        name, method = _EVOLUTION[self.method]
        return method(game, genome(name, game), seed=seed, threads=threads, benchmark_every=0, **self.settings)

    def algorithm(self) -> dict[str, Any]:
        """Everything that decides what it learns, beside seed, time and threads."""
        if self.method == "network":  # networks take long to make
            return asdict(settings_for(game_of("othello"), **self.settings))
        return _of_patterns(self.method) if self.method in _RULES else self.learner(0, 1).settings


@cache
def _of_patterns(method: str) -> dict[str, Any]:
    return PatternLearner(game_of("othello"), _RULES[method], seed=0, opponents=()).settings


def contestants(size: Size) -> tuple[Contestant, ...]:

    def iterative(kind: str, evaluation: str) -> str:
        return f"iterative:nodes={round(SHARE[size] * NODES[kind])},evaluation={evaluation}"

    is_full = size == "full"
    of_d, of_seven = (iterative(kind, "{it[weights]}") for kind in ("D", "Seven"))
    of_patterns = iterative("patterns", "{folder}/{it[model]}")
    guided = f"network:model={{folder}}/{{it[model]}},simulations={round(SHARE[size] * SIMULATIONS)}"
    generation = {"population": 50 if is_full else 8, "openings": "random:8", "openings_per_generation": 50}
    games, simulations, cheap = (64, 100, 25) if is_full else (4, 8, 4)
    self_play = {"games": games, "simulations": simulations, "cheap_simulations": cheap, "opponent": ""}
    return (
        Contestant("GA of R1", of_d, ".weights", "R1", generation),
        Contestant("CMA-ES", of_d, ".weights", "cma", generation),
        Contestant(REFERENCE, of_seven, ".weights", "R2", {}, steps=3000 if is_full else 50),
        Contestant(GA_OF_R5, of_seven, ".weights", "R5", {}, steps=200 if is_full else 5),
        Contestant(Q_LEARNING, of_patterns, ".pattern", "q", {}),
        Contestant("TD(lambda)", of_patterns, ".pattern", "td", {}),
        Contestant("network-guided search", guided, ".onnx", "network", self_play),
    )


def _tasks(size: Size) -> list[Task]:
    training: dict[str, Task] = {}
    players = {}
    for place, contestant in enumerate(contestants(size)):
        parameters = {
            "kind": "learning",
            "learner": contestant.name,
            "method": contestant.method,
            "seconds": SECONDS[size],
            "steps": contestant.steps,
            "settings": contestant.settings,
            "algorithm": contestant.algorithm(),
        }
        name = f"l{place}"
        likely = SECONDS[size] if contestant.steps is None else min(SECONDS[size], 10.0)
        training[name] = MeasureTask(
            f"learning: {contestant.name}",
            parameters=parameters,
            measure=partial(train, contestant),
            estimate=likely,
        )
        players[contestant.name] = contestant.plays.replace("{it[", f"{{{name}[")
    players[TREE_SEARCH] = f"mcts:iterations={round(SHARE[size] * ITERATIONS)}"
    players[BY_HAND] = f"iterative:nodes={round(SHARE[size] * NODES['D'])},evaluation=D"
    tournament = round_robin(players, games=GAMES[size], estimate=0.18 * SHARE[size], depends_on=training)
    timings = [
        timing(
            MatchTask(
                name, spec, players[REFERENCE], games=2, depends_on=dependencies_of(training, spec, players[REFERENCE])
            ),
            pairs=PAIRS[size],
            estimate=0.7 * PAIRS[size] * SHARE[size],
        )
        for name, spec in players.items()
        if name != REFERENCE
    ]
    names = [contestant.name for contestant in contestants(size)]
    weights, model = f"l{names.index(GA_OF_R5)}", f"l{names.index(Q_LEARNING)}"
    claimed = MatchTask(
        CLAIMED,
        f"alphabeta:depth=4,evaluation={{{weights}[weights]}}",
        f"greedy:evaluation={{folder}}/{{{model}[model]}}",
        games=CLAIM_GAMES[size],
        estimate=0.002 * CLAIM_GAMES[size],
        depends_on={name: training[name] for name in (weights, model)},
    )
    return [*training.values(), *tournament, *timings, claimed]


def train(contestant: Contestant, task: MeasureTask, context: TaskContext) -> Values:
    learner = contestant.learner(context.seed, context.threads)
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
    threads = max(results[f"learning: {name}"]["learning_threads"] for name in names)
    early = [name for name in names if results[f"learning: {name}"]["learning_seconds"] < 0.9 * SECONDS[results.size]]
    claimed = results[CLAIMED]
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
        f"R5's claim, taken at its word: a depth-4 search with weights of its genetic algorithm scores "
        f"{score(claimed)} against Q-learning that looks at the next position only. With the same search and the same "
        f"time for both, Q-learning is stronger than the genetic algorithm by {_above(found, Q_LEARNING, GA_OF_R5)}, "
        f"and than the tree search that has learned nothing by {_above(found, Q_LEARNING, TREE_SEARCH)}.",
        (
            f"{listed(early)} ended before the time was over, after some times the rounds of the reports: they play no "
            "games from which they could learn more. "
            if early
            else ""
        )
        + "A move costs all players about the same; the ratio to the time of "
        f"{REFERENCE} that is farthest from 1 is "
        f"{number(farthest(results, [name for name in players if name != REFERENCE]))} (up to {number(FAIR)} counts "
        "as equal). Each learner had one run; other seeds may come out differently.",
    )
    return Finding(
        conclusion=by_side(claimed["score_interval"], 0.5),
        headline=f"After {seconds(SECONDS[results.size])} of learning each, in one run each, {best} is the strongest, "
        f"{number(lead.elo, 0)} Elo ahead of {second}; R5's claim has a match of its own.",
        rule="The claim is that tree search (depth 4, weights of R5's algorithm) beats Q-learning (its best move by "
        f"what it has learned), as the report says it: {RULE_OF_SIDES}. Which learner is the strongest is not "
        "part of the conclusion.",
        text=text,
        tables=(
            _table(results, found),
            cross_table("Score of the row against the column", results, order),
            Table(
                CLAIMED,
                ("tree search", "Q-learning", "won / drawn / lost", "score (95%)"),
                ((*claimed["players"], wins_draws_losses(claimed), score(claimed)),),
                text_columns=(1,),
            ),
        ),
        pictures=(
            Picture(
                "learners",
                "Elo at equal time for a move after the same time of learning, their mean at 0, with 95% intervals.",
                lambda canvas: draw_ratings(canvas, found),
            ),
        ),
    )


def _above(found: Ratings, one: str, other: str) -> str:
    difference = found.difference(one, other)
    return f"{with_interval(difference.elo, finite_interval(difference.interval), 0)} Elo"


def _table(results: Results, found: Ratings) -> Table:
    rows = []
    for rating in found.players:
        training = results[f"learning: {rating.name}"] if f"learning: {rating.name}" in results.done else None
        rows.append(
            (
                rating.name,
                with_interval(rating.elo, finite_interval(rating.interval), 0),
                number(rating.score, 3),
                "" if training is None else f"{training['learning_games']:,}",
                "" if training is None else seconds(training["learning_seconds"]),
                "1" if rating.name == REFERENCE else ratio(results, rating.name),
            )
        )
    heads = (
        "player",
        "Elo (95%)",
        "score",
        "games to learn from",
        "time of learning",
        f"time of a move / {REFERENCE}'s",
    )
    return Table("Round robin at equal time", heads, tuple(rows))


EXPERIMENT = Experiment(
    name="Q6",
    title="Learners for the same time",
    question="Which of three genetic algorithms, CMA-ES, Q-learning, TD and network-guided search makes the strongest "
    "player in the same time?",
    claim=Claim("R5", "Tree search beats Q-learning."),
    tasks=_tasks,
    conclude=_conclude,
)
