"""The checker's arithmetic of the formats of transformers, with integers only.

A state is an integer: the value in units of 2^-u, where every value of both formats (of numbers and of sums) is a whole number of units.
Every operation is exact and then rounded once, to the nearest value, ties to even. Zero has no sign.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from .recheck_arithmetic import power_of_e
from .recheck_reading import At, Limits, Unknown
from .recheck_rounding import ANY_DIGITS, INF, NAN, WORDS, Format, exact_product
from .recheck_sums import folded

ENDLESS = ("infinity", "saturate", "nan")
FORMATS = {  # exponent bits, fraction bits, and what stands at the top: infinities, one NaN, or numbers only
    "float64": (11, 52, "ieee"),
    "float32": (8, 23, "ieee"),
    "float16": (5, 10, "ieee"),
    "bfloat16": (8, 7, "ieee"),
    "e5m2": (5, 2, "ieee"),
    "e4m3": (4, 3, "one-nan"),
    "e3m2": (3, 2, "none"),
    "e2m3": (2, 3, "none"),
    "e2m1": (2, 1, "none"),
}
OVERFLOWS = {"ieee": ENDLESS, "one-nan": ("nan", "saturate"), "none": ("saturate",), "fixed": ("saturate", "infinity", "nan")}
KNOBS = {  # what this program computes; format, accumulate, overflow and sums are read apart
    "rounding": ("operation", "dot-product"),
    "products": ("rounded", "narrow", "fused"),
    "maximum": ("subtracted", "kept"),
    "division": ("weights", "output"),
    "scaling": ("scores", "query"),
    "root": ("divide", "multiply"),
    "subnormals": ("kept", "flushed"),
}
ORDERS = ("left-to-right", "pairwise", "numpy")
SPLIT = re.compile(r"split:([1-9][0-9]{0,3})")
FIXED = re.compile(r"(?:int8|fixed:([1-9][0-9]{0,2}))(?::1(?:/([1-9][0-9]{0,99}))?)?")
MOST_BITS = 256


def lowest_and_largest(given: At) -> tuple[int, int, Fraction]:
    """Digits, the exponent of the smallest positive number, and the largest number.

    ``fixed:8`` is a sign and 7 binary digits with the point anywhere among them, ``fixed:8:1/64`` and ``int8:1/64`` multiples of 1/64.
    """
    name = given.text()
    if name not in FORMATS:
        match = FIXED.fullmatch(name)
        bits = int(match[1] or 8) if match else 0
        below = int(match[2] or 1) if match else 0
        if not match or not 1 < bits <= MOST_BITS or below & (below - 1):
            given.refuse(f"one of {', '.join(FORMATS)}, or fixed point of up to {MOST_BITS} bits with a scale 1/2^s")
        if name.startswith("fixed") and name.count(":") == 1:
            return bits - 1, 1 - bits, Fraction((1 << bits - 1) - 1)
        scale = (64 if name == "int8" else below).bit_length() - 1
        return ANY_DIGITS, -scale, Fraction((1 << bits - 1) - 1, 1 << scale)
    exponent_bits, fraction_bits, top = FORMATS[name]
    bias = (1 << (exponent_bits - 1)) - 1
    fraction = Fraction((1 << (fraction_bits + 1)) - (2 if top == "one-nan" else 1), 1 << fraction_bits)
    return fraction_bits + 1, 1 - bias - fraction_bits, fraction * (1 << (bias + (top != "ieee")))


class Floats:
    """The arithmetic of a certificate: its knobs, ``narrow``, the format of numbers, and ``wide``, that of sums."""

    def __init__(self, given: At, limits: Limits) -> None:
        parts = given.record("format", "accumulate", "overflow", "sums", *KNOBS)
        self.limits = limits
        self.knobs = {knob: parts[knob].one_of(*settings) for knob, settings in KNOBS.items()}
        self.order = parts["sums"].text()
        if not SPLIT.fullmatch(self.order):
            parts["sums"].one_of(*ORDERS)
        if self.knobs["products"] == "fused" and self.order in ("pairwise", "numpy"):
            parts["sums"].refuse("left-to-right or split:4, for fused products,")
        name = parts["format"].text()
        accumulate = parts["accumulate"].text() or name
        ends = {each: lowest_and_largest(parts[part]) for part, each in (("format", name), ("accumulate", accumulate)) if parts[part].data}
        self.unit = max(0, *(-exponent for _, exponent, _ in ends.values()))

        def form(each: str, overflow: str) -> Format:
            digits, exponent, largest = ends[each]
            step = exponent + self.unit
            flushed = 1 << step + digits - 1 if self.knobs["subnormals"] == "flushed" and each in FORMATS else 0
            return Format(digits, step, step, int(largest * (1 << self.unit)), overflow, flushed=flushed)

        def overflows(each: str) -> tuple[str, ...]:
            return OVERFLOWS[FORMATS[each][2] if each in FORMATS else "fixed"]

        overflow = parts["overflow"].one_of("", *overflows(name)) or overflows(name)[0]
        self.narrow = form(name, overflow)
        self.wide = self.narrow if parts["accumulate"].text() == "" else form(accumulate, overflows(accumulate)[0])
        self.into = self.narrow if self.knobs["products"] == "narrow" else self.wide
        self.one = self.narrow.settle(1 << self.unit)
        self.cost = 1 + self.unit // 512
        self.in_order = self.order == ORDERS[0] and self.knobs["rounding"] == "operation" and self.knobs["products"] != "fused"
        """Whether dot products are sums of rounded products from left to right."""

        order = ("rounding", "sums", "products", "accumulate", "maximum", "division", "scaling", "root", "overflow", "subnormals")
        usual = {key: settings[0] for key, settings in KNOBS.items()} | {"sums": ORDERS[0]}
        self.label = "+".join([name, *(f"{k}={parts[k].data}" for k in order if parts[k].data != usual.get(k, ""))])
        self.exponentials: dict[int, int] = {}

    @property
    def plain(self) -> bool:
        """Whether they are, in formats with digits and subnormal numbers."""
        return self.in_order and self.knobs["subnormals"] == "kept" and max(self.narrow.digits, self.wide.digits) < ANY_DIGITS

    def count(self, number: int) -> int:
        """A number of things, rounded once."""
        return self.narrow.settle(number << self.unit)

    # ---- numbers of the file

    def constant(self, given: At) -> int:
        """A number, rounded once; of a real number between two given ones, if all of these round alike."""
        self.limits.spend(4 * self.cost)
        if isinstance(given.data, list):
            low, high = (self.fraction(x.number()) for x in given.items(2))
            if low != high:
                given.refuse("two numbers that round to the same one")
            return low
        return self.fraction(given.number())

    def state(self, given: At) -> int:
        """A value of the formats, or an infinity or NaN."""
        x = given.value()
        if isinstance(x, str):
            return {word: state for state, word in WORDS.items()}[x]
        units, rest = divmod(x.numerator << self.unit, x.denominator)
        return units if rest == 0 else given.refuse("a value of the format")

    def fraction(self, x: Fraction) -> int:
        return self.narrow.ratio(x.numerator << self.unit, x.denominator)

    def value(self, state: int) -> Fraction | str:
        return WORDS.get(state) or Fraction(state, 1 << self.unit)

    # ---- operations

    def sum(self, form: Format, x: int, y: int) -> int:
        """Rounded x + y."""
        if -INF < x < INF and -INF < y < INF:
            return form.settle(x + y)
        if NAN in (x, y) or x == -y:
            return NAN
        return self.special(form, x if abs(x) == INF else y)

    def special(self, form: Format, x: int) -> int:
        """An infinity or NaN as a result in a format."""
        return x if x == NAN else form.beyond(x < 0)

    def product(self, form: Format, x: int, y: int) -> int:
        """Rounded x * y."""
        if -INF < x < INF and -INF < y < INF:
            return form.settle(x * y, self.unit)
        if NAN in (x, y) or x == 0 or y == 0:
            return NAN
        return form.beyond((x < 0) != (y < 0))

    def add(self, x: int, y: int) -> int:
        return self.sum(self.narrow, x, y)

    def subtract(self, x: int, y: int) -> int:
        return self.sum(self.narrow, x, y if y == NAN else -y)

    def multiply(self, x: int, y: int) -> int:
        return self.product(self.narrow, x, y)

    def divide(self, x: int, y: int) -> int:
        """Rounded x / y; x/0 has the sign of x, as zero has none."""
        if NAN in (x, y) or (abs(x) == INF == abs(y)) or x == y == 0:
            return NAN
        if abs(x) == INF or y == 0:
            return self.narrow.beyond((x < 0) != (y < 0))
        if abs(y) == INF:
            return 0
        return self.narrow.ratio((-x if y < 0 else x) << self.unit, abs(y))

    def settle(self, x: int) -> int:
        """The result of a sum as a number."""
        return self.narrow.settle(x) if -INF < x < INF else self.special(self.narrow, x)

    def total(self, terms: Sequence[int | None]) -> int:
        """The sum in its order; None adds nothing."""
        self.limits.spend(len(terms) * self.cost)
        if self.in_order:
            return self.chained(terms)
        if self.knobs["rounding"] == "dot-product":
            return self.at_once([None if term is None else (term, 1 << self.unit) for term in terms])
        return self.settle(folded(terms, self.order, self.widened) or 0)

    def chained(self, terms: Sequence[int | None]) -> int:
        """The sum from left to right."""
        total: int | None = None
        for term in terms:
            if term is not None:
                total = term if total is None else self.sum(self.wide, total, term)
        return self.settle(total or 0)

    def widened(self, x: int, y: int) -> int:
        return self.sum(self.wide, x, y)

    def dot(self, terms: Sequence[tuple[int, int] | None]) -> int:
        """The sum of products, as the knobs say."""
        self.limits.spend(2 * len(terms) * self.cost)
        if self.in_order:
            return self.chained([None if term is None else self.product(self.into, *term) for term in terms])
        if self.knobs["rounding"] == "dot-product":
            return self.at_once(terms)
        if self.knobs["products"] == "fused":
            return self.settle(folded(self.chains(terms), "left-to-right", self.widened) or 0)
        products = [None if term is None else self.product(self.into, *term) for term in terms]
        return self.settle(folded(products, self.order, self.widened) or 0)

    def chains(self, terms: Sequence[tuple[int, int] | None]) -> list[int | None]:
        """Sums of every k-th term, each product added to the sum, which begins with 0, and rounded once."""
        split = SPLIT.fullmatch(self.order)
        parts = int(split[1]) if split else 1
        found: list[int | None] = []
        for start in range(parts):
            sum: int | None = None
            for term in terms[start::parts]:
                sum = sum if term is None else self.added(self.wide, sum or 0, *term)
            found.append(sum)
        return found

    def added(self, form: Format, total: int, x: int, y: int) -> int:
        """Rounded total + x * y."""
        if all(-INF < each < INF for each in (total, x, y)):
            return form.settle((total << self.unit) + x * y, self.unit)
        infinite = exact_product(x, y)
        if NAN in (infinite, total) or (abs(infinite) == abs(total) == INF and infinite != total):
            return NAN
        return self.special(form, infinite if abs(infinite) == INF else total)

    def at_once(self, terms: Sequence[tuple[int, int] | None]) -> int:
        """The exact sum of exact products, rounded once."""
        total, beyond = 0, set[int]()
        for x, y in (term for term in terms if term is not None):
            if -INF < x < INF and -INF < y < INF:
                total += x * y
            else:
                beyond.add(exact_product(x, y))
        if beyond:
            return self.special(self.narrow, beyond.pop() if len(beyond) == 1 else NAN)
        return self.narrow.settle(total, self.unit)

    def less(self, x: int, y: int) -> bool:
        return x < y and NAN not in (x, y)

    def largest(self, scores: Sequence[int]) -> int:
        """What softmax subtracts; NaN where there is one."""
        return NAN if NAN in scores else max(scores, default=-INF)

    def clipped(self, x: int, top: int | None) -> int:
        """max(x, 0), and not above ``top`` where it is given."""
        return max(x, 0) if top is None else min(max(x, 0), top)

    def exp(self, x: int) -> int:
        """Rounded e^x. e^high is above every number, e^low below half of the smallest."""
        if x == NAN or x == -INF:
            return NAN if x == NAN else 0
        high, low = self.narrow.largest.bit_length() - self.unit + 1, self.narrow.step - self.unit - 2
        if x == INF or x >= max(high, 1) << self.unit:
            return self.narrow.beyond(False)
        if x == 0 or x <= low << self.unit:
            return self.one if x == 0 else 0
        if x not in self.exponentials:
            self.exponentials[x] = self.rounded_exp(Fraction(x, 1 << self.unit))
        return self.exponentials[x]

    def rounded_exp(self, x: Fraction) -> int:
        """Other than at 0 it is irrational, so that ends that are near enough round alike."""
        for bits in (64 << k for k in range(9)):
            self.limits.spend(16 + 2 * bits + bits * bits // 128)
            low, high = (self.fraction(end) for end in power_of_e(x, bits))
            if low == high:
                return low
        raise Unknown("a rounding of e^x stays undecided")

    def root(self, x: int, inverse: bool) -> int:
        """Rounded square root, or 1 over it."""
        if x == NAN or x < 0:
            return NAN
        if x == INF:
            return 0 if inverse else self.special(self.narrow, x)
        if x == 0:
            return self.narrow.beyond(False) if inverse else 0
        self.limits.spend(4 * self.cost)
        guard = 2 * min(self.narrow.digits, self.narrow.largest.bit_length()) + 2 * self.narrow.step + 4
        top, bottom = (1 << (3 * self.unit + guard), x) if inverse else (x << (self.unit + guard), 1)
        found = isqrt(top // bottom)
        return self.narrow.settle(2 * found + (found * found * bottom != top), guard // 2 + 1)
