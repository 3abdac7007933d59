"""The endgame learner: labels, errors, determinism, resuming."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.errors import FlipdropError, LearningError
from flipdrop.evaluation import PatternModel, evaluation
from flipdrop.games import Othello, OthelloGame, game
from flipdrop.kernel import Side
from flipdrop.learning import Budget, TrainingRun
from flipdrop.learning.patterns import EndgameLearner
from flipdrop.learning.patterns.endgame import pack_positions, unpack_positions
from flipdrop.search import Minimax, Solver
from tests.strategies import OTHELLO_GAMES, random_line, randoms

if TYPE_CHECKING:
    import random
    from pathlib import Path

_OTHER_SIDE = str.maketrans("XO", "OX")
QUICK = {"fewest": 7, "solved": 8, "searched": 9, "plies": 1, "batch": 20}


def learner(**settings: Any) -> EndgameLearner:
    seed, threads = settings.pop("seed", 1), settings.pop("threads", 1)
    return EndgameLearner(game("othello"), seed=seed, threads=threads, **QUICK | settings)


def remembered(learning: EndgameLearner) -> list[tuple[Othello, float]]:
    """The positions in its replay buffer, with their labels."""
    arrays = learning.state().arrays
    own, other = (np.unpackbits(arrays[f"replay.{name}"], axis=1) for name in ("own", "other"))
    boards = ["".join("-XO"[cell] for cell in row) for row in own + 2 * other]
    return [(Othello(f"{board} X"), value) for board, value in zip(boards, arrays["replay.values"], strict=True)]


def test_labels() -> None:
    # The first shallow searches use the package's network, in discs; with 15 and 16 empty squares and two plies
    # further it has one stage.
    learning = learner(fewest=13, solved=14, searched=16, plies=2, batch=12)
    learning.step()
    solver = Solver(line=False)
    look = Minimax(algorithm="minimax", depth=2, evaluation=evaluation("patterns"))
    seen = {13: 0, 14: 0, 15: 0, 16: 0}
    for position, value in remembered(learning):
        empties = position.cells.count("-")
        seen[empties] += 1
        if empties <= 14:
            assert value == solver.solve(position).score
        else:
            assert value == pytest.approx(np.clip(22 * look.search(position).value, -64, 64), abs=1e-3)
    assert min(seen.values()) >= 8


@pytest.mark.slow
def test_errors_fall() -> None:
    learning = learner(batch=400, searched=8)
    name = "error with 7 to 8 empty squares"
    errors = [learning.step()[name] for _ in range(8)]
    assert np.mean(errors[-2:]) < 0.8 * errors[0]


def test_step_without_examples() -> None:
    learning = learner(fewest=40, solved=0, searched=40, opening=40, batch=1, seed=0)
    before = learning.model().weights
    assert learning.step() == {}  # after 40 random moves fewer squares are empty
    assert np.array_equal(learning.model().weights, before)
    assert learning.step().keys() == {"error with 40 empty squares"}
    assert not np.array_equal(learning.model().weights, before)


def test_threads_do_not_matter() -> None:
    alone, together, other = learner(), learner(threads=3), learner(seed=2)
    for learning in (alone, together, other):
        learning.step()
        learning.step()
    assert np.array_equal(alone.model().weights, together.model().weights)
    assert not np.array_equal(alone.model().weights, other.model().weights)


@pytest.mark.slow
def test_resuming(tmp_path: Path) -> None:
    settings = {"passes": 2.5, "window": 100}
    whole, again = learner(**settings), learner(**settings)
    TrainingRun(whole, tmp_path / "whole.pattern").run(Budget(games=100))
    TrainingRun(learner(**settings), tmp_path / "parts.pattern").run(Budget(games=60))
    training_run = TrainingRun(again, tmp_path / "parts.pattern")
    training_run.resume()
    training_run.run(Budget(games=100))
    assert np.array_equal(again.model().weights, whole.model().weights)
    assert len(remembered(again)) == 100
    assert (tmp_path / "parts.pattern").read_bytes() == (tmp_path / "whole.pattern").read_bytes()
    read = PatternModel.read(tmp_path / "parts.pattern")
    assert (read.made["learner"], read.made["seed"], read.made["games"]) == ("endgame", 1, 100)
    assert read.made["settings"]["passes"] == 2.5


@pytest.mark.parametrize(
    "settings",
    [
        {"rate": float("nan")},
        {"rate": 0},
        {"epsilon": 1.5},
        {"opening": -1},
        {"solved": 30},
        {"plies": 0},
        {"passes": 0.5},
        {"window": 0},
        {"batch": 0},
        {"fewest": 10, "solved": 8, "searched": 9},
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(FlipdropError):
        learner(**settings)


@pytest.mark.parametrize("name", ["othello6", "connect4"])
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(LearningError, match="on Othello 8x8 only"):
        EndgameLearner(game(name), seed=1)


@given(st.sampled_from(OTHELLO_GAMES), randoms())
def test_packed_positions(board: OthelloGame, source: random.Random) -> None:
    line = [position for position in random_line(board, source) if isinstance(position, Othello)]
    unpacked = unpack_positions(pack_positions(line, board.size), board.size)
    for position, known in zip(unpacked, line, strict=True):
        seen = known.cells if known.to_move == Side.FIRST else known.cells.translate(_OTHER_SIDE)
        assert (position.cells, position.to_move) == (seen, Side.FIRST)


def test_no_packed_positions() -> None:
    columns = pack_positions([], 8)
    assert columns["own"].shape == columns["other"].shape == (0, 8)
    assert unpack_positions(columns, 8) == []
