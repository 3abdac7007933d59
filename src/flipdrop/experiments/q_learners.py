"""Q6: which learner makes the strongest player in the same time of learning, by the ladder at equal time for a move."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from flipdrop.arena.ladder import published_ladder
from flipdrop.experiments.conclusions import bonferroni_level
from flipdrop.experiments.equal_time import FAIR, favours, ratio, timing_key
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared
from flipdrop.experiments.formatting import wins_draws_losses
from flipdrop.experiments.learning_tasks import (
    OTHELLO,
    RULES,
    LearnerEntry,
    episode_learner,
    learning_task,
    pattern_learner,
    weights_learner,
)
from flipdrop.experiments.placements import placement, rating
from flipdrop.experiments.presentation import table
from flipdrop.experiments.tournaments import dependencies_of, timings_against
from flipdrop.learning.genetic import EvolutionStrategy, OnlineGA, PositionGA, TournamentGA
from flipdrop.learning.linear import LinearLearner
from flipdrop.learning.network import NetworkLearner, TrainingSettings
from flipdrop.learning.patterns import EvaluationLearner
from flipdrop.learning.tables import TableLearner
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import listed, number, seconds, with_interval
from flipdrop.reporting.plots import COLOURS, FAINT, INK, error_bars, even_line, legend, new_axes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

    from flipdrop.experiments.tasks import Task

SECONDS: dict[Size, float] = {"quick": 0.3, "full": 120.0}
"""CPU time of learning, on one thread, for each learner."""
SHARE: dict[Size, float] = {"quick": 0.05, "full": 1.0}
"""Of what a move may cost."""
NODES = {"D": 50_000, "Seven": 40_000, "patterns": 35_000}
ENGINE_NODES, PUCT_SIMULATIONS, SIMULATIONS, SHIPPED_SIMULATIONS, ITERATIONS = 54_000, 3300, 165, 57, 3400
"""Of the engine, of PUCT on patterns, of the two networks, and of the tree search without learning, in the time of
these nodes."""
GAMES: dict[Size, int] = {"quick": 2, "full": 16}
OPPONENTS: dict[Size, int] = {"quick": 2, "full": 10}
PAIRS: dict[Size, int] = {"quick": 1, "full": 3}

TREE_SEARCH, BY_HAND, SHIPPED = "tree search, nothing learned", "D by hand", "network as shipped"
REFERENCE = "GA of R2"
TD, SUPERVISED, NETWORK = "TD(lambda) on patterns", "supervised patterns", "network, self-play"
LANDMARKS = {"random": "random", "mcts:iterations=1000": "1,000 playouts", "engine:depth=4": "engine, depth 4"}
"""Opponents of the ladder that the picture shows."""
KINDS = {
    "nothing learned": (TREE_SEARCH, BY_HAND),
    "evolution": ("GA of R1", "CMA-ES", "GA of R2", "GA of R5"),
    "Q-learning and Sarsa": tuple(
        f"{rule} {of}" for of in ("with a table", "on seven terms") for rule in RULES.values()
    ),
    "patterns": (TD, f"{TD}, PUCT", SUPERVISED, f"{SUPERVISED}, PUCT", f"{SUPERVISED}, engine"),
    "network": (NETWORK, SHIPPED),
}
"""Players by the colours of the picture."""


def entries(size: Size) -> tuple[LearnerEntry, ...]:
    share, is_full = SHARE[size], size == "full"

    def iterative(kind: str, evaluation: str) -> str:
        return f"iterative:nodes={round(share * NODES[kind])},evaluation={evaluation}"

    of_d, of_seven = (iterative(kind, "{it[weights]}") for kind in ("D", "Seven"))
    model = "{folder}/{it[model]}"
    of_patterns = iterative("patterns", model)
    by_puct = ("PUCT", f"puct:evaluation={model},simulations={round(share * PUCT_SIMULATIONS)}")
    by_engine = ("engine", f"engine:model={model},nodes={round(share * ENGINE_NODES)}")
    generation: dict[str, Any] = {
        "population": 50 if is_full else 8,
        "openings": "random:8",
        "openings_per_generation": 50,
    }
    backwards: dict[str, Any] = {
        "positions": 64_000 if is_full else 100,
        "rounds": 2 if is_full else 1,
        "probcut": 25 if is_full else 10,
        "match": 0,
    }
    games, simulations, cheap = (64, 100, 25) if is_full else (4, 8, 4)
    self_play = TrainingSettings(
        body="conv:3x32+dense:128", games=games, simulations=simulations, cheap_simulations=cheap, opponent=""
    )

    def network(seed: int, threads: int) -> NetworkLearner:
        return NetworkLearner(OTHELLO, self_play, seed=seed, threads=threads)

    def supervised(seed: int, threads: int) -> EvaluationLearner:
        return EvaluationLearner(OTHELLO, seed=seed, threads=threads, **backwards)

    guided = f"network:model={model},simulations={max(1, round(share * SIMULATIONS))}"
    return (
        weights_learner("GA of R1", of_d, TournamentGA, "D", **generation),
        weights_learner("CMA-ES", of_d, EvolutionStrategy, "D", **generation),
        weights_learner(REFERENCE, of_seven, OnlineGA, "Seven", steps=3000 if is_full else 50),
        weights_learner("GA of R5", of_seven, PositionGA, "Seven", steps=200 if is_full else 5),
        *(
            episode_learner(f"{words} with a table", f"table:model={model}", TableLearner, ".table", rule, batch=50)
            for rule, words in RULES.items()
        ),
        *(
            episode_learner(f"{words} on seven terms", of_seven, LinearLearner, ".linear", rule)
            for rule, words in RULES.items()
        ),
        pattern_learner(TD, of_patterns, "td", (by_puct,)),
        LearnerEntry(
            SUPERVISED, of_patterns, ".pattern", supervised, supervised(0, 1).settings, also=(by_puct, by_engine)
        ),
        LearnerEntry(NETWORK, guided, ".onnx", network, self_play.recorded()),
    )


def references(size: Size) -> dict[str, str]:
    """Players that have learned nothing, or longer than the others."""
    share = SHARE[size]
    return {
        TREE_SEARCH: f"mcts:iterations={round(share * ITERATIONS)}",
        BY_HAND: f"iterative:nodes={round(share * NODES['D'])},evaluation=D",
        SHIPPED: f"network:simulations={round(share * SHIPPED_SIMULATIONS)}",
    }


def _tasks(size: Size) -> list[Task]:
    training: dict[str, Task] = {}
    players: dict[str, str] = {}
    for place, entry in enumerate(entries(size)):
        name = f"l{place}"
        training[name] = learning_task(entry, SECONDS[size], of_cpu=True)
        players |= {player: spec.replace("{it[", f"{{{name}[") for player, spec in entry.players.items()}
    players |= references(size)
    games, opponents = GAMES[size], OPPONENTS[size]
    placements = [
        placement(
            name,
            spec,
            games=games,
            opponents=opponents,
            estimate=0.3 if size == "quick" else 0.1 * games * opponents,
            depends_on=dependencies_of(training, spec),
        )
        for name, spec in players.items()
    ]
    estimate = 0.5 * PAIRS[size] * SHARE[size]
    timings = timings_against(REFERENCE, players, pairs=PAIRS[size], estimate=estimate, depends_on=training)
    return [*training.values(), *placements, *timings]


def _unequal_times(results: Results, players: list[str]) -> str:
    """Which players took more or less time than the budgets were meant for."""
    ratios = {name: number(results[timing_key(name)]["ratio"]) for name in players if favours(results, name)}
    return f"Measured ratios beyond that: {'; '.join(' '.join(of) for of in ratios.items())}. " if ratios else ""


def _lead(one: Values, other: Values, level: float) -> tuple[float, tuple[float | None, float | None]]:
    """How far one player is ahead of another on the ladder, with its interval: their games are independent."""
    (elo, ends), (elo_other, ends_other) = rating(one, level=level), rating(other, level=level)
    lead = elo - elo_other

    def end(of_one: float | None, of_other: float | None, sign: int) -> float | None:
        if of_one is None or of_other is None:
            return None
        return lead + sign * math.hypot(of_one - elo, of_other - elo_other)

    return lead, (end(ends[0], ends_other[1], -1), end(ends[1], ends_other[0], 1))


def _conclude(results: Results) -> Finding:
    learners = {name: one.name for one in entries(results.size) for name in one.players}
    found = {name: rating(results[name]) for name in (*learners, *references(results.size))}
    order = sorted(found, key=lambda name: -found[name][0])
    best, *others = (name for name in order if name in learners)
    second = next(name for name in others if learners[name] != learners[best])
    level = bonferroni_level(len(learners) - 1)
    lead, lead_interval = _lead(results[best], results[second], 0.95)
    surest = _lead(results[best], results[second], level)[1][0]
    is_clear = surest is not None and surest > 0
    learning = {one.name: results[f"learning: {one.name}"] for one in entries(results.size)}
    limits = {one.name: one.steps for one in entries(results.size)}
    early = [name for name, of in learning.items() if of["learning_seconds"] < 0.9 * SECONDS[results.size]]
    by_steps = [f"{name} (after {limits[name]:,} steps)" for name in early if limits[name]]
    by_plan = [f"{name} (after {seconds(learning[name]['learning_seconds'])})" for name in early if not limits[name]]
    timed = [name for name in found if name != REFERENCE]
    milliseconds = sum(results[timing_key(name)]["second_ms"] for name in timed) / len(timed)
    time = f"{seconds(SECONDS[results.size])} of CPU time"
    more = [name for name in learners if _is_above(results, name, TREE_SEARCH)]
    text = (
        f"After {time} of learning on one thread, one run each, the strongest player is {best}, rated "
        f"{with_interval(*found[best], 0)} on the ladder, {with_interval(lead, lead_interval, 0)} Elo ahead of "
        f"{second}, the best of another learner"
        + ("" if is_clear else f" (which is not certain at {number(100 * level, 1)}%)")
        + f". In order: {'; '.join(f'{name} {number(found[name][0], 0)}' for name in order)}. "
        + (
            f"Above a tree search that has learned nothing are: {'; '.join(more)}."
            if more
            else "No learner is seen above a tree search that has learned nothing."
        ),
        "The same model in different searches: "
        + "; ".join(
            f"{name} {with_interval(*found[name], 0)}"
            for one in entries(results.size)
            if one.also
            for name in one.players
        )
        + f". The network that comes with flipdrop, which learned for about 20 minutes from positions that the engine "
        f"had labelled, is rated {with_interval(*found[SHIPPED], 0)} at the same time for a move; the one that learned "
        f"by self-play alone, as long as the others, {with_interval(*found[NETWORK], 0)}.",
        f"What was equal: {time} for each learner, whatever else the machine did, and the time of a move: budgets are "
        f"nodes and simulations chosen so that a move takes all players the same CPU time as {REFERENCE}, "
        f"{number(milliseconds, 1)} ms here (up to {number(FAIR)} times counts as equal). "
        + _unequal_times(results, timed)
        + "A table has no evaluation that a search could use, so its players move at once. "
        + (
            f"{listed(by_steps)} ended before the time was over: they play no games from which they could learn more. "
            if by_steps
            else ""
        )
        + (f"Early with all that it was to learn from: {listed(by_plan)}. " if by_plan else "")
        + "Each learner had one run; other seeds may come out differently. Intervals cover the games of the player, "
        "not the ladder's own uncertainty.",
    )
    return Finding(
        conclusion=Conclusion.ANSWERED if is_clear else Conclusion.OPEN,
        headline=f"After {time} of learning each, in one run each, {best} is the strongest on the ladder at equal time "
        f"for a move, {number(lead, 0)} Elo ahead of {second}.",
        rule=f"Answered if the strongest player is ahead of the best one of another learner at "
        f"{number(100 * level, 1)}%, as one of {len(learners)}, else still open. Other seeds may come out differently.",
        text=text,
        tables=(_ratings_table(results, {name: found[name] for name in order}, learners),),
        pictures=(
            Picture(
                "learners",
                f"Rating on the ladder after {time} of learning, at equal time for a move, with 95% intervals; random "
                "moves are 0. Hollow: nothing learned, or learned for longer.",
                lambda figure: _draw(figure, {name: found[name] for name in order}, learners),
                (8.5, 5.6),
            ),
        ),
    )


def _is_above(results: Results, one: str, other: str) -> bool:
    low = _lead(results[one], results[other], 0.95)[1][0]
    return low is not None and low > 0


def _ratings_table(
    results: Results, found: Mapping[str, tuple[float, tuple[float | None, float | None]]], learners: Mapping[str, str]
) -> Any:
    learning = {name: results[f"learning: {learner}"] for name, learner in learners.items()}
    return table(
        "Places on the ladder at equal time",
        "player",
        {name: results[name] for name in found},
        {
            "rating (95%)": {name: with_interval(*of, 0) for name, of in found.items()},
            "stronger than": lambda values: f"{values['place'] - 1} of {values['entries']}",
            "won / drawn / lost": wins_draws_losses,
            "games or positions to learn from": {name: f"{of['learning_games']:,}" for name, of in learning.items()},
            "CPU time of learning": {name: seconds(of["learning_seconds"]) for name, of in learning.items()},
            f"time of a move / {REFERENCE}'s": {name: ratio(results, name) for name in found if name != REFERENCE},
        },
    )


def _draw(
    figure: Figure, found: Mapping[str, tuple[float, tuple[float | None, float | None]]], learners: Mapping[str, str]
) -> None:
    """Players from the strongest to the weakest, and some opponents of the ladder as lines."""
    axes = new_axes(figure, x_label="rating on the ladder", y_label="")
    heights = {name: float(len(found) - place) for place, name in enumerate(found)}
    for (kind, names), colour in zip(KINDS.items(), (COLOURS[5], *COLOURS), strict=False):
        for is_learner in (True, False):
            shown = [name for name in names if (name in learners) == is_learner]
            if not shown:
                continue
            error_bars(
                axes,
                [heights[name] for name in shown],
                [found[name][0] for name in shown],
                [found[name][1] for name in shown],
                label=kind if is_learner or kind == "nothing learned" else "",
                colour=colour,
                joined=False,
                horizontal=True,
                **({} if is_learner else {"markerfacecolor": "none"}),
            )
    for entry in published_ladder(OTHELLO.name).entries:
        if entry.spec in LANDMARKS:
            even_line(axes, entry.rating, vertical=True)
            axes.annotate(
                LANDMARKS[entry.spec],
                (entry.rating, 0.35),
                xytext=(3, 0),
                textcoords="offset points",
                color=FAINT,
                fontsize=8,
            )
    axes.set_yticks(list(heights.values()), list(heights), color=INK)
    axes.set_ylim(0.1, len(found) + 0.6)
    legend(axes, ncols=5)


EXPERIMENT = declared("Q6", _tasks, _conclude)
