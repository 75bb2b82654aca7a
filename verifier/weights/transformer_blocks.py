"""Blocks of a transformer, given as matrices, as tables of a network file. Matrices have a row for each coordinate that they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError
from verifier.weights.formula_text import choice, linear, number
from verifier.weights.tensors import Matrix, Row

ONE = "one"
"""The name of the 1 by which the bias of an output projection is written."""


@dataclass(frozen=True)
class Linear:
    """x·matrix + bias."""

    matrix: Matrix
    bias: Row

    def maps(self, names: Sequence[str]) -> list[str]:
        """A formula for each column."""
        return [linear(dict(zip(names, column, strict=True)), b) for column, b in zip(self.columns, self.bias, strict=True)]

    @property
    def columns(self) -> list[Row]:
        return [list(column) for column in zip(*self.matrix, strict=True)] if self.matrix else []


@dataclass(frozen=True)
class Attention:
    """groups: how many heads of keys and values there are, if fewer than ``heads``; order: of a head's entries of query and key."""

    query: Linear
    key: Linear
    value: Linear
    output: Linear
    heads: int
    groups: int
    mask: str
    rotary: Sequence[str] = ()
    order: Sequence[int] = ()


def attention(part: Attention, coordinates: Sequence[str]) -> dict[str, Any]:
    """A layer of heads. The output projection is ``combine``; its bias is the multiple of a 1 that a head of hard attention copies.

    Raises:
        InputError: the columns cannot be divided into this number of heads.
    """
    query, key, value = (each.maps(coordinates) for each in (part.query, part.key, part.value))
    width, sizes = len(query) // part.heads, len(value) // part.groups
    if width * part.heads != len(query) or width * part.groups != len(key) or sizes * part.groups != len(value):
        raise InputError(
            f"{len(query)}, {len(key)} and {len(value)} columns of query, key and value; "
            f"multiples of {part.heads}, {part.groups} and {part.groups} were expected, the numbers of heads"
        )
    order = part.order or range(width)
    heads: list[dict[str, Any]] = []
    for h in range(part.heads):
        g = h * part.groups // part.heads
        names = [f"v{h * sizes + k}" for k in range(sizes)]
        entry: dict[str, Any] = {"mask": part.mask} if part.mask != "none" else {}
        entry |= {"rotary": list(part.rotary)} if part.rotary else {}
        entry |= {"query": [query[h * width + k] for k in order], "key": [key[g * width + k] for k in order]}
        heads.append(entry | {"value": dict(zip(names, value[g * sizes : (g + 1) * sizes], strict=True))})
    names = [f"v{k}" for k in range(part.heads * sizes)]
    if any(part.output.bias):
        heads.append({"kind": "leftmost", "value": {ONE: "1"}})
    columns = zip(coordinates, part.output.columns, part.output.bias, strict=True)
    combine = {name: linear({**dict(zip(names, column, strict=True)), ONE: b}) for name, column, b in columns}
    return {"scale": root_of(width), "head": heads, "combine": without_zeros(combine)}


def root_of(width: int) -> str:
    """1/√width."""
    root = next((k for k in range(1, width + 1) if k * k >= width), 1)
    return ("1" if width == 1 else f"1/{root}") if root * root == width else f"1/sqrt({width})"


def network(first: Linear, second: Linear, activation: str, coordinates: Sequence[str], gate: Linear | None = None) -> dict[str, Any]:
    """A network of two layers. gate: what the activated units are multiplied by."""
    units = [f"u{k}" for k in range(len(first.bias))]
    made: dict[str, Any] = {"activation": activation, "hidden": dict(zip(units, first.maps(coordinates), strict=True))}
    if gate is not None:
        made["gate"] = dict(zip(units, gate.maps(coordinates), strict=True))
    return made | {"into": without_zeros(dict(zip(coordinates, second.maps(units), strict=True)))}


def without_zeros(maps: Mapping[str, str]) -> dict[str, str]:
    """The maps but those that add nothing; one at least."""
    return {name: text for name, text in maps.items() if text != "0"} or dict(list(maps.items())[:1])


def norm(kind: str, eps: Fraction, gain: Row, shift: Row, block: str, coordinates: Sequence[str]) -> dict[str, Any]:
    """A norm before a block."""
    made: dict[str, Any] = {"kind": kind, "place": "before", "eps": number(eps)}
    made |= {"of": [block]} if block else {}
    for part, values, plain in (("gain", gain, 1), ("shift", shift, 0)):
        if entries := {name: number(x) for name, x in zip(coordinates, values, strict=True) if x != plain}:
            made[part] = entries
    return made


def embedding(tokens: Matrix, positions: Matrix | None, first: int, coordinates: Sequence[str]) -> dict[str, str]:
    """The coordinates of token number k at position i; positions: what is added at ``first``, ``first`` + 1, …."""
    found = {}
    for k, name in enumerate(coordinates):
        column = [row[k] for row in tokens]
        text = choice("token", column)
        if positions is not None and any(row[k] for row in positions):
            places = choice("i", [row[k] for row in positions], [str(first + j) for j in range(len(positions))])
            text = places if not any(column) else " + ".join(f"({part})" if " if " in part else part for part in (text, places))
        found[name] = text
    return found
