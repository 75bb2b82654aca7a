"""Theorem 2.4: its table has a row for each p and reading, on the screen and in JSON, made of the verdicts that it sums up."""

from __future__ import annotations

import pytest

from constructions.every_bit_counts.judges.tables import fails_at_once
from tests.command_line import CommandLine
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Query
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict

THEOREM = find_claim("every-bit-counts/theorem-2.4")
BOTH = find_claim("every-bit-counts/theorem-2.4:both-halves")
ONE = find_claim("every-bit-counts/theorem-2.4:one-reading")
assert THEOREM.overview is not None
READINGS = THEOREM.overview.readings


def found(claim: str, edition: Edition, p: int, semantics: str) -> Outcome:
    return Session().ask(f"every-bit-counts/{claim}", edition, {"p": p}, read_semantics(semantics))


@pytest.mark.campaign
def test_a_range_carries_the_table(verify: CommandLine) -> None:
    rows = [r for r in verify("theorem-2.4", "--p", "3..4", "--format", "json").document["results"] if r["claim"] == BOTH.id]
    assert [(r["parameters"]["p"], r["semantics"]) for r in rows] == [(p, s) for p in "34" for s in READINGS]
    at = {(r["parameters"]["p"], r["semantics"]): r for r in rows}
    for point, semantics in (("3", "narrative"), ("3", "a4"), ("4", "narrative")):
        values = at[point, semantics]["values"]
        assert values["lower half"] == found("lemma-2.5", Edition.STATEMENT, int(point), semantics).verdict.value
        assert values["upper half"] == found("lemma-2.6", Edition.STATEMENT, int(point), semantics).verdict.value
    assert at["4", "a4"]["values"]["bits by counting"] == "3"  # 153 pairs of 3-bit numbers are at least 2^7
    assert at["4", "a4+point=grid"]["values"]["bits by counting"] == "4"  # 9 · 5 are fewer
    assert {at["4", s]["values"]["numerator"] for s in ("narrative", "a4+order=values")} == {"one sum"}


@pytest.mark.campaign
def test_the_screen_shows_a_row_for_each_reading(verify: CommandLine) -> None:
    lines = verify("theorem-2.4", "--p", "3..4").out.splitlines()
    table = lines[lines.index(next(x for x in lines if BOTH.id in x)) :]
    assert [line.split()[:2] for line in table if "narrative" in line] == [["3", "narrative"], ["4", "narrative"]]


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
    assert Session().own(ONE, Edition.STATEMENT, {"p": 3}, a4).verdict.value == one


def test_a_witness_that_errs_at_once_is_refuted_in_full_too() -> None:
    witness = find_claim("every-bit-counts/lemma-2.6:denominator-first")
    for name, fails in (("a4+point=grid", True), ("a4", False)):
        values, semantics = witness.complete({"p": 5}), read_semantics(name)
        session = Session()
        query = Query(find_claim("every-bit-counts/lemma-2.6"), Edition.STATEMENT, values, semantics, session)
        assert fails_at_once(query, witness) is fails
        refuted = session.ask(witness.id, Edition.STATEMENT, values, semantics).verdict is Verdict.REFUTED
        assert refuted is fails
