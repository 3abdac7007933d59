"""Methods of evolution by name."""

from __future__ import annotations

import pytest

from flipdrop.errors import LearningError
from flipdrop.games import game as game_of
from flipdrop.learning.genetic.methods import METHODS, check_method, evolvable_evaluations, make_evolution, steps_of


def test_what_can_evolve_has_weights_that_matter() -> None:
    assert set(evolvable_evaluations(game_of("othello"))) >= {"B", "D", "Seven"}
    assert "A" not in evolvable_evaluations(game_of("othello"))
    assert evolvable_evaluations(game_of("connect4")) == ("lines",)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_makes_a_learner_of_its_name(method: str) -> None:
    checked = check_method(method)
    learner = make_evolution(checked, game_of("othello4"), seed=1, threads=1, evaluation="D", depth=1)
    assert learner.name == method
    assert steps_of(checked) > 1


def test_options_of_other_methods_are_refused() -> None:
    with pytest.raises(LearningError, match="population"):
        make_evolution("online-ga", game_of("othello4"), seed=1, threads=1, population=8)
    with pytest.raises(LearningError, match="unknown method 'R1'"):
        check_method("R1")
