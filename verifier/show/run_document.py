"""Results as the versioned JSON document ``bitreferee/run/1``: every quantity is an exact string."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from verifier import __version__
from verifier.claims.verdicts import Result

SCHEMA = "bitreferee/run/1"


def result_record(result: Result) -> dict[str, Any]:
    """One result as the schema's ``result``."""
    outcome = result.outcome
    cases = outcome.scope.cases
    more: dict[str, Any] = {"values": dict(outcome.values)} if outcome.values else {}
    more |= {"proof": list(outcome.proof)} if outcome.proof else {}
    more |= {"blocked_by": outcome.blocked_by} if outcome.blocked_by else {}
    more |= {"slips": str(result.slips)} if result.slips is not None else {}
    return {
        "claim": result.claim,
        "edition": result.edition.value,
        "witness": outcome.witness,
        "parameters": {k: str(v) for k, v in result.parameters.items()},
        "semantics": result.semantics,
        "verdict": outcome.verdict.value,
        "scope": {"statement": outcome.scope.statement, "cases": str(cases) if cases else None, "method": outcome.scope.method},
        "assumptions": list(outcome.assumptions),
        "reason": outcome.reason,
        "counterexample": dict(outcome.counterexample) if outcome.counterexample else None,
        "failures": str(outcome.failures) if outcome.failures is not None else None,
        "replay": result.replay,
        "parts": list(outcome.parts),
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
