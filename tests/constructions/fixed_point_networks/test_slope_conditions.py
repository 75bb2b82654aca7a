"""(A1)–(A7): what refutes them without a hypothesis is checked again; and intervals by their elements."""

from itertools import pairwise, product
from math import isinf

import pytest

from constructions.fixed_point_networks.judges.activations import of_condition, stated
from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import closure
from constructions.fixed_point_networks.mathematics.slope_conditions import Reals, levels, spoiled
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import DEFAULT_SEMANTICS, Query
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.running.errors import InputError

PAPER = "fixed-point-networks"
CONDITIONS = [f"condition-a{k}" for k in range(1, 8)]
NOT_NEEDED = {("condition-a3", "slope-up-to-2"), ("condition-a7", "slope-above-half")}


def query(name: str, **point: int) -> Query:
    return Query(find_claim(f"{PAPER}/{name}"), Edition.STATEMENT, point, DEFAULT_SEMANTICS, Session())


LEFT_OUT = [(name, h.name) for name in CONDITIONS for h in find_claim(f"{PAPER}/{name}").hypotheses if h.name != "one-in-q"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "hypothesis"), LEFT_OUT)
def test_without_a_hypothesis_values_that_keep_the_others_miss_a_value_by_brute_force(name: str, hypothesis: str) -> None:
    grids = [FixedPoint(p, 1) for p in ((1, 2) if name in CONDITIONS[:3] else (3,))]
    conditions = {g: stated(query(name).claim, name, g, hypothesis) for g in grids}
    found = next(((g, c, v) for g, c in conditions.items() if (v := spoiled(g, c, 1)) is not None), None)
    if (name, hypothesis) in NOT_NEEDED:
        assert found is None
        assert all((left := levels(g, c)) is not None and left.argument for g, c in conditions.items())
        return
    assert found is not None
    grid, condition, sigma = found
    if condition.continuous:
        assert all(b - a in condition.slope for a, b in pairwise(sigma.values))
        assert all(v in condition.values for v in sigma.values)
    n = len(sigma.values) - 1
    assert abs(sigma.values[-1] - sigma.values[0]) in condition.ends(n)
    machine = grid.machine()
    assert sigma.rounded == tuple(machine.round(v / grid.s) * grid.s for v in sigma.values)
    table = Table(grid, sigma.rounded + sigma.rounded[-1:] * (grid.size - n - 1))
    assert len(closure("S", table, sigma.bias, 200)) < grid.size


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "hypothesis"), LEFT_OUT)
def test_the_judge_refutes_a_condition_without_a_hypothesis(name: str, hypothesis: str) -> None:
    """Each half of a condition counts: what the others leave is not shown by the arguments that need it."""
    asked = query(name, p=2 if name in CONDITIONS[:3] else 3, s=1)
    found = of_condition(asked, condition=name, set="S", without=hypothesis).verdict
    assert found is (Verdict.VERIFIED if (name, hypothesis) in NOT_NEEDED else Verdict.REFUTED)


TEXTS = ["[0, 1]", "(0, 1)", "[-1, 2)", "(-inf, 1]", "[1, inf)", "(-inf, inf)", "[1, 1]"]
SAMPLES = [Fraction(k, 2) for k in range(-8, 9)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("first", "second"), list(product(TEXTS, repeat=2)))
def test_intervals_by_their_elements(first: str, second: str) -> None:
    a, b = Reals.read(first, {}), Reals.read(second, {})
    both = a & b
    for x in SAMPLES:
        assert (x in a and x in b) == (both is not None and x in both)
        assert (x in a) == (-x in -a)
        assert (x in a) == (3 * x in a * 3)
    assert (a <= b) == ((a & b) == a)
    differences = {x - y for x in SAMPLES for y in SAMPLES if x in a and y in b}
    assert all(d in a - b for d in differences)
    ends = a - b
    assert all(end in ends for end in (ends.low, ends.high) if not isinf(end)) == (
        (isinf(ends.low) or ends.holds_low) and (isinf(ends.high) or ends.holds_high)
    )


@pytest.mark.parametrize(("text", "expected"), [("0, 1", "not an interval"), ("[2, 1]", "lower end first"), ("[x, 1]", "no name 'x'")])
def test_other_texts_are_refused(text: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Reals.read(text, {})
