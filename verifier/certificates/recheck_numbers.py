"""The arithmetic of a certificate: every operation exact, then rounded once into its one format.

If this file is right, you may believe: the result of each operation is the one that the certificate's record of the arithmetic names.

A state is an integer: a value in units of which every value of the format is a whole number; or one of the words INF, -INF, NAN. A real
number, or an entry that stays exact, is a fraction of such units; and Between is a number of which two ends are known. Zero has no sign.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from math import isqrt
from typing import Any, NoReturn

from .recheck_reading import At, Limits, Open, Unknown

INF, NAN = 1 << 12000, 1 << 12001  # beyond all that are numbers, and all sums of products of two
MINUS = -INF
WORDS = {INF: "inf", -INF: "-inf", NAN: "nan"}
ANY_DIGITS = 1 << 60  # of a grid: no number has more
MOST_BITS = 256
EXACT, BITS = "exact", 256
STEEPEST = 3000
SMALL = Fraction(1, 1 << 4000)
"""|x| in e^x, of real numbers: above it the number is refused, below it e^x is known to be less than the small number."""
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
    "ties": ("even", "zero", "away", "truncate"),
    "maximum": ("subtracted", "kept"),
    "division": ("weights", "output"),
    "root": ("divide", "multiply"),
    "subnormals": ("kept", "flushed", "nearest"),
    "attention": ("values", "inputs", "products"),
    "entries": ("rounded", "exact"),
    "constants": ("multiplied", "added"),
}
ARITHMETIC = ("format", "overflow", *KNOBS)
FIXED = re.compile(r"(?:int8|fixed:([1-9][0-9]{0,2}))(:1(?:/([1-9][0-9]{0,99}))?)?")
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
        return not self > other

    def __gt__(self, other: Any) -> bool:
        low, high = ends(other)
        return True if self.low > high else False if self.high <= low else left_open()

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

    The operation is monotone in both of its numbers, on either side of 0, and so is its rounding: its results at the ends, and at 0 if 0
    lies between them, enclose all others. Its result may have ends again.
    """

    def at_ends(numbers: Any, x: Any, y: Any = None) -> Any:
        if type(x) is not Between and type(y) is not Between:
            return operation(numbers, x, y)
        corners = [each.corners() if type(each) is Between else (each,) for each in (x, y)]
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


# ---- the arithmetic of a certificate


def read_format(given: At) -> tuple[int, int, Fraction, str]:
    """The digits of a format by its name, the exponent of its least distance of neighbours, its largest number, and its kind.

    ``fixed:8`` is a sign and 7 binary digits with the point anywhere among them (Every Bit Counts, Definition A.7), ``fixed:8:1/64`` and
    ``int8:1/64`` are multiples of 1/64, ``float:5:3`` has 5 digits of the mantissa and 3 of the exponent, signs counted (Definition A.10).
    """
    name = given.text()
    row = FORMATS.get(name)
    if match := DIGITS.fullmatch(name):
        digits, most = int(match[1]), (1 << int(match[2]) - 1) - 1
        row = digits, 1 - most - digits, (1 << digits) - 1, most - digits + 1, "digits"
    if row:
        digits, step, top, exponent, kind = row
        return digits, step, top * Fraction(2) ** exponent, kind
    binary = f"fixed point of up to {MOST_BITS} bits, with a power of 2 as its scale"
    expected = f"one of {', '.join(FORMATS)}, floating point of digits, or {binary},"
    match = FIXED.fullmatch(name) or given.refuse(expected)
    bits, parts = int(match[1] or 8), int(match[3] or (1 if match[2] else 64))
    if bits > MOST_BITS or parts & (parts - 1):
        given.refuse(expected)
    largest = (1 << bits - 1) - 1
    if match[1] and not match[2]:
        return bits - 1 or ANY_DIGITS, 1 - bits, Fraction(largest), "fixed"
    return ANY_DIGITS, 1 - parts.bit_length(), Fraction(largest, parts), "fixed"


