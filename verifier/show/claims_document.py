"""The list of statements and steps as the document ``bitreferee/claims/1``. It repeats the papers' files; nothing is judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from verifier.claims.model import Claim

SCHEMA = "bitreferee/claims/1"


def document(claims: Iterable[Claim]) -> dict[str, Any]:
    """The document, the claims in the order given."""
    return {"schema": SCHEMA, "claims": [_record(claim) for claim in claims]}


def _record(claim: Claim) -> dict[str, Any]:
    """A claim; ``role`` is null for a statement, ``table`` where it has no construction, ``typical`` where a parameter has a default."""
    return {
        "id": claim.id,
        "paper": claim.paper,
        "statement": claim.owner,
        "role": claim.role,
        "says": claim.statement,
        "place": claim.place,
        "kind": claim.kind,
        "ours": claim.ours,
        "parameters": [
            {"name": p.name, "meaning": p.meaning, "where": p.where, "typical": p.typical, "default": p.default, "names": list(p.names)}
            for p in claim.parameters
        ],
        "errata": str(len(claim.errata)),
        "table": claim.table.name if claim.table is not None else None,
    }
