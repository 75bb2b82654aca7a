"""A bound below of an expected value with absolute values of sums in it, which may refute where the value itself is not a polynomial.

|p| is at least s p for s = 1 or -1, whatever s depends on. With s the sign of the product of some of the errors, those that are as often
negative as positive, the terms of s p in which just these occur with odd powers have an expected value other than 0, and the others 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from verifier.arithmetic.rationals import Fraction
from verifier.judges.expectation_sides import Sides
from verifier.language.polynomials import NoPolynomialError, Polynomial, Unknown, value
from verifier.language.tree import Call, Node, Operation

Term = tuple[int, Node]


def summands(node: Node, sign: int = 1) -> Iterator[Term]:
    """The terms of a formula, each with its sign."""
    match node:
        case Operation(left, "+" | "-" as op, right):
            yield from summands(left, sign)
            yield from summands(right, sign if op == "+" else -sign)
        case _:
            yield sign, node


def inside(node: Node) -> Node | None:
    """x of |x|, and x y of |x| |y|, as absolute values multiply; None where a term is something else."""
    match node:
        case Call("abs", (x,)):
            return x
        case Operation(left, "*", right):
            first, second = inside(left), inside(right)
            return None if first is None or second is None else Operation(first, "*", second)
    return None


def least(sides: Sides, names: Mapping[str, Fraction], given: Mapping[Unknown, Fraction]) -> tuple[Fraction, Fraction] | None:
    """A bound below of the expected value, and the closed form, where the ends are 1 and the entries as given; None where none is known."""
    numbers, at = {**sides.parameters, **names}, {Unknown(end): Fraction(1) for end in sides.positive}
    total = Fraction(0)
    for sign, term in summands(sides.of):
        try:
            total += sign * value(sides.ring, sides.expected(sides.ring.polynomial(term, numbers, given)), at)
        except NoPolynomialError:
            magnitude = inside(term)
            if magnitude is None or sign < 0:
                return None
            total += of_magnitude(sides, sides.ring.polynomial(magnitude, numbers, given))
    return total, value(sides.ring, sides.ring.normal(sides.ring.polynomial(sides.is_, numbers, given)), at)


def of_magnitude(sides: Sides, polynomial: Polynomial) -> Fraction:
    """A bound below of the expected value of |polynomial|, where the ends are 1.

    Only magnitudes count, so that all signs may be turned at once.
    """
    by_signs: dict[frozenset[Unknown], Fraction] = defaultdict(Fraction)
    for coefficient, powers in sides.ring.terms(polynomial):
        odd = []
        for unknown, power in powers.items():
            if unknown.magnitude or unknown.name not in sides.ends | dict.fromkeys(sides.positive):
                return Fraction(0)  # an entry without a value
            if unknown.name in sides.ends:
                coefficient /= power + 1
                odd += [unknown] if sides.ends[unknown.name][0] and power % 2 else []
        by_signs[frozenset(odd)] += coefficient
    return max(map(abs, by_signs.values()), default=Fraction(0))
