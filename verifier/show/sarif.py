"""Results as SARIF 2.1.0, for code-scanning views: every result that is not verified, and every defect of a file that cannot be read.

A verified result is not an entry: views such as GitHub's list whatever is there as a problem, its kind ``pass`` or not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from importlib import metadata
from typing import Any

from verifier import __version__
from verifier.claims.verdicts import Result, Verdict
from verifier.gate.point_sets import products
from verifier.gate.standing import spoken
from verifier.running.errors import FileDefect
from verifier.running.grouping import grouped
from verifier.running.printable import assignment, json_text
from verifier.show.places import Document, Place

SCHEMA = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"
RULES = {
    "refuted": (
        "error",
        "An input refutes what the file or paper claims. The message names the smallest one and the command that replays it.",
    ),
    "ill-formed": ("error", "The construction is ill-formed: a token has no row or two, or a vector has the wrong length."),
    "expectation": ("error", "An [[expect]] of the file is false on some input."),
    "unreadable": ("error", "The file cannot be read as a construction. Each defect is a separate result, at its line."),
    "another-reading": ("note", "The file holds under the reading that it names. Under the default reading an input refutes it."),
    "constant": ("warning", "The table is right, but on every promised input its function has one value. Is the promise the intended one?"),
    "undecided": ("note", "Nothing refutes the claim and nothing proves it: it is conditional, open or declined. The message says why."),
}
"""List the rules, each with its level and its meaning. A rule keeps its id, whatever the files are called."""


KINDS = {"another-reading": ("informational", "none"), "constant": ("fail", "warning"), "undecided": ("open", "none")}
"""The kind and level of the results that are no refutations."""
MOST_POINTS = 12
"""The largest number of points that an alert names besides the first."""
PAGE = "Documentation"
"""The label of the project's address at which its pages are, in the metadata of the installed package."""


def help_uri() -> dict[str, str]:
    """``helpUri`` of a rule: SARIF requires an absolute address, so the field exists only if the package's metadata has the address of its
    pages."""
    for entry in metadata.metadata("bitreferee").get_all("Project-URL") or ():
        label, _, address = entry.partition(",")
        if label.strip() == PAGE and address.strip().startswith("https://"):
            return {"helpUri": f"{address.strip().rstrip('/')}/your-own-ci/"}
    return {}


