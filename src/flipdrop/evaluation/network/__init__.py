"""Policy and value networks in ONNX files, run by `Network`.

PUCT takes any callable with the signature of `Evaluator`.
"""

from flipdrop.evaluation.network.inference import SHIPPED_GAMES, Evaluator, Network, network_for
from flipdrop.evaluation.network.layers import Layer, Layers
from flipdrop.evaluation.network.network_file import NetworkMetadata, read_metadata, write_network

__all__ = [
    "SHIPPED_GAMES",
    "Evaluator",
    "Layer",
    "Layers",
    "Network",
    "NetworkMetadata",
    "network_for",
    "read_metadata",
    "write_network",
]
