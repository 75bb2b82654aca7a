"""An oracle for fixed point: that some promised pair is answered wrongly, as one formula on bit-vectors for the solver Bitwuzla.

From the scalar definition the formula takes what each token adds and what the MLP answers to each value of the format; the running
sums, their rounding and the quotient are the formula's own. The source is *Every Bit Counts*, Definition A.7 and Section A.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby, pairwise, product
from typing import Any

import bitwuzla
import numpy as np

from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ZERO, Number, Special, less, sign
from verifier.arithmetic.rationals import Fraction
from verifier.networks.problems import Part
from verifier.transformers.table_traces import decide, evaluate
from verifier.transformers.tables import Execution

Term = Any
"""A term of the solver, a Boolean or a bit-vector in two's complement."""


class Terms:
    """Short names for the solver's terms. Bit-vectors of two widths are brought to the wider one, keeping the sign."""

    def __init__(self) -> None:
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
        assert machine.form.fixed_point
        self.terms, self.machine = Terms(), machine
        self.unit, self.digits = machine.form.unit, machine.form.precision
        self.largest = machine.form.top
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
        for k in range(1, self.machine.form.binades + 1):
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


Bound = tuple[Fraction, bool]
"""A rational, and whether a quotient equal to it lies above the bound."""
Run = tuple[Bound | None, Bound | None]
"""Between two bounds; None where there is none."""


def bounds(machine: Machine, values: Sequence[Fraction]) -> list[Bound]:
    """Between which exact quotients the rounded one is −inf, each of the ascending ``values``, inf: a bound below each but the first."""
    middles = [(a + b) / 2 for a, b in pairwise(values)]
    if machine.rule.rounding == "truncate":
        middles = [b if a >= 0 else a for a, b in pairwise(values)]
    found = [(x, _reaches(machine, x, value)) for x, value in zip(middles, values[1:], strict=True)]
    largest = values[-1]
    step = machine.form.spacing(largest)
    end = {"before": largest, "after": largest + (step if machine.rule.rounding == "truncate" else step / 2)}.get(machine.rule.overflow)
    if end is None:
        return found
    beyond = machine.round(end) is INF
    return [(-end, not beyond), *found, (end, beyond)]


def _reaches(machine: Machine, x: Fraction, value: Fraction) -> bool:
    return not less(machine.round(x), value)


class Answers:
    """The answer to every value that the attention's output can have, by the scalar definition, and the quotients that round to it."""

    def __init__(self, execution: Execution) -> None:
        values = list(execution.machine.form.values())
        between = bounds(execution.machine, values)
        outcomes: list[Number] = [*values] if len(between) < len(values) else [NEG_INF, *values, INF]
        self.edges: list[Bound | None] = [None, *between, None]
        self.answers = [decide(execution, x).answer for x in outcomes]

    def runs_without(self, expected: int) -> Iterator[Run]:
        """Where the exact quotient lies when the answer to the rounded one is not ``expected``."""
        for wrong, run in groupby(range(len(self.answers)), lambda k: self.answers[k] != expected):
            members = list(run)
            if wrong:
                yield self.edges[members[0]], self.edges[members[-1] + 1]


