"""Decide which symbol a decoding network chooses, for boxes of its heads' results at the last token.

The rest of the last token's run is computed on these boxes, which are halved until the largest logit is certain.

**Boxes.** The network runs on boxes, which hold for each coordinate the least and the largest possible computed value.

Rounding is monotone, so that an operation on the ends of its arguments, rounded as the network rounds, encloses the operation on all values
between them. No bound on errors is added: an interval of one point stays one point, the number that the definition computes.

**Hinges.** On boxes, a difference of two hinges, ReLU(P) − ReLU(Q), is bounded by P − Q, which may be small where both are large.

Boxes bound each hinge separately, so their difference is as wide as the box. Here the exact value of a sum of terms w·u is bounded with
pairs of opposite coefficients taken together, or each alone if that is tighter. The magnitude of each map bounds its rounding error. A sum
of n products has n roundings of products and n − 1 of sums (one more if the sum is rounded into another format), in any order; if products
are fused with additions, only those that begin a sum are rounded. With p digits, rounding x adds at most 2^−p·2^⌊log2|x|⌋, and no partial
sum is beyond (1 + n·2^−p)^2·Σ|x·y|. Below the normal numbers each rounding is at most a smallest step. All ends are float64 and moved
outwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import frexp
from typing import TypeAlias

import numpy as np

from verifier.arithmetic.floats import Array, Box, to_float
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import LimitError
from verifier.transformers.arrays import Arrays
from verifier.transformers.evaluate import after_attention, after_network, applied, hidden_units, normed, read_by_network
from verifier.transformers.formulas import Constant, Map
from verifier.transformers.network import FeedForward, Layer

SLACK = 1 + 2.0**-20
"""More than what float64 rounds away in a bound of a few operations."""


def hinged(boxes: Boxes, entry: FeedForward, read: Mapping[str, Box], form: Map) -> Box | None:
    """A second box of a map of hidden units, None if no pair of units has opposite coefficients."""
    if entry.entry.activation != "relu" or entry.entry.gate or form.constant != 0:
        return None
    weights = {name: _coefficient(boxes, c) for name, c in form.terms}
    pairs = _pairs(weights)
    if not pairs:
        return None
    inside = {name: applied(entry.hidden[name], read, boxes) for name in weights}
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


def difference(boxes: Boxes, first: Map, second: Map, read: Mapping[str, Box]) -> Box:
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


def _rounding(boxes: Boxes, terms: list[tuple[float, Array]]) -> Array:
    """A bound on the distance of a computed sum of products from the exact one; infinite if it may overflow.

    terms: a factor, and the largest magnitude of the other one. A product with a power of two is exact.
    """
    formats = (boxes.arrays.arithmetic.machine(), boxes.arrays.arithmetic.accumulator())
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


def _exactly(boxes: Boxes, x: object) -> Fraction:
    rounded = boxes.arrays.scalar.constant(x)
    if not isinstance(rounded, Fraction):
        raise LimitError("a number of the file is beyond the format", "another arithmetic")
    return rounded


def _coefficient(boxes: Boxes, x: object) -> float:
    return to_float(boxes.arrays.scalar.constant(x))


def _size(box: Box) -> Array:
    return np.maximum(np.abs(box[0]), np.abs(box[1])).astype(np.float64)


def _times(w: float, box: Box) -> Box:
    ends = [np.asarray(end, np.float64) * w for end in box]
    return _down(np.minimum(*ends)), _up(np.maximum(*ends))


def _times_exactly(w: Fraction, box: Box) -> Box:
    """A product with a fraction, whether float64 holds it or not."""
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


BoxColumns: TypeAlias = dict[str, Box]


class Boxes:
    """The operations of a network on boxes, whose ends are arrays."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays, self.arithmetic = arrays, arrays.arithmetic
        self.zero: Box = (arrays.zero, arrays.zero)

    def constant(self, x: Constant) -> Box:
        return point(self.arrays.constant(x))

    def count(self, n: int) -> Box:
        return point(self.arrays.count(n))

    def unbounded(self, x: Box) -> bool:
        return True

    def dot(self, terms: Sequence[tuple[Box, Box] | None], constant: Constant | None = None, name: str = "") -> Box:
        last = [] if constant is None else [(self.constant(constant), point(self.arrays.one))]
        products = [None if term is None else _product(*term) for term in (*terms, *last)]
        low, high = ([None if p is None else p[end] for p in products] for end in (0, 1))
        return _known(self.arrays.sum_of_products(low), self.arrays.sum_of_products(high))

    def total(self, values: Sequence[Box | None], name: str = "") -> Box:
        low, high = (self.arrays.total([None if x is None else x[end] for x in values]) for end in (0, 1))
        return _known(low, high)

    def add(self, x: Box, y: Box) -> Box:
        return _known(self.arrays.add(x[0], y[0]), self.arrays.add(x[1], y[1]))

    def subtract(self, x: Box, y: Box) -> Box:
        return self.add(x, (-y[1], -y[0]))

    def multiply(self, x: Box, y: Box) -> Box:
        low, high = _product(x, y)
        return _known(self.arrays.carrier.rounded(low), self.arrays.carrier.rounded(high))

    def divide(self, x: Box, y: Box) -> Box:
        """x/y; nothing is known if y may be 0."""
        low, high = _hull([self.arrays.divide(a, b) for a in x for b in y])
        crosses = ~((y[0] > 0) | (y[1] < 0))
        return _known(np.where(crosses, np.nan, low), np.where(crosses, np.nan, high))

    def exp(self, x: Box) -> Box:
        return self.arrays.exp(_coarse(x[0], x, np.floor)), self.arrays.exp(_coarse(x[1], x, np.ceil))

    def root(self, x: Box) -> Box:
        return self.arrays.root(x[0]), self.arrays.root(x[1])

    def inverse_root(self, x: Box) -> Box:
        return self.arrays.inverse_root(x[1]), self.arrays.inverse_root(x[0])

    def rectified(self, x: Box) -> Box:
        return self.arrays.rectified(x[0]), self.arrays.rectified(x[1])

    def clipped(self, x: Box) -> Box:
        return self.arrays.clipped(x[0]), self.arrays.clipped(x[1])

    def stepped(self, x: Box) -> Box:
        return self.arrays.stepped(x[0]), self.arrays.stepped(x[1])

    def after(self, layer: Layer, columns: BoxColumns, given: list[BoxColumns]) -> BoxColumns:
        """A token after a layer, from the output of each head."""
        columns = after_attention(layer, columns, given, self)
        if layer.network is None:
            return columns
        read = read_by_network(layer, columns, self)
        units = hidden_units(layer.network, read, self)
        into = {name: self._into(layer.network, read, units, form) for name, form in layer.network.into.items()}
        return after_network(layer, columns, into, self)

    def _into(self, entry: FeedForward, read: BoxColumns, units: BoxColumns, form: Map) -> Box:
        """A map of hidden units; if the box is not a point, it is intersected with that of :func:`hinged`."""
        low, high = applied(form, units, self)
        second = hinged(self, entry, read, form) if (low < high).any() else None
        return (low, high) if second is None else (np.maximum(low, second[0]), np.minimum(high, second[1]))


