"""Q8: whether R3's guidance in the opening helps its tree search, and taking corners at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.experiments.conclusions import side_of
from flipdrop.experiments.equal_time import RULE_OF_TIME, fair_interval, ratio, timing
from flipdrop.experiments.experiment import Claim, Conclusion, Experiment, Finding, Results, Size
from flipdrop.experiments.formatting import match_table, score
from flipdrop.experiments.r3 import GUIDE_BONUS, program
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import number
from flipdrop.reporting.plots import COLOURS, Canvas, even, panel, with_bars

if TYPE_CHECKING:
    from flipdrop.reporting.tables import Table

ITERATIONS = 1000
SAME_TIME, SAME_TIME_WINS = 1410, 1620
"""Simulations without guidance that take as long as `ITERATIONS` with it: by R3's reward, and by wins alone."""
OTHER_BONUSES = (5, 80)
GAMES: dict[Size, int] = {"quick": 6, "full": 440}
PAIRS: dict[Size, int] = {"quick": 1, "full": 6}


@dataclass(frozen=True)
class Trial:
    """A player with something of R3's against one without it.

    :param is_timed: whether both have the same time; if not, they have the same number of simulations
    """

    name: str
    first: str
    second: str
    is_timed: bool = False


def _guided(bonus: int = GUIDE_BONUS) -> str:
    return program(ITERATIONS, corners=False).replace(f"guide_bonus={GUIDE_BONUS}", f"guide_bonus={bonus}")


def _plain(iterations: int = ITERATIONS) -> str:
    return program(iterations, guided=False, corners=False)


BY_WINS = f"mcts:iterations={ITERATIONS}"
MAIN = Trial("guidance, equal time", _guided(), _plain(SAME_TIME), is_timed=True)
TRIALS = (
    MAIN,
    Trial("guidance, equal simulations", _guided(), _plain()),
    *(
        Trial(f"guidance with a bonus of {bonus}, equal simulations", _guided(bonus), _plain())
        for bonus in OTHER_BONUSES
    ),
    Trial(
        "guidance, rewards by wins, equal time",
        f"{BY_WINS},guide=6",
        f"mcts:iterations={SAME_TIME_WINS}",
        is_timed=True,
    ),
    Trial("guidance, rewards by wins, equal simulations", f"{BY_WINS},guide=6", BY_WINS),
    Trial("guidance by Seven, rewards by wins, equal simulations", f"{BY_WINS},guide=6,evaluation=Seven", BY_WINS),
    Trial("corners at once, equal simulations", program(ITERATIONS, guided=False), _plain()),
)


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for trial in TRIALS:
        match = MatchTask(trial.name, trial.first, trial.second, games=GAMES[size], estimate=0.045 * GAMES[size])
        tasks.append(match)
        if trial.is_timed:
            tasks.append(timing(match, pairs=PAIRS[size], estimate=0.22 * PAIRS[size]))
    return tasks


def _conclude(results: Results) -> Finding:
    main = results[MAIN.name]
    side = side_of(fair_interval(results, MAIN.name, main["score_interval"]), 0.5)
    answer = {
        1: "Yes: guidance helps, even at equal time.",
        -1: "No: in the same time the search is better off without it.",
        0: "No difference is seen at equal time.",
    }[side]
    words = {1: "helps", -1: "harms", 0: "no difference seen"}
    others = "; ".join(
        f"{trial.name}: {score(results[trial.name])}, {words[side_of(results[trial.name]['score_interval'], 0.5)]}"
        for trial in TRIALS
        if trial is not MAIN
    )
    text = (
        f"{answer} With R3's rewards and a bonus of {GUIDE_BONUS}, {ITERATIONS:,} simulations with guidance score "
        f"{score(main)} against {SAME_TIME:,} without it, which take the same time (ratio "
        f"{ratio(results, MAIN.name)}).",
        f"The others: {others}.",
        "The guide is the report's: alpha-beta to depth 6, up to 28 discs, with R3's table of squares (by wins: with "
        "D); its move gets the bonus among the moves at the root. The report does not say how large the bonus was.",
    )
    return Finding(
        conclusion=Conclusion.ANSWERED if side else Conclusion.OPEN,
        headline=f"At equal time R3's search with guidance in the opening scores {number(main['score'], 3)} against "
        "itself without.",
        rule="Answered if the 95% interval at equal time, with R3's rewards, excludes 0.5, else still open. "
        f"{RULE_OF_TIME}.",
        text=text,
        tables=(_table(results),),
        pictures=(
            Picture(
                "opening",
                "Score of the search with guidance, or with corners at once, against the same without, with 95% "
                "intervals.",
                lambda canvas: _draw(canvas, results),
            ),
        ),
    )


def _table(results: Results) -> Table:
    timed = {trial.name for trial in TRIALS if trial.is_timed}
    times = {"time / opponent's (95%)": lambda key: ratio(results, key) if key in timed else "more"}
    return match_table("With and without", "what", results, {trial.name: trial.name for trial in TRIALS}, times)


def _draw(canvas: Canvas, results: Results) -> None:
    axes = panel(canvas, across="score", up="")
    even(axes, vertical=True)
    names = [trial.name for trial in reversed(TRIALS)]
    for row, name in enumerate(names):
        values = results[name]
        colour = COLOURS[0] if name == MAIN.name else COLOURS[5]
        with_bars(axes, [row], [values["score"]], [values["score_interval"]], colour=colour, horizontal=True)
    axes.set_yticks(range(len(names)), names)


EXPERIMENT = Experiment(
    name="Q8",
    title="Guidance in the opening",
    question="Does the opening guidance of R3 help?",
    claim=Claim(
        "",
        "R3 gives a bonus to the move that a depth-6 alpha-beta proposes, up to 28 discs, and takes corners at once; "
        "it does not say what either is worth.",
    ),
    tasks=_tasks,
    conclude=_conclude,
)
