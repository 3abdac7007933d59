"""Linear values: features against slow counts, files, and the player."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from flipdrop.errors import ModelError, PlayerError
from flipdrop.evaluation import evaluation
from flipdrop.games import Position, game
from flipdrop.model_file import write_model_file
from flipdrop.players import player
from flipdrop.players.learned import reward_of
from flipdrop.players.linear_values import LinearPlayer, LinearValues, square_classes
from tests.strategies import random_line

if TYPE_CHECKING:
    from pathlib import Path

OTHELLO = game("othello")
CONNECT4 = game("connect4")


def squares(name: str = "othello", *, seed: int = 1) -> LinearValues:
    kind = game(name)
    count = square_classes(kind).max() + 1
    return LinearValues(kind, "squares", "result", np.random.default_rng(seed).normal(size=count))


def seven() -> LinearValues:
    return LinearValues(OTHELLO, "terms", "margin", np.random.default_rng(1).normal(size=7))


@pytest.mark.parametrize(("name", "count"), [("othello", 10), ("othello6", 6), ("connect4", 24), ("connect4:4x4", 8)])
def test_square_classes(name: str, count: int) -> None:
    classes = square_classes(game(name))
    assert sorted(set(classes.tolist())) == list(range(count))


@pytest.mark.parametrize("name", ["othello", "othello6", "connect4"])
def test_squares(name: str) -> None:
    """A feature is the number of own minus other discs on the squares of its class, and mirror images have the same."""
    values = squares(name)
    classes = square_classes(values.game)
    line = random_line(values.game, Random(3))  # type: ignore[arg-type]
    for position, row in zip(line, values.features_of(line), strict=True):
        expected = [0] * (max(classes) + 1)
        for cell, mark in enumerate(position.cells):
            if mark in "XO":
                expected[classes[cell]] += 1 if "XO".index(mark) == position.to_move else -1
        assert row.tolist() == expected
        images: list[Position] = [position.transformed(symmetry) for symmetry in range(position.symmetries)]
        assert (values.features_of(images) == row).all()


def test_names() -> None:
    assert squares().names == ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"]
    assert squares("connect4:4x4").names == ["a4", "b4", "a3", "b3", "a2", "b2", "a1", "b1"]
    assert seven().names[0] == "squares"
    assert len(LinearValues(CONNECT4, "terms", "result", np.zeros(0)).names) > 1


def test_terms() -> None:
    line = random_line(OTHELLO, Random(4))  # type: ignore[arg-type]
    for position, row in zip(line, seven().features_of(line), strict=True):
        assert row.tolist() == [term.feature for term in evaluation("Seven").explain(position).terms]


@pytest.mark.parametrize("values", [seven(), squares(), squares("connect4")], ids=["terms", "squares", "connect4"])
def test_values_of_moves(values: LinearValues) -> None:
    for position in random_line(values.game, Random(5))[:-1]:  # type: ignore[arg-type]
        found = values.move_values(position)
        assert tuple(found) == position.legal_moves
        for move, value in found.items():
            after = position.play(move)
            if after.is_over:
                assert value == -reward_of(values.game, after.final_score, values.reward)
            else:
                assert value == pytest.approx(-float(values.features_of([after])[0] @ values.weights))
        assert found[LinearPlayer(values=values).choose(position)] == max(found.values())


def test_file(tmp_path: Path) -> None:
    path = tmp_path / "my.linear"
    seven().write(path)
    made = player(f"linear:model={path}", game="othello")
    assert isinstance(made, LinearPlayer)
    position = OTHELLO.position("f5d6c3")
    assert made.choose(position) == LinearPlayer(values=seven()).choose(position)
    assert made.report(position).value == max(seven().move_values(position).values())
    with pytest.raises(PlayerError, match="was learned for Othello 8x8, not for Othello 6x6"):
        player(made.spec, game="othello6")
    with pytest.raises(PlayerError, match=r"linear:model=my\.linear"):
        player("linear")
    with pytest.raises(PlayerError, match="No such file"):
        player(f"linear:model={tmp_path / 'none.linear'}")


@pytest.mark.parametrize(
    ("change", "weights", "expected_error"),
    [
        ({}, np.zeros(6), "its number of weights is wrong"),
        ({"features": "moods"}, np.zeros(7), "it has 'moods'"),
        ({"game": "chess"}, np.zeros(7), "chess"),
        ({"extra": 1}, np.zeros(7), "a part is missing"),
    ],
)
def test_invalid_files(
    tmp_path: Path,
    change: dict[str, object],
    weights: np.ndarray[tuple[int], np.dtype[np.float64]],
    expected_error: str,
) -> None:
    metadata = {"game": "othello", "features": "terms", "reward": "result", "made": {}} | change
    write_model_file(tmp_path / "my.linear", "linear value function", metadata, {"weights": weights})
    with pytest.raises(ModelError, match=expected_error):
        LinearValues.read(tmp_path / "my.linear")
