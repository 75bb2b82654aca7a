"""Real numbers as polynomials with rational coefficients, in square roots and in numbers that only balls enclose.

An *atom* is such a number: e^x, 1/x, √x, or a constant of a file. Square roots of distinct squarefree positive integers are linearly
independent over the rationals: a number without atoms in lowest form is 0 only where it has no terms. Quantities that cancel as polynomials
are known to be 0; balls whose precision doubles decide every other sign, or an error is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache, total_ordering
from typing import Any, TypeAlias

from verifier.arithmetic.enclosure import ball_around, decided
from verifier.arithmetic.numbers import ONE, ZERO
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError, LimitError

MOST_BITS = 14_000
"""The most bits of a numerator or denominator, so that every number can be written in decimal digits."""
SHOWN_DIGITS, SHOWN_BITS = 8, 27
"""The digits and bits that are shown of a number that balls enclose."""
MOST_TERMS = 300
"""The most products of atoms in a polynomial. A longer polynomial becomes an atom."""


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


Atoms: TypeAlias = frozenset[tuple[Atom, int]]
"""A product of atoms: each with its exponent."""
Monomial: TypeAlias = tuple[int, Atoms]
"""√m for a squarefree m >= 1, times a product of atoms."""
_NONE: Atoms = frozenset()
_ONE: Monomial = 1, _NONE


@lru_cache(maxsize=1 << 14)
def squarefree(n: int) -> tuple[int, int]:
    """(k, m) with n = k²·m and m squarefree, for n >= 1."""
    import flint

    k = m = 1
    for p, power in flint.fmpz(n).factor():
        k *= int(p) ** (power // 2)
        m *= int(p) ** (power % 2)
    return k, m


@total_ordering
class Real:
    """The sum of monomials with coefficients other than 0. Mixes with int and Fraction; division by a rational or a single root."""

    def __init__(self, terms: Mapping[Monomial, Fraction] | None = None) -> None:
        self.terms: Mapping[Monomial, Fraction] = terms or {}

    @classmethod
    def of(cls, x: Real | Fraction | int) -> Real:
        """A rational as such a number."""
        return x if isinstance(x, Real) else cls({_ONE: Fraction(x)} if x else {})

    @classmethod
    def total(cls, values: Iterable[Real | Fraction | int]) -> Real:
        """Σ x."""
        summed: dict[Monomial, Fraction] = {}
        for x in values:
            for monomial, c in cls.of(x).terms.items():
                summed[monomial] = c + summed[monomial] if monomial in summed else c
        return cls({monomial: c for monomial, c in summed.items() if c})

    @property
    def rational(self) -> Fraction:
        """The value of a number that is seen to be rational.

        Raises:
            ValueError: it is not.
        """
        if self.terms.keys() - {_ONE}:
            raise ValueError(f"{self} is irrational")
        return self.terms.get(_ONE, ZERO)

    @cached_property
    def size(self) -> int:
        """The number of its products of atoms."""
        return len({atoms for _, atoms in self.terms})

    def __add__(self, other: Real | Fraction | int) -> Real:
        return Real.total((self, other))

    __radd__ = __add__

    def __neg__(self) -> Real:
        return Real({monomial: -c for monomial, c in self.terms.items()})

    def __sub__(self, other: Real | Fraction | int) -> Real:
        return self + -Real.of(other)

    def __rsub__(self, other: Fraction | int) -> Real:
        return Real.of(other) - self

    def __mul__(self, other: Real | Fraction | int) -> Real:
        made: dict[Monomial, Fraction] = {}
        for (m, atoms), c in self.terms.items():
            for (n, others), d in Real.of(other).terms.items():
                k, rest = squarefree(m * n)
                monomial = rest, _multiplied(atoms, others)
                made[monomial] = c * d * k + made[monomial] if monomial in made else c * d * k
        return Real({monomial: c for monomial, c in made.items() if c})

    __rmul__ = __mul__

    def __truediv__(self, other: Real | Fraction | int) -> Real:
        bottom = Real.of(other).terms
        if len(bottom) != 1 or any(atoms for _, atoms in bottom):
            raise ZeroDivisionError("division by a sum of roots, by an atom, or by 0")
        (((m, _), c),) = bottom.items()
        return self * Real({(m, _NONE): 1 / (c * m)})

    @cached_property
    def sign(self) -> int:
        """−1, 0 or 1. A number of roots alone is not 0 if it has terms, so a fine enough ball decides its sign.

        Raises:
            Undecided: a number with atoms is too near 0, or is 0 without being seen to be.
        """
        if self.terms.keys() <= {_ONE}:
            return (self.rational > 0) - (self.rational < 0)
        try:
            found: int = decided(lambda flint: self.ball(), lambda ball: 1 if ball > 0 else -1 if ball < 0 else None)
        except ArithmeticError:
            raise Undecided("whether a number is above, below or equal to 0 is not decided at 65,536 bits") from None
        return found

    def ball(self) -> Any:
        """An enclosure (python-flint's ``arb``) at the present precision."""
        return self._balls.ball()

    @cached_property
    def _balls(self) -> Atom:
        return Atom(self._enclosed)

    def _enclosed(self) -> Any:
        import flint

        total = flint.arb(0)
        for (m, atoms), coefficient in self.terms.items():
            term = ball_around(flint, coefficient) * flint.arb(m).sqrt()
            for atom, exponent in atoms:
                term *= atom.ball() ** exponent
            total += term
        return total

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Real | Fraction | int) and self.terms == Real.of(other).terms

    def __lt__(self, other: Real | Fraction | int) -> bool:
        return (self - other).sign < 0

    @cached_property
    def _hash(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __hash__(self) -> int:
        return self._hash

    def __abs__(self) -> Real:
        return -self if self.sign < 0 else self

    def __str__(self) -> str:
        """``1/2 + 6*sqrt(2)``; of a number with atoms eight digits."""
        if all(atoms == _NONE for _, atoms in self.terms):
            roots = sorted((m, c) for (m, _), c in self.terms.items())
            parts = [str(c) if m == 1 else f"{'' if c == 1 else '-' if c == -1 else f'{c}*'}sqrt({m})" for m, c in roots]
            return " + ".join(parts).replace("+ -", "- ") or "0"
        import flint

        for bits in (53, 256, 1024):
            with flint.ctx.workprec(bits):
                ball = self.ball()
                if ball.rel_accuracy_bits() >= SHOWN_BITS:
                    break
        return str(ball.str(SHOWN_DIGITS, radius=False))

    __repr__ = __str__


def _multiplied(x: Atoms, y: Atoms) -> Atoms:
    if not x or not y:
        return x or y
    exponents = dict(x)
    for atom, exponent in y:
        exponents[atom] = exponents.get(atom, 0) + exponent
    return frozenset(exponents.items())


def root(x: Fraction | int) -> Real:
    """√x of a rational x >= 0."""
    value = Fraction(x)
    if value < 0:
        raise ValueError(f"{value} has no real root")
    if value == 0:
        return Real()
    k, m = squarefree(value.numerator * value.denominator)
    return Real({(m, _NONE): Fraction(k, value.denominator)})


Exact: TypeAlias = Fraction | Real
"""A number of an exact network: a fraction where it is seen to be one."""


def opaque(enclose: Callable[[], Any]) -> Real:
    """A number of which only an enclosure is known."""
    return Real({(1, frozenset({(Atom(enclose), 1)})): ONE})


def enclosure(x: Exact) -> Any:
    """A ball around any number, at the present precision."""
    import flint

    return x.ball() if isinstance(x, Real) else ball_around(flint, x)


@lru_cache(maxsize=1 << 14)
def _function(name: str, x: Exact) -> Real:
    """e^x, 1/x or √x as an atom, the same one for the same polynomial."""
    if name == "inverse":
        return opaque(lambda: 1 / enclosure(x))
    return opaque(lambda: getattr(enclosure(x), name)())


def _simplest(x: Real) -> Exact:
    """A number as a fraction if it is seen to be one, and as an atom if it has too many terms."""
    if x.terms.keys() <= {_ONE}:
        return x.rational
    return x if x.size <= MOST_TERMS else opaque(x.ball)


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
    return _written(sum(rational, ZERO)) if len(rational) == len(values) else _simplest(Real.total(values))


def product(x: Exact, y: Exact) -> Exact:
    """x·y."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return _written(x * y)
    left, right = Real.of(x), Real.of(y)
    if left.size * right.size > MOST_TERMS:
        return opaque(lambda: enclosure(x) * enclosure(y))
    return _simplest(left * right)


def quotient(x: Exact, y: Exact) -> Exact:
    """x/y, for y other than 0."""
    if isinstance(y, Fraction):
        return product(x, 1 / y)
    try:
        return product(x, Real.of(1) / y)
    except ZeroDivisionError:  # no single root
        return product(x, _function("inverse", y))


def square_root(x: Exact) -> Exact:
    """√x, for x >= 0."""
    return _simplest(root(x)) if isinstance(x, Fraction) else _function("sqrt", x)


def exponential(x: Exact) -> Exact:
    """e^x."""
    return ONE if isinstance(x, Fraction) and x == 0 else _function("exp", x)


def sign(x: Exact) -> int:
    """−1, 0 or 1; errors as of :attr:`Real.sign`."""
    return x.sign if isinstance(x, Real) else (x > 0) - (x < 0)
