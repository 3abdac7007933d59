"""Small networks for tests: random ones for any game, and evaluators that are plain functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flipdrop.evaluation.network import Layer, Layers, NetworkMetadata
from flipdrop.evaluation.network.layers import PLANES
from flipdrop.evaluation.network.network_file import shape_of
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop.evaluation.network import Evaluator


def layers_for(game: str, *, channels: int = 3, size: int = 8, seed: int = 1) -> Layers:
    """A convolution and a dense layer with random weights, large enough to have opinions."""
    rows, columns, moves = shape_of(game_of(game))
    random = np.random.default_rng(seed)

    def layer(*shape: int) -> Layer:
        outputs = shape[0] if len(shape) == 4 else shape[1]
        weight = random.standard_normal(shape) / (np.prod(shape) / outputs) ** 0.5
        return Layer(weight.astype(np.float32), (0.1 * random.standard_normal(outputs)).astype(np.float32))

    body = (layer(channels, PLANES, 3, 3), layer(channels * rows * columns, size))
    return Layers(body, layer(size, moves), layer(size, 1))


def metadata_for(game: str) -> NetworkMetadata:
    return NetworkMetadata(game, {"body": "conv:1x3+dense:8"}, {"seed": 1, "games": 0})


def indifferent(moves: int) -> Evaluator:
    """Thinks all moves and positions the same."""

    def evaluate(planes: NDArray[np.float32], /) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return np.zeros((len(planes), moves), np.float32), np.zeros(len(planes), np.float32)

    return evaluate
