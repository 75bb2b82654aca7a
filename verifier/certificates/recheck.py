"""Recheck a Bitreferee certificate. One file, standard library only, its own arithmetic: read it in one sitting, then run

    python recheck.py FILE [--claim DIGEST] [--bytes N] [--entries N] [--work N] [--states N]

exit 0: accepted · 1: rejected, with the reason · 2: not a certificate that this program reads, or its answer cannot be written ·
3: larger than the limits, which the options raise, or accepted but of another statement than --claim asks for.

A certificate is JSON (or gzipped JSON) with exactly these keys. format, kind, claim, edition, parameters; semantics, every knob of the
arithmetic; construction, expanded: what each token reads and its vector for every content, W^Q, W^K, W^V, MLP; digest, the SHA-256 of all
that, which binds the facts below to their statement; and then
  refuted       input (y, z) and trace: after each token its weight, products and running sums; at the end the output and the answer
  verified      cases, assumptions, blocks. A block has positions of the strings, the sums that read no others, and stages: some positions
                of z become known, and the states reached are listed, by pairs with y < z so far (less) and by all pairs (every), as
                runs [start, step, count] in units of the format, none twice. Two blocks are a prefix and a suffix of the positions
  fooling-set   problem (in place of semantics and construction), rule, size, pairs and bits
  one-sum       semantics, problem and sums (bits and coupling, in place of a construction) and barriers: for two maps, each by a product
                and a weight that it adds, the states without which their images fall into parts that are too small; and longer: for other
                two maps covers, each a weight for every state (a text, one of 0-9a-z a state) under which sets of states that the bits
                before make have at least so much (least), and longer in turn: the same for two maps of the token before
Numbers are exact, in any spelling (3, "3", "6/2", "3.0") of up to 300 digits; infinities and NaN are spelt inf, -inf, nan.

What is accepted is a fact about the construction in the file. Its parameters p, n, m are compared with bits, tokens and length. The claim's
name is its author's word, which this program cannot check: it prints the digest of the statement and no name, and --claim asks for a digest
that you trust. `verify recheck` compares the construction with its catalogue. docs/certificate-format.md specifies the format.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import sys
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial, reduce
from itertools import product, repeat
from operator import or_
from typing import Any, NamedTuple, NoReturn, TextIO

Value = Fraction | str  # a rational, or one of the words inf, -inf, nan; in vectors also N and -N
Bit = tuple[str, int]  # string, position
Row = tuple[int, ...]  # a state for each sum of a block, and last the bits of y that are still needed

VERSION = "bitreferee/certificate/1"
INF, NAN = 1 << 200, 1 << 201  # states that are no numbers, beyond all that are; -INF is minus infinity
WORDS = {INF: "inf", -INF: "-inf", NAN: "nan"}
LARGE = ("N", "-N")  # the papers' "large enough N": nothing but its sign is known
ZERO, MOST_BITS, LONGEST, WIDEST_STAGE, MOST_READS, DEEPEST = Fraction(0), 64, 3000, 8, 16, 64
KNOBS = {"point": ("free", "grid"), "rounding": ("nearest", "truncate"), "ties": ("zero", "even", "away")}
KNOBS |= {"overflow": ("after", "before", "saturate"), "underflow": ("nearest", "flush", "subnormals")}
KNOBS |= {"order": ("ax", "products", "values"), "columns": ("used", "all"), "entries": ("exact", "rounded"), "ln2": ("ideal", "rounded")}
NAMES = ("format", "kind", "claim", "edition", "parameters")
STATEMENT = (*NAMES, "semantics", "construction", "problem", "sums")  # what the digest covers
EDITIONS = ("statement", "printed", "repaired")
LIMITS = {
    "bytes": (1 << 24, "bytes of the file when unpacked"),
    "entries": (1 << 20, "brackets, colons and commas of the file"),
    "work": (1 << 24, "steps, of at most some two microseconds each"),
    "states": (1 << 20, "states of a block's sums held at once"),
}
NUMBER = re.compile(r"[+-]?[0-9]{1,300}(/0{0,300}[1-9][0-9]{0,299}|\.[0-9]{1,300})?")
WHOLE = re.compile(r"[+-]?[0-9]{1,2000}")  # counts of pairs are longer than entries
TOKENS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{},:]', re.DOTALL)  # texts as a whole, and what parts entries
READS = re.compile(r"([yz])\[([1-9][0-9]{0,3})\]")


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
    statement = canonical({key: certificate[key] for key in STATEMENT if key in certificate})
    return "sha256:" + hashlib.sha256(json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


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


# ---- the construction


def read_semantics(semantics: At) -> tuple[dict[str, str], Fraction, str]:
    """Every knob, the scale of a fixed grid, and a name for them: the knobs that are not as in a4."""
    given = semantics.record(*KNOBS, "scale")
    knobs, scale = {knob: given[knob].one_of(*settings) for knob, settings in KNOBS.items()}, given["scale"].number()
    if scale <= 0 or (scale != 1 and knobs["point"] == "free"):
        given["scale"].refuse("a positive scale, which is 1 where the point is free,")
    turned = [f"{knob}={setting}" for knob, setting in knobs.items() if setting != KNOBS[knob][0]]
    return knobs, scale, "+".join(["a4", *turned, *([f"scale={scale}"] if scale != 1 else [])])


class Transformer:
    """The construction under its semantics (Section A.4): what each token adds to each running sum, and what the MLP answers."""

    def __init__(self, semantics: At, construction: At, limits: Limits) -> None:
        self.limits = limits
        given = construction.record("id", "bits", "problem", "tokens", "query", "key", "value", "mlp")
        given["id"].text()
        self.bits, self.length = given["bits"].integer(1, MOST_BITS), read_problem(given["problem"])
        self.knobs, scale, self.label = read_semantics(semantics)
        self.machine, self.lacking = Machine(self.bits, self.knobs, scale, limits), False
        self.words = words(self.machine.unit)  # of the longest number, which says what an operation costs
        query, self.ln2 = self.matrix(given["query"])
        d, width = len(query), len(query[0])
        (self.key, _), (value, _) = self.matrix(given["key"], (d, width)), self.matrix(given["value"], (d, 1))
        self.value_weights = [row[0] for row in value]
        used = [c for c, w in enumerate(self.value_weights) if w != 0]
        self.columns = list(range(d)) if self.knobs["columns"] == "all" else used
        self.sums = len(self.columns) if self.knobs["order"] == "ax" else 1
        self.tokens = self.read_tokens(given["tokens"], d)
        limits.spend(8 * sum(len(vectors) for _, vectors in self.tokens) * (d + 2) * (width + 1) * self.cost)
        self.query = self.project(self.tokens[-1][1][0], query)
        self.weights: dict[Value, int] = {}
        self.addends = [[self.terms(v) for v in vectors] for _, vectors in self.tokens]
        mlp = given["mlp"].record("hidden", "output")
        self.hidden = [self.node(n, 1) for n in mlp["hidden"].items()]
        self.output = self.node(mlp["output"], len(self.hidden))
        self.answers: dict[int, int | None] = {}

    @property
    def cost(self) -> int:
        """Steps of one operation: more for numbers of more than some 200 bits."""
        return 1 + self.words // 4

    def entry(self, x: Fraction) -> Value:
        """An entry as the semantics takes it: as it is, or rounded into the format."""
        self.words = max(self.words, words(x))
        self.limits.spend(4 * self.cost)
        self.lacking = self.lacking or not self.machine.holds(x)
        return self.machine.value(self.machine.state(x)) if self.knobs["entries"] == "rounded" else x

    def matrix(self, given: At, shape: tuple[int, int] | None = None) -> tuple[list[list[Value]], bool]:
        """Its rows and whether it has the factor ln 2, which only W^Q may; there is a row for each dimension of the embedding."""
        parts = given.record("rows", "ln2")
        d, width = shape or (None, None)
        ln2 = parts["ln2"].flag()
        if ln2 and shape:
            parts["ln2"].refuse("false, as only W^Q has the factor ln 2,")
        exact = [[x.number() for x in row.items(width)] for row in parts["rows"].items(d)]
        if len({len(row) for row in exact}) != 1 or not exact[0]:
            given.refuse("a matrix with rows of one length")
        rows = [[self.entry(x) for x in row] for row in exact]
        if ln2 and self.knobs["ln2"] == "rounded":  # the product with ln 2 is rounded, once
            real, value = self.machine.real, self.machine.value
            rows = [[value(real(partial(multiple_of_ln2, x))) if x else x for x in row] for row in exact]
        return rows, ln2

    def read_tokens(self, given: At, d: int) -> list[tuple[list[Bit], list[list[Value]]]]:
        """What each token reads, and its vector for every content. The last one asks, and is a constant."""
        tokens: list[tuple[list[Bit], list[list[Value]]]] = []
        indices: list[int] = []
        for each in given.items():
            parts = each.record("index", "step", "reads", "vectors")
            parts["step"].integer()
            indices.append(parts["index"].integer())
            if indices[-1] != indices[0] + len(tokens):
                parts["index"].refuse(f"index {indices[0] + len(tokens)}")
            reads = [self.bit(text) for text in parts["reads"].items()]
            if len(reads) > MOST_READS:
                parts["reads"].refuse(f"a list of at most {MOST_READS} bits")
            vectors = [[self.vector_entry(x) for x in vector.items(d)] for vector in parts["vectors"].items(1 << len(reads))]
            tokens.append((reads, vectors))
        if not tokens or tokens[-1][0]:
            given.refuse("a list whose last token asks and reads nothing")
        return tokens

    def bit(self, given: At) -> Bit:
        match = READS.fullmatch(given.text())
        if not match or int(match[2]) > self.length:
            given.refuse(f"y[k] or z[k] with k up to {self.length}")
        return match[1], int(match[2])

    def vector_entry(self, given: At) -> Value:
        return str(given.data) if given.data in LARGE else self.entry(given.number())

    def node(self, given: At, inputs: int) -> tuple[list[Value], Value]:
        parts = given.record("weights", "bias")
        return [self.entry(w.number()) for w in parts["weights"].items(inputs)], self.entry(parts["bias"].number())

    def project(self, vector: list[Value], weights: list[list[Value]]) -> list[Value]:
        """vector times weights, left to right."""
        columns = ([self.product(x, row[j]) for x, row in zip(vector, weights, strict=True)] for j in range(len(weights[0])))
        zero: Value = ZERO
        return [reduce(self.plus, column, zero) for column in columns]

    def product(self, x: Value, y: Value) -> Value:
        """Rounded x * y, where N stays N."""
        exact = exact_product(x, y)
        return exact if exact in LARGE else self.machine.value(self.machine.state(exact))

    def plus(self, x: Value, y: Value) -> Value:
        """Rounded x + y. What is finite is lost beside N; how N and another N, an infinity or NaN compare is not known."""
        if x in LARGE or y in LARGE:
            if x != y and not (isinstance(x, Fraction) or isinstance(y, Fraction)):
                raise Unknown(f"construction: {x} + {y} in a projection; N combines with nothing")
            return x if x in LARGE else y
        return self.machine.value(self.machine.add(self.machine.state(x), self.machine.state(y)))

    def weight(self, vector: list[Value]) -> int:
        """e^<Q,K>, rounded: the attention weight; e^-N is 0."""
        key = self.project(vector, self.key)
        if any(x in LARGE for x in (*key, *self.query)):
            if len(key) != 1 or (key[0] in LARGE and self.query[0] in LARGE):
                raise Unknown("construction: N meets other terms in <Q, K>; N combines with nothing")
            score = exact_product(self.query[0], key[0])
        else:
            score = self.machine.value(self.machine.sum(self.machine.times(q, k) for q, k in zip(self.query, key, strict=True)))
        if isinstance(score, str):
            return NAN if score == "nan" else 0 if score.startswith("-") else self.machine.infinite(False)
        if score not in self.weights:
            self.limits.spend(64)
            self.weights[score] = self.machine.exp(score, self.ideal_ln2)
        return self.weights[score]

    def terms(self, vector: list[Value]) -> list[int]:
        """What a token adds: to each sum of the numerator, and last to the denominator."""
        weight, order, m = self.weight(vector), self.knobs["order"], self.machine
        factor = m.value(weight)
        if order == "ax":
            return [*(m.times(factor, vector[c]) for c in self.columns), weight]
        if order == "products":
            parts = ((m.value(m.times(factor, vector[c])), self.value_weights[c]) for c in self.columns)
            return [m.sum(m.times(x, w) for x, w in parts), weight]
        return [m.times(factor, m.value(m.sum(m.times(self.value_weights[c], vector[c]) for c in self.columns))), weight]

    def weighted(self, k: int, state: int) -> int:
        """What the k-th sum contributes to the numerator."""
        if self.knobs["order"] != "ax":
            return state
        return self.machine.times(self.machine.value(state), self.value_weights[self.columns[k]])

    def numerator(self, parts: Sequence[int]) -> int:
        """The contributions added left to right; where the products were summed there is one."""
        return self.machine.sum(parts) if self.knobs["order"] == "ax" else parts[0]

    def node_value(self, node: tuple[list[Value], Value], inputs: list[int]) -> int:
        """max{0, sum of w x, + b}; NaN stays NaN."""
        m, (weights, bias) = self.machine, node
        total = m.sum(m.times(w, m.value(x)) for w, x in zip(weights, inputs, strict=True))
        return max(0, self.biased(total, bias))

    def biased(self, total: int, bias: Value) -> int:
        """Rounded total + bias, which need not be of the format."""
        known = self.machine.value(total)
        if isinstance(bias, str):
            return self.machine.add(total, self.machine.state(bias))
        return self.machine.state(known + bias) if isinstance(known, Fraction) else total

    def mlp(self, attention: int) -> tuple[list[int], int]:
        """The hidden nodes and the output."""
        self.limits.spend((32 * len(self.hidden) + 32) * self.cost)
        hidden = [self.node_value(n, [attention]) for n in self.hidden]
        return hidden, self.node_value(self.output, hidden)

    def answer(self, attention: int) -> int | None:
        """1 or 0; None for an output that is neither. NaN is rejected, which is to say answered with 0."""
        if attention not in self.answers:
            output = self.machine.value(self.mlp(attention)[1])
            self.answers[attention] = 0 if output in (ZERO, "nan") else 1 if output == 1 else None
        return self.answers[attention]

    @property
    def assumptions(self) -> list[str]:
        return ["exact-entries"] if self.lacking and self.knobs["entries"] == "exact" else []

    @property
    def assuming(self) -> str:
        return f", assuming {', '.join(self.assumptions)}" if self.assumptions else ""

    @property
    def ideal_ln2(self) -> bool:
        """Whether scores are in units of an exact ln 2."""
        return self.ln2 and self.knobs["ln2"] == "ideal"

    @property
    def what(self) -> str:
        return f"EQ of two strings of {self.length} bits under y <= z, in {self.bits} bits, semantics {self.label}"


def words(x: Fraction) -> int:
    """The words of 64 bits that a rational fills."""
    return (x.numerator.bit_length() + x.denominator.bit_length()) // 64


def read_problem(given: At) -> int:
    """The length of the strings; EQ under y <= z is the only problem known."""
    parts = given.record("function", "promise", "length")
    parts["function"].one_of("EQ")
    parts["promise"].one_of("y <= z")
    return parts["length"].integer(1, LONGEST)


# ---- a construction that is wrong


def check_refuted(facts: Mapping[str, At], t: Transformer) -> str:
    """Run the transformer on the input; every line of the trace must be what comes out, and the answer must be wrong."""
    given = facts["input"].record("y", "z")
    y, z = (given[name].text() for name in "yz")
    for name, text in (("y", y), ("z", z)):
        if len(text) != t.length or set(text) - {"0", "1"}:
            given[name].refuse(f"a string of {t.length} bits")
    demand(y <= z, "the input breaks the promise y <= z")
    found = run(t, y, z)
    agree(facts["trace"], found)
    answered, expected = found["answer"], str(int(y == z))
    demand(answered != expected, f"the transformer answers {answered} on this input, and that is right: nothing is refuted")
    return f"refuted: {t.what}: at y = {y}, z = {z} it answers {answered}, {expected} is right{t.assuming}"


def run(t: Transformer, y: str, z: str) -> dict[str, Any]:
    """Everything that happens on one input."""
    sums, steps, strings, value = [0] * (t.sums + 1), [], {"y": y, "z": z}, t.machine.value
    for (reads, _), terms in zip(t.tokens, t.addends, strict=True):
        content = "".join(strings[s][k - 1] for s, k in reads)
        added = terms[int(content or "0", 2)]
        sums = [t.machine.add(s, x) for s, x in zip(sums, added, strict=True)]
        *products, weight = map(value, added)
        *after, denominator = map(value, sums)
        steps.append({"content": content, "weight": weight, "products": products, "sums": after, "denominator": denominator})
    top = t.numerator([t.weighted(k, s) for k, s in enumerate(sums[:-1])])
    attention = t.machine.divide(top, sums[-1])
    hidden, output = t.mlp(attention)
    word = {0: "0", 1: "1", None: "neither"}[t.answer(attention)]
    ends = {"numerator": value(top), "denominator": value(sums[-1]), "attention": value(attention)}
    return {"steps": steps, **ends, "hidden": [*map(value, hidden)], "output": value(output), "answer": word}


def agree(claimed: At, found: Any) -> None:
    """The claimed data has the shape and the values that were found."""
    if isinstance(found, dict):
        parts = claimed.record(*found)
        for key, each in found.items():
            agree(parts[key], each)
    elif isinstance(found, list):
        entries = claimed.items()
        demand(len(entries) == len(found), f"{claimed.place} has {len(entries)} entries, but {len(found)} were found")
        for entry, each in zip(entries, found, strict=True):
            agree(entry, each)
    else:
        text = isinstance(found, str) and found not in WORDS.values()
        said = claimed.text() if text else claimed.integer() if isinstance(found, int) else claimed.value()
        demand(said == found, f"{claimed.place} is {shown(claimed.data)}, but {found} was found")


# ---- a construction that is right


def check_verified(facts: Mapping[str, At], t: Transformer) -> str:
    """Every pair y <= z lies in a set that the certificate lists; the sets are what the tokens make of them; the ends are right."""
    cases = (1 << t.length) * ((1 << t.length) + 1) // 2
    agree(facts["cases"], cases)
    agree(facts["assumptions"], t.assumptions)
    blocks = facts["blocks"].items()
    demand(len(blocks) in (1, 2), "one block or two were expected")
    walked = [Block(t, given, wants_every=place == 2) for place, given in enumerate(blocks, 1)]
    edges = [edge for block in walked for edge in (block.first - 1, block.last)]
    demand((edges[0], edges[-1], edges[1:-1]) == (0, t.length, edges[1:-1][::-1]), "the blocks leave out positions")
    demand(sorted(k for block in walked for k in block.sums) == list(range(t.sums + 1)), "each sum belongs to one block")
    for block in walked:
        block.check()
    ends = Ends(t, walked)
    if len(walked) == 1:
        ends.check([walked[0].equal], 1, "y = z")
        ends.check([walked[0].less], 0, "y < z")
    else:
        first, second = walked
        ends.check([first.equal, second.equal], 1, "y = z")
        ends.check([first.less, second.every], 0, "y < z in the first block")
        ends.check([first.equal, second.less], 0, "y < z in the second block")
    return f"verified: {t.what}: right on all {cases} pairs{t.assuming}"


class Addend(NamedTuple):
    """What one token adds to one sum of a block: a state for each content of the bits of y and z that matter, as masks of the block."""

    of_y: int
    of_z: int
    table: dict[tuple[int, int], int]


Queues = list[list[Addend]]  # for each sum of a block, what is still to be added


class Block:
    """Positions first … last, the sums that depend on no others, and the states that they reach, stage by stage.

    A row has a state for each sum, and then the bits of y that are still needed: those that tokens read once z is being read (late), and
    as long as z agrees with y those behind the positions read. Rows that are alike are one.
    """

    def __init__(self, t: Transformer, given: At, wants_every: bool) -> None:
        self.t, self.where = t, given.place
        parts = given.record("first", "last", "sums", "stages")
        self.first = parts["first"].integer(1, t.length)
        self.last = parts["last"].integer(self.first, t.length)
        numbers = {f"sum {k + 1}": k for k in range(t.sums)} | {"denominator": t.sums}
        self.sums = [numbers.get(name.text(), -1) for name in parts["sums"].items()]
        if -1 in self.sums:
            parts["sums"].items()[self.sums.index(-1)].refuse(f"sum 1 to sum {t.sums} or denominator")
        demand(len(set(self.sums)) == len(self.sums), f"{self.where}: a sum is there twice")
        t.limits.keep("states", len(self.sums) + 1 << self.last - self.first + 1)
        self.starts, queues = self.taken([self.addends(k) for k in self.sums], self.first, self.first - 1)
        self.stages: list[tuple[int, int, Queues, dict[str, At]]] = []
        reached, kinds = self.first - 1, ("less", "every") if wants_every else ("less",)
        for stage in parts["stages"].items():
            listed = stage.record("first", "last", *kinds)
            first, last = listed["first"].integer(), listed["last"].integer()
            in_order = first == reached + 1 and first <= last <= min(self.last, first + WIDEST_STAGE)
            demand(in_order, f"{stage.place}: positions {first} to {last} behind {reached}")
            step, queues = self.taken(queues, first, last)
            self.stages.append((first, last, step, {kind: listed[kind] for kind in kinds}))
            reached = last
        demand(reached == self.last and not any(queues), f"{self.where}: the stages leave out positions or tokens")
        self.late = reduce(or_, (addend.of_y for _, _, step, _ in self.stages for each in step for addend in each), 0)
        self.equal: set[Row] = set()
        self.less: set[Row] = set()
        self.every: set[Row] = set()

    def addends(self, k: int) -> list[Addend]:
        """For each token that adds something to the k-th sum: the bits that matter, and a state for each of their contents.

        The file has a vector for each of these contents, which bounds the work.
        """
        found = []
        for (reads, _), terms in zip(self.t.tokens, self.t.addends, strict=True):
            bits, table = sorted(set(reads)), {}
            self.t.limits.spend(len(terms) * (1 + len(bits)) ** 2 + 4 * len(reads) + 4)
            for values in product((0, 1), repeat=len(bits)):
                content = "".join(str(values[bits.index(b)]) for b in reads)
                table[values] = terms[int(content or "0", 2)][k]
            for place in reversed(range(len(bits))):
                if all(table[v] == table[(*v[:place], 1 - v[place], *v[place + 1 :])] for v in table):
                    table = {(*v[:place], *v[place + 1 :]): x for v, x in table.items() if not v[place]}
                    del bits[place]
            outside = [f"{string}[{position}]" for string, position in bits if not self.first <= position <= self.last]
            demand(not outside, f"{self.where}: a sum of it depends on {', '.join(outside)}, outside its positions")
            if any(table.values()):
                packed = {(self.packed("y", bits, v), self.packed("z", bits, v)): x for v, x in table.items()}
                ones = [1] * len(bits)
                found.append(Addend(self.packed("y", bits, ones), self.packed("z", bits, ones), packed))
        return found

    def packed(self, string: str, bits: list[Bit], values: Sequence[int]) -> int:
        """The bits of one string, as a number that has the block's last position as its lowest bit."""
        return sum(value << self.last - k for (s, k), value in zip(bits, values, strict=True) if s == string)

    def taken(self, queues: Queues, first: int, last: int) -> tuple[Queues, Queues]:
        """The addends of each sum up to the first that reads z behind ``last``; none may read z before ``first``."""
        taken, rest, behind = [], [], (1 << self.last - last) - 1
        for queue in queues:
            end = next((k for k, addend in enumerate(queue) if addend.of_z & behind), len(queue))
            for again in (addend.of_z >> self.last - first + 1 for addend in queue[:end]):
                demand(not again, f"{self.where}: z[{first - again.bit_length()}] is read again after its stage")
            taken.append(queue[:end])
            rest.append(queue[end:])
        return taken, rest

    def check(self) -> None:
        """Walk through the stages; after each one the states reached are those listed."""
        width = self.last - self.first + 1
        sums = [self.sums_of_y(each) for each in self.starts]
        self.equal = {(*(known[y & seen] for known, seen in sums), y) for y in range(1 << width)}
        self.every = set(map(self.forgotten, self.equal)) if "every" in self.stages[0][-1] else set()
        for first, last, step, listed in self.stages:
            self.walk(first, last, step)
            for kind, runs in listed.items():
                self.compare(runs, getattr(self, kind))

    def sums_of_y(self, addends: list[Addend]) -> tuple[dict[int, int], int]:
        """What the addends, which read y only, come to for each content of the bits that they read, and those bits."""
        known, seen = {0: 0}, 0
        for of_y, _, table in addends:
            for bit in (1 << k for k in range(of_y.bit_length()) if of_y >> k & ~seen >> k & 1):
                known |= {y | bit: total for y, total in known.items()}
            seen |= of_y
            self.t.limits.spend(len(known))
            known = {y: self.t.machine.add(total, table[y & of_y, 0]) for y, total in known.items()}
        return known, seen

    def forgotten(self, row: Row) -> Row:
        """The row with the late bits of y only."""
        return (*row[:-1], row[-1] & self.late)

    def walk(self, first: int, last: int, step: Queues) -> None:
        """One stage: z's bits at first … last become known."""
        behind, contents = self.last - last, range(1 << last - first + 1)
        self.t.limits.spend(len(self.equal))
        parts: list[list[Row]] = [[] for _ in contents]  # the rows where z agrees with y so far, by y's bits at this stage
        for row in self.equal:
            parts[row[-1] >> behind & len(contents) - 1].append(row)
        smaller: set[Row] = set()  # those whose y is smaller there than z
        equal, less, every = set(smaller), set(smaller), set(smaller)
        for z, part in enumerate(parts):
            same, fewer = set(map(self.forgotten, part)), self.less | smaller
            after = self.after(same | fewer | self.every, z << behind, step)
            equal.update((*after[self.forgotten(row)][:-1], row[-1] & (self.late | (1 << behind) - 1)) for row in part)
            less.update(map(after.__getitem__, fewer))
            every.update(map(after.__getitem__, self.every))
            smaller |= same
            self.t.limits.keep("states", (len(equal) + len(less) + len(every)) * (len(self.sums) + 1))
        self.equal, self.less, self.every = equal, less, every

    def after(self, rows: set[Row], z: int, step: Queues) -> dict[Row, Row]:
        """What each row becomes when z has these bits."""
        self.t.limits.spend(len(rows) * (1 + sum(1 + len(each) for each in step)))
        add, added, found = repeat(self.t.machine.add), dict[int, list[list[int]]](), {}
        for row in rows:
            y = row[-1]
            if y not in added:
                every = [[table[y & of_y, z & of_z] for of_y, of_z, table in each] for each in step]
                added[y] = [[state for state in each if state] for each in every]  # x + 0 is x
            found[row] = (*map(reduce, add, added[y], row), y)
        return found

    def compare(self, runs: At, reached: set[Row]) -> None:
        """The listed states are those reached, each once."""
        late = [1 << k for k in reversed(range(self.last - self.first + 1)) if self.late >> k & 1]
        width, left = len(self.sums) + len(late), set(reached)
        for run in runs.items():
            starts, steps, count = run.items(3)
            length = count.integer(1)
            if length > len(left):
                raise Rejected(f"{run.place}: a run of {length} states, where {len(left)} are left")
            pairs = list(zip(starts.items(width), steps.items(width), strict=True))
            columns = [progression(start, step, self.t.machine.largest, length) for start, step in pairs[: len(self.sums)]]
            bits = [start.integer(0, 1) + step.integer(0, 0) for start, step in pairs[len(self.sums) :]]
            y = sum(bit for bit, is_set in zip(late, bits, strict=True) if is_set)
            rows = set(zip(*columns, [y] * length, strict=True))
            for row in rows - left:
                twice = "is listed twice" if row in reached else "is listed, but nothing leads to it"
                raise Rejected(f"{run.place}: the state {self.shown(row)} {twice}")
            if len(rows) != length:
                raise Rejected(f"{run.place}: a state is listed twice")
            left -= rows
        for row in left:
            raise Rejected(f"{runs.place}: the state {self.shown(row)} is reached, but not listed")

    def shown(self, row: Row) -> str:
        return ", ".join(WORDS.get(state, str(state)) for state in row[:-1][:9]) + ", ..." * (len(row) > 10)


