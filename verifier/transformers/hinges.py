"""Differences of two hinges, ReLU(P) − ReLU(Q), on boxes: bounded by P − Q, which may be small where both are large.

Boxes bound each hinge by itself, so that their difference is as wide as the box. Here the exact value of a sum of terms w·u is bounded with
pairs of opposite coefficients taken together, or each by itself where that is tighter. What rounding may add to each map is bounded by its
magnitude. A sum of n products has n roundings of products and n − 1 of sums (one more where the sum is rounded into another format), in any
order; where products are fused with additions, only those that begin a sum are rounded. With p digits, rounding x adds at most
2^−p·2^⌊log2|x|⌋, and no partial sum is beyond (1 + n·2^−p)^2·Σ|x·y|. Below the normal numbers each rounding is at most a smallest step. All
ends are float64 and moved outwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import frexp
from typing import Protocol

import numpy as np

from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import LimitError
from verifier.transformers.arrays import Arrays
from verifier.transformers.carriers import Array, Box, to_float
from verifier.transformers.formulas import Map
from verifier.transformers.layers import FeedForward

SLACK = 1 + 2.0**-20
"""More than what float64 rounds away in a bound of a few operations."""


class Bounding(Protocol):
    """What bounds maps of coordinates, each by itself."""

    @property
    def arrays(self) -> Arrays:
        """The arithmetic of the ends."""

    def applied(self, form: Map, columns: Mapping[str, Box]) -> Box:
        """A map of coordinates."""


def hinged(boxes: Bounding, entry: FeedForward, read: Mapping[str, Box], form: Map) -> Box | None:
    """A second box of a map of hidden units, None where no pair of units has opposite coefficients."""
    if entry.entry.activation != "relu" or entry.entry.gate or form.constant != 0:
        return None
    weights = {name: _coefficient(boxes, c) for name, c in form.terms}
    pairs = _pairs(weights)
    if not pairs:
        return None
    inside = {name: boxes.applied(entry.hidden[name], read) for name in weights}
    units = {name: tuple(np.maximum(end, 0).astype(np.float64) for end in box) for name, box in inside.items()}
    total: Box = (np.zeros((1, 1)), np.zeros((1, 1)))
    for first, second in pairs:
        apart = difference(boxes, entry.hidden[first], entry.hidden[second], read)
        both = (inside[first][0] >= 0) & (inside[second][0] >= 0)
        none = (inside[first][1] <= 0) & (inside[second][1] <= 0)
        low = np.where(none, 0, np.where(both, apart[0], np.minimum(apart[0], 0)))
        high = np.where(none, 0, np.where(both, apart[1], np.maximum(apart[1], 0)))
        alone = _plus(units[first], (-units[second][1], -units[second][0]))
        low, high = np.maximum(low, alone[0]), np.minimum(high, alone[1])
        total = _plus(total, _times(weights[first], (low, high)))
    for name in weights.keys() - {name for pair in pairs for name in pair}:
        total = _plus(total, _times(weights[name], units[name]))
    error = _rounding(boxes, [(w, units[name][1]) for name, w in weights.items()])
    rounded = boxes.arrays.carrier.rounded
    dtype = boxes.arrays.carrier.dtype
    return rounded(_down(total[0] - error).astype(dtype)), rounded(_up(total[1] + error).astype(dtype))


def _pairs(weights: Mapping[str, float]) -> list[tuple[str, str]]:
    left = [name for name, w in weights.items() if w > 0]
    found = []
    for name, w in weights.items():
        partner = next((other for other in left if weights[other] == -w), None)
        if partner is not None:
            left.remove(partner)
            found.append((partner, name))
    return found


def difference(boxes: Bounding, first: Map, second: Map, read: Mapping[str, Box]) -> Box:
    """The ends of the difference of two computed maps."""
    total: Box = (np.zeros((1, 1)), np.zeros((1, 1)))
    one, other = (dict(form.terms) for form in (first, second))
    for name, box in read.items():
        c, d = (_exactly(boxes, form.get(name, Fraction(0))) for form in (one, other))
        if c != d:
            total = _plus(total, _times_exactly(c - d, box))
    constant = _exactly(boxes, first.constant) - _exactly(boxes, second.constant)
    if constant != 0:
        total = _plus(total, _times_exactly(constant, (np.ones((1, 1)), np.ones((1, 1)))))
    for form in (first, second):
        terms = [(_coefficient(boxes, c), _size(read[name])) for name, c in form.terms]
        error = _rounding(boxes, [*terms, (1.0, np.full((1, 1), abs(_coefficient(boxes, form.constant))))])
        total = (_down(total[0] - error), _up(total[1] + error))
    return total


def _rounding(boxes: Bounding, terms: list[tuple[float, Array]]) -> Array:
    """How far a computed sum of products may be from the exact one; infinite where it may overflow.

    terms: a factor, and the largest magnitude of the other one. A product with a power of two is exact.
    """
    formats = (boxes.arrays.arithmetic.machine, boxes.arrays.arithmetic.accumulator)
    digits = min(form.form.precision for form in formats)
    step = max(to_float(form.form.spacing(Fraction(0))) for form in formats)
    sizes = [(frexp(w)[0], abs(w) * size.astype(np.float64) * SLACK) for w, size in terms if w != 0 and (size != 0).any()]
    count = len(sizes) + (formats[0] != formats[1])
    total = sum((size for _, size in sizes), np.zeros((1, 1)))
    partial = total * (1 + count * 2.0**-digits) ** 2 * SLACK
    largest = min(to_float(form.form.largest) for form in formats)
    products = sum((_half(size, digits) for mantissa, size in sizes if abs(mantissa) != 0.5), np.zeros((1, 1)))
    error = products + max(count - 1, 0) * _half(partial, digits)
    return np.where(2 * total < largest, (error + 2 * count * step) * SLACK, np.inf)


def _half(size: Array, digits: int) -> Array:
    """Half the distance of neighbours at these magnitudes, 0 at 0."""
    return np.where(size == 0, 0.0, np.ldexp(1.0, np.frexp(size)[1] - digits - 1))


def _exactly(boxes: Bounding, x: object) -> Fraction:
    rounded = boxes.arrays.scalar.constant(x)
    if not isinstance(rounded, Fraction):
        raise LimitError("a number of the file is beyond the format", "another arithmetic")
    return rounded


def _coefficient(boxes: Bounding, x: object) -> float:
    return to_float(boxes.arrays.scalar.constant(x))


def _size(box: Box) -> Array:
    return np.maximum(np.abs(box[0]), np.abs(box[1])).astype(np.float64)


def _times(w: float, box: Box) -> Box:
    ends = [np.asarray(end, np.float64) * w for end in box]
    return _down(np.minimum(*ends)), _up(np.maximum(*ends))


def _times_exactly(w: Fraction, box: Box) -> Box:
    """By a fraction, which float64 holds or not."""
    near = float(w)
    around = _hull_of(_times(float(np.nextafter(near, -np.inf)), box), _times(float(np.nextafter(near, np.inf)), box))
    return _times(near, box) if Fraction(*near.as_integer_ratio()) == w else around


def _hull_of(x: Box, y: Box) -> Box:
    return np.minimum(x[0], y[0]), np.maximum(x[1], y[1])


def _plus(x: Box, y: Box) -> Box:
    return _down(x[0] + y[0]), _up(x[1] + y[1])


def _down(x: Array) -> Array:
    return np.nextafter(x, -np.inf)


def _up(x: Array) -> Array:
    return np.nextafter(x, np.inf)
