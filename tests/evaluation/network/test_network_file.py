"""Files of networks: what is written is read back, and nothing but a network is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper, numpy_helper

from flipdrop.errors import ModelError
from flipdrop.evaluation.network import SHIPPED_GAMES, Layer, Layers, Network, network_for, read_metadata, write_network
from flipdrop.evaluation.network import network_file as network_files
from flipdrop.evaluation.network.network_file import network_bytes, validated_metadata
from flipdrop.games import game as game_of
from tests.networks import facts_for, layers_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GOOD = network_bytes(layers_for("connect4"), facts_for("connect4"))


def signed(change: Callable[[onnx.ModelProto], object], **header: object) -> bytes:
    """The good network with something changed, and the checksum that belongs to it."""
    model = onnx.load_model_from_string(GOOD)
    change(model)
    metadata = json.loads(model.metadata_props[0].value) | header
    metadata.pop("checksum")
    metadata["checksum"] = network_files._checksum(metadata, model.graph)
    model.metadata_props[0].value = json.dumps(metadata)
    data: bytes = model.SerializeToString()
    return data


def nothing(_: onnx.ModelProto) -> None:
    pass


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    write_network(path, layers_for("connect4"), facts_for("connect4"))
    assert read_metadata(path) == facts_for("connect4")
    assert path.read_bytes() == GOOD  # the same network is the same file
    planes = np.ones((2, 4, 6, 7), np.float32)
    for one, other in zip(Network.read(path)(planes), Network("test", GOOD)(planes), strict=True):
        np.testing.assert_array_equal(one, other)
    onnx.checker.check_model(onnx.load_model_from_string(GOOD), full_check=True)


def test_cache_of_files(tmp_path: Path) -> None:
    path, game = tmp_path / "net.onnx", game_of("connect4")
    write_network(path, layers_for("connect4"), facts_for("connect4"))
    first = network_for(game, path)
    assert network_for(game, path) is first
    write_network(path, layers_for("connect4", size=9), facts_for("connect4"))
    assert network_for(game, path) is not first


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_file_is_refused(data: st.DataObject) -> None:
    damaged = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at] ^= data.draw(st.integers(1, 255))
    if data.draw(st.booleans()):
        damaged = damaged[: data.draw(st.integers(0, len(damaged)))]
    try:
        Network("test", bytes(damaged))
    except ModelError:
        pass
    else:  # what says who wrote the file may change; what it computes may not
        assert onnx.load_model_from_string(bytes(damaged)).graph == onnx.load_model_from_string(GOOD).graph


def external(model: onnx.ModelProto) -> None:
    array = model.graph.initializer[0]
    array.data_location = onnx.TensorProto.EXTERNAL
    array.external_data.add(key="location", value="/etc/hostname")


def not_finite(model: onnx.ModelProto) -> None:
    array = model.graph.initializer[0]
    numbers = numpy_helper.to_array(array).copy()
    numbers.flat[0] = np.nan
    array.CopyFrom(numpy_helper.from_array(numbers, array.name))


def too_short(model: onnx.ModelProto) -> None:
    model.graph.initializer[0].raw_data = b"1234"


def of_another_domain(model: onnx.ModelProto) -> None:
    model.opset_import.append(helper.make_opsetid("com.example", 1))
    model.graph.node[0].domain = "com.example"


def hidden_domain(model: onnx.ModelProto) -> None:
    model.graph.node[0].domain = "com.example"


def with_function(model: onnx.ModelProto) -> None:
    model.functions.add(name="f", domain="local")


def with_subgraph(model: onnx.ModelProto) -> None:
    graph = helper.make_graph([], "inner", [], [])
    model.graph.node.append(helper.make_node("If", ["policy"], ["x"], then_branch=graph, else_branch=graph))


def unknown_operator(model: onnx.ModelProto) -> None:
    model.graph.node[0].op_type = "Frobnicate"


def another_input(model: onnx.ModelProto) -> None:
    model.graph.input[0].name = "pixels"


@pytest.mark.parametrize(
    ("change", "header", "says"),
    [
        (external, {}, "in another file"),
        (not_finite, {}, "not finite"),
        (too_short, {}, "damaged"),
        (of_another_domain, {}, "com.example"),
        (hidden_domain, {}, "com.example"),
        (with_function, {}, "functions"),
        (with_subgraph, {}, "If holds a graph"),
        (unknown_operator, {}, "no network that runs"),
        (another_input, {}, "input is"),
        (nothing, {"game": "othello6"}, "input is"),
        (nothing, {"game": "chess"}, "chess"),
        (nothing, {"game": 7}, "metadata"),
        (nothing, {"settings": 3}, "metadata"),
        (nothing, {"version": 2}, "version 2"),
        (nothing, {"format": "shopping list"}, "shopping list"),
    ],
)
def test_graphs_that_are_no_network(
    change: Callable[[onnx.ModelProto], object], header: dict[str, Any], says: str
) -> None:
    with pytest.raises(ModelError, match=says):
        Network("test", signed(change, **header))


def test_wrong_checksum() -> None:
    model = onnx.load_model_from_string(GOOD)
    array = model.graph.initializer[0]
    array.CopyFrom(numpy_helper.from_array(2 * numpy_helper.to_array(array), array.name))
    with pytest.raises(ModelError, match="checksum"):
        validated_metadata("test", model.SerializeToString())


@pytest.mark.parametrize("data", [b"", b"hello", b"\x08", GOOD[: len(GOOD) // 2]], ids=["empty", "text", "bit", "half"])
def test_other_files(data: bytes) -> None:
    with pytest.raises(ModelError, match="damaged, or no network"):
        validated_metadata("test", data)


def test_writing_weights_that_are_not_finite(tmp_path: Path) -> None:
    good = layers_for("connect4")
    bad = Layers(good.body, Layer(good.policy.weight * np.inf, good.policy.bias), good.value)
    with pytest.raises(ModelError, match="not finite"):
        write_network(tmp_path / "net.onnx", bad, facts_for("connect4"))
    assert not list(tmp_path.iterdir())


def test_a_network_plays_its_own_game_only() -> None:
    with pytest.raises(ModelError, match=r"network for connect4, not for connect4:8x7"):
        Network("test", GOOD).check_plays(game_of("connect4:8x7"))


@pytest.mark.parametrize("game", SHIPPED_GAMES)
def test_shipped_networks(game: str) -> None:
    network = network_for(game_of(game))
    assert network.metadata.game == game
    assert network.metadata.made["games"] > 0
    assert network_for(game_of(game)) is network


def test_game_without_a_shipped_network() -> None:
    with pytest.raises(ModelError, match="flipdrop train othello --out"):
        network_for(game_of("othello"))
