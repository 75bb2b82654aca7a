"""Polynomials in files: a list of [number, factors], a factor is [atom, exponent], an atom a name or [prime, factors]."""

from collections.abc import Iterable
from typing import Any

from .recheck_polynomials import LARGEST_BASE, MOST_DEGREE, Algebra, Monomial, Polynomial, prime_factors
from .recheck_reading import At


def read_polynomial(given: At, algebra: Algebra, names: Iterable[str]) -> Polynomial:
    found: Polynomial = {}
    for each in given.items():
        c, factors = each.items(2)
        monomial = read_monomial(factors, algebra, names, 0)
        if monomial in found or not c.number():
            each.refuse("another monomial, with a number other than 0,")
        found[monomial] = c.number()
    return found


def read_monomial(given: At, algebra: Algebra, names: Iterable[str], depth: int) -> Monomial:
    factors = dict[str, int]()
    for each in given.items():
        atom, exponent = each.items(2)
        if isinstance(atom.data, list):
            base, above = atom.items(2)
            if depth > 8:
                atom.refuse("a shorter tower of powers")
            monomial = read_monomial(above, algebra, names, depth + 1)
            if not monomial or any(e < 0 for _, e in monomial):
                above.refuse("a power's exponent")
            text, low = algebra.atom(read_prime(base), monomial), -MOST_DEGREE
        else:
            text, low = atom.one_of(*names), 1
        e = exponent.integer(low, MOST_DEGREE)
        if text in factors or not e:
            each.refuse("another factor, with an exponent other than 0,")
        factors[text] = e
    return tuple(sorted(factors.items()))


def read_prime(given: At) -> int:
    base = given.integer(2, LARGEST_BASE)
    if prime_factors(base) != {base: 1}:
        given.refuse("a prime")
    return base


def written(p: Polynomial, algebra: Algebra) -> list[Any]:
    """A polynomial as a file has it."""
    return [[str(c), written_monomial(monomial, algebra)] for monomial, c in sorted(p.items())]


def written_monomial(monomial: Monomial, algebra: Algebra) -> list[Any]:
    def atom(text: str) -> Any:
        base, above = algebra.powers.get(text, (0, ()))
        return [str(base), written_monomial(above, algebra)] if base else text

    return [[atom(text), str(e)] for text, e in monomial]
