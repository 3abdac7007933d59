"""Q3: one or ten random games for each leaf, at equal time and for the same number of leaves."""

from __future__ import annotations

from flipdrop.experiments import r4
from flipdrop.experiments.conclusions import RULE_OF_SIDES, by_side
from flipdrop.experiments.equal_time import (
    RULE_OF_TIME,
    TIME,
    fair_interval,
    farthest,
    match_and_timing,
    ratio,
    timing_key,
)
from flipdrop.experiments.experiment import Finding, Results, Size, declared
from flipdrop.experiments.formatting import elo, score, spec_with
from flipdrop.experiments.measures import wilson
from flipdrop.experiments.presentation import ELO, PLAYERS, SCORE, table_and_picture
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.formatting import between, number

OPTIONS = {"connect4": r4.OPTIONS, "othello": {}}
"""In Connect Four it is R4's search."""

# Simulations with one playout, and with more of them in the same time.
ONE = {"connect4": 5000, "othello": 1000}
EQUAL_TIME = {"connect4": {3: 3450, 10: 1510}, "othello": {3: 413, 10: 133}}
GAMES: dict[Size, int] = {"quick": 20, "full": 1400}
SECONDS = {"connect4": 0.02, "othello": 0.029}  # for a game at equal time, on two cores
PAIRS: dict[Size, int] = {"quick": 1, "full": 12}


def _key(game: str, playouts: int, equal: str = "time") -> str:
    return f"{game}: 1 against {playouts}, equal {equal}"


def _match(size: Size, game: str, playouts: int, iterations: int, equal: str, share: int = 1) -> MatchTask:
    """One playout a leaf against more.

    :param share: of the games, which part is played
    """
    return MatchTask(
        _key(game, playouts, equal),
        spec_with("mcts", iterations=ONE[game], **OPTIONS[game]),
        spec_with("mcts", iterations=iterations, **OPTIONS[game], playouts=playouts),
        game=game,
        games=GAMES[size] // share // 2 * 2,
        estimate=SECONDS[game] * GAMES[size],
    )


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for game, equal_time in EQUAL_TIME.items():
        for playouts, iterations in equal_time.items():
            match = _match(size, game, playouts, iterations, "time")
            tasks += match_and_timing(match, pairs=PAIRS[size], estimate=0.15 * PAIRS[size])
        tasks.append(_match(size, game, 10, ONE[game], "leaves", share=4))
    return tasks


def _conclude(results: Results) -> Finding:
    rows = {key: results[key] for key in results if "score" in results[key]}
    times = {key: ratio(results, key) if timing_key(key) in results.done else "not equal" for key in rows}
    key = _key("connect4", 10)
    main, other = rows[key], rows[_key("othello", 10)]
    theirs = {playouts: wilson(share, r4.GAMES) for playouts, share in r4.BY_PLAYOUTS.items()}
    overlap = theirs[1][0] <= theirs[10][1]
    return Finding(
        conclusion=by_side(fair_interval(results, key, main["score_interval"]), 0.5),
        headline=f"At equal time one playout a leaf scores {number(main['score'], 3)} against ten in Connect Four, and "
        f"{number(other['score'], 3)} in Othello.",
        rule=f"The claim is that one playout beats ten at equal time in Connect Four, with R4's search: "
        f"{RULE_OF_SIDES}. {RULE_OF_TIME}.",
        underpowered=f"the report's {r4.GAMES} games each are too few to decide" if overlap else "",
        text=(
            f"In Connect Four, at equal time, one playout for a leaf scores {score(main)} against ten, {elo(main)} "
            f"Elo, and {score(rows[_key('connect4', 3)])} against three. In Othello it scores {score(other)} against "
            f"ten. For the same number of leaves, which costs several times the time, one playout scores "
            f"{score(rows[_key('connect4', 10, 'leaves')])} and {score(rows[_key('othello', 10, 'leaves')])}.",
            f"The report's {number(r4.BY_PLAYOUTS[1])} and {number(r4.BY_PLAYOUTS[10])} of {r4.GAMES} games each stand "
            f"for {between(theirs[1])} and {between(theirs[10])}, which "
            f"{'overlap, so these games do not decide' if overlap else 'do not overlap'}. The ratio of times that is "
            f"farthest from 1 is {number(farthest(results, [key for key in rows if 'time' in key]))}.",
        ),
        **table_and_picture(
            "leaf", "One playout a leaf against more", "match", rows, PLAYERS | SCORE | ELO | {TIME: times}
        ),
    )


EXPERIMENT = declared("Q3", _tasks, _conclude)