def point(x: Array) -> Box:
    """A box of one point."""
    return x, x


def _coarse(end: Array, x: Box, outward: Callable[[Array], Array]) -> Array:
    """An argument of exp; if the box is not a point, it is moved outwards to one of few values, so that few are looked up."""
    moved = outward(np.clip(end, -200, 200) * 32) / 32
    moved = np.where(end < -200, -200 if outward is np.ceil else -np.inf, np.where(end > 200, np.inf if outward is np.ceil else 200, moved))
    return np.where(x[0] == x[1], end, moved).astype(end.dtype)


def _known(low: Array, high: Array) -> Box:
    """A box, or no information if it contains infinities of both signs: a sum or a product of such numbers may be NaN."""
    lost = np.isnan(low) | np.isnan(high) | ((low == -np.inf) & (high == np.inf))
    return (np.where(lost, np.nan, low), np.where(lost, np.nan, high)) if lost.any() else (low, high)


def _product(x: Box, y: Box) -> Box:
    """The exact hull of a product, or the rounded one if NumPy itself rounds; for a number with itself a square."""
    if x is y:
        return _square(x)
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


MOST_BOXES = 1 << 15
MOST_COMPARED = 1 << 17
"""Boxes of a step, over all halvings; what is left then stays open."""
DEEPEST = 80


