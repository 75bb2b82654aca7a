"""The reading of formulas over polynomials: entries of matrices and free numbers are unknowns, ranges and parameters are numbers.

``Q(i, u)`` is the entry of the matrix Q in row i and column u. The absolute value of a product is the product of absolute values, and
|x|² = x²; that of a sum of several terms is not a polynomial, except where it is squared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from verifier.arithmetic.rationals import Fraction
from verifier.language import exact
from verifier.language.syntax import calls_in, names_in, quoted, tree_of
from verifier.language.tree import Algebra, Call, Choice, Name, Node, Operation, Ranged, Signed, fold
from verifier.running.errors import InputError

Polynomial: TypeAlias = Any
"""A polynomial with rational coefficients (python-flint's ``fmpq_mpoly``)."""
MOST_EXPONENT = 64


class NoPolynomialError(InputError):
    """A formula of the language whose value is not a polynomial, or a polynomial in too many unknowns."""


@dataclass(frozen=True)
class Unknown:
    """An entry of a matrix, with its row and column, or a number (no place); or its absolute value."""

    name: str
    place: tuple[int, int] | None = None
    magnitude: bool = False

    def __str__(self) -> str:
        text = self.name if self.place is None else f"{self.name}({self.place[0]}, {self.place[1]})"
        return f"|{text}|" if self.magnitude else text


class Ring:
    """The polynomials over some unknowns and their absolute values; ``positive``: names of numbers that equal their own absolute value."""

    def __init__(self, unknowns: Iterable[Unknown], positive: Iterable[str] = ()) -> None:
        listed = list(dict.fromkeys(unknowns))
        self.positive = frozenset(positive)
        self.unknowns = [*listed, *(Unknown(u.name, u.place, True) for u in listed)]
        self.context = fmpq_mpoly_ctx.get([f"x{k}" for k in range(len(self.unknowns))], Ordering.lex)
        self.asked: set[Unknown] = set()
        """The unknowns that a formula has named so far."""
        self._generators = dict(zip(self.unknowns, self.context.gens(), strict=True))

    def constant(self, value: Fraction) -> Polynomial:
        return self.context.constant(fmpq(value.numerator, value.denominator))

    def generator(self, unknown: Unknown) -> Polynomial:
        """The unknown itself.

        Raises:
            InputError: none of the ring's.
        """
        if unknown not in self._generators:
            raise InputError(
                f"{unknown} is not an unknown here; the unknowns are {', '.join(str(u) for u in self._generators if not u.magnitude)}"
            )
        return self._generators[unknown]

    def terms(self, polynomial: Polynomial) -> Iterator[tuple[Fraction, dict[Unknown, int]]]:
        """Coefficient and powers of each term."""
        for powers, coefficient in polynomial.to_dict().items():
            found = {self.unknowns[k]: int(power) for k, power in enumerate(powers) if power}
            yield Fraction(int(coefficient.p), int(coefficient.q)), found

    def product(self, coefficient: Fraction, powers: Mapping[Unknown, int]) -> Polynomial:
        """A term; even powers of absolute values become powers of their arguments."""
        found = self.constant(coefficient)
        for unknown, power in powers.items():
            plain = Unknown(unknown.name, unknown.place)
            if not unknown.magnitude or plain.name in self.positive:
                found *= self.generator(plain) ** power
            else:
                found *= self.generator(plain) ** (power - power % 2) * self.generator(unknown) ** (power % 2)
        return found

    def normal(self, polynomial: Polynomial) -> Polynomial:
        """The one form of a polynomial in which every absolute value has the power 0 or 1: equal functions have equal forms."""
        return sum((self.product(c, powers) for c, powers in self.terms(polynomial)), self.constant(Fraction(0)))

    def magnitude(self, polynomial: Polynomial) -> Polynomial:
        """The absolute value of a single term.

        Raises:
            NoPolynomialError: of a sum of several.
        """
        terms = list(self.terms(polynomial))
        if len(terms) > 1:
            raise NoPolynomialError(f"the absolute value of a sum of {len(terms)} terms is not a polynomial")
        if not terms:
            return polynomial
        ((coefficient, powers),) = terms
        merged: dict[Unknown, int] = {}
        for unknown, power in powers.items():
            whole = Unknown(unknown.name, unknown.place, True)
            merged[whole] = merged.get(whole, 0) + power
        return self.product(abs(coefficient), merged)

    def polynomial(self, formula: Node, numbers: Mapping[str, Fraction], at: Mapping[Unknown, Fraction] | None = None) -> Polynomial:
        """A formula as a polynomial in the unknowns; ``numbers``: the names that have values; ``at``: unknowns that have a value here.

        Raises:
            InputError: outside this reading, such as a division by an unknown.
            NoPolynomialError: the absolute value of a sum.
        """
        return _Read(self, dict(numbers), at or {}).of(tree_of(formula))


def value(ring: Ring, polynomial: Polynomial, at: Mapping[Unknown, Fraction]) -> Fraction:
    """Evaluate the polynomial at values of its unknowns. An unknown without a value is 0."""
    total = Fraction(0)
    for coefficient, powers in ring.terms(polynomial):
        for unknown, power in powers.items():
            x = at.get(Unknown(unknown.name, unknown.place), Fraction(0))
            coefficient *= (abs(x) if unknown.magnitude else x) ** power
        total += coefficient
    return total


class _Read(Algebra[Polynomial]):
    def __init__(self, ring: Ring, numbers: dict[str, Fraction], at: Mapping[Unknown, Fraction]) -> None:
        self.ring, self.numbers, self.at = ring, numbers, at

    def of(self, node: Node) -> Polynomial:
        if not calls_in(node) and names_in(node) <= self.numbers.keys():
            return self.ring.constant(exact.rational(node, self.numbers))
        return fold(node, self)

    def outside(self, node: Node) -> Polynomial:
        raise InputError(f"{quoted(node)}: it is not part of a polynomial")

    def name(self, node: Name) -> Polynomial:
        return self.unknown(Unknown(node.name))

    def signed(self, node: Signed) -> Polynomial:
        return -self.of(node.operand) if node.sign == "-" else self.of(node.operand)

    def operation(self, node: Operation) -> Polynomial:
        left, right = node.left, node.right
        match node.operator:
            case "+":
                return self.of(left) + self.of(right)
            case "-":
                return self.of(left) - self.of(right)
            case "*":
                return self.product(left, right)
            case "/":
                divisor = self.known(right)
                if divisor == 0:
                    raise InputError(f"{quoted(node)}: division by zero")
                return self.of(left) * self.ring.constant(1 / divisor)
            case "**":
                power = self.known(right)
                if power.denominator != 1 or not 0 <= power <= MOST_EXPONENT:
                    raise InputError(f"{quoted(node)}: a whole exponent from 0 to {MOST_EXPONENT} was expected")
                return self.power(left, int(power))
        return self.outside(node)

    def choice(self, node: Choice) -> Polynomial:
        return self.of(node.body if exact.truth(node.test, self.numbers) else node.orelse)

    def call(self, node: Call) -> Polynomial:
        match node:
            case Call("abs", (of,)):
                return self.ring.magnitude(self.of(of))
            case Call(name, (row, column)) if (name, 2) in calls_in(node):
                return self.unknown(Unknown(name, (exact.integer(row, self.numbers), exact.integer(column, self.numbers))))
        return self.outside(node)

    def ranged(self, node: Ranged) -> Polynomial:
        if node.function != "sum":
            return self.outside(node)
        first, last = (exact.integer(end, self.numbers) for end in node.ends)
        found = self.ring.constant(Fraction(0))
        for k in range(first, last + 1):
            inner = _Read(self.ring, {**self.numbers, node.name: Fraction(k)}, self.at)
            if all(exact.truth(condition, inner.numbers) for condition in node.tests):
                found += inner.of(node.body)
        return found

    def unknown(self, unknown: Unknown) -> Polynomial:
        self.ring.asked.add(unknown)
        return self.ring.constant(self.at[unknown]) if unknown in self.at else self.ring.generator(unknown)

    def known(self, node: Node) -> Fraction:
        if calls_in(node) or not names_in(node) <= self.numbers.keys():
            raise InputError(f"{quoted(node)}: a number was expected, and it has unknowns")
        return exact.rational(node, self.numbers)

    def product(self, left: Node, right: Node) -> Polynomial:
        """0 if one factor is 0, even if the other is not a polynomial."""
        try:
            found = self.of(left)
        except NoPolynomialError:
            if (other := self.of(right)) == 0:
                return other
            raise
        return found if found == 0 else found * self.of(right)

    def power(self, base: Node, power: int) -> Polynomial:
        """|x|^(2k) is x^(2k), also for a sum of several terms."""
        match base:
            case Call("abs", (of,)) if power % 2 == 0:
                return self.of(of) ** power
        return self.of(base) ** power
