"""Judge an intermediate claim of a proof: the value of a partial numerator or denominator, on every input that it covers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, reduce

import numpy as np

from verifier.arithmetic.arrays import States
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Outcome, Scope
from verifier.engines.program import DENOMINATOR, Program
from verifier.judges.evaluation import supplied
from verifier.judges.fields import PartialSum
from verifier.judges.pair_classes import ComparedHalves, Judged, PairClasses
from verifier.judges.strings import Condition, Halves, Names, positions
from verifier.judges.tables import well_formed
from verifier.judges.wording import contradicted, failing, held, located
from verifier.networks.instance import Instance
from verifier.networks.instantiate import names_at
from verifier.running.errors import LimitError
from verifier.running.limits import Limits
from verifier.transformers.tables import Execution

FEW_CLASSES = 1 << 18
"""Up to so many classes of pairs are gone through one by one in any case."""


@by_edition
def judge(query: Query, fields: PartialSum) -> Outcome:
    """Judge the condition on the edition's table, for every pair of contents of the positions that the promise allows."""
    prepared = well_formed(query)
    if isinstance(prepared, Outcome):
        return prepared
    execution, witness = prepared
    instance = execution.instance
    names = {**table_names(query, instance), "applied": applied(execution)}
    halves = Halves(instance.problem, *positions(fields.over, names))
    if halves.width < 1:
        return declined(f"there are no positions {fields.over} {query.at}")
    if fields.of == "column" and execution.sums > 1:
        return declined(f"W^V uses {execution.sums} columns; of = column is about one")
    first, last = steps(fields.steps)
    program = _program(execution, first, last)
    others = _other_positions(program, fields.of, range(halves.first, halves.last + 1))
    if others:
        return declined(f"the {fields.of} also depends on positions {others}; it is judged only on {halves.first} … {halves.last}")
    says = fields.holds or f"v == {fields.is_}"
    functions, lets = supplied(query.claim.functions), query.claim.lets
    holds = Condition.of(says, lets, halves, names, functions)
    when = None if fields.when is None else Condition.of(fields.when, lets, halves, names, functions)
    names_of_sums = tuple(_sums(program, fields.of))
    found = judged(PairClasses(halves, program, names_of_sums, _value(program, fields.of), holds, when), query.limits)
    at = located(instance)
    speaks = f" with {fields.when}" if fields.when else ""
    if not found.cases:
        return declined(f"no pairs of y[{fields.over}] and z[{fields.over}]{speaks} at {at}")
    scope = Scope(f"all {found.cases:,} pairs of y[{fields.over}] and z[{fields.over}]{speaks} at {at}: {says}", found.cases, found.method)
    if not found.failures:
        return held(execution, scope, witness, execution.unrepresentable_in_sums(range(first, last + 1), fields.of != "denominator"))
    if found.first is None:  # nobody asked for it
        return failing(scope, witness, found.failures)
    pair = halves.smallest(found.first, found.row)
    y, z = (int(halves.content(np.array(x))) for x in pair)
    value = program.lattice.decode(found.state(y, z))
    subject = f"the {fields.of} of {f'steps {first}–{last}' if first != last else f'step {first}'}"
    return contradicted(query, execution, scope, witness, pair, value, subject, fields.is_ or says, found.failures)


def judged(classes: PairClasses, limits: Limits) -> Judged:
    """The pairs, judged by the suitable engine: class by class, or for many classes by reachable sets if these apply.

    Raises:
        LimitError: more work than ``limit``.
    """
    if classes.count > FEW_CLASSES and (compared := ComparedHalves.of(classes, limits.states)) is not None:
        return compared.judged(limits.smallest)
    if classes.count > limits.states:
        raise LimitError(f"{classes.count:,} pairs of halves, the limit is {limits.states:,}", "--limit")
    return classes.judged()


def table_names(query: Query, instance: Instance) -> Names:
    """The parameters and the table's derived quantities, for formulas."""
    assert query.claim.table is not None
    return names_at(query.claim.table.source.file, instance.parameters)


def applied(execution: Execution) -> Fraction:
    """The weight that the sum of the one column used by W^V already contains: 1 if columns are summed, else the entry of W^V."""
    if execution.semantics.order == "ax" or not execution.columns:
        return Fraction(1)
    weight = execution.value_weights[execution.columns[0]]
    return weight if isinstance(weight, Fraction) else Fraction(1)


def steps(text: str) -> tuple[int, int]:
    """``1..8`` or ``9``."""
    first, dots, last = text.partition("..")
    return int(first), int(last if dots else first)


def _sums(program: Program, quantity: str) -> list[str]:
    return [DENOMINATOR] if quantity == "denominator" else list(program.numerator_sums)


def _other_positions(program: Program, quantity: str, half: range) -> list[int]:
    """The positions outside the half on which the sum depends."""
    return sorted({b.index for name in _sums(program, quantity) for b in program.sums[name].bits} - set(half))


@lru_cache(maxsize=8)
def _program(execution: Execution, first: int, last: int) -> Program:
    """The sums of these rows; the printed and the stated edition use the same."""
    return Program(execution, range(first, last + 1))


def _value(program: Program, quantity: str) -> Callable[[Mapping[str, States]], States]:
    """The formula for the quantity, from its sums."""
    if quantity == "columns":
        return lambda sums: reduce(np.maximum, map(np.abs, sums.values()))
    if quantity == "numerator":
        return lambda sums: program.numerators(sums)[0]
    return lambda sums: next(iter(sums.values()))
