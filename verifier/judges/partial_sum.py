"""Judging what a proof says on the way: the value of a partial numerator or denominator, on every input that it speaks of."""

from __future__ import annotations

from functools import lru_cache, reduce

import numpy as np

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Outcome, Scope
from verifier.engines.fixed_point_arrays import States
from verifier.engines.program import DENOMINATOR, Program
from verifier.engines.tree import by_position
from verifier.judges.evaluation import supplied
from verifier.judges.fields import PartialSum
from verifier.judges.intermediate_values import contradicted, held, located
from verifier.judges.strings import Halves, Names, decoded, positions, truths
from verifier.judges.tables import well_formed
from verifier.networks.execution import Execution
from verifier.networks.instance import Instance
from verifier.networks.instantiate import names_at
from verifier.running.errors import LimitError


@by_edition
def judge(query: Query, fields: PartialSum) -> Outcome:
    """The condition on the edition's table, for every pair of contents of the positions that the promise allows."""
    prepared = well_formed(query)
    if isinstance(prepared, Outcome):
        return prepared
    execution, witness = prepared
    instance = execution.instance
    names = {**table_names(query, instance), "applied": applied(execution)}
    halves = Halves(instance.problem, *positions(fields.over, names))
    if halves.width < 1:
        return declined(f"there are no positions {fields.over} {query.at}")
    if 4**halves.width > query.limits.states:
        raise LimitError(f"{4**halves.width:,} pairs of halves, the limit is {query.limits.states:,}", "--limit")
    if fields.of == "column" and execution.sums > 1:
        return declined(f"W^V uses {execution.sums} columns; of = column is about one")
    first, last = steps(fields.steps)
    program = _program(execution, first, last)
    others = _other_positions(program, fields.of, range(halves.first, halves.last + 1))
    if others:
        return declined(f"the {fields.of} depends on positions {others} too; it is judged on {halves.first} … {halves.last} only")
    states = np.broadcast_to(_quantity(program, fields.of, halves.first, halves.last), (halves.size, halves.size))
    says = fields.holds or f"v == {fields.is_}"
    functions, lets = supplied(query.claim.functions), query.claim.lets
    asked = halves.allowed()
    if fields.when is not None:
        asked = truths(fields.when, lets, names, halves, asked, None, functions)
    cases = int(asked.sum())
    at = located(instance)
    speaks = f" with {fields.when}" if fields.when else ""
    if cases == 0:
        return declined(f"no pairs of y[{fields.over}] and z[{fields.over}]{speaks} at {at}")
    wrong = asked & ~truths(says, lets, names, halves, asked, lambda where: decoded(states, program.lattice.decode, where), functions)
    failures = int(wrong.sum())
    scope = Scope(f"all {cases:,} pairs of y[{fields.over}] and z[{fields.over}]{speaks} at {at}: {says}", cases, "enumeration")
    if not failures:
        return held(execution, scope, witness)
    pair = halves.smallest(asked, wrong)
    behind, mask = instance.m - halves.last, halves.size - 1
    found = program.lattice.decode(states[pair[0] >> behind & mask, pair[1] >> behind & mask])
    subject = f"the {fields.of} of {f'steps {first}–{last}' if first != last else f'step {first}'}"
    return contradicted(query, execution, scope, witness, pair, found, subject, fields.is_ or says, failures)


def table_names(query: Query, instance: Instance) -> Names:
    """The parameters, and what the table derives of them, for formulas."""
    assert query.claim.table is not None
    return names_at(query.claim.table.source.file, instance.parameters)


def applied(execution: Execution) -> Fraction:
    """What the sum of the one column that W^V uses holds of its weight already: 1 where columns are summed, else the entry of W^V."""
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
    """The sums of these rows; what is printed and what is stated are about the same."""
    return Program(execution, range(first, last + 1))


@lru_cache(maxsize=2)
def _quantity(program: Program, quantity: str, first: int, last: int) -> States:
    """The sum over the positions first … last."""
    wanted = _sums(program, quantity)
    sums = {name: by_position(program.lattice, program.sums[name], first, last, {}) for name in wanted}
    if quantity == "columns":
        return reduce(np.maximum, map(np.abs, sums.values()))
    return sums[wanted[0]] if quantity in ("denominator", "column") else program.numerator(sums)
