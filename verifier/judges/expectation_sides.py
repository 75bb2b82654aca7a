"""Both sides of an expectation at one point, as polynomials in the entries and the free numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product, repeat

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Claim
from verifier.judges.fields import Expectation, members
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.language.polynomials import NoPolynomialError, Polynomial, Ring, Unknown, value
from verifier.language.syntax import calls_in, names_in
from verifier.running.errors import InputError

MOST_ENTRIES = 4000
TRIED = (Fraction(1), Fraction(-1), Fraction(2), Fraction(-2))
"""What an entry is tried at, besides 0, where the sides are not polynomials in it."""


class Sides:
    """Both sides of a claim at one point: the expected value and the closed form, for each assignment of the names of ``each``."""

    def __init__(self, claim: Claim, fields: Expectation, parameters: Mapping[str, Fraction]) -> None:
        self.fields, self.parameters = fields, parameters
        self.of, self.is_ = (inlined_text(text, claim.lets) for text in (fields.of, fields.is_))
        self.ends = {name: _ends(name, text) for name, text in fields.uniform.items()}
        self.positive = {end for _, end in self.ends.values()}
        self.unknowns = list(self._unknowns())
        self.ring = Ring(self.unknowns, self.positive)

    def _unknowns(self) -> Iterator[Unknown]:
        """Every entry that a formula can name, and the free numbers."""
        most = int(max(self.parameters.values(), default=Fraction(1)))
        matrices = sorted({name for side in (self.of, self.is_) for name, _ in calls_in(side)})
        if len(matrices) * most**2 > MOST_ENTRIES:
            raise NoPolynomialError(f"{len(matrices) * most**2:,} entries, at most {MOST_ENTRIES:,} are unknowns of one polynomial")
        numbers = (names_in(self.of) | names_in(self.is_)) - self.parameters.keys() - self.fields.each.keys()
        yield from (Unknown(name) for name in sorted(numbers | self.positive))
        places = range(1, most + 1)
        yield from (Unknown(name, (row, column)) for name in matrices for row in places for column in places)

    def assignments(self) -> Iterator[dict[str, Fraction]]:
        ranges = []
        for text in self.fields.each.values():
            first, last = (exact.integer(end, self.parameters) for end in members(text))
            ranges.append(range(first, last + 1))
        for values in product(*ranges):
            yield dict(zip(self.fields.each, map(Fraction, values), strict=True))

    def at(self, names: Mapping[str, Fraction], given: Mapping[Unknown, Fraction] | None = None) -> tuple[Polynomial, Polynomial]:
        """Both sides, as polynomials in what is not ``given``."""
        numbers = {**self.parameters, **names}
        of, is_ = (self.ring.polynomial(side, numbers, given) for side in (self.of, self.is_))
        return self.expected(of), self.ring.normal(is_)

    def few(self, most: int) -> Iterator[dict[Unknown, Fraction]]:
        """Values for every fixed entry, at most so many of them other than 0; the fewest first."""
        fixed = [u for u in self.unknowns if u.place is not None and u.name not in self.ends]
        for many in range(most + 1):
            for chosen in combinations(fixed, many):
                for values in product(TRIED, repeat=many):
                    yield {**dict.fromkeys(fixed, Fraction(0)), **dict(zip(chosen, values, strict=True))}

    def expected(self, polynomial: Polynomial) -> Polynomial:
        """The expected value, term by term: entries are independent.

        Uniform between −r and r, x^a |x|^b has the expected value r^(a+b)/(a+b+1) for even a and 0 for odd a; between 0 and r the first.
        """
        found = self.ring.constant(Fraction(0))
        for coefficient, powers in self.ring.terms(polynomial):
            kept = {u: power for u, power in powers.items() if u.name not in self.ends}
            entries = {Unknown(u.name, u.place) for u in powers if u.name in self.ends}
            for entry in entries:
                signed, whole = powers.get(entry, 0), powers.get(Unknown(entry.name, entry.place, True), 0)
                symmetric, end = self.ends[entry.name]
                if symmetric and signed % 2:
                    coefficient = Fraction(0)
                coefficient /= signed + whole + 1
                kept[Unknown(end)] = kept.get(Unknown(end), 0) + signed + whole
            found += self.ring.product(coefficient, kept)
        return found

    def counterexample(
        self, names: Mapping[str, Fraction], left: Polynomial, right: Polynomial, given: Mapping[Unknown, Fraction] | None = None
    ) -> dict[str, str]:
        """The smallest values at which the sides differ: fewest entries that are not 0, then in order; beside those ``given``.

        A polynomial in x and |x| of a degree d that is 0 at 0, 1, −1, …, d, −d is 0; one in r > 0 is if it is so at 1, …, d + 1.
        """
        terms = [powers for side in (left, right) for _, powers in self.ring.terms(side)]
        degree = max(sum(powers.values()) for powers in terms)
        used = {Unknown(u.name, u.place) for powers in terms for u in powers}
        entries = [u for u in self.unknowns if u in used and u.name not in self.positive]
        ends = [Unknown(name) for name in sorted(self.positive)]
        whole = [Fraction(size) for size in range(1, degree + 2)]
        tried = [x for size in whole[:-1] for x in (size, -size)]
        for many in range(len(entries) + 1):
            for chosen in combinations(entries, many):
                for values in product(*repeat(tried, many), *repeat(whole, len(ends))):
                    at = dict(zip((*chosen, *ends), values, strict=True))
                    sides = value(self.ring, left, at), value(self.ring, right, at)
                    if sides[0] != sides[1]:
                        values_of = {**(given or {}), **dict.fromkeys(entries, Fraction(0)), **at}
                        shown = {**names, **{str(u): x for u, x in values_of.items() if u in self.ring.asked or u in ends}}
                        return {k: str(v) for k, v in (shown | {"expected": sides[0], "claimed": sides[1]}).items()}
        raise AssertionError("two polynomials differ and have equal values everywhere")


def _ends(name: str, text: str) -> tuple[bool, str]:
    """``-r .. r`` as (True, r), ``0 .. r`` as (False, r).

    Raises:
        InputError: anything else.
    """
    low, _, high = (part.strip() for part in text.partition(".."))
    if not high.isidentifier() or low not in ("0", f"-{high}"):
        raise InputError(f"uniform {name} = {text!r}; 0 .. r or -r .. r was expected")
    return low != "0", high
