"""Learning: genetic algorithms, tabular reinforcement learning, pattern networks and self-play networks.

Every `Learner` has settings, a seed and a game, works in steps, can be stopped and resumed with the same result, and
writes a model that plays. `TrainingRun` is the loop that runs all of them.
"""

from flipdrop.arena.store import Point
from flipdrop.learning.curve import Curve
from flipdrop.learning.learner import Learner, State
from flipdrop.learning.training_run import Budget, TrainingRun

__all__ = ["Budget", "Curve", "Learner", "Point", "State", "TrainingRun"]
