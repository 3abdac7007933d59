"""Network-guided self-play, as AlphaZero does it: a network guides a search, plays itself, and learns what the search
has found out: which moves it came to prefer, and who won.

`settings` says what decides a run, `replay` keeps the games of late, `training` is the network in PyTorch (the only
module that loads it), `learner` puts them together, and `recipes` are settings that have been measured.
"""

from flipdrop.learning.network.learner import NetworkLearner
from flipdrop.learning.network.settings import RECIPES, TrainingSettings, settings_for

__all__ = ["RECIPES", "NetworkLearner", "TrainingSettings", "settings_for"]
