"""Strips and lines count serious findings only: what fails for misprints alone holds but for these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest

from tests.papers_of_tests import shelved
from verifier.claims.papers import Paper, find_claim, find_paper
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.errata.findings import findings
from verifier.errata.listings import Listing, listings
from verifier.gate.run import Run, run_paper
from verifier.show.paper_screen import Lines, statement_line
from verifier.show.pictures.verdicts import picture
from verifier.show.verdict_words import sign, stands

STEP = "toy/lemma-2:first"


@pytest.fixture(scope="module")
def toy() -> Iterator[tuple[Paper, Run]]:
    with shelved():
        paper = find_paper("toy")
        assert paper is not None
        yield paper, run_paper(paper)


def listed(toy: tuple[Paper, Run], kind: str) -> list[Listing]:
    """The findings, all of this class."""
    paper, run = toy
    return [
        replace(o, finding=replace(o.finding, entry=msgspec.structs.replace(o.finding.entry, kind=kind)))
        for o in listings(paper, run.results, run.follows)
    ]


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("false", ("refuted", "✗")),
        ("broken", ("refuted", "✗")),
        ("wrong", ("refuted", "✗")),
        ("slip", ("slip", "s")),
        ("edge", ("misprints", "✓*")),
        ("misprint", ("misprints", "✓*")),
    ],
)
def test_the_class_of_a_finding_decides_the_sign(toy: tuple[Paper, Run], kind: str, shown: tuple[str, str]) -> None:
    claim, results, found = find_claim(STEP), toy[1].results[STEP], listed(toy, kind)
    made = sign(claim, results, Edition.PRINTED, found)
    assert (made.kind, made.mark) == shown
    assert sign(claim, results, Edition.REPAIRED, found).kind == "verified"
    drawn = picture(claim, results, {}, "", found).inside()
    assert (f">{shown[1]}</text>" in drawn, ">✗</text>" in drawn) == (True, shown[1] == "✗")


def test_no_finding_is_no_misprint(toy: tuple[Paper, Run]) -> None:
    assert sign(find_claim(STEP), toy[1].results[STEP], Edition.PRINTED, ()).kind == "refuted"


def test_what_the_corrections_do_not_mend_stays_refuted(toy: tuple[Paper, Run]) -> None:
    def unmended(result: Result) -> Result:
        failing = next(r.outcome for r in toy[1].results[STEP] if r.verdict is Verdict.REFUTED)
        return replace(result, outcome=failing)

    results = [unmended(r) if r.edition is Edition.REPAIRED else r for r in toy[1].results[STEP]]
    assert sign(find_claim(STEP), results, Edition.PRINTED, listed(toy, "misprint")).kind == "refuted"


def test_a_line_says_that_it_holds_but_for_misprints(toy: tuple[Paper, Run]) -> None:
    claim = find_claim(STEP)
    assert str(stands(claim, toy[1].results[STEP], Edition.PRINTED, listed(toy, "wrong"))).startswith("fails")
    text = str(stands(claim, toy[1].results[STEP], Edition.PRINTED, listed(toy, "misprint")))
    assert text.startswith("holds")
    assert text.endswith(", but for misprints (1)")
    serious, lesser = (statement_line(find_claim("toy/lemma-2"), toy[1], listed(toy, k))["steps"] for k in ("wrong", "misprint"))
    assert lesser == f"{serious}, 1 but for misprints or slips"


def test_the_counts_of_a_run_name_the_lesser_failures(toy: tuple[Paper, Run], capsys: pytest.CaptureFixture[str]) -> None:
    paper, run = toy
    lines = Lines(paper, steps=True)
    for claim in paper:
        lines.claim(claim, run.results[claim.id], {})
    lines.end()
    said = capsys.readouterr().out
    refuted = sum(1 for c in paper if any(r.edition is Edition.PRINTED and r.verdict is Verdict.REFUTED for r in run.results[c.id]))
    slips = [f for f in findings(paper) if f.kind in ("slip", "edge", "misprint")]
    assert refuted > len(slips) > 0
    assert f"{len(slips)} of the refuted are misprints, degenerate parameters or slips" in said
