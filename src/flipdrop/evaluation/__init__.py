"""Evaluations: static estimates of a position for the side to move, as sums of named terms.

``evaluation("D").explain(position)`` shows the terms of a score. Every evaluation of Othello plays on every board; only
tables of squares adapt, by kind of square: 6x6 takes lines 1, 2 and 4 of the 8x8 quarter in both directions, 4x4 its
corner, the square beside the corner for the rim, and the innermost square for the centre.
"""

import sys
from types import ModuleType
from typing import Any

from flipdrop.evaluation.evaluation import Breakdown, Evaluation, EvaluationFunction, Term
from flipdrop.evaluation.lookup import default_evaluation, evaluation
from flipdrop.evaluation.patterns import Networks, PatternModel
from flipdrop.evaluation.registry import DEFINITIONS, FAMILIES, PRESETS, TABLES, definitions_for_game
from flipdrop.evaluation.weight_file import read_weights, write_weights
from flipdrop.evaluation.weights import Weights

__all__ = [
    "DEFINITIONS",
    "FAMILIES",
    "PRESETS",
    "TABLES",
    "Breakdown",
    "Evaluation",
    "EvaluationFunction",
    "Networks",
    "PatternModel",
    "Term",
    "Weights",
    "default_evaluation",
    "definitions_for_game",
    "evaluation",
    "read_weights",
    "write_weights",
]


class _CallableModule(ModuleType):
    """Makes ``from flipdrop import evaluation; evaluation("D")`` work: the package has the name of its function."""

    def __call__(self, *arguments: Any, **options: Any) -> Evaluation:
        return evaluation(*arguments, **options)


sys.modules[__name__].__class__ = _CallableModule
