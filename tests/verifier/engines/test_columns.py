"""Columns of A X counted by states against enumeration; closed sets of states against strings one by one."""

from __future__ import annotations

import random
from itertools import product

import pytest

from constructions.every_bit_counts.mathematics.two_bit_transformer import (
    OVERFLOWING,
    SATURATING,
    Variant,
    two_bit_table,
    two_bit_transformer,
)
from verifier.arithmetic.numbers import ZERO, Number
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition
from verifier.engines.by_states import by_states
from verifier.engines.columns import PAIRS, Family, family_of, invariant
from verifier.engines.enumerate import enumerate_inputs
from verifier.judges.editions import edition_instance
from verifier.networks.files import shaped
from verifier.networks.instantiate import instantiate
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.transformers.table_traces import decide
from verifier.transformers.tables import Execution

READINGS = ["a4", "ties=even", "overflow=before", "overflow=saturate", "rounding=truncate", "ln2=rounded", "point=grid"]


def execution(raw, p, n, semantics="a4"):
    return Execution(instantiate(shaped(raw, ConstructionFile, CONSTRUCTION, "test"), {"p": p, "n": n}), read_semantics(semantics))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", [SATURATING, OVERFLOWING])
@pytest.mark.parametrize("semantics", READINGS)
@pytest.mark.parametrize(("representation", "p"), [("T0", 2), ("T0", 3), ("T1", 2)])
def test_counts_are_those_of_enumeration(variant, semantics, representation, p):
    run = execution(two_bit_table(representation, p, 4 * p + 2, variant), p, 4 * p + 2, semantics)
    counted, listed = by_states(run), enumerate_inputs(run)
    assert (counted.cases, counted.failures, counted.nans, counted.smallest) == (
        listed.cases,
        listed.failures,
        listed.nans,
        listed.smallest,
    )


def two_bits(p: int, reading: str = "a4", variant: Variant = SATURATING) -> Execution:
    return Execution(two_bit_transformer("T1", p, 4 * p + 2, variant), read_semantics(reading))


def family(execution: Execution) -> Family:
    found = family_of(execution)
    assert found is not None
    return found


FREE = ("a4", "a4+overflow=saturate", "a4+ties=even", "a4+rounding=truncate")


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("reading", "variant"), [*product(FREE, (SATURATING, OVERFLOWING)), ("a4+point=grid", OVERFLOWING)])
def test_the_invariant_says_what_counting_says_at_each_length(reading: str, variant: Variant) -> None:
    found = invariant(two_bits(1, reading, variant), family(two_bits(1, reading, variant)))
    assert found is not None
    for p in range(1, 5):
        census = by_states(two_bits(p, reading, variant))
        assert found.wrong is not None or not census.failures
    assert (found.wrong is None) == (not census.failures)


def test_positions_are_alike_at_every_length_that_is_tried() -> None:
    assert all(family(two_bits(p)).alike(family(two_bits(1))) for p in range(2, 6))
    table = find_claim("every-bit-counts/lemma-c.4:three-bits")
    floats = [
        Execution(edition_instance(table, Edition.PRINTED, {"t": t, "e": e}), read_semantics("a4")) for t, e in ((3, 2), (3, 3), (4, 2))
    ]
    assert all(family(other).alike(family(floats[0])) for other in floats[1:])


def by_strings(execution: Execution, columns: Family, longest: int) -> bool:
    """Whether every pair of strings up to this length is answered rightly, over every denominator of so many tokens."""
    made = invariant(execution, columns)
    assert made is not None
    for length in range(1, longest + 1):
        for pairs in product(range(len(PAIRS)), repeat=length):
            total: Number = ZERO
            for pair in pairs:
                for sums, weight in columns.columns:
                    total = execution.machine.add(total, execution.machine.multiply(sums[pair], weight))
            equal = all(PAIRS[pair][0] == PAIRS[pair][1] for pair in pairs)
            for denominator in made.denominators:
                if decide(execution, execution.machine.divide(total, denominator)).answer != int(equal):
                    return False
    return True


def test_random_families_against_every_string() -> None:
    execution, numbers = two_bits(1), [Fraction(k, 2) for k in range(-2, 3)]
    choose = random.Random(3)
    right = wrong = 0
    for _ in range(60):
        moved = [(x, -x) for x in choose.choices(numbers, k=choose.randint(1, 3))]
        columns = tuple(((ZERO, b, a, choose.choice((ZERO, ZERO, ZERO, a))), choose.choice(numbers[2:])) for a, b in moved)
        tried = Family(columns, frozenset({Fraction(1, 2)}), 8)
        found = invariant(execution, tried)
        assert found is not None
        assert (found.wrong is None) == by_strings(execution, tried, 4)
        right, wrong = right + (found.wrong is None), wrong + (found.wrong is not None)
    assert right
    assert wrong


def test_token_order_has_no_such_form() -> None:
    assert family_of(two_bits(2, "narrative")) is None


def test_many_columns_are_not_divided_into_blocks() -> None:
    """Outcomes of a block tell all its sums apart; read together, each column goes into the numerator when it is complete."""
    assert by_states(two_bits(10), limit=1 << 16).failures == 0
