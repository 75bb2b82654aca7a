"""A second opinion: the negated claim, that some promised pair is answered wrongly, as one formula on bit-vectors for an SMT solver.

From the scalar definition the formula takes what each token adds and what the MLP answers to each value of the format; the running
sums, their rounding and the quotient are the formula's own (:mod:`verifier.engines.bitvectors`). A solver counts no failures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise, product

import numpy as np

from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ZERO, Number, less
from verifier.arithmetic.rationals import Fraction
from verifier.engines.bitvectors import Circuit, Symbol, Term, Terms
from verifier.engines.failure_counts import Solved
from verifier.networks.evaluate import decide, evaluate
from verifier.networks.execution import Execution
from verifier.networks.problems import Part
from verifier.running.errors import InputError, LimitError

DEFAULT_LIMIT = 1 << 31
STATES_PER_TURN = 64
"""The solver visits no states; it asks at every turn of its search whether to go on, and gets a turn for each 64 that the limit allows."""
MOST_BITS = 16
"""The formula asks the scalar definition for the answer to each of the (p+1)·2^p values; beyond this that takes minutes."""
Advance = Callable[[int, int], None]


def solve(execution: Execution, limit: int = DEFAULT_LIMIT, advance: Advance = lambda done, total: None) -> Solved:
    """Whether some promised pair is answered wrongly, and the smallest such pair.

    Raises:
        InputError: floating point, or the extra ``smt`` is missing.
        LimitError: the solver did not come to an end, or numbers too wide to tabulate.
        ValueError: an ill-formed instance.
    """
    instance, problem = execution.instance, execution.instance.problem
    if instance.defects:
        raise ValueError(f"{instance.id} is ill-formed: {instance.defects[0]}")
    if not isinstance(instance.precision, int):
        raise InputError("--method smt encodes fixed point only; --method enumerate can decide floating point")
    if instance.precision > MOST_BITS:
        raise LimitError(f"the SMT formula tabulates the answer to every value of {instance.precision} bits", "a smaller --p")
    cases = problem.pairs()
    if not cases:
        raise ValueError(f"no pair of length {instance.m} keeps the promise {problem.promise}")
    formula = Formula(execution)
    advance(0, 2 * instance.m + 1)
    pair = Search(formula, limit).smallest(lambda done: advance(done, 2 * instance.m + 1))
    if pair is not None and evaluate(execution, *pair).correct:
        raise AssertionError(f"{instance.id}: the solver's pair {pair} is answered correctly; the encoding is wrong")
    return Solved(cases, pair, "smt", "bit-vectors, Bitwuzla")


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
        return top, sums[-1] if execution.kernel.normalised else None

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
        if part.last - part.first >= MOST_BITS:
            raise LimitError(f"the SMT formula tabulates {part.formula} over 2^{part.last - part.first + 1} contents", "a smaller --p")
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


class Search:
    """The solver on one formula, each check within so many turns: as many on every machine."""

    def __init__(self, formula: Formula, limit: int) -> None:
        import bitwuzla

        self.formula, self.turns, self.taken = formula, max(1, limit // STATES_PER_TURN), 0
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        self.results = bitwuzla.Result
        self.solver = bitwuzla.Bitwuzla(formula.terms.manager, options)
        self.solver.configure_terminator(self._ends)
        self.solver.assert_formula(formula.negation)

    def _ends(self) -> bool:
        self.taken += 1
        return self.taken > self.turns

    def model(self, *known: Term) -> tuple[int, int] | None:
        """A failing pair that has these bits.

        Raises:
            LimitError: neither found nor excluded in so many turns.
        """
        self.taken = 0
        result = self.solver.check_sat(*known)
        if result == self.results.UNKNOWN:
            turns = f"{self.turns:,} turn{'s' * (self.turns > 1)} of its search"
            raise LimitError(f"the SMT solver came to no end within {turns}, one for each {STATES_PER_TURN} of the limit", "--limit")
        if result == self.results.UNSAT:
            return None
        y, z = (int(self.solver.get_value(self.formula.inputs[name]).value(10)) for name in "yz")
        return y, z

    def smallest(self, advance: Callable[[int], None]) -> tuple[int, int] | None:
        """The first failing pair, y before z, bit by bit: a bit is 1 only where no failing pair has it 0."""
        found = self.model()
        advance(1)
        if found is None:
            return None
        terms, length = self.formula.terms, self.formula.length
        known: list[Term] = []
        for done, (place, index) in enumerate(product(range(2), range(1, length + 1)), 2):
            bit = self.formula.bit("yz"[place], index)
            clear = terms.none(bit)
            if found[place] >> (length - index) & 1 and (smaller := self.model(*known, clear)) is not None:
                found = smaller
            known.append(bit if found[place] >> (length - index) & 1 else clear)
            advance(done)
        return found
