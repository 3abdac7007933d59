"""Pattern networks as evaluations: against a slow reading of the board, and as files."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings

from flipdrop.errors import FlipdropError, ModelError, PlayerError
from flipdrop.evaluation import Evaluation, Networks, PatternModel, evaluation
from flipdrop.evaluation.patterns import shipped_networks
from flipdrop.games import OthelloGame, game
from flipdrop.learning.patterns import patterns_of
from flipdrop.players import player
from tests.strategies import random_line, randoms

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from numpy.typing import NDArray

    from flipdrop.games import Game, Position

GAMES = ("othello", "othello6", "othello4", "connect4", "connect4:5x4", "connect4:9x10", "connect4:12x12,forbid=c3")
COUNTED = 256 + 2 * 2048


def made_up(kind: Game, patterns: tuple[tuple[int, ...], ...], stages: tuple[int, ...], seed: int) -> PatternModel:
    """A network with random weights."""
    states = 3 if isinstance(kind, OthelloGame) else 4
    numbers = sum(states ** len(cells) for cells in patterns) + (COUNTED if states == 3 else 0)
    sides = 1 if states == 3 else 2  # of Connect Four have weights of their own
    weights = np.random.default_rng(seed).normal(size=numbers * sides * len(stages)).astype(np.float32)
    return PatternModel(kind, patterns, stages, weights)


def cell_states(position: Position) -> list[int]:
    """What each cell holds, as its patterns read it."""
    own = "XO"[position.to_move]
    states = [0 if cell in "-#" else 1 if cell == own else 2 for cell in position.cells]
    if not isinstance(position.game, OthelloGame):
        columns = position.game.columns
        for column in range(columns):
            open_cells = [cell for cell in range(column, len(states), columns) if position.cells[cell] == "-"]
            if open_cells:
                states[open_cells[-1]] = 3  # the lowest, even once the game is over
    return states


def images(cells: tuple[int, ...], kind: Game) -> list[tuple[int, ...]]:
    """A pattern under every symmetry, each set of cells once."""
    rows, columns = kind.rows, kind.columns
    found: dict[frozenset[int], tuple[int, ...]] = {}
    othello = isinstance(kind, OthelloGame)
    for swap, flip, mirror in itertools.product((False, True), repeat=3):
        if not othello and (flip or swap):
            continue
        moved = []
        for cell in cells:
            row, column = divmod(cell, columns)
            column = columns - 1 - column if mirror else column
            row = rows - 1 - row if flip else row
            row, column = (column, row) if swap else (row, column)
            moved.append(row * columns + column)
        found.setdefault(frozenset(moved), tuple(moved))
    return list(found.values())


def counters(position: Position) -> list[int]:
    """The numbers of the three tables of counts in Othello."""
    assert isinstance(position.game, OthelloGame)
    own, other = position.discs[position.to_move], position.discs[1 - position.to_move]
    placements = [
        sum(move < position.game.size**2 for move in view.legal_moves)
        for view in (position, position.game.position(position.cells + "OX"[position.to_move]))
    ]
    moves = 16 * min(placements[0], 15) + min(placements[1], 15)
    return [
        16 * min(own, 15) + min(other, 15),
        256 + 256 * min(own, 7) + moves,
        256 + 2048 + 256 * min(other, 7) + moves,
    ]


def slow_score(model: PatternModel, position: Position) -> float:
    states = cell_states(position)
    base = 3 if isinstance(model.game, OthelloGame) else 4
    stage = max(i for i, first in enumerate(model.stages) if first <= sum(position.discs))
    weights: NDArray[Any] = model.weights.reshape(len(model.stages), 1 if base == 3 else 2, -1)[stage]
    weights = weights[0 if base == 3 else position.to_move]
    table, total = 0, 0.0
    for cells in model.patterns:
        for instance in images(cells, model.game):
            total += float(weights[table + sum(states[cell] * base**i for i, cell in enumerate(instance))])
        table += base ** len(cells)
    if base == 3:
        total += sum(float(weights[table + counter]) for counter in counters(position))
    return total


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=10, deadline=None)
@given(source=randoms())
def test_scores_are_those_of_a_slow_reading(name: str, source: random.Random) -> None:
    kind = game(name)
    cells = kind.columns * kind.rows
    # Mirror images of a pattern that is its own mirror image have the same weight only once it has been learned: here
    # the weights are random, so patterns are taken whose images all are different sets of cells, or the same list.
    patterns = ((0, 1, kind.columns + 2), (cells - 1, cells - 2), (1,))
    model = made_up(kind, patterns, (0, cells // 3, cells // 2), seed=1)
    made = Evaluation(Networks("made up", (model,)))
    for position in random_line(kind, source):  # type: ignore[arg-type]
        assert made.score(position) == pytest.approx(slow_score(model, position), abs=1e-3)


@pytest.mark.parametrize("name", ["othello", "connect4:5x4"])
def test_the_terms_add_up_to_the_score(name: str) -> None:
    kind = game(name)
    model = made_up(kind, patterns_of("walks:12x6", kind, 1), (0, 10), seed=2)
    breakdown = Evaluation(Networks("made up", (model,))).explain(kind.start())
    assert sum(term.feature * term.weight for term in breakdown.terms) == pytest.approx(breakdown.total, abs=1e-3)
    assert len(breakdown.terms) == len(model.patterns) + (3 if name == "othello" else 0)


def test_files_keep_a_network(tmp_path: Path) -> None:
    kind = game("othello6")
    model = made_up(kind, ((0, 1, 2), (7, 8)), (0, 12), seed=3)
    for compact, exact in ((False, 0.0), (True, 0.01)):
        model.write(tmp_path / "x.pattern", compact=compact)
        back = PatternModel.read(tmp_path / "x.pattern")
        assert (back.game, back.patterns, back.stages, back.unit) == (kind, model.patterns, model.stages, 1.0)
        assert np.abs(back.weights - model.weights).max() <= exact
    assert evaluation(tmp_path / "x.pattern").supports(kind)
    assert evaluation(str(tmp_path / "x.pattern")).name == "x.pattern"


def test_a_file_is_a_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made_up(game("othello6"), ((0, 1, 2),), (0,), seed=3).write("x.pattern")
    start = game("othello6").start()
    for spec in ("pattern:model=x.pattern,depth=2", "alphabeta:depth=2,evaluation=x.pattern"):
        one = player(spec, game=game("othello6"))
        assert one.choose(start) in start.legal_moves
        assert player(one.spec).choose(start) == one.choose(start)
        with pytest.raises(FlipdropError, match="no network for Othello on 8x8"):
            player(spec, game=game("othello"))
        with pytest.raises(PlayerError, match="files are not read here"):
            player(spec, allow_code=False)
    with pytest.raises(PlayerError, match=r"nothere\.pattern"):
        player("pattern:model=nothere.pattern")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"weights": np.zeros(5, dtype=np.float32)}, "5 weights"),
        ({"weights": np.full(9 + COUNTED, np.nan, dtype=np.float32)}, "finite"),
        ({"patterns": ((0, 99),)}, "not on the board"),
        ({"patterns": ((0, 0),)}, "twice"),
        ({"stages": (3,)}, "begins at 0"),
        ({"stages": (0, 9, 9)}, "growing"),
    ],
)
def test_parts_that_do_not_fit_are_refused(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    good = made_up(game("othello4"), ((0, 1),), (0,), seed=1)
    parts = {"patterns": good.patterns, "stages": good.stages, "weights": good.weights} | change
    bad = PatternModel(good.game, **parts)
    with pytest.raises(ModelError, match=said):
        bad.network()
    if said != "finite":
        bad.write(tmp_path / "bad.pattern")
        with pytest.raises(ModelError, match=said):
            PatternModel.read(tmp_path / "bad.pattern")


def test_a_network_of_another_game() -> None:
    four = Evaluation(Networks("four", (made_up(game("connect4"), ((0, 1),), (0,), seed=1),)))
    assert not four.supports(game("othello"))
    assert four.supports(game("connect4:7x6,forbid=c3"))
    with pytest.raises(FlipdropError, match="no network for Othello on 8x8"):
        four.score(game("othello").start())
    with pytest.raises(FlipdropError, match="no network for Connect Four on 5x4"):
        four.score(game("connect4:5x4").start())


def test_shipped_networks_play() -> None:
    shipped = evaluation("patterns")
    assert {model.game.name for model in shipped_networks().models} >= {"othello", "connect4"}
    for model in shipped_networks().models:
        start = model.game.start()
        assert shipped.supports(model.game)
        assert player("pattern:depth=2", game=model.game).choose(start) in start.legal_moves
        assert {"learner", "settings", "seed", "games"} <= model.made.keys()


ADVICE = (
    r"Othello on 6x6, only for connect4 and othello; learn one \(flipdrop learn td othello6 --with patterns --out my"
)


def test_missing_networks() -> None:
    for name in ("othello", "connect4", "connect4:7x6,forbid=c3"):
        evaluation("patterns").check_supported(game(name))
    evaluation("D").check_supported(game("othello6"))
    evaluation(lambda position: 0.0).check_supported(game("othello6"))
    with pytest.raises(ModelError, match=ADVICE):
        evaluation("patterns").check_supported(game("othello6"))
    with pytest.raises(ModelError, match="no network for Connect Four on 9x7"):
        evaluation("patterns").check_supported(game("connect4:9x7"))


@pytest.mark.parametrize(
    "spec",
    ["pattern", "greedy:evaluation=patterns", "alphabeta:evaluation=patterns", "mcts:evaluation=patterns,bias=1"],
)
def test_players_check_before_play(spec: str) -> None:
    with pytest.raises(PlayerError, match=ADVICE):
        player(spec, game="othello6")
    assert player(spec, game="othello").spec
