"""The ONNX graph of a network computes the same as its layers in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from flipdrop.evaluation.network import Layer, Layers, Network
from flipdrop.evaluation.network.layers import PLANES, graph_of, layers_of
from flipdrop.evaluation.network.network_file import network_bytes, shape_of
from flipdrop.games import game as game_of
from flipdrop.kernel import sample_cells, sample_planes
from tests.networks import layers_for, metadata_for

if TYPE_CHECKING:
    from numpy.typing import NDArray


def convolved(image: NDArray[np.float64], layer: Layer) -> NDArray[np.float64]:
    """By the definition: each cell's neighbourhood, with nothing beyond the edge."""
    channels, rows, columns = image.shape
    padded = np.zeros((channels, rows + 2, columns + 2))
    padded[:, 1:-1, 1:-1] = image
    out = np.empty((len(layer.bias), rows, columns))
    for row in range(rows):
        for column in range(columns):
            patch = padded[:, row : row + 3, column : column + 3]
            out[:, row, column] = (layer.weight * patch).sum((1, 2, 3)) + layer.bias
    return out


def computed(layers: Layers, planes: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    flow = before = planes
    for layer in layers.body:
        skipped, before = before, flow
        flow = convolved(flow, layer) if layer.is_convolution else flow.reshape(-1) @ layer.weight + layer.bias
        flow = np.maximum(flow + skipped if layer.residual else flow, 0)
    flow = flow.reshape(-1)
    value = np.tanh(flow @ layers.value.weight + layers.value.bias)
    return flow @ layers.policy.weight + layers.policy.bias, float(value[0])


def same_layers(one: Layers, other: Layers) -> bool:
    return len(one.body) == len(other.body) and all(
        np.array_equal(a.weight, b.weight) and np.array_equal(a.bias, b.bias) and a.residual == b.residual
        for a, b in zip(one.all_layers, other.all_layers, strict=True)
    )


@pytest.mark.parametrize("game", ["connect4", "othello6", "connect4:5x4,forbid=a2"])
@pytest.mark.parametrize("body", ["both", "dense", "conv", "residual"])
def test_graph_computes_the_layers(game: str, body: str) -> None:
    layers = layers_for(game)
    rows, columns, moves = shape_of(game_of(game))
    if body == "dense":
        random = np.random.default_rng(2)
        first = Layer(random.standard_normal((PLANES * rows * columns, 8)).astype(np.float32), np.ones(8, np.float32))
        layers = Layers((first,), layers.policy, layers.value)
    elif body in ("conv", "residual"):
        random = np.random.default_rng(2)
        wide = 3 * rows * columns
        heads = [np.asarray(random.standard_normal((wide, n)) / wide, np.float32) for n in (moves, 1)]
        block = [
            Layer(random.standard_normal((3, 3, 3, 3)).astype(np.float32), np.ones(3, np.float32), end)
            for end in (False, True)
        ]
        convolutions = (*layers.body[:1], *(block if body == "residual" else ()))
        layers = Layers(convolutions, *(Layer(head, np.zeros(head.shape[1], np.float32)) for head in heads))
    network = Network("test", network_bytes(layers, metadata_for(game)))
    assert same_layers(layers_of(graph_of(layers, rows=rows, columns=columns)), layers)
    planes = (np.random.default_rng(3).random((5, PLANES, rows, columns)) < 0.3).astype(np.float32)
    policies, values = network(planes)
    assert policies.shape == (5, moves)
    for n in range(5):
        policy, value = computed(layers, planes[n].astype(np.float64))
        np.testing.assert_allclose(policies[n], policy, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(values[n], value, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("change", ["another order", "another name", "no value"])
def test_layers_of_other_graphs(change: str) -> None:
    graph = graph_of(layers_for("connect4"), rows=6, columns=7)
    if change == "another order":
        nodes = list(graph.node)
        del graph.node[:]
        graph.node.extend(reversed(nodes))
    elif change == "another name":
        graph.node[0].output[0] = "first"
    else:
        del graph.node[-2:]
    with pytest.raises(ValueError, match="no graph that flipdrop has made"):
        layers_of(graph)


def test_number_of_planes() -> None:
    position = game_of("othello6").start()
    planes = sample_planes(position, sample_cells(position)[None], np.zeros(1, np.uint8))
    assert planes.shape == (1, PLANES, 6, 6)
