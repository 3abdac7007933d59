"""Network files: ONNX with a JSON header in the model's metadata.

An ONNX graph may name operators of other libraries, data in other files, or nested graphs, and a few bytes of it can
expand to any number of gigabytes. This reader takes graphs of the operators in `layers` only: all numbers are in the
file and finite, each array belongs to one layer, so that memory and time of an inference are bounded by the size of the
file, and inputs and outputs are the planes, policy and value of the board in its header.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.errors import DAMAGE, FlipdropError, ModelError, install_command, quoted
from flipdrop.evaluation.network.layers import PLANES, graph_of, layers_of
from flipdrop.files import atomic_write
from flipdrop.games import game as game_of
from flipdrop.kernel import sample_cells

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, TensorProto, ValueInfoProto

    from flipdrop.evaluation.network.layers import Layers
    from flipdrop.games import Game

FORMAT = "flipdrop network"
VERSION = 1
_KEY = "flipdrop"
_OPSET, _IR = 17, 8  # of 2022; every later onnxruntime reads them
_MAX_BYTES = 128 << 20
_MAX_HEADER = 1 << 20  # characters of JSON
_MAX_CHANNELS = 10_000  # of a convolution: a batch of boards takes this times its cells
_MAX_NODES = 1000
_ATTRIBUTES: dict[str, dict[str, list[int]]] = {
    "Conv": {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]},
    **{operator: {} for operator in ("Add", "Flatten", "Gemm", "Relu", "Tanh")},
}
"""The operators of a network, and their attributes."""
_NOT_INSTALLED = f"networks need onnxruntime: {install_command('network')}"


@dataclass(frozen=True)
class NetworkMetadata:
    """The header of a network file.

    :param game: its name
    :param settings: of its training
    :param made: provenance: seed, time, games
    """

    game: str
    settings: dict[str, Any] = field(default_factory=dict)
    made: dict[str, Any] = field(default_factory=dict)

    def shape(self) -> tuple[int, int, int]:
        """Rows, columns and moves of its board."""
        return shape_of(game_of(self.game))


def shape_of(game: Game) -> tuple[int, int, int]:
    start = game.start()
    rows, columns = sample_cells(start).shape
    return rows, columns, start.move_space


def write_network(path: str | os.PathLike[str], layers: Layers, metadata: NetworkMetadata) -> None:
    """Writes a network atomically."""
    atomic_write(path, network_bytes(layers, metadata))


def network_bytes(layers: Layers, metadata: NetworkMetadata) -> bytes:
    """The bytes of a network's file."""
    check_installed()
    from onnx import helper

    rows, columns, _ = metadata.shape()
    model = helper.make_model(
        graph_of(layers, rows=rows, columns=columns),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR,
        producer_name="flipdrop",
    )
    header = {"format": FORMAT, "version": VERSION, **asdict(metadata)}
    header["checksum"] = _checksum(header, model.graph)
    helper.set_model_props(model, {_KEY: json.dumps(header)})
    _check_graph("the network", model.graph, metadata)
    data = bytes(model.SerializeToString(deterministic=True))
    _check_size("the network", len(data))
    return data


def read_metadata(name: str | os.PathLike[str]) -> NetworkMetadata:
    """The metadata of the network in a file."""
    return validated_metadata(os.fspath(name), read_bytes(name))


