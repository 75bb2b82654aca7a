"""The glossary and the page on trust: words, verdicts and knobs, and for each method what would make it wrong."""

from __future__ import annotations

import tomllib
from collections import Counter
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
    """A word, what it means here, and where the paper has it."""

    name: str
    says: str
    place: str = ""


class Method(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way in which verdicts are reached.

    begins: how the names of its methods begin; checks: what is looked at; code: the modules; wrong: what would make a verdict wrong;
    again: how to check one without this program's engines.
    """

    id: str
    title: str
    begins: list[str]
    checks: str
    code: list[str]
    wrong: str
    again: str


def terms(judged: Judged) -> list[Term]:
    """The words of a paper, from the ``glossary.toml`` in its folder; none where it has none."""
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
    """Ours, then those that the papers' folders add in a ``trust.toml``."""
    own = (own_file(judged.paper, TRUST, dict[str, list[Method]]) or {} for judged in papers)
    return [*msgspec.convert(_ours(TRUST)["method"], list[Method]), *(method for found in own for method in found.get("method", []))]


def trust(papers: Sequence[Judged]) -> str:
    """Every method with the number of verdicts that rest on it; those in words of their own are listed as they are."""
    used = Counter(r.outcome.scope.method for j in papers for r in j.run.every_result if r.outcome.scope.method)
    listed = methods(papers)
    groups: dict[str, Counter[str]] = {m.id: Counter() for m in listed}
    own: Counter[str] = Counter()
    for name, count in used.items():
        found = method_of(name, listed)
        (groups[found.id] if found else own)[name] += count
    return page(
        "trust.html.jinja",
        "trust.html",
        "Trust",
        methods=[(m, sum(groups[m.id].values()), sorted(groups[m.id])) for m in listed],
        theorems=list(_theorems(papers)),
        own=sorted(own.items(), key=lambda item: (-item[1], item[0])),
        parts=sum(1 for j in papers for r in j.run.every_result if r.outcome.parts and not r.outcome.scope.method),
    )


def _theorems(papers: Sequence[Judged]) -> Iterator[dict[str, str]]:
    """The theorems that claims of these papers link to, each with the claim's page."""
    for judged in papers:
        for claim in judged.paper:
            for found in linked_theorems([claim]):
                yield {"kernel": found.proof.kernel, "name": titled(claim.name), "href": judged.page(claim.id), "says": decides(found)}


def method_of(name: str, listed: Sequence[Method]) -> Method | None:
    """The entry of a method's name: the one that it begins with, the longest first."""
    fitting = [(len(begin), m) for m in listed for begin in m.begins if name.startswith(begin)]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None
