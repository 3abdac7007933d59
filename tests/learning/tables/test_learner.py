"""Tabular learners: convergence, resuming, errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop.errors import FlipdropError, LearningError, ModelError
from flipdrop.games import game
from flipdrop.learning import Budget, TrainingRun
from flipdrop.learning.tables import RULES, TableLearner, fits_a_table
from flipdrop.players.value_table import TablePlayer, ValueTable

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.learning.tables.settings import Rule

OTHELLO = game("othello4")
NO_OPPONENTS: dict[str, Any] = {"opponents": ()}


def learned(rule: Rule, steps: int, **settings: Any) -> TableLearner:
    learner = TableLearner(OTHELLO, rule, **({"seed": 1} | NO_OPPONENTS | settings))
    for _ in range(steps):
        learner.step()
    return learner


def same(one: ValueTable, other: ValueTable) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("codes", "values", "first"))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", [1, 2])
def test_perfect_play_on_a_small_board(rule: Rule, seed: int) -> None:
    learner = TableLearner(OTHELLO, rule, seed=seed, until_optimal=True, **NO_OPPONENTS)
    while not learner.finished and learner.games < 60_000:
        learner.step()
    exploitability = learner.exploitability()
    assert exploitability is not None
    assert exploitability.is_optimal
    assert learner.as_score(exploitability.solved) == -10
    assert tuple(map(learner.as_score, exploitability.worst_case_value)) == (-10, 10)


def test_q_learning_is_complete() -> None:
    exploitability = learned("q", 8).exploitability()
    assert exploitability is not None
    assert exploitability.is_optimal
    assert exploitability.share == 1
    assert exploitability.decisions > 50


@pytest.mark.slow
@pytest.mark.parametrize("reward", ["margin", "result"])
@pytest.mark.parametrize("settings", [{"symmetric": False}, {"backward": False}, {"lambda_": 0.8}, {"initial": 0.5}])
def test_settings(reward: str, settings: dict[str, Any]) -> None:
    little, much = (learned("q", steps, reward=reward, batch=200, **settings).exploitability() for steps in (1, 12))
    assert little is not None
    assert much is not None
    assert much.share > little.share


def test_mirror_images_share_entries() -> None:
    sharing, separate = (learned("q", 2, batch=500, symmetric=symmetric) for symmetric in (True, False))
    assert sharing.size < separate.size / 1.3


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("symmetric", [True, False])
def test_player_follows_the_table(rule: Rule, symmetric: bool) -> None:
    """By its own games, in which the solver as opponent reaches `worst_case_value`."""
    learner = learned(rule, 1, symmetric=symmetric, discount=0.9)
    positions, best = learner._positions, learner._values.best
    player = learner.player()
    for number in range(0, len(positions), 7):
        position = positions.position(number)
        if not position.is_over:
            assert player.choose(position) == position.legal_moves[best(number)]


@pytest.mark.parametrize("rule", RULES)
def test_seed(rule: Rule) -> None:
    one, other, another = (learned(rule, 2, batch=300, seed=seed).table() for seed in (5, 5, 6))
    assert same(one, other)
    assert not same(one, another)


@pytest.mark.slow
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("rule", RULES)
def test_restoring(rule: Rule, symmetric: bool) -> None:
    settings: dict[str, Any] = {"batch": 100, "seed": 3, "halving": 500, "symmetric": symmetric} | NO_OPPONENTS
    whole = TableLearner(OTHELLO, rule, **settings)
    values = [whole.step() for _ in range(24)]
    assert sum(map(bool, values)) == 22  # 22 and 24 were not measured
    parts = TableLearner(OTHELLO, rule, **settings)
    resumed = []
    for step in range(24):
        if step in (3, 4, 22):
            state = parts.state()
            parts = TableLearner(OTHELLO, rule, **settings)
            parts.restore(state)
        resumed.append(parts.step())
    assert resumed == values
    assert same(parts.table(), whole.table())
    assert (parts.games, parts.size) == (whole.games, whole.size)


@pytest.mark.slow
def test_resuming(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"batch": 100, "seed": 3, "opponents": ("random",)}
    whole = TrainingRun(TableLearner(OTHELLO, "q", **settings), tmp_path / "whole.table")
    curve = whole.run(Budget(steps=6))
    TrainingRun(TableLearner(OTHELLO, "q", **settings), tmp_path / "parts.table").run(Budget(steps=2))
    parts = TrainingRun(TableLearner(OTHELLO, "q", **settings), tmp_path / "parts.table")
    parts.resume()
    resumed = parts.run(Budget(steps=6))
    assert same(ValueTable.read(whole.model), ValueTable.read(parts.model))
    assert [(p.step, p.games, p.values) for p in resumed.points] == [(p.step, p.games, p.values) for p in curve.points]
    changed = TrainingRun(TableLearner(OTHELLO, "q", **settings | {"epsilon": 0.123}), parts.model)
    with pytest.raises(ModelError, match=r"settings .*0\.123"):
        changed.resume()


@pytest.mark.slow
def test_model(tmp_path: Path) -> None:
    learner = learned("q", 5)
    learner.save_model(tmp_path / "q.table")
    player = TablePlayer(tmp_path / "q.table")
    assert isinstance(player.values, ValueTable)
    assert player.values.made["games"] == learner.games == 5000
    assert player.values.made["settings"] == learner.settings
    scores = TableLearner(OTHELLO, "q", seed=1).benchmark()
    assert learned("q", 5, opponents=("random",)).benchmark()["score against random"] > scores["score against random"]


def test_rate_and_epsilon() -> None:
    chosen = TableLearner(
        OTHELLO, "sarsa", seed=1, rate=0.8, rate_end=0.2, epsilon=1, epsilon_end=0.5, halving=1000
    ).options
    assert [chosen.rate_at(games) for games in (0, 1000, 2000)] == pytest.approx([0.8, 0.5, 0.35])
    assert [chosen.epsilon_at(games) for games in (0, 1000, 2000)] == pytest.approx([1, 0.75, 0.625])
    constant = TableLearner(OTHELLO, "sarsa", seed=1, epsilon=0.3)
    assert constant.settings["epsilon_end"] == 0.3


def test_full_table() -> None:
    learner = learned("td", 1, positions=100, batch=10)
    while not learner.finished:
        learner.step()
    assert 100 <= learner.size < 250
    assert learner.status.endswith("the table is full")


def test_fits_a_table() -> None:
    names = ("othello4", "connect4:4x4", "connect4:5x4", "connect4:4x5", "othello6", "connect4:5x5", "connect4")
    assert [fits_a_table(game(name)) for name in names] == [True] * 4 + [False] * 3


def test_larger_board() -> None:
    learner = TableLearner(game("connect4:5x5"), "q", seed=1, batch=20, opponents=("random",))
    assert set(learner.step()) == {"score against random"}
    assert learner.exploitability() is None
    with pytest.raises(LearningError, match="too large to be solved"):
        TableLearner(game("othello6"), "q", seed=1, until_optimal=True)


@pytest.mark.parametrize(
    ("settings", "expected_error"),
    [
        ({"rate": float("nan")}, "rate=nan: expected a finite number"),
        ({"rate": 0}, "rate=0: expected a number of at least 1e-06 and at most 1"),
        ({"epsilon": 1.5}, "epsilon=1.5: expected a number of at least 0 and at most 1"),
        ({"epsilon": -0.1}, "epsilon=-0.1"),
        ({"lambda_": 2}, "lambda=2: expected"),
        ({"discount": 0}, "discount=0"),
        ({"halving": float("inf")}, "halving=inf"),
        ({"initial": "high"}, "initial='high': expected a number"),
        ({"batch": 0}, "batch=0"),
        ({"batch": 10.5}, "batch=10.5: expected a whole number"),
        ({"drawn": 3}, "drawn=3: expected yes or no"),
        ({"reward": "fame"}, "reward='fame': expected one of margin, result"),
        ({"alpha": 1}, "no setting alpha; settings are "),
    ],
)
def test_invalid_settings(settings: dict[str, Any], expected_error: str) -> None:
    with pytest.raises(FlipdropError, match="^.*" + expected_error.replace("(", r"\(")):
        TableLearner(OTHELLO, "q", seed=1, **settings)


def test_resuming_a_large_table() -> None:
    """Codes of positions on 8x8 are remainders, from which positions cannot be read."""
    one, two = (TableLearner(game("othello"), "q", seed=1, opponents=(), batch=5) for _ in range(2))
    one.step()
    two.restore(one.state())
    one.step()
    two.step()
    mine, theirs = one.table(), two.table()
    assert one.size == two.size > 200
    assert (mine.codes.tolist(), mine.values.tolist()) == (theirs.codes.tolist(), theirs.values.tolist())


def test_invalid_games_and_rules() -> None:
    with pytest.raises(LearningError, match="a table for Connect Four 9x10, with 90 cells, would never be filled"):
        TableLearner(game("connect4:9x10"), "q", seed=1)
    with pytest.raises(LearningError, match="unknown rule 'monte'; there are q, sarsa, td"):
        TableLearner(OTHELLO, "monte", seed=1)  # type: ignore[arg-type]
