"""Self-play training of policy/value networks, as in AlphaZero.

`settings` declares the options, `samples` the training data, `training` is the network in PyTorch (the only module that
imports it) and `learner` combines them with self-play in the kernel.
"""

from flipdrop.learning.network.learner import NetworkLearner
from flipdrop.learning.network.settings import RECIPES, TrainingSettings, settings_for

__all__ = ["RECIPES", "NetworkLearner", "TrainingSettings", "settings_for"]
