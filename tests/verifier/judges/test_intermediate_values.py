"""Machine values that are compared with rationals: every kind of value on every side of a bound."""

from dataclasses import replace

import numpy as np
import pytest

from tests.tables import table
from verifier.arithmetic.arrays import Codes, Lattice
from verifier.arithmetic.formats import floating_point, free_point
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.verdicts import Scope, Verdict
from verifier.judges.intermediate_values import Place, Values, held, located
from verifier.networks.instantiate import instantiate
from verifier.transformers.tables import Execution

NUMBERS: list[Number] = [NEG_INF, F(-1), F(0), F(3, 4), F(1), INF, NAN]


@pytest.mark.parametrize(("numerator", "denominator"), [(0, 1), (3, 4), (-1, 1), (5, 1), (-9, 2), (1 << 57, 1)])
def test_inf_exceeds_every_rational_and_nan_and_minus_inf_none(numerator: int, denominator: int) -> None:
    lattice, bound = Lattice(Machine(free_point(4))), F(numerator, denominator)
    values = Values(lattice, np.array([lattice.encode(x) for x in NUMBERS]))
    assert list(values.exceeds(numerator, denominator)) == [x is INF or (isinstance(x, F) and x > bound) for x in NUMBERS]
    assert list(values.equals(numerator, denominator)) == [x == bound for x in NUMBERS]
    assert list(values.exceeds(1)) == [x is INF for x in NUMBERS]
    assert list(values.equals(1)) == [x == 1 for x in NUMBERS]
    assert list(values.is_infinite(1)) == [x is INF for x in NUMBERS]
    assert list(values.is_infinite(-1)) == [x is NEG_INF for x in NUMBERS]
    assert list(values.is_nan) == [x is NAN for x in NUMBERS]


def test_values_of_floating_point_are_not_compared_with_formulas() -> None:
    with pytest.raises(TypeError, match="fixed-point values only"):
        Values(Codes(Machine(floating_point(3, 7))), np.array([0])).exceeds(1)


@pytest.mark.parametrize(("p", "m", "h"), [(3, 5, 3), (4, 7, 4)])
def test_half_of_a_length_is_rounded_up(p: int, m: int, h: int) -> None:
    instance = instantiate(table("witness-t1", errata=False).source.file, {"p": p})
    assert (Place(instance).m, Place(instance).h) == (m, h)
    assert Place(replace(instance, task=replace(instance.problem, length=6))).h == 3
    assert located(instance).startswith(f"p = {p}, ")
    assert located(instance).endswith(f", m = {m}")


@pytest.mark.parametrize("bits", [3, 2])
@pytest.mark.parametrize("permitted", [True, False])
def test_what_holds_is_conditional_on_what_the_attention_assumes_without_leave(bits: int, permitted: bool) -> None:
    """With 3 bits the table has all its entries, with 2 it lacks the key -2 of step 4."""
    instance = instantiate(table("witness-t1", errata=False).source.file, {"p": 3})
    semantics = read_semantics("a4") if permitted else replace(read_semantics("a4"), permits=frozenset())
    found = held(Execution(replace(instance, precision=bits), semantics), Scope("all", 1), "a table")
    assumed = {"ideal-ln2"} - semantics.permits | ({"exact-entries"} if bits < 3 else set())
    assert (found.failures, found.witness, {*found.assumptions}) == (0, "a table", assumed)
    assert found.verdict is (Verdict.CONDITIONAL if assumed else Verdict.VERIFIED)
    assert ("step 4" in str(found.reason)) is (bits < 3)
    assert (found.reason is None) is (bits == 3)
