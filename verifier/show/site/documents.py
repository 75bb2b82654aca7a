"""The documentation on the site: the README and the pages of ``docs`` in the checkout of the program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, pairwise
from posixpath import dirname, join, normpath

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from verifier.gate.folder import checkout
from verifier.show.site.templates import page

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
    """All pages of the checkout, the README first; none if the program does not run from a checkout."""
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
