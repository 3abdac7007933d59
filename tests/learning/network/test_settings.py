"""Settings of training: errors, and the defaults of each game."""

from __future__ import annotations

from typing import Any

import pytest

from flipdrop.errors import FlipdropError, LearningError
from flipdrop.games import game
from flipdrop.learning.network import RECIPES, TrainingSettings, settings_for


@pytest.mark.parametrize(
    ("body", "layers"),
    [
        ("conv:3x32", ((32, 32, 32), ())),
        ("dense:384-256-128", ((), (384, 256, 128))),
        ("conv:1x8+dense:64", ((8,), (64,))),
        ("res:2x8+dense:64", ((8,) * 5, (64,))),
    ],
)
def test_bodies_are_read(body: str, layers: tuple[tuple[int, ...], ...]) -> None:
    assert TrainingSettings(body=body).layers() == layers


@pytest.mark.parametrize(
    "body", ["", "conv:3", "dense:", "dense:0", "conv:0x0", "dense:12-", "+", "conv:2x8+", "res:0x8", "lstm"]
)
def test_invalid_bodies(body: str) -> None:
    with pytest.raises(LearningError, match="body="):
        TrainingSettings(body=body)


@pytest.mark.parametrize(
    "change", [{"games": 0}, {"noise": 1.5}, {"rate": 0}, {"full_search_probability": 0}, {"rate": float("nan")}]
)
def test_out_of_range(change: dict[str, Any]) -> None:
    with pytest.raises(FlipdropError, match=next(iter(change))):
        TrainingSettings(**change)


def test_every_game_has_a_recipe() -> None:
    assert settings_for(game("connect4")) == RECIPES["connect4"]
    assert settings_for(game("othello")) == RECIPES["othello"]
    assert settings_for(game("othello6")) == RECIPES["othello6"]
    assert settings_for(game("connect4:9x10")) == RECIPES["connect4"]
    assert settings_for(game("othello"), noise=0.1).noise == 0.1


def test_the_rate_falls_and_stays() -> None:
    plan = TrainingSettings(rate=0.1, half_life=10, slowest=0.25)
    assert [plan.rate_after(games) for games in (0, 10, 20, 1000)] == pytest.approx([0.1, 0.05, 0.025, 0.025])


def test_the_rate_of_a_warm_start_rises_and_falls() -> None:
    plan = TrainingSettings(warm_rate=0.1, warm_updates=1000, slowest=0.05)
    rates = [plan.warm_rate_after(updates) for updates in range(1001)]
    peak = rates.index(max(rates))
    assert 10 <= peak <= 25
    assert rates[:peak] == sorted(rates[:peak])
    assert rates[peak:] == sorted(rates[peak:], reverse=True)
    assert rates[-1] == pytest.approx(0.005)


def test_residual_blocks() -> None:
    plan = TrainingSettings(body="res:2x8")
    assert [n for n in range(5) if plan.is_residual(n)] == [2, 4]
    assert not any(TrainingSettings(body="conv:5x8").is_residual(n) for n in range(5))


def test_recorded_settings() -> None:
    """Checkpoints and results from before there were initial models have no such setting."""
    plan = TrainingSettings()
    assert "initial_model" not in plan.recorded()
    assert TrainingSettings(**plan.recorded()) == plan
    begun = TrainingSettings(initial_model="my.onnx")
    assert TrainingSettings(**begun.recorded()) == begun
