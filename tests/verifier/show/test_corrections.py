"""What an author would change, in words: every sentence belongs to an erratum, and every serious change has one or can be shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.claims.papers import Paper, find_claim, papers
from verifier.errata.by_name import named_errata
from verifier.errata.findings import SERIOUS, findings
from verifier.gate.standing import proof_of
from verifier.running.errors import InputError
from verifier.show.corrections import Correction, Row, correction_rows, corrections, in_words
from verifier.show.counterexamples import in_a_line, named
from verifier.show.markdown import template

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


def test_places_of_one_change_name_once_what_they_share() -> None:
    made = Correction("t/x", ("Table 6, step 2, bit 0, first entry", "Table 6, step 2, bit 1, first entry"), "a", "b", "c", "")
    assert made.place == "Table 6, step 2, bit 0, first entry; bit 1"
    assert replace(made, places=("Lemma 2, proof", "Lemma 5", "Lemma 2, proof")).place == "Lemma 2, proof; Lemma 5"


def test_a_result_has_the_corrections_of_its_own_proof() -> None:
    """The finding is about the proofs of two lemmas; without names of their errata all of it is told."""
    finding = next(each for paper in SHIPPED for each in findings(paper) if each.entry.id == "residue")
    own = named_errata(proof_of(find_claim("every-bit-counts/lemma-2.6")).values())
    told = [row.read for row in correction_rows(finding.paper, finding, own)]
    every = [row.read for row in correction_rows(finding.paper, finding)]
    assert len(told) == 1
    assert set(told) < set(every)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"p": "2", "place": "step 9", "defect": "token 3 has a row"},
            "p = 2, step 9, token 3 has a row",
        ),
        ({"computed": "inf", "the paper states": "finite(v)"}, "computed inf, the paper states a finite number"),
        ({"computed": "126", "the paper states": "v == inf"}, "computed 126, the paper states inf"),
        ({"computed": "0", "the paper states": "v < 0"}, "computed 0, the paper states v < 0"),
    ],
)
def test_a_counterexample_says_in_words_what_is_wrong(values: dict[str, str], said: str) -> None:
    assert in_a_line(values) == said


@pytest.mark.parametrize(
    ("asserted", "values", "claim", "said"),
    [
        ("m >= 1 at p = 1", "p = 1, left = -1, right = 1", "", "p = 1, m = -1, it should be at least 1"),
        ("last_token_of_z(t) <= n at t = 6", "left = 19, right = 17", "", "last token of z = 19, n = 17"),
        ("a <= b and b <= c at p = 1", "a = 1, b = 2, left = 2, right = 1", "", "a = 1, b = 2, c = 1"),
        ("a <= c and b <= c", "left = 2, right = 1", "", "left side = 2, right side = 1"),
        ("K/speed >= 1 at K = 1", "left = 1/2, right = 1", "", "K/speed = 1/2, it should be at least 1"),
        (
            "K/speed >= 1 at K = 1",
            "left = 1/2, right = 1",
            "one-bit-scaling/proposition-4.3:time",
            "the time of Proposition 4.3 = 1/2, the time of Theorem 4.2 = 1",
        ),
        ("f(i) == 1", "place = 4, left = 2, right = 1", "", "place = 4, f(i) = 2, it should be 1"),
    ],
)
def test_the_sides_of_a_counterexample_have_names(asserted: str, values: str, claim: str, said: str) -> None:
    found = dict(pair.split(" = ") for pair in values.split(", "))
    assert in_a_line(named(found, asserted, claim)) == said


def test_a_page_of_corrections_has_texts_to_print_apart_from_sentences() -> None:
    rows = [Row("Lemma 1", "p - 1", "p", True), Row("Lemma 2", "We know no repair.", "false", False), Row("Lemma 3", "q", "r", True)]
    texts, sentences = template("changes.md.jinja").render(changes=rows).split("what to change")
    assert "| Lemma 1 | p − 1 | p |" in texts
    assert "| Lemma 3 | q | r |" in texts
    assert "| Lemma 2 | false | We know no repair. |" in sentences


@pytest.mark.parametrize("paper", SHIPPED, ids=lambda paper: paper.id)
def test_only_a_text_to_print_replaces_another(paper: Paper) -> None:
    """A finding's sentence, or an erratum's, is no text to print."""
    told = {*in_words(paper).told.values(), *(" ".join(f.entry.correction.split()) for f in findings(paper))}
    rows = [row for finding in findings(paper) for row in correction_rows(paper, finding)]
    assert not {row.read for row in rows if row.replaces} & told
    assert {row.read for row in rows if not row.replaces} <= told | {c.said for f in findings(paper) for c in corrections(paper, f)}