class Numbers:
    """The arithmetic of a certificate: its knobs, and the format of all numbers.

    Significands have ``digits`` digits; neighbours are at least 2^step units apart; ``largest`` is in units; a unit is 2^-unit. overflow:
    what a number beyond becomes: infinity, saturate, nan; or before, infinity where it is beyond before it is rounded. ties: even, zero,
    away; or truncate, which rounds towards zero. below: of numbers for which digits alone would have neighbours nearer than 2^step, also
    nearest, all of which have neighbours 2^(step + digits - 1) apart, and flushed: 0. real: numbers are rational numbers, unrounded, in
    units of 1, or NAN, and their sizes count as work; settings that cannot change a real number have one value.
    """

    def __init__(self, given: At, limits: Limits) -> None:
        parts = given.record(*ARITHMETIC)
        self.limits, self.lacking, self.powers, self.real = limits, False, False, parts["format"].data == EXACT
        self.knobs = {knob: parts[knob].one_of(*(words[:1] if self.real else words)) for knob, words in KNOBS.items()}
        self.digits, step, largest, kind = (ANY_DIGITS, 0, Fraction(0), EXACT) if self.real else read_format(parts["format"])
        self.overflow = parts["overflow"].one_of(*OVERFLOWS[kind]) or "nan"  # x/0 of real numbers is none
        self.ties, self.below = self.knobs["ties"], self.knobs["subnormals"] if self.digits < ANY_DIGITS and kind != "fixed" else "kept"
        self.unit = max(0, -step)
        self.per_one, self.cost = 1 << self.unit, 1 + self.unit // 512
        self.step, self.largest = step + self.unit, int(largest * self.per_one)
        self.one = self.ratio(self.per_one, 1)

        usual = {key: words[0] for key, words in KNOBS.items()} | {"overflow": OVERFLOWS[kind][0]}
        changed = [f"{key}={parts[key].data}" for key in ARITHMETIC[1:] if parts[key].data != usual[key]]
        self.label = "exact arithmetic" if self.real else "+".join([parts["format"].text(), *changed])
        self.steepest = -(self.unit + 2) << self.unit, (int(largest) + 1).bit_length() + 1 << self.unit
        """2^x of these is below half of the smallest number, and above every number."""

        self.known_power = cache(self.power)

    # ---- numbers of the file

    def constant(self, given: At) -> Any:
        """A number, rounded once, or unrounded as a state or a fraction of units. Two numbers that round alike stand for those
        between them; two real numbers for any one between them, the first of which is the smaller one."""
        if isinstance(given.data, list):
            low, high = (self.fraction(x.number()) for x in given.items(2))
            if self.real:
                return Between(low, high) if low < high else given.refuse("two numbers, the first below the second,")
            return low if low == high else given.refuse("two numbers that round to the same one")
        units = given.number() * self.per_one
        rounded = self.settle(units)
        if self.knobs["entries"] == "rounded" or rounded == units:
            return rounded
        self.lacking = True
        return units if units.denominator > 1 else units.numerator

    def fraction(self, x: Fraction | int) -> Any:
        """A number, rounded once."""
        return self.settle(Fraction(x) * self.per_one)

    def value(self, state: Any) -> Any:
        return WORDS.get(state) or Fraction(state) / self.per_one

    # ---- rounding

    def beyond(self, x: Any) -> int:
        """The result of an overflow, with the sign of x."""
        if self.overflow == "nan":
            return NAN
        size = self.largest if self.overflow == "saturate" else INF
        return -size if x < 0 else size

    def shift(self, size: int, behind: int = 0) -> int:
        """The number of digits of size * 2^-behind units that rounding removes."""
        shift, least = size.bit_length() - self.digits, self.step + behind
        if shift >= least or self.below == "flushed":
            return shift
        return least + self.digits - 1 if self.below == "nearest" else least

    def settle(self, number: Any, behind: int = 0) -> Any:
        """The state of a finite number of units * 2^-behind; a 1 in the last of three or more digits may stand for all further digits."""
        if self.real:
            top, bottom = number.numerator.bit_length(), number.denominator.bit_length()
            self.limits.spend(1 + (top + bottom) // 64)
            if top + bottom > LONGEST or top - bottom > LARGEST:
                raise Unknown("a fraction too large")
            return number
        if type(number) is not int:
            return self.ratio(number.numerator, number.denominator << behind)
        size, ties = abs(number), self.ties
        if self.overflow == "before" and size > self.largest << behind:
            return self.beyond(number)
        shift = size.bit_length() - self.digits
        if shift < self.step + behind:
            shift = self.shift(size, behind)
        if shift > 0:  # half of 2^shift is added, and a bit less where a tie goes down
            if ties == "even":
                more = (1 << shift - 1) - 1 + (size >> shift & 1)
            else:
                more = 0 if ties == "truncate" else (1 << shift - 1) - 1 + (ties == "away")
            size = (size + more) >> shift << shift
        if self.below == "flushed" and size < 1 << self.step + self.digits - 1 + behind:
            return 0
        size >>= behind
        if size > self.largest:
            return self.beyond(number)
        return -size if number < 0 else size

    def ratio(self, top: int, bottom: int) -> Any:
        """The state of top/bottom units."""
        if self.real:
            return self.settle(Fraction(top, bottom))
        quotient, rest = divmod(top << 2, bottom)
        return self.settle(2 * quotient + (rest != 0), 3)

    # ---- operations

    @monotone
    def add(self, x: Any, y: Any) -> Any:
        """Rounded x + y."""
        if MINUS < x < INF and MINUS < y < INF:
            return self.settle(x + y)
        return NAN if NAN in (x, y) or x == -y else self.beyond(x if abs(x) == INF else y)

    @monotone
    def multiply(self, x: Any, y: Any) -> Any:
        """Rounded x * y."""
        if MINUS < x < INF and MINUS < y < INF:
            return self.settle(x * y, self.unit)
        return NAN if NAN in (x, y) or 0 in (x, y) else self.beyond(x * y)

    def subtract(self, x: Any, y: Any) -> Any:
        return self.add(x, y if y == NAN else -y)

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
            return self.beyond(-x if y < 0 else x)
        if abs(y) == INF:
            return 0
        (top, below), (bottom, above) = x.as_integer_ratio(), y.as_integer_ratio()
        return self.ratio(top * above << self.unit, below * bottom)

    def total(self, terms: Sequence[Any]) -> Any:
        """The sum from left to right; None adds nothing."""
        self.limits.spend(len(terms) * self.cost)
        return chain(terms, self.add) or 0

    def dot(self, terms: Sequence[tuple[Any, Any]]) -> Any:
        """The sum of products from left to right."""
        return self.total([self.multiply(*term) for term in terms])

    def larger(self, x: Any, y: Any) -> Any:
        """The larger number, and NaN of NaN. Of real numbers the larger lower end serves, because softmax subtracts it from all scores,
        which changes no weight."""
        return max(ends(x)[0], ends(y)[0]) if self.real else max(x, y)

    @monotone
    def clipped(self, x: Any, top: Any) -> Any:
        """max(x, 0), and at most ``top`` if that is given."""
        return x if x == NAN else max(x, 0) if top is None else min(max(x, 0), top)

    @monotone
    def stepped(self, x: Any, _: None) -> Any:
        """1 above 0, else 0."""
        return x if x == NAN else self.one if x > 0 else 0

    @monotone
    def exp(self, x: Any, base_two: bool = False) -> Any:
        """Rounded e^x or 2^x; of real numbers ends of e^x, which are 0 and 2^-4000 of a very negative x, as e^3000 > 2^4328."""
        if x in (NAN, -INF):
            return NAN if x == NAN else 0
        if self.real and (base_two or x > STEEPEST):
            raise Unknown(f"in exact arithmetic powers of 2 as weights, or e^x of an x above {STEEPEST}")
        if x == 0:
            return self.one
        if not self.real and not self.steepest[0] < x < self.steepest[1]:
            return self.beyond(1) if x > 0 else 0
        return self.known_power(Fraction(x) / self.per_one, base_two)

    def power(self, x: Fraction, base_two: bool) -> Any:
        """Rounded e^x or 2^x; the ends of e^x, which shrink as bits are added, round alike at last."""
        if base_two and x.denominator > 1:
            raise Unknown("2 to the power of a score that is no integer")
        if base_two:
            return self.fraction(Fraction(2) ** int(x))
        if self.real:
            self.limits.spend(64)
            return Between(*[power_of_e(cut(x, up), BITS + 32)[up] for up in (False, True)] if x >= -STEEPEST else [0, SMALL])
        for bits in (64 << k for k in range(10)):
            self.limits.spend(bits * bits // 32)
            low, high = (self.fraction(end) for end in power_of_e(x, bits))
            if low == high:
                return low
        raise Unknown("a rounding of exp stays undecided")

    @monotone
    def root(self, x: Any, inverse: bool) -> Any:
        """Rounded square root, or 1 over it; of real numbers the root, a fraction where x is a square."""
        if self.real and (inverse or x < 0):
            raise Unknown("in exact arithmetic the inverse of a root, or the root of a number that is not known to be 0 or above")
        if x == NAN or x < 0:
            return NAN
        if self.real:
            square, of = x.numerator * x.denominator << 2 * BITS, x.denominator << BITS
            found = isqrt(square)
            return between(Fraction(found, of), Fraction(found + (found * found < square), of))
        if x in (0, INF):
            return self.beyond(1) if inverse == (x == 0) else 0
        self.limits.spend(4 * self.cost)
        guard = 2 * min(self.digits, self.largest.bit_length()) + 2 * self.step + 4
        top, bottom = (1 << (3 * self.unit + guard), x) if inverse else (x << (self.unit + guard), 1)
        found = isqrt(top // bottom)
        return self.settle(2 * found + (found * found * bottom != top), guard // 2 + 1)


def chain(terms: Iterable[Any], add: Callable[[Any, Any], Any]) -> Any:
    """The sum from left to right, which starts with its first term; None adds nothing."""
    adding = [term for term in terms if term is not None]
    return reduce(add, adding) if adding else None


# ---- enclosures of e^x


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
