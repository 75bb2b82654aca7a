"""Bounded-precision arithmetic as bit-vector terms: fixed-point numbers with flags for NaN and the infinities, sums, weights, rounding.

It shares no code with the vectorised machine: :mod:`verifier.engines.smt` is a second opinion. The source is the same, *Every Bit
Counts*, Definition A.7 and Section A.3, and so is the measure: :mod:`verifier.arithmetic.machine`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from verifier.arithmetic.formats import FreePoint, Grid
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, Special, sign
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError

Term = Any
"""A term of the solver, a Boolean or a bit-vector in two's complement."""


class Terms:
    """Short names for the solver's terms. Bit-vectors of two widths are brought to the wider one, keeping the sign."""

    def __init__(self) -> None:
        try:
            import bitwuzla
        except ImportError:
            raise InputError("--method smt needs Bitwuzla: pip install 'bitreferee[smt]'") from None
        self.kind = bitwuzla.Kind
        self.manager = bitwuzla.TermManager()
        self.false, self.true = self.manager.mk_false(), self.manager.mk_true()

    def variable(self, name: str, width: int) -> Term:
        return self.manager.mk_const(self.manager.mk_bv_sort(width), name)

    def number(self, value: int) -> Term:
        """A signed constant, as narrow as it can be."""
        width = value.bit_length() + 1
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(width), value % (1 << width))

    def width(self, x: Term) -> int:
        return int(x.sort().bv_size())

    def wide(self, x: Term, width: int) -> Term:
        """At least so wide: a number may be held in more bits than it needs."""
        missing = width - self.width(x)
        return self.manager.mk_term(self.kind.BV_SIGN_EXTEND, [x], [missing]) if missing > 0 else x

    def both(self, kind: Any, x: Term, y: Term, width: int = 0) -> Term:
        """``kind`` of two bit-vectors, at least so wide."""
        width = max(width, self.width(x), self.width(y))
        return self.manager.mk_term(kind, [self.wide(x, width), self.wide(y, width)])

    def any(self, *terms: Term) -> Term:
        return reduce(lambda a, b: self.manager.mk_term(self.kind.OR, [a, b]), terms, self.false)

    def all(self, *terms: Term) -> Term:
        return reduce(lambda a, b: self.manager.mk_term(self.kind.AND, [a, b]), terms, self.true)

    def none(self, *terms: Term) -> Term:
        return self.manager.mk_term(self.kind.NOT, [self.any(*terms)])

    def choose(self, condition: Term, then: Term, otherwise: Term) -> Term:
        if then.sort().is_bv():
            width = max(self.width(then), self.width(otherwise))
            then, otherwise = self.wide(then, width), self.wide(otherwise, width)
        return self.manager.mk_term(self.kind.ITE, [condition, then, otherwise])

    def less(self, x: Term, y: Term) -> Term:
        return self.both(self.kind.BV_SLT, x, y)

    def at_most(self, x: Term, y: Term) -> Term:
        return self.both(self.kind.BV_SLE, x, y)

    def equal(self, x: Term, y: Term) -> Term:
        return self.both(self.kind.EQUAL, x, y)

    def plus(self, x: Term, y: Term) -> Term:
        return self.both(self.kind.BV_ADD, x, y, 1 + max(self.width(x), self.width(y)))

    def times(self, x: Term, factor: int) -> Term:
        constant = self.number(factor)
        return self.both(self.kind.BV_MUL, x, constant, self.width(x) + self.width(constant))

    def negative(self, x: Term) -> Term:
        return self.manager.mk_term(self.kind.BV_NEG, [self.wide(x, self.width(x) + 1)])

    def low(self, x: Term, width: int) -> Term:
        """The same number in ``width`` bits, where it fits."""
        narrow = self.width(x) > width
        return self.manager.mk_term(self.kind.BV_EXTRACT, [x], [width - 1, 0]) if narrow else self.wide(x, width)

    def bit(self, x: Term, place: int) -> Term:
        """Whether the bit worth 2^place is set."""
        one = self.manager.mk_bv_value(self.manager.mk_bv_sort(1), 1)
        return self.manager.mk_term(self.kind.EQUAL, [self.manager.mk_term(self.kind.BV_EXTRACT, [x], [place, place]), one])


@dataclass(frozen=True)
class Symbol:
    """A value that depends on the input: ``whole`` units of the format unless a flag holds; at most one flag does."""

    nan: Term
    above: Term
    below: Term
    whole: Term


