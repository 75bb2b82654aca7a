"""Results as SARIF 2.1.0, for code-scanning views: every result that is not verified, at its claim."""

from __future__ import annotations

import json
from collections.abc import Iterable

from verifier import __version__
from verifier.output.screen import parameter_list
from verifier.verdicts import Result, Verdict


def as_sarif(results: Iterable[Result]) -> str:
    """SARIF JSON: one rule for each claim, one result for each finding; verified ones have the kind ``pass``."""
    listed = list(results)
    rules = [{"id": claim, "name": claim.partition("/")[2]} for claim in dict.fromkeys(r.claim for r in listed)]
    run = {
        "tool": {"driver": {"name": "bitreferee", "version": __version__, "rules": rules}},
        "results": [_result(r) for r in listed],
    }
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _result(result: Result) -> dict[str, object]:
    finding = result.finding
    words = [f"{result.edition.value} {parameter_list(result)}: {finding.verdict.value}", finding.reason or finding.scope.statement]
    if finding.assumptions:
        words.insert(1, f"assuming {', '.join(finding.assumptions)}")
    if result.replay:
        words.append(f"replay: {result.replay}")
    return {
        "ruleId": result.claim,
        "kind": "pass" if finding.verdict is Verdict.VERIFIED else "fail" if finding.verdict is Verdict.REFUTED else "open",
        "level": "error" if finding.verdict is Verdict.REFUTED else "none",
        "message": {"text": "; ".join(words)},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": result.claim, "kind": "member"}]}],
        "properties": {"edition": result.edition.value, "verdict": finding.verdict.value},
    }
