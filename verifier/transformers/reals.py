"""The numbers of exact networks, which are fractions, sums of roots, and polynomials over them in numbers that only balls enclose.

An *atom* is such a number: e^x, 1/x, √x, or a constant of the file. A :class:`Real` is a polynomial in atoms, so quantities that cancel as
polynomials are known to be 0; balls whose precision doubles decide every other sign, or an error is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from verifier.arithmetic.enclosure import ball_around, decided
from verifier.arithmetic.numbers import ONE, ZERO
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root
from verifier.running.errors import InputError, LimitError

MOST_BITS = 14_000
"""The most bits of a numerator or denominator, so that every number can be written in decimal digits."""
SHOWN_DIGITS, SHOWN_BITS = 8, 27
"""The digits and bits that are shown of a number that balls enclose."""
MOST_TERMS = 300
"""The most terms of a polynomial. A longer polynomial becomes an atom."""


class Undecided(InputError):  # noqa: N818  # what balls leave open
    """No precision tried decides a comparison."""


class Atom:
    """A number with an enclosure at python-flint's present precision; each enclosure is computed once."""

    def __init__(self, enclose: Callable[[], Any]) -> None:
        self._enclose, self._known = enclose, dict[int, Any]()

    def ball(self) -> Any:
        import flint

        bits = flint.ctx.prec
        if bits not in self._known:
            self._known[bits] = self._enclose()
        return self._known[bits]


Monomial: TypeAlias = frozenset[tuple[Atom, int]]
"""Atoms with their exponents."""
Algebraic: TypeAlias = Fraction | RootSum
_NOTHING: Monomial = frozenset()


class Real:
    """A polynomial in atoms with algebraic coefficients, none of them 0."""

    def __init__(self, terms: Mapping[Monomial, Algebraic]) -> None:
        self.terms = terms
        self._hash = hash(frozenset(terms.items()))
        self._balls = Atom(self._enclosed)

    def ball(self) -> Any:
        """An enclosure (python-flint's ``arb``) at the present precision."""
        return self._balls.ball()

    def _enclosed(self) -> Any:
        import flint

        total = flint.arb(0)
        for monomial, coefficient in self.terms.items():
            term = enclosure(coefficient)
            for atom, exponent in monomial:
                term *= atom.ball() ** exponent
            total += term
        return total

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Real) and self.terms == other.terms

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        import flint

        for bits in (53, 256, 1024):
            with flint.ctx.workprec(bits):
                ball = self.ball()
                if ball.rel_accuracy_bits() >= SHOWN_BITS:
                    break
        return str(ball.str(SHOWN_DIGITS, radius=False))

    __repr__ = __str__


Exact: TypeAlias = Algebraic | Real


def opaque(enclose: Callable[[], Any]) -> Real:
    """A number of which only an enclosure is known."""
    return Real({frozenset({(Atom(enclose), 1)}): ONE})


def enclosure(x: Exact) -> Any:
    """A ball around any number, at the present precision."""
    import flint

    return x.ball() if isinstance(x, Real | RootSum) else ball_around(flint, x)


@lru_cache(maxsize=1 << 14)
def _function(name: str, x: Exact) -> Real:
    """e^x, 1/x or √x as an atom, the same one for the same polynomial."""
    if name == "inverse":
        return opaque(lambda: 1 / enclosure(x))
    return opaque(lambda: getattr(enclosure(x), name)())


def _polynomial(x: Exact) -> Mapping[Monomial, Algebraic]:
    return x.terms if isinstance(x, Real) else {_NOTHING: x} if x != 0 else {}


def _simplest(terms: dict[Monomial, Any]) -> Exact:
    """The simplest form of a polynomial; a fraction or a sum of roots if no atom remains."""
    kept = {monomial: _rational(c) for monomial, c in terms.items() if c != 0}
    if not kept.keys() - {_NOTHING}:
        return kept.get(_NOTHING, ZERO)
    made = Real(kept)
    return made if len(kept) <= MOST_TERMS else opaque(made.ball)


def _rational(x: Algebraic) -> Algebraic:
    return x.rational if isinstance(x, RootSum) and x.terms.keys() <= {1} else x


def _written(x: Fraction) -> Fraction:
    """The fraction itself.

    Raises:
        LimitError: it is too long to be written.
    """
    if x.numerator.bit_length() > MOST_BITS or x.denominator.bit_length() > MOST_BITS:
        raise LimitError(f"a number has more than {MOST_BITS:,} bits over real numbers", "smaller numbers, or fewer layers")
    return x


def total(values: list[Exact]) -> Exact:
    """Σ x."""
    rational = [x for x in values if isinstance(x, Fraction)]
    if len(rational) == len(values):
        return _written(sum(rational, ZERO))
    summed: dict[Monomial, Any] = {}
    for x in values:
        for monomial, c in _polynomial(x).items():
            summed[monomial] = c + summed[monomial] if monomial in summed else c
    return _simplest(summed)


def negative(x: Exact) -> Exact:
    return product(-ONE, x)


def product(x: Exact, y: Exact) -> Exact:
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return _written(x * y)
    left, right = _polynomial(x), _polynomial(y)
    if len(left) * len(right) > MOST_TERMS:
        return opaque(lambda: enclosure(x) * enclosure(y))
    made: dict[Monomial, Any] = {}
    for m, c in left.items():
        for k, d in right.items():
            monomial = _multiplied(m, k)
            made[monomial] = c * d + made[monomial] if monomial in made else c * d
    return _simplest(made)


def _multiplied(m: Monomial, k: Monomial) -> Monomial:
    if not m or not k:
        return m or k
    exponents = dict(m)
    for atom, exponent in k:
        exponents[atom] = exponents.get(atom, 0) + exponent
    return frozenset(exponents.items())


def quotient(x: Exact, y: Exact) -> Exact:
    """x/y, for y other than 0."""
    if isinstance(y, Fraction):
        return product(x, 1 / y)
    if isinstance(y, RootSum) and len(y.terms) == 1:
        return product(x, _rational(RootSum.of(1) / y))
    return product(x, _function("inverse", y))


def square_root(x: Exact) -> Exact:
    """√x, for x >= 0."""
    return _rational(root(x)) if isinstance(x, Fraction) else _function("sqrt", x)


def exponential(x: Exact) -> Exact:
    return ONE if isinstance(x, Fraction) and x == 0 else _function("exp", x)


def sign(x: Exact) -> int:
    """−1, 0 or 1.

    Raises:
        Undecided: the number is too near 0, or is 0 without being seen to be.
    """
    if isinstance(x, RootSum):
        return x.sign
    if isinstance(x, Fraction):
        return (x > 0) - (x < 0)
    try:
        found: int = decided(lambda flint: x.ball(), lambda ball: 1 if ball > 0 else -1 if ball < 0 else None)
    except ArithmeticError:
        raise Undecided("whether a number is above, below or equal to 0 is not decided at 65,536 bits") from None
    return found