class LogitBoxes:
    """The last token from the layer with heads on. ``place`` is its index in the tokens.

    columns: the coordinates that each word has before that layer, of the shape (word, token). layer: the one with heads. after: the
    layers behind it.
    """

    def __init__(self, arrays: Arrays, columns: dict[str, Array], layer: Layer, after: Sequence[Layer]) -> None:
        self.arrays, self.network, self.boxes = arrays, arrays.network, Boxes(arrays)
        self.columns, self.layer, self.after = columns, layer, after

    def decided(self, place: int, query: Array, right: Array, given: dict[tuple[int, str], Box]) -> Array:
        """1 if the right symbol is chosen in all of a box, −1 if it is nowhere chosen, 0 if neither is shown. Two rows may be equal."""
        ends = [np.broadcast_to(end, (len(right), 1)) for box in given.values() for end in box]
        table = np.concatenate([np.stack([query, right], axis=1), *(end.astype(np.float64) for end in ends)], axis=1)
        _, first, inverse = np.unique(table + 0.0, axis=0, return_index=True, return_inverse=True)
        boxes = {key: (ends[2 * k][first], ends[2 * k + 1][first]) for k, key in enumerate(given)}
        return np.asarray(self._decided(place, query[first], right[first], boxes)[inverse.reshape(-1)])

    def _decided(self, place: int, query: Array, right: Array, given: dict[tuple[int, str], Box]) -> Array:
        found = self._compared(place, query, right, given)
        verdict, owner = found.copy(), np.flatnonzero(found == 0)
        given = {key: (low[owner], high[owner]) for key, (low, high) in given.items()}
        verdict[owner] = 1
        compared = 0
        for _ in range(DEEPEST):
            if not len(owner):
                return verdict
            given, owner = self._halved(given, owner)
            compared += len(owner)
            if len(owner) > MOST_BOXES or compared > MOST_COMPARED:
                break
            found = self._compared(place, query[owner], right[owner], given)
            points = np.all([low[:, 0] == high[:, 0] for low, high in given.values()], axis=0)
            verdict[owner[(found < 0) | ((found == 0) & points)]] = 0
            keep = (found == 0) & (verdict[owner] == 1)
            given, owner = {key: (low[keep], high[keep]) for key, (low, high) in given.items()}, owner[keep]
        verdict[owner] = 0
        return verdict

    def _halved(self, given: dict[tuple[int, str], Box], owner: Array) -> tuple[dict[tuple[int, str], Box], Array]:
        """Each box in two halves, along the coordinate that is widest for its size; a box of two neighbouring values is split into
        these."""
        names = list(given)
        width = np.stack([(given[key][1] - given[key][0])[:, 0] for key in names], axis=1)
        scale = np.stack([np.maximum(np.abs(given[key][0]), np.abs(given[key][1]))[:, 0] for key in names], axis=1) + 1e-300
        widest = np.argmax(np.where(width > 0, width / scale, -1), axis=1)
        made: dict[tuple[int, str], Box] = {}
        for k, key in enumerate(names):
            low, high = given[key]
            middle = self.arrays.carrier.rounded((low / 2 + high / 2).astype(low.dtype))
            middle = np.clip(middle, low, high)
            here = (widest == k)[:, None]
            neighbours = (middle <= low) | (middle >= high)
            top = np.where(here, np.where(neighbours, low, middle), high)
            bottom = np.where(here, np.where(neighbours, high, middle), low)
            made[key] = (np.concatenate([low, bottom]), np.concatenate([top, high]))
        return made, np.concatenate([owner, owner])

    def _compared(self, place: int, query: Array, right: Array, given: dict[tuple[int, str], Box]) -> Array:
        """1 if the right symbol's logit is certainly chosen, −1 if another one is, else 0."""
        columns = self.last(place, query, given)
        logits = [applied(form, columns, self.boxes) for form in self.network.logits]
        low, high = (np.concatenate([np.broadcast_to(x[end], (len(query), 1)) for x in logits], axis=1) for end in (0, 1))
        symbols = np.arange(low.shape[1])[None]
        rows = np.arange(len(query))
        finite = ~(np.isnan(low) | np.isnan(high)).any(axis=1)
        first = symbols < right[:, None]
        least, most = low[rows, right][:, None], high[rows, right][:, None]
        above = np.where(first, least > high, least >= high) | (symbols == right[:, None])
        above |= self._apart(right, columns, ~above.all(axis=1))
        chosen = above.all(axis=1)
        beaten = (np.where(first, low >= most, low > most) & (symbols != right[:, None])).any(axis=1)
        return np.where(~finite, 0, np.where(chosen, 1, np.where(beaten, -1, 0)))

    def _apart(self, right: Array, columns: BoxColumns, asked: Array) -> Array:
        """Whether the right symbol's logit exceeds another one by their difference, in the requested rows."""
        found = np.zeros((len(right), len(self.network.logits)), bool)
        wide = {name: tuple(np.broadcast_to(end, (len(right), 1)) for end in box) for name, box in columns.items()}
        for symbol in np.unique(right[asked]).tolist():
            rows = np.flatnonzero(asked & (right == symbol))
            read: BoxColumns = {name: (low[rows], high[rows]) for name, (low, high) in wide.items()}
            for other, form in enumerate(self.network.logits):
                if other != symbol:
                    found[rows, other] = difference(self.boxes, self.network.logits[symbol], form, read)[0][:, 0] > 0
        return found

    def last(self, place: int, query: Array, given: dict[tuple[int, str], Box]) -> BoxColumns:
        """The final coordinates of the last token, for its word and the outputs of heads."""
        columns: BoxColumns = {name: same(x[query, place]) for name, x in self.columns.items()}
        heads = [{name: given[h, name] for name in head.value} for h, head in enumerate(self.layer.heads)]
        columns = self.boxes.after(self.layer, columns, heads)
        for layer in self.after:
            columns = self.boxes.after(layer, columns, [])
        return columns if self.network.final_norm is None else normed(columns, self.network.final_norm, self.boxes)


def same(x: Array) -> Box:
    """The boxes that hold these values alone."""
    return x[:, None], x[:, None]
