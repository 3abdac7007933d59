"""Learning: players that nobody wrote by hand.

Every learner has settings, a seed and a game, works in steps, can stop and go on as if it never had, and leaves a model
that plays. `Learner` is what they have in common, `TrainingRun` is the loop that all of them run in.
"""

from flipdrop.arena.store import Point
from flipdrop.learning.curve import Curve
from flipdrop.learning.learner import Learner, State
from flipdrop.learning.training_run import Budget, TrainingRun

__all__ = ["Budget", "Curve", "Learner", "Point", "State", "TrainingRun"]
