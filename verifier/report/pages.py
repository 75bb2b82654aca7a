"""One Markdown page for each paper: claims with all editions, scopes and assumptions; errata with their counterexamples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from verifier.output.markdown import cell
from verifier.output.screen import mapping_text, parameter_list
from verifier.report.errata import tables_with_errata
from verifier.report.run import Run
from verifier.statements.model import Claim
from verifier.statements.papers import Paper
from verifier.verdicts import Edition, Result, Verdict

if TYPE_CHECKING:
    from jinja2 import Template

GENERATED = "<!-- Written by `verify report`; edit the claims, not this page. -->"


@lru_cache(maxsize=1)
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False)
    environment.filters |= {"cell": cell, "anchor": _anchor, "repairs": _repairs}
    return environment.from_string((files("verifier.report") / "page.md.jinja").read_text(encoding="utf-8"))


def page(paper: Paper, run: Run) -> str:
    """The page of a paper; the same run always makes the same page."""
    sections = [_section(claim, run.results[claim.id]) for claim in paper]
    every = [result for claim in paper for result in run.results[claim.id]]
    counts = {e.value: {v.value: sum(1 for r in every if r.edition is e and r.verdict is v) for v in Verdict} for e in Edition}
    return _template().render(
        generated=GENERATED,
        paper=paper,
        sections=sections,
        refuted=[s for s in sections if s["smallest"]],
        counts=counts,
        verdicts=[v.value for v in Verdict],
        errata=[erratum for claim in tables_with_errata(paper) for erratum in run.errata[claim.id]],
    )


def _section(claim: Claim, results: Sequence[Result]) -> dict[str, Any]:
    printed = [r for r in results if r.edition is Edition.PRINTED and r.verdict is Verdict.REFUTED]
    first = printed[0] if printed else None
    return {
        "claim": claim,
        "rows": _rows(results),
        "smallest": _counterexample(first) if first else None,
        "replay": first.replay if first else None,
    }


def _rows(results: Sequence[Result]) -> list[dict[str, str]]:
    """One row for the editions of a point that share scope, method and remarks, with a verdict for each of them."""
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for result in results:
        finding = result.finding
        point, remarks = parameter_list(result) or "–", _remarks(result)
        key = (point, finding.scope.statement, finding.scope.method or "–", remarks)
        blank = {edition.value: "" for edition in Edition}
        row = rows.setdefault(key, blank | dict(zip(("point", "scope", "method", "remarks"), key, strict=True)))
        row[result.edition.value] = finding.verdict.value
    return list(rows.values())


def _anchor(heading: str) -> str:
    """The fragment that Markdown readers give a heading: punctuation other than hyphens left out."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _repairs(claim: Claim) -> str:
    if claim.errata:
        return "; ".join(f"{e.printed} → {e.repaired}" for e in claim.errata)
    return "of its table, below" if claim.table is not None and claim.table.errata else "–"


def _remarks(result: Result) -> str:
    finding = result.finding
    named = [f"assuming {', '.join(finding.assumptions)}"] if finding.assumptions else []
    return "; ".join(named + ([finding.reason] if finding.reason else []))


def _counterexample(result: Result) -> str:
    """Where, and what: the parameters stand once, also where the counterexample names them itself."""
    finding = result.finding
    found = {k: v for k, v in (finding.counterexample or {}).items() if v != str(result.parameters.get(k))}
    text, point = mapping_text(found) if found else finding.reason or "", parameter_list(result)
    return f"at {point}: {text.removeprefix(f'at {point}: ')}" if point else text
