"""The numbers of p bits of Definition A.7, listed by its own formula, and what follows from the list."""

from __future__ import annotations

from functools import lru_cache

from verifier.arithmetic.rationals import Fraction
from verifier.language.formula_functions import written
from verifier.running.errors import LimitError

MOST_BITS = 14


@lru_cache(maxsize=MOST_BITS)
def numbers(p: int | Fraction) -> frozenset[Fraction]:
    """±(a + 2^−|b|·b) over all splits of p − 1 binary digits into |a| before and |b| after the point.

    Raises:
        LimitError: more than :data:`MOST_BITS` bits.
    """
    if p > MOST_BITS:
        raise LimitError(f"p = {p}: the numbers are listed for at most {MOST_BITS} bits", "a smaller --p")
    found: set[Fraction] = set()
    for after in range(int(p)):
        before = int(p) - 1 - after
        for a in range(2**before):
            found |= {sign * (a + Fraction(b, 2**after)) for b in range(2**after) for sign in (1, -1)}
    return frozenset(found)


@written("1 + 2*(2**(p - 1) - 1) + sum(2*2**(p - 2) for after in (1, p - 1))")
def how_many(p: Fraction) -> Fraction:
    """How many different numbers of p bits there are, in the list.

    As a formula each has the fewest digits after the point: 0, the other integers, and for each number of digits the odd numerators.
    """
    return Fraction(len(numbers(p)))


@written("max((2**(p - 1) - 1)/2**after for after in (0, p - 1))")
def largest(p: Fraction) -> Fraction:
    """The largest number of p bits."""
    return max(numbers(p))


@written("min(-(2**(p - 1) - 1)/2**after for after in (0, p - 1))")
def smallest(p: Fraction) -> Fraction:
    """The smallest number of p bits, the one of largest magnitude below zero."""
    return min(numbers(p))
