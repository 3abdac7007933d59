"""Learning pattern networks by self-play, or from positions with known values."""

from flipdrop.learning.patterns.endgame import EndgameLearner, EndgameSettings
from flipdrop.learning.patterns.learner import PatternLearner, PatternSettings
from flipdrop.learning.patterns.regression import PatternRegression
from flipdrop.learning.patterns.sets import patterns_of

__all__ = [
    "EndgameLearner",
    "EndgameSettings",
    "PatternLearner",
    "PatternRegression",
    "PatternSettings",
    "patterns_of",
]
