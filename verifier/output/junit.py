"""Results as JUnit XML: a suite for each claim, a case for each edition and parameter point."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from verifier.errors import InputError
from verifier.output.screen import parameter_list
from verifier.verdicts import Result, Verdict


def as_junit(results: Iterable[Result]) -> str:
    """JUnit XML: refuted is a failure; conditional, open and declined are skipped, with their reason.

    Raises:
        InputError: the library for it is not installed.
    """
    try:
        from junitparser import Failure, JUnitXml, Skipped, TestCase, TestSuite
    except ImportError:
        raise InputError("--format junit needs the package junitparser: pip install 'bitreferee[junit]'") from None
    document: Any = JUnitXml("bitreferee")
    for claim, group in groupby(results, key=lambda r: r.claim):
        suite = TestSuite(claim)
        for result in group:
            case = TestCase(f"{result.edition.value} {parameter_list(result)}".strip(), claim, result.seconds)
            message = result.finding.reason or result.finding.scope.statement
            if result.verdict is Verdict.REFUTED:
                case.result = [Failure(f"{message}; replay: {result.replay}", "refuted")]
            elif result.verdict is not Verdict.VERIFIED:
                assumptions = f"assuming {', '.join(result.finding.assumptions)}; " if result.finding.assumptions else ""
                case.result = [Skipped(f"{assumptions}{message}", result.verdict.value)]
            suite.add_testcase(case)
        document.add_testsuite(suite)
    text: bytes | str = document.tostring()
    return text.decode() if isinstance(text, bytes) else text
