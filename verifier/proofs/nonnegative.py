"""Quantities that are known to be nonnegative, and polynomials in them.

An expression is a rational function (a sympy expression) of *slacks*, which are integers k ≥ 0, and of *powers*, symbols that stand for
2^k, 3^k, 2^(k·l) and the like. *Facts* are polynomials that are ≥ 0 in the case at hand, such as 2^p − 1 − s.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from math import comb, prod
from typing import Any, TypeAlias

from verifier.proofs.budget import MONOMIAL, Effort
from verifier.proofs.rational_numbers import sympy

KEPT = 1 << 14
"""Expressions whose form is kept: the cases of a proof ask for the same ones again and again."""


@lru_cache(KEPT)
def monomials(expression: Any) -> int:
    """An upper bound on the monomials of a sympy expression, numerator and denominator together, over one denominator and multiplied
    out."""
    above, below = _size(expression)
    return above + _product(below)


def _size(expression: Any) -> tuple[int, dict[Any, int]]:
    """Monomials of the numerator, and the denominator as factors with their exponents."""
    if expression.is_Add:
        parts = [_size(part) for part in expression.args]
        common = {factor: max(below.get(factor, 0) for _, below in parts) for _, below in parts for factor in below}
        return sum(n * _product({f: e - below.get(f, 0) for f, e in common.items()}) for n, below in parts), common
    if expression.is_Mul:
        sizes = [_size(part) for part in expression.args]
        factors = dict.fromkeys(factor for _, below in sizes for factor in below)
        return prod(n for n, _ in sizes), {f: sum(below.get(f, 0) for _, below in sizes) for f in factors}
    if expression.is_Pow and expression.exp.is_Integer:
        times, (above, below) = abs(int(expression.exp)), _size(expression.base)
        if expression.exp < 0:
            return _product({f: e * times for f, e in below.items()}), {expression.base: times} if expression.base.free_symbols else {}
        return _power(above, times), {f: e * times for f, e in below.items()}
    return 1, {}


def _product(factors: Mapping[Any, int]) -> int:
    return prod(_power(_size(factor)[0], exponent) for factor, exponent in factors.items())


def _power(terms: int, exponent: int) -> int:
    """The monomials of a power of a sum with this many terms: selections of ``exponent`` terms with repetition."""
    return comb(terms + exponent - 1, exponent)


Expr: TypeAlias = Any
"""A sympy expression, for which sympy declares no type."""

Symbol: TypeAlias = Any
Wants: TypeAlias = tuple[tuple[Symbol, int], ...]
"""What would help: a slack and a modulus each, its values by their remainder, or, for modulus 1, its least value apart."""

LARGEST = 4096
"""Bits of a number that is written out."""
MOST_DEGREE = 48
"""The degree of a power that is multiplied out."""
MOST_MONOMIALS = 3000
"""Monomials, counted before any cancel, of an expression that is multiplied out or reduced."""


class Unread(Exception):  # noqa: N818  # no mistake of anyone's
    """An expression that has no single reading for all values of the slacks, and what would help."""

    def __init__(self, reason: str, wants: Sequence[tuple[Symbol, int]] = ()) -> None:
        super().__init__(reason)
        self.wants = tuple(wants)


class Large(Unread):
    """An expression that is too large for computer algebra."""


class Quantities:
    """The slacks, powers and facts of one case, and the algebra of expressions in them, whose work is counted before it is done."""

    def __init__(self, taken: Sequence[str] = (), effort: Effort | None = None) -> None:
        self.effort = effort or Effort()
        self.slacks: dict[Symbol, str] = {}
        self._below: dict[Symbol, list[Symbol]] = {}
        self.powers: dict[Symbol, tuple[int, Expr]] = {}
        self.facts: list[Expr] = []
        self.logarithms: dict[tuple[Expr, bool], Symbol] = {}
        self.opaque: dict[tuple[Expr, Expr], Symbol] = {}
        self._taken = set(taken)

    def expand(self, expression: Expr) -> Expr:
        """The expression multiplied out.

        Raises:
            Large: too many monomials.
            Exhausted: the allowed work is used up.
        """
        self._weigh(expression)
        return _expanded(expression)

    def cancel(self, expression: Expr) -> Expr:
        """The expression as a quotient of polynomials without a common factor; errors as of :meth:`expand`."""
        self._weigh(expression)
        return _cancelled(expression)

    def _weigh(self, expression: Expr) -> None:
        count = monomials(expression)
        if count > MOST_MONOMIALS:
            raise Large(f"an expression of up to {count:,} terms")
        self.effort.spend(MONOMIAL * count)

    def slack(self, meaning: str, below: Expr, name: str = "k") -> Symbol:
        """A new integer ≥ 0, with its meaning as a formula in the slacks of ``below``."""
        symbol = self._named(name)
        self._below[symbol] = self.slacks_in(below)
        self.slacks[symbol] = meaning
        return symbol

    def meanings(self, expressions: Sequence[Expr]) -> dict[str, str]:
        """The meanings of the slacks in expressions, and of the slacks in these meanings, in order of dependence."""
        needed = {s for expression in expressions for s in self.slacks_in(expression)}
        for symbol in reversed(self.slacks):
            needed |= set(self._below[symbol]) if symbol in needed else set()
        return {str(s): meaning for s, meaning in self.slacks.items() if s in needed}

    def _named(self, name: str) -> Symbol:
        tried = next(t for t in chain([name], (f"{name}{n}" for n in range(1, 10_000))) if t not in self._taken)
        self._taken.add(tried)
        return sympy.Symbol(tried, integer=True, nonnegative=True)

    def power(self, base: Expr, exponent: Expr) -> Expr:
        """base^exponent for a positive rational base and a polynomial with integer coefficients as the exponent.

        Raises:
            Unread: the exponent has another form, or the number is too large to write out.
        """
        self.whole(exponent)
        found = sympy.Integer(1)
        for prime, times in sympy.factorrat(base).items():
            for monomial, coefficient in self.expand(times * exponent).as_coefficients_dict().items():
                if monomial == 1:
                    if abs(coefficient) * int(prime).bit_length() > LARGEST:
                        raise Unread(f"a power has more than {LARGEST} bits")
                    found *= sympy.Integer(prime) ** coefficient
                elif abs(coefficient) > MOST_DEGREE:
                    raise Unread(f"a power of degree {abs(coefficient)}")
                else:
                    found *= self._power_symbol(int(prime), monomial) ** coefficient
        return found

    def _power_symbol(self, base: int, exponent: Expr) -> Symbol:
        symbol = sympy.Symbol(f"{base}**({exponent})", integer=True, positive=True)
        self.powers[symbol] = (base, exponent)
        return symbol

    def whole(self, expression: Expr) -> Expr:
        """The expression, if it is an integer for all slacks: a polynomial with integer coefficients.

        Raises:
            Unread: it is none, or not seen to be one.
        """
        numerator, denominator = sympy.fraction(self.cancel(expression))
        if denominator == 1 and all(c.is_Integer for c in self.expand(numerator).as_coefficients_dict().values()):
            return expression
        raise self.split(f"{self.shown(expression)} is not shown to be an integer", expression)

    def split(self, reason: str, expression: Expr) -> Unread:
        """An error that requests the cases in which the expression has integer coefficients, or starts at larger values."""
        wants: list[tuple[Symbol, int]] = []
        for monomial, coefficient in self.expand(expression).as_coefficients_dict().items():
            if coefficient.q > 1 and not monomial.is_Rational:
                for symbol in sorted(monomial.free_symbols, key=str):
                    wants += [(symbol, int(coefficient.q))] if symbol in self.slacks else [(s, 1) for s in self.slacks_in(symbol)]
        return Unread(reason, wants or [(s, 1) for s in self.slacks_in(expression)])

    def assume(self, fact: Expr) -> None:
        """Add the fact that a polynomial is ≥ 0."""
        self.facts.append(self.expand(fact))

    @contextmanager
    def supposed(self) -> Iterator[None]:
        """Facts that are assumed inside this block hold only there. Conclusions from them are forgotten with them: they may hold
        nowhere."""
        before = list(self.facts), dict(self.logarithms), dict(self.opaque)
        try:
            yield
        finally:
            self.facts, self.logarithms, self.opaque = before

    def shown(self, expression: Expr) -> str:
        """The expression in the formula language, over slacks and parameters' slacks."""
        for symbol, (base, exponent) in reversed(self.powers.items()):
            expression = expression.subs(symbol, sympy.Integer(base) ** exponent)
        return str(expression)

    def slacks_in(self, expression: Expr) -> list[Symbol]:
        """The slacks that the expression depends on, those in exponents too, in the order of their making."""
        found = set(expression.free_symbols)
        for symbol, (_, exponent) in reversed(self.powers.items()):
            if symbol in found:
                found |= exponent.free_symbols
        return [s for s in self.slacks if s in found]

    def degree(self, polynomial: Expr) -> int:
        """The degree in slacks, powers not counted."""
        terms = terms_of(polynomial)
        return int(max(sum(d for s, d in zip(terms.gens, monomial, strict=True) if s in self.slacks) for monomial in terms.monoms()))

    def unused(self, name: str, number: int) -> Symbol:
        """A symbol ≥ 0 that nothing here is called."""
        tried = f"{name}{number or ''}"
        return sympy.Symbol(tried, nonnegative=True) if tried not in self._taken else self.unused(name + "_", number)

    def powers_with(self, slack: Symbol, expression: Expr) -> list[Symbol]:
        """The powers in the expression that depend on the slack."""
        return [s for s in self.powers if s in expression.free_symbols and slack in self.slacks_in(s)]


@lru_cache(KEPT)
def _expanded(expression: Expr) -> Expr:
    """Sums and products multiplied out, the only expansion of sympy that rational functions need."""
    return expression.expand(power_base=False, power_exp=False, log=False, basic=False)


@lru_cache(KEPT)
def _cancelled(expression: Expr) -> Expr:
    return sympy.cancel(expression)


@lru_cache(KEPT)
def terms_of(polynomial: Expr) -> Any:
    """A polynomial's monomials and coefficients, over the symbols that it has."""
    return sympy.Poly(polynomial, *sorted(polynomial.free_symbols, key=str))


def indivisible(numerator: Expr) -> bool:
    """Whether a polynomial in integers, not 0 itself, is never 0 because the common divisor of its other coefficients does not divide its
    constant."""
    if numerator.is_Rational:
        return True
    terms = terms_of(numerator).clear_denoms(convert=True)[1]
    constant = terms.nth(*[0] * len(terms.gens))
    return bool(constant % sympy.gcd_list([c for m, c in terms.terms() if any(m)]) != 0)
