"""The checker's arithmetic of a table: every operation exact, then rounded once; fixed point, floating point, and e^x."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, reduce

from .recheck_reading import At, Limits, Unknown, Value
from .recheck_rounding import ANY_DIGITS, INF, NAN, WORDS, Format

LARGE = ("N", "-N")  # the papers' "large enough N": nothing but its sign is known
ZERO = Fraction(0)
KNOBS = {"point": ("free", "grid"), "rounding": ("nearest", "truncate"), "ties": ("zero", "even", "away")}
KNOBS |= {"overflow": ("after", "before", "saturate"), "underflow": ("nearest", "flush", "subnormals")}
KNOBS |= {"order": ("ax", "products", "values"), "columns": ("used", "all"), "entries": ("exact", "rounded"), "ln2": ("ideal", "rounded")}


def sign(x: Value) -> int:
    return (x > 0) - (x < 0) if isinstance(x, Fraction) else -1 if x.startswith("-") else 1


def exact_product(x: Value, y: Value) -> Value:
    """x * y; 0 times inf is nan, 0 times N is 0, and N times anything else is N with a sign."""
    if "nan" in (x, y):
        return "nan"
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x * y
    side, large = sign(x) * sign(y), x in LARGE or y in LARGE
    if side == 0:
        return ZERO if large else "nan"
    return ("-" if side < 0 else "") + ("N" if large else "inf")


class Machine:
    """p bits (Every Bit Counts, Definition A.7 and Section A.3).

    A state is an integer, the value in units of the format: 2^-(p-1) where the point is free, the scale on a fixed grid.
    """

    def __init__(self, bits: int, knobs: Mapping[str, str], scale: Fraction, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.digits, self.free = bits - 1, knobs["point"] == "free"
        self.unit = Fraction(1, 1 << self.digits) if self.free else scale
        largest = ((1 << self.digits) - 1) << (self.digits if self.free else 0)  # i integer digits leave p-1-i for the fraction
        self.prepare((self.digits if self.free else 0) or ANY_DIGITS, 0, largest, knobs)

    def prepare(self, digits: int, gap: int, largest: int, knobs: Mapping[str, str]) -> None:
        """The format of the states, and for each length in bits the digits that no number of that length has."""
        ties = "truncate" if knobs["rounding"] == "truncate" else knobs["ties"]
        self.largest, self.early = largest, knobs["overflow"] == "before"
        self.form = Format(digits, 0, gap, largest, "saturate" if knobs["overflow"] == "saturate" else "infinity", ties)
        self.infinite = self.form.beyond
        self.below = [(1 << self.form.shift(1 << n >> 1)) - 1 for n in range(largest.bit_length() + 1)]

    def rounded(self, top: int, bottom: int = 1) -> int:
        """The state of top/bottom units, bottom > 0."""
        if self.early and abs(top) > self.largest * bottom:
            return self.infinite(top < 0)
        return self.form.ratio(top, bottom)

    def state(self, x: Value) -> int:
        """A value rounded to a state; N, once it is no longer in an exponent, is beyond every value."""
        if isinstance(x, str):
            return NAN if x == "nan" else self.infinite(x.startswith("-"))
        units = x / self.unit
        return self.rounded(units.numerator, units.denominator)

    def value(self, state: int) -> Value:
        return WORDS.get(state) or state * self.unit

    def holds(self, x: Fraction) -> bool:
        """Whether a rational is a value of the format."""
        units = abs(x) / self.unit
        return units.denominator == 1 and units <= self.largest and not units.numerator & self.below[units.numerator.bit_length()]

    def add(self, a: int, b: int) -> int:
        """Rounded a + b."""
        if -INF < a < INF and -INF < b < INF:
            total = a + b
            size = abs(total)
            return total if size <= self.largest and not size & self.below[size.bit_length()] else self.rounded(total)
        if NAN in (a, b) or a == -b:
            return NAN
        return self.infinite((a if abs(a) == INF else b) < 0)

    def sum(self, states: Iterable[int]) -> int:
        """Left to right."""
        return reduce(self.add, states, 0)

    def times(self, x: Value, y: Value) -> int:
        """Rounded x * y, of values which need not be of the format."""
        return self.state(exact_product(x, y))

    def divide(self, a: int, b: int) -> int:
        """Rounded a / b; zero has no sign."""
        if NAN in (a, b) or (abs(a) == INF == abs(b)) or a == b == 0:
            return NAN
        if abs(a) == INF or b == 0:
            return self.infinite((a < 0) != (b < 0))
        if abs(b) == INF:
            return 0
        return self.rounded((-a if b < 0 else a) * self.unit.denominator, abs(b) * self.unit.numerator)

    def real(self, enclosure: Callable[[int], Sequence[Fraction]]) -> int:
        """The state of an irrational number, from enclosures that shrink as bits are added: both ends round alike."""
        for bits in (64 << k for k in range(11)):
            self.limits.spend(2 * bits + bits * bits // 128 + (bits**3 >> 20))  # so many terms of so many bits, multiplied and divided
            low, high = (self.state(end) for end in enclosure(bits))
            if low == high:
                return low
        raise Unknown("a rounding of exp or ln 2 stays undecided")

    def exp(self, x: Fraction, times_ln2: bool) -> int:
        """Rounded e^x or e^(x ln 2). Beyond ``high`` everything overflows; below ``low`` all is less than half a unit."""
        high = int((self.largest + self.below[-1] + 1) * self.unit).bit_length()
        low = -int(2 / self.unit).bit_length()
        if not low < x < high or (times_ln2 and x.denominator == 1) or x == 0:
            return self.state(Fraction(2) ** (low if x <= low else high if x >= high else int(x)))
        return self.real(lambda bits: exponential(multiple_of_ln2(x, bits) if times_ln2 else (x, x), bits))


class FloatingPoint(Machine):
    """t digits of the mantissa and e of the exponent, each with its sign (Every Bit Counts, Definition A.10).

    With q = 2^(e-1) - 1 the values are 0 and ±1.a times 2^b with t-1 digits a and -q <= b <= q; a state is a value in units of 2^(1-q-t).
    Below 2^-q there are no values; a result goes to the nearer of 0 and 2^-q, or to 0 (flush), or there are all units (subnormals).
    """

    def __init__(self, t: int, e: int, knobs: Mapping[str, str], limits: Limits) -> None:
        self.limits = limits
        q = (1 << e - 1) - 1
        self.normal, self.unit = 1 << t - 1, Fraction(1, 1 << q + t - 1)
        self.flush = knobs["underflow"] == "flush"
        self.prepare(t, 0 if knobs["underflow"] == "subnormals" else t - 1, ((1 << t) - 1) << 2 * q, knobs)

    def rounded(self, top: int, bottom: int = 1) -> int:
        """The state of top/bottom units, bottom > 0. What flush makes 0 is what stays below 2^-q when it is rounded to t digits."""
        size = abs(top)
        if not self.flush or size >= self.normal * bottom:
            return super().rounded(top, bottom)
        above_tie = 4 * size - (4 * self.normal - 1) * bottom  # the tie of 2^-q and the number before it, which is odd in its last digit
        up = above_tie > 0 or (above_tie == 0 and self.form.ties != "zero")
        return (-self.normal if top < 0 else self.normal) if up and self.form.ties != "truncate" else 0


@lru_cache(maxsize=16)
def ln2(bits: int) -> int:
    """ln 2 in units of 2^-bits from below: the sum of 1/(k 2^k), of which each of the first ``bits`` terms is cut by less than one."""
    return sum((1 << bits) // (k << k) for k in range(1, bits + 1))


def multiple_of_ln2(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of x ln 2: what is cut from ln 2, and the tail of its sum, are less than bits + 1 units."""
    low = ln2(bits)
    ends = x * Fraction(low, 1 << bits), x * Fraction(low + bits + 1, 1 << bits)
    return min(ends), max(ends)


