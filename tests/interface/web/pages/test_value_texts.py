"""Values of an analysis as people read them."""

from __future__ import annotations

import pytest

from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.value_texts import Unit, lead_text, value_text
from flipdrop.interface.web.schemas import ValueView


@pytest.mark.parametrize(
    ("value", "english", "chinese"),
    [
        ({"text": "58%"}, "58%", "58%"),
        ({"text": "-7"}, "−7", "−7"),
        ({"text": "=", "outcome": "draw"}, "draw", "和棋"),
        ({"text": "+12", "outcome": "win", "margin": 12}, "+12 discs", "胜 12 子"),
        ({"text": "-4", "outcome": "loss", "margin": -4}, "−4 discs", "负 4 子"),
        ({"text": "#4", "outcome": "win", "moves": 4}, "wins in 4", "4 步胜"),
        ({"text": "-", "outcome": "loss"}, "loss", "负"),
    ],
)
def test_value_text(value: dict[str, object], english: str, chinese: str) -> None:
    common = {"value": 0.0, "win_probability": 0.5, "proven": "outcome" in value}
    view = ValueView.model_validate(common | value)
    assert value_text(Translator("en"), view) == english
    assert value_text(Translator("zh"), view) == chinese


@pytest.mark.parametrize(
    ("kind", "value", "unit", "sentence"),
    [
        ("othello", {"win_probability": 0.73, "discs": 4.0}, "discs", "Black +4"),
        ("othello", {"win_probability": 0.27, "discs": -4.0}, "discs", "White +4"),
        ("othello", {"win_probability": 0.27, "discs": -4.0}, "win", "White 73%"),
        ("othello", {"win_probability": 0.5, "discs": 0.2}, "discs", "Even"),
        ("othello", {"win_probability": 0.96, "discs": 12.0, "outcome": "win", "margin": 12}, "win", "Black 100%"),
        ("othello", {"win_probability": 0.5, "discs": 0.0, "outcome": "draw"}, "discs", "draw"),
        ("connect4", {"win_probability": 0.02, "outcome": "loss", "moves": 5}, "discs", "Yellow wins in 5"),
        ("connect4", {"win_probability": 0.6}, "discs", "Red 60%"),
    ],
)
def test_lead_text(kind: str, value: dict[str, object], unit: Unit, sentence: str) -> None:
    view = ValueView.model_validate({"value": 0.0, "text": "", "proven": "outcome" in value} | value)
    assert lead_text(Translator("en"), kind, "first", view, unit) == sentence
