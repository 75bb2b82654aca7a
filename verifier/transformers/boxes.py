"""A network on boxes: for each coordinate the least and the largest value that its computed number may have.

Rounding is monotone, so that an operation on the ends of its arguments, rounded as the network rounds, encloses the operation on all values
between them. No bound on errors is added: an interval of one point stays one point, the number that the definition computes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from verifier.arithmetic.numbers import ZERO
from verifier.transformers.arrays import Arrays
from verifier.transformers.carriers import Array, Box
from verifier.transformers.formulas import Map
from verifier.transformers.hinges import hinged
from verifier.transformers.layers import FeedForward, Layer, Norm, whole

BoxColumns: TypeAlias = dict[str, Box]


class Boxes:
    """The operations of :class:`Arrays` on boxes."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.zero: Box = (arrays.zero, arrays.zero)

    def applied(self, form: Map, columns: Mapping[str, Box]) -> Box:
        """A map of coordinates."""
        coefficients = dict(form.terms)
        constant = self.arrays.constant
        terms = [(self.point(constant(coefficients[name])), columns[name]) if name in coefficients else None for name in columns]
        if form.constant != 0:
            terms.append((self.point(constant(form.constant)), self.point(self.arrays.one)))
        return self.dot(terms)

    def point(self, x: Array) -> Box:
        return x, x

    def dot(self, terms: Sequence[tuple[Box, Box] | None]) -> Box:
        """Σ x·y."""
        products = [None if term is None else _product(*term) for term in terms]
        low, high = ([None if p is None else p[end] for p in products] for end in (0, 1))
        return _known(self.arrays.sum_of_products(low), self.arrays.sum_of_products(high))

    def add(self, x: Box, y: Box) -> Box:
        rounded = self.arrays.carrier.rounded
        return _known(rounded(x[0] + y[0]), rounded(x[1] + y[1]))

    def subtract(self, x: Box, y: Box) -> Box:
        return self.add(x, (-y[1], -y[0]))

    def multiply(self, x: Box, y: Box) -> Box:
        low, high = _product(x, y)
        return _known(self.arrays.carrier.rounded(low), self.arrays.carrier.rounded(high))

    def divide(self, x: Box, y: Box) -> Box:
        """x/y; nothing is known where y may be 0."""
        rounded = self.arrays.carrier.rounded
        ends = [rounded(a / b) for a in x for b in y]
        low, high = _hull(ends)
        crosses = ~((y[0] > 0) | (y[1] < 0))
        return _known(np.where(crosses, np.nan, low), np.where(crosses, np.nan, high))

    def layer(self, layer: Layer, columns: BoxColumns) -> BoxColumns:
        """What the network of a layer does at a position, with its norms."""
        if layer.network is None:
            return columns
        norm = layer.norms.get("network")
        read = self.normed(columns, norm) if norm and norm.entry.place == "before" else columns
        units = self.hidden(layer.network, read)
        into = {name: self.into(layer.network, read, units, form) for name, form in layer.network.into.items()}
        if layer.network.factor is not None:
            factor = self.point(self.arrays.constant(layer.network.factor))
            into = {name: self.multiply(x, factor) for name, x in into.items()}
        columns = self.added(columns, into, layer.network.entry.residual)
        return self.normed(columns, norm) if norm and norm.entry.place == "after" else columns

    def into(self, entry: FeedForward, read: Mapping[str, Box], units: Mapping[str, Box], form: Map) -> Box:
        """A map of hidden units; where the box is no point, it is cut with that of :mod:`hinges`."""
        low, high = self.applied(form, units)
        second = hinged(self, entry, read, form) if (low < high).any() else None
        return (low, high) if second is None else (np.maximum(low, second[0]), np.minimum(high, second[1]))

    def added(self, columns: BoxColumns, given: Mapping[str, Box], residual: bool) -> BoxColumns:
        if not residual:
            return {name: given.get(name, self.zero) for name in columns}
        return {name: self.add(x, given[name]) if name in given else x for name, x in columns.items()}

    def hidden(self, entry: FeedForward, columns: BoxColumns) -> BoxColumns:
        units = {name: self.activated(entry.entry.activation, self.applied(form, columns)) for name, form in entry.hidden.items()}
        if not entry.gate:
            return units
        return {name: self.multiply(unit, self.applied(entry.gate[name], columns)) for name, unit in units.items()}

    def activated(self, kind: str, x: Box) -> Box:
        if kind != "silu":
            return self.arrays.activated(kind, x[0]), self.arrays.activated(kind, x[1])
        one = self.arrays.one
        low, high = _coarse(-x[1], x, np.floor), _coarse(-x[0], x, np.ceil)
        ends = (self.arrays.looked_up("exp", low), self.arrays.looked_up("exp", high))
        below = self.add(self.point(one), ends)
        return self.divide(x, below)

    def normed(self, columns: BoxColumns, norm: Norm) -> BoxColumns:
        if norm.entry.only:
            kept = {name: x for name, x in columns.items() if name in norm.entry.only}
            kept = self.normed(kept, replace(norm, entry=whole(norm.entry)))
            return {name: kept.get(name, self.zero) for name in columns}
        arrays, rounded = self.arrays, self.arrays.carrier.rounded
        size = self.point(arrays.constant(ZERO + len(columns)))
        if norm.entry.kind == "layer":
            low, high = (arrays.total([x[end] for x in columns.values()]) for end in (0, 1))
            mean = self.divide((low, high), size)
            columns = {name: self.subtract(x, mean) for name, x in columns.items()}
        squares = [_square(x) for x in columns.values()]
        total = tuple(arrays.sum_of_products([s[end] for s in squares]) for end in (0, 1))
        inside = self.add(self.divide(total, size), self.point(arrays.constant(norm.eps)))
        if arrays.arithmetic.root == "multiply":
            inverse = tuple(arrays.looked_up("inverse_root", end) for end in reversed(inside))
            columns = {name: self.multiply(x, inverse) for name, x in columns.items()}
        else:
            root = tuple(rounded(np.sqrt(end)) for end in inside)
            columns = {name: self.divide(x, root) for name, x in columns.items()}
        columns |= {name: self.multiply(columns[name], self.point(arrays.constant(gain))) for name, gain in norm.gain.items()}
        return columns | {name: self.add(columns[name], self.point(arrays.constant(shift))) for name, shift in norm.shift.items()}


