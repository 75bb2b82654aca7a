"""The glossary, the page on trust, and the documentation: the README and the pages of ``docs`` in the checkout of the program."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import count, pairwise
from posixpath import dirname, join, normpath
from typing import Any

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from verifier.arithmetic.semantics import KNOBS, NAMED, ONLY, TURNED, Semantics
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.verdicts import Verdict
from verifier.errata.findings import MEANING
from verifier.gate.standing import EVIDENCE
from verifier.gate.verdict_table import checkout
from verifier.show.judged import Judged
from verifier.show.own_pages import own_file
from verifier.show.site.templates import page
from verifier.show.theorems import decides, linked_theorems
from verifier.show.verdict_words import MARK, titled

GLOSSARY = "glossary.toml"
TRUST = "trust.toml"


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word, its meaning, and its place in the paper."""

    name: str
    says: str
    place: str = ""


class Method(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way in which verdicts are reached.

    checks: what is checked; code: the modules; wrong: what could make a verdict wrong; again: how to repeat a check without this program's
    engines.
    """

    id: str
    title: str
    checks: str
    code: list[str]
    wrong: str
    again: str


def terms(judged: Judged) -> list[Term]:
    """Read the words of a paper from ``glossary.toml`` in its folder, if it exists."""
    return (own_file(judged.paper, GLOSSARY, dict[str, list[Term]]) or {}).get("term", [])


def _ours(name: str) -> dict[str, Any]:
    return tomllib.loads((files("verifier.show.site") / name).read_text(encoding="utf-8"))


def glossary(papers: Sequence[Judged]) -> str:
    ours = _ours(GLOSSARY)
    return page(
        "glossary.html.jinja",
        "glossary.html",
        "Glossary",
        terms=msgspec.convert(ours["term"], list[Term]),
        verdicts=[(v.value, MARK[v], ours["verdict"][v.value]) for v in Verdict],
        evidence=list(EVIDENCE.items()),
        classes=list(MEANING.items()),
        knobs=list(_knobs()),
        named=[(name, _knobs_of(s)) for name, s in NAMED.items()],
        papers=[
            (judged.paper, found, list(judged.paper.readings.items()))
            for judged in papers
            if (found := terms(judged)) or len(judged.paper.readings) > 1
        ],
    )


def _knobs_of(semantics: Semantics) -> list[str]:
    """The knobs that a named reading changes, and its order of summation."""
    changed = [f"{k}={v}" for k, v in semantics.changed_knobs]
    return changed or ["the default of every knob" if semantics.order == DEFAULT_SEMANTICS.order else f"order={semantics.order}"]


def words(papers: Sequence[Judged]) -> Iterator[tuple[str, str]]:
    """Every word of the glossary with its meaning: ours, verdicts, classes, and the papers' own."""
    ours = _ours(GLOSSARY)
    yield from ((term["name"], term["says"]) for term in ours["term"])
    yield from ours["verdict"].items()
    yield from MEANING.items()
    yield from ((term.name, term.says) for judged in papers for term in terms(judged))


def _knobs() -> Iterator[dict[str, Any]]:
    for knob, settings in TURNED.items():
        yield {
            "name": knob,
            "only": ONLY.get(knob),
            "settings": [(setting, KNOBS[knob][setting]) for setting in settings],
        }


def methods(papers: Sequence[Judged]) -> list[Method]:
    """Our methods, then those in each paper's ``trust.toml``."""
    own = (own_file(judged.paper, TRUST, dict[str, list[Method]]) or {} for judged in papers)
    return [*msgspec.convert(_ours(TRUST)["method"], list[Method]), *(method for found in own for method in found.get("method", []))]


def trust(papers: Sequence[Judged]) -> str:
    """Every method: what is checked, by which code, what could make it wrong, and how to repeat it."""
    return page("trust.html.jinja", "trust.html", "Trust", methods=methods(papers), theorems=list(_theorems(papers)))


def _theorems(papers: Sequence[Judged]) -> Iterator[dict[str, str]]:
    """The theorems that claims of these papers link to, each with the claim's page."""
    for judged in papers:
        for claim in judged.paper:
            for found in linked_theorems([claim]):
                yield {"kernel": found.proof.kernel, "name": titled(claim.name), "href": judged.page(claim.id), "says": decides(found)}


PLACES = {"README.md": "docs/index.html", "CONTRIBUTING.md": "docs/contributing.html"}
"""The pages on the site, by their paths in the checkout; those of ``docs`` have the same name there."""


@dataclass(frozen=True)
class Section:
    """A heading with its text up to the next one, for the search."""

    title: str
    says: str
    page: str


@dataclass(frozen=True)
class Document:
    """A page of the documentation."""

    path: str
    title: str
    body: Markup
    sections: tuple[Section, ...]

    @property
    def html(self) -> str:
        return page("document.html.jinja", self.path, self.title, body=self.body)


@lru_cache(maxsize=1)
def documents() -> tuple[Document, ...]:
    """List all pages of the checkout, the README first. The list is empty if the program does not run from a checkout."""
    folder = checkout()
    if folder is None:
        return ()
    listed = (path.relative_to(folder).as_posix() for path in sorted((folder / "docs").glob("*.md")))
    places = {**PLACES, **{name: name.replace(".md", ".html") for name in listed}}
    return tuple(document(name, (folder / name).read_text(encoding="utf-8"), places) for name in places)


def document(name: str, text: str, places: Mapping[str, str]) -> Document:
    """Render a page of Markdown. name: its path; places: the paths on the site of the pages that links may lead to."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL))
    at = [k for k, token in enumerate(tokens) if token.type == "heading_open"]
    sections = []
    for k, following in pairwise([*at, len(tokens)]):
        title = _words(tokens[k + 1 : k + 2])
        tokens[k].attrSet("id", re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"))
        sections.append(Section(title, _words(tokens[k + 3 : following]), f"{places[name]}#{tokens[k].attrGet('id')}"))
    for token in tokens:
        token.children = list(_with_links(token.children or [], name, places)) if token.children else token.children
    made = reader.renderer.render(tokens, reader.options, {})
    number = count(1)
    made = re.sub("<table>", lambda _: f'<div class="scroll" tabindex="0" role="region" aria-label="Table {next(number)}"><table>', made)
    return Document(places[name], sections[0].title, Markup(made.replace("</table>", "</table></div>")), tuple(sections))


def _words(tokens: Sequence[Token]) -> str:
    """The text of some tokens, without marks."""
    lines = ("".join(part.content or " " * (not part.nesting) for part in token.children or [token]) for token in tokens)
    return " ".join(" ".join(lines).split())


def _with_links(tokens: Sequence[Token], name: str, places: Mapping[str, str]) -> Iterator[Token]:
    """Redirect the links of a line to pages of the site, and replace every other link by its words."""
    kept: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            target, _, place = str(token.attrGet("href")).partition("#")
            there = places.get(normpath(join(dirname(name), target)) if target else name)
            kept.append(there is not None)
            if there is None:
                continue
            token.attrSet("href", f"{there.partition('/')[2]}{f'#{place}' if place else ''}")
        elif token.type == "link_close" and not kept.pop():
            continue
        yield token
