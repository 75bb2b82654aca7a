"""Polynomials of the checker of symbols: in integers >= 0, called slacks, and in powers b**M of primes b.

A monomial is a sorted tuple of (atom, exponent). An atom is the name of a slack, or ``2**(k)`` and the like, which :class:`Algebra` knows
by its base and the monomial in its exponent. Powers may have exponents below 0, slacks may not. A quotient is a pair of polynomials.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb, gcd, lcm
from typing import NamedTuple

from .recheck_reading import Limits

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]
MOST_DEGREE, MOST_BITS, MOST_TERMS, LARGEST_BASE = 64, 8192, 20000, 1 << 20


class Undecided(Exception):  # noqa: N818
    """What has no form, or no sign, that can be seen here."""


class Quotient(NamedTuple):
    above: Polynomial
    below: Polynomial


def constant(value: int | Fraction) -> Polynomial:
    return {(): Fraction(value)} if value else {}


def variable(atom: str) -> Polynomial:
    """An atom as a polynomial."""
    return {((atom, 1),): Fraction(1)}


ONE = constant(1)


def number(value: int | Fraction) -> Quotient:
    return Quotient(constant(value), ONE)


def size(p: Polynomial) -> int:
    """The bits of its longest number."""
    return max((c.numerator.bit_length() + c.denominator.bit_length() for c in p.values()), default=0)


def is_constant(p: Polynomial) -> bool:
    return not p or p.keys() == {()}


def value_of(p: Polynomial) -> Fraction:
    return p.get((), Fraction(0))


class Algebra:
    """Sums and products of polynomials, counted as work, and the atoms that powers are."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.powers = limits, dict[str, tuple[int, Monomial]]()
        self.opaque = dict[str, set[str]]()  # integers of which facts alone are known, and the slacks on which they depend

    # polynomials

    def plus(self, p: Polynomial, q: Polynomial, times: int | Fraction = 1) -> Polynomial:
        """p + times·q."""
        self.limits.spend(len(p) // 4 + 4 * len(q) + 1)
        found = dict(p)
        for monomial, c in q.items():
            total = found.get(monomial, 0) + times * c
            if total:
                found[monomial] = Fraction(total)
            else:
                found.pop(monomial, None)
        return found

    def times(self, p: Polynomial, q: Polynomial) -> Polynomial:
        found: Polynomial = {}
        self.limits.spend(8 * (len(p) + 1) * (len(q) + 1) * (1 + (size(p) + size(q)) // 128))
        for one, c in p.items():
            for other, d in q.items():
                monomial = product(one, other)
                found[monomial] = found.get(monomial, Fraction(0)) + c * d
        found = {monomial: c for monomial, c in found.items() if c}
        return self.small(found)

    def small(self, p: Polynomial) -> Polynomial:
        """The polynomial, if it is of a size that is computed with here."""
        bits = size(p)
        degree = max((sum(abs(e) for _, e in monomial) for monomial in p), default=0)
        if len(p) > MOST_TERMS or bits > MOST_BITS or degree > 4 * MOST_DEGREE:
            raise Undecided("a polynomial too large")
        return p

    def raised(self, p: Polynomial, exponent: int) -> Polynomial:
        """p to a power >= 0."""
        if exponent > MOST_DEGREE and not (is_constant(p) or len(p) == 1):
            raise Undecided("a power of too many terms")
        if is_constant(p):
            c = value_of(p)
            if exponent * max(c.numerator.bit_length(), c.denominator.bit_length()) > MOST_BITS:
                raise Undecided("a power too large")
            return constant(c**exponent)
        found = ONE
        while exponent:
            if exponent & 1:
                found = self.times(found, p)
            exponent >>= 1
            p = self.times(p, p) if exponent else p
        return found

    def put(self, p: Polynomial, meanings: Mapping[str, Polynomial]) -> Polynomial:
        """p with some of its atoms replaced; their exponents are >= 0."""
        found: Polynomial = {}
        for monomial, c in p.items():
            term: Polynomial = {tuple((atom, e) for atom, e in monomial if atom not in meanings): c}
            for atom, e in monomial:
                if atom in meanings:
                    term = self.times(term, self.raised(meanings[atom], e))
            found = self.plus(found, term)
        return found

    # powers

    def power(self, base: int, exponent: Polynomial) -> Polynomial:
        """base**exponent, for a prime base and an exponent with integer coefficients: one monomial."""
        c, factors = Fraction(1), dict[str, int]()
        for monomial, times in exponent.items():
            if times.denominator != 1 or any(e < 0 for _, e in monomial):
                raise Undecided("an exponent that is not seen to be an integer")
            if not monomial:
                if abs(times) * base.bit_length() > MOST_BITS:
                    raise Undecided("a power too large")
                c = Fraction(base) ** int(times)
                continue
            if abs(times) > MOST_DEGREE:
                raise Undecided("a power of a large degree")
            factors[self.atom(base, monomial)] = int(times)
        return {tuple(sorted(factors.items())): c}

    def atom(self, base: int, monomial: Monomial) -> str:
        text = f"{base}**({'*'.join(f'{atom}**{e}' if e > 1 else atom for atom, e in monomial)})"
        self.powers[text] = (base, monomial)
        return text

    def within(self, p: Polynomial) -> set[str]:
        """The slacks in a polynomial, in exponents too."""
        found, waiting = set[str](), {atom for monomial in p for atom, _ in monomial}
        while waiting:
            atom = waiting.pop()
            if atom in self.powers:
                waiting |= {other for other, _ in self.powers[atom][1]}
            else:
                found |= {atom} | self.opaque.get(atom, set())
        return found

    # quotients

    def reduced(self, above: Polynomial, below: Polynomial) -> Quotient:
        """A quotient, without its divisor where that is one monomial of powers, or divides."""
        if not above:
            return number(0)
        if len(below) == 1:
            ((monomial, c),) = below.items()
            if all(atom in self.powers for atom, _ in monomial):
                inverse = {tuple((atom, -e) for atom, e in monomial): 1 / c}
                return Quotient(self.times(above, inverse), ONE)
        divided = self.divided(above, below)
        return Quotient(above, below) if divided is None else Quotient(divided, ONE)

    def divided(self, above: Polynomial, below: Polynomial) -> Polynomial | None:
        """above / below, where nothing is left; by the leading monomials in an order of words."""
        atoms = sorted({atom for p in (above, below) for monomial in p for atom, _ in monomial})
        shift = {atom: min([0, *(dict(m).get(atom, 0) for m in (*above, *below))]) for atom in atoms}

        def order(monomial: Monomial) -> tuple[int, ...]:
            known = dict(monomial)
            return tuple(known.get(atom, 0) - shift[atom] for atom in atoms)

        lead = max(below, key=order)
        found: Polynomial = {}
        rest = dict(above)
        for _ in range(4 * len(above) + 64):
            if not rest:
                return found
            top = max(rest, key=order)
            left = product(top, tuple((atom, -e) for atom, e in lead))
            if any(e < 0 and (atom not in self.powers or e < shift[atom]) for atom, e in left):
                return None
            part = {left: rest[top] / below[lead]}
            found = self.plus(found, part)
            rest = self.plus(rest, self.times(part, below), -1)
        return None

    def add(self, x: Quotient, y: Quotient, times: int = 1) -> Quotient:
        """x + times·y."""
        if x.below == y.below:
            return self.reduced(self.plus(x.above, y.above, times), x.below)
        above = self.plus(self.times(x.above, y.below), self.times(y.above, x.below), times)
        return self.reduced(above, self.times(x.below, y.below))

    def multiply(self, x: Quotient, y: Quotient) -> Quotient:
        return self.reduced(self.times(x.above, y.above), self.times(x.below, y.below))

    def inverse(self, x: Quotient) -> Quotient:
        """1/x of an x that is not 0."""
        return self.reduced(x.below, x.above)

    def whole(self, x: Quotient) -> Polynomial:
        """The polynomial that a number is, with integer coefficients: an integer whatever its slacks are.

        Raises:
            Undecided: it is none, or not seen to be one.
        """
        if x.below != ONE or any(c.denominator != 1 or any(e < 0 for _, e in m) for m, c in x.above.items()):
            raise Undecided("a number that is not seen to be an integer")
        return x.above


def product(one: Monomial, other: Monomial) -> Monomial:
    if not one or not other:
        return one or other
    found = dict(one)
    for atom, e in other:
        found[atom] = found.get(atom, 0) + e
    return tuple(sorted((atom, e) for atom, e in found.items() if e))


def coefficient_signs(p: Polynomial, powers: Iterable[str]) -> set[int]:
    """The signs that a polynomial can have, by those of its coefficients; a monomial of powers alone is positive."""
    signs = {1 if c > 0 else -1 for c in p.values()}
    if len(signs) > 1:
        return {-1, 0, 1}
    apart = any(all(atom in powers for atom, _ in monomial) for monomial in p)
    return signs if apart else {0, *signs}


def indivisible(p: Polynomial) -> bool:
    """Whether it is never 0, since a divisor of the other coefficients does not divide the one without atoms; all atoms are integers."""
    if any(e < 0 for monomial in p for _, e in monomial) or () not in p:
        return False
    common = lcm(*(c.denominator for c in p.values()))
    divisor = gcd(*(int(c * common) for monomial, c in p.items() if monomial))
    return divisor == 0 or int(p[()] * common) % divisor != 0


def first_terms(algebra: Algebra, base: int, monomial: Monomial, level: int) -> Polynomial:
    """The sum of C(M, i)(base - 1)^i for i up to a level: by the binomial theorem at most base**M, for integers M >= 0."""
    found, term, m = dict(ONE), dict(ONE), {monomial: Fraction(1)}
    for i in range(1, level + 1):
        term = algebra.times(term, algebra.plus(m, constant(1 - i)))
        term = {key: c * Fraction(base - 1, i) for key, c in term.items()}
        found = algebra.plus(found, term)
    return found


def prime_factors(n: int) -> dict[int, int]:
    """The primes of an integer >= 1, if it is small."""
    if n > LARGEST_BASE:
        raise Undecided("a base too large")
    found, p = dict[int, int](), 2
    while p * p <= n:
        while n % p == 0:
            found[p], n = found.get(p, 0) + 1, n // p
        p += 1
    return {**found, n: found.get(n, 0) + 1} if n > 1 else found


def cleared(p: Polynomial) -> Polynomial:
    """A positive multiple with integer coefficients and exponents >= 0."""
    lowest = dict[str, int]()
    common = lcm(*(c.denominator for c in p.values()))
    for monomial in p:
        for atom, e in monomial:
            lowest[atom] = min(lowest.get(atom, 0), e)
    found = {}
    for monomial, c in p.items():
        known = dict(monomial)
        raised = {atom: known.get(atom, 0) - lowest.get(atom, 0) for atom in {*known, *lowest}}
        found[tuple(sorted((atom, e) for atom, e in raised.items() if e))] = c * common
    return found


def antidifference(degree: int, ratio: Fraction) -> list[Fraction]:
    """The coefficients of P with ratio·P(i + 1) - P(i) = i**degree, for a ratio other than 0."""
    if degree > MOST_DEGREE // 4:
        raise Undecided("a sum of a large degree")
    same = ratio == 1
    known = [Fraction(0)] * (degree + 1 + same)
    for power in range(degree, -1, -1):
        rest = ratio * sum((comb(k, power) * known[k] for k in range(power + same + 1, len(known))), Fraction(0))
        wanted = int(power == degree) - rest
        known[power + same] = wanted / (ratio * (power + 1)) if same else wanted / (ratio - 1)
    return known
