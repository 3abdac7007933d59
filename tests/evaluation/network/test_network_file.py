"""Network files: round trips; anything but a network is refused."""

from __future__ import annotations

import json
from importlib import resources
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
from flipdrop.evaluation.network.layers import PLANES
from flipdrop.evaluation.network.network_file import network_bytes, read_layers, validated_metadata
from flipdrop.games import game as game_of
from tests.networks import layers_for, metadata_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GOOD = network_bytes(layers_for("connect4"), metadata_for("connect4"))


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
    write_network(path, layers_for("connect4"), metadata_for("connect4"))
    assert read_metadata(path) == metadata_for("connect4")
    assert path.read_bytes() == GOOD  # the same network is the same file
    planes = np.ones((2, 4, 6, 7), np.float32)
    for one, other in zip(Network.read(path)(planes), Network("test", GOOD)(planes), strict=True):
        np.testing.assert_array_equal(one, other)
    onnx.checker.check_model(onnx.load_model_from_string(GOOD), full_check=True)


def test_cache_of_files(tmp_path: Path) -> None:
    path, game = tmp_path / "net.onnx", game_of("connect4")
    write_network(path, layers_for("connect4"), metadata_for("connect4"))
    first = network_for(game, path)
    assert network_for(game, path) is first
    write_network(path, layers_for("connect4", size=9), metadata_for("connect4"))
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


def expanded(model: onnx.ModelProto) -> None:
    """Of 400 KB of weights, 6 GB for each inference."""
    shape = numpy_helper.from_array(np.array([40_000, 40_000], np.int64), "shape")
    model.graph.initializer.append(shape)
    model.graph.node.append(helper.make_node("Expand", ["value", "shape"], ["large"]))


def strided(model: onnx.ModelProto) -> None:
    model.graph.node[0].attribute.append(helper.make_attribute("dilations", [1 << 40, 1]))


def added_array(model: onnx.ModelProto) -> None:
    array = numpy_helper.from_array(np.zeros((1000, 1, 1), np.float32), "many")
    model.graph.initializer.append(array)
    model.graph.node.append(helper.make_node("Add", ["planes", "many"], ["wider"]))


def shared_array(model: onnx.ModelProto) -> None:
    gemm = [node for node in model.graph.node if node.op_type == "Gemm"]
    gemm[1].input[2] = gemm[0].input[2]


def endless(model: onnx.ModelProto) -> None:
    for number in range(2000):
        model.graph.node.append(helper.make_node("Relu", ["planes"], [f"more{number}"]))


def wide(model: onnx.ModelProto) -> None:
    convolution = next(node for node in model.graph.node if node.op_type == "Conv")
    array = next(array for array in model.graph.initializer if array.name == convolution.input[1])
    array.CopyFrom(numpy_helper.from_array(np.zeros((10_001, 4, 3, 3), np.float32), array.name))


def deep_header(model: onnx.ModelProto) -> None:
    model.metadata_props[0].key = "other"
    model.metadata_props.add(key="flipdrop", value="[" * 100_000)


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
        (unknown_operator, {}, "operator 'Frobnicate'"),
        (expanded, {}, "operator 'Expand'"),
        (strided, {}, "other attributes"),
        (added_array, {}, "adds an array"),
        (shared_array, {}, "uses an array twice"),
        (endless, {}, "at most 1000"),
        (wide, {}, "at most 10,000 channels"),
        (deep_header, {}, "damaged, or no network"),
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
        write_network(tmp_path / "net.onnx", bad, metadata_for("connect4"))
    assert not list(tmp_path.iterdir())


def test_a_network_plays_its_own_game_only() -> None:
    with pytest.raises(ModelError, match=r"network for connect4, not for connect4:8x7"):
        Network("test", GOOD).check_plays(game_of("connect4:8x7"))


@pytest.mark.parametrize("game", SHIPPED_GAMES)
def test_shipped_networks(game: str) -> None:
    network = network_for(game_of(game))
    assert network.metadata.game == game
    made = network.metadata.made
    assert made["games"] > 0 or made["warm_start"]["positions"] > 0
    assert network_for(game_of(game)) is network


@pytest.mark.parametrize("game", SHIPPED_GAMES)
def test_layers_of_shipped_networks(game: str, tmp_path: Path) -> None:
    shipped = resources.files("flipdrop.evaluation.network") / "data" / f"{game}.onnx"
    with resources.as_file(shipped) as path:
        layers, metadata = read_layers(path)
        assert metadata == read_metadata(path)
    write_network(tmp_path / "net.onnx", layers, metadata)
    rows, columns, _ = metadata.shape()
    planes = np.random.default_rng(1).random((3, PLANES, rows, columns)).astype(np.float32)
    for one, other in zip(network_for(game_of(game))(planes), Network.read(tmp_path / "net.onnx")(planes), strict=True):
        np.testing.assert_array_equal(one, other)


def test_layers_of_another_graph(tmp_path: Path) -> None:
    def renamed(model: onnx.ModelProto) -> None:
        model.graph.name = "another name"

    (tmp_path / "net.onnx").write_bytes(signed(renamed))
    with pytest.raises(ModelError, match=r"net\.onnx: it is no graph that flipdrop has made"):
        read_layers(tmp_path / "net.onnx")


def test_game_without_a_shipped_network() -> None:
    with pytest.raises(ModelError, match="flipdrop train othello4 --out"):
        network_for(game_of("othello4"))