class Formula:
    """The negated claim on the input's variables ``y`` and ``z``."""

    def __init__(self, execution: Execution) -> None:
        self.execution, self.length = execution, execution.instance.m
        self.circuit, self.answers = Circuit(execution.machine), Answers(execution)
        self.terms: Terms = self.circuit.terms
        self.inputs = {name: self.terms.variable(name, self.length) for name in "yz"}
        top, bottom = self._sums()
        yes, no = self._wrong(top, bottom, 1), self._wrong(top, bottom, 0)
        self.negation = self.terms.all(self._promise(), self.terms.choose(self._value(), yes, no))

    def bit(self, string: str, index: int) -> Term:
        return self.terms.bit(self.inputs[string], self.length - index)

    def _sums(self) -> tuple[Symbol, Symbol | None]:
        """The numerator, and the denominator where there is one: each sum left to right."""
        execution, circuit = self.execution, self.circuit
        sums = [circuit.constant(ZERO)] * (execution.sums + 1)
        for token in execution.instance.tokens:
            found = [execution.term(token, k) for k in range(len(token.vectors))]
            bits = [self.bit(b.string, b.index) for b in token.reads]
            addends = [*zip(*(f.products for f in found), strict=True), tuple(f.weight for f in found)]
            for k, values in enumerate(addends):
                if any(value != ZERO for value in values):
                    sums[k] = circuit.add(sums[k], circuit.lookup(bits, values))
        top = sums[0]
        if execution.semantics.order == "ax":
            top = circuit.constant(ZERO)
            for column, each in zip(execution.columns, sums, strict=False):
                top = circuit.add(top, circuit.scale(each, execution.value_weights[column]))
        return top, sums[-1] if execution.normalised else None

    def _value(self) -> Term:
        """The function's value."""
        y, z = self.inputs["y"], self.inputs["z"]
        kinds = {"EQ": self.terms.kind.EQUAL, "GT": self.terms.kind.BV_UGT}
        return self.terms.both(kinds[self.execution.instance.problem.function], y, z)

    def _promise(self) -> Term:
        conditions = self.execution.instance.problem.conditions
        ordered = self.terms.both(self.terms.kind.BV_ULE, self.inputs["y"], self.inputs["z"]) if conditions.ordered else self.terms.true
        return self.terms.all(ordered, *(self._part(part) for part in conditions.parts))

    def _part(self, part: Part) -> Term:
        """The part as the runs of the contents that keep it."""
        t = self.terms
        places = [self.length - part.first, self.length - part.last]
        bits = t.manager.mk_term(t.kind.BV_EXTRACT, [self.inputs[part.string]], places)
        number = t.manager.mk_term(t.kind.BV_ZERO_EXTEND, [bits], [1])
        kept = part.contents()
        edges = np.flatnonzero(np.diff(kept, prepend=False, append=False)).reshape(-1, 2)
        runs = [t.all(t.at_most(t.number(int(low)), number), t.less(number, t.number(int(end)))) for low, end in edges]
        return t.any(*runs)

    def _wrong(self, top: Symbol, bottom: Symbol | None, expected: int) -> Term:
        """Where the answer to the rounded quotient is not ``expected``. A zero denominator has no sign; none is negative."""
        t, zero = self.terms, self.terms.number(0)
        special = {x: self._constant(x, expected) for x in (NAN, INF, NEG_INF, ZERO)}
        unit = Fraction(1)
        if bottom is None:
            unit, bottom = self.circuit.unit, Symbol(t.false, t.false, t.false, t.number(1))
        found = t.any(*(self._between(top.whole, bottom.whole, run, unit) for run in self.answers.runs_without(expected)))
        by_zero = t.choose(t.less(zero, top.whole), special[INF], t.choose(t.less(top.whole, zero), special[NEG_INF], special[NAN]))
        found = t.choose(bottom.above, special[ZERO], t.choose(t.equal(bottom.whole, zero), by_zero, found))
        found = t.choose(top.above, special[INF], t.choose(top.below, special[NEG_INF], found))
        nan = t.any(top.nan, bottom.nan, t.all(t.any(top.above, top.below), bottom.above))
        return t.choose(nan, special[NAN], found)

    def _between(self, top: Term, bottom: Term, run: Run, unit: Fraction) -> Term:
        """Whether top·unit/bottom lies in a run, for bottom > 0."""
        low, high = (self._above(top, bottom, bound, unit) for bound in run)
        return self.terms.all(self.terms.true if low is None else low, self.terms.true if high is None else self.terms.none(high))

    def _above(self, top: Term, bottom: Term, bound: Bound | None, unit: Fraction) -> Term | None:
        if bound is None:
            return None
        t, x = self.terms, bound[0] / unit
        sides = t.times(bottom, x.numerator), t.times(top, x.denominator)
        return t.at_most(*sides) if bound[1] else t.less(*sides)

    def _constant(self, attention: Number, expected: int) -> Term:
        answer = decide(self.execution, self.execution.machine.round(attention)).answer
        return self.terms.true if answer != expected else self.terms.false


def smallest_failure(execution: Execution) -> tuple[int, int] | None:
    """The first promised pair that is answered wrongly, y before z, bit by bit: a bit is 1 only where no failing pair has it 0."""
    formula = Formula(execution)
    terms, length = formula.terms, formula.length
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    solver = bitwuzla.Bitwuzla(terms.manager, options)
    solver.assert_formula(formula.negation)

    def model(*known: Term) -> tuple[int, int] | None:
        if solver.check_sat(*known) == bitwuzla.Result.UNSAT:
            return None
        y, z = (int(solver.get_value(formula.inputs[name]).value(10)) for name in "yz")
        return y, z

    known: list[Term] = []
    if (found := model()) is None:
        return None
    for place, index in product(range(2), range(1, length + 1)):
        bit = formula.bit("yz"[place], index)
        clear = terms.none(bit)
        if found[place] >> (length - index) & 1 and (smaller := model(*known, clear)) is not None:
            found = smaller
        known.append(bit if found[place] >> (length - index) & 1 else clear)
    assert not evaluate(execution, *found).correct
    return found
