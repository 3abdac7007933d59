"""Q4: whether decisive moves (win at once, block, do not hand a win over) help a tree search of Connect Four."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.experiments.conclusions import side_of
from flipdrop.experiments.equal_time import RULE_OF_TIME, fair_interval, farthest, ratio, timing
from flipdrop.experiments.experiment import Claim, Conclusion, Experiment, Finding, Results, Size
from flipdrop.experiments.formatting import match_table, score
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import listed, number
from flipdrop.reporting.plots import COLOURS, Canvas, even, legend, panel, with_score_bars

if TYPE_CHECKING:
    from flipdrop.reporting.tables import Table

BOARDS = {"connect4": "7x6", "connect4:11x11,forbid=f6": "11x11 with a forbidden cell"}
OF_R4 = "connect4"
PLAIN = {"connect4": 3000, "connect4:11x11,forbid=f6": 1000}
"""Simulations of a tree search that knows nothing of decisive moves."""
SOLVER = "solver=no"  # R4's search proves nothing; only the last variant does


@dataclass(frozen=True)
class Variant:
    """A tree search that knows some decisive moves.

    :param iterations: on each board, with the time of a move of the plain search
    """

    name: str
    options: str
    iterations: tuple[int, int]

    def spec(self, board: str) -> str:
        return f"mcts:iterations={self.iterations[list(BOARDS).index(board)]},{self.options}"


AT_ROOT = Variant("at the root", f"{SOLVER},decisive=root", (3020, 1000))
BOTH = Variant("at the root and in playouts", f"{SOLVER},decisive=root,decisive_playouts=yes", (2460, 342))
VARIANTS = (
    AT_ROOT,
    Variant("in playouts", f"{SOLVER},decisive_playouts=yes", (2400, 365)),
    BOTH,
    Variant("in the tree", f"{SOLVER},decisive=tree", (3000, 970)),
    Variant("in the tree and in playouts", f"{SOLVER},decisive=tree,decisive_playouts=yes", (2220, 310)),
    Variant("none, but with proofs", "solver=yes", (3350, 1000)),
)
NO_EFFECT = 0.05  # scores closer to 0.5 than this are no effect that matters
GAMES: dict[Size, dict[str, int]] = {
    "quick": {"connect4": 20, "connect4:11x11,forbid=f6": 6},
    "full": {"connect4": 1000, "connect4:11x11,forbid=f6": 260},
}
SECONDS = {"connect4": 0.018, "connect4:11x11,forbid=f6": 0.05}  # for a game, on two cores
PAIRS: dict[Size, int] = {"quick": 1, "full": 8}


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for board, games in GAMES[size].items():
        plain = f"mcts:iterations={PLAIN[board]},{SOLVER}"
        pairings = [(_against_plain(board, one), one.spec(board), plain) for one in VARIANTS]
        pairings.append((_playouts(board), BOTH.spec(board), AT_ROOT.spec(board)))
        for key, first, second in pairings:
            match = MatchTask(key, first, second, game=board, games=games, estimate=SECONDS[board] * games)
            tasks += [match, timing(match, pairs=PAIRS[size], estimate=5 * SECONDS[board] * PAIRS[size])]
    return tasks


def _against_plain(board: str, variant: Variant) -> str:
    return f"{BOARDS[board]}: {variant.name}"


def _playouts(board: str) -> str:
    return f"{BOARDS[board]}: what playouts add to the root"


def _conclude(results: Results) -> Finding:
    claimed = {title: results[_playouts(board)] for board, title in BOARDS.items()}
    intervals = {
        title: fair_interval(results, _playouts(board), results[_playouts(board)]["score_interval"])
        for board, title in BOARDS.items()
    }
    sides = {title: side_of(interval, 0.5) for title, interval in intervals.items()}
    low, high = intervals[BOARDS[OF_R4]]
    if low > 0.5 - NO_EFFECT and high < 0.5 + NO_EFFECT:
        conclusion = Conclusion.CONFIRMED
    else:
        conclusion = Conclusion.REFUTED if sides[BOARDS[OF_R4]] else Conclusion.UNDECIDED
    words = {1: "they help", -1: "they harm", 0: "no effect is seen"}
    found = listed([f"{score(values)} on {title} ({words[sides[title]]})" for title, values in claimed.items()])
    best = {
        board: max(VARIANTS, key=lambda one: float(results[_against_plain(board, one)]["score"])) for board in BOARDS
    }
    bests = listed(
        [
            f"{best[board].name} on {title}, {score(results[_against_plain(board, best[board])])}"
            for board, title in BOARDS.items()
        ]
    )
    root = listed([f"{score(results[_against_plain(board, AT_ROOT)])} on {title}" for board, title in BOARDS.items()])
    keys = [key for key in results if key in {_playouts(board) for board in BOARDS}]
    text = (
        f"Beside decisive moves at the root, which R4's program has anyway, decisive playouts score {found} at equal "
        f"time.",
        f"Against a search without any decisive move, those at the root score {root}. The best variant is {bests}.",
        "A playout that looks for wins and threats costs time, the more the larger the board: the equal-time budgets "
        f"are {BOTH.iterations[0]:,} simulations instead of {PLAIN['connect4']:,} on 7x6, and {BOTH.iterations[1]:,} "
        f"instead of {PLAIN['connect4:11x11,forbid=f6']:,} on 11x11. The ratio of times that is farthest from 1 is "
        f"{number(farthest(results, keys))} in the matches of the claim.",
    )
    return Finding(
        conclusion=conclusion,
        headline="At equal time decisive playouts, beside decisive moves at the root, score "
        + listed([f"{number(values['score'], 3)} on {title}" for title, values in claimed.items()])
        + ".",
        rule="The claim is that decisive playouts have no significant effect at equal time. It is confirmed if "
        f"the 95% interval on {BOARDS[OF_R4]}, R4's board, lies within {number(0.5 - NO_EFFECT)} to "
        f"{number(0.5 + NO_EFFECT)}, refuted if it does not and excludes 0.5, else not decided by this run. "
        f"{RULE_OF_TIME}. The larger board is shown, and does not count.",
        text=text,
        tables=tuple(_table(results, board) for board in BOARDS),
        pictures=(
            Picture(
                "decisive",
                "Score at equal time against the same search without decisive moves, with 95% intervals; at the "
                "bottom, what playouts add to the root.",
                lambda canvas: _draw(canvas, results),
            ),
        ),
    )


def _keys(board: str) -> dict[str, str]:
    """Titles of the rows, and the keys of their matches."""
    rows = {one.name: _against_plain(board, one) for one in VARIANTS}
    return rows | {"root and playouts against root": _playouts(board)}


def _table(results: Results, board: str) -> Table:
    title = f"Decisive moves on {BOARDS[board]}, at equal time"
    return match_table(
        title, "decisive moves", results, _keys(board), {"time / opponent's": lambda key: ratio(results, key)}
    )


def _draw(canvas: Canvas, results: Results) -> None:
    axes = panel(canvas, across="score", up="")
    names = list(_keys("connect4"))
    even(axes, vertical=True)
    for place, (board, title) in enumerate(BOARDS.items()):
        values = [results[key] for key in _keys(board).values()]
        rows = [len(names) - 1 - n + 0.12 * (1 - 2 * place) for n in range(len(names))]
        colour = COLOURS[place]
        with_score_bars(axes, rows, values, label=title, colour=colour, joined=False, horizontal=True)
    axes.set_yticks(range(len(names)), names[::-1])
    legend(axes)


EXPERIMENT = Experiment(
    name="Q4",
    title="Decisive moves",
    question="Do decisive moves help a tree search of Connect Four, above all in its playouts?",
    claim=Claim("R4", "Playouts that take wins, block losses and hand no win over had no significant effect."),
    tasks=_tasks,
    conclude=_conclude,
)
