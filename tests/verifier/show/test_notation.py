"""Mathematics in sentences and formulas: what is found, what is left as text, and that both printers show the same."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tests.rows import tables
from verifier.claims.papers import papers
from verifier.errata.findings import findings
from verifier.show.corrections import written
from verifier.show.notation.mathml import formula, sentence
from verifier.show.notation.plain import plain

ROWS = tables(__file__, "notation.toml")


@pytest.mark.parametrize(("typed", "shown"), ROWS["sentences"])
def test_mathematics_in_a_sentence(typed: str, shown: str) -> None:
    assert plain(typed) == shown


@pytest.mark.parametrize("typed", ["A X is computed", "A.4 forms A X W^V", "the error dY", "e^<Q,K> V"])
def test_letters_that_a_product_has_are_mathematics(typed: str) -> None:
    assert re.search(r"<math>.*(A.*X|dY|V)", sentence(typed))


@pytest.mark.parametrize("typed", ["a matrix A I know", "Appendix A Section 2", "Table 2 A", "a McDonald X", "y is dry"])
def test_capitals_beside_words_are_no_product(typed: str) -> None:
    assert "<math>" not in sentence(typed).replace("<math><mi>y</mi></math>", "")


@pytest.mark.parametrize(
    "typed", ["a y-axis and a 2-bit number", "Lemma 2.6 and Table 5", "`x^2 - 1` as typed", "low-precision a/b test", "step 1: a"]
)
def test_words_stay_words(typed: str) -> None:
    assert plain(typed) == typed


@pytest.mark.parametrize(("typed", "shown"), ROWS["formulas"])
def test_a_formula_keeps_its_brackets(typed: str, shown: str) -> None:
    assert written(typed) == shown


def test_every_sentence_of_a_finding_is_well_formed_and_loses_nothing() -> None:
    texts = [text for paper in papers() for f in findings(paper) for text in (f.entry.title, f.entry.place, f.entry.says) if text]
    texts += [claim.statement for paper in papers() for claim in paper]
    assert len(texts) > 1000
    for text in texts:
        made = ElementTree.fromstring(f"<p>{sentence(text)}</p>")
        digits = re.sub(r"\D", "", "".join(made.itertext()))
        assert digits == re.sub(r"\D", "", text), text


def test_markup_in_a_sentence_is_text() -> None:
    assert "<b>" not in sentence("a <b> tag & more")
    assert "<script" not in formula("<script>alert(1)</script>")
