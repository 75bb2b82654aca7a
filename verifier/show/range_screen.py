"""A range of points on the screen: a table for each claim, whose rows appear as they are finished."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.show.screen import COLOURS, COLUMNS, console, details, folded, parameter_list, typeset

if TYPE_CHECKING:
    from verifier.claims.model import Claim

NARROWEST = 12
"""Columns for the points of a row, before it is known how long they are."""


def show_ranges(results: Iterable[Result], claim_of: Callable[[str], Claim], editions: Sequence[Edition]) -> list[Result]:
    """Print a table for each claim and semantics: runs of points with the same verdicts, and below it the counterexamples.

    The rows of the first table appear as they are finished, also where the run ends early; the tables of its parts follow.

    Args:
        results: those of every point in their order, each point's editions together.
        claim_of: the claim that a result names.
        editions: the columns.

    Returns:
        The results.
    """
    tables: dict[tuple[str, str | None], RangeTable] = {}
    every: list[Result] = []
    try:
        for result in results:
            every.append(result)
            key = result.claim, result.semantics
            if key not in tables:
                tables[key] = RangeTable(claim_of(result.claim), result.semantics, editions, shown=not tables)
            tables[key].add(result)
    finally:
        for table in tables.values():
            table.end()
    return every


@dataclass
class RangeTable:
    """The table of one claim. ``shown``: whether rows are printed as they are finished; else at the end."""

    claim: Claim
    semantics: str | None
    editions: Sequence[Edition]
    shown: bool
    results: list[Result] = field(default_factory=list)
    _run: list[list[Result]] = field(default_factory=list)
    _begun: bool = False

    def add(self, result: Result) -> None:
        """Take the next result of the claim, and print the run of points that it ends, if it ends one."""
        self.results.append(result)
        if not self.shown:
            return
        points = self._run
        if points and points[-1][0].parameters == result.parameters:
            points[-1].append(result)
        else:
            points.append([result])
        if len(points) > 1 and len(points[-1]) == len(self.editions) and _cells(points[-1]) != _cells(points[0]):
            self._row(points[:-1])
            self._run = points[-1:]

    def end(self) -> None:
        """Print what is left of the table, and the smallest counterexample of each edition that is refuted somewhere."""
        if not self.shown:
            self.shown, listed = True, self.results
            self.results = []
            for result in listed:
                self.add(result)
        if self._run:
            self._row(self._run)
        self._failures()

    def _row(self, points: Sequence[Sequence[Result]]) -> None:
        """One run of points with the same verdicts, below the head of the table if it is the first."""
        from rich.text import Text

        from verifier.show.verdict_words import points_text

        out = console()
        if not self._begun:
            self._begun = True
            out.print(Text.assemble((self.claim.id, "bold"), f"  {self.semantics}" if self.semantics else ""))
            out.print(Text(f"  {'':{NARROWEST}}  " + "".join(f"{e.value:<12}" for e in self.editions).rstrip(), style="dim"))
        place = points_text(self.claim, [each[0] for each in points], self.results) or "always"
        lines = folded(place, 2)
        if len(lines[-1]) > NARROWEST + 2 and len(lines[-1]) + 12 * len(self.editions) > COLUMNS:
            lines.append("")
        for part in lines[:-1]:
            out.print(Text(part), soft_wrap=True)
        line = Text(f"{lines[-1]:<{NARROWEST + 2}}  ")
        for result in points[0]:
            line.append(f"{_cell(result):<12}", style=COLOURS[result.verdict])
        line.rstrip()
        out.print(line, soft_wrap=True)

    def _failures(self) -> None:
        from rich.text import Text

        out = console()
        before: list[str] = []
        reasons = dict.fromkeys(r.outcome.reason for r in self.results if r.outcome.reason)
        if reasons and all(r.verdict is Verdict.DECLINED for r in self.results):
            for part in folded(typeset(f"declined: {next(iter(reasons))}"), 4, 2):
                out.print(Text(part), soft_wrap=True)
        for edition in self.editions:
            refuted = [r for r in self.results if r.edition is edition and r.verdict is Verdict.REFUTED]
            degenerate = [r for r in refuted if self.claim.not_meant(r.parameters) is not None]
            first = next((r for r in refuted if r not in degenerate), next(iter(degenerate), None))
            said = [d for d in details(first) if not d.startswith("replay: ")] if first else []
            if first is None or said == before:
                continue
            before = said
            at = parameter_list(first)
            for part in folded(f"{edition.value} fails first{f' at {at}' if at else ''}", 4, 2):
                out.print(Text(part), soft_wrap=True)
            for part in (p for d in said for p in folded(typeset(d), 6, 4)):
                out.print(Text(part), soft_wrap=True)
            if first.replay:
                out.print(Text(f"    replay: {first.replay}"), soft_wrap=True)
            if degenerate and first not in degenerate:
                for part in folded(
                    typeset(f"also at {parameter_list(degenerate[0])}: {self.claim.not_meant(degenerate[0].parameters)}"), 6, 4
                ):
                    out.print(Text(part), soft_wrap=True)


def _cells(results: Sequence[Result]) -> list[str]:
    return [_cell(result) for result in results]


def _cell(result: Result) -> str:
    return "blocked" if result.outcome.blocked_by else result.verdict.value
