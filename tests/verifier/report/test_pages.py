"""The page of a paper: one row for each point, what is refuted first, and the same page for the same results."""

from tests.verifier.report.toy import paper_of
from verifier.report.pages import page
from verifier.report.run import Run, run_claims
from verifier.statements.model import Claim, Erratum, Parameter, Question
from verifier.verdicts import Edition, Finding, Scope, Verdict


def bound(question: Question) -> Finding:
    """n <= 2 as printed, n <= 9 as repaired."""
    limit = 9 if question.edition is Edition.REPAIRED else 2
    scope = Scope(f"n = {question['n']}", 1)
    if question["n"] <= limit:
        return Finding(Verdict.VERIFIED, scope)
    return Finding(Verdict.REFUTED, scope, counterexample={"n": str(question["n"]), "bound": "a|b"})


CLAIM = Claim(
    "toy/lemma-1.2:bound",
    "n is at most the bound",
    "Section 1",
    "n itself",
    (Parameter("n", "a number", "n >= 1", "2..4"),),
    bound,
    errata=(Erratum("n <= 2", "n <= 9", "of the misprint"),),
    bounded=False,
)
TOY = paper_of(CLAIM)


def test_the_editions_of_a_point_share_a_row_and_the_refuted_come_first() -> None:
    text = page(TOY, run_claims(TOY))
    assert "| n = 2 | verified | verified | verified | n = 2 | – |  |" in text
    assert "| n = 3 | refuted | refuted | verified | n = 3 | – |  |" in text
    summary = "| [lemma-1.2:bound](#lemma-12bound) | at n = 3: bound = a\\|b | n <= 2 → n <= 9 |"
    assert text.index(summary) < text.index("## Claims") < text.index("### lemma-1.2:bound")
    assert "verify toy/lemma-1.2:bound --n 3 --edition printed" in text


def test_the_counts_are_those_of_the_results() -> None:
    text = page(TOY, run_claims(TOY))
    assert "| printed | 1 | 0 | 0 | 0 | 2 |" in text
    assert "| repaired | 3 | 0 | 0 | 0 | 0 |" in text


def test_nothing_refuted_leaves_no_summary() -> None:
    run = Run({CLAIM.id: [r for r in run_claims(TOY).every_result if r.parameters["n"] == 2]}, {})
    text = page(TOY, run)
    assert "Refuted as printed" not in text
    assert text == page(TOY, run)
