"""R3.3: the reward of R3's playouts: 50 for a win beside the disc margin, and 10 for a corner; and its expansion."""

from __future__ import annotations

from typing import Any

from flipdrop.experiments.conclusions import RULE_OF_SIDES, bonferroni_level, by_side, overall
from flipdrop.experiments.experiment import Finding, Results, Size, declared
from flipdrop.experiments.formatting import score
from flipdrop.experiments.measures import score_interval
from flipdrop.experiments.presentation import ELO, SCORE, claims_table, table, table_and_picture
from flipdrop.experiments.r3 import BEST_C, WIN_BONUS, search
from flipdrop.experiments.tasks import Task, matches
from flipdrop.reporting.formatting import between, number

ITERATIONS = 500
GAMES: dict[Size, int] = {"quick": 10, "full": 800}
SMALL_C = 15
"""Near the best value of c in R3.2."""
IN_PROPORTION = {BEST_C: {0: 15, 20: 30, 100: 90, 200: 170}, SMALL_C: {0: 5, 20: 9, 100: 27, 200: 51}}
"""For each c of the report's reward: other constants for a win, with a c that is in proportion to their rewards.
Without a constant rewards are about 15 to 20 discs."""


def _reward(win_bonus: int, c: int) -> str:
    return f"{win_bonus} for a win, c = {c}" if win_bonus else f"plain disc margin, c = {c}"


def _with_small_c(name: str) -> str:
    return f"c = {SMALL_C} against {name}"


REWARDS = {
    c: {_reward(bonus, other_c): {"win_bonus": bonus, "c": other_c} for bonus, other_c in of.items()}
    for c, of in IN_PROPORTION.items()
}
OTHER_C = {_reward(0, c): {"win_bonus": 0, "c": c} for c in (5, BEST_C)}
"""The plain disc margin with a c that is not in proportion to the rewards."""
SAME_REWARD = f"the report's reward, c = {SMALL_C}"
CORNERS = {f"{bonus} for a corner": {"corner_bonus": bonus} for bonus in (0, 5, 20, 50, 100)}
NO_CORNERS = "0 for a corner"
EXPAND = "untried moves first"
OTHERS: dict[str, dict[str, Any]] = {
    "corners counted at the end": {"corner_bonus_at": "end"},
    "the move with the best mean": {"final": "mean"},
    EXPAND: {"expand": 1},
    SAME_REWARD: {"c": SMALL_C},
}
VARIANTS: dict[str, dict[str, Any]] = {**REWARDS[BEST_C], **OTHER_C, **CORNERS, **OTHERS}
"""What the report's search plays against, with its c."""


def _tasks(size: Size) -> list[Task]:
    players = {name: (search(ITERATIONS), search(ITERATIONS, **changed)) for name, changed in VARIANTS.items()}
    players |= {
        _with_small_c(name): (search(ITERATIONS, c=SMALL_C), search(ITERATIONS, **changed))
        for name, changed in REWARDS[SMALL_C].items()
    }
    return [*matches(players, games=GAMES[size], seconds=0.014)]


def _conclude(results: Results) -> Finding:
    rows = {name: results[name] for name in VARIANTS}
    small = {name: results[_with_small_c(name)] for name in REWARDS[SMALL_C]}
    compared = {BEST_C: {name: rows[name] for name in REWARDS[BEST_C]}, SMALL_C: small}
    everything = [values for of in compared.values() for values in of.values()]
    level = bonferroni_level(len(everything))
    scores = {
        c: "; ".join(f"against {name}: {score(values, 2)}" for name, values in of.items()) for c, of in compared.items()
    }
    claims = {
        claim: (by_side(rows[name]["score_interval"], 0.5), f"it scores {score(rows[name])} against {other}")
        for claim, name, other in (
            ("10 for a corner is a further improvement", NO_CORNERS, "none"),
            ("To leave a move untried with a probability of 0.5, for known ones, is an improvement", EXPAND, EXPAND),
        )
    }
    views = table_and_picture("rewards", "The report's search against others", "other search", rows, SCORE | ELO)
    with_small_c = f"The report's search with c = {SMALL_C} against other rewards"
    found = sorted(values["score"] for values in everything)
    return Finding(
        conclusion=overall(
            [by_side(values["score_interval"], 0.5) for values in everything],
            [by_side(score_interval(values, level), 0.5) for values in everything],
        ),
        headline=f"With c in proportion to the rewards, {WIN_BONUS} and the disc margin scores "
        f"{between((found[0], found[-1]))} against other rewards.",
        rule=f"The claim is that {WIN_BONUS} and the disc margin is the best reward. Against the plain margin and "
        f"against other constants for a win, with c in proportion to the rewards, at c = {BEST_C} for the report's "
        f"reward and at c = {SMALL_C}, with which it is stronger: {RULE_OF_SIDES}; confirmed if all {len(everything)} "
        f"are, refuted if one is, which suffices, so there the level is {number(100 * level, 2)}%. What a corner gets "
        "and when a move is tried have conclusions of their own; how the move is chosen, and a c that is not in "
        "proportion, are not part of any.",
        text=(
            f"Both searches have {ITERATIONS} simulations. Scores of the report's reward with c = {BEST_C}: "
            f"{scores[BEST_C]}. With c = {SMALL_C}: {scores[SMALL_C]}.",
            f"What c does must not be taken for what the reward does. The report's reward with c = {BEST_C} scores: "
            f"against itself with c = {SMALL_C}: {score(rows[SAME_REWARD], 2)}; "
            + "; ".join(f"against {name}: {score(rows[name], 2)}" for name in OTHER_C)
            + ".",
        ),
        tables=(
            claims_table(claims),
            *views["tables"],
            table(with_small_c, "other search", small, SCORE | ELO),
        ),
        pictures=views["pictures"],
    )


EXPERIMENT = declared("R3.3", _tasks, _conclude)