def read_layers(path: str | os.PathLike[str]) -> tuple[Layers, NetworkMetadata]:
    """The layers of the network in a file, and its metadata."""
    name, data = os.fspath(path), read_bytes(path)
    metadata = validated_metadata(name, data)
    from onnx import load_model_from_string

    try:
        return layers_of(load_model_from_string(data).graph), metadata
    except ValueError as error:
        raise ModelError(f"{name}: {error}") from None


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file; ModelError for a file that is too large for a network."""
    _check_size(os.fspath(path), Path(path).stat().st_size)
    return Path(path).read_bytes()


def _check_size(name: str, size: int) -> None:
    if size > _MAX_BYTES:
        raise ModelError(f"{name} has {size >> 20} MB; a network has at most {_MAX_BYTES >> 20} MB")


def validated_metadata(name: str, data: bytes) -> NetworkMetadata:
    """The metadata of a network; ModelError if the data are damaged or not an allowed network.

    :param name: for error messages
    """
    check_installed()
    from google.protobuf.message import DecodeError
    from onnx import ModelProto

    model = ModelProto()
    try:
        model.ParseFromString(data)
        header = _header(model)
        found, version, checksum = (header.pop(key) for key in ("format", "version", "checksum"))
        header = {"format": found, "version": version, **header}
    except (DecodeError, ValueError, KeyError, TypeError, RecursionError):
        raise ModelError(f"{name} is damaged, or no network of flipdrop") from None
    if found != FORMAT:
        raise ModelError(f"{name} is a {quoted(str(found))}; a {FORMAT} is needed")
    if version != VERSION:
        raise ModelError(f"{name} is of version {str(version)[:20]}, and this flipdrop reads version {VERSION}")
    if checksum != _checksum(header, model.graph):
        raise ModelError(f"{name} is damaged: its checksum does not match")
    try:
        metadata = NetworkMetadata(header["game"], dict(header["settings"]), dict(header["made"]))
        metadata.shape()
    except DAMAGE as error:
        reason = str(error) if isinstance(error, FlipdropError) else "its metadata are incomplete"
        raise ModelError(f"{name}: {reason}") from None
    _check_model(name, model)
    _check_graph(name, model.graph, metadata)
    return metadata


def check_installed() -> None:
    """Raises ModelError unless onnx and onnxruntime are installed."""
    if find_spec("onnx") is None or find_spec("onnxruntime") is None:
        raise ModelError(_NOT_INSTALLED)


def _header(model: ModelProto) -> dict[str, Any]:
    (text,) = (prop.value for prop in model.metadata_props if prop.key == _KEY)
    header = json.loads(text) if len(text) <= _MAX_HEADER else None
    if not isinstance(header, dict):
        raise TypeError
    return header


def _checksum(header: dict[str, Any], graph: GraphProto) -> str:
    digest = hashlib.blake2b(json.dumps(header, sort_keys=True).encode(), digest_size=16)
    digest.update(graph.SerializeToString(deterministic=True))
    return digest.hexdigest()


def _check_model(name: str, model: ModelProto) -> None:
    """Allows one graph of standard operators and nothing else."""
    others = [opset.domain for opset in model.opset_import if opset.domain not in ("", "ai.onnx")]
    if others:
        raise ModelError(f"{name} uses operators of {quoted(others[0])}; only the standard ones are read")
    if model.functions or model.training_info:
        raise ModelError(f"{name} defines functions; a network is one graph of standard operators")


def _check_graph(name: str, graph: GraphProto, metadata: NetworkMetadata) -> None:
    from onnx import AttributeProto

    plain = (
        AttributeProto.INT,
        AttributeProto.INTS,
        AttributeProto.FLOAT,
        AttributeProto.FLOATS,
        AttributeProto.STRING,
    )
    for node in graph.node:
        if node.domain not in ("", "ai.onnx"):
            raise ModelError(f"{name} uses operators of {quoted(node.domain)}; only the standard ones are read")
        if any(attribute.type not in plain for attribute in node.attribute):
            raise ModelError(f"{name}: {node.op_type} holds a graph or tensor of its own; that is not read")
    if graph.sparse_initializer:
        raise ModelError(f"{name} holds sparse arrays; that is not read")
    for array in graph.initializer:
        _check_numbers(name, array)
    _check_layers(name, graph)
    rows, columns, moves = metadata.shape()
    _check_tensors(name, "input", graph.input, {"planes": (PLANES, rows, columns)})
    _check_tensors(name, "output", graph.output, {"policy": (moves,), "value": (1,)})


def _check_layers(name: str, graph: GraphProto) -> None:
    """Allows the layers that `graph_of` makes, each with arrays of its own."""
    if len(graph.node) > _MAX_NODES:
        raise ModelError(f"{name} has {len(graph.node)} operators; a network has at most {_MAX_NODES}")
    for node in graph.node:
        found = {attribute.name: list(attribute.ints) for attribute in node.attribute}
        if node.op_type not in _ATTRIBUTES:
            known = ", ".join(_ATTRIBUTES)
            raise ModelError(f"{name} uses the operator {quoted(node.op_type, 30)}; a network has {known}")
        if found != _ATTRIBUTES[node.op_type]:
            raise ModelError(f"{name}: {node.op_type} has other attributes than a network's")
    arrays = {array.name: array for array in graph.initializer}
    used = Counter(source for node in graph.node for source in node.input if source in arrays)
    if any(count > 1 for count in used.values()):
        raise ModelError(f"{name} uses an array twice; each layer of a network has its own")
    if any(source in arrays for node in graph.node if node.op_type == "Add" for source in node.input):
        raise ModelError(f"{name} adds an array; a residual block of a network adds its own input")
    for node in graph.node:
        weight = arrays.get(node.input[1]) if node.op_type == "Conv" and len(node.input) > 1 else None
        if node.op_type == "Conv" and (weight is None or not weight.dims or weight.dims[0] > _MAX_CHANNELS):
            raise ModelError(f"{name}: a convolution of a network has at most {_MAX_CHANNELS:,} channels")


def _check_numbers(name: str, array: TensorProto) -> None:
    from onnx import TensorProto, numpy_helper

    if array.data_location != TensorProto.DEFAULT or array.external_data:
        raise ModelError(f"{name}: {array.name} is in another file; a network holds all of its numbers")
    if array.data_type not in (TensorProto.FLOAT, TensorProto.INT64):
        raise ModelError(f"{name}: {array.name} is not of float32")
    try:
        numbers = numpy_helper.to_array(array)
    except (ValueError, TypeError):
        raise ModelError(f"{name}: {array.name} is damaged") from None
    if not np.isfinite(numbers).all():
        raise ModelError(f"{name}: {array.name} holds a number that is not finite")


def _check_tensors(name: str, what: str, tensors: Any, wanted: dict[str, tuple[int, ...]]) -> None:
    """Checks the names and shapes of inputs or outputs, without the batch dimension."""
    found = {tensor.name: _shape(tensor) for tensor in tensors}
    if found != wanted:
        raise ModelError(f"{name}: {what} is {found}; its board needs {wanted}")


def _shape(tensor: ValueInfoProto) -> tuple[int, ...]:
    return tuple(dim.dim_value for dim in tensor.type.tensor_type.shape.dim)[1:]
