"""Results on the screen: a block for each claim and point, a line for each edition, the counterexample and its replay below."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from verifier.verdicts import Result, Verdict

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDE = 400
COLOURS = {
    Verdict.VERIFIED: "green",
    Verdict.CONDITIONAL: "yellow",
    Verdict.OPEN: "cyan",
    Verdict.DECLINED: "magenta",
    Verdict.REFUTED: "bold red",
}


def console() -> Console:
    """Standard output; wide enough for everything where it is no terminal."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    return Console(highlight=False, soft_wrap=not terminal, file=sys.stdout, width=None if terminal else WIDE)


def plain_table(**options: Any) -> Table:
    """A table without a frame, whose cells fold instead of losing digits."""
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, pad_edge=False, **options)


def parameter_list(result: Result) -> str:
    """``p = 8, n = 34``."""
    return ", ".join(f"{k} = {v}" for k, v in result.parameters.items())


def show_results(results: Iterable[Result], verbose: bool = False) -> None:
    """Print results as they come, grouped by claim, point and semantics; ``verbose`` with the cases of proofs for all parameters."""
    from rich.text import Text

    out = console()
    for _, group in groupby(results, key=lambda r: (r.claim, tuple(r.parameters.items()), r.semantics)):
        listed = list(group)
        head = listed[0]
        place = "  ".join(x for x in (parameter_list(head), head.semantics or "") if x)
        out.print(Text.assemble((head.claim, "bold"), f"  {place}"))
        before: list[str] = []
        for result in listed:
            out.print(_line(result))
            details = [*_details(result), *(result.finding.proof if verbose else ())]
            for text in ["as above"] if details and details == before else details:
                out.print(Text(f"{'':12}{text}"), soft_wrap=True)
            before = details


def _line(result: Result) -> object:
    from rich.text import Text

    verdict, blocked = result.verdict, result.finding.blocked_by
    return Text.assemble(
        f"  {result.edition.value:<9} ",
        (f"{verdict.value:<11}", COLOURS[verdict]),
        f" blocked by {blocked.partition('/')[2]}" if blocked else f" {result.finding.scope.statement}",
        (f"  {result.seconds:.2f} s", "dim"),
    )


def _details(result: Result) -> list[str]:
    finding = result.finding
    lines = []
    if finding.assumptions:
        lines.append(f"assuming: {', '.join(finding.assumptions)}")
    if finding.witness and finding.verdict in (Verdict.VERIFIED, Verdict.CONDITIONAL):
        lines.append(f"witness: {finding.witness}")
    if finding.reason:
        lines.append(finding.reason)
    if finding.values:
        lines.append(mapping_text(finding.values))
    if finding.counterexample:
        lines.append(f"counterexample: {mapping_text(finding.counterexample)}")
    if result.replay:
        lines.append(f"replay: {result.replay}")
    return lines


def mapping_text(values: Mapping[str, str]) -> str:
    """``y = 0101, z = 0110``."""
    return ", ".join(f"{k} = {v}" for k, v in values.items())


def show_readings(results: Sequence[Result]) -> None:
    """The table of readings that a claim survives: a row for each semantics and point, a column for each edition."""
    from rich.text import Text

    out = console()
    for claim, group in groupby(results, key=lambda r: r.claim):
        table = plain_table(title=claim, title_justify="left", title_style="bold")
        table.add_column("parameters")
        table.add_column("semantics", no_wrap=True)
        listed = list(group)
        editions = list(dict.fromkeys(r.edition for r in listed))
        for edition in editions:
            table.add_column(edition.value)
        table.add_column("smallest counterexample or assumption", overflow="fold")
        for _, row in groupby(listed, key=lambda r: (parameter_list(r), r.semantics)):
            cells = {r.edition: r for r in row}
            first = next(iter(cells.values()))
            notes = [_note(r) for r in cells.values() if _note(r)]
            verdicts = [Text(cells[e].verdict.value, style=COLOURS[cells[e].verdict]) if e in cells else Text("") for e in editions]
            table.add_row(parameter_list(first), first.semantics or "no bounded arithmetic", *verdicts, notes[-1] if notes else "")
        out.print(table)


def show_overview(results: Sequence[Result]) -> None:
    """One table for each claim: a row for each point and semantics, its values across, its verdict last."""
    from rich.text import Text

    out = console()
    for claim, group in groupby(results, key=lambda r: r.claim):
        listed = list(group)
        names = list(dict.fromkeys(name for r in listed for name in r.finding.values or {}))
        table = plain_table(title=claim, title_justify="left", title_style="bold")
        for name in (*listed[0].parameters, "semantics", *names, "verdict"):
            table.add_column(name, overflow="fold")
        for r in listed:
            values = r.finding.values or {}
            cells = [*map(str, r.parameters.values()), r.semantics or "", *(values.get(name, "") for name in names)]
            table.add_row(*cells, Text(r.verdict.value, style=COLOURS[r.verdict]))
        out.print(table)


def _note(result: Result) -> str:
    finding = result.finding
    if finding.counterexample and "y" in finding.counterexample:
        return f"{result.edition.value}: y = {finding.counterexample['y']}, z = {finding.counterexample['z']}"
    if finding.assumptions:
        return f"{result.edition.value}: {', '.join(finding.assumptions)}"
    return f"{result.edition.value}: {finding.reason}" if finding.reason and finding.verdict is Verdict.REFUTED else ""
