"""What one running sum of 3-bit numbers compares by itself: at least three bits in the numerator, two in the denominator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from lowerbounds.running_sums import denominators, numerators
from lowerbounds.single_sum import SingleSum, replays
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.semantics import read_semantics

Values = Callable[[Machine], Sequence[Number]]


def problem(values: Values, bits: int, m: int) -> SingleSum:
    machine = read_semantics("narrative").machine(bits)
    return SingleSum(machine, values(machine), m)


@pytest.mark.campaign
@pytest.mark.parametrize(("values", "bits", "m"), [(numerators, 3, 2), (numerators, 3, 3), (denominators, 3, 2)])
def test_a_table_is_found_and_replays(values: Values, bits: int, m: int) -> None:
    asked = problem(values, bits, m)
    found = asked.solve()
    assert found.table is not None
    assert replays(asked, found)
    assert not replays(asked, replace(found, accepted=frozenset()))


@pytest.mark.campaign
@pytest.mark.parametrize(("values", "bits", "m"), [(denominators, 3, 3), (denominators, 2, 2)])
def test_no_table_exists_by_a_proof_that_is_checked(values: Values, bits: int, m: int) -> None:
    found = problem(values, bits, m).solve()
    assert found.table is None
    assert found.lemmas > 0
