"""The arithmetic of a certificate: every operation exact, then rounded once into a format, all in integers.

If this file is right, you may believe: the result of each operation is the one that the certificate's record of the arithmetic names.

A state is an integer: a value in units of the format of numbers and that of sums together, of which every value of both is a whole number;
or one of the words INF, -INF, NAN. Zero has no sign.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache, reduce, wraps
from itertools import product
from math import isqrt
from typing import Any, NamedTuple, NoReturn

from .recheck_reading import At, Limits, Open, Unknown

INF, NAN = 1 << 12000, 1 << 12001  # beyond all that are numbers, and all sums of products of two
MINUS = -INF
WORDS = {INF: "inf", -INF: "-inf", NAN: "nan"}
FEW = 8  # terms of a sum of products that is kept
ANY_DIGITS = 1 << 60  # of a grid: no number has more
MOST_BITS = 256
EXACT, BITS = "exact", 256
STEEPEST = 3000
"""|x| in e^x, of real numbers: above it the number is refused, below it e^x is known to be less than 2^-4000."""
LONGEST, LARGEST = 1 << 20, 4990
"""Binary digits of a fraction, and of its whole part; the words for NaN and the infinities lie beyond."""
FORMATS = {  # at the top stand infinities, one NaN, or numbers only
    "float64": (53, -1074, (1 << 53) - 1, 971, "ieee"),
    "float32": (24, -149, (1 << 24) - 1, 104, "ieee"),
    "float16": (11, -24, (1 << 11) - 1, 5, "ieee"),
    "bfloat16": (8, -133, (1 << 8) - 1, 120, "ieee"),
    "e5m2": (3, -16, 7, 13, "ieee"),
    "e4m3": (4, -9, 14, 5, "one-nan"),
    "e3m2": (3, -4, 7, 2, "none"),
    "e2m3": (4, -3, 15, -1, "none"),
    "e2m1": (2, -1, 3, 1, "none"),
}
"""Of a binary format: digits, exponent of the least number, the largest one as an integer and an exponent, what stands at the top."""
OVERFLOWS = {"ieee": ("infinity", "saturate", "nan"), "one-nan": ("nan", "saturate"), "none": ("saturate",)}
OVERFLOWS |= {"fixed": ("saturate", "infinity", "nan", "before"), "digits": ("infinity", "before", "saturate"), EXACT: ("",)}
KNOBS = {
    "rounding": ("operation", "dot-product"),
    "ties": ("even", "zero", "away", "truncate"),
    "products": ("rounded", "narrow", "fused"),
    "maximum": ("subtracted", "kept"),
    "division": ("weights", "output"),
    "scaling": ("scores", "query"),
    "root": ("divide", "multiply"),
    "subnormals": ("kept", "flushed", "nearest"),
    "attention": ("values", "inputs", "products"),
    "entries": ("rounded", "exact"),
    "constants": ("multiplied", "added"),
}
ARITHMETIC = ("format", "accumulate", "overflow", "sums", *KNOBS)
ORDERS = ("left-to-right", "pairwise", "numpy")
SPLIT = re.compile(r"split:([1-9][0-9]{0,3})")
FIXED = re.compile(r"(?:int8|fixed:([1-9][0-9]{0,2}))(?::([1-9][0-9]{0,99})(?:/([1-9][0-9]{0,99}))?)?")
DIGITS = re.compile(r"float:([1-9][0-9]?):([1-7])")


# ---- numbers of which only ends are known


class Between:
    """A number of which only low <= x <= high is known. Whatever the ends leave open is refused, never guessed."""

    __slots__ = ("high", "low")

    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high = low, high

    def __lt__(self, other: Any) -> bool:
        low, high = ends(other)
        return True if self.high < low else False if self.low >= high else left_open()

    def __le__(self, other: Any) -> bool:
        low, high = ends(other)
        return True if self.high <= low else False if self.low > high else left_open()

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        """False for None, and for different ends. Python's containers still find the same object by identity."""
        if other is None:
            return False
        low, high = ends(other)
        return other is self or (False if self.high < low or high < self.low else left_open())

    def __hash__(self) -> int:
        raise Open("cases that are told apart by a number of which only ends are known")

    def corners(self) -> tuple[Any, ...]:
        return (self.low, 0, self.high) if self.low < 0 < self.high else (self.low, self.high)

    def __neg__(self) -> "Between":
        return Between(-self.high, -self.low)


