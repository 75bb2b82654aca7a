"""Pages name the theorems that claims link to, whatever is installed, and never against what was judged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.verifier.show.site.sites import every_bit_counts, one_table
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.kernel_proofs import deciding, linked
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.gate.run import Run
from verifier.gate.standing import leading, standing
from verifier.kernel import coq
from verifier.running.errors import InputError
from verifier.show.judged import Judged, fact
from verifier.show.site.build import statement_page
from verifier.show.site.graph import graph_page
from verifier.show.site.reference import trust
from verifier.show.theorems import decides, linked_theorems, theorems

A4, NARRATIVE = read_semantics("a4"), read_semantics("narrative")
MAIN = "true for every p >= 3 and n >= 4*p + 2 (Coq 8.16.1, theorem denominator_first_computes_equality of Proof.v)"


@pytest.fixture(autouse=True)
def no_coq_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked() -> None:
        raise AssertionError("a page asked for Coq")

    monkeypatch.setattr(coq, "installed_coq", asked)


def claim(name: str) -> Claim:
    return find_claim(f"every-bit-counts/{name}")


def result(claim: Claim, p: int, verdict: Verdict = Verdict.VERIFIED) -> Result:
    outcome = Outcome(
        verdict, Scope("made up", 1, "enumeration"), witness="none" if verdict is Verdict.VERIFIED else None, reason="made up"
    )
    return Result(claim.id, Edition.STATEMENT, {"p": p, "n": 4 * p + 2}, "a4", outcome)


def facts_with(claim: Claim, results: list[Result], **readings: dict[str, dict[str, list[Result]]]) -> Judged:
    run = one_table().run
    return Judged(every_bit_counts(), replace(run, results={**run.results, claim.id: results}, **readings))


def test_a_theorem_is_named_with_its_kernel_and_its_readings() -> None:
    (first, second, corrected) = linked_theorems([claim("lemma-2.6")])
    assert decides(first) == f"{MAIN} in matrix order and in token order"
    assert second.ranges == "p = 2 and every n >= 4*p + 2"
    assert decides(corrected).startswith("true after our corrections for every p >= 7")
    assert decides(next(linked_theorems([claim("lemma-2.5")]))).startswith("false for every p >= 3 (Coq 8.16.1")
    assert theorems([claim("lemma-c.5")]) == []


def test_what_a_theorem_covers_is_not_said_twice_and_what_contradicts_it_is() -> None:
    lemma = claim("lemma-2.6")
    results = [result(lemma, 1, Verdict.REFUTED), result(lemma, 2), result(lemma, 3), result(lemma, 4, Verdict.REFUTED)]
    found, left = leading(lemma, A4, results)
    assert len(found) == 2
    assert [r.parameters["p"] for r in left] == [1, 4]
    _, left = leading(lemma, NARRATIVE, results)
    assert [r.parameters["p"] for r in left] == [1, 2, 4]


def test_an_answer_leads_with_every_p() -> None:
    lemma = claim("lemma-2.6")
    results = [result(lemma, 1, Verdict.REFUTED), *(result(lemma, p) for p in range(2, 9))]
    facts = facts_with(lemma, results, readings={"narrative": {lemma.id: results}})
    matrix, token = standing(facts, lemma).questions[0].answers
    assert matrix.text.startswith("true for every p >= 2 and n >= 4*p + 2 (kernel)")
    assert token.text == "true for every p >= 3 and n >= 4*p + 2 (kernel), and for p = 2 (all inputs)"
    lower = claim("lemma-2.5")
    failing = [result(lower, p, Verdict.REFUTED) for p in range(3, 9)]
    answer, *_ = standing(facts_with(lower, failing), lower).questions[0].answers
    assert answer.text.startswith("false for every p >= 3 (kernel)")


def test_a_sentence_that_needs_a_theorem_is_refused_without_one() -> None:
    facts = Judged(every_bit_counts(), Run({}, {}))
    assert fact(facts, "proved lemma-2.6") == ""
    for name in ("lemma-c.5", "lemma-9.9"):
        with pytest.raises(InputError, match="no theorem of a proof folder proves it"):
            fact(facts, f"proved {name}")


def test_statement_graph_and_trust_page_name_the_theorem() -> None:
    judged = one_table()
    for text in (statement_page(judged, claim("lemma-2.6")), graph_page(judged), trust([judged])):
        assert "theorem denominator_first_computes_equality of Proof.v" in text
    assert "0 verdicts of this report</p>\n<ul>" not in trust([judged])


def test_every_link_of_a_statement_file_leads_to_a_theorem() -> None:
    for each in every_bit_counts():
        for proof in each.proofs:
            assert linked(each, proof).theorem.name == proof.theorem
    assert list(deciding(claim("lemma-2.5"), Edition.PRINTED, A4)) == []
