"""A network's layers as arrays, and as an ONNX graph.

::

    planes -> conv, relu -> ... -> flatten -> dense, relu -> ... -+-> dense ---------> policy (logits)
                                                                  +-> dense -> tanh -> value (-1..1)

The second convolution of a residual block adds the input of the first to its output, before its ReLU.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from onnx import GraphProto, NodeProto, TensorProto

PLANES = 4
"""Planes of a board in the kernel's encoding: kernel/puct/encoding.hpp."""


@dataclass(frozen=True)
class Layer:
    """Weights and bias, float32.

    :param weight: inputs x outputs if it is dense; outputs x inputs x 3 x 3 if it is a convolution
    :param residual: whether it adds the input of the layer before
    """

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]
    residual: bool = False

    @property
    def is_convolution(self) -> bool:
        """Whether it is a 3x3 convolution rather than a dense layer."""
        return self.weight.ndim == 4


@dataclass(frozen=True)
class Layers:
    """All layers of a network: convolutions, if any, come first."""

    body: tuple[Layer, ...]
    policy: Layer
    value: Layer

    @property
    def all_layers(self) -> tuple[Layer, ...]:
        return *self.body, self.policy, self.value


def layers_of(graph: GraphProto) -> Layers:
    """The layers of a graph that `graph_of` made; ValueError for any other."""
    from onnx import numpy_helper

    arrays = {array.name: numpy_helper.to_array(array) for array in graph.initializer}
    found: dict[str, Layer] = {}
    try:
        for node in graph.node:
            if node.op_type in ("Conv", "Gemm"):
                _, weight, bias = node.input
                found[node.output[0]] = Layer(arrays[weight], arrays[bias])
            elif node.op_type == "Add":
                found[node.input[0]] = replace(found[node.input[0]], residual=True)
        layers = Layers(policy=found.pop("policy"), value=found.pop("judgement"), body=tuple(found.values()))
        _, rows, columns = (dim.dim_value for dim in graph.input[0].type.tensor_type.shape.dim[1:])
    except (KeyError, ValueError, IndexError):
        raise ValueError("it is no graph that flipdrop has made") from None
    if graph_of(layers, rows=rows, columns=columns) != graph:
        raise ValueError("it is no graph that flipdrop has made")
    return layers


def graph_of(layers: Layers, *, rows: int, columns: int) -> GraphProto:
    """The ONNX graph of a network for boards of one size."""
    from onnx import TensorProto, helper, numpy_helper

    nodes: list[NodeProto] = []
    arrays: list[TensorProto] = []

    def add(operator: str, source: str, target: str, layer: Layer | None = None, **attributes: Any) -> str:
        inputs = source.split()
        if layer is not None:
            for part, array in (("weight", layer.weight), ("bias", layer.bias)):
                arrays.append(numpy_helper.from_array(np.ascontiguousarray(array, np.float32), f"{target}.{part}"))
                inputs.append(f"{target}.{part}")
        nodes.append(helper.make_node(operator, inputs, [target], **attributes))
        return target

    last, before, flat = "planes", "", False
    for number, layer in enumerate(layers.body):
        skipped, before = before, last
        if layer.is_convolution:
            last = add("Conv", last, f"layer{number}", layer, kernel_shape=[3, 3], pads=[1, 1, 1, 1])
        else:
            if not flat:
                last, flat = add("Flatten", last, "flat"), True
            last = add("Gemm", last, f"layer{number}", layer)
        if layer.residual:
            last = add("Add", f"{last} {skipped}", f"sum{number}")
        last = add("Relu", last, f"active{number}")
    if not flat:
        last = add("Flatten", last, "flat")
    add("Gemm", last, "policy", layers.policy)
    add("Tanh", add("Gemm", last, "judgement", layers.value), "value")
    number = TensorProto.FLOAT
    return helper.make_graph(
        nodes,
        "policy and value",
        [helper.make_tensor_value_info("planes", number, ["batch", PLANES, rows, columns])],
        [
            helper.make_tensor_value_info("policy", number, ["batch", len(layers.policy.bias)]),
            helper.make_tensor_value_info("value", number, ["batch", 1]),
        ],
        arrays,
    )
