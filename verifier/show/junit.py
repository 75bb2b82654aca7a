"""Results as JUnit XML: a suite for each claim, a case for each edition and parameter point."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from junitparser import Attr, Error, Failure, IntAttr, JUnitXml, Skipped, TestCase, TestSuite

from verifier.claims.verdicts import Result, Verdict
from verifier.show.places import Placed, in_paper
from verifier.show.screen import mapping_text, parameter_list
from verifier.show.unreadable import Unreadable

_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Case(TestCase):
    """A case with the attributes by which GitLab and others find its line."""

    file, line = Attr(), IntAttr()


def as_junit(results: Iterable[Result], placed: Placed = in_paper, defects: Sequence[Unreadable] = ()) -> str:
    """JUnit XML: refuted is a failure, a defect of an unreadable file an error; what is undecided is skipped, with its reason.

    Cases know file and line.
    """
    document: Any = JUnitXml("bitreferee")
    for claim, group in groupby(results, key=lambda r: r.claim):
        suite = TestSuite(claim)
        for result in group:
            suite.add_testcase(_case(result, placed))
        document.add_testsuite(suite)
    for file, listed in groupby(sorted(defects, key=lambda d: d.file), key=lambda d: d.file):
        suite = TestSuite(file)
        for defect in listed:
            case = _Case(_NO_XML.sub("?", defect.message), file)
            case.file, case.line = file, defect.line or 1
            case.result = [Error(_NO_XML.sub("?", defect.message), "unreadable")]
            suite.add_testcase(case)
        document.add_testsuite(suite)
    text: bytes | str = document.tostring()
    return text.decode() if isinstance(text, bytes) else text


def _case(result: Result, placed: Placed) -> _Case:
    case = _Case(f"{result.edition.value} {parameter_list(result)}".strip(), result.claim, result.seconds)
    if (place := placed(result)) is not None:
        case.file, case.line = place.uri, place.line
    message = _NO_XML.sub("?", result.outcome.reason or result.outcome.scope.statement)
    if result.verdict is Verdict.REFUTED:
        failure = Failure(f"{message}; replay: {result.replay}", "refuted")
        failure.text = _NO_XML.sub("?", mapping_text(result.outcome.counterexample or {}))
        case.result = [failure]
    elif result.verdict is not Verdict.VERIFIED:
        assumptions = f"assuming {', '.join(result.outcome.assumptions)}; " if result.outcome.assumptions else ""
        case.result = [Skipped(f"{assumptions}{message}", result.verdict.value)]
    return case
