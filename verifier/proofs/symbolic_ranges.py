"""Sums, extremes and quantifiers over the ranges of bound names.

A range is written out where it has few values; else its bound name is first + i with an integer i, 0 ≤ i ≤ count − 1. No closed form is
used before count ≥ 0 is shown, and what is read under i ≤ count − 1 is forgotten afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from verifier.language.tree import Node, Ranged
from verifier.proofs.certificate import TRUE, Asked, Judgement, Line, above, conjunction, count, denied, listed
from verifier.proofs.nonnegative import Expr, Quantities, Symbol, Unread
from verifier.proofs.rational_numbers import sympy
from verifier.proofs.signs import borders, sign

MOST_DEGREE = 12
"""The degree of a term in the bound name."""


class Reader(Protocol):
    """Formulas over named expressions, read as symbols in one case. ``lines``: what was shown for it on the way."""

    quantities: Quantities
    names: dict[str, Expr]
    lines: list[Line]

    def where(self, name: str, value: Expr) -> Reader:
        """The reading for which one more name has a value."""

    def number(self, node: Node) -> Expr:
        """The value of a formula."""

    def decided(self, test: Node) -> bool:
        """A condition that must be decided before something else is read."""

    def truth(self, node: Node) -> Judgement:
        """Whether a condition holds for all slacks."""

    def in_turn(self, parts: Sequence[Node], op: str) -> list[Asked]:
        """The parts of a conjunction (disjunction), each asked where those before it hold (fail)."""

    def supposing(self, given: Sequence[Node], asked: Node) -> Judgement:
        """Whether a condition holds for all slacks for which the given ones do."""


def antidifference(degree: int, ratio: Expr, index: Symbol) -> Expr:
    """P with ratio·P(i + 1) − P(i) = i^degree, for a rational ratio ≠ 0."""
    same = ratio == 1
    top = degree + 1 if same else degree
    known: dict[int, Expr] = {0: sympy.Integer(0)} if same else {}
    for power in range(degree, -1, -1):
        # The coefficient of i^power: (ratio − 1)·p_power + ratio·Σ_{k > power} C(k, power)·p_k = [power = degree].
        rest = ratio * sympy.Add(*(sympy.binomial(k, power) * known[k] for k in known if k > power + same))
        wanted = sympy.Integer(int(power == degree)) - rest
        known[power + same] = wanted / (ratio * (power + 1)) if same else wanted / (ratio - 1)
    found = sympy.Add(*(known[k] * index**k for k in range(top + 1)))
    assert sympy.expand(ratio * found.subs(index, index + 1) - found - index**degree) == 0
    return found


def closed_sum(term: Expr, index: Symbol, count: Expr, quantities: Quantities) -> Expr | None:
    """Σ_{i=0}^{count−1} term, for count ≥ 0 an integer polynomial in slacks.

    None where the term has another form, or a divisor that may be 0.
    """
    powers = quantities.powers_with(index, term)
    if any(quantities.powers[s][1] != index for s in powers):
        return None  # 2^(i·k): the ratio of neighbouring terms is not a number
    numerator, denominator = sympy.fraction(quantities.cancel(term))
    below = sympy.Poly(denominator, index, *powers)
    if len(below.terms()) != 1 or below.degree(index) > 0:
        return None
    shift, divisor = below.terms()[0]
    if 0 in sign(divisor, quantities).signs:
        return None
    total = sympy.Integer(0)
    for degrees, coefficient in sympy.Poly(numerator, index, *powers).terms():
        if degrees[0] > MOST_DEGREE:
            return None
        exponents = [up - down for up, down in zip(degrees[1:], shift[1:], strict=True)]
        bases = [sympy.Integer(quantities.powers[s][0]) for s in powers]
        ratio = sympy.Mul(*(b**e for b, e in zip(bases, exponents, strict=True)))
        found = antidifference(degrees[0], ratio, index)
        last = sympy.Mul(*(quantities.power(b, e * count) for b, e in zip(bases, exponents, strict=True)))
        total += coefficient / divisor * (last * found.subs(index, count) - found.subs(index, 0))
    return quantities.cancel(total)


MOST_TERMS = 64
"""Values of a bound name that are written out."""
MOST_APART = 2
"""Terms of a sum that are taken out of it."""


@dataclass(frozen=True)
class Range:
    """The values of a bound name: ``count`` from ``first`` on, which may come out negative; ``tests`` select among them.

    ``apart``: how many values of the formula's range come before them.
    """

    terms: Ranged
    reader: Reader
    first: Expr
    count: Expr
    apart: int = 0

    @staticmethod
    def of(terms: Ranged, reader: Reader) -> Range:
        if terms.name in reader.names:
            raise Unread(f"{listed(terms)} binds {terms.name} twice")
        first, last = (reader.quantities.whole(reader.number(end)) for end in terms.ends)
        return Range(terms, reader, first, reader.quantities.expand(last - first + 1))

    @property
    def tests(self) -> Sequence[Node]:
        return self.terms.tests

    @property
    def few(self) -> bool:
        """Whether the values can be written out."""
        return bool(self.count.is_Integer and self.count <= MOST_TERMS)

    def without_first(self) -> Range | None:
        """The range from its second value on, where it is seen to have a first one."""
        rest = self.reader.quantities.expand(self.count - 1)
        form = sign(rest, self.reader.quantities, frozenset({0, 1}))
        return replace(self, first=self.first + 1, count=rest, apart=self.apart + 1) if form.signs <= {0, 1} else None

    def signs(self) -> frozenset[int]:
        """The signs that the count can have; a line of the certificate where these are not all three."""
        form = sign(self.count, self.reader.quantities)
        if form.signs <= {0, 1} or form.signs <= {-1, 0}:
            self.reader.lines.append(Line(count(*self.terms.ends, self.apart), form))
        return form.signs

    def unknown(self) -> Unread:
        quantities = self.reader.quantities
        return Unread(f"a range of {quantities.shown(self.count)} values, which may be negative", borders(self.count, quantities))

    def at(self, value: Expr) -> Reader:
        """The reader for which the bound name has this value."""
        return self.reader.where(self.terms.name, value)

    def each(self) -> list[Reader]:
        return [self.at(self.first + i) for i in range(int(self.count))]

    @contextmanager
    def general(self, count: Expr) -> Iterator[tuple[Symbol, Reader]]:
        """i with 0 ≤ i ≤ count − 1, and the reader for which the bound name is first + i."""
        quantities = self.reader.quantities
        index = quantities.slack(above(self.terms.name, self.first, quantities), self.first, "i")
        with quantities.supposed():
            quantities.assume(count - 1 - index)
            yield index, self.at(self.first + index)


def total(terms: Ranged, reader: Reader, rest: Range | None = None) -> Expr:
    """A sum over a range, or over the ``rest`` of it where the first terms are not of the form that the others have.

    Raises:
        Unread: its terms have no closed form, or their number may be negative.
    """
    over = rest or Range.of(terms, reader)
    if over.few:
        values = [inside.number(terms.body) for inside in over.each() if all(map(inside.decided, over.tests))]
        return reader.quantities.expand(sympy.Add(*values))
    signs = over.signs()
    if signs <= {-1, 0}:
        return sympy.Integer(0)
    if not signs <= {0, 1}:
        raise over.unknown()
    known = len(reader.lines)
    try:
        with over.general(over.count) as (index, inside):
            term = None if over.tests else inside.number(terms.body)
    except Unread:
        rest = None if over.apart == MOST_APART else over.without_first()
        if rest is None:
            raise
        del reader.lines[known:]
        first = over.at(over.first)
        taken = first.number(terms.body) if all(map(first.decided, over.tests)) else sympy.Integer(0)
        return reader.quantities.expand(taken + total(terms, reader, rest))
    # A divisor that is known to be nonzero for the terms only may be 0 where there are none.
    found = None if term is None else closed_sum(term, index, over.count, reader.quantities)
    if found is None:
        raise Unread(f"{listed(terms)} has no closed form here", borders(over.count, reader.quantities))
    return found


def end(terms: Ranged, reader: Reader, greatest: bool) -> Expr:
    """The least or greatest of the terms over a range, where they rise or fall throughout: that of one of its ends."""
    over = Range.of(terms, reader)
    if over.signs() != {1} or over.tests:
        raise Unread(f"{listed(terms)} may have no term", borders(over.count, reader.quantities))
    with over.general(over.count - 1) as (index, inside):
        step = over.at(over.first + index + 1).number(terms.body) - inside.number(terms.body)
        signs = sign(step, reader.quantities).signs
    if not signs <= {0, 1} and not signs <= {-1, 0}:
        raise Unread(f"{listed(terms)} neither rises nor falls throughout", borders(step, reader.quantities))
    last = (signs <= {0, 1}) == greatest
    return over.at(over.first + over.count - 1 if last else over.first).number(terms.body)


def every(terms: Ranged, reader: Reader, negated: bool = False) -> Judgement:
    """Whether a condition, or its negation, holds for all values of a range that pass its tests."""
    over = Range.of(terms, reader)

    def holds(inside: Reader) -> Judgement:
        def fails() -> Judgement:
            found = inside.supposing(over.tests, terms.body)
            return found if negated else denied(found)

        return denied(conjunction([*inside.in_turn(over.tests, "and"), fails]))

    if over.few:
        return conjunction([partial(holds, inside) for inside in over.each()])
    signs = over.signs()
    if signs <= {-1, 0}:
        return TRUE
    with over.general(over.count) as (_, inside):
        found = holds(inside)
    if signs != {1}:
        unknown = str(over.unknown())
        return Judgement(None, (), unknown, borders(over.count, reader.quantities)) if found.value is False else found
    if found.value is None:
        for value in (over.first, over.first + over.count - 1):
            at_end = holds(over.at(value))
            if at_end.value is False:
                return at_end
    return found
