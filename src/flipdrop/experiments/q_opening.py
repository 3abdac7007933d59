"""Q8: whether R3's guidance in the opening helps its tree search, and taking corners at once."""

from __future__ import annotations

from flipdrop.experiments.conclusions import side_of
from flipdrop.experiments.equal_time import RULE_OF_TIME, TIME, fair_interval, ratio, timing
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, declared
from flipdrop.experiments.formatting import score
from flipdrop.experiments.presentation import ELO, PLAYERS, SCORE, table_and_picture
from flipdrop.experiments.r3 import GUIDE, GUIDE_BONUS, search
from flipdrop.experiments.tasks import Task, matches
from flipdrop.reporting.formatting import number

ITERATIONS = 1000
SAME_TIME, SAME_TIME_WINS = 1290, 1530
"""Simulations without guidance that take as long as `ITERATIONS` with it: by R3's reward, and by wins alone."""
OTHER_BONUSES = {bonus: search(ITERATIONS, **GUIDE | {"guide_bonus": bonus}) for bonus in (5, 20, 80)}
GAMES: dict[Size, int] = {"quick": 6, "full": 440}
PAIRS: dict[Size, int] = {"quick": 1, "full": 6}

MAIN = "guidance, equal time"
GUIDED, PLAIN = search(ITERATIONS, **GUIDE), search(ITERATIONS)
BY_WINS = f"mcts:iterations={ITERATIONS}"
FORCED = f"{BY_WINS},guide=6,guide_bonus={GUIDE_BONUS}"
TRIALS = {
    MAIN: (GUIDED, search(SAME_TIME)),
    "guidance, equal simulations": (GUIDED, PLAIN),
    **{f"guidance with a bonus of {bonus}, equal simulations": (spec, PLAIN) for bonus, spec in OTHER_BONUSES.items()},
    "guidance, rewards by wins, equal time": (FORCED, f"mcts:iterations={SAME_TIME_WINS}"),
    "guidance, rewards by wins, equal simulations": (FORCED, BY_WINS),
    "guidance by Seven, rewards by wins, equal simulations": (f"{FORCED},evaluation=Seven", BY_WINS),
    "corners at once, equal simulations": (search(ITERATIONS, corners="yes"), PLAIN),
}


TIMED = [name for name in TRIALS if name.endswith("equal time")]


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for match in matches(TRIALS, games=GAMES[size], seconds=0.032):
        tasks.append(match)
        if match.key in TIMED:
            tasks.append(timing(match, pairs=PAIRS[size], estimate=0.22 * PAIRS[size]))
    return tasks


def _conclude(results: Results) -> Finding:
    rows = {name: results[name] for name in TRIALS}
    main = rows[MAIN]
    side = side_of(fair_interval(results, MAIN, main["score_interval"]), 0.5)
    answer = {
        1: "Yes: guidance helps, even at equal time.",
        -1: "No: in the same time the search is better off without it.",
        0: "No difference is seen at equal time.",
    }[side]
    words = {1: "helps", -1: "harms", 0: "no difference seen"}
    others = "; ".join(
        f"{name}: {score(values)}, {words[side_of(values['score_interval'], 0.5)]}"
        for name, values in rows.items()
        if name != MAIN
    )
    times = {name: ratio(results, name) if name in TIMED else "not measured" for name in TRIALS}
    return Finding(
        conclusion=Conclusion.ANSWERED if side else Conclusion.OPEN,
        headline=f"At equal time R3's search with guidance in the opening scores {number(main['score'], 3)} against "
        "itself without.",
        rule="Answered if the 95% interval at equal time, with R3's rewards, excludes 0.5, else still open. "
        f"{RULE_OF_TIME}.",
        text=(
            f"{answer} With R3's rewards and its bonus of {GUIDE_BONUS}, {ITERATIONS:,} simulations with guidance "
            f"score {score(main)} against {SAME_TIME:,} without it, which take the same time (ratio "
            f"{ratio(results, MAIN)}).",
            f"The others: {others}.",
        ),
        **table_and_picture(
            "opening", "The search with and without", "what", rows, PLAYERS | SCORE | ELO | {TIME: times}
        ),
    )


EXPERIMENT = declared("Q8", _tasks, _conclude)
