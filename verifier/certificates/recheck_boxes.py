"""The checker's transformers on boxes: for each coordinate the least and the largest value that its computed number may have.

Rounding is monotone: an operation on the ends, rounded as it is, encloses the operation on all values between them. The difference of two
maps is also bounded by itself: exactly, with what rounding may add to each map; so that two hinges, max(0, P) and max(0, Q), whose
difference is small stay near each other on a wide box. A box is *open* where an end is not finite.
"""

from collections.abc import Sequence

from .recheck_layers import Layer, Map, Norm, Units
from .recheck_rounding import INF, Format
from .recheck_transformer import Transformer

Box = tuple[int, int]


class Open(Exception):  # noqa: N818
    """Nothing is known of a box."""


class Boxes:
    """The operations of a transformer on boxes."""

    def __init__(self, transformer: Transformer) -> None:
        self.transformer, self.floats = transformer, transformer.floats
        self.one: Box = (self.floats.one, self.floats.one)
        self.apart: dict[
            tuple[int, int], tuple[list[tuple[int, int]], int, tuple[Map, Map]]
        ] = {}  # holds the maps, so that ids stay theirs

    def known(self, low: int, high: int) -> Box:
        if not -INF < low <= high < INF:
            raise Open
        return low, high

    def add(self, x: Box, y: Box) -> Box:
        return self.known(self.floats.add(x[0], y[0]), self.floats.add(x[1], y[1]))

    def subtract(self, x: Box, y: Box) -> Box:
        return self.add(x, (-y[1], -y[0]))

    def product(self, form: Format, x: Box, y: Box) -> Box:
        product = self.floats.product
        if x[0] == x[1]:
            x, y = y, x
        if y[0] != y[1]:
            if y[0] < 0:
                ends = sorted(product(form, a, b) for a in x for b in y)
                return self.known(ends[0], ends[-1])
            return self.known(product(form, x[0], y[x[0] < 0]), product(form, x[1], y[x[1] >= 0]))
        low = product(form, x[0], y[0])
        high = low if x[0] == x[1] else product(form, x[1], y[0])
        return self.known(low, high) if y[0] >= 0 else self.known(high, low)

    def multiply(self, x: Box, y: Box) -> Box:
        return self.product(self.floats.narrow, x, y)

    def divide(self, x: Box, y: Box) -> Box:
        """Nothing is known where y may be 0."""
        if y[0] <= 0 <= y[1]:
            raise Open
        if y[0] < 0:
            x, y = (-x[1], -x[0]), (-y[1], -y[0])
        return self.known(self.floats.divide(x[0], y[x[0] >= 0]), self.floats.divide(x[1], y[x[1] < 0]))

    def dot(self, terms: Sequence[tuple[Box, Box]]) -> Box:
        products = [self.product(self.floats.into, *term) for term in terms]
        return self.known(self.floats.total([x for x, _ in products]), self.floats.total([x for _, x in products]))

    def applied(self, form: Map, x: Sequence[Box]) -> Box:
        self.floats.limits.spend(4 * len(form.terms) * self.floats.cost)
        return self.dot([*(((c, c), x[k]) for k, c in form.terms), *(((c, c), self.one) for c in form.constant)])

    def added(self, x: list[Box], given: dict[int, Box], residual: bool) -> list[Box]:
        if not residual:
            return [given.get(k, (0, 0)) for k in range(len(x))]
        return [self.add(value, given[k]) if k in given else value for k, value in enumerate(x)]

    def network(self, layer: Layer, x: list[Box]) -> list[Box]:
        """What the network of a layer does, with its norms."""
        for units in layer.units:
            norm = layer.network_norm
            read = self.normed(x, norm[0]) if norm and norm[0].before else x
            inside = [self.applied(form, read) for form in units.hidden]
            hidden = [self.activation(units.activation, value) for value in inside]
            if units.gate:
                hidden = [self.multiply(u, self.applied(form, read)) for u, form in zip(hidden, units.gate, strict=True)]
            into = {name: self.into(units, form, read, inside, hidden) for name, form in units.into}
            for factor in units.factor:
                into = {name: self.multiply(value, (factor, factor)) for name, value in into.items()}
            x = self.added(x, into, units.residual)
            x = self.normed(x, norm[0]) if norm and not norm[0].before else x
        return x

    def activation(self, kind: str, x: Box) -> Box:
        if kind != "silu":
            return self.transformer.activation(kind, x[0]), self.transformer.activation(kind, x[1])
        below = [self.floats.add(self.floats.one, self.floats.exp(-end)) for end in x]
        ends = sorted(self.floats.divide(a, b) for a in x for b in below)
        return self.known(ends[0], ends[-1])

    def into(self, units: Units, form: Map, read: list[Box], inside: list[Box], hidden: list[Box]) -> Box:
        """A map of hidden units, cut with what is known of differences of hinges."""
        low, high = self.applied(form, hidden)
        pairs = opposite(form)
        if low == high or units.activation != "relu" or units.gate or form.constant or not pairs:
            return low, high
        total, alone = [0, 0], dict(form.terms)
        for first, second in pairs:
            maps = units.hidden[first], units.hidden[second]
            ends = self.difference(*maps, read, sum(self.error(each, read) for each in maps))
            if min(inside[first][0], inside[second][0]) < 0:
                positive = max(inside[first][1], inside[second][1]) > 0
                ends = (min(ends[0], 0), max(ends[1], 0)) if positive else (0, 0)
            weight = alone.pop(first)
            del alone[second]
            total = [a + weight * b for a, b in zip(total, ends, strict=True)]
        for unit, weight in alone.items():
            ends = hidden[unit] if weight >= 0 else hidden[unit][::-1]
            total = [a + (weight * b << self.floats.unit + 1) for a, b in zip(total, ends, strict=True)]
        behind = 2 * self.floats.unit + 1
        error = self.rounding([abs(w) * max(abs(hidden[k][0]), abs(hidden[k][1])) for k, w in form.terms]) << self.floats.unit
        settle = self.floats.narrow.settle
        return self.known(max(low, settle(total[0] - error, behind)), min(high, settle(total[1] + error, behind)))

    def difference(self, first: Map, second: Map, read: Sequence[Box], error: int) -> Box:
        """The ends of the difference of two computed maps, in units * 2^-(unit + 1); error: of both maps."""
        self.floats.limits.spend(4 * (len(first.terms) + len(second.terms)) * self.floats.cost)
        if (id(first), id(second)) not in self.apart:
            coefficients = dict(first.terms)
            for k, c in second.terms:
                coefficients[k] = coefficients.get(k, 0) - c
            constant = sum(first.constant) - sum(second.constant) << self.floats.unit
            self.apart[id(first), id(second)] = [(k, c) for k, c in coefficients.items() if c], constant, (first, second)
        terms, low, _ = self.apart[id(first), id(second)]
        high = low
        for k, c in terms:
            least, most = read[k]
            low, high = (low + c * least, high + c * most) if c > 0 else (low + c * most, high + c * least)
        return 2 * low - error, 2 * high + error

    def error(self, form: Map, read: Sequence[Box]) -> int:
        """How far a computed map of values in a box may be from the exact one, in units * 2^-(unit + 1)."""
        self.floats.limits.spend(4 * len(form.terms) * self.floats.cost)
        sizes = [abs(c) * max(abs(read[k][0]), abs(read[k][1])) for k, c in form.terms]
        return self.rounding([*sizes, *(abs(c) << self.floats.unit for c in form.constant)])

    def rounding(self, sizes: list[int]) -> int:
        """How far a dot product of products of at most these sizes, in units * 2^-unit, may be from the exact one, twice over.

        Each rounding moves a number by at most half the distance of neighbours at the largest size that it may have.
        """
        floats, behind = self.floats, self.floats.unit
        total = twice = 0
        if not floats.in_order:
            return self.rounding_in_any_order([size for size in sizes if size])
        for size in sizes:
            if size:
                step = 1 << floats.into.shift(size, behind)
                size, twice = size + step, twice + step
                if total:
                    step = 1 << floats.wide.shift(total + size, behind)
                    size, twice = size + step, twice + step
                total += size
        return self.rounded_at_end(total, twice)

    def rounding_in_any_order(self, sizes: list[int]) -> int:
        """The same where no partial sum is known but that it is below all sizes and errors together."""
        floats, behind = self.floats, self.floats.unit
        steps = [1 << floats.into.shift(size, behind) for size in sizes]
        total, twice, step = sum(sizes) + sum(steps), sum(steps), 0
        while 1 << floats.wide.shift(total + len(sizes) * step, behind) > step:
            step = 1 << floats.wide.shift(total + len(sizes) * step, behind)
            if total + len(sizes) * step > floats.wide.largest << behind:
                raise Open
        return self.rounded_at_end(total + len(sizes) * step, twice + len(sizes) * step)

    def rounded_at_end(self, total: int, twice: int) -> int:
        """With the rounding of the sum into the format of numbers."""
        floats, behind = self.floats, self.floats.unit
        if floats.narrow != floats.wide:
            step = 1 << floats.narrow.shift(total, behind)
            total, twice = total + step, twice + step
        if total > min(floats.narrow.largest, floats.wide.largest) << behind:
            raise Open
        return twice

    def normed(self, x: list[Box], norm: Norm) -> list[Box]:
        floats = self.floats
        kept = [x[k] for k in norm.only]
        size = floats.count(len(kept))
        if norm.layer:
            mean = self.divide(self.known(*(floats.total([value[end] for value in kept]) for end in (0, 1))), (size, size))
            kept = [self.subtract(value, mean) for value in kept]
        squares = [self.square(value) for value in kept]
        total = self.known(*(floats.total([value[end] for value in squares]) for end in (0, 1)))
        inside = self.add(self.divide(total, (size, size)), (norm.eps, norm.eps))
        inverse = floats.knobs["root"] == "multiply"
        ends = sorted(floats.root(end, inverse) for end in inside)
        root = self.known(*ends)
        kept = [self.multiply(value, root) if inverse else self.divide(value, root) for value in kept]
        found: list[Box] = [(0, 0)] * len(x)
        for k, value in zip(norm.only, kept, strict=True):
            gain, shift = norm.gain.get(k), norm.shift.get(k)
            value = value if gain is None else self.multiply(value, (gain, gain))
            found[k] = value if shift is None else self.add(value, (shift, shift))
        return found

    def square(self, x: Box) -> Box:
        low, high = sorted(self.floats.product(self.floats.into, end, end) for end in x)
        return self.known(0 if x[0] < 0 < x[1] else low, high)


def opposite(form: Map) -> list[tuple[int, int]]:
    """Pairs of units with opposite coefficients, the first one's positive."""
    left, found = {k: c for k, c in form.terms if c > 0}, list[tuple[int, int]]()
    for k, c in form.terms:
        partner = next((other for other, weight in left.items() if weight == -c), None)
        if partner is not None:
            del left[partner]
            found.append((partner, k))
    return found
