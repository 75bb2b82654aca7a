"""The line of a run counts serious findings apart from misprints, degenerate parameters and slips."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.papers_of_tests import shelved
from verifier.claims.papers import Paper, find_paper
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.findings import findings
from verifier.gate.run import Run, run_paper
from verifier.show.paper_screen import Lines


@pytest.fixture(scope="module")
def toy() -> Iterator[tuple[Paper, Run]]:
    with shelved():
        paper = find_paper("toy")
        assert paper is not None
        yield paper, run_paper(paper)


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
