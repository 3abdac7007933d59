"""R3.4: a table of squares that decides between moves of nearly the same UCB value."""

from __future__ import annotations

from flipdrop.experiments.conclusions import RULE_OF_SIDES, by_side, side_of
from flipdrop.experiments.experiment import Finding, Results, Size, declared
from flipdrop.experiments.formatting import score
from flipdrop.experiments.presentation import ELO, SCORE, table_and_picture
from flipdrop.experiments.r3 import search
from flipdrop.experiments.tasks import Task, matches
from flipdrop.reporting.formatting import listed, number

ITERATIONS = 1000
WIDTHS = ("1", "2", "5", "10", "20")
MAIN = "5"
GAMES: dict[Size, int] = {"quick": 10, "full": 1000}


def _tasks(size: Size) -> list[Task]:
    players = {width: (search(ITERATIONS, tie_width=width), search(ITERATIONS)) for width in WIDTHS}
    return [*matches(players, games=GAMES[size], seconds=0.026)]


def _conclude(results: Results) -> Finding:
    rows = {width: results[width] for width in WIDTHS}
    words = {1: "it helps", -1: "it harms", 0: "no difference is seen"}
    found = [f"{score(rows[w])} within {w} ({words[side_of(rows[w]['score_interval'], 0.5)]})" for w in WIDTHS]
    return Finding(
        conclusion=by_side(rows[MAIN]["score_interval"], 0.5),
        headline=f"With the table of squares for values within {MAIN} R3's search scores "
        f"{number(rows[MAIN]['score'], 3)} against itself without.",
        rule=f"The claim is that it helps. By the match in which values within {MAIN} count as near, which the report "
        f"does not state: {RULE_OF_SIDES}.",
        text=(
            f"With {ITERATIONS:,} simulations for both, R3's search with the table scores {listed(found)}.",
            "Rewards are up to about 100. A search visits moves so that their UCB values become equal, so many are "
            "near in the end, whatever they are worth.",
        ),
        **table_and_picture("ties", "The search with the table against the same without", "width", rows, SCORE | ELO),
    )


EXPERIMENT = declared("R3.4", _tasks, _conclude)
