"""No page shows an address or a field of our files: a reader has the paper open, and not our statement files."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.verifier.show.site.sites import tables_site, toy_site, unjudged_site
from verifier.claims.papers import papers

ADDRESS = re.compile(
    r"""\b(?:row|weights|mlp|input|let)\.[\w.]+\.\w+   # an entry of a construction: row.1.zero.2
    | \b[a-z]+-[a-z0-9.]+\#\d                          # one of several errata of a claim: lemma-c.7#2
    | (?:^|\0|;\s?)(?:of|is|let|each|holds|says|where|left|right|steps|when):\s  # a field of a statement file
    | \[\[?'|\{'claim'                                 # a list of TOML as Python prints it""",
    re.VERBOSE,
)


def addresses(files: dict[str, str]) -> list[str]:
    """The pages that show one, with what they show."""
    found = []
    for path, text in files.items():
        if path.endswith(".html"):
            words = unescape(re.sub(r"<[^>]*>", "\0", re.sub(r"<(script|style|svg|pre).*?</\1>", "", text, flags=re.DOTALL)))
            found += [f"{path}: {words[max(0, m.start() - 20) : m.end() + 20]!r}" for m in ADDRESS.finditer(words)]
    return found


@pytest.mark.parametrize("text", ["<p>row.1.zero.2: 0</p>", "<p>see lemma-c.7#2</p>", "<dd>of: sum(a)</dd>", "<del>[['a']]</del>"])
def test_an_address_is_seen(text: str) -> None:
    assert addresses({"a.html": text})


def test_no_page_of_tables_or_of_a_small_paper_shows_an_address() -> None:
    assert addresses(tables_site()) == []
    assert addresses(toy_site()) == []


@pytest.mark.campaign
@pytest.mark.parametrize("name", [paper.id for paper in papers()])
def test_no_page_of_a_paper_shows_an_address(name: str) -> None:
    files = unjudged_site(next(paper for paper in papers() if paper.id == name))
    assert len(files) > 20
    assert addresses(files) == []
