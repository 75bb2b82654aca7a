"""What the checker's other files stand on: the pieces of a certificate with their places, the limits, and exact arithmetic of p bits.

One of the four files of the checker; recheck.py says what a certificate is.
"""

import gzip
import hashlib
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any, NoReturn

Value = Fraction | str  # a rational, or one of the words inf, -inf, nan; in vectors also N and -N

INF, NAN = 1 << 200, 1 << 201  # states that are no numbers, beyond all that are; -INF is minus infinity
WORDS = {INF: "inf", -INF: "-inf", NAN: "nan"}
LARGE = ("N", "-N")  # the papers' "large enough N": nothing but its sign is known
ZERO, LONGEST, DEEPEST = Fraction(0), 3000, 64
KNOBS = {"point": ("free", "grid"), "rounding": ("nearest", "truncate"), "ties": ("zero", "even", "away")}
KNOBS |= {"overflow": ("after", "before", "saturate"), "underflow": ("nearest", "flush", "subnormals")}
KNOBS |= {"order": ("ax", "products", "values"), "columns": ("used", "all"), "entries": ("exact", "rounded"), "ln2": ("ideal", "rounded")}
NAMES = ("format", "kind", "claim", "edition", "parameters")
STATEMENT = (*NAMES, "semantics", "construction", "problem", "sums")  # what the digest covers
LIMITS = {
    "bytes": (1 << 24, "bytes of the file when unpacked"),
    "entries": (1 << 20, "brackets, colons and commas of the file"),
    "work": (1 << 24, "steps, of at most some two microseconds each"),
    "states": (1 << 20, "states of a block's sums held at once"),
}
NUMBER = re.compile(r"[+-]?[0-9]{1,300}(/0{0,300}[1-9][0-9]{0,299}|\.[0-9]{1,300})?")
WHOLE = re.compile(r"[+-]?[0-9]{1,2000}")  # counts of pairs are longer than entries
TOKENS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{},:]', re.DOTALL)  # texts as a whole, and what parts entries


class Rejected(Exception):  # noqa: N818
    """The certificate says something that does not follow."""


class Unknown(Exception):  # noqa: N818
    """Not a certificate that this program can read."""


class TooMuch(Exception):  # noqa: N818
    """A certificate that takes more than a limit; the message names the limit."""


def demand(holds: object, reason: str) -> None:
    if not holds:
        raise Rejected(reason)


class Limits:
    """How much may be spent, asked before it is."""

    def __init__(self, **raised: int) -> None:
        self.most, self.spent = {name: most for name, (most, _) in LIMITS.items()} | raised, 0

    def keep(self, name: str, amount: int) -> None:
        if amount > self.most[name]:
            raise TooMuch(f"more than {self.most[name]} {name}; --{name} N raises this limit")

    def spend(self, operations: int) -> None:
        self.spent += operations
        self.keep("work", self.spent)


# ---- reading: every piece of the file with its place, and nothing that is not expected there


def shown(data: Any) -> str:
    """A piece of the file in ASCII and on one line, whatever it holds."""
    if isinstance(data, dict | list):
        return "a record" if isinstance(data, dict) else "a list"
    return json.dumps(data if not isinstance(data, str) or len(data) <= 80 else data[:77] + "...")


class At:
    """A piece of the file and where it stands. Whatever is not as expected raises Unknown with the place."""

    __slots__ = ("data", "key", "parent")

    def __init__(self, data: Any, key: str = "", parent: "At | None" = None) -> None:
        self.data, self.key, self.parent = data, key, parent

    @property
    def place(self) -> str:
        above = self.parent.place if self.parent and self.parent.key else ""
        return f"{above}, {self.key}" if above else self.key or "the certificate"

    def refuse(self, expected: str) -> NoReturn:
        raise Unknown(f"{self.place}: {shown(self.data)} where {expected} was expected")

    def record(self, *keys: str) -> "dict[str, At]":
        """A record with these keys and no others."""
        names = self.names()
        for key in keys:
            if key not in names:
                raise Unknown(f"{self.place}: no {key}")
        for key in names:
            if key not in keys:
                raise Unknown(f"{self.place}: {shown(key)} is not known here; {', '.join(keys)} were expected")
        return names

    def names(self) -> "dict[str, At]":
        if not isinstance(self.data, dict):
            self.refuse("a record")
        return {key: At(each, key, self) for key, each in self.data.items()}

    def items(self, count: int | None = None) -> "list[At]":
        """A list; of so many entries where ``count`` is given."""
        if not isinstance(self.data, list):
            self.refuse("a list")
        if count is not None and len(self.data) != count:
            raise Unknown(f"{self.place}: {len(self.data)} entries where {count} were expected")
        return [At(each, f"number {k}", self) for k, each in enumerate(self.data, 1)]

    def text(self) -> str:
        return self.data if isinstance(self.data, str) else self.refuse("a text")

    def one_of(self, *words: str) -> str:
        return self.data if isinstance(self.data, str) and self.data in words else self.refuse(" or ".join(words))

    def flag(self) -> bool:
        return self.data if isinstance(self.data, bool) else self.refuse("true or false")

    def number(self) -> Fraction:
        if not isinstance(self.data, str) or not NUMBER.fullmatch(self.data):
            self.refuse("an exact number")
        return Fraction(self.data)

    def integer(self, low: int | None = None, high: int | None = None) -> int:
        value = int(self.data) if isinstance(self.data, str) and WHOLE.fullmatch(self.data) else self.number()
        if value.denominator != 1 or (low is not None and value < low) or (high is not None and value > high):
            limits = "" if low is None else f" from {low} on" if high is None else f" from {low} to {high}"
            self.refuse(f"an integer{limits}")
        return value.numerator

    def value(self) -> Value:
        """A rational, or inf, -inf, nan."""
        return str(self.data) if self.data in ("inf", "-inf", "nan") else self.number()


