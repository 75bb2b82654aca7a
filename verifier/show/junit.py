"""Results as JUnit XML: a suite for each claim, a case for each edition and parameter point."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from junitparser import Attr, Error, Failure, IntAttr, JUnitXml, Skipped, TestCase, TestSuite

from verifier.claims.verdicts import Result, Verdict
from verifier.running.grouping import grouped
from verifier.running.printable import assignment
from verifier.show.places import Document, Place, Placed

_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Case(TestCase):
    """A case with the attributes by which GitLab and others find its line."""

    file, line = Attr(), IntAttr()


def as_junit(document: Document) -> str:
    """JUnit XML: refuted is a failure, a defect of an unreadable file an error; an undecided result is skipped, with its reason.

    Cases know file and line. The results of a construction file have its path as name, so that a copied folder keeps the names. A result
    under the default reading, beside that of the file's reading, is not a failure: it is skipped, and its text gives the finding.
    """
    made: Any = JUnitXml("bitreferee")
    listed = [*document.results, *document.beside]
    for name, group in grouped((_name(result, document.placed), result) for result in listed).items():
        suite = TestSuite(name)
        suite.add_testcases([_case(result, name, document) for result in group])
        made.add_testsuite(suite)
    for file, defects in grouped((Place(Path(d.file), 1, "").file, d) for d in sorted(document.defects, key=lambda d: d.file)).items():
        suite = TestSuite(file)
        for defect in defects:
            message, place = _NO_XML.sub("?", str(defect)), document.of_defect(defect)
            case = _Case(message, file)
            case.file, case.line = file, place.line
            told = f"; {_NO_XML.sub('?', place.fix.told)}" if place.fix else ""
            case.result = [Error(f"{message}{told}", "unreadable")]
            suite.add_testcase(case)
        made.add_testsuite(suite)
    text: bytes | str = made.tostring()
    return text.decode() if isinstance(text, bytes) else text


def _name(result: Result, placed: Placed) -> str:
    """The claim; for a construction file, its path with the expectation after a colon."""
    owner, colon, part = result.claim.partition(":")
    place = placed(result) if owner.startswith("construction/") else None
    return f"{place.file}{colon}{part}" if place is not None else result.claim


def _case(result: Result, name: str, document: Document) -> _Case:
    """A result as a case, named by its edition, its point and, if the claim is judged under several readings, its reading."""
    reading = (result.semantics or "") if document.names_reading(result) else ""
    case = _Case(" ".join(filter(None, (result.edition.value, assignment(result.parameters), reading))), name, result.seconds)
    if (place := document.placed(result)) is not None:
        case.file, case.line = place.file, place.line
    message = _NO_XML.sub("?", "; ".join(filter(None, (document.reason(result), document.repair(result)))))
    if document.is_beside(result):
        said = f"the file names another reading; under {result.semantics} it is {result.verdict.value}: {message}"
        case.result = [Skipped(said, "another reading")]
    elif result.verdict is Verdict.REFUTED:
        failure = Failure(f"{message}; replay: {result.replay}", "refuted")
        failure.text = _NO_XML.sub("?", assignment(result.outcome.counterexample or {}))
        case.result = [failure]
    elif result.verdict is not Verdict.VERIFIED:
        assumptions = f"assuming {', '.join(result.outcome.assumptions)}; " if result.outcome.assumptions else ""
        case.result = [Skipped(f"{assumptions}{message}", result.verdict.value)]
    elif remark := document.remark(result):
        case.system_out = remark
    return case
