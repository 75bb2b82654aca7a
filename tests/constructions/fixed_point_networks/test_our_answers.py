"""Results of ours: the sharp criterion against every sum, the fewest copies against networks; a changed answer is refused."""

from dataclasses import replace
from math import gcd

import pytest

from constructions.fixed_point_networks.mathematics.activations import rounded, scaled_hardtanh
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import Reach, closure, full_biases
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Variant
from verifier.claims.papers import find_claim
from verifier.claims.questions import Answer, Inquiry


def asked(statement: str) -> Variant:
    (found,) = find_claim(f"fixed-point-networks/{statement}").questions
    return found


def answer(statement: str, over: dict[str, str], **changed: str) -> Answer:
    """To the question of this statement, with other fields."""
    query = asked(statement)
    assert isinstance(query.claim.judge, NamedJudge)
    claim = replace(query.claim, judge=replace(query.claim.judge, fields={**query.claim.judge.fields, **changed}))
    statement_asked = replace(find_claim(f"fixed-point-networks/{statement}"), questions=(replace(query, claim=claim, over=over),))
    return next(a for a in Inquiry(statement_asked, read_semantics("a4")).answers() if a.question == query.says)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("p", "s"), [(p, s) for p in (1, 2, 3) for s in range(1, 18)])
def test_the_theorem_at_every_scaling_factor(p: int, s: int) -> None:
    """Beyond s = 2^p - 1 too, where the second case is not empty; the biases by sums of least magnitude."""
    grid = FixedPoint(p, s)
    for g in range(1, 4 * s + 2 * grid.top):
        full = full_biases(grid, g)
        assert full == [all(Reach(grid, g).sum_for(b, q) is not None for q in grid.levels()) for b in range(g // gcd(g, s))]
        assert all(full) == (g <= s)
        assert any(full) == full[0] == (g <= s or 2 * (2**p - 2) * (g - s) < s)


CRITERION = [("lemma-2", "1 <= g <= s + 1"), ("lemma-7", "1 <= g <= s + 1"), ("lemma-12", "g <= 2"), ("lemma-16", "g <= 2")]


@pytest.mark.long(
    "every-lemma-12-g <= 2",
    "every-lemma-16-g <= 2",
    "every-lemma-2-1 <= g <= s + 1",
    "some-lemma-12-g <= 2",
    "some-lemma-16-g <= 2",
    "some-lemma-2-1 <= g <= s + 1",
)
@pytest.mark.parametrize(("statement", "wrong"), CRITERION)
@pytest.mark.parametrize("field", ["some", "every"])
def test_another_criterion_is_refused(statement: str, wrong: str, field: str) -> None:
    over = {"p": "2", "s": "1..3"}
    assert "for one bias where for all" in answer(statement, over).answer
    assert answer(statement, over, **{field: wrong}).answer.startswith("not as expected at p = 2, s = 1")


def test_the_exception_is_p_1_with_gaps_of_2() -> None:
    assert "besides for g = 2 at b = 0" in answer("lemma-7", {"p": "1", "s": "1"}).answer


@pytest.mark.campaign
@pytest.mark.parametrize(("statement", "most"), [("lemma-5", "2*s + 1"), ("lemma-14", "2**(p + 1) - 1")])
def test_the_copies_of_the_proof_are_one_more_than_are_needed(statement: str, most: str) -> None:
    over = {"p": "1..3", "s": "1..3"}
    assert "needed by some" in answer(statement, over).answer
    assert answer(statement, over, most=most).answer == "not as expected at p = 1, s = 1"
    fewer = answer(statement, over, each=f"{asked(statement).claim.fields['each']} - 1 if drop == 1 else 1")
    assert "enough" in (fewer.counterexample or {})


@pytest.mark.parametrize(("statement", "over"), [("corollary-3", {"p": "3", "s": "1"}), ("corollary-13", {"p": "3", "s": "1"})])
def test_the_values_of_hardtanh_are_those_of_every_sum(statement: str, over: dict[str, str]) -> None:
    """At s = 1 the outputs are 0 and 5, so that both sets are the same; a bias of 5 more changes nothing."""
    grid, found = FixedPoint(3, 1), answer(statement, over).answer
    table = rounded(scaled_hardtanh(Fraction(5)), grid)
    for beta in range(5):
        values = sorted(closure("N", table, beta, 200))
        assert f"b = {beta}: {', '.join(map(str, values))} ({len(values)} of 15)" in found
        assert values == sorted(closure("BN", table, beta + 5, 200))