def read(path: str, limits: Limits) -> Any:
    """The file as JSON: numbers as text, no key twice."""
    most = limits.most["bytes"]
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
        if data[:2] == b"\x1f\x8b":
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(most + 1)
        limits.keep("bytes", len(data))
        measure(data, limits)
        return json.loads(data.decode(), parse_int=str, parse_float=str, parse_constant=foreign, object_pairs_hook=once)
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise Unknown(f"not readable: {error.strerror}") from None
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise Unknown(f"not readable as JSON: {ascii(str(error))[1:-1]}") from None


def measure(data: bytes, limits: Limits) -> None:
    """Ask for the entries of a file and refuse a deep one before either is built."""
    entries = depth = 0
    for token in TOKENS.finditer(data):
        mark = token[0][:1]
        if mark in b"]}":
            depth -= 1
        elif mark != b'"':
            entries, depth = entries + 1, depth + (mark in b"[{")
            if depth > DEEPEST:
                raise ValueError(f"lists and records stand within each other more than {DEEPEST} deep")
            if entries > limits.most["entries"]:
                limits.keep("entries", entries)


def foreign(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A record, in which no key repeats."""
    found: dict[str, Any] = {}
    for key, each in pairs:
        if key in found:
            raise ValueError(f"{shown(key)} is there twice")
        found[key] = each
    return found


def canonical(value: Any) -> Any:
    """The same content with every number in lowest terms: what the digest is made of."""
    if isinstance(value, dict):
        return {key: canonical(each) for key, each in value.items()}
    if isinstance(value, list):
        return [canonical(each) for each in value]
    return str(Fraction(value)) if isinstance(value, str) and NUMBER.fullmatch(value) else value


def digest(certificate: Mapping[str, Any]) -> str:
    return digest_of({key: certificate[key] for key in STATEMENT if key in certificate})


def digest_of(statement: Mapping[str, Any]) -> str:
    text = json.dumps(canonical(dict(statement)), sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


# ---- arithmetic: every operation exact, then rounded once


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
        self.rounding, self.ties, self.overflow = knobs["rounding"], knobs["ties"], knobs["overflow"]
        self.digits, self.free = bits - 1, knobs["point"] == "free"
        self.unit = Fraction(1, 1 << self.digits) if self.free else scale
        self.largest = ((1 << self.digits) - 1) << (self.digits if self.free else 0)
        self.below = [self.spacing(1 << n >> 1) - 1 for n in range(self.largest.bit_length() + 1)]  # by bits: what states have not

    def spacing(self, whole: int) -> int:
        """Units between neighbours where the magnitude is at least ``whole`` units: i integer digits leave p-1-i for the fraction."""
        integer_digits = (whole >> self.digits).bit_length()
        return 1 << min(integer_digits, self.digits) if self.free else 1

    def rounded(self, top: int, bottom: int = 1) -> int:
        """The state of top/bottom units, bottom > 0."""
        size = abs(top)
        step = self.spacing(size // bottom) * bottom
        count, rest = divmod(size, step)
        tie_up = self.ties == "away" or (self.ties == "even" and count % 2 == 1)
        if self.rounding == "nearest" and (2 * rest > step or (2 * rest == step and tie_up)):
            count += 1
        state = count * step // bottom
        if (size > self.largest * bottom) if self.overflow == "before" else (state > self.largest):
            return self.infinite(top < 0)
        return -state if top < 0 else state

    def infinite(self, negative: bool) -> int:
        """What lies beyond the largest value: an infinity, or the largest value where the machine saturates."""
        return (-1 if negative else 1) * (self.largest if self.overflow == "saturate" else INF)

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
        return units.denominator == 1 and units <= self.largest and units.numerator % self.spacing(units.numerator) == 0

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
        high = int((self.largest + self.spacing(self.largest)) * self.unit).bit_length()
        low = -int(2 / self.unit).bit_length()
        if not low < x < high or (times_ln2 and x.denominator == 1) or x == 0:
            return self.state(Fraction(2) ** (low if x <= low else high if x >= high else int(x)))
        return self.real(lambda bits: exponential(multiple_of_ln2(x, bits) if times_ln2 else (x, x), bits))


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


def read_problem(given: At, any_promise: bool = False) -> int:
    """The length of the strings; EQ under y <= z is the only problem known, but for facts about all pairs of strings."""
    parts = given.record("function", "promise", "length")
    parts["function"].one_of("EQ")
    if any_promise:
        parts["promise"].text()
    else:
        parts["promise"].one_of("y <= z")
    return parts["length"].integer(1, LONGEST)
