"""Values of an analysis as people read them."""

from __future__ import annotations

import pytest

from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.analysis_panels import value_text
from flipdrop.interface.web.schemas import ValueView


@pytest.mark.parametrize(
    ("value", "english", "chinese"),
    [
        ({"text": "58%"}, "58%", "58%"),
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