def as_sarif(document: Document) -> str:
    """SARIF JSON: one result for each claim, edition and reading that is not verified at some points, and for each defect of an unreadable
    file.

    A refutation under the default reading only, beside the file's own reading, is a note.
    """
    where, defects = help_uri(), document.defects
    rules = [
        {
            "id": rule,
            "shortDescription": {"text": rule},
            "fullDescription": {"text": says},
            "help": {"text": says},
            **where,
            "defaultConfiguration": {"level": level},
        }
        for rule, (level, says) in RULES.items()
    ]
    invocation: dict[str, Any] = {"executionSuccessful": not defects}
    if defects:
        places = [[{"physicalLocation": _physical(document.of_defect(d))}] for d in defects]
        told = zip(defects, places, strict=True)
        notices = [{"level": "error", "message": {"text": f"{d.file}: {d}"}, "locations": at} for d, at in told]
        invocation["toolExecutionNotifications"] = notices
    run = {
        "tool": {"driver": {"name": "bitreferee", "version": __version__, "rules": rules}},
        "automationDetails": {"id": "bitreferee/"},
        "invocations": [invocation],
        "results": [
            *_alerts(
                [result for result in document.results if result.verdict is not Verdict.VERIFIED or document.remark(result)], document
            ),
            *_alerts([result for result in document.beside if result.verdict is Verdict.REFUTED], document),
            *(_unreadable(defect, document.of_defect(defect)) for defect in defects),
        ],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(result: Result) -> str:
    """The rule of a result."""
    if result.verdict is not Verdict.REFUTED:
        return "constant" if result.verdict is Verdict.VERIFIED else "undecided"
    if "defect" in (result.outcome.counterexample or {}):
        return "ill-formed"
    return "expectation" if result.claim.startswith(("construction/", "network/")) and ":" in result.claim else "refuted"


def _alerts(results: Sequence[Result], document: Document) -> Iterator[dict[str, Any]]:
    """The results, those of one question at one place together: the first, and the points of the others."""
    asked = grouped(((r.claim, r.edition, r.semantics, _rule(r), document.placed(r)), r) for r in results)
    for first, *others in asked.values():
        also = [tuple((name, str(value)) for name, value in other.parameters.items()) for other in others]
        yield _result(first, document, [*map(spoken, products(also))] if also else [])


def _result(result: Result, document: Document, also: Sequence[str]) -> dict[str, Any]:
    beside, place, outcome = document.is_beside(result), document.placed(result), result.outcome
    reading = f" under {result.semantics}" if document.names_reading(result) else ""
    words = [f"{result.claim} {result.edition.value} {assignment(result.parameters)}".strip() + f"{reading}: {outcome.verdict.value}"]
    words += ["the file names another reading"] if beside else []
    words += [f"assuming {', '.join(outcome.assumptions)}"] if outcome.assumptions else []
    words.append(document.reason(result))
    words += [f"counterexample: {assignment(outcome.counterexample)}"] if outcome.counterexample else []
    more = f"; and at {len(also) - MOST_POINTS} more" if len(also) > MOST_POINTS else ""
    words += [f"the same at {'; '.join(also[:MOST_POINTS])}{more}"] if also else []
    words += filter(None, [document.repair(result)])
    words += [f"replay: {result.replay}"] if result.replay else []
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": result.claim, "kind": "member"}]}
    if place is not None:
        location["physicalLocation"] = _physical(place)
    rule = "another-reading" if beside else _rule(result)
    kind, level = KINDS.get(rule, ("fail", "error"))
    return {
        **_fixes(place),
        "ruleId": rule,
        "kind": kind,
        "level": level,
        "message": {"text": "; ".join(words)},
        "locations": [location],
        "partialFingerprints": {"bitreferee/question/1": _question(result, place)},
        "properties": {"claim": result.claim, "edition": result.edition.value, "verdict": outcome.verdict.value},
    }


def _fixes(place: Place | None) -> dict[str, Any]:
    """The first repair that was found, as replacements in the file, or empty without one."""
    if place is None or (fix := place.fix) is None:
        return {}
    changes = [
        {
            "deletedRegion": {"startLine": each.line, "startColumn": each.column, "endLine": each.line, "endColumn": each.end},
            "insertedContent": {"text": each.text},
        }
        for each in fix.made
    ]
    location = _physical(place)["artifactLocation"]
    return {"fixes": [{"description": {"text": fix.says}, "artifactChanges": [{"artifactLocation": location, "replacements": changes}]}]}


def _unreadable(defect: FileDefect, at: Place) -> dict[str, Any]:
    place = _physical(at)
    return {
        **_fixes(at),
        "ruleId": "unreadable",
        "kind": "fail",
        "level": "error",
        "message": {"text": "; ".join([str(defect), *([at.fix.told] if at.fix else [])])},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"bitreferee/question/1": _digest([place["artifactLocation"]["uri"], str(defect)])},
    }


def _physical(place: Place) -> dict[str, Any]:
    base = {} if place.uri.startswith("file:") else {"uriBaseId": "%SRCROOT%"}
    return {"artifactLocation": {"uri": place.uri, **base}, "region": {"startLine": place.line}}


def _question(result: Result, place: Place | None) -> str:
    """A digest of the question: a file is named by its path, so the alerts of a copy are separate from those of the first."""
    name, _, part = result.claim.partition(":")
    subject = place.uri if place is not None and name.startswith("construction/") else name
    return _digest([subject, part, result.edition.value, _rule(result), result.semantics])


def _digest(asked: object) -> str:
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:16]
