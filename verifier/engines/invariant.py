"""Constructions with a fixed number of bits, for strings of every length: a finite set of states, closed under every pair of bits.

Where every column sum depends on one position, the columns come in the order of their positions, and every position has the same columns,
the numerator is a walk over the positions whose step does not depend on the length. From (0, equal) the states that any pairs of bits reach
are closed; where each of them is answered rightly over each denominator that so many tokens or more can have, EQ is computed on strings of
every length. A longer string brings more tokens that add 0 to a column, which leaves it as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, product

from verifier.arithmetic.numbers import ONE, ZERO, Number, show
from verifier.engines.columns import column_values
from verifier.engines.program import program_of
from verifier.networks.evaluate import decide
from verifier.networks.execution import Execution

METHOD = "closed states"
MOST_STATES = 1 << 12
"""States, or sets of denominators, after which the search is given up."""

PAIRS = tuple(product((0, 1), (0, 1)))
"""The bits (y_i, z_i) of a position."""

State = tuple[Number, bool]
"""The partial numerator, and whether y and z are equal on the positions seen."""


@dataclass(frozen=True)
class Family:
    """The effect of a position, the same at every position and length.

    columns: for each column of a position its sum at each of :data:`PAIRS`, and the weight that W^V gives it;
    weights: what one token can add to the denominator; fewest: how many tokens there are at least.
    """

    columns: tuple[tuple[tuple[Number, ...], Number], ...]
    weights: frozenset[Number]
    fewest: int

    def alike(self, other: Family) -> bool:
        """Whether two lengths have one family."""
        return (self.columns, self.weights) == (other.columns, other.weights)


@dataclass(frozen=True)
class Invariant:
    """The closed set of states, the denominators, and the first of them that is answered wrongly, if one is."""

    states: frozenset[State]
    denominators: frozenset[Number]
    wrong: tuple[State, Number] | None

    def __str__(self) -> str:
        listed = sorted(f"{show(total)} {'equal' if equal else 'different'}" for total, equal in self.states)
        return f"states {', '.join(listed)}; denominators {', '.join(sorted(map(show, self.denominators)))}"


def family_of(execution: Execution) -> Family | None:
    """The family that a construction for EQ belongs to; None where it does not have this form."""
    instance = execution.instance
    if execution.semantics.order != "ax" or instance.problem.function != "EQ" or instance.defects:
        return None
    program = program_of(execution)
    places = [{bit.index for bit in program.sums[name].bits} for name in program.numerator_sums]
    if any(len(place) != 1 for place in places):
        return None
    order = [place for (place,) in places]
    if order != sorted(order, reverse=True) or {*order} != set(range(1, instance.m + 1)):
        return None
    columns = zip(order, program.numerator_sums, execution.columns, strict=True)
    positions = {
        tuple((tuple(column_values(program, name, place)[pair] for pair in PAIRS), execution.value_weights[c]) for _, name, c in group)
        for place, group in groupby(columns, key=lambda column: column[0])
    }
    weights = {execution.term(t, pattern).weight for t in instance.tokens for pattern, v in enumerate(t.vectors) if v is not None}
    if len(positions) != 1 or not execution.kernel.normalised:
        weights = set()
    return Family(positions.pop(), frozenset(weights), len(instance.tokens)) if len(positions) == 1 else None


def invariant(execution: Execution, family: Family) -> Invariant | None:
    """The states of the family under the execution's arithmetic and final MLP; None where they are too many."""
    states, denominators = _closed(execution, family), _denominators(execution, family)
    if states is None or denominators is None:
        return None
    for total, equal in states:
        for denominator in denominators:
            if decide(execution, execution.machine.divide(total, denominator)).answer != int(equal):
                return Invariant(states, denominators, ((total, equal), denominator))
    return Invariant(states, denominators, None)


def step(execution: Execution, family: Family, state: State, pair: int) -> State:
    """One position with the bits of :data:`PAIRS`: its columns times their weights are added, each operation rounded."""
    total, equal = state
    for sums, weight in family.columns:
        total = execution.machine.add(total, execution.machine.multiply(sums[pair], weight))
    y, z = PAIRS[pair]
    return total, equal and y == z


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
    """What the denominator can be after ``fewest`` tokens or more; 1 where nothing is divided."""
    if not family.weights:
        return frozenset({ONE})
    sets: list[frozenset[Number]] = [frozenset({ZERO})]
    while sets[-1] not in sets[:-1]:
        sets.append(frozenset(execution.machine.add(x, w) for x in sets[-1] for w in family.weights))
        if len(sets) > MOST_STATES:
            return None
    cycle = sets.index(sets[-1])
    return frozenset().union(*sets[min(family.fewest, cycle) :])