def progression(start: At, step: At, largest: int, length: int) -> Sequence[int]:
    """So many states: an infinity or NaN stands still, others go in steps, of which none leads to the states that are no numbers."""
    special = [state for state, word in WORDS.items() if word == start.data]
    if special:
        return [special[0] + step.integer(0, 0)] * length
    state, by = start.integer(-largest, largest), step.integer(-2 * largest, 2 * largest)
    return range(state, state + by * length, by) if by else [state] * length


class Ends:
    """What the transformer answers at the end, for every combination of final states."""

    def __init__(self, t: Transformer, blocks: list[Block]) -> None:
        self.t, self.names = t, [block.sums for block in blocks]
        self.holder = next(k for k, names in enumerate(self.names) if t.sums in names)  # the block that has the denominator
        self.live = live_runs(t)

    def check(self, sets: Sequence[set[Row]], wanted: int, when: str) -> None:
        """Every combination is answered with ``wanted``; sets has the final states of each block."""
        shown = self.t.machine.value
        for tops, bottoms in self.products([{row[:-1] for row in each} for each in sets]):
            for denominators in signs(bottoms):
                for top in tops:
                    self.t.limits.spend(4 * self.t.cost)
                    for bottom in (self.not_yes if wanted else self.not_no)(top, denominators):
                        raise Rejected(f"{when}: {shown(top)} over {shown(bottom)} is not answered with {wanted}")

    def products(self, rows: list[set[Row]]) -> Iterator[tuple[set[int], set[int]]]:
        """The combinations as (numerators, denominators): where the numerator's parts beside the denominator are equal, any with any."""
        t, own = self.t, self.names[self.holder]
        others = [k for place, names in enumerate(self.names) for k in names if place != self.holder]
        t.limits.spend(sum(8 * len(names) * len(each) for names, each in zip(self.names, rows, strict=True)))
        above = {()} if len(rows) == 1 else {self.weigh(others, row) for row in rows[1 - self.holder]}
        beside: dict[Row, set[int]] = {}
        for row in rows[self.holder]:
            beside.setdefault(self.weigh(own, row), set()).add(row[own.index(t.sums)])
        inner = [k for k in own if k != t.sums]
        for key, denominators in beside.items():
            t.limits.spend(4 * len(above) * (1 + t.sums))
            parts = (dict(zip(inner + others, key + row, strict=True)) for row in above)
            yield {t.numerator([part[k] for k in range(t.sums)]) for part in parts}, denominators

    def weigh(self, names: list[int], row: Row) -> Row:
        """What the sums of a row contribute to the numerator, the denominator left out."""
        return tuple(self.t.weighted(k, x) for k, x in zip(names, row, strict=True) if k != self.t.sums)

    def not_yes(self, top: int, ordered: list[int]) -> Iterator[int]:
        """Denominators of one sign that break the answer 1. Rounded division is monotone: equal at both ends is equal in between."""
        divide = self.t.machine.divide
        tried = ordered[:1] if divide(top, ordered[0]) == divide(top, ordered[-1]) else ordered
        self.t.limits.spend(4 * self.t.cost * len(tried))
        return (bottom for bottom in tried if self.t.answer(divide(top, bottom)) != 1)

    def not_no(self, top: int, ordered: list[int]) -> Iterator[int]:
        """Denominators of one sign whose quotient lies in a run of values that are not answered with 0.

        The quotients of 0 are all alike: they neither fall nor rise.
        """
        divide, falling = self.t.machine.divide, top >= 0
        lowest, highest = sorted((divide(top, ordered[0]), divide(top, ordered[-1])))
        for place in range(bisect_left(self.live, lowest, key=lambda run: run[1]), len(self.live)):
            low, high = self.live[place]
            if low > highest:
                break
            self.t.limits.spend(2 * self.t.cost * (1 + len(ordered).bit_length()))
            # look for the first quotient that has passed the run's near end
            passed = (lambda d, x=high: divide(top, d) <= x) if falling else (lambda d, x=low: divide(top, d) >= x)
            found = bisect_left(ordered, True, key=passed)
            if found < len(ordered) and low <= divide(top, ordered[found]) <= high:
                yield ordered[found]


