"""Questions about variants of printed tables, against the definition run pair by pair."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from constructions.every_bit_counts.judges.repairs import variant
from tests.constructions.every_bit_counts.changed_table import changed
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.networks.instantiate import instantiate
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import execution_of

POINT = {"t": 4, "e": 2}


def answered(name: str, begins: str, **point: int) -> Outcome:
    statement = find_claim(f"every-bit-counts/{name}")
    (asked,) = (question for question in statement.questions if question.says.startswith(begins))
    found = Session().outcome(asked.claim, Edition.STATEMENT, asked.claim.complete(point), DEFAULT_SEMANTICS)[0]
    assert found.verdict is Verdict.VERIFIED
    return found


def runs(power: bool) -> Iterator[tuple[int, int, bool]]:
    """Every promised pair of Table 7 with indices repaired, and powers of two as weights or not, and whether its answer is right."""
    claim = find_claim("every-bit-counts/lemma-c.5:table-7")
    assert claim.table is not None
    execution = execution_of(instantiate(variant(claim.table.source, (), {}, power), POINT), read_semantics("a4"))
    problem = execution.instance.problem
    for y in range(1 << problem.length):
        for z in range(y, 1 << problem.length):
            if problem.promised(y, z):
                yield y, z, evaluate(execution, y, z).correct


@pytest.mark.campaign
def test_wrong_answers_are_those_of_the_definition() -> None:
    every = list(runs(power=True))
    wrong = [[not right for y, z, right in every if (y == z) is yes] for yes in (True, False)]
    said = f"wrong on {sum(wrong[0])} of {len(wrong[0])} YES and {sum(wrong[1])} of {len(wrong[1])} NO inputs"
    assert (answered("lemma-c.5", "With its indices", **POINT).witness or "").startswith(said)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("power", "begins"),
    [(False, "How large is the largest set of strings on which Table 7"), (True, "How large is the largest set of strings on which it")],
)
def test_the_largest_set_is_the_largest_of_all_subsets(power: bool, begins: str) -> None:
    every = list(runs(power))
    wrong = {(y, z) for y, z, right in every if not right}
    alone = [y for y, z, right in every if y == z and right]
    sizes = [
        size
        for size in range(len(alone) + 1)
        for chosen in combinations(alone, size)
        if not any(pair in wrong for pair in combinations(chosen, 2))
    ]
    assert (answered("lemma-c.5", begins, **POINT).witness or "").startswith(f"{max(sizes)} of the 36 ")


@pytest.mark.parametrize(("name", "p", "size"), [("lemma-2.3", 7, "0 of the 2,048"), ("lemma-2.6", 7, "4,096 of the 8,192")])
def test_the_largest_set_of_a_table_that_is_wrong_on_equal_strings(name: str, p: int, size: str) -> None:
    """Table 5 rejects every pair of equal strings, Table 6 half of them; Table 6 is right on all others."""
    claim = find_claim(f"every-bit-counts/{name}")
    assert claim.table is not None
    execution = execution_of(instantiate(variant(claim.table.source, (), {}, False), {"p": p}), read_semantics("a4"))
    length = execution.instance.m
    right = [evaluate(execution, x, x).correct for x in range(0, 1 << length, 61)]
    assert (sum(right) == 0) is size.startswith("0 ")
    found = answered(name, "How large is the largest set", p=p).witness or ""
    assert found.startswith(f"{size} strings")


@pytest.mark.parametrize(
    ("t", "e", "said"),
    [(3, 3, "needed: token numbers"), (5, 2, "no pair keeps the added promise; without it the corrected table is wrong on")],
)
def test_groups_of_corrections(t: int, e: int, said: str) -> None:
    found = answered("lemma-c.5", "Which of our five", t=t, e=e).witness or ""
    assert found.startswith(said)
    for group in ("powers of two in the keys", "values for the bit 0", "the last bit", "the promise"):
        assert (group in found) is (t == 3)


@pytest.mark.long("matrix-2-3 bits; with 2 no table exists", "token-2-3 bits; with 2 no table exists")
@pytest.mark.parametrize(
    ("order", "p", "said"),
    [
        ("matrix", 1, "2 bits; with 1 no table exists"),
        ("matrix", 2, "3 bits; with 2 no table exists"),
        ("token", 2, "3 bits; with 2 no table exists"),
        ("token", 3, "4 bits; with 3 the running sums do not tell all strings y apart, and 4 are enough"),
        ("token", 5, "5 or 6 bits; with 4 there are too few pairs of sums"),
    ],
)
def test_the_fewest_bits_on_a_grid(order: str, p: int, said: str) -> None:
    assert (answered("theorem-2.4", f"On one fixed grid, in {order} order", p=p).witness or "").startswith(said)


def test_a_grid_takes_one_bit_more_only_with_the_whole_table() -> None:
    """With one weight of witness-grid doubled, equal strings are rejected: the upper bound rests on the table."""
    claim = find_claim("every-bit-counts/theorem-2.4:one-bit-more")
    reading = read_semantics("narrative+point=grid")
    assert Session().outcome(claim, Edition.STATEMENT, {"p": 5, "n": 18}, reading)[0].verdict is Verdict.VERIFIED
    assert claim.table is not None
    wrong = changed(claim, "row.13.zero.2", 0, 1)
    assert Session().outcome(wrong, Edition.STATEMENT, {"p": 5, "n": 18}, reading)[0].verdict is Verdict.REFUTED


@pytest.mark.campaign
def test_a_count_says_how_outputs_that_are_neither_0_nor_1_are_counted() -> None:
    """Both counts are those of a program that imports nothing of ours."""
    claim = find_claim("every-bit-counts/lemma-2.6:table-6-halved")
    found = Session().outcome(claim, Edition.STATEMENT, claim.complete({"p": 6}), read_semantics("narrative"))[0]
    assert found.failures == 4526
    assert "counts as wrong; with [accept] yes = out == 1 it means 0, and EQ fails on 4,142" in (found.reason or "")


@pytest.mark.parametrize(("p", "verdict"), [(3, Verdict.REFUTED), (4, Verdict.REFUTED), (5, Verdict.OPEN)])
def test_p_bits_do_not_suffice_on_a_grid_if_the_sums_are_too_few(p: int, verdict: Verdict) -> None:
    claim = find_claim("every-bit-counts/lemma-2.6")
    outcome = Session().outcome(claim, Edition.STATEMENT, claim.complete({"p": p}), read_semantics("narrative+point=grid"))[0]
    assert outcome.verdict is verdict
    assert ("two running sums do not tell all" in (outcome.reason or "")) is (p < 5)
