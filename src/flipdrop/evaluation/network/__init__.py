"""Policy and value networks: which moves look good, and who is going to win, from a look at the board.

A network is an ONNX file with facts about itself (`files`), which `Network` runs. What is asked of any evaluator that
guides a search is only that it can be called as `Evaluator` says.
"""

from flipdrop.evaluation.network.inference import Evaluator, Network, network_for, shipped_games
from flipdrop.evaluation.network.layers import Layer, Layers
from flipdrop.evaluation.network.network_file import NetworkMetadata, read_metadata, write_network

__all__ = [
    "Evaluator",
    "Layer",
    "Layers",
    "Network",
    "NetworkMetadata",
    "network_for",
    "read_metadata",
    "shipped_games",
    "write_network",
]
