"""Fitting of pattern networks to the solver's values, and what cannot be fitted."""

from __future__ import annotations

import numpy as np
import pytest

from flipdrop.arena.openings import Openings
from flipdrop.errors import LearningError
from flipdrop.games import game
from flipdrop.learning.patterns import PatternRegression
from flipdrop.search import Solver


def test_regression() -> None:
    kind = game("othello4")
    solver = Solver(line=False)
    positions = [opening.position for opening in Openings(kind, "random:4", 1).take(60)]
    positions += [opening.position for opening in Openings(kind, "random:6", 1).take(400)]
    values = [float(solver.solve(position).score or 0) for position in positions]
    learning = PatternRegression(kind, positions, values, seed=1, stages=1)
    first = learning.step()
    for _ in range(30):
        last = learning.step()
    assert last["error of positions learned from"] < 0.2 * first["error of positions learned from"]
    assert last["error of unseen positions"] < 0.8 * float(np.std(values))


def test_invalid_regression() -> None:
    kind = game("othello4")
    with pytest.raises(LearningError, match="each has one"):
        PatternRegression(kind, [kind.start()], [1.0, 2.0], seed=1)
    with pytest.raises(LearningError, match="finite"):
        PatternRegression(kind, [kind.start()] * 10, [float("nan")] * 10, seed=1)
    with pytest.raises(LearningError, match="no positions"):
        PatternRegression(kind, [], [], seed=1)
