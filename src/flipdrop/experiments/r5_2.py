"""R5.2: ordinary Q-learning and Sarsa, with a table or linear, against a tree search of depth 4."""

from __future__ import annotations

from typing import Any

from flipdrop.experiments.conclusions import RULE_OF_SIDES, bonferroni_level, by_side, overall
from flipdrop.experiments.experiment import Finding, Results, Size, declared
from flipdrop.experiments.formatting import score
from flipdrop.experiments.learning_tasks import (
    RULES,
    LearnerEntry,
    episode_learner,
    learning_task,
    pattern_learner,
    weights_learner,
)
from flipdrop.experiments.measures import score_interval
from flipdrop.experiments.presentation import PLAYERS, SCORE, interval_picture, table
from flipdrop.experiments.r5 import DEPTH, POSITIONS
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.learning.genetic import PositionGA
from flipdrop.learning.linear import LinearLearner
from flipdrop.learning.tables import TableLearner
from flipdrop.reporting.formatting import listed, number, seconds

SECONDS: dict[Size, float] = {"quick": 0.5, "full": 30.0}
"""Of learning, for each learner; the genetic algorithm ends earlier."""
GAMES: dict[Size, int] = {"quick": 4, "full": 400}
PATTERNS = "Q-learning on patterns"
OPPONENTS = {
    "the search": f"alphabeta:depth={DEPTH},evaluation={{ga[weights]}}",
    "the search of depth 1": "alphabeta:depth=1,evaluation={ga[weights]}",
    "random": "random",
}


def learners() -> dict[str, LearnerEntry]:
    """The ordinary ones by name, and one on patterns, which are not ordinary."""
    kinds: dict[str, tuple[type[Any], str, dict[str, Any]]] = {
        "with a table": (TableLearner, "table", {"batch": 50}),
        "on seven terms": (LinearLearner, "linear", {"features": "terms"}),
        "on squares": (LinearLearner, "linear", {"features": "squares"}),
    }
    found = {}
    for memory, (kind, player, settings) in kinds.items():
        for rule, words in RULES.items():
            name, plays = f"{words} {memory}", f"{player}:model={{folder}}/{{it[model]}}"
            found[name] = episode_learner(name, plays, kind, f".{player}", rule, **settings)
    return found | {PATTERNS: pattern_learner(PATTERNS, "greedy:evaluation={folder}/{it[model]}", "q")}


def _tasks(size: Size) -> list[Task]:
    ga = learning_task(weights_learner("GA of R5", "", PositionGA, "Seven", steps=POSITIONS), SECONDS[size])
    tasks: list[Task] = [ga]
    for name, learner in learners().items():
        learned = learning_task(learner, SECONDS[size])
        tasks.append(learned)
        tasks += [
            MatchTask(
                f"{name} against {opponent}",
                learner.plays,
                spec,
                games=GAMES[size],
                estimate=0.02 * GAMES[size],
                depends_on={"it": learned} | ({"ga": ga} if "{ga" in spec else {}),
            )
            for opponent, spec in OPPONENTS.items()
        ]
    return tasks


def _conclude(results: Results) -> Finding:
    names = list(learners())
    rows = {opponent: {name: results[f"{name} against {opponent}"] for name in names} for opponent in OPPONENTS}
    ordinary = {name: values for name, values in rows["the search"].items() if name != PATTERNS}
    level = bonferroni_level(len(ordinary))
    best = max(ordinary, key=lambda name: float(ordinary[name]["score"]))
    games = {name: f"{results[f'learning: {name}']['learning_games']:,}" for name in names}
    return Finding(
        conclusion=overall(
            [by_side(values["score_interval"], 0.5, claimed=-1) for values in ordinary.values()],
            [by_side(score_interval(values, level), 0.5, claimed=-1) for values in ordinary.values()],
        ),
        headline=f"After {seconds(SECONDS[results.size])} of learning, {best}, the best ordinary learner, scores "
        f"{number(ordinary[best]['score'])} against a search of depth {DEPTH}; {PATTERNS} scores "
        f"{number(rows['the search'][PATTERNS]['score'])}.",
        rule=f"The claim is that the search, depth {DEPTH} with weights of R5's genetic algorithm, beats each ordinary "
        f"learner, which plays the move that it values most: {RULE_OF_SIDES}; confirmed if all {len(ordinary)} are, "
        f"refuted if one is, which suffices, so there the level is {number(100 * level, 2)}%. {PATTERNS} is not "
        "ordinary and not part of the conclusion.",
        text=(
            f"After {seconds(SECONDS[results.size])} of learning for each, against the search of depth {DEPTH}: "
            + listed([f"{name} {score(values, 2)}" for name, values in rows["the search"].items()])
            + ".",
            "Looking one ply ahead, as the learners do, the search meets them thus: "
            + listed([f"{name} {score(values, 2)}" for name, values in rows["the search of depth 1"].items()])
            + ". A table is soon in positions that it has never seen, where it takes the first legal move.",
        ),
        tables=tuple(
            table(f"Learners against {opponent}", "learner", of, {"games to learn from": games} | PLAYERS | SCORE)
            for opponent, of in rows.items()
        ),
        pictures=(
            interval_picture(
                "learners",
                "Score of each learner against the search, that of depth 1 and random moves, with 95% intervals.",
                rows,
                horizontal=True,
            ),
        ),
    )


EXPERIMENT = declared("R5.2", _tasks, _conclude)
