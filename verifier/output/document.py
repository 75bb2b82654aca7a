"""Results as the versioned JSON document ``bitreferee/run/1``: every quantity is an exact string."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from verifier import __version__
from verifier.verdicts import Result

SCHEMA = "bitreferee/run/1"


def result_record(result: Result) -> dict[str, Any]:
    """One result as the schema's ``result``."""
    finding = result.finding
    cases = finding.scope.cases
    more: dict[str, Any] = {"values": dict(finding.values)} if finding.values else {}
    more |= {"proof": list(finding.proof)} if finding.proof else {}
    more |= {"blocked_by": finding.blocked_by} if finding.blocked_by else {}
    more |= {"slips": str(result.slips)} if result.slips is not None else {}
    return {
        "claim": result.claim,
        "edition": result.edition.value,
        "witness": finding.witness,
        "parameters": {k: str(v) for k, v in result.parameters.items()},
        "semantics": result.semantics,
        "verdict": finding.verdict.value,
        "scope": {"statement": finding.scope.statement, "cases": str(cases) if cases else None, "method": finding.scope.method},
        "assumptions": list(finding.assumptions),
        "reason": finding.reason,
        "counterexample": dict(finding.counterexample) if finding.counterexample else None,
        "failures": str(finding.failures) if finding.failures is not None else None,
        "replay": result.replay,
        "parts": list(finding.parts),
        "seconds": f"{result.seconds:.3f}",
        **more,
    }


def document(results: Iterable[Result]) -> dict[str, Any]:
    """The whole run as the schema's document."""
    program = {"name": "bitreferee", "version": __version__}
    return {"schema": SCHEMA, "program": program, "results": [result_record(r) for r in results]}


def as_json(results: Iterable[Result]) -> str:
    """The whole run as JSON text."""
    return json.dumps(document(results), indent=1, ensure_ascii=False) + "\n"
