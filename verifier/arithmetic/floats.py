"""Compute with the values of a format in NumPy arrays. Each operation is rounded once, as in
:class:`verifier.transformers.contexts.Rounded`.

float64 and float32 with IEEE overflow are NumPy's own. Every other format is computed in float64, where each operation is done and then
rounded again. The second rounding is innocuous (S. Figueroa, 1995) where the format has p digits and float64 q = 53 >= 2p + 2, that is p <=
24.

*Proof.* Let r = x ∘ y be exact, x = a·2^i and y = b·2^j with whole |a|, |b| < 2^p, and let 2^e be the distance of the format's neighbours
at r, so that |r| <= 2^(p+e). The two roundings differ from one only if a midpoint m != r, an odd multiple of 2^(e-1), is as near to r as
the error of the first, at most h = 2^(p+e-q-1). Let first |r| >= 2^(p+e-1), a normal number; then |m| is larger and has p + 1 digits.
x·y: 2p <= q digits are exact in float64.
x/y: |r - m| = |x - m·y|/|y|, where x - m·y != 0 is a multiple of 2^min(i, j+e-1). If j+e-1 <= i, this is at least 2^(e-1)/|b| > 2^(e-1-p)
>= h. Otherwise |a| >= |b|·2^(p+e-1-i+j) >= 2^p, which is not so.
√x: |r - m| = |x - m²|/(r + m), where m² is a multiple of 2^(2e-2) and r + m < 2^(p+e+1). If i >= 2e-2, this is more than 2^(e-3-p) >= h.
Otherwise a >= 2^(2p+2e-2-i) > 2^p.
x + y with j <= i: if j >= e-1, |r - m| >= 2^(e-1) > h. Otherwise r is a multiple of 2^j, exact in float64 unless |r| > 2^(q+j); then
j < p+e-q and |y| < 2^(2p+e-q) <= 2^(e-2). So |x| > 2^(p+e-2), and x is a multiple of 2^(e-1), as m is, but not m, since it has p digits:
|r - m| >= |x - m| - |y| > 2^(e-1) - 2^(e-2) >= h.
Below the normal numbers sums are multiples of 2^e, products exact, and roots do not occur. A quotient has |r - m| >= 2^(e-1)/|b| as above,
or >= 2^(i-j)/|b| > |r|·2^(-q), as |a| < 2^q.

A grid of at most 24 bits with scale 2^−s, s <= 20, keeps the same distances. Fused sums are first rounded to odd (S. Boldo and
G. Melquiond, 2008), which a second rounding to at most 51 digits does not see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from verifier.arithmetic.bit_patterns import PATTERNS, number_format
from verifier.arithmetic.formats import Format
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, Special
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import LimitError

Array: TypeAlias = Any
Box: TypeAlias = tuple[Array, Array]
"""The ends; arrays of the shape (cases, 1)."""
MOST_DIGITS = 24


@dataclass(frozen=True)
class Carrier:
    """dtype: the type of the arrays. narrow, wide: rounding into the format, and into the format of sums, or None if the operation itself
    rounds.
    """

    dtype: Any
    narrow: Callable[[Array], Array] | None
    wide: Callable[[Array], Array] | None

    def rounded(self, x: Array) -> Array:
        return x if self.narrow is None else self.narrow(x)

    def accumulated(self, x: Array) -> Array:
        return x if self.wide is None else self.wide(x)


def carrier(arithmetic: Arithmetic) -> Carrier:
    """The way in which arrays of this arithmetic are computed.

    Raises:
        LimitError: only the definition computes it.
    """
    if arithmetic.exact or arithmetic.rounding == "dot-product" or not arithmetic.of_programs:
        raise LimitError(f"{arithmetic} cannot be computed by arrays; only the definition computes it", "another arithmetic")
    name, narrow = arithmetic.format, arithmetic.machine()
    sums, wide = arithmetic.accumulate or name, arithmetic.accumulator()
    single, double = number_format("float32"), number_format("float64")
    if narrow == wide and narrow in (single, double) and arithmetic.products != "fused":
        return Carrier(np.float32 if narrow == single else np.float64, None, None)
    if wide == double and narrow.form.precision <= MOST_DIGITS:
        return Carrier(np.float64, _rounding(name, narrow), None)
    if narrow.form.precision > wide.form.precision or wide.form.precision > MOST_DIGITS:
        raise LimitError(f"{arithmetic} cannot be computed by arrays; only the definition computes it", "another arithmetic")
    return Carrier(np.float64, _rounding(name, narrow), _rounding(sums, wide))


def _rounding(name: str, machine: Machine) -> Callable[[Array], Array]:
    """Rounding of float64 arrays into a format of at most 24 digits."""
    grid, overflow = machine.form, machine.rule.overflow
    if name in PATTERNS:
        return _binary(grid, overflow)
    if grid.binades or grid.precision >= MOST_DIGITS or grid.unit.numerator != 1 or grid.unit.denominator.bit_count() != 1:
        raise LimitError(f"{name} cannot be computed by arrays; only the definition computes it", "a scale 1/2^s")
    if grid.unit.denominator > 1 << 20:
        raise LimitError(f"{name} cannot be computed by arrays; only the definition computes it", "a scale of 2^-20 or more")
    scale = float(grid.unit)
    return lambda x: _beyond(np.rint(x / scale) * scale, float(grid.largest), overflow)


def _binary(form: Format, overflow: str) -> Callable[[Array], Array]:
    drop = 53 - form.precision
    half, last, kept = np.uint64((1 << drop - 1) - 1), np.uint64(1), np.uint64((1 << 64) - (1 << drop))
    normal, unit, largest = float(form.smallest_normal), float(form.unit), float(form.largest)

    def rounded(x: Array) -> Array:
        bits = np.ascontiguousarray(x, dtype=np.float64).view(np.uint64)
        found = ((bits + half + ((bits >> np.uint64(drop)) & last)) & kept).view(np.float64)
        magnitude = np.abs(x)
        if form.underflow == "flush":
            found = np.where(np.abs(found) < normal, 0.0, found)
        elif (tiny := magnitude < normal).any():
            found = np.where(tiny, np.rint(x / unit) * unit, found)
        if magnitude.max(initial=0.0) <= largest:
            return found
        return _beyond(np.where(np.isfinite(x), found, x), largest, overflow)

    return rounded


def _beyond(x: Array, largest: float, overflow: str) -> Array:
    """The results that replace magnitudes above the largest."""
    beyond = np.abs(x) > largest
    if not beyond.any():
        return x
    if overflow == "nan":
        return np.where(beyond, np.nan, x)
    return np.where(beyond, np.copysign(largest if overflow == "saturate" else np.inf, x), x)


def fused(total: Array, product: Array) -> Array:
    """total + product rounded to odd, for an exact product."""
    sum = total + product
    part = sum - total
    error = (total - (sum - part)) + (product - part)
    even = (sum.view(np.uint64) & np.uint64(1)) == 0
    moved = (error != 0) & even & np.isfinite(sum) & np.isfinite(error)
    return np.where(moved, np.nextafter(sum, np.copysign(np.inf, error)), sum) if moved.any() else sum


def to_float(x: Number) -> float:
    """A value of a format that float64 holds."""
    if isinstance(x, Special):
        return {INF: np.inf, NEG_INF: -np.inf, NAN: np.nan}[x]
    return float(x)


def to_number(x: float) -> Number:
    """The number that a float64 is."""
    if np.isfinite(x):
        return Fraction(*float(x).as_integer_ratio())
    return NAN if np.isnan(x) else INF if x > 0 else NEG_INF


EXP_BITS = 96
LARGEST_EXPONENT = 700
"""The largest exponent of e for which float64 holds the power as a normal number."""


def exponentials(carrier: Carrier, arguments: Sequence[float]) -> list[float | None]:
    """e^x for each x, rounded once, or None if the ends of a ball do not round alike. Rounding is monotone, so everything between the ends
    rounds as they do.

    An end is a float64 first, and then its outer neighbour; for float64 itself the first rounding is already the result.
    """
    import flint

    ends = np.full((2, len(arguments)), np.nan)
    with flint.ctx.workprec(EXP_BITS):
        for k, x in enumerate(arguments):
            if abs(x) < LARGEST_EXPONENT:
                ball = flint.arb(x).exp()
                ends[:, k] = float(ball.lower()), float(ball.upper())
    if carrier.narrow is not None or carrier.dtype is not np.float64:
        with np.errstate(all="ignore"):
            ends = carrier.rounded(np.nextafter(ends, [[-np.inf], [np.inf]])).astype(carrier.dtype)
    return [low if low == high else None for low, high in zip(*ends.tolist(), strict=True)]
