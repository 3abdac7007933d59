"""Methods of evolution by name."""

from __future__ import annotations

import pytest

from flipdrop.errors import LearningError
from flipdrop.games import game as game_of
from flipdrop.learning.genetic.methods import METHODS, check_method, evolvable_evaluations, make_evolution, steps_of


def test_evolvable_evaluations() -> None:
    assert set(evolvable_evaluations(game_of("othello"))) >= {"B", "D", "Seven"}
    assert "A" not in evolvable_evaluations(game_of("othello"))
    assert evolvable_evaluations(game_of("connect4")) == ("lines", "parity")


@pytest.mark.parametrize("method", METHODS)
def test_make_evolution(method: str) -> None:
    checked = check_method(method)
    learner = make_evolution(checked, game_of("othello4"), seed=1, threads=1, evaluation="D", depth=1)
    assert learner.name == method
    assert steps_of(checked) > 1


def test_options_of_other_methods() -> None:
    with pytest.raises(LearningError, match="population"):
        make_evolution("online-ga", game_of("othello4"), seed=1, threads=1, population=8)
    with pytest.raises(LearningError, match="unknown method 'R1'"):
        check_method("R1")
