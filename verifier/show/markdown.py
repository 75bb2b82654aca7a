"""Results as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.claims.verdicts import Result, Verdict
from verifier.show.screen import parameter_list


def cell(text: str) -> str:
    """Text that is safe inside a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def as_markdown(results: Iterable[Result]) -> str:
    """One row for each result; below the table why one is not verified, and counterexamples with their replay."""
    lines = ["| claim | parameters | edition | verdict | scope | assumptions |", "| --- | --- | --- | --- | --- | --- |"]
    notes = []
    for result in results:
        outcome = result.outcome
        row = [
            result.claim,
            parameter_list(result),
            result.edition.value,
            outcome.verdict.value,
            outcome.scope.statement,
            ", ".join(outcome.assumptions),
        ]
        lines.append(f"| {' | '.join(cell(x) for x in row)} |")
        if outcome.reason and result.verdict is not Verdict.VERIFIED:
            notes.append(f"* {result.claim}, {result.edition.value}, {parameter_list(result)}: {outcome.reason}")
        if result.replay:
            notes.append(f"  `{result.replay}`" if outcome.reason else f"* {result.claim}, {result.edition.value}: `{result.replay}`")
    return "\n".join([*lines, "", *notes]) + "\n"
