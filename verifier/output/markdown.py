"""Results as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.output.screen import parameter_list
from verifier.verdicts import Result, Verdict


def cell(text: str) -> str:
    """Text that is safe inside a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def as_markdown(results: Iterable[Result]) -> str:
    """One row for each result; below the table why one is not verified, and counterexamples with their replay."""
    lines = ["| claim | parameters | edition | verdict | scope | assumptions |", "| --- | --- | --- | --- | --- | --- |"]
    notes = []
    for result in results:
        finding = result.finding
        row = [
            result.claim,
            parameter_list(result),
            result.edition.value,
            finding.verdict.value,
            finding.scope.statement,
            ", ".join(finding.assumptions),
        ]
        lines.append(f"| {' | '.join(cell(x) for x in row)} |")
        if finding.reason and result.verdict is not Verdict.VERIFIED:
            notes.append(f"* {result.claim}, {result.edition.value}, {parameter_list(result)}: {finding.reason}")
        if result.replay:
            notes.append(f"  `{result.replay}`" if finding.reason else f"* {result.claim}, {result.edition.value}: `{result.replay}`")
    return "\n".join([*lines, "", *notes]) + "\n"
