"""Learning pattern networks by self-play, or from positions with known values."""

from flipdrop.learning.patterns.evaluation import EvaluationLearner, EvaluationSettings
from flipdrop.learning.patterns.learner import PatternLearner, PatternSettings
from flipdrop.learning.patterns.regression import PatternRegression
from flipdrop.learning.patterns.sets import patterns_of

__all__ = [
    "EvaluationLearner",
    "EvaluationSettings",
    "PatternLearner",
    "PatternRegression",
    "PatternSettings",
    "patterns_of",
]
