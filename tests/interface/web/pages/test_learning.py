"""The page of a learning run: its settings in the words of the page's language."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from flipdrop.interface.web.i18n import LANGUAGES, Translator, texts
from flipdrop.interface.web.pages.learning import settings_in_words
from flipdrop.learning.genetic.online_ga import OnlineSettings
from flipdrop.learning.genetic.position_ga import PositionGASettings
from flipdrop.learning.genetic.tournament_ga import RoundRobinSettings, TournamentSettings
from flipdrop.learning.linear import LinearSettings
from flipdrop.learning.network.settings import TrainingSettings
from flipdrop.learning.patterns.evaluation import EvaluationSettings
from flipdrop.learning.patterns.learner import PatternSettings
from flipdrop.learning.patterns.regression import RegressionSettings
from flipdrop.learning.tables.settings import TableSettings

SETTINGS = (
    *(OnlineSettings, PositionGASettings, RoundRobinSettings, TournamentSettings, LinearSettings, TrainingSettings),
    *(EvaluationSettings, PatternSettings, RegressionSettings, TableSettings),
)


@pytest.mark.parametrize("kind", SETTINGS, ids=lambda kind: kind.__name__)
def test_every_setting_has_words(kind: type) -> None:
    names = {f"setting.{field.name}" for field in fields(kind)}
    for language in LANGUAGES:
        assert names <= texts(language).keys()
    choices = {choice for field in fields(kind) for choice in field.metadata.get("choices", ())}
    assert {f"setting.value.{choice}" for choice in choices} <= texts("en").keys()


def test_no_python() -> None:
    settings = {
        "evaluation": "Weights('D', (15, 6, -10, -4, 8, 8))",
        "genes": "weights",
        "fitness_measure": "wins",
        "coherent": True,
        "threshold": None,
        "mutation": 0.2,
        "openings": "random:8",
    }
    assert settings_in_words(Translator("en"), settings) == {
        "evaluation": "D (15, 6, −10, −4, 8, 8)",
        "what evolves": "weights",
        "fitness": "wins minus losses",
        "learning rate per weight": "yes",
        "stop at fitness difference": None,
        "mutation probability": 0.2,
        "openings": "random:8",
    }
    chinese = settings_in_words(Translator("zh"), settings)
    assert not [name for name in chinese if re.search("[a-z]", name)]
