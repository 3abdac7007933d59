"""Values of matches as text."""

from __future__ import annotations

import pytest

from flipdrop.experiments import conclusions, formatting


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (formatting.elo({"elo": None, "elo_interval": [None, None], "score": 0.0}), "−∞ (−∞ to ∞)"),
        (formatting.elo({"elo": None, "elo_interval": [None, None], "score": 1.0}), "∞ (−∞ to ∞)"),
        (formatting.elo({"elo": 12.0, "elo_interval": [-3.0, None], "score": 0.6}), "12 (−3 to ∞)"),
        (conclusions.underpowered(1.0, 2), "the report's 2 games are too few to decide"),
        (conclusions.underpowered(1.0, 6), ""),
        (formatting.discs({"margin": 8}), "36.0 : 28.0"),
        (formatting.discs({"margin": -4}, squares=16), "6.0 : 10.0"),
        (formatting.wins_draws_losses({"wins": 1736, "draws": 34, "losses": 0}), "1,736 / 34 / 0"),
    ],
)
def test_what_numbers_look_like(said: str, expected: str) -> None:
    assert said == expected
