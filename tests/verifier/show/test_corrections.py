"""What an author would change, in words: every sentence belongs to an erratum, and every serious change has one or can be shown."""

from __future__ import annotations

import pytest

from verifier.claims.papers import Paper, papers
from verifier.errata.by_name import named_errata
from verifier.errata.findings import SERIOUS, findings
from verifier.running.errors import InputError
from verifier.show.corrections import corrections, in_words

SHIPPED = [paper for paper in papers() if paper.id != "toy"]


@pytest.mark.parametrize("paper", SHIPPED, ids=lambda paper: paper.id)
def test_every_sentence_is_about_an_erratum(paper: Paper) -> None:
    told = in_words(paper)
    assert sorted({*told.told, *told.read} - named_errata(paper).keys()) == []


def test_an_example_that_names_no_value_of_the_counterexample_is_a_mistake() -> None:
    finding = next(each for paper in SHIPPED for each in findings(paper) if "{p}" in each.entry.example)
    with pytest.raises(
        InputError, match=rf"findings.toml:\d+: finding {finding.entry.id}: no value 'p' in its counterexample; the names are q"
    ):
        finding.example({"q": "1"})


@pytest.mark.parametrize("paper", SHIPPED, ids=lambda paper: paper.id)
def test_a_serious_finding_says_what_to_change(paper: Paper) -> None:
    for finding in findings(paper):
        if finding.kind in SERIOUS:
            said = finding.entry.correction or [c.said for c in corrections(paper, finding) if c.in_words or c.short]
            assert said, finding.id
