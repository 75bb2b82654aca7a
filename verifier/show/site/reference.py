"""The glossary and the page on trust: words, verdicts and knobs, and for each method what would make it wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from verifier.arithmetic.semantics import KNOBS, NAMED, ONLY, TURNED, Semantics
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.verdicts import Verdict
from verifier.errata.findings import MEANING
from verifier.gate.standing import EVIDENCE
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
        papers=[(judged.paper, found, list(judged.paper.readings.items())) for judged in papers if (found := terms(judged))],
    )


def _knobs_of(semantics: Semantics) -> list[str]:
    """The knobs that a named reading changes, and in which order it sums."""
    changed = [f"{k}={v}" for k, v in semantics.changed_knobs]
    return changed or ["the default of every knob" if semantics.order == DEFAULT_SEMANTICS.order else f"order={semantics.order}"]


def words(papers: Sequence[Judged]) -> Iterator[tuple[str, str]]:
    """Every word of the glossary with what it means: ours, verdicts, classes, and the papers' own."""
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
