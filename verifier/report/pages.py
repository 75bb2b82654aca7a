"""One Markdown page for each paper: claims with all editions, scopes and assumptions; errata with their counterexamples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from verifier.claims.model import Claim, Paper
from verifier.output.markdown import cell
from verifier.output.screen import mapping_text, parameter_list
from verifier.report.errata import TableErratum, table_errata
from verifier.verdicts import Edition, Result, Verdict

if TYPE_CHECKING:
    from jinja2 import Template

GENERATED = "<!-- Written by `verify report`; edit the claims, not this page. -->"


@lru_cache(maxsize=1)
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False)
    environment.filters["cell"] = cell
    return environment.from_string((files("verifier.report") / "page.md.jinja").read_text(encoding="utf-8"))


def page(paper: Paper, results: Mapping[str, Sequence[Result]]) -> str:
    """The page of a paper; the same results always make the same page."""
    sections = [_section(claim, results[claim.id]) for claim in paper]
    every = [r for listed in results.values() for r in listed]
    counts = {e.value: {v.value: sum(1 for r in every if r.edition is e and r.verdict is v) for v in Verdict} for e in Edition}
    tables = {claim.table: claim for claim in reversed(paper.claims) if claim.table is not None and claim.table.errata}
    errata: list[TableErratum] = [e for claim in reversed(tables.values()) for e in table_errata(claim)]
    return _template().render(
        generated=GENERATED,
        paper=paper,
        sections=sections,
        counts=counts,
        verdicts=[v.value for v in Verdict],
        errata=errata,
    )


def _section(claim: Claim, results: Sequence[Result]) -> dict[str, Any]:
    printed = [r for r in results if r.edition is Edition.PRINTED and r.verdict is Verdict.REFUTED]
    first = printed[0] if printed else None
    return {
        "claim": claim,
        "rows": [_row(r) for r in results],
        "smallest": _counterexample(first) if first else None,
        "replay": first.replay if first else None,
    }


def _row(result: Result) -> dict[str, str]:
    finding = result.finding
    remarks = [f"assuming {', '.join(finding.assumptions)}"] if finding.assumptions else []
    remarks += [finding.reason] if finding.reason else []
    return {
        "point": parameter_list(result) or "–",
        "edition": result.edition.value,
        "verdict": finding.verdict.value,
        "scope": finding.scope.statement,
        "method": finding.scope.method or "–",
        "remarks": "; ".join(remarks),
    }


def _counterexample(result: Result) -> str:
    finding = result.finding
    point = parameter_list(result)
    text = mapping_text(finding.counterexample) if finding.counterexample else finding.reason or ""
    return f"at {point}: {text}" if point and not finding.counterexample else text
