"""Policy and value networks: which moves look good, and who is going to win, from a look at the board.

A network is an ONNX file with facts about itself (`files`), which `Network` runs. What is asked of any evaluator that
guides a search is only that it can be called as `Evaluator` says.
"""

from flipdrop.evaluation.network.files import NetworkFacts, read_facts, write_network
from flipdrop.evaluation.network.layers import Layer, Layers
from flipdrop.evaluation.network.running import Evaluator, Network, network_for, shipped_games

__all__ = [
    "Evaluator",
    "Layer",
    "Layers",
    "Network",
    "NetworkFacts",
    "network_for",
    "read_facts",
    "shipped_games",
    "write_network",
]
