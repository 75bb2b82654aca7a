"""Networks as JSON, exactly: every number is a string such as ``-3/2``.

The shape: ``format`` (``bitreferee-fixed-point-network-1``), ``p``, ``s``, ``dimension``, ``activation`` (the rounded activation at every
value of Q_{p,s}, ascending) and ``layers``: a list of neurons for each, with ``inputs``, ``weights`` and ``bias``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from verifier.arithmetic.rationals import rational
from verifier.running.errors import InputError
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


def from_json(text: str, where: str = "network") -> Network:
    """The network of a JSON text.

    Raises:
        InputError: anything that is not such a file; the message names the place.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{where}: not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"{where}: a JSON object with format {FORMAT!r} was expected")
    grid = FixedPoint(_integer(data, "p", where), _integer(data, "s", where))
    levels = tuple(level(v, grid, f"{where}: activation") for v in _list(data, "activation", where))
    layers = []
    for number, layer in enumerate(_list(data, "layers", where), 1):
        if not isinstance(layer, list):
            raise InputError(f"{where}: layer {number} is not a list of neurons")
        layers.append(tuple(_neuron(n, grid, f"{where}: layer {number}, neuron {i}") for i, n in enumerate(layer)))
    if not layers:
        raise InputError(f"{where}: a network has at least one layer")
    return Network(Table(grid, levels), _integer(data, "dimension", where), tuple(layers))


def _neuron(data: Any, grid: FixedPoint, where: str) -> Neuron:
    if not isinstance(data, dict):
        raise InputError(f"{where}: an object with inputs, weights and bias was expected")
    inputs = _list(data, "inputs", where)
    if not all(type(i) is int for i in inputs):
        raise InputError(f"{where}: inputs are integers")
    weights = tuple(level(w, grid, f"{where}: weight") for w in _list(data, "weights", where))
    return Neuron(tuple(inputs), weights, level(data.get("bias"), grid, f"{where}: bias"))


def _integer(data: dict[str, Any], name: str, where: str) -> int:
    value = data.get(name)
    if type(value) is not int:
        raise InputError(f"{where}: {name} is {value!r}; an integer was expected")
    return value


def _list(data: dict[str, Any], name: str, where: str) -> list[Any]:
    value = data.get(name)
    if not isinstance(value, list):
        raise InputError(f"{where}: {name} is {value!r}; a list was expected")
    return value


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
    """A target file: one value for each input of Q_{p,s}^d in lexicographic order, separated by white space or commas.

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
