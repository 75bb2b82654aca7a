"""Theorem 2.4: its table has a row for each p and reading, on the screen and in JSON, made of the verdicts that it sums up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from constructions.every_bit_counts.judges.tables import fails_at_once
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Query
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict

BOTH = find_claim("every-bit-counts/theorem-2.4:both-halves")
ONE = find_claim("every-bit-counts/theorem-2.4:one-reading")


def found(claim: str, edition: Edition, p: int, semantics: str) -> Outcome:
    return Session().ask(f"every-bit-counts/{claim}", edition, {"p": p}, read_semantics(semantics))


@pytest.mark.campaign
@pytest.mark.parametrize("semantics", ["a4", "narrative"])
def test_a_row_has_the_verdicts_of_the_claims_that_it_sums_up(semantics: str) -> None:
    values = found("theorem-2.4:both-halves", Edition.STATEMENT, 8, semantics).values
    assert values is not None
    for cell, claim, edition in (
        ("lower half", "lemma-2.5", Edition.STATEMENT),
        ("upper half", "lemma-2.6", Edition.STATEMENT),
        ("printed table", "lemma-2.6:table-6", Edition.PRINTED),
        ("repaired table", "lemma-2.6:table-6", Edition.REPAIRED),
    ):
        assert values[cell] == found(claim, edition, 8, semantics).verdict.value


@pytest.mark.parametrize(
    ("lower", "upper", "both", "one"),
    [
        ("verified", "verified", "verified", "verified"),
        ("refuted", "verified", "refuted", "refuted"),
        ("verified", "refuted", "refuted", "refuted"),
        ("open", "verified", "open", "open"),
        ("open", "refuted", "refuted", "refuted"),
        ("declined", "verified", "declined", "open"),
    ],
)
def test_both_halves_together(lower: str, upper: str, both: str, one: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worse half decides; one reading that supports both is enough, and only readings that each refute one refute all."""
    made = Session().ask("every-bit-counts/equation-1", Edition.STATEMENT, {"h": 6}, read_semantics("a4"))

    def ask(self: Session, claim: str, *rest: object) -> Outcome:
        verdict = Verdict({"lemma-2.5": lower, "lemma-2.6": upper}.get(claim.rpartition("/")[2], "open"))
        return Outcome(verdict, made.scope, reason="a test", counterexample={"p": "3"} if verdict is Verdict.REFUTED else None)

    monkeypatch.setattr(Session, "ask", ask)
    a4 = read_semantics("a4")
    assert Session().own(BOTH, Edition.STATEMENT, {"p": 3}, a4).verdict.value == both
    without_theorems = replace(ONE, proofs=())
    assert Session().own(without_theorems, Edition.STATEMENT, {"p": 3}, a4).verdict.value == one


def test_a_witness_that_errs_at_once_is_refuted_in_full_too() -> None:
    witness = find_claim("every-bit-counts/lemma-2.6:denominator-first")
    for name, fails in (("a4+point=grid", True), ("a4", False)):
        values, semantics = witness.complete({"p": 5}), read_semantics(name)
        session = Session()
        query = Query(find_claim("every-bit-counts/lemma-2.6"), Edition.STATEMENT, values, semantics, session)
        assert fails_at_once(query, witness) is fails
        refuted = session.ask(witness.id, Edition.STATEMENT, values, semantics).verdict is Verdict.REFUTED
        assert refuted is fails
