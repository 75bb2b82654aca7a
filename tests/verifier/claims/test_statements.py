"""What steps, errata, hypotheses and parts make of a statement, on a paper of three statements."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.papers_of_tests import shelved
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Query, Variant
from verifier.claims.papers import find_claim
from verifier.claims.points import Point
from verifier.claims.questions import Inquiry
from verifier.claims.records import Part
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.running.errors import LimitError

A4 = read_semantics("a4")


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with shelved():
        yield


def verdicts(claim: str, **point: int) -> list[str]:
    session = Session()
    return [session.outcome(find_claim(f"toy/{claim}"), e, point, A4)[0].verdict.value for e in Edition]


def found(claim: str, edition: Edition, **point: int) -> Outcome:
    return Session().outcome(find_claim(f"toy/{claim}"), edition, point, A4)[0]


def test_a_refuted_aside_is_a_slip() -> None:
    assert verdicts("lemma-1:count", p=2) == ["refuted", "refuted", "verified"]
    assert verdicts("lemma-1", p=2) == ["verified"] * 3
    proof = Session().proof(Point.of(find_claim("toy/lemma-1"), {"p": 2}), A4)
    assert proof.slips == 1
    assert proof.line == "proof: 1 of 2 steps hold, 1 fails but nothing rests on it"


def test_a_refuted_argument_refutes_what_is_printed_and_its_repair_repairs_it() -> None:
    assert verdicts("lemma-2:first", p=2) == ["refuted", "refuted", "verified"]
    assert verdicts("lemma-2", p=2) == ["verified", "refuted", "verified"]
    printed = found("lemma-2", Edition.PRINTED, p=2)
    assert printed.reason is not None
    assert "lemma-2:first" in printed.reason
    assert printed.replay is not None
    assert printed.replay[0] == "toy/lemma-2:first"


def test_a_part_that_says_nothing_is_left_out() -> None:
    assert verdicts("theorem-3", p=1) == ["verified"] * 3  # Lemma 2 is about p >= 2
    assert found("theorem-3", Edition.STATEMENT, p=1).parts == ("toy/lemma-1",)
    assert verdicts("theorem-3", p=2) == ["verified", "refuted", "verified"]
    assert verdicts("theorem-3", p=0) == ["declined"] * 3


def test_an_argument_breaks_a_statement_of_parts_too() -> None:
    whole = replace(find_claim("toy/theorem-3"), parts=(Part("toy/lemma-1"),), steps=(find_claim("toy/lemma-2:first"),))
    made = [Session().outcome(whole, edition, {"p": 2}, A4)[0] for edition in Edition]
    assert [f.verdict.value for f in made] == ["verified", "refuted", "verified"]
    assert made[1].reason is not None
    assert "lemma-2:first" in made[1].reason


def test_answers_that_differ_each_name_their_points() -> None:
    parity = replace(
        find_claim("toy/lemma-2"),
        judge=lambda query: Outcome(Verdict.VERIFIED, Scope("a number", 1), witness=["even", "odd"][query["p"] % 2]),
    )
    for ranges, expected in ((None, "p = 2 to p = 4, 2 points: even\np = 3: odd"), ({"p": "2,4"}, "even")):
        asked = replace(parity, questions=(Variant("even or odd", parity),), hypotheses=())
        assert next(Inquiry(asked, A4, ranges=ranges).answers()).answer == expected


def test_an_answer_says_which_points_it_leaves_out_and_why() -> None:
    def judge(query: Query) -> Outcome:
        if query["p"] == 3:
            raise LimitError("too many pairs", "a smaller --p")
        return Outcome(Verdict.VERIFIED, Scope("a number", 1), witness="even")

    asked = replace(find_claim("toy/lemma-2"), judge=judge)
    for ranges, expected in (
        (None, "p = 2 to p = 4, 2 points: even\np = 3: not answered: too many pairs; choose a smaller --p"),
        ({"p": "3"}, "not answered: nothing was decided: too many pairs; choose a smaller --p"),
    ):
        whole = replace(asked, questions=(Variant("even or odd", asked),), hypotheses=())
        assert next(Inquiry(whole, A4, ranges=ranges).answers()).answer == expected


def test_a_neighbour_is_the_claim_with_one_change() -> None:
    claim = find_claim("toy/lemma-1")
    (neighbour,) = claim.neighbours
    made = Session().outcome(neighbour.claim, Edition.STATEMENT, neighbour.at, A4)[0]
    assert made.verdict is neighbour.verdict is Verdict.REFUTED
    assert neighbour.because is not None
    assert neighbour.because in str(made.counterexample)
