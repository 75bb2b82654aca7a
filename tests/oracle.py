"""A second implementation of the bounded-precision transformer, for comparison only.

Written from *Every Bit Counts* (Definitions A.2, A.3, A.7 and A.10, Section A.4) alone: values are fractions or the words
``inf``, ``-inf``, ``nan``, ``N``, ``-N``; rounding searches a sorted list of all values; nothing of the package is used.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction as F
from functools import lru_cache

Value = F | str
LN2 = F(693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996418687, 10**99)
"""ln 2 to 99 digits: nearer to it than to any midpoint of the small formats compared here."""


@lru_cache
def free_magnitudes(p: int) -> list[F]:
    """Definition A.7, literally: every a.b with |a| + |b| = p − 1, and the value that would come next."""
    found = {F(a) + F(b, 2**width) for width in range(p) for a in range(2 ** (p - 1 - width)) for b in range(2**width)}
    return [*sorted(found), F(2 ** (p - 1))]


@lru_cache
def floating_magnitudes(t: int, e: int, subnormals: bool) -> list[F]:
    """Definition A.10, literally: every 1.a × 2^±b with |a| = t − 1 and |b| = e − 1, zero, and the value that would come next."""
    top = 2 ** (e - 1) - 1
    found = {(1 + F(a, 2 ** (t - 1))) * F(2) ** b for a in range(2 ** (t - 1)) for b in range(-top, top + 1)} | {F(0)}
    below = {F(a, 2 ** (t - 1)) / 2**top for a in range(2 ** (t - 1))} if subnormals else set()
    return [*sorted(found | below), F(2) ** (top + 1)]


def grid_magnitudes(p: int, scale: F) -> list[F]:
    return [scale * k for k in range(2 ** (p - 1) + 1)]


@dataclass(frozen=True)
class Execution:
    """The knobs by name; where there are ``e`` exponent digits, the format is floating point and ``p`` its mantissa's digits."""

    p: int
    point: str = "free"
    scale: F = F(1)
    rounding: str = "nearest"
    ties: str = "zero"
    overflow: str = "after"
    order: str = "ax"
    columns: str = "used"
    entries: str = "exact"
    ln2: str = "ideal"
    e: int = 0
    underflow: str = "nearest"
    magnitudes: list[F] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        made = free_magnitudes(self.p) if self.point == "free" else grid_magnitudes(self.p, self.scale)
        made = floating_magnitudes(self.p, self.e, self.underflow == "subnormals") if self.e else made
        object.__setattr__(self, "magnitudes", made)

    def round(self, x: Value) -> Value:
        largest, beyond = self.magnitudes[-2], self.magnitudes[-1]
        if isinstance(x, str):
            if self.overflow == "saturate" and x in ("inf", "-inf"):
                return largest if x == "inf" else -largest
            return x
        side = -1 if x < 0 else 1
        size = abs(x)
        chosen = beyond if size >= beyond else self.neighbour(size)
        if chosen == beyond or (self.overflow == "before" and size > largest):
            if self.overflow == "saturate":
                return side * largest
            return "inf" if side > 0 else "-inf"
        return side * chosen

    def neighbour(self, size: F) -> F:
        smallest = self.magnitudes[1]
        if self.e and self.underflow == "flush" and 0 < size < smallest:  # as if the exponent went on below, and then 0
            shift = next(k for k in range(1, 10_000) if size * 2**k >= smallest)
            found = self.neighbour(size * 2**shift) / 2**shift
            return found if found >= smallest else F(0)
        at = bisect_right(self.magnitudes, size) - 1
        low, high = self.magnitudes[at], self.magnitudes[at + 1]
        if size == low or self.rounding == "truncate":
            return low
        if size - low != high - size:
            return low if size - low < high - size else high
        if self.ties == "even":
            return low if (low / (high - low)) % 2 == 0 else high
        return low if self.ties == "zero" else high

    def add(self, x: Value, y: Value) -> Value:
        if "nan" in (x, y) or {x, y} == {"inf", "-inf"}:
            return "nan"
        for special in ("inf", "-inf", "N", "-N"):
            if special in (x, y):
                return special
        return self.round(x + y)  # type: ignore[operator]

    def times(self, x: Value, y: Value) -> Value:
        if "nan" in (x, y):
            return "nan"
        words = [v for v in (x, y) if isinstance(v, str)]
        if not words:
            return self.round(x * y)  # type: ignore[operator]
        side = signum(x) * signum(y)
        if side == 0:
            return "nan" if "inf" in words or "-inf" in words else F(0)
        name = "N" if all(w in ("N", "-N") for w in words) else "inf"
        return self.round(name if side > 0 else f"-{name}")

    def scaled(self, x: Value, value: Value) -> Value:
        """x · value where N, once out of the exponent, is a number beyond the format."""
        product = self.times(x, value)
        return self.round(product.replace("N", "inf")) if isinstance(product, str) and product.endswith("N") else product

    def over(self, x: Value, y: Value) -> Value:
        if "nan" in (x, y) or (isinstance(x, str) and isinstance(y, str)):
            return "nan"
        if isinstance(y, str):
            return F(0)
        if isinstance(x, str):
            return x if y >= 0 else {"inf": "-inf", "-inf": "inf"}[x]
        if y == 0:
            return "nan" if x == 0 else "inf" if x > 0 else "-inf"
        return self.round(x / y)

    def total(self, terms: Sequence[Value]) -> Value:
        result = terms[0]
        for term in terms[1:]:
            result = self.add(result, term)
        return result

    def dot(self, xs: Sequence[Value], ys: Sequence[Value]) -> Value:
        return self.total([self.times(x, y) for x, y in zip(xs, ys, strict=True)])

    def power(self, x: Value, unit: bool) -> Value:
        """e^x rounded, where x counts units of ln 2 or is a plain number."""
        if isinstance(x, str):
            return "nan" if x == "nan" else F(0) if x in ("-inf", "-N") else self.round("inf")
        exponent = max(F(-200), min(F(200), x))  # the formats compared here end before e^±200
        if unit and exponent.denominator == 1:
            return self.round(F(2) ** exponent.numerator)
        return self.round(taylor(exponent * LN2 if unit else exponent))

    def weight(self, score: Value, unit: bool, attention: str) -> Value:
        """e^score (Definition A.2), or for linear attention the score itself (Definition A.3), in units of ln 2 or of 1."""
        if attention == "softmax":
            return self.power(score, unit)
        if isinstance(score, str):
            return self.round(score.replace("N", "inf"))
        return self.round(score * LN2 if unit else score)


