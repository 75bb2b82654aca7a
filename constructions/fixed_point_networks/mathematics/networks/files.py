"""Networks in files: as JSON, and as ONNX models that onnxruntime runs bit for bit.

In JSON every number is a string such as ``-3/2``. The shape: ``format`` (``bitreferee-fixed-point-network-1``), ``p``, ``s``,
``dimension``, ``activation`` (the rounded activation at every value of Q_{p,s}, ascending) and ``layers``: a list of neurons for each, with
``inputs``, ``weights`` and ``bias``.

The ONNX model works on levels (units of 1/s) in int64, with MatMul, Abs, Div, Sign, Clip and Gather: a sum in units of 1/s² is rounded as
sign(t)·⌊(2|t| + s)/(2s)⌋ and clamped, and ⌈σ⌉ is a table. ONNX's own QuantizeLinear rounds ties to even and its floating-point operators
round every product, so neither can represent the paper's rounding; the model therefore consists of integer operations. It is exact as long
as no sum exceeds 63 bits, which is checked.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from constructions.fixed_point_networks.mathematics.grid import LARGEST_NUMERATOR, FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import Network, greatest_sum
from verifier.arithmetic.rationals import rational
from verifier.running.errors import InputError, LimitError
from verifier.running.input_files import MOST_RESULT_BYTES, read_regular

FORMAT = "bitreferee-fixed-point-network-1"


def to_json(network: Network) -> str:
    """The network as JSON text."""
    grid = network.grid
    layers = [
        [{"inputs": list(n.inputs), "weights": [grid.show(w) for w in n.weights], "bias": grid.show(n.bias)} for n in layer]
        for layer in network.layers
    ]
    data = {
        "format": FORMAT,
        "p": grid.p,
        "s": grid.s,
        "dimension": network.dimension,
        "activation": [grid.show(v) for v in network.table.levels],
        "layers": layers,
    }
    return json.dumps(data, indent=1) + "\n"


def level(text: Any, grid: FixedPoint, where: str) -> int:
    """The level of a value written as ``3/2``, ``-1`` or ``0.25``.

    Raises:
        InputError: no number, or no multiple of 1/s.
    """
    try:
        if not isinstance(text, str | int) or isinstance(text, bool):
            raise ValueError
        scaled = rational(str(text)) * grid.s
    except (ValueError, ZeroDivisionError):
        raise InputError(f'{where}: {text!r} is not a rational number; one such as "-3/2" was expected') from None
    if scaled.denominator != 1:
        raise InputError(f"{where}: {text} is not a multiple of 1/{grid.s}")
    return int(scaled)


def read_target(path: Path, grid: FixedPoint, dimension: int) -> tuple[int, ...]:
    """Read a target file, which has a value for each input of Q_{p,s}^d in lexicographic order, separated by white space or commas.

    Raises:
        InputError: the file cannot be read, a value is not in Q_{p,s}, or the number of values is wrong.
    """
    words = read_regular(path, MOST_RESULT_BYTES).replace(",", " ").split()
    values = tuple(level(w, grid, f"{path}: value {i}") for i, w in enumerate(words, 1))
    wanted = grid.size**dimension
    if len(values) != wanted:
        raise InputError(f"{path}: {len(values)} values; {wanted} were expected, one for each input in lexicographic order")
    outside = next((v for v in values if abs(v) > grid.top), None)
    if outside is not None:
        raise InputError(f"{path}: {grid.show(outside)}; values of magnitude up to {grid.largest} were expected")
    return values


CELLS = 1 << 26
"""Entries of one dense weight matrix."""


def to_onnx(network: Network) -> bytes:
    """The model: input ``levels`` of shape (batch, d), output ``result`` of shape (batch, outputs), both int64.

    Raises:
        ImportError: the package onnx is missing.
        LimitError: a weight matrix is too large, or a sum could leave 63 bits.
    """
    import onnx
    from onnx import helper, numpy_helper

    top, s = network.grid.top, network.grid.s
    nodes: list[Any] = []
    constants: dict[str, Any] = {
        "two": np.array(2),
        "s": np.array(s),
        "two_s": np.array(2 * s),
        "low": np.array(-top),
        "high": np.array(top),
        "top": np.array(top),
        "table": np.array(network.table.levels),
    }
    current, width = "levels", network.dimension
    for number, layer in enumerate(network.layers, 1):
        if width * len(layer) > CELLS:
            raise LimitError(
                f"layer {number} has a dense matrix of {width} x {len(layer)} weights, more than {CELLS:,}", "a smaller p, s or d"
            )
        largest = greatest_sum(layer, s, top)
        if largest > LARGEST_NUMERATOR:
            raise LimitError(f"layer {number} has sums up to {largest}, more than 61 bits", "a smaller p, s or d")
        matrix = np.zeros((width, len(layer)), dtype=np.int64)
        for place, neuron in enumerate(layer):
            matrix[list(neuron.inputs), place] = neuron.weights
        constants[f"w{number}"], constants[f"b{number}"] = matrix, np.array([s * n.bias for n in layer])

        def node(kind: str, inputs: list[str], name: str, tag: str = f"_{number}") -> str:
            nodes.append(helper.make_node(kind, inputs, [name + tag]))
            return name + tag

        total = node("Add", [node("MatMul", [current, f"w{number}"], "product"), f"b{number}"], "total")
        doubled = node("Add", [node("Mul", [node("Abs", [total], "abs"), "two"], "twice"), "s"], "shifted")
        rounded = node("Mul", [node("Sign", [total], "sign"), node("Div", [doubled, "two_s"], "magnitude")], "rounded")
        current = node("Clip", [rounded, "low", "high"], "clamped")
        if number < network.depth:
            current = node("Gather", ["table", node("Add", [current, "top"], "index")], "active")
        width = len(layer)
    nodes.append(helper.make_node("Identity", [current], ["result"]))
    tensors = [numpy_helper.from_array(np.asarray(v, dtype=np.int64), k) for k, v in constants.items()]
    integer = onnx.TensorProto.INT64
    graph = helper.make_graph(
        nodes,
        "fixed_point_network",
        [helper.make_tensor_value_info("levels", integer, ["batch", network.dimension])],
        [helper.make_tensor_value_info("result", integer, ["batch", width])],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
