"""A reader who has only the site: what is true, what is wrong first, what would have to change, and how to check it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from tests.papers_of_tests import run_paper, shelved, the_paper
from tests.verifier.show.site.sites import toy_site, unjudged_site
from verifier.claims.papers import papers
from verifier.gate.run import main_claims
from verifier.show.answers import proof_line
from verifier.show.judged import Judged
from verifier.show.notation.mathml import sentence


def words(text: str) -> str:
    """What stands on a page or in a sentence, without signs of mathematics that are set in several ways, and without spaces."""
    shown = unescape(re.sub(r"<[^>]*>", "", text))
    return re.sub(r"\W|_", "", shown)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The site of the small paper as files."""
    for name, text in toy_site().items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def links(page: Path) -> Iterator[Path]:
    for href in re.findall(r'href="([^"#]+\.html)', page.read_text(encoding="utf-8")):
        yield (page.parent / href).resolve()


def test_the_paper_page_answers_each_main_theorem_row_by_row(folder: Path) -> None:
    text = words((folder / "toy" / "index.html").read_text(encoding="utf-8"))
    with shelved():
        paper = the_paper("toy")
        results = Judged(paper, run_paper(paper)).main
    assert results
    for asked in (asked for result in results for asked in result.questions):
        for said in (asked.says or asked.claim.statement, proof_line(asked), *(answer.text for answer in asked.answers)):
            assert words(sentence(said)) in text, said


def test_the_first_finding_has_its_example_its_correction_and_how_to_repeat_it(folder: Path) -> None:
    page = folder / "toy" / "index.html"
    (first, *_) = (path for path in links(page) if path.parent.name == "findings" and path.stem != "index")
    text = first.read_text(encoding="utf-8")
    sections = [text.index(f'id="{name}"') for name in ("example", "correction", "follows")]
    assert sections == sorted(sections)
    example = text[sections[0] : sections[1]]
    assert re.search(r'<code class="command">verify [^<]+</code>', example)
    assert "<del>" in text[sections[1] : sections[2]] or "Read" in text[sections[1] : sections[2]]


@pytest.mark.campaign
@pytest.mark.parametrize("name", [paper.id for paper in papers()])
def test_each_papers_page_names_every_main_theorem_and_its_rows(name: str) -> None:
    paper = next(each for each in papers() if each.id == name)
    text = words(unjudged_site(paper)[f"{name}/index.html"])
    for claim in main_claims(paper):
        for said in [row.says for row in claim.rows] or [claim.statement]:
            assert words(sentence(said)) in text, (claim.name, said)