def exponential(ends: Sequence[Fraction], bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for x between the ends."""
    return power_of_e(ends[0], bits)[0], power_of_e(ends[1], bits)[1]


def power_of_e(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of e^x: x is halved until it is below 1/16, Taylor's series summed, the sum squared as often; in units of 2^-bits.

    Where the last term is at most one unit, what follows is less than one.
    """
    if x < 0:
        high, low = (1 / end for end in power_of_e(-x, bits))
        return low, high
    halvings = int(x).bit_length() + 4
    units, of = x.numerator << bits, x.denominator << halvings
    x_low, x_high = units // of, -(-units // of)
    below = above = term_below = term_above = 1 << bits
    k = 0
    while term_above > 1:  # then a term is at most one unit, and each behind it less than 1/16 of the one before
        k += 1
        term_below = term_below * x_low // (k << bits)
        term_above = term_above * x_high // (k << bits) + 1
        below, above = below + term_below, above + term_above
    above += 1
    for _ in range(halvings):
        below, above = below * below >> bits, (above * above >> bits) + 1
    return Fraction(below, 1 << bits), Fraction(above, 1 << bits)


def read_semantics(semantics: At) -> tuple[dict[str, str], Fraction, str]:
    """Every knob, the scale of a fixed grid, and a name for them: the knobs that are not as in a4."""
    given = semantics.record(*KNOBS, "scale")
    knobs, scale = {knob: given[knob].one_of(*settings) for knob, settings in KNOBS.items()}, given["scale"].number()
    if scale <= 0 or (scale != 1 and knobs["point"] == "free"):
        given["scale"].refuse("a positive scale, which is 1 where the point is free,")
    turned = [f"{knob}={setting}" for knob, setting in knobs.items() if setting != KNOBS[knob][0]]
    return knobs, scale, "+".join(["a4", *turned, *([f"scale={scale}"] if scale != 1 else [])])


def words(x: Fraction) -> int:
    """The words of 64 bits that a rational fills."""
    return (x.numerator.bit_length() + x.denominator.bit_length()) // 64
