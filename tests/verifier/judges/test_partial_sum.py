"""Partial sums: the limit counts pairs of halves, and the scope counts what a loop of its own counts."""

import pytest

from tests.tables import table
from verifier.attention.terms import Reading
from verifier.construction.instantiate import instantiate
from verifier.judges.partial_sum import applied
from verifier.semantics import read_semantics
from verifier.statements.model import DEFAULT_SEMANTICS
from verifier.statements.papers import find_claim
from verifier.statements.session import Session
from verifier.statements.work import Limits
from verifier.verdicts import Edition, Finding, Verdict

STEP_6 = find_claim("every-bit-counts/lemma-2.3:numerator-step-6")
"""It speaks of the second halves, h + 1 … m."""
P, M, H = 8, 13, 7
WIDTH = M - H


def judged(states: int) -> Finding:
    return Session(Limits(states)).own(STEP_6, Edition.REPAIRED, {"p": P, "n": STEP_6.complete({"p": P})["n"]}, DEFAULT_SEMANTICS)[0]


def test_as_many_pairs_as_the_limit_and_no_more() -> None:
    assert judged(4**WIDTH).verdict is Verdict.VERIFIED
    declined = judged(4**WIDTH - 1)
    assert declined.verdict is Verdict.DECLINED
    assert f"{4**WIDTH:,} pairs of halves" in str(declined.reason)


def test_cases_are_the_second_halves_of_promised_pairs() -> None:
    """Behind y' < z' the second halves are any."""
    seen = {(y % 2**WIDTH, z % 2**WIDTH) for y in range(2 ** (WIDTH + 1)) for z in range(y, 2 ** (WIDTH + 1))}
    assert judged(1 << 31).scope.cases == len(seen)


def test_a_counterexample_names_every_parameter_and_both_strings() -> None:
    (wrong,) = (n.claim for n in STEP_6.neighbours)
    point = STEP_6.complete({"p": P})
    found = Session().own(wrong, Edition.REPAIRED, point, DEFAULT_SEMANTICS)[0]
    assert found.verdict is Verdict.REFUTED
    shown = found.counterexample or {}
    assert shown.keys() == {*point, "y", "z", "found", "claimed"}
    assert (len(shown["y"]), len(shown["z"])) == (M, M)
    assert found.replay is not None
    assert found.replay[-4:] == ("--y", shown["y"], "--z", shown["z"])


@pytest.mark.parametrize(("semantics", "expected"), [("a4", 1), ("narrative", 2 ** (P - 2))])
def test_the_weight_of_the_column_is_in_its_sum_where_products_are_summed(semantics: str, expected: int) -> None:
    """W^V of Table 6 is 2^(p-2)."""
    assert applied(Reading(instantiate(table("table-6").source.repaired(), {"p": P}), read_semantics(semantics))) == expected