def signs(denominators: Iterable[int]) -> list[list[int]]:
    """Finite denominators of one sign, ascending; zero, infinities and NaN each on their own."""
    ordered = sorted(denominators)
    zero, one = bisect_left(ordered, 0), bisect_left(ordered, 1)
    start, end = bisect_left(ordered, 1 - INF), bisect_left(ordered, INF)
    return [s for s in (ordered[start:zero], ordered[one:end], *([x] for x in (*ordered[:start], *ordered[zero:one], *ordered[end:]))) if s]


def live_runs(t: Transformer) -> list[tuple[int, int]]:
    """The values of the attention that are not answered with 0, as runs (first, last) of states.

    Each hidden node is monotone in the attention on either side of 0, and the output in each hidden node. Where the output is the same
    with all its terms at their lowest and at their highest over an interval, it is the same on all of it; other intervals are halved.
    """
    m = t.machine
    digits, half = m.digits, 1 << max(m.digits - 1, 0)
    count = (1 << digits) + (half * digits if m.free and digits else 0)  # magnitudes, 0 among them

    def state(index: int) -> int:
        """The states ascending: 0 is in the middle; 2^digits with spacing 1, then binades that double the spacing."""
        size = abs(index)
        if size < 1 << digits:
            return index
        binade, rest = divmod(size - (1 << digits), half)
        size = (half + rest) << (binade + 1)
        return size if index > 0 else -size

    live = [(s, s) for s in (-INF, 0, INF, NAN) if t.answer(s) != 0]
    waiting = [(-count + 1, -1), (1, count - 1)] if count > 1 else []
    while waiting:
        first, last = waiting.pop()
        constant, output = box(t, state(first), state(last))
        if not constant and first < last:
            middle = (first + last) // 2
            waiting += [(first, middle), (middle + 1, last)]
        elif (output if constant else t.answer(state(first))) != 0:
            live.append((state(first), state(last)))
    return sorted(live)


