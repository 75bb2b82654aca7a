"""Results as the versioned JSON document ``bitreferee/run/1``: every quantity is an exact string."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from verifier import __version__
from verifier.claims.verdicts import Result
from verifier.running.printable import json_text

SCHEMA = "bitreferee/run/1"


def document(results: Iterable[Result]) -> dict[str, Any]:
    """The whole run as the schema's document."""
    program = {"name": "bitreferee", "version": __version__}
    return {"schema": SCHEMA, "program": program, "results": [result.to_dict() for result in results]}


def as_json(results: Iterable[Result]) -> str:
    """The whole run as JSON text."""
    return json_text(document(results))
