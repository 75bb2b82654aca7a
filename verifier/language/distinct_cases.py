"""Functions without an array form: applied once to each distinct combination of their arguments, by the exact reading."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from verifier.language.integer_arrays import Array, Truths
from verifier.language.operands import Bits, Value, exact_value, named
from verifier.language.rational_arrays import Quantity
from verifier.language.strings import Strings
from verifier.language.syntax import quoted
from verifier.language.tree import Node
from verifier.running.errors import InputError

Column: TypeAlias = Quantity | Strings | Truths
"""What a name may be over the cases, beside one exact value for all of them."""


def on_distinct(node: Node, function: Callable[..., object], *columns: Column) -> Quantity | Truths:
    """``function`` of every case's arguments.

    Raises:
        InputError: the function refuses one of them, or gives numbers for some and conditions for others.
    """
    shape = np.broadcast_shapes(*(c.shape for c in columns))
    codes = np.zeros(int(np.prod(shape)), dtype=np.int64)
    for column in columns:
        for part in _parts(column):
            _, positions = np.unique(np.broadcast_to(part, shape).reshape(-1), return_inverse=True)
            codes = np.unique(codes * (int(positions.max(initial=0)) + 1) + positions.reshape(-1), return_inverse=True)[1].reshape(-1)
    _, first = np.unique(codes, return_index=True)
    arguments = zip(*(_values(column, shape, first) for column in columns), strict=True)
    found = [exact_value(named(node, function, *each)) for each in arguments]
    if all(isinstance(x, bool) for x in found):
        return np.array(found, dtype=np.bool_)[codes].reshape(shape)
    numbers = [x for x in found if not isinstance(x, bool | Bits)]
    if len(numbers) < len(found):
        raise InputError(f"{quoted(node)}: numbers only, or conditions only, were expected")
    return Quantity.listed(numbers).picked((len(numbers),), codes.reshape(shape))


def _parts(column: Column) -> list[Array]:
    """Integer arrays that tell the values of a column apart."""
    if isinstance(column, Quantity):
        bottom = [] if isinstance(column.denominator, int) else [column.denominator.values]
        return [column.numerator.values, *bottom, column.codes]
    return [column.numbers.values if isinstance(column, Strings) else column]


def _values(column: Column, shape: tuple[int, ...], index: Array) -> list[Value]:
    if isinstance(column, Quantity):
        return list(column.picked(shape, index).numbers())
    if isinstance(column, Strings):
        return [Bits(int(n), column.length) for n in column.numbers.picked(shape, index).values]
    return [bool(x) for x in np.broadcast_to(column, shape).reshape(-1)[index]]