class Circuit:
    """The operations of one machine on symbols; every one is exact, then rounded once."""

    def __init__(self, machine: Machine) -> None:
        assert isinstance(machine.form, FreePoint | Grid)
        self.terms, self.machine = Terms(), machine
        self.unit, self.digits = machine.form.unit, machine.form.bits - 1
        self.largest = int(machine.form.largest / self.unit)
        self.width = self.largest.bit_length() + 1

    def constant(self, value: Number) -> Symbol:
        t = self.terms
        nan, above, below = (t.true if value is each else t.false for each in (NAN, INF, NEG_INF))
        units = Fraction(0) if isinstance(value, Special) else value / self.unit
        assert units.denominator == 1, f"{value} is not a value of the format"
        return Symbol(nan, above, below, t.wide(t.number(int(units)), self.width))

    def lookup(self, bits: Sequence[Term], values: Sequence[Number]) -> Symbol:
        """The entry of a table of 2^k values that k bits select, the first bit most significant."""
        if len(set(values)) == 1:
            return self.constant(values[0])
        half = len(values) // 2
        clear, set_ = self.lookup(bits[1:], values[:half]), self.lookup(bits[1:], values[half:])
        choose = self.terms.choose
        return Symbol(*(choose(bits[0], getattr(set_, f), getattr(clear, f)) for f in ("nan", "above", "below", "whole")))

    def add(self, x: Symbol, y: Symbol) -> Symbol:
        t = self.terms
        above, below = t.any(x.above, y.above), t.any(x.below, y.below)
        nan = t.any(x.nan, y.nan, t.all(above, below))
        return self.rounded(nan, above, below, t.plus(x.whole, y.whole), 1)

    def scale(self, x: Symbol, weight: Number) -> Symbol:
        """x times a constant."""
        t = self.terms
        infinite = t.any(x.above, x.below)
        if weight is NAN:
            return self.constant(NAN)
        if isinstance(weight, Special):
            up = t.any(x.above, t.all(t.none(infinite), t.less(t.number(0), x.whole)))
            down = t.any(x.below, t.all(t.none(infinite), t.less(x.whole, t.number(0))))
            above, below = (up, down) if weight is INF else (down, up)
            return self.rounded(t.none(up, down), above, below, t.number(0), 1)
        if weight == 1:
            return x
        if weight == 0:
            return self.rounded(t.any(x.nan, infinite), t.false, t.false, t.number(0), 1)
        above, below = (x.above, x.below) if sign(weight) > 0 else (x.below, x.above)
        return self.rounded(x.nan, above, below, t.times(x.whole, weight.numerator), weight.denominator)

    def rounded(self, nan: Term, above: Term, below: Term, top: Term, bottom: int) -> Symbol:
        """What has these flags (NaN first), else top/bottom units, as a value of the format."""
        t, rule = self.terms, self.machine.rule
        minus = t.less(top, t.number(0))
        units, rest = self._divided(t.choose(minus, t.negative(top), top), bottom)
        size = self._nearest(units, rest, bottom)
        judged = t.less(t.number(self.largest), size)
        if rule.overflow == "before":
            judged = t.any(t.less(t.number(self.largest), units), t.all(t.equal(units, t.number(self.largest)), t.less(t.number(0), rest)))
        above = t.all(t.none(nan), above)
        below = t.all(t.none(nan), below)
        finite = t.none(nan, above, below)
        if rule.overflow == "saturate":
            size = t.choose(judged, t.number(self.largest), size)
        else:
            above = t.any(above, t.all(finite, judged, t.none(minus)))
            below = t.any(below, t.all(finite, judged, minus))
        whole = t.choose(minus, t.negative(size), size)
        if rule.overflow == "saturate":
            whole = t.choose(above, t.number(self.largest), t.choose(below, t.number(-self.largest), whole))
            above = below = t.false
        return Symbol(nan, above, below, t.low(whole, self.width))

    def _divided(self, size: Term, bottom: int) -> tuple[Term, Term]:
        """Quotient and remainder of a term that is not negative."""
        t = self.terms
        if bottom == 1:
            return size, t.number(0)
        divisor = t.number(bottom)
        return t.both(t.kind.BV_UDIV, size, divisor), t.both(t.kind.BV_UREM, size, divisor)

    def _nearest(self, units: Term, rest: Term, bottom: int) -> Term:
        """units + rest/bottom ≥ 0 rounded to the spacing of its binade: 2^k units from 2^(digits+k−1) on."""
        t = self.terms
        found = self._to_multiple(units, rest, bottom, 0)
        if isinstance(self.machine.form, FreePoint):
            for k in range(1, self.digits + 1):
                if self.digits + k <= t.width(units):
                    coarse = t.at_most(t.number(1 << self.digits + k - 1), units)
                    found = t.choose(coarse, self._to_multiple(units, rest, bottom, k), found)
        return found

    def _to_multiple(self, units: Term, rest: Term, bottom: int, k: int) -> Term:
        """Rounded to a multiple of 2^k units."""
        t, rule = self.terms, self.machine.rule
        step = t.number(1 << k)
        behind = t.both(t.kind.BV_AND, units, t.number((1 << k) - 1))
        below = t.both(t.kind.BV_SUB, units, behind)
        if rule.rounding == "truncate" or (k == 0 and bottom == 1):
            return below
        twice = t.times(t.plus(t.times(behind, bottom), rest), 2)
        middle = t.number(bottom << k)
        odd = t.bit(t.wide(units, k + 1), k)
        tie_up = {"zero": t.false, "even": odd, "away": t.true}[rule.ties]
        up = t.any(t.less(middle, twice), t.all(t.equal(middle, twice), tie_up))
        return t.choose(up, t.plus(below, step), below)