def signum(x: Value) -> int:
    if isinstance(x, str):
        return -1 if x.startswith("-") else 1
    return (x > 0) - (x < 0)


@lru_cache(maxsize=4096)
def taylor(x: F) -> F:
    """e^x to some 60 digits, for |x| < 256."""
    small = x / 512
    term, result = F(1), F(1)
    for k in range(1, 60):
        term = F(round(term * small / k * 2**1000), 2**1000)
        result += term
    for _ in range(9):
        result = F(round(result * result * 2**1000), 2**1000)
    return result


@dataclass(frozen=True)
class Transformer:
    """Weights of one head with d_v = 1 and its MLP: hidden nodes (weight, bias), output weights and bias."""

    wq: list[list[F]]
    wk: list[list[F]]
    wv: list[F]
    hidden: list[tuple[F, F]]
    out: list[F]
    bias: F
    ln2: bool = True
    attention: str = "softmax"

    def output(self, rows: Sequence[Sequence[Value]], r: Execution) -> tuple[Value, Value, Value, Value]:
        """Numerator, denominator, attention and MLP output at the last token."""
        held = [[entry(x, r) for x in row] for row in rows]
        factor = LN2 if self.ln2 and r.ln2 == "rounded" else F(1)
        wq = [[r.round(x * factor) if factor != 1 else entry(x, r) for x in row] for row in self.wq]
        wk, wv = [[entry(x, r) for x in row] for row in self.wk], [entry(x, r) for x in self.wv]
        query = [r.dot(held[-1], column) for column in zip(*wq, strict=True)]
        keys = [[r.dot(row, column) for column in zip(*wk, strict=True)] for row in held]
        weights = [r.weight(r.dot(query, key), self.ln2 and r.ln2 == "ideal", self.attention) for key in keys]
        numerator = self.numerator(held, weights, wv, r)
        denominator = r.total(weights) if self.attention == "softmax" else F(1)
        attended = r.over(numerator, denominator)
        return numerator, denominator, attended, self.mlp(attended, r)

    def numerator(self, rows: list[list[Value]], weights: list[Value], wv: list[Value], r: Execution) -> Value:
        used = [c for c in range(len(wv)) if r.columns == "all" or wv[c] != 0]
        if r.order == "ax":
            sums = [r.total([r.scaled(a, row[c]) for a, row in zip(weights, rows, strict=True)]) for c in used]
            terms = [r.times(s, wv[c]) for s, c in zip(sums, used, strict=True)]
        elif r.order == "products":
            terms = [r.total([r.times(r.scaled(a, row[c]), wv[c]) for c in used] or [F(0)]) for a, row in zip(weights, rows, strict=True)]
        else:
            values = [r.total([r.scaled(wv[c], row[c]) for c in used] or [F(0)]) for row in rows]
            terms = [r.times(a, v) for a, v in zip(weights, values, strict=True)]
        return r.total(terms or [F(0)])

    def mlp(self, x: Value, r: Execution) -> Value:
        nodes = [relu(r.add(r.times(entry(w, r), x), entry(b, r))) for w, b in self.hidden]
        terms = [r.times(entry(w, r), h) for w, h in zip(self.out, nodes, strict=True)]
        return relu(r.add(r.total(terms or [F(0)]), entry(self.bias, r)))


def several(
    heads: Sequence[Transformer], hidden: Sequence[tuple[Sequence[F], F]], rows: Sequence[Sequence[Value]], r: Execution
) -> list[Value]:
    """One head with d_v columns, each as if it were the only one: what they attend to, and the output of an MLP on all of them."""
    attended = [head.output(rows, r)[2] for head in heads]
    nodes = [relu(r.add(r.total([r.times(entry(w, r), x) for w, x in zip(ws, attended, strict=True)]), entry(b, r))) for ws, b in hidden]
    terms = [r.times(entry(w, r), h) for w, h in zip(heads[0].out, nodes, strict=True)]
    return [*attended, relu(r.add(r.total(terms or [F(0)]), entry(heads[0].bias, r)))]


def entry(x: Value, r: Execution) -> Value:
    return r.round(x) if r.entries == "rounded" else x


def relu(x: Value) -> Value:
    return x if x == "nan" or signum(x) > 0 else F(0)
