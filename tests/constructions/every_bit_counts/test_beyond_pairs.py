"""Precisions whose pairs of halves are too many to form: the steps of Lemma 2.6 are decided all the same, and nothing is rounded up."""

from __future__ import annotations

import pytest

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.papers import find_claim
from verifier.claims.points import Point
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.running.limits import Limits


@pytest.mark.long("10")
@pytest.mark.parametrize("p", [10, 12])
def test_the_steps_of_lemma_2_6_are_decided_with_the_work_of_steps(p: int) -> None:
    proof = Session(Limits(1 << 24)).proof(Point.of(find_claim("every-bit-counts/lemma-2.6"), {"p": p}), read_semantics("a4"))
    assert proof.undecided == []
    counts = {step.name.partition(":")[2]: found.scope.cases for step, found in proof.stood}
    pairs, halves = (1 << 2 * p - 1) * ((1 << 2 * p - 1) + 1) // 2, (1 << p) * ((1 << p) + 1) // 2
    assert (counts["output-yes"], counts["output-no"]) == (1 << 2 * p - 1, pairs - (1 << 2 * p - 1))
    assert (counts["numerator-yes"], counts["numerator-no"]) == (1 << p, halves - (1 << p))
    assert (counts["range-after-step-2"], counts["denominator-yes"]) == (halves, 1 << p - 1)


@pytest.mark.parametrize("step", ["output-yes", "output-no", "numerator-yes", "numerator-no"])
def test_a_step_that_is_counted_alone_fails_as_often(step: str) -> None:
    """The proof line shows no input, so that the steps behind it do not look for the smallest one."""
    asked = f"every-bit-counts/lemma-2.6:{step}", Edition.PRINTED, {"p": 10}, read_semantics("a4")
    whole, counted = (Session(Limits(1 << 24, smallest=smallest)).ask(*asked) for smallest in (True, False))
    assert (counted.verdict, counted.failures, counted.scope) == (whole.verdict, whole.failures, whole.scope)
    assert counted.counterexample is None
    assert (whole.counterexample is None) == (whole.verdict is Verdict.VERIFIED)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("reading", ["a4", "narrative", "a4+ln2=rounded"])
@pytest.mark.parametrize("edition", list(Edition))
def test_a_verdict_without_counts_is_the_same(edition: Edition, reading: str) -> None:
    """For what other readings say, one failing input is enough where the verdict is that of the default."""
    asked = "every-bit-counts/lemma-2.6:table-6", edition, {"p": 8}, read_semantics(reading)
    whole, alone = (Session(Limits(counts=counts)).ask(*asked) for counts in (True, False))
    assert (alone.verdict, alone.assumptions) == (whole.verdict, whole.assumptions)
    assert alone.scope.cases == whole.scope.cases
    if whole.verdict is Verdict.REFUTED:
        assert alone.failures is None
        assert alone.counterexample is not None
        assert alone.counterexample["answer"] != alone.counterexample["expected"]