def box(t: Transformer, first: int, last: int) -> tuple[bool, int]:
    """Whether the output is surely the same for all attention values from ``first`` to ``last``, and that output."""
    m, (weights, bias) = t.machine, t.output
    ends = [t.mlp(first)[0], t.mlp(last)[0]]
    low = high = 0
    for k, w in enumerate(weights):
        products = [m.times(w, m.value(hidden[k])) for hidden in ends]
        low, high = m.add(low, min(products)), m.add(high, max(products))
        if NAN in (low, high, *products):
            return False, NAN
    low, high = (max(0, t.biased(end, bias)) for end in (low, high))
    return low == high != NAN, low


# ---- a set that forces many messages


def check_fooling(facts: Mapping[str, At], length: int) -> str:
    """The diagonal: EQ is 1 at each (x, x); of two members x < x', the entry (x, x') keeps y <= z and is 0 (Definition A.5)."""
    facts["rule"].one_of("diagonal")
    members = 1 << length
    found = {"size": members, "pairs": members * (members - 1) // 2, "bits": (members - 1).bit_length()}
    for key, count in found.items():
        agree(facts[key], count)
    return f"fooling set: the {members} pairs (x, x) of EQ of two strings of {length} bits under y <= z force at least {length} bits"


# ---- two running sums that cannot tell all strings apart


class RunningSums:
    """What tokens of one bit can do where the numerator is one sum: a state is (numerator, denominator), a token adds to both.

    A token's weight is any value that is not negative, or inf, whatever its score. The coupling says which products go with a weight w:
    ``product`` w times a value, rounded; ``any`` every value and infinity, but 0 where w = 0; ``independent`` every one. States are those
    that are reached from (0, 0) and lead to an output that is no NaN; a string whose every output is NaN is never accepted. W^V is 1: the
    output for another one is NaN wherever this one's is. States are numbered in ascending order.
    """

    def __init__(self, semantics: At, sums: At, limits: Limits) -> None:
        given = sums.record("bits", "coupling")
        self.limits, self.bits, self.coupling = limits, given["bits"].integer(1, 6), given["coupling"].one_of(*COUPLINGS)
        knobs, scale, self.label = read_semantics(semantics)
        m = self.machine = Machine(self.bits, knobs, scale, limits)
        positive = [x for x in range(1, m.largest + 1) if not x & m.below[x.bit_length()]]
        ends = [] if m.overflow == "saturate" else [INF]
        self.weights = [0, *positive, *ends]
        self.values = [-x for x in reversed(positive)] + [0, *positive]
        self.numerators = [-x for x in ends] + self.values + ends
        limits.spend(8 * len(self.numerators) * (len(self.numerators) + 2 * len(self.weights)) * (1 + words(m.unit) // 4))
        self.moves = [(x, w) for w in self.weights for x in self.products(w)]
        self.above = {(a, x): m.add(a, x) for a in self.numerators for x in self.numerators}
        self.below = {(d, w): m.add(d, w) for d in self.weights for w in self.weights}
        self.states = self.reached()
        number = {state: k for k, state in enumerate(self.states)}
        limits.spend(len(self.moves) * len(self.states))
        self.map = {move: tuple(number.get(self.moved(state, move), -1) for state in self.states) for move in self.moves}

    def products(self, w: int) -> list[int]:
        m = self.machine
        if self.coupling == "product":
            made = {m.times(m.value(w), m.value(v)) for v in self.values}
            return sorted(made - {NAN})
        return [0] if w == 0 and self.coupling == "any" else self.numerators

    def moved(self, state: tuple[int, int], move: tuple[int, int]) -> tuple[int, int]:
        return self.above[state[0], move[0]], self.below[state[1], move[1]]

    def reached(self) -> list[tuple[int, int]]:
        """The states, forwards from (0, 0); and of those whose output is NaN only the ones that lead to others."""
        seen, waiting = {(0, 0)}, [(0, 0)]
        while waiting:
            fresh = self.after(waiting.pop()) - seen
            seen |= fresh
            waiting += fresh
        found = {state for state in seen if self.machine.divide(*state) != NAN}
        left, grown = seen - found, True
        while grown:
            more = {state for state in left if self.after(state) & found}
            found, left, grown = found | more, left - more, bool(more)
        return sorted(found)

    def after(self, state: tuple[int, int]) -> set[tuple[int, int]]:
        """The states that a token leads to, of no NaN."""
        self.limits.spend(len(self.moves))
        return {after for after in {self.moved(state, move) for move in self.moves} if NAN not in after}


def most_disjoint(edges: set[tuple[int, int]], barrier: set[int]) -> int:
    """At most so many edges are disjoint (Tutte, Berge): each has an end in the barrier, or lies in a part of what is left without it."""
    leader = {x: x for edge in edges for x in edge if x not in barrier}

    def find(x: int) -> int:
        while leader[x] != x:
            x = leader[x]
        return x

    for u, v in edges:
        if u in leader and v in leader:
            leader[find(u)] = find(v)
    parts: dict[int, int] = {}
    for x in leader:
        parts[find(x)] = parts.get(find(x), 0) + 1
    return len(barrier) + sum(size // 2 for size in parts.values())


def leaf_barrier(edges: Iterable[tuple[int, int]]) -> set[int]:
    """A barrier that is often the best: while a vertex has one neighbour only, that neighbour joins it, and both are left out."""
    around: dict[int, set[int]] = {}
    for u, v in edges:
        around.setdefault(u, set()).add(v)
        around.setdefault(v, set()).add(u)
    barrier, leaves = set(), sorted(x for x, beside in around.items() if len(beside) == 1)
    while leaves:
        leaf = leaves.pop()
        if len(around.get(leaf, ())) == 1:
            (centre,) = around[leaf]
            barrier.add(centre)
            for x in sorted(around.pop(centre)):
                around[x].discard(centre)
                if len(around[x]) == 1:
                    leaves.append(x)
    return barrier


def check_one_sum(facts: Mapping[str, At], sums: RunningSums, length: int) -> str:
    """No tokens leave strings of this length states that all differ.

    The token of the last bit is two maps, f0 and f1. Before it there are 2^(length-1) states s, and all f0(s) and f1(s) differ: as edges
    {f0(s), f1(s)} they are disjoint. Of every two maps there are too few such s, or images, or disjoint edges; or none of the tokens
    before goes with them.
    """
    if length < 2:
        facts["barriers"].refuse("a claim about strings of two bits or more, as the first bit may stand in several tokens,")
    half, listed = 1 << (length - 1), dict[frozenset[tuple[int, ...]], tuple[At, set[int]]]()
    longer = read_longer(facts["longer"], sums)
    for each in facts["barriers"].items():
        parts = each.record("maps", "barrier")
        sums.limits.spend(8 + len(sums.states) // 8)
        maps = read_maps(parts["maps"], sums)
        states = [x.integer(0, len(sums.states) - 1) for x in parts["barrier"].items()]
        demand(
            maps not in listed and maps not in longer and len(maps) == 2,
            f"{each.place}: the maps of one entry, or of two entries, are the same",
        )
        demand(len(set(states)) == len(states), f"{each.place}: a state is listed twice")
        listed[maps] = each, set(states)
    sets = {image: bit_set(image) for image in sums.map.values()}
    images = [(image, ones, ones.bit_count()) for image, ones in sets.items()]
    weights, size = 0, len(sums.states)
    for k, (first, ones, count) in enumerate(images):
        sums.limits.spend((len(images) - k) * (1 + size // 64))
        for second, others, also in images[k + 1 :]:
            if min((ones | others).bit_count() // 2, count, also) < half:
                continue  # fewer images than strings
            sums.limits.spend(8 * size)
            both = [(u, v) for u, v in zip(first, second, strict=True) if min(u, v) >= 0 and u != v]
            if len(both) < half or len({x for edge in both for x in edge}) < 2 * half:
                continue
            maps = frozenset((first, second))
            if maps in longer:
                codes = {s: (u, v) for s, (u, v) in enumerate(zip(first, second, strict=True)) if min(u, v) >= 0 and u != v}
                weights += check_before(longer.pop(maps), codes, sums, length, 1)
                continue
            place, barrier = listed.pop(maps, (facts["barriers"], None))
            demand(barrier is not None, f"{facts['barriers'].place}: two maps leave {len(both)} states, and have no barrier")
            bound = most_disjoint(set(both), barrier or set())
            demand(bound < half, f"{place.place}: {bound} edges may be disjoint, fewer than {half} were expected")
    for place in (*(each for each, _ in listed.values()), *longer.values()):
        raise Rejected(f"{place.place}: these maps need no barrier")
    pairs = len(images) * (len(images) - 1) // 2
    what = f"{len(sums.states)} states, {pairs} pairs of maps, {len(facts['barriers'].data)} of them by barriers"
    what += f", {len(facts['longer'].data)} by the bits before, with {weights} covers" if facts["longer"].data else ""
    return f"one sum: no products ({sums.coupling}) of {sums.bits} bits tell the strings of {length} bits apart, {sums.label}; {what}"


def check_before(given: At, codes: Mapping[int, tuple[int, ...]], sums: RunningSums, length: int, known: int) -> int:
    """No token before the last ``known`` ones goes with them; how many covers say so.

    A code is what the strings of the last bits make of a state: states that all differ. Of every two maps too few states have a code, or
    their codes hold too few states, or too few are disjoint: by edges, which are halves of codes, or because they are too heavy.
    """
    parts = given.record("maps", "covers", "longer")
    demand(known < length - 1, f"{given.place}: only the first bit is left, and nothing is known of its tokens")
    needed, longer = 1 << (length - known - 1), read_longer(parts["longer"], sums)
    covers = [read_cover(each, len(sums.states), needed) for each in parts["covers"].items()]
    count = len(covers)
    size, masks = len(sums.states), dict[int, int]()
    sums.limits.spend(2 * len(sums.map) * size + len(codes) * (1 << known) * (1 + size // 64))
    for state, code in codes.items():
        masks[state] = bit_set(code)
    images = [(image, bit_set(s for s, x in enumerate(image) if x in codes)) for image in dict.fromkeys(sums.map.values())]
    every = [(image, states) for image, states in images if states.bit_count() >= needed]
    for k, (first, ones) in enumerate(every):
        sums.limits.spend((len(every) - k) * (1 + size // 64))
        for second, others in every[k + 1 :]:
            if (ones & others).bit_count() < needed:
                continue
            sums.limits.spend(size * (2 + size // 64))
            pairs = ((s, masks.get(first[s], 0), masks.get(second[s], 0)) for s in range(size))
            both = {u | v: s for s, u, v in pairs if u and v and not u & v}
            if len(both) < needed or reduce(or_, both).bit_count() < 1 << length:
                continue
            sums.limits.spend((8 + len(covers)) * (len(both) << known) + size)
            pair, maps = ([codes.get(x, ()) for x in first], [codes.get(x, ()) for x in second]), frozenset((first, second))
            if maps in longer:
                whole = {s: u + v for s, (u, v) in enumerate(zip(*pair, strict=True)) if u and v and not {*u} & {*v}}
                count += check_before(longer.pop(maps), whole, sums, length, known + 1)
                continue
            ends = sorted({(min(first[s], second[s]), max(first[s], second[s])) for s in both.values()})
            if most_disjoint({*ends}, leaf_barrier(ends)) < needed:
                continue
            listed = [pair[0][s] + pair[1][s] for s in both.values()]
            ends = sorted({(min(code[i : i + 2]), max(code[i : i + 2])) for code in listed for i in range(0, len(code), 2)})
            if most_disjoint({*ends}, leaf_barrier(ends)) < 1 << (length - 1):
                continue
            held = any(all(sum(weights[x] for x in code) >= least for code in listed) for least, weights in covers)
            demand(held, f"{given.place}: before these, two maps leave {len(listed)} codes, and no cover holds them")
    for place in longer.values():
        raise Rejected(f"{place.place}: these maps need no covers")
    return count


def read_longer(given: At, sums: RunningSums) -> dict[frozenset[tuple[int, ...]], At]:
    """The entries by their two maps."""
    found: dict[frozenset[tuple[int, ...]], At] = {}
    for each in given.items():
        sums.limits.spend(8 + len(sums.states) // 8)
        maps = read_maps(each.record("maps", "covers", "longer")["maps"], sums)
        demand(maps not in found and len(maps) == 2, f"{each.place}: the maps of one entry, or of two entries, are the same")
        found[maps] = each
    return found


def read_maps(given: At, sums: RunningSums) -> frozenset[tuple[int, ...]]:
    return frozenset(sums.map[read_move(move, sums)] for move in given.items(2))


def bit_set(states: Iterable[int]) -> int:
    """A set of states as a bit set; what is below 0 is none."""
    text = bytearray(b"0")
    for x in states:
        if x >= len(text):
            text += b"0" * (x + 1 - len(text))
        if x >= 0:
            text[x] = 49
    text.reverse()
    return int(text, 2)


def read_cover(given: At, states: int, needed: int) -> tuple[int, list[int]]:
    """What each code has at least, and a weight for each state: too little in all for so many disjoint codes."""
    parts = given.record("least", "weights")
    least, text = parts["least"].integer(1, MOST_WEIGHT), parts["weights"].text()
    if not re.fullmatch(f"[0-9a-z]{{{states}}}", text):
        parts["weights"].refuse(f"{states} digits and letters")
    weights = [int(letter, 36) for letter in text]
    demand(sum(weights) < least * needed, f"{given.place}: a weight of {sum(weights)}, fewer than {least} times {needed} was expected")
    return least, weights


def read_move(given: At, sums: RunningSums) -> tuple[int, int]:
    """A product and a weight that one token can add, as values."""
    product_, weight = (sums.machine.state(x.value()) for x in given.items(2))
    if (product_, weight) not in sums.map:
        given.refuse("a product and a weight that a token can add")
    return product_, weight


COUPLINGS = ("product", "any", "independent")
MOST_WEIGHT = 35


# ---- the certificate


class Statement:
    """What a certificate is about, read and compared with itself: its construction, if it has one, and the name that it goes by."""

    def __init__(self, certificate: Any, limits: Limits) -> None:
        whole = At(certificate)
        for key, known in (("format", (VERSION,)), ("kind", tuple(FACTS))):
            At(whole.names().get(key, whole).data, key).one_of(*known)
        self.kind = certificate["kind"]
        self.parts = whole.record(*NAMES, *ABOUT.get(self.kind, ("semantics", "construction")), *FACTS[self.kind], "digest")
        self.parts["claim"].text()
        self.parts["edition"].one_of(*EDITIONS)
        self.transformer = Transformer(self.parts["semantics"], self.parts["construction"], limits) if self.kind in CHECKS else None
        self.sums = RunningSums(self.parts["semantics"], self.parts["sums"], limits) if self.kind == "one-sum" else None
        self.length = self.transformer.length if self.transformer else read_problem(self.parts["problem"])
        sizes = {name: (self.size(name), each.integer()) for name, each in self.parts["parameters"].names().items()}
        for name, (size, said) in sizes.items():
            demand(said == size, f"parameters: {name} is {said}, but {size} was found")
        demand(self.parts["digest"].text() == digest(certificate), "the digest is not that of the statement")
        at = ", ".join(f"{name} = {size}" for name, (size, _) in sizes.items()) or "no parameters"
        self.name = f"{certificate['digest']} at {at}"

    def size(self, parameter: str) -> int:
        """What a parameter has to be: p the bits, n the tokens before the last one, m the length of the strings; q the bits of sums."""
        sizes = {"m": self.length}
        if self.sums:
            sizes |= {"q": self.sums.bits, "coupling": COUPLINGS.index(self.sums.coupling)}
        if self.transformer:
            sizes |= {"p": self.transformer.bits, "n": len(self.transformer.tokens) - 1}
        if parameter not in sizes:
            raise Unknown(f"parameters: {shown(parameter)} is none of {', '.join(sizes)}, which can be compared with what was found")
        return sizes[parameter]


def recheck(certificate: Any, limits: Limits | None = None) -> str:
    """One line that says what the certificate proves, the digest of its statement, and what its reading takes for granted.

    Raises Rejected, Unknown or TooMuch.
    """
    said = Statement(certificate, limits or Limits())
    if said.transformer:
        fact = CHECKS[said.kind](said.parts, said.transformer)
    else:
        fact = check_one_sum(said.parts, said.sums, said.length) if said.sums else check_fooling(said.parts, said.length)
    granted = "; the reading grants ideal-ln2, e^(k ln 2) = 2^k" if said.transformer and said.transformer.ideal_ln2 else ""
    return f"{fact}; {said.name}{granted}"


ABOUT = {"fooling-set": ("problem",), "one-sum": ("semantics", "problem", "sums")}
FACTS = {
    "refuted": ("input", "trace"),
    "verified": ("cases", "assumptions", "blocks"),
    "fooling-set": ("rule", "size", "pairs", "bits"),
    "one-sum": ("barriers", "longer"),
}
CHECKS = {"refuted": check_refuted, "verified": check_verified}


def examine(path: str, limits: Limits, claim: str | None = None) -> tuple[int, str, Any]:
    """The exit status, the line that says why, and the certificate where it is accepted, of the statement ``claim`` where that is given."""
    try:
        certificate = read(path, limits)
        line = f"accepted: {recheck(certificate, limits)}"
        if claim not in (None, certificate["digest"]):
            return 3, f"{line}; another statement was asked for, {claim}", None
        return 0, line, certificate
    except Rejected as reason:
        return 1, f"rejected: {reason}", None
    except Unknown as reason:
        return 2, f"not a certificate known here: {reason}", None
    except TooMuch as reason:
        return 3, f"not rechecked: {reason}", None
    except MemoryError:
        return 3, "not rechecked: out of memory, which lower limits would have said before", None


def say(line: str, status: int) -> int:
    """Print the line; the exit status, which is 2 where the line cannot be written and the same where nobody reads on."""
    fault = written(sys.stdout, line)
    if fault:
        written(sys.stderr, f"the answer cannot be written: {fault}")
    return 2 if fault else status


def written(stream: TextIO | None, line: str) -> str:
    """Write the line; why it cannot be, or nothing. What is then still buffered goes nowhere, silently."""
    if stream is None:
        return "the stream is closed"
    try:
        print(line, file=stream, flush=True)
    except (OSError, ValueError) as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return "" if isinstance(error, BrokenPipeError) else str(error)
    return ""


class Parser(argparse.ArgumentParser):
    """A command line whose help can be piped like an answer."""

    def print_help(self, file: Any = None) -> None:
        sys.exit(say(self.format_help()[:-1], 0))


def positive(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,17}", text):
        raise ValueError
    return int(text)


def statement(text: str) -> str:
    if not re.fullmatch("sha256:[0-9a-f]{64}", text):
        raise ValueError
    return text


def main(arguments: list[str]) -> int:
    parser = Parser(prog="recheck.py", description="Recheck a Bitreferee certificate.", allow_abbrev=False)
    parser.add_argument("file")
    of_claim = "accept a certificate of this statement only; a name is no digest, as this program knows no catalogue"
    parser.add_argument("--claim", type=statement, metavar="DIGEST", help=of_claim)
    for name, (most, what) in LIMITS.items():
        parser.add_argument(f"--{name}", type=positive, default=most, metavar="N", help=f"{what}, {most} by default")
    asked = vars(parser.parse_args(arguments))
    try:
        file, claim = asked.pop("file"), asked.pop("claim")
        status, line, _ = examine(file, Limits(**asked), claim)
        return say(line, status)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        return say(f"a fault of this program: {type(error).__name__}: {str(error)!a}", 70)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