def between(low: Any, high: Any) -> Any:
    """A number between two others, which is known where they are one."""
    if low > high:
        raise Open("ends that are out of order")
    return low if low == high else Between(low, high)


def ends(x: Any) -> tuple[Any, Any]:
    """Both ends of a number; for a known number both are the number itself."""
    return (x.low, x.high) if type(x) is Between else (x, x)


def left_open() -> NoReturn:
    raise Open("a comparison of numbers that their ends leave open")


def cut(x: Fraction, up: bool) -> Fraction:
    """The nearest number with ``BITS`` or one more binary digits that is not above x, or not below it."""
    shift = x.numerator.bit_length() - x.denominator.bit_length() - BITS
    top, bottom = x.numerator << max(-shift, 0), x.denominator << max(shift, 0)
    whole = -(-top // bottom) if up else top // bottom
    return Fraction(whole << max(shift, 0), 1 << max(-shift, 0))


def monotone(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Extend the operation to numbers known by their ends.

    The operation is monotone in each of its numbers, on either side of 0, and so is its rounding: its results at the ends, and at 0 if 0
    lies between them, enclose all others. Its result may have ends again.
    """

    @wraps(operation)
    def at_ends(numbers: Any, *given: Any) -> Any:
        if Between not in map(type, given):
            return operation(numbers, *given)
        corners = [x.corners() if type(x) is Between else (x,) for x in given]
        if (NAN,) in corners:
            return NAN
        found: list[Any] = []
        for corner in product(*corners):
            found += ends(operation(numbers, *corner))
        low, high = min(found), max(found)
        if not MINUS <= low <= high <= INF:
            raise Open("an operation that may come to no number")
        return between(cut(low, False), cut(high, True)) if numbers.real and low != high else between(low, high)

    return at_ends


# ---- formats


class Format(NamedTuple):
    """Significands of ``digits`` digits; neighbours are at least 2^step units apart; ``largest`` in units; a unit is 2^-unit * scale.

    kind: what stands at the top of it. overflow: what a number beyond becomes: infinity, saturate, nan; or before, infinity where it is
    beyond before it is rounded. ties: even, zero, away; or truncate, which rounds towards zero. below: of numbers for which digits alone
    would have neighbours nearer than 2^step, also nearest, all of which have neighbours 2^(step + digits - 1) apart, and flushed: 0.
    """

    digits: int
    step: int
    largest: Any
    scale: Fraction
    kind: str
    overflow: str = ""
    ties: str = "even"
    below: str = "kept"

    def in_units(self, unit: int, overflow: str, ties: str, below: str) -> "Format":
        below = below if self.digits < ANY_DIGITS and self.kind != "fixed" else "kept"
        return Format(self.digits, self.step + unit, int(self.largest * (1 << unit)), self.scale, self.kind, overflow, ties, below)

    def beyond(self, x: Any) -> int:
        """The result of an overflow, with the sign of x."""
        if self.overflow == "nan":
            return NAN
        size = self.largest if self.overflow == "saturate" else INF
        return -size if x < 0 else int(size)

    def shift(self, size: int, behind: int = 0) -> int:
        """The number of digits of size * 2^-behind units that rounding removes."""
        shift, least = size.bit_length() - self.digits, self.step + behind
        if shift >= least or self.below == "flushed":
            return shift
        return least + self.digits - 1 if self.below == "nearest" else least

    def settle(self, number: int, behind: int = 0) -> int:
        """The state of number * 2^-behind units; a 1 in the last of three or more digits may stand for all further digits."""
        if not number:
            return 0
        digits, step, largest, _, _, overflow, ties, below = self
        size = abs(number)
        if overflow == "before" and size > largest << behind:
            return self.beyond(number)
        shift = size.bit_length() - digits
        if shift < step + behind:
            shift = self.shift(size, behind)
        if shift > 0:  # half of 2^shift is added, and a bit less where a tie goes down
            if ties == "even":
                more = (1 << shift - 1) - 1 + (size >> shift & 1)
            else:
                more = 0 if ties == "truncate" else (1 << shift - 1) - 1 + (ties == "away")
            size = (size + more) >> shift << shift
        if below == "flushed" and size < 1 << step + digits - 1 + behind:
            return 0
        size >>= behind
        if size > largest:
            return self.beyond(number)
        return -size if number < 0 else size

    def ratio(self, top: int, bottom: int) -> int:
        """The state of top/bottom units."""
        quotient, rest = divmod(abs(top) << 2, abs(bottom))
        size = 2 * quotient + (rest > 0)
        return self.settle(size if (top < 0) == (bottom < 0) else -size, 3)

    def exactly(self, x: int | Fraction) -> int:
        """The state of x units."""
        return self.ratio(x.numerator, x.denominator)


class Unrounded(Format):
    """A format that has every fraction; the size of a fraction counts as work."""

    limits: Limits

    def in_units(self, *_: Any) -> Format:
        return self

    def settle(self, number: Any, behind: int = 0) -> Any:
        top, bottom = number.numerator.bit_length(), number.denominator.bit_length()
        self.limits.spend(1 + (top + bottom) // 64)
        if top + bottom > LONGEST or top - bottom > LARGEST:
            raise Unknown("a fraction too large")
        return number

    def ratio(self, top: int, bottom: int) -> Any:
        return self.settle(Fraction(top, bottom))


def read_format(given: At) -> Format:
    """A format by its name, in units of 1 or its scale.

    ``fixed:8`` is a sign and 7 binary digits with the point anywhere among them (Every Bit Counts, Definition A.7), ``fixed:8:1/64`` and
    ``int8:1/64`` are multiples of 1/64, ``float:5:3`` has 5 digits of the mantissa and 3 of the exponent, signs counted (Definition A.10).
    """
    name, one = given.text(), Fraction(1)
    row = FORMATS.get(name)
    if match := DIGITS.fullmatch(name):
        digits, most = int(match[1]), (1 << int(match[2]) - 1) - 1
        row = digits, 1 - most - digits, (1 << digits) - 1, most - digits + 1, "digits"
    if row:
        digits, step, top, exponent, kind = row
        return Format(digits, step, top * Fraction(2) ** exponent, one, kind)
    match = FIXED.fullmatch(name)
    bits = int(match[1] or 8) if match else 0
    if not match or not 0 < bits <= MOST_BITS:
        given.refuse(f"one of {', '.join(FORMATS)}, floating point of digits, or fixed point of up to {MOST_BITS} bits")
    largest = Fraction((1 << bits - 1) - 1)
    if match[2] is None and match[1]:
        return Format(bits - 1 or ANY_DIGITS, 1 - bits, largest, one, "fixed")
    scale = Fraction(int(match[2] or 1), int(match[3] or 1 if match[2] else 64))
    below = scale.denominator.bit_length() - 1
    if scale == Fraction(1, 1 << below):
        return Format(ANY_DIGITS, -below, largest * scale, one, "fixed")
    return Format(ANY_DIGITS, 0, largest, scale, "fixed")


class Numbers:
    """The arithmetic of a certificate: its knobs, ``narrow``, the format of numbers, and ``wide``, that of sums.

    real: numbers are rational numbers, unrounded, or NAN; settings that cannot change a real number have one value.
    """

    def __init__(self, given: At, limits: Limits) -> None:
        parts = given.record(*ARITHMETIC)
        self.limits, self.lacking, self.real = limits, False, parts["format"].data == EXACT
        settings = {knob: words[:1] if self.real else words for knob, words in (KNOBS | {"sums": ORDERS}).items()}
        self.knobs = {knob: parts[knob].one_of(*settings[knob]) for knob in KNOBS}
        self.order = parts["sums"].text()
        if self.real or not SPLIT.fullmatch(self.order):
            parts["sums"].one_of(*settings["sums"])
        if self.knobs["products"] == "fused" and self.order in ("pairwise", "numpy"):
            parts["sums"].refuse("left-to-right or split:4, for fused products,")
        narrow = Unrounded(ANY_DIGITS, 0, 0, Fraction(1), EXACT, "nan") if self.real else read_format(parts["format"])
        accumulate = parts["accumulate"].one_of("") if self.real else parts["accumulate"].text()
        wide = read_format(parts["accumulate"]) if accumulate else narrow
        if wide is not narrow and not narrow.scale == wide.scale == 1:
            parts["accumulate"].refuse("no other format of sums beside a scale that is no power of 2")
        self.unit = max(0, -narrow.step, -wide.step)
        self.per_one, self.binary = (1 << self.unit) / narrow.scale, narrow.scale == 1  # units in 1, and whether that is 2^unit
        rules = parts["overflow"].one_of(*OVERFLOWS[narrow.kind]), self.knobs["ties"], self.knobs["subnormals"]
        self.narrow = narrow.in_units(self.unit, *rules)
        self.wide = self.narrow if wide is narrow else wide.in_units(self.unit, OVERFLOWS[wide.kind][0], *rules[1:])
        if isinstance(self.narrow, Unrounded):
            self.narrow.limits = limits
        self.into = self.narrow if self.knobs["products"] == "narrow" else self.wide
        self.one = self.narrow.exactly(self.per_one)
        self.cost = 1 + self.unit // 512
        self.in_order = self.order == ORDERS[0] and self.knobs["rounding"] == "operation" and self.knobs["products"] != "fused"
        """Whether dot products are sums of rounded products from left to right."""

        usual = {key: words[0] for key, words in KNOBS.items()}
        usual |= {"sums": ORDERS[0], "accumulate": "", "overflow": OVERFLOWS[narrow.kind][0]}
        changed = [f"{key}={parts[key].data}" for key in ARITHMETIC[1:] if parts[key].data != usual[key]]
        self.label = "exact arithmetic" if self.real else "+".join([parts["format"].text(), *changed])
        high, low = int((self.narrow.largest + 1) / self.per_one).bit_length() + 1, int(2 * self.per_one).bit_length()
        self.steepest = -int(low * self.per_one) - 1, int(high * self.per_one) + 1
        """2^x of these is below half of the smallest number, and above every number."""

        self.known: dict[str, Any] = {}
        self.exponentials: dict[tuple[int, bool], int] = {}
        self.known_dot = lru_cache(maxsize=1 << 14)(self.new_dot)

    # ---- numbers of the file

    def constant(self, given: At) -> Any:
        """A number, rounded once, or unrounded as a state or a fraction of units. Two numbers that round alike stand for those
        between them; two real numbers for any one between them, the first of which is the smaller one."""
        if isinstance(given.data, list):
            self.limits.spend(4 * self.real)
            low, high = (self.fraction(x.number()) for x in given.items(2))
            if self.real:
                return Between(low, high) if low < high else given.refuse("two numbers, the first below the second,")
            return low if low == high else given.refuse("two numbers that round to the same one")
        if not isinstance(given.data, str):
            given.refuse("an exact number" if self.real else "a number")
        if given.data not in self.known:
            self.limits.spend(4 * self.cost)
            units = given.number() * self.per_one
            rounded = self.narrow.exactly(units)
            if self.knobs["entries"] == "exact" and rounded != units:
                self.lacking = True
                rounded = units if units.denominator > 1 else units.numerator  # type: ignore[assignment]
            self.known[given.data] = rounded
        return self.known[given.data]

    def fraction(self, x: Fraction | int) -> Any:
        """A number, rounded once."""
        return self.narrow.exactly(x * self.per_one)

    def value(self, state: Any) -> Any:
        return WORDS.get(state) or state / self.per_one

    # ---- operations

    def rounded(self, form: Format, exact: Any, behind: int = 0) -> Any:
        """The state of an exact number of units * 2^-behind. An infinity and "no number" stay what they are."""
        if not MINUS < exact < INF:
            return exact if exact == NAN else form.beyond(exact)
        return form.settle(exact, behind) if type(exact) is int else form.exactly(exact / (1 << behind) if behind else exact)

    @monotone
    def sum(self, form: Format, x: Any, y: Any) -> Any:
        """Rounded x + y."""
        return self.rounded(form, x + y if MINUS < x < INF and MINUS < y < INF else plus(x, y))

    @monotone
    def product(self, form: Format, x: Any, y: Any) -> Any:
        """Rounded x * y."""
        exact = x * y if MINUS < x < INF and MINUS < y < INF else times(x, y)
        return self.rounded(form, exact, self.unit) if self.binary else self.rounded(form, self.of_squares(exact))

    def of_squares(self, exact: Any) -> Any:
        """Convert squared units to units."""
        return Fraction(exact) / self.per_one if -INF < exact < INF else exact

    def add(self, x: Any, y: Any) -> Any:
        return self.sum(self.narrow, x, y)

    def add_wide(self, x: Any, y: Any) -> Any:
        return self.sum(self.wide, x, y)

    def subtract(self, x: Any, y: Any) -> Any:
        return self.sum(self.narrow, x, y if y == NAN else -y)

    def multiply(self, x: Any, y: Any) -> Any:
        return self.product(self.narrow, x, y)

    def divide(self, x: Any, y: Any) -> Any:
        """Rounded x / y; x/0 has the sign of x, because zero has no sign, so the ends of a divisor must have one sign."""
        if type(y) is Between and y.low <= 0 <= y.high:
            left_open()
        return self.quotient(x, y)

    @monotone
    def quotient(self, x: Any, y: Any) -> Any:
        if NAN in (x, y) or (abs(x) == INF == abs(y)) or x == y == 0:
            return NAN
        if abs(x) == INF or y == 0:
            return self.narrow.beyond(-x if y < 0 else x)
        if abs(y) == INF:
            return 0
        (one, of_one), (top, below), (bottom, above) = (each.as_integer_ratio() for each in (self.per_one, x, y))
        return self.narrow.ratio(top * above * one, below * bottom * of_one)

    @monotone
    def settle(self, x: Any) -> Any:
        """The result of a sum as a number."""
        return self.rounded(self.narrow, x)

    def total(self, terms: Sequence[Any]) -> Any:
        """The sum in its order; None adds nothing."""
        self.limits.spend(len(terms) * self.cost)
        if self.knobs["rounding"] == "dot-product":
            return self.settle(reduce(plus, (term for term in terms if term is not None), 0))
        return self.settle(folded(terms, self.order, self.add_wide) or 0)

    def dot(self, terms: Sequence[tuple[Any, Any] | None]) -> Any:
        """The sum of products, as the knobs say; None adds nothing. Of few numbers that are known it is worked out once."""
        self.limits.spend(len(terms) * self.cost)
        known = len(terms) <= FEW and Between not in [type(x) for term in terms if term for x in term]
        return self.known_dot(*terms) if known else self.new_dot(*terms)

    def new_dot(self, *terms: tuple[Any, Any] | None) -> Any:
        if self.knobs["rounding"] == "dot-product":
            return self.total([term and self.of_squares(times(*term)) for term in terms])
        if self.knobs["products"] == "fused":
            return self.fused(terms)
        return self.total([term and self.product(self.into, *term) for term in terms])

    def fused(self, terms: Sequence[tuple[Any, Any] | None]) -> Any:
        """Each product is added before it is rounded, to a sum that begins with 0."""
        self.limits.spend(len(terms) * self.cost)
        parts = [[*filter(None, each)] for each in parted(terms, self.order)]
        add: Add = lambda total, pair: self.rounded(self.wide, plus(total, self.of_squares(times(*pair))))  # noqa: E731
        return self.settle(chain([reduce(add, part, 0) for part in parts], self.add_wide))

    def largest(self, scores: Sequence[Any]) -> Any:
        """The number that softmax subtracts; NaN if a score is NaN. For real numbers the largest lower end serves, because the subtraction
        changes no weight."""
        if NAN in scores:
            return NAN
        if not self.real and Between in map(type, scores):
            left_open()
        return max((ends(x)[0] for x in scores), default=-INF)

    @monotone
    def clipped(self, x: Any, top: Any) -> Any:
        """max(x, 0), and at most ``top`` if that is given."""
        return x if x == NAN else max(x, 0) if top is None else min(max(x, 0), top)

    @monotone
    def stepped(self, x: Any) -> Any:
        """1 above 0, else 0."""
        return x if x == NAN else self.one if x > 0 else 0

    def squares(self, values: Sequence[Any]) -> Any:
        """The sum of the squares, which are all at least 0."""
        if Between in map(type, values):
            return self.total([self.clipped(self.product(self.into, x, x), None) for x in values])
        return self.dot([(x, x) for x in values])

    @monotone
    def exp(self, x: Any, base_two: bool = False) -> Any:
        """Rounded e^x or 2^x; of real numbers ends of e^x, which are 0 and 2^-4000 of a very negative x, as e^3000 > 2^4328."""
        if x in (NAN, -INF):
            return NAN if x == NAN else 0
        if self.real and (base_two or x > STEEPEST):
            raise Unknown(f"in exact arithmetic powers of 2 as weights, or e^x of an x above {STEEPEST}")
        if x == 0:
            return self.one
        if self.real:
            self.limits.spend(64)
            return Between(Fraction(0), Fraction(1, 1 << 4000)) if x < -STEEPEST else Between(*real_power_of_e(x))
        if x >= self.steepest[1] or x <= self.steepest[0]:
            return self.narrow.beyond(1) if x > 0 else 0
        if (x, base_two) not in self.exponentials:
            exact = x / self.per_one
            if base_two and exact.denominator == 1:
                found = self.fraction(Fraction(2) ** int(exact))
            elif base_two:
                found = self.enclosed(lambda bits: exponential(multiple_of_ln2(exact, bits), bits))
            else:
                found = self.enclosed(lambda bits: power_of_e(exact, bits))
            self.exponentials[x, base_two] = found
        return self.exponentials[x, base_two]

    def times_ln2(self, x: int) -> Any:
        """Rounded x ln 2."""
        if x == 0 or not -INF < x < INF:
            return x
        return self.enclosed(lambda bits: multiple_of_ln2(x / self.per_one, bits))

    def enclosed(self, enclosure: Callable[[int], Sequence[Fraction]]) -> Any:
        """The state of an irrational number, from enclosures that shrink as bits are added: both ends round alike."""
        for bits in (64 << k for k in range(10)):
            self.limits.spend(16 + 2 * bits + bits * bits // 128 + (bits**3 >> 20))
            low, high = (self.fraction(end) for end in enclosure(bits))
            if low == high:
                return low
        raise Unknown("a rounding of exp or ln 2 stays undecided")

    @monotone
    def root(self, x: Any, inverse: bool) -> Any:
        """Rounded square root, or 1 over it; of real numbers the root, a fraction where x is a square."""
        if not self.binary:
            raise Unknown("a root on a grid whose scale is no power of 2")
        if self.real and (inverse or x < 0):
            raise Unknown("in exact arithmetic the inverse of a root, or the root of a number that is not known to be 0 or above")
        if x == NAN or x < 0:
            return NAN
        if self.real:
            return real_root(x)
        if x in (0, INF):
            return self.narrow.beyond(1) if inverse == (x == 0) else 0
        self.limits.spend(4 * self.cost)
        guard = 2 * min(self.narrow.digits, self.narrow.largest.bit_length()) + 2 * self.narrow.step + 4
        top, bottom = (1 << (3 * self.unit + guard), x) if inverse else (x << (self.unit + guard), 1)
        found = isqrt(top // bottom)
        return self.narrow.settle(2 * found + (found * found * bottom != top), guard // 2 + 1)


def plus(x: Any, y: Any) -> Any:
    """x + y."""
    if -INF < x < INF and -INF < y < INF:
        return x + y
    return NAN if NAN in (x, y) or x == -y else x if abs(x) == INF else y


def times(x: Any, y: Any) -> Any:
    """x * y."""
    if -INF < x < INF and -INF < y < INF:
        return x * y
    return NAN if NAN in (x, y) or 0 in (x, y) else INF if (x < 0) == (y < 0) else -INF


# ---- the orders of sums: a term that is None has its place in the order and adds nothing

Term = Any | None
Add = Callable[[Any, Any], Any]


def folded(terms: Sequence[Term], order: str, add: Add) -> Term:
    """The sum: ``left-to-right``; ``split:k``, of every k-th term, then of these sums; ``pairwise``; ``numpy``, as np.add.reduce."""
    if order == "pairwise":
        return halved(terms, add)
    if order == "numpy":
        return in_eights(terms, add)
    return chain([chain(part, add) for part in parted(terms, order)], add)


def parted(terms: Sequence[Any], order: str) -> list[Sequence[Any]]:
    """The terms that are summed apart: those of ``split:k``, or all together."""
    parts = int(order.removeprefix("split:")) if order.startswith("split:") else 1
    return [terms[start::parts] for start in range(parts)]


def chain(terms: Iterable[Term], add: Add) -> Term:
    """The sum from left to right; it starts with its first term."""
    total: Term = None
    for term in terms:
        if term is not None:
            total = term if total is None else add(total, term)
    return total


def halved(terms: Sequence[Term], add: Add) -> Term:
    """The sum of both halves; the first half is not the shorter one."""
    if len(terms) < 2:
        return chain(terms, add)
    middle = (len(terms) + 1) // 2
    return chain([halved(terms[:middle], add), halved(terms[middle:], add)], add)


def in_eights(terms: Sequence[Term], add: Add) -> Term:
    """Sum up to 7 terms from left to right, up to 128 in eight sums that are then added in pairs and followed by the rest, and more terms
    in two parts."""
    count = len(terms)
    if count < 8:
        return chain(terms, add)
    if count > 128:
        middle = count // 2 - count // 2 % 8
        return chain([in_eights(terms[:middle], add), in_eights(terms[middle:], add)], add)
    whole = count // 8 * 8
    sums = [chain(terms[k:whole:8], add) for k in range(8)]
    while len(sums) > 1:
        sums = [chain(pair, add) for pair in zip(sums[::2], sums[1::2], strict=True)]
    return chain([sums[0], *terms[whole:]], add)


# ---- enclosures of e^x and ln 2


@lru_cache(maxsize=16)
def ln2(bits: int) -> int:
    """ln 2 in units of 2^-bits from below: the sum of 1/(k 2^k) over k < ``bits``, of which each term is cut by less than one."""
    return sum((1 << bits) // (k << k) for k in range(1, bits))


def multiple_of_ln2(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of x ln 2: the digits cut from ln 2 and the tail of its sum are together less than ``bits`` units, which are two or more."""
    low = ln2(bits)
    ends = x * Fraction(low, 1 << bits), x * Fraction(low + bits, 1 << bits)
    return min(ends), max(ends)


def exponential(ends: Sequence[Fraction], bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for x between the ends."""
    return power_of_e(ends[0], bits)[0], power_of_e(ends[1], bits)[1]


def power_of_e(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of e^x in units of 2^-bits: x is halved until it is below 1/16, Taylor's series is summed, and the sum is squared as many
    times.

    Each term is less than 1/16 of the one before, so all terms after the last one are together less than it.
    """
    if x < 0:
        high, low = (1 / end for end in power_of_e(-x, bits))
        return low, high
    halvings = int(x).bit_length() + 4
    units, of = x.numerator << bits, x.denominator << halvings
    x_low, x_high = units // of, -(-units // of)
    below = above = term_below = term_above = 1 << bits
    k = 0
    while term_below:
        k += 1
        term_below = term_below * x_low // (k << bits)
        term_above = -(-term_above * x_high // (k << bits))
        below, above = below + term_below, above + term_above
    above += term_above
    for _ in range(halvings):
        below, above = below * below >> bits, -(-above * above >> bits)
    return Fraction(below, 1 << bits), Fraction(above, 1 << bits)


# ---- real numbers


@lru_cache(maxsize=1 << 12)
def real_power_of_e(x: Fraction) -> tuple[Fraction, Fraction]:
    return power_of_e(cut(x, False), BITS + 32)[0], power_of_e(cut(x, True), BITS + 32)[1]


def real_root(x: Fraction) -> Any:
    """√x, a fraction if x is a square."""
    top, bottom = isqrt(x.numerator), isqrt(x.denominator)
    if (top * top, bottom * bottom) == (x.numerator, x.denominator):
        return Fraction(top, bottom)
    digits = BITS + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    low = isqrt((x.numerator << 2 * digits) // x.denominator)
    return Between(Fraction(low, 1 << digits), Fraction(low + 1, 1 << digits))
