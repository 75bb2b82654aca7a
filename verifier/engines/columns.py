"""Constructions whose numerator is a sum over many columns of A X, each about one position of the strings: strings of every length.

If every column sum depends on at most one position, and the columns come in the order of their positions, last position first, the
numerator is a walk over the positions. If every position has the same columns, the step does not depend on the length. The states that
pairs of bits reach from (0, equal) are closed; if each of them is answered rightly over each denominator that this many tokens or more can
have, the construction computes EQ on strings of every length. A longer string has more tokens that add 0 to a column, which does not change
it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, product

import numpy as np

from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import ONE, ZERO, Number, show
from verifier.engines.program import Program, program_of
from verifier.networks.indices import Bit
from verifier.transformers.table_traces import decide
from verifier.transformers.tables import Execution

EVERY_LENGTH = "closed states"
MOST_STATES = 1 << 12
"""States, or sets of denominators, after which the search for closed ones is given up."""

PAIRS = tuple(product((0, 1), (0, 1)))
"""The bits (y_i, z_i) of a position."""

Columns = tuple[tuple[tuple[Number, ...], Number], ...]
"""The columns of a position, each with its sum at each of :data:`PAIRS` and the weight that W^V gives it."""


def columns_by_position(execution: Execution) -> dict[int, Columns] | None:
    """The columns of each position that has some, the last position first; a column that depends on none goes with the first.

    The result is None if a column depends on several positions, if the positions have another order, or if the function is not EQ.
    """
    instance = execution.instance
    if execution.semantics.order != "ax" or instance.problem.function != "EQ" or instance.defects:
        return None
    program = program_of(execution)
    places = [{bit.index for bit in program.sums[name].bits} for name in program.numerator_sums]
    order = [min(place, default=1) for place in places]
    if any(len(place) > 1 for place in places) or order != sorted(order, reverse=True):
        return None
    columns = zip(order, program.numerator_sums, execution.columns, strict=True)
    return {
        position: tuple((_column_values(program, name, position), execution.value_weights[column]) for _, name, column in group)
        for position, group in groupby(columns, key=lambda each: each[0])
    }


def _column_values(program: Program, name: str, position: int) -> tuple[Number, ...]:
    """A column sum at each of :data:`PAIRS`."""
    bits = {Bit(string, position): np.array(values) for string, values in zip("yz", zip(*PAIRS, strict=True), strict=True)}
    return tuple(program.lattice.decoded(np.broadcast_to(program.sum_at(program.sums[name], bits), (len(PAIRS),))))


def moved(machine: Machine, total: Number, columns: Columns, pair: int) -> Number:
    """The partial numerator after a position with the bits of :data:`PAIRS`: its columns times their weights are added, each rounded."""
    for values, weight in columns:
        total = machine.add(total, machine.multiply(values[pair], weight))
    return total


State = tuple[Number, bool]
"""A state of strings of every length, which is the partial numerator and whether y and z are equal on the positions seen."""


@dataclass(frozen=True)
class Family:
    """The effect of a position, the same at every position and length.

    columns: of each position; weights: the terms of the denominator that one token can have; fewest: the least number of tokens.
    """

    columns: Columns
    weights: frozenset[Number]
    fewest: int

    def alike(self, other: Family) -> bool:
        """Whether two lengths have one family."""
        return (self.columns, self.weights) == (other.columns, other.weights)


@dataclass(frozen=True)
class Invariant:
    """The closed set of states, the denominators, and the first of them that is answered wrongly, if any."""

    states: frozenset[State]
    denominators: frozenset[Number]
    wrong: tuple[State, Number] | None

    def __str__(self) -> str:
        listed = sorted(f"{show(total)} {'equal' if equal else 'different'}" for total, equal in self.states)
        return f"states {', '.join(listed)}; denominators {', '.join(sorted(map(show, self.denominators)))}"


def family_of(execution: Execution) -> Family | None:
    """The family of a construction for EQ, or None if it does not have this form."""
    instance, columns = execution.instance, columns_by_position(execution)
    if columns is None or columns.keys() != {*range(1, instance.m + 1)} or len({*columns.values()}) != 1:
        return None
    program = program_of(execution)
    if not all(program.sums[name].bits for name in program.numerator_sums):
        return None
    weights = {execution.term(t, pattern).weight for t in instance.tokens for pattern, v in enumerate(t.vectors) if v is not None}
    return Family(columns[1], frozenset(weights if execution.normalised else ()), len(instance.tokens))


def invariant(execution: Execution, family: Family) -> Invariant | None:
    """The states of the family under the execution's arithmetic and final MLP, or None if they are too many."""
    states, denominators = _closed(execution, family), _denominators(execution, family)
    if states is None or denominators is None:
        return None
    for total, equal in states:
        for denominator in denominators:
            if decide(execution, execution.machine.divide(total, denominator)).answer != int(equal):
                return Invariant(states, denominators, ((total, equal), denominator))
    return Invariant(states, denominators, None)


def step(execution: Execution, family: Family, state: State, pair: int) -> State:
    """Run one position with the bits of :data:`PAIRS`."""
    y, z = PAIRS[pair]
    return moved(execution.machine, state[0], family.columns, pair), state[1] and y == z


def _closed(execution: Execution, family: Family) -> frozenset[State] | None:
    found: set[State] = {(ZERO, True)}
    frontier = list(found)
    while frontier:
        state = frontier.pop()
        new = {step(execution, family, state, pair) for pair in range(len(PAIRS))} - found
        found |= new
        frontier += new
        if len(found) > MOST_STATES:
            return None
    return frozenset(found)


def _denominators(execution: Execution, family: Family) -> frozenset[Number] | None:
    """The possible denominators after ``fewest`` tokens or more, or 1 if nothing is divided."""
    if not family.weights:
        return frozenset({ONE})
    sets: list[frozenset[Number]] = [frozenset({ZERO})]
    while sets[-1] not in sets[:-1]:
        sets.append(frozenset(execution.machine.add(x, w) for x in sets[-1] for w in family.weights))
        if len(sets) > MOST_STATES:
            return None
    cycle = sets.index(sets[-1])
    return frozenset().union(*sets[min(family.fewest, cycle) :])
