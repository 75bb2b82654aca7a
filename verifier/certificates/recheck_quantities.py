"""Numbers that vary: their signs, roundings, powers and functions, each with one form for all slacks or none.

A number is a quotient of polynomials. What has to be guessed, the certificate gives (:class:`Hints`): how a polynomial is a sum of what
is >= 0, and what a quotient or logarithm is when it is rounded. Facts are polynomials that are >= 0 where a formula stands.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import floor, gcd, isqrt

from .recheck_polynomials import (
    MOST_DEGREE,
    ONE,
    Algebra,
    Polynomial,
    Quotient,
    Undecided,
    coefficient_signs,
    constant,
    indivisible,
    is_constant,
    number,
    prime_factors,
    value_of,
    variable,
)

ANY, AT_LEAST_0, AT_MOST_0 = {-1, 0, 1}, {0, 1}, {-1, 0}


class Hints:
    """What a certificate says of one case; a writer of certificates looks for it instead."""

    def sign(self, p: Polynomial, facts: Sequence[Polynomial]) -> set[int]:
        """The signs that a polynomial can have, where its coefficients do not say it."""
        return ANY

    def rounded(self, how: str, x: Quotient, quantities: "Quantities") -> "Polynomial | str | None":
        """What floor, or floor-log2 or ceil-log2, is: an integer polynomial, or the name of a new integer that it is to be."""
        return None


class Quantities:
    """The numbers of one case; ``facts`` are polynomials that are >= 0 there."""

    def __init__(self, algebra: Algebra, hints: Hints, facts: list[Polynomial]) -> None:
        self.algebra, self.hints, self.facts = algebra, hints, facts

    @contextmanager
    def supposed(self) -> Iterator[None]:
        """Facts that are added within hold within."""
        known = len(self.facts)
        try:
            yield
        finally:
            del self.facts[known:]

    def know(self, fact: Polynomial) -> None:
        if fact not in self.facts:
            self.facts.append(fact)

    def sign(self, p: Polynomial) -> set[int]:
        if not p:
            return {0}
        self.algebra.limits.spend(len(p))
        found = coefficient_signs(p, self.algebra.powers)
        if len(found) > 1:
            found &= self.hints.sign(p, self.facts)
        return found - {0} if indivisible(p) else found

    def signs(self, x: Quotient) -> set[int]:
        below = self.sign(x.below)
        return {a * b for a in self.sign(x.above) for b in below}

    def divided(self, x: Quotient, y: Quotient) -> Quotient:
        if 0 in self.signs(y):
            raise Undecided("a divisor that may be 0")
        return self.algebra.multiply(x, self.algebra.inverse(y))

    def power(self, x: Quotient, exponent: Quotient) -> Quotient:
        algebra, e = self.algebra, self.algebra.whole(exponent)
        if is_constant(e):
            n = int(value_of(e))
            if abs(n) > MOST_DEGREE and not (is_constant(x.above) and is_constant(x.below)):
                raise Undecided("a power of a large degree")
            raised = Quotient(algebra.raised(x.above, abs(n)), algebra.raised(x.below, abs(n)))
            return algebra.reduced(*raised) if n >= 0 else self.divided(number(1), algebra.reduced(*raised))
        if not x.above and self.sign(e) == {1}:
            return number(0)
        if x.below != ONE or len(x.above) != 1 or any(atom not in algebra.powers for m in x.above for atom, _ in m):
            return self.opaque_power(x, e)
        ((monomial, c),) = x.above.items()
        found = self.alternating(e) if c < 0 else ONE
        for side, of in ((1, abs(c.numerator)), (-1, c.denominator)):
            for prime, times in prime_factors(of).items():
                found = algebra.times(found, algebra.power(prime, {m: k * side * times for m, k in e.items()}))
        for atom, degree in monomial:
            base, inner = algebra.powers[atom]
            found = algebra.times(found, algebra.power(base, algebra.times({inner: Fraction(degree)}, e)))
        return Quotient(found, ONE)

    def opaque_power(self, x: Quotient, e: Polynomial) -> Quotient:
        """A new integer P >= 0 as x**e - 1, for integers x >= 1 and e >= 0."""
        algebra, of = self.algebra, self.algebra.whole(x)
        if not self.sign(algebra.plus(of, ONE, -1)) <= AT_LEAST_0 or not self.sign(e) <= AT_LEAST_0:
            raise Undecided("a sum to a power that varies")
        name = self.hints.rounded("power", Quotient(of, e), self)
        if not isinstance(name, str):
            raise Undecided("a power that is not given")
        algebra.opaque[name] = algebra.within(of) | algebra.within(e)
        found = algebra.plus(variable(name), ONE)
        for monomial, c in sorted(of.items()):
            _, exponent = self.exponent(Quotient({monomial: Fraction(1)}, ONE)) or (0, {})
            if exponent and c >= 1:
                least = int(c).bit_length() - 1
                for more in (least, least - 1, least + 1):
                    between = algebra.plus(exponent, constant(more))
                    signs = self.sign(algebra.plus(algebra.power(2, between), of, -1))
                    side = 1 if signs <= AT_LEAST_0 else -1 if signs <= AT_MOST_0 else 0
                    if side:
                        self.know(algebra.plus({}, algebra.plus(algebra.power(2, algebra.times(between, e)), found, -1), side))
        return Quotient(found, ONE)

    def alternating(self, e: Polynomial) -> Polynomial:
        """(-1)**e, where all coefficients but the constant are even."""
        if any(c % 2 for monomial, c in e.items() if monomial):
            raise Undecided("a power of a negative number")
        return constant(-1 if value_of(e) % 2 else 1)

    def floor(self, x: Quotient) -> Quotient:
        if is_constant(x.above) and is_constant(x.below):
            return number(floor(value_of(x.above) / value_of(x.below)))
        if x.below == ONE:
            whole = {m: Fraction(floor(c)) for m, c in x.above.items() if floor(c) and all(e > 0 for _, e in m)}
            rest = self.algebra.plus(x.above, whole, -1)
            for d in (0, -1, 1, -2):
                if self.fits(Quotient(constant(d), ONE), Quotient(rest, ONE)):
                    return Quotient(self.algebra.plus(whole, constant(d)), ONE)
        given = self.hints.rounded("floor", x, self)
        if isinstance(given, str):
            return self.opaque_quotient(x, given)
        if given is None:
            raise Undecided("a floor that is not given")
        w = Quotient(given, ONE)
        self.algebra.whole(w)
        if self.fits(w, x):
            return w
        raise Undecided("a floor that is not the one given")

    def fits(self, floor_of: Quotient, x: Quotient) -> bool:
        """Whether an integer w is the floor of x: w <= x < w + 1."""
        above = self.algebra.add(self.algebra.add(floor_of, number(1)), x, -1)
        return self.signs(self.algebra.add(x, floor_of, -1)) <= AT_LEAST_0 and self.signs(above) == {1}

    def opaque_quotient(self, x: Quotient, name: str) -> Quotient:
        """A new integer q >= 0 with d·q <= n < d·(q + 1), for integers n >= 0 and d >= 1."""
        algebra, n, d, q = self.algebra, x.above, x.below, variable(name)
        algebra.whole(Quotient(n, ONE)), algebra.whole(Quotient(d, ONE))
        if self.sign(d) != {1} or not self.sign(n) <= AT_LEAST_0:
            raise Undecided("a quotient that is not seen to be positive")
        rest = algebra.plus(n, algebra.times(d, q), -1)
        algebra.opaque[name] = algebra.within(n) | algebra.within(d)
        self.know(rest)
        self.know(algebra.plus(algebra.plus(d, ONE, -1), rest, -1))
        least = value_of(d)
        if least >= 1 and self.sign(algebra.plus(d, constant(-least))) <= AT_LEAST_0:
            self.know(algebra.plus(n, q, -least))
        return Quotient(q, ONE)

    def logarithm(self, x: Quotient, how: str) -> Quotient:
        algebra, up = self.algebra, how == "ceil-log2"
        exact = self.exponent(x)
        if exact is not None:
            c, e = exact
            k = c.numerator.bit_length() - c.denominator.bit_length() - 1
            while Fraction(2) ** (k + 1) <= c:
                k += 1
            return Quotient(algebra.plus(e, constant(k + 1 if up and Fraction(2) ** k != c else k)), ONE)
        of = algebra.whole(x)
        if not self.sign(algebra.plus(of, ONE, -1)) <= AT_LEAST_0:
            raise Undecided("a logarithm of what may be less than 1")
        given = self.hints.rounded(how, x, self)
        if given is None:
            raise Undecided("a logarithm that is not given")
        e = variable(given) if isinstance(given, str) else algebra.whole(Quotient(given, ONE))
        power = algebra.power(2, e)
        if isinstance(given, str):
            algebra.opaque[given] = algebra.within(of)
            low, high = (of, algebra.plus({}, of, 2)) if up else (power, algebra.plus({}, power, 2))
            other = power if up else of
            self.know(algebra.plus(other, low, -1))
            self.know(algebra.plus(algebra.plus(high, other, -1), ONE, -1))
            return Quotient(e, ONE)
        half = algebra.plus({}, power, Fraction(1, 2))
        below, above = (half, power) if up else (power, algebra.plus({}, power, 2))
        first, second = self.sign(algebra.plus(of, below, -1)), self.sign(algebra.plus(above, of, -1))
        if (first == {1} and second <= AT_LEAST_0) if up else (first <= AT_LEAST_0 and second == {1}):
            return Quotient(e, ONE)
        raise Undecided("a logarithm that is not the one given")

    def exponent(self, x: Quotient) -> "tuple[Fraction, Polynomial] | None":
        """c and e with x = c·2**e, c > 0."""
        if x.below != ONE or len(x.above) != 1:
            return None
        ((monomial, c),) = x.above.items()
        if c <= 0 or any(self.algebra.powers.get(atom, (0,))[0] != 2 for atom, _ in monomial):
            return None
        e: Polynomial = {}
        for atom, degree in monomial:
            e = self.algebra.plus(e, {self.algebra.powers[atom][1]: Fraction(degree)})
        return c, e

    def exact_log2(self, x: Quotient) -> Quotient:
        exact = self.exponent(x)
        if exact is None or set(prime_factors(exact[0].numerator)) | set(prime_factors(exact[0].denominator)) > {2}:
            raise Undecided("a logarithm that is not seen to be an integer")
        c, e = exact
        k = c.numerator.bit_length() - c.denominator.bit_length()
        if Fraction(2) ** k != c:
            raise Undecided("a logarithm that is not seen to be an integer")
        return Quotient(self.algebra.plus(e, constant(k)), ONE)

    def extreme(self, wanted: int, *numbers: Quotient) -> Quotient:
        best, *others = numbers
        for other in others:
            signs = {wanted * s for s in self.signs(self.algebra.add(best, other, -1))}
            if not signs <= AT_LEAST_0 and not signs <= AT_MOST_0:
                raise Undecided("either number may be the larger one")
            best = best if signs <= AT_LEAST_0 else other
        return best

    def plain(self, x: Quotient) -> Fraction:
        if not (is_constant(x.above) and is_constant(x.below)):
            raise Undecided("a function of a number that varies")
        return value_of(x.above) / value_of(x.below)

    def integer(self, x: Quotient, low: int | None = None) -> int:
        value = self.plain(x)
        if value.denominator != 1 or (low is not None and value < low):
            raise Undecided("a function that has no value there")
        return int(value)

    def rational(self, x: Quotient, at: int, value: int) -> Quotient:
        """A function that is rational at one rational number only."""
        if self.plain(x) != at:
            raise Undecided("a value that is irrational")
        return number(value)

    def gcd(self, *numbers: Quotient) -> Quotient:
        first, *others = (self.algebra.whole(x) for x in numbers)
        for other in others:
            a, b = (first, other) if is_constant(other) else (other, first)
            if not is_constant(b) or not b:
                raise Undecided("a greatest common divisor of two numbers that vary")
            of = int(value_of(b))
            if any(c % of for monomial, c in a.items() if monomial):
                raise Undecided("a greatest common divisor that varies")
            first = constant(gcd(int(value_of(a)), of))
        return Quotient(first, ONE)

    def binomial(self, top: Quotient, bottom: Quotient) -> Quotient:
        algebra, n, k = self.algebra, self.algebra.whole(top), self.algebra.whole(bottom)
        if not self.sign(n) <= AT_LEAST_0 or not self.sign(k) <= AT_LEAST_0:
            raise Undecided("a binomial coefficient of what may be negative")
        for few in (k, algebra.plus(n, k, -1)):
            if is_constant(few) and 0 <= value_of(few) <= MOST_DEGREE:
                found, count = ONE, int(value_of(few))
                for i in range(count):
                    found = {m: c / (i + 1) for m, c in algebra.times(found, algebra.plus(n, constant(-i))).items()}
                return Quotient(found, ONE)
        raise Undecided("a binomial coefficient of two numbers that vary")

    def root(self, x: Quotient) -> Quotient:
        value = self.plain(x)
        above, below = isqrt(max(0, value.numerator)), isqrt(value.denominator)
        if Fraction(above, below) ** 2 != value:
            raise Undecided("a root that is not rational")
        return number(Fraction(above, below))

    def negative(self, x: Quotient) -> Quotient:
        return self.algebra.add(number(0), x, -1)

    def modulo(self, x: Quotient, y: Quotient) -> Quotient:
        return self.algebra.add(x, self.algebra.multiply(y, self.floor(self.divided(x, y))), -1)
