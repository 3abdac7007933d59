"""Q4: whether decisive moves (win at once, block, do not hand a win over) help a tree search of Connect Four."""

from __future__ import annotations

from flipdrop.experiments import r4
from flipdrop.experiments.conclusions import RULE_OF_NO_EFFECT, no_effect, overall
from flipdrop.experiments.equal_time import RULE_OF_TIME, TIME, fair_interval, farthest, match_and_timing, ratio
from flipdrop.experiments.experiment import Finding, Results, Size, declared
from flipdrop.experiments.formatting import score
from flipdrop.experiments.presentation import ELO, PLAYERS, SCORE, interval_picture, table
from flipdrop.experiments.tasks import Task, matches
from flipdrop.reporting.formatting import listed, number

LARGE = "connect4:11x11,forbid=f6"
BOARDS = {"connect4": "7x6", LARGE: "11x11 with a forbidden cell"}
PLAIN = {"connect4": 3000, LARGE: 1000}
"""Simulations of R4's tree search, which knows nothing of decisive moves."""


IN_PLAYOUTS = {"decisive_playouts": "yes"}
VARIANTS: dict[str, tuple[dict[str, str], tuple[int, int]]] = {
    "at the root": ({"decisive": "root"}, (3150, 1000)),
    "in playouts": (IN_PLAYOUTS, (2400, 405)),
    "at the root and in playouts": ({"decisive": "root"} | IN_PLAYOUTS, (2600, 390)),
    "in the tree": ({"decisive": "tree"}, (3150, 1000)),
    "in the tree and in playouts": ({"decisive": "tree"} | IN_PLAYOUTS, (2400, 330)),
    "none, but with proofs": ({"solver": "yes"}, (3600, 1000)),
}
"""Options that know decisive moves, and the simulations on both boards that take the time of the plain search."""
CLAIMED = ("at the root", "in playouts")
GAMES: dict[Size, dict[str, int]] = {"quick": {"connect4": 20, LARGE: 6}, "full": {"connect4": 1000, LARGE: 260}}
SECONDS = {"connect4": 0.011, LARGE: 0.012}  # for a game, on two cores
PAIRS: dict[Size, int] = {"quick": 1, "full": 8}


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for place, (board, games) in enumerate(GAMES[size].items()):
        players = {
            _key(board, name): (r4.program(iterations[place], **changed), r4.program(PLAIN[board]))
            for name, (changed, iterations) in VARIANTS.items()
        }
        for match in matches(players, games=games, seconds=SECONDS[board], game=board):
            tasks += match_and_timing(match, pairs=PAIRS[size], estimate=5 * SECONDS[board] * PAIRS[size])
    return tasks


def _key(board: str, name: str) -> str:
    return f"{BOARDS[board]}: {name}"


def _conclude(results: Results) -> Finding:
    rows = {board: {name: results[_key(board, name)] for name in VARIANTS} for board in BOARDS}
    usual = rows["connect4"]
    found = "; ".join(
        f"{name} " + listed([f"{score(rows[board][name])} on {title}" for board, title in BOARDS.items()])
        for name in CLAIMED
    )
    best = {board: max(VARIANTS, key=lambda name: float(rows[board][name]["score"])) for board in BOARDS}
    bests = listed([f"{best[board]} on {title}, {score(rows[board][best[board]])}" for board, title in BOARDS.items()])
    keys = [_key(board, name) for board in BOARDS for name in CLAIMED]
    both = VARIANTS["at the root and in playouts"][1]
    intervals = [fair_interval(results, _key("connect4", name), usual[name]["score_interval"]) for name in CLAIMED]
    return Finding(
        conclusion=overall([no_effect(interval) for interval in intervals]),
        headline="At equal time decisive moves score "
        + listed([f"{number(usual[name]['score'], 3)} {name}" for name in CLAIMED])
        + " on 7x6, against R4's search without them.",
        rule="The claims are that decisive moves at the root, and in playouts, have no significant effect at equal "
        f"time on 7x6. Each is {RULE_OF_NO_EFFECT}; both must be confirmed, and one refuted suffices. {RULE_OF_TIME}. "
        "The larger board is shown, and does not count.",
        text=(
            f"Against R4's search without any decisive move, at equal time: {found}. The best variant is {bests}.",
            "A playout that looks for wins and threats costs time, the more the larger the board: the equal-time "
            f"budgets with both are {both[0]:,} simulations instead of {PLAIN['connect4']:,} on 7x6, and {both[1]:,} "
            f"instead of {PLAIN[LARGE]:,} on 11x11. The ratio of times that is farthest from 1 is "
            f"{number(farthest(results, keys))} in the matches of the claims.",
        ),
        tables=tuple(
            table(
                f"Decisive moves on {title}, at equal time",
                "decisive moves",
                rows[board],
                PLAYERS | SCORE | ELO | {TIME: {name: ratio(results, _key(board, name)) for name in VARIANTS}},
            )
            for board, title in BOARDS.items()
        ),
        pictures=(
            interval_picture(
                "decisive",
                "Score at equal time against the same search without decisive moves, with 95% intervals.",
                {title: rows[board] for board, title in BOARDS.items()},
                horizontal=True,
                limits=None,
            ),
        ),
    )


EXPERIMENT = declared("Q4", _tasks, _conclude)
