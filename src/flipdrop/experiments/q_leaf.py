"""Q3: one or ten random games for each leaf, at equal time and for the same number of leaves."""

from __future__ import annotations

from flipdrop.experiments import r4
from flipdrop.experiments.conclusions import RULE_OF_SIDES, by_side
from flipdrop.experiments.equal_time import RULE_OF_TIME, fair_interval, farthest, ratio, timing
from flipdrop.experiments.experiment import Finding, Results, Size, declared
from flipdrop.experiments.formatting import elo, score, spec_with, wins_draws_losses
from flipdrop.experiments.measures import wilson
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import between, number
from flipdrop.reporting.plots import COLOURS, Canvas, even, legend, panel, with_score_bars
from flipdrop.reporting.tables import Table

TITLES = {"connect4": "Connect Four", "othello": "Othello"}
OPTIONS = {"connect4": r4.OPTIONS, "othello": {}}
"""In Connect Four it is R4's search."""

# Simulations with one playout, and with more of them in the same time.
ONE = {"connect4": 5000, "othello": 1000}
EQUAL_TIME = {"connect4": {3: 2980, 10: 1175}, "othello": {3: 413, 10: 133}}
GAMES: dict[Size, int] = {"quick": 20, "full": 1400}
SECONDS = {"connect4": 0.06, "othello": 0.029}  # for a game at equal time, on two cores
PAIRS: dict[Size, int] = {"quick": 1, "full": 12}


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for game, one in ONE.items():
        for playouts, iterations in EQUAL_TIME[game].items():
            match = MatchTask(
                _equal_time(game, playouts),
                _player(game, one),
                _player(game, iterations, playouts),
                game=game,
                games=GAMES[size],
                estimate=SECONDS[game] * GAMES[size],
            )
            tasks += [match, timing(match, pairs=PAIRS[size], estimate=0.15 * PAIRS[size])]
        tasks.append(
            MatchTask(
                _equal_leaves(game),
                _player(game, one),
                _player(game, one, 10),
                game=game,
                games=GAMES[size] // 4 // 2 * 2,
                estimate=SECONDS[game] * GAMES[size],
            )
        )
    return tasks


def _player(game: str, iterations: int, playouts: int = 1) -> str:
    more = {"playouts": playouts} if playouts > 1 else {}
    return spec_with("mcts", iterations=iterations, **OPTIONS[game], **more)


def _equal_time(game: str, playouts: int) -> str:
    return f"{game}: 1 against {playouts}, equal time"


def _equal_leaves(game: str) -> str:
    return f"{game}: 1 against 10, equal leaves"


def _timed(game: str) -> list[str]:
    return [_equal_time(game, playouts) for playouts in EQUAL_TIME[game]]


def _conclude(results: Results) -> Finding:
    main = results[_equal_time("connect4", 10)]
    theirs = {playouts: wilson(share, r4.GAMES) for playouts, share in r4.BY_PLAYOUTS.items()}
    overlap = theirs[1][0] <= theirs[10][1]
    other = results[_equal_time("othello", 10)]
    leaves = {game: results[_equal_leaves(game)] for game in TITLES}
    key = _equal_time("connect4", 10)
    found = by_side(fair_interval(results, key, main["score_interval"]), 0.5)
    text = (
        f"In Connect Four, at equal time, one playout for a leaf scores {score(main)} against ten, {elo(main)} Elo, "
        f"and {score(results[_equal_time('connect4', 3)])} against three. In Othello it scores {score(other)} against "
        f"ten. For the same number of leaves, which costs several times the time, one playout scores "
        f"{score(leaves['connect4'])} and {score(leaves['othello'])}.",
        f"The report's {number(r4.BY_PLAYOUTS[1])} and {number(r4.BY_PLAYOUTS[10])} of {r4.GAMES} games each stand for "
        f"{between(theirs[1])} and {between(theirs[10])}, which {'overlap' if overlap else 'do not overlap'}"
        + (", so it could not know" if overlap else "")
        + ". The ratio of times that is farthest from 1 is "
        f"{number(farthest(results, [key for game in TITLES for key in _timed(game)]))}.",
    )
    return Finding(
        conclusion=found,
        headline=f"At equal time one playout a leaf scores {number(main['score'], 3)} against ten in Connect Four, and "
        f"{number(other['score'], 3)} in Othello.",
        rule=f"The claim is that one playout beats ten at equal time in Connect Four, with R4's decisive moves: "
        f"{RULE_OF_SIDES}. {RULE_OF_TIME}.",
        underpowered=f"the report's {r4.GAMES} games each are too few to decide" if overlap else "",
        text=text,
        tables=(_table(results),),
        pictures=(
            Picture(
                "leaf",
                "Score of one playout a leaf against three and ten, with 95% intervals.",
                lambda canvas: _draw(canvas, results),
                size=(7.5, 3.4),
            ),
        ),
    )


def _table(results: Results) -> Table:
    rows = []
    for game, title in TITLES.items():
        for key in (*_timed(game), _equal_leaves(game)):
            values = results[key]
            times = ratio(results, key) if key in _timed(game) else "not equal"
            rows.append((title, *values["players"], wins_draws_losses(values), score(values), elo(values), times))
    heads = ("game", "player", "opponent", "won / drawn / lost", "score (95%)", "Elo (95%)", "time / opponent's (95%)")
    return Table("One playout against more", heads, tuple(rows), text_columns=(1, 2))


def _draw(canvas: Canvas, results: Results) -> None:
    axes = panel(canvas, across="", up="score of one playout")
    even(axes)
    names = ["against 3, equal time", "against 10, equal time", "against 10, equal leaves"]
    for place, (game, title) in enumerate(TITLES.items()):
        values = [results[key] for key in (*_timed(game), _equal_leaves(game))]
        with_score_bars(
            axes,
            [n + 0.08 * (2 * place - 1) for n in range(len(values))],
            values,
            label=title,
            colour=COLOURS[place],
            joined=False,
        )
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.5, len(names) - 0.5)
    legend(axes)


EXPERIMENT = declared("Q3", _tasks, _conclude)
