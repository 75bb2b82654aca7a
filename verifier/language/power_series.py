"""Power series whose coefficients are fractions as long as they are known to be rational, and balls where they are not.

A series holds f(x), f′(x), f″(x)/2, … up to an order. Functions come from their derivatives: (f∘g)′ = f′(g)·g′, integrated term by term.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from verifier.arithmetic.enclosure import ball_around
from verifier.arithmetic.rationals import Fraction
from verifier.language.operations import APPLIED, Irrational

Part = Any
"""A Fraction, or an ``arb`` around a real that is not known to be rational; NaN for none."""

ZERO, ONE = Fraction(0), Fraction(1)


def as_ball(x: Part) -> Any:
    import flint

    return ball_around(flint, x) if isinstance(x, Fraction) else x


def known(x: Part) -> Fraction | None:
    """The rational that a part is known to be: a fraction, or a ball without radius."""
    if isinstance(x, Fraction):
        return x
    if not (x.is_finite() and x.is_exact()):
        return None
    mantissa, exponent = x.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _mixed(x: Part, y: Part) -> bool:
    return isinstance(x, Fraction) != isinstance(y, Fraction)


def plus(x: Part, y: Part) -> Part:
    return as_ball(x) + as_ball(y) if _mixed(x, y) else x + y


def times(x: Part, y: Part) -> Part:
    """x·y; 0 times a finite real is 0, known or not."""
    if not _mixed(x, y):
        return x * y
    known_one, other = (x, y) if isinstance(x, Fraction) else (y, x)
    return ZERO if known_one == 0 and other.is_finite() else as_ball(known_one) * other


def over(x: Part, y: Part) -> Part:
    """x/y; NaN where y may be 0."""
    if isinstance(y, Fraction) and y != 0:
        return times(x, 1 / y)
    inverse = 1 / as_ball(y)
    return times(x, inverse)


@dataclass(frozen=True)
class Series:
    """Σ terms[k]·tᵏ, cut off after its last term."""

    terms: tuple[Part, ...]

    def __neg__(self) -> Series:
        return Series(tuple(-x for x in self.terms))

    def __add__(self, other: Series) -> Series:
        return Series(tuple(map(plus, self.terms, other.terms)))

    def __sub__(self, other: Series) -> Series:
        return self + -other

    def __mul__(self, other: Series) -> Series:
        return Series(tuple(_convolved(self.terms, other.terms, n, range(n + 1)) for n in range(len(self.terms))))

    def __truediv__(self, other: Series) -> Series:
        """q with q·other = self, term by term."""
        found: list[Part] = []
        for n, x in enumerate(self.terms):
            found.append(over(plus(x, -_convolved(tuple(found), other.terms, n, range(n))), other.terms[0]))
        return Series(tuple(found))

    @property
    def derivative(self) -> Series:
        return Series(tuple(times(Fraction(k), x) for k, x in enumerate(self.terms) if k))

    def integral(self, first: Part) -> Series:
        return Series((first, *(over(x, Fraction(k)) for k, x in enumerate(self.terms, 1))))

    @property
    def shorter(self) -> Series:
        return Series(self.terms[:-1])


def _convolved(a: tuple[Part, ...], b: tuple[Part, ...], n: int, places: range) -> Part:
    """Σ aₖ·bₙ₋ₖ over these k."""
    total: Part = ZERO
    for k in places:
        total = plus(total, times(a[k], b[n - k]))
    return total


def constant(value: Part, order: int) -> Series:
    return Series((value, *[ZERO] * order))


def identity(x: Part, order: int) -> Series:
    """x + t."""
    return Series((x, ONE, *[ZERO] * order)[: order + 1])


def function(name: str, argument: Series) -> Series:
    """One of :data:`DERIVATIVES` of a series."""
    value = _value(name, argument.terms[0])
    if len(argument.terms) == 1:
        return Series((value,))
    inner = argument.shorter
    return (DERIVATIVES[name](inner, function(name, inner)) * argument.derivative).integral(value)


def _value(name: str, x: Part) -> Part:
    if isinstance(x, Fraction) and (x.denominator == 1 or name == "sqrt"):  # elsewhere the others are rational nowhere
        try:
            return APPLIED[name](x)
        except Irrational:
            pass
    return getattr(as_ball(x), name)()


def _gaussian(argument: Series, _: Series) -> Series:
    """erf′(v) = 2/√π · e^(−v²)."""
    import flint

    return constant(2 / flint.arb.pi().sqrt(), len(argument.terms) - 1) * function("exp", -(argument * argument))


def _of_order(value: Fraction, like: Series) -> Series:
    return constant(value, len(like.terms) - 1)


DERIVATIVES: dict[str, Callable[[Series, Series], Series]] = {
    "exp": lambda v, f: f,
    "log": lambda v, f: _of_order(ONE, v) / v,
    "sqrt": lambda v, f: _of_order(ONE, v) / (f + f),
    "erf": _gaussian,
    "tanh": lambda v, f: _of_order(ONE, v) - f * f,
}
"""f′(v) of each function, given v and f(v)."""