def _coarse(end: Array, x: Box, outward: Callable[[Array], Array]) -> Array:
    """An argument of exp, moved outwards to one of few where the box is no point, so that few values are looked up."""
    moved = outward(np.clip(end, -200, 200) * 32) / 32
    moved = np.where(end < -200, -200 if outward is np.ceil else -np.inf, np.where(end > 200, np.inf if outward is np.ceil else 200, moved))
    return np.where(x[0] == x[1], end, moved).astype(end.dtype)


def _known(low: Array, high: Array) -> Box:
    """A box, and nothing where an infinity of each sign lies in it: a sum or a product of such numbers may be NaN."""
    lost = np.isnan(low) | np.isnan(high) | ((low == -np.inf) & (high == np.inf))
    return (np.where(lost, np.nan, low), np.where(lost, np.nan, high)) if lost.any() else (low, high)


def _product(x: Box, y: Box) -> Box:
    """The exact hull of a product, or the rounded one where NumPy rounds itself."""
    return _hull([a * b for a in x for b in y])


def _hull(ends: list[Array]) -> Box:
    low, high = ends[0], ends[0]
    for end in ends[1:]:
        low, high = np.minimum(low, end), np.maximum(high, end)
    return low, high


def _square(x: Box) -> Box:
    low, high = x[0] * x[0], x[1] * x[1]
    crosses = (x[0] < 0) & (x[1] > 0)
    return np.where(crosses, x[0] * 0, np.minimum(low, high)), np.maximum(low, high)
