"""(A1)–(A7) and the lemmas on rounding: what they rest on is changed, and what refutes them without a hypothesis is checked again."""

from dataclasses import replace
from functools import partial
from itertools import pairwise, product

import pytest

from constructions.fixed_point_networks.judges import activations
from constructions.fixed_point_networks.judges.activations import of_condition, stated
from constructions.fixed_point_networks.mathematics import slope_conditions
from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import closure
from constructions.fixed_point_networks.mathematics.slope_conditions import Reals, levels, spoiled
from tests.outcomes import outcome
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


judged = partial(outcome, PAPER, theorems=False)


LEFT_OUT = [(name, h.name) for name in CONDITIONS for h in find_claim(f"{PAPER}/{name}").hypotheses if h.name != "one-in-q"]


def rounding_to_even(grid: FixedPoint, values: Reals) -> dict[int, Reals]:
    """As :func:`.rounding_to`, but with ties to even."""
    whole = {q: Reals(q - Fraction(1, 2), q + Fraction(1, 2), q % 2 == 0, q % 2 == 0) for q in grid.levels()}
    whole |= {-grid.top: replace(whole[-grid.top], low=None), grid.top: replace(whole[grid.top], high=None)}
    return {q: inside for q, reals in whole.items() if (inside := reals & values) is not None}


@pytest.mark.parametrize("name", [*CONDITIONS[:3], "lemma-16:a1", "lemma-16:a2", "lemma-16:a3", "lemma-22", "condition-a2:ties"])
def test_ties_to_even_leave_none_of_these_standing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(name, p=2, s=1).verdict is Verdict.VERIFIED
    for module in (activations, slope_conditions):
        monkeypatch.setattr(module, "rounding_to", rounding_to_even)
    assert judged(name, p=2, s=1).verdict is not Verdict.VERIFIED


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
    assert all(end in ends for end in (ends.low, ends.high) if end is not None) == (
        (ends.low is None or ends.holds_low) and (ends.high is None or ends.holds_high)
    )


@pytest.mark.parametrize(("text", "expected"), [("0, 1", "not an interval"), ("[2, 1]", "lower end first"), ("[x, 1]", "no name 'x'")])
def test_other_texts_are_refused(text: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Reals.read(text, {})
