"""The page of a paper: the findings first, every statement in a line, and the same page for the same run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from tests.papers_of_tests import page, run_paper, shelved, the_paper
from verifier.claims.model import Claim
from verifier.claims.papers import Paper, find_claim, papers
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.errata.findings import SERIOUS, findings
from verifier.errata.listings import listings
from verifier.gate.run import Run
from verifier.gate.standing import Answer, Part, Printed, Question, Standing
from verifier.show.badges import badge, citation
from verifier.show.judged import Judged
from verifier.show.pages import MOST_WORDS, _proof, _undecided, existence, head, overview, parameters_named, words


@pytest.fixture
def toy() -> Iterator[tuple[Paper, Run]]:
    with shelved():
        paper = the_paper("toy")
        yield paper, run_paper(paper)


def test_another_verdict_is_another_page(toy: tuple[Paper, Run]) -> None:
    paper, run = toy

    found = {tuple(r.parameters.items()): r.outcome for r in run.results["toy/theorem-3"] if r.edition is Edition.PRINTED}
    failing = [replace(r, outcome=found[tuple(r.parameters.items())]) for r in run.results["toy/theorem-3"]]
    other = replace(run, results={**run.results, "toy/theorem-3": failing})
    assert "| true for p = 1..3 (exact) |" in page(paper, run)
    assert "| true for p = 1 (exact); false for p = 2..3 (counterexample) |" in page(paper, other)
    assert page(paper, run) == page(paper, run)


def test_the_overview_the_badge_and_the_citation_count_the_same_findings(toy: tuple[Paper, Run]) -> None:
    paper, run = toy
    text = overview([paper], {"toy": run})
    assert "| [A paper of three statements](toy.md) | 1 | 0 |\n" in text
    assert "| [A paper of three statements](toy.md) | 0 | 1 | 0 | 1 | 0 | 0 |" in text
    proved = replace(run, symbols={claim.id: {"statement": "every"} for claim in paper})
    assert "| [A paper of three statements](toy.md) | 1 | 1 |\n" in overview([paper], {"toy": proved})
    assert "[verdicts.tsv](../verdicts.tsv)" in text
    assert "[verdicts.tsv](../verdicts.tsv)" in page(paper, run)
    assert "<title>bitreferee: 1 broken</title>" in badge(listings(paper, run.results, run.follows))
    assert "<title>bitreferee: nothing serious found</title>" in badge(())
    broken = listings(paper, run.results, run.follows)[0]
    misprint = replace(broken, finding=replace(broken.finding, entry=msgspec.structs.replace(broken.finding.entry, kind="misprint")))
    assert "<title>bitreferee: holds, but for misprints (1)</title>" in badge((misprint,))
    assert citation(paper).startswith("@techreport{bitreferee-toy,")


def test_the_overview_begins_with_the_gravest_mistake_of_each_paper(toy: tuple[Paper, Run]) -> None:
    paper, run = toy
    (grave,) = (each for each in listings(paper, run.results, run.follows) if each.finding.kind in SERIOUS)
    first, others = overview([paper], {"toy": run}).split("## Which results hold")
    assert f"| {grave.finding.entry.title} |" in first
    assert grave.finding.entry.title not in others


def test_a_page_is_read_in_one_sitting() -> None:
    pages = sorted((Path(__file__).parents[3] / "reports").glob("*.md"))
    assert len(pages) > 1
    assert {page.name: lines for page in pages if (lines := len(page.read_text(encoding="utf-8").splitlines())) >= 300} == {}


@pytest.mark.parametrize(
    ("place", "short"), [("Section 4, Eq. (8)", "Section 4, Eq. (8)"), ("Appendix A.3 (on numbers), last line", "Appendix A.3")]
)
def test_the_number_of_an_equation_stays_in_a_short_place(place: str, short: str) -> None:
    assert head(place) == short


def test_claims_that_are_open_for_one_reason_share_a_line() -> None:
    paper = the_paper("fixed-point-networks")
    one, other = paper.statement("section-3"), paper.statement("equation-30")
    proved = paper.statement("theorem-6")  # a theorem of Coq decides it

    def at(claim: Claim, reason: str) -> Result:
        outcome = Outcome(Verdict.OPEN, Scope("x", 1), reason=reason, undecided="a sample")
        return Result(claim.id, Edition.STATEMENT, {"p": 2, "s": 1, "d": 1}, None, outcome)

    told = paper.statement("equation-9")  # a sentence of the letter says that it is open
    found = {
        told.id: [at(told, "every network")],
        one.id: [at(one, "all reals")],
        other.id: [at(other, "every p")],
        proved.id: [at(proved, "every p")],
    }
    run = Run({claim.id: found.get(claim.id, []) for claim in paper}, {}, {}, {})
    assert _undecided(Judged(paper, run)) == ["Section 3, Equation 30: a sample."]


def test_a_page_says_what_its_parameters_are_and_what_a_statement_of_existence_claims() -> None:
    claim = find_claim("fixed-point-networks/theorem-6")
    answer = Answer("", "", (Part("true", ("every p >= 1",)),), Verdict.VERIFIED)
    question = Question("", claim, (answer,), "true")
    assert parameters_named([Standing(claim, (question,))]) == [("p", "magnitude bits")]
    assert existence([Standing(claim, (question,))]) == []
    some = Standing(claim, (question,), exists="network")
    said = "Theorem 6 claims only that some network works. An answer *false* is about the proof's network; the theorem stays open."
    assert existence([some]) == [said]


def test_a_proof_that_fails_names_the_points_that_say_why() -> None:
    claim = find_claim("fixed-point-networks/theorem-6")
    paper = the_paper("fixed-point-networks")
    point, *others = findings(paper)
    fails = Question("", claim, (), "open", Printed("fails", (others[0].id, others[1].id), first=claim))
    assert _proof(fails, [point]) == "fails, first at Theorem 6"
    assert _proof(fails, [point, others[1], others[0]]) == "fails (points 2 and 3)"
    corrected = replace(fails, proof=Printed("corrected", (point.id, others[0].id), ("p = 2",)))
    assert _proof(corrected, [point]) == "fails (point 1); works after 2 corrections for p = 2"
    assert _proof(replace(fails, proof=None), [point]) == ""
    false = Result(claim.id, Edition.STATEMENT, {}, None, Outcome(Verdict.REFUTED, Scope("x", 1), reason="so"))
    false_part = replace(fails, claim=point.about[0], proof=None, failing=false)
    assert _proof(false_part, [*others, point]) == f"see point {len(others) + 1}"
    assert _proof(false_part, [], [point]) == "see the corrections"


def test_a_letter_without_room_counts_the_points_that_it_leaves_out(toy: tuple[Paper, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = page(*toy)
    assert "more mistake" not in whole
    monkeypatch.setattr("verifier.show.pages.MOST_WORDS", words(whole) - 40)
    short = page(*toy)
    assert "findings toy` lists one more misleading mistake." in short
    assert "**1. " in whole
    assert "**1. " not in short


def test_a_letter_is_short_and_corrects_every_misprint() -> None:
    """At most eight major points; every finding is a point or a row of the table."""
    for paper in (p for p in papers() if p.id != "toy"):
        reports = Path(__file__).parents[3] / "reports"
        text, beside = (reports / f"{paper.id}.md").read_text(encoding="utf-8"), reports / f"{paper.id}-corrections.md"
        table = text.split("## To correct")[1].split("## What stays open")[0] if "## To correct" in text else ""
        points, whole = text.count("\n**"), beside.read_text(encoding="utf-8") if beside.exists() else ""
        assert points <= 8, paper.id
        assert (whole or table).count("\n|") - 2 >= len(findings(paper)) - (0 if whole else points), paper.id
        assert words(text) <= MOST_WORDS, paper.id
