"""The page of a paper: the findings first, every statement in a line, and the same page for the same run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shlex import quote

import pytest

from tests.verifier.claims.toy import FOLDER, shelved
from verifier.claims.papers import Paper, find_paper
from verifier.claims.verdicts import Edition
from verifier.errata.listings import listings
from verifier.gate.run import Run, run_paper
from verifier.show.badges import badge, citation
from verifier.show.overview import overview
from verifier.show.pages import page


@pytest.fixture
def toy() -> Iterator[tuple[Paper, Run]]:
    with shelved():
        paper = find_paper("toy")
        assert paper is not None
        yield paper, run_paper(paper)


def test_the_findings_stand_before_the_statements_and_tell_what_follows(toy: tuple[Paper, Run]) -> None:
    text = page(*toy)
    first, statements = text.index("**1. The least of them is 2, not 3.** *broken*"), text.index("## Statements in the paper's order")
    assert text.index("**In short.**") < first < statements
    assert "<b>fails because of this:</b> lemma-2, lemma-2:first, theorem-3" in text
    assert f"Replay: `verify --papers {quote(str(FOLDER))} toy/lemma-2:first --p 2 --edition printed`" in text
    assert "| 1 | lemma-2:first | `3` | p = 2, claimed = 3, found = 2 | `2` | 2 is even |" in text
    assert "| 2 | slip | proof of Lemma 1 | Each pair is counted twice | p = 1, left = 1, right = 2 |" in text


def test_each_statement_has_a_line_with_its_steps_folded(toy: tuple[Paper, Run]) -> None:
    lines = page(*toy).splitlines()
    assert "- ✓ **Lemma 1**: true p=1..4 <details><summary>1 of 2 steps hold</summary>✓ pairs · ✗ count</details>" in lines
    lemma_2 = "- ✗ **Lemma 2**: true p=2..4 · printed fails p=2..4 · with errata holds p=2..4 · finding 1"
    assert any(line.startswith(lemma_2) for line in lines)


def test_another_verdict_is_another_page(toy: tuple[Paper, Run]) -> None:
    paper, run = toy

    found = {tuple(r.parameters.items()): r.outcome for r in run.results["toy/lemma-2"] if r.edition is Edition.STATEMENT}
    held = [replace(r, outcome=found[tuple(r.parameters.items())]) for r in run.results["toy/lemma-2"]]
    other = replace(run, results={**run.results, "toy/lemma-2": held})
    assert "- ✗ **Lemma 2**" in page(paper, run)
    assert "- ✗ **Lemma 2**" not in page(paper, other)
    assert page(paper, run) == page(paper, run)


def test_the_overview_the_badge_and_the_citation_count_the_same_findings(toy: tuple[Paper, Run]) -> None:
    paper, run = toy
    assert "| [A paper of three statements](toy.md) | 0 | 1 | 0 | 1 | 0 | 0 |" in overview([paper], {"toy": run})
    assert "<title>bitreferee: 1 broken</title>" in badge(listings(paper, run.results, run.follows))
    assert "<title>bitreferee: nothing serious found</title>" in badge(())
    assert citation(paper).startswith("@techreport{bitreferee-toy,")


def test_an_erratum_is_shown_where_its_claim_is_meant(toy: tuple[Paper, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    paper, run = toy
    step = next(c for c in paper if c.name == "lemma-2:first")
    later = [r for r in run.results[step.id] if r.parameters["p"] == 3 and r.edition is Edition.PRINTED]
    assert later[0].outcome.counterexample
    monkeypatch.setattr(type(step), "not_meant", lambda self, values: "too small" if values.get("p", 9) < 3 else None)
    assert "| 1 | lemma-2:first | `3` | p = 3," in page(paper, run)


def test_a_page_is_read_in_one_sitting() -> None:
    pages = sorted((Path(__file__).parents[3] / "reports").glob("*.md"))
    assert len(pages) > 1
    assert {page.name: lines for page in pages if (lines := len(page.read_text(encoding="utf-8").splitlines())) >= 300} == {}
