"""Results as SARIF 2.1.0, for code-scanning views: every result that is not verified, at its line.

A verified result is no entry: views such as GitHub's list whatever is there as a problem, its kind ``pass`` or not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from verifier import __version__
from verifier.claims.verdicts import Result, Verdict
from verifier.show.places import Place, Placed, in_paper
from verifier.show.screen import parameter_list

SCHEMA = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"


def as_sarif(results: Iterable[Result], placed: Placed = in_paper) -> str:
    """SARIF JSON: one rule for each claim, whose id is the claim's; one result for each point and edition that is not verified."""
    listed = [(result, placed(result)) for result in results]
    places = {result.claim: place for result, place in reversed(listed)}
    rules = [_rule(claim, places[claim]) for claim in dict.fromkeys(result.claim for result, _ in listed)]
    run = {
        "tool": {"driver": {"name": "bitreferee", "version": __version__, "rules": rules}},
        "results": [_result(result, place) for result, place in listed if result.verdict is not Verdict.VERIFIED],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _rule(claim: str, place: Place | None) -> dict[str, Any]:
    says = place.says if place is not None else claim
    return {
        "id": claim,
        "shortDescription": {"text": claim},
        "fullDescription": {"text": says},
        "help": {"text": f"{says}\n\nThe message of each result ends with the command that shows it again."},
    }


def _result(result: Result, place: Place | None) -> dict[str, Any]:
    outcome = result.outcome
    words = [f"{result.edition.value} {parameter_list(result)}".strip() + f": {outcome.verdict.value}"]
    words += [f"assuming {', '.join(outcome.assumptions)}"] if outcome.assumptions else []
    words.append(outcome.reason or outcome.scope.statement)
    words += [f"replay: {result.replay}"] if result.replay else []
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": result.claim, "kind": "member"}]}
    if place is not None:
        base = {} if place.uri.startswith("file:") else {"uriBaseId": "%SRCROOT%"}
        location["physicalLocation"] = {"artifactLocation": {"uri": place.uri, **base}, "region": {"startLine": place.line}}
    refuted = outcome.verdict is Verdict.REFUTED
    return {
        "ruleId": result.claim,
        "kind": "fail" if refuted else "open",
        "level": "error" if refuted else "none",
        "message": {"text": "; ".join(words)},
        "locations": [location],
        "partialFingerprints": {"bitreferee/question/1": _question(result)},
        "properties": {"edition": result.edition.value, "verdict": outcome.verdict.value},
    }


def _question(result: Result) -> str:
    """What was asked, as a digest: two results of one rule at one line are two alerts where they answer different questions."""
    asked = [result.claim, result.edition.value, [[k, str(v)] for k, v in result.parameters.items()], result.semantics]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:16]
