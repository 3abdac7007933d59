"""R3.3: the reward of R3's playouts: 50 for a win beside the disc margin, and 10 for a corner."""

from __future__ import annotations

from typing import Any

from flipdrop.experiments.conclusions import RULE_OF_SIDES, bonferroni_level, by_side, overall
from flipdrop.experiments.experiment import Finding, Results, Size, declared
from flipdrop.experiments.formatting import score
from flipdrop.experiments.measures import score_interval
from flipdrop.experiments.presentation import ELO, SCORE, claims_table, shown
from flipdrop.experiments.r3 import BEST_C, WIN_BONUS, search
from flipdrop.experiments.tasks import Task, matches
from flipdrop.reporting.formatting import listed, number

ITERATIONS = 500
GAMES: dict[Size, int] = {"quick": 10, "full": 800}
PLAIN = {f"plain disc margin, c = {c}": {"win_bonus": 0, "c": c} for c in (5, 15, BEST_C)}
"""Margins are about 15 to 20 discs, so c should be smaller than with 50 more for a win."""
WINS = {f"{bonus} for a win, c = {c}": {"win_bonus": bonus, "c": c} for bonus, c in ((20, 30), (100, 90), (200, 170))}
CORNERS = {f"{bonus} for a corner": {"corner_bonus": bonus} for bonus in (0, 5, 20, 50, 100)}
NO_CORNERS = "0 for a corner"
OTHERS = {"corners counted at the end": {"corner_bonus_at": "end"}, "the move with the best mean": {"final": "mean"}}
VARIANTS: dict[str, dict[str, Any]] = {**PLAIN, **WINS, **CORNERS, **OTHERS}


def _tasks(size: Size) -> list[Task]:
    players = {name: (search(ITERATIONS), search(ITERATIONS, **changed)) for name, changed in VARIANTS.items()}
    return [*matches(players, games=GAMES[size], seconds=0.014)]


def _conclude(results: Results) -> Finding:
    rows = {name: results[name] for name in VARIANTS}
    compared = [*PLAIN, *WINS]
    level = bonferroni_level(len(compared))
    better = [name for name in VARIANTS if rows[name]["score_interval"][1] < 0.5]
    plain = listed([f"{score(rows[name], 2)} against the {name}" for name in PLAIN])
    corner = by_side(rows[NO_CORNERS]["score_interval"], 0.5), f"it scores {score(rows[NO_CORNERS])} against none"
    views = shown("rewards", "The report's reward against others", "other reward", rows, SCORE | ELO)
    worst = min(compared, key=lambda name: float(rows[name]["score"]))
    return Finding(
        conclusion=overall(
            [by_side(rows[name]["score_interval"], 0.5) for name in compared],
            [by_side(score_interval(rows[name], level), 0.5) for name in compared],
        ),
        headline=f"{WIN_BONUS} and the disc margin scores {number(rows[worst]['score'])} against {worst}, the best "
        "other reward.",
        rule=f"The claim is that {WIN_BONUS} and the disc margin is the best reward. Against the plain margin and "
        f"against other constants for a win: {RULE_OF_SIDES}; confirmed if all {len(compared)} are, refuted if one is, "
        f"which suffices, so there the level is {number(100 * level, 2)}%. What a corner gets has a conclusion of its "
        "own; how the move is chosen is not part of either.",
        text=(
            f"With {ITERATIONS} simulations for both, the report's reward scores {plain}. "
            + (
                f"Better than the report's, by the 95% interval, are: {listed(better)}."
                if better
                else "No other is seen to be better."
            ),
        ),
        tables=(claims_table({"10 for a corner is a further improvement": corner}), *views["tables"]),
        pictures=views["pictures"],
    )


EXPERIMENT = declared("R3.3", _tasks, _conclude)
