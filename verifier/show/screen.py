"""Results on the screen: a block for each claim and point with its counterexample; for a range, a table whose rows appear one by one."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.parameters import ALL
from verifier.claims.verdicts import KERNEL, SHIPPED, Edition, Result, Verdict
from verifier.running.grouping import grouped
from verifier.running.printable import assignment, has_styles, many, print_styled, visible
from verifier.show.notation.plain import shown

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from verifier.claims.model import Claim
    from verifier.claims.request import Elsewhere


WIDE = 400
COLUMNS = 80
EDITIONS = "statement: is the claim true? printed: does it work as printed? repaired: does it work after our corrections?"
MOST_ROWS = 12
"""The most rows of an overview that is not asked for in full."""
TERM = re.compile(r"(?<=[\w)⌉]) ([−+·≤≥]) (?=[\w(⌈]{1,6}(?:\W|$))")
"""A sum or comparison of short parts inside a sentence."""
COLOURS = {
    Verdict.VERIFIED: "green",
    Verdict.CONDITIONAL: "yellow",
    Verdict.OPEN: "cyan",
    Verdict.DECLINED: "magenta",
    Verdict.REFUTED: "bold red",
}


def console() -> Console:
    """Standard output as a console; if it is no terminal, lines are not folded."""
    from verifier.show.styled_console import StyledConsole

    terminal = sys.stdout.isatty()
    return StyledConsole(sys.stdout, soft_wrap=not terminal, width=None if terminal else WIDE)


def folded(text: str, indent: int, first: int | None = None) -> list[str]:
    """Fold a text to 80 columns between words; a long word, a fraction, ``name = value`` and ``2p − 1`` stay whole."""
    wrapper = TextWrapper(COLUMNS, " " * (indent if first is None else first), " " * indent, break_long_words=False, break_on_hyphens=False)
    named = text.replace(" = ", "\0=\0")
    tries = map(wrapper.wrap, (TERM.sub("\0\\1\0", named), named, text))
    lines = next((made for made in tries if all(len(line) <= COLUMNS for line in made)), None) or wrapper.wrap(named)
    return [line.replace("\0", " ") for line in lines] or [""]


def folded_values(line: str) -> list[str]:
    """Fold a line of a trace to 80 columns; a name of several words stays with its value."""
    whole = re.sub(r"[^,;:\s][^,;:]* = [^,;\s]+", lambda found: found[0].replace(" ", "\0"), line)
    return [each.replace("\0", " ") for each in folded(whole, 6, 0)]


def notice(text: str) -> None:
    """Print a line on standard error, folded between words if it is a terminal."""
    print("\n".join(folded(text, 2, 0)) if sys.stderr.isatty() else text, file=sys.stderr)


def tell(*parts: str | tuple[str, str], spaces: bool = True, **how: Any) -> None:
    """Print one line from parts, some with a style of rich; ``spaces``: whether spaces at its end stay; ``how``: if not as it is."""
    from rich.text import Text

    line = Text.assemble(*parts)
    if not spaces:
        line.rstrip()
    console().print(line, **(how or {"soft_wrap": True}))


def say(lines: Iterable[str], style: str = "") -> None:
    """Print lines as they are, in bold, dim or without a style, for a reader who may wait for them in a pipe."""
    code = {"bold": "\x1b[1m", "dim": "\x1b[2m"}[style] if style and has_styles() else ""
    for line in lines:
        text = visible(line.expandtabs())
        print_styled(f"{code}{text}\x1b[0m\n" if code and text else f"{text}\n")
    sys.stdout.flush()


def plain_table(**options: Any) -> Table:
    """A table without a frame, whose cells fold instead of losing digits."""
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, pad_edge=False, **options)


def typeset(line: str) -> str:
    """A line below a verdict with its mathematics typeset; commands, values and strings of bits stay as they can be typed."""
    typed = line.startswith(("replay: ", "counterexample:", " ")) or " == " in line  # our own language, not a sentence
    return line if typed else shown(line)


def show_results(results: Iterable[Result], verbose: bool = False) -> None:
    """Print results as they come, grouped by claim, point and semantics; ``verbose`` with the cases of proofs for all parameters."""
    from verifier.claims.papers import find_claim, find_paper

    kernel = False
    for _, group in groupby(results, key=lambda r: (r.claim, tuple(r.parameters.items()), r.semantics)):
        listed = list(group)
        kernel |= any(f"({KERNEL})" in text for result in listed for text in details(result))
        head = listed[0]
        place = "  ".join(x for x in (assignment(head.parameters), head.semantics or "") if x)
        tell((head.claim, "bold"), f"  {place}", soft_wrap=None)
        say(folded(shown(f"claim: {find_claim(head.claim).statement}"), 4, 2) if find_paper(head.claim.partition("/")[0]) else ())
        editions = _agreeing(listed)
        longest = max(len(name) for name, _ in editions)
        width = longest + 1 if longest > 9 else 9
        for name, result in editions:
            tell(*_line(result, name, width))
            for text in [*details(result), *(result.outcome.proof if verbose else ())]:
                say([f"{'':12}{text}"] if text.startswith("replay: ") else folded(typeset(text), 14, 12))
    say(folded(f"{KERNEL}: {SHIPPED}", 2, 0) if kernel else (), "dim")


def _agreeing(listed: Sequence[Result]) -> list[tuple[str, Result]]:
    """Group the editions of a claim at a point whose results print alike; yield the names of a group and its first result.

    The replay names its edition, the first of the group.
    """

    def prints(result: Result) -> tuple[object, ...]:
        said = tuple(text for text in details(result) if not text.startswith("replay: "))
        return result.verdict, result.outcome.scope.statement, result.outcome.blocked_by, result.outcome.proof, said

    found = grouped((prints(result), result) for result in listed)
    return [(_named([each.edition for each in alike]), alike[0]) for alike in found.values()]


def _named(editions: Sequence[Edition]) -> str:
    return "every edition" if len(editions) == len(Edition) else ", ".join(each.value for each in editions)


def _line(result: Result, name: str, width: int) -> list[str | tuple[str, str]]:
    verdict, blocked, meant = result.verdict, result.outcome.blocked_by, result.outcome.meant
    what = f"blocked by {blocked.partition('/')[2]}" if blocked else shown(_needed(result)) or result.outcome.scope.statement
    if meant is not None:
        verdict, what = meant, "for all parameters that the authors mean"
    first, *rest = folded(f"{what}  {elapsed(result.seconds)}", 24, width + 15)
    return [f"  {name:<{width}} ", (f"{verdict.value:<11}", COLOURS[verdict]), f" {first.strip()}", *(f"\n{line}" for line in rest)]


def _needed(result: Result) -> str:
    """Say which parameters our corrections need, if a result is declined for that, or else nothing."""
    from verifier.claims.papers import find_claim
    from verifier.show.corrections import needed_by_corrections

    own = result.claim.startswith(("construction/", "network/"))
    if own or result.edition is not Edition.REPAIRED or result.verdict is not Verdict.DECLINED or ALL in result.parameters.values():
        return ""
    return needed_by_corrections(find_claim(result.claim), result.parameters)


def details(result: Result) -> list[str]:
    """Yield the lines below a verdict."""
    from verifier.show.counterexamples import mistakes, of_result

    outcome = result.outcome
    lines = mistakes(result)
    if outcome.assumptions:
        lines.append(f"assuming: {', '.join(outcome.assumptions)}")
    if outcome.witness and outcome.verdict in (Verdict.VERIFIED, Verdict.CONDITIONAL):
        lines.append(f"witness: {outcome.witness}")
    if outcome.reason:
        lines += outcome.reason.splitlines()
    if outcome.values:
        lines.append(assignment(outcome.values))
    if outcome.meant is not None:
        lines.append("the degenerate case, for which alone the exit status is 1:")
    if outcome.counterexample and not (outcome.reason and "defect" in outcome.counterexample):  # the reason lists the defects
        lines += _counterexample(of_result(result))
    if result.replay:
        lines.append(f"replay: {result.replay}")
    return lines


def _counterexample(values: Mapping[str, str]) -> list[str]:
    """Show values on a line, and strings of bits of one length below each other for comparison."""
    from verifier.show.counterexamples import in_a_line

    bits = {k: v for k, v in values.items() if len(v) > 1 and set(v) <= {"0", "1"}}
    if len(bits) < 2 or len({len(v) for v in bits.values()}) > 1:
        return [f"counterexample: {in_a_line(values)}"]
    names = list(values)
    before = {k: values[k] for k in names[: names.index(next(iter(bits)))]}
    after = {k: v for k, v in values.items() if k not in before and k not in bits}
    width = max(map(len, bits))
    aligned = [f"  {name:>{width}} = {value}" for name, value in bits.items()]
    return [f"counterexample: {in_a_line(before)}".rstrip(), *aligned, *([f"  {in_a_line(after)}"] if after else [])]


def show_readings(results: Sequence[Result], verbose: bool = False) -> None:
    """Show each reading in a row with a verdict for each edition; if ``verbose``, also what decides.

    If the first reading refutes, the readings under which it holds are named: the knob explains the failure.
    """
    several = {claim for claim in {r.claim for r in results} if len({assignment(r.parameters) for r in results if r.claim == claim}) > 1}
    for claim in dict.fromkeys(result.claim for result in results if result.claim in several and not verbose):
        _readings_by_points([result for result in results if result.claim == claim])
    asked = grouped(((r.claim, assignment(r.parameters)), r) for r in results if verbose or r.claim not in several)
    for (claim, at), listed in asked.items():
        editions = list(dict.fromkeys(r.edition for r in listed))
        names = [r.semantics or "no bounded arithmetic" for r in listed]
        width = min(max(map(len, (*names, "reading"))), COLUMNS - 2 - 13 * len(editions))
        tell((claim, "bold"), f"  {at}")
        say([f"  {'reading':<{width}}" + "".join(f"  {e.value:<11}" for e in editions).rstrip()], "dim")
        for name, row in groupby(listed, key=lambda r: r.semantics or "no bounded arithmetic"):
            cells = {r.edition: r for r in row}
            verdicts = [cells[e].verdict if e in cells else None for e in editions]
            line = [(f"  {verdict.value:<11}", COLOURS[verdict]) if verdict else ("  " + " " * 11, "") for verdict in verdicts]
            tell(f"  {name:<{width}}" if len(name) <= width else f"  {name}\n  {'':{width}}", *line, spaces=False)
            say(part for r in cells.values() if verbose and (note := _note(r)) for part in folded(note, 8, 6))
        say(part for text in _explained(listed) for part in folded(text, 4, 2))
        say(folded(said, 4, 2) if (said := _names(claim, names)) else (), "dim")
        if not verbose and any(_note(r) for r in listed):
            say(["  counterexamples and assumptions: --verbose"], "dim")


def _readings_by_points(results: Sequence[Result]) -> None:
    """Show a claim at several points: a line for each reading and edition, with the points of each verdict."""
    editions = list(dict.fromkeys(r.edition for r in results))
    names = list(dict.fromkeys((r.semantics or "no bounded arithmetic", r.edition) for r in results))
    heads = [f"{name}, {edition.value}" if len(editions) > 1 else name for name, edition in names]
    width = max(map(len, heads))
    say([results[0].claim], "bold")
    for head, (name, edition) in zip(heads, names, strict=True):
        row = [r for r in results if r.edition is edition and (r.semantics or "no bounded arithmetic") == name]
        said = [f"{verdict} {_points(list(run), results)}" for verdict, run in groupby(row, key=lambda r: r.verdict.value)]
        say(folded(f"{head:<{width}}  {'; '.join(said)}", width + 4, 2))
    say(["  counterexamples: --verbose, or one point"], "dim")


def _points(run: Sequence[Result], among: Sequence[Result]) -> str:
    """``m = 1..3``: the first parameter that differs among the results."""
    name = next((name for name in among[0].parameters if len({r.parameters[name] for r in among}) > 1), "")
    values = [run[0].parameters.get(name), run[-1].parameters.get(name)]
    return f"{name} = {values[0]}" if values[0] == values[1] else f"{name} = {values[0]}..{values[1]}"


def _names(claim: str, readings: Sequence[str]) -> str:
    """Name the readings of a table as the papers call them."""
    from verifier.claims.papers import find_paper

    paper = find_paper(claim.partition("/")[0])
    called = {reading: name for reading, name in paper.called.items() if reading in readings and name != reading} if paper else {}
    named = [f"{reading} is {name}" for reading, name in called.items()]
    changed = ["NAME+KNOB=SETTING changes one setting of NAME"] if any("+" in reading for reading in readings) else []
    return "; ".join([*named, *changed])


def _explained(listed: Sequence[Result]) -> Iterator[str]:
    """Name the readings under which an edition holds that the first reading refutes."""
    for edition in dict.fromkeys(r.edition for r in listed):
        mine = [r for r in listed if r.edition is edition]
        if mine[0].verdict is Verdict.REFUTED and mine[0].semantics:
            first = read_semantics(mine[0].semantics)
            holds = [read_semantics(r.semantics).beside(first) for r in mine if r.verdict is Verdict.VERIFIED and r.semantics]
            if holds:
                yield f"{edition.value} fails under {mine[0].semantics}; it holds with {', '.join(holds)}"


def other_reading(found: Elsewhere) -> str:
    """The verdicts that differ under another reading, in one line, with the number of failures."""
    said: dict[str, list[str]] = {}
    for edition, outcome in found.outcomes.items():
        why = f" ({outcome.reason})" if outcome.verdict is Verdict.DECLINED else ""
        if outcome.verdict is Verdict.REFUTED:
            why = f" (fails on {many(outcome.failures, 'input') if outcome.failures else 'some inputs, not counted'})"
        said.setdefault(f"{outcome.verdict.value}{why}", []).append(edition.value)
    verdicts = [f"{', '.join(editions)} {how}" for how, editions in said.items()]
    return f"{found.called}: {', '.join(verdicts)}; see --arithmetic {found.reading}"


def show_overview(results: Sequence[Result], verbose: bool = True) -> None:
    """One table for each claim: a row for each point and semantics, its values across, its verdict last.

    verbose: all of it, or else the first rows, and the values that fit 80 columns, the widest left out first.
    """
    for claim, group in groupby(results, key=lambda r: r.claim):
        listed = list(group)
        names = list(dict.fromkeys(name for r in listed for name in r.outcome.values or {}))
        head = (*listed[0].parameters, "semantics", *names, "verdict")
        rows = [
            (*map(str, r.parameters.values()), r.semantics or "", *((r.outcome.values or {}).get(n, "") for n in names), r.verdict.value)
            for r in listed
        ]
        width = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
        kept = list(range(len(head)))
        spare = range(len(listed[0].parameters) + 1, len(head) - 1)
        while not verbose and sum(width[k] + 2 for k in kept) > COLUMNS + 2 and any(k in kept for k in spare):
            kept.remove(max((k for k in spare if k in kept), key=lambda k: width[k]))
        folded_away = 0 if verbose else len(rows) - MOST_ROWS
        more = "" if len(kept) == len(head) else "  (all columns: --verbose)"
        tell((claim, "bold"), (more, "dim"))
        say("  ".join(f"{row[k]:<{width[k]}}" for k in kept).rstrip() for row in (head, *(rows[:MOST_ROWS] if folded_away > 0 else rows)))
        say([f"… {folded_away} more rows: --verbose"] if folded_away > 0 else (), "dim")


def _note(result: Result) -> str:
    outcome = result.outcome
    if outcome.counterexample and "y" in outcome.counterexample:
        return f"{result.edition.value}: y = {outcome.counterexample['y']}, z = {outcome.counterexample['z']}"
    if outcome.assumptions:
        return f"{result.edition.value}: {', '.join(outcome.assumptions)}"
    return f"{result.edition.value}: {outcome.reason}" if outcome.reason and outcome.verdict is Verdict.REFUTED else ""


def elapsed(seconds: float) -> str:
    """A measured time, in milliseconds below a hundredth of a second."""
    return f"{seconds:.2f}\0s" if seconds >= 0.00995 else f"{1000 * seconds:.1f}\0ms"


NARROWEST = 12
"""The least width of the column of points."""


def show_ranges(results: Iterable[Result], claim_of: Callable[[str], Claim], editions: Sequence[Edition]) -> list[Result]:
    """Print a table for each claim and semantics, with runs of points that have the same verdicts, and the counterexamples below it.

    The rows of the first table appear when they are finished, also if the run ends early; the tables of its parts follow. A part without a
    parameter of the whole is judged at the same point again: these results form one row.

    Args:
        results: those of every point in their order, each point's editions together.
        claim_of: the claim that a result names.
        editions: the columns.

    Returns:
        The results.
    """
    tables: dict[tuple[str, str | None], RangeTable] = {}
    every: list[Result] = []
    shown_before: set[tuple[object, ...]] = set()
    try:
        for result in results:
            every.append(result)
            key = result.claim, result.semantics
            asked = (key, result.edition, tuple(result.parameters.items()))
            if asked in shown_before:
                continue
            shown_before.add(asked)
            if key not in tables:
                tables[key] = RangeTable(claim_of(result.claim), result.semantics, editions, shown=not tables)
            tables[key].add(result)
    finally:
        for table in tables.values():
            table.end()
    return every


@dataclass
class RangeTable:
    """The table of one claim, the points that the authors do not mean last.

    shown: whether rows are printed when they are finished; else at the end.
    """

    claim: Claim
    semantics: str | None
    editions: Sequence[Edition]
    shown: bool
    results: list[Result] = field(default_factory=list)
    _run: list[list[Result]] = field(default_factory=list)
    _degenerate: list[Result] = field(default_factory=list)
    _begun: bool = False

    def add(self, result: Result) -> None:
        """Add a result, and print the preceding run of points if this result ends it."""
        self.results.append(result)
        if not self.shown:
            return
        if self.claim.not_meant(result.parameters) is not None:
            self._degenerate.append(result)
        else:
            self._add(result)

    def _add(self, result: Result) -> None:
        points = self._run
        if points and points[-1][0].parameters == result.parameters:
            points[-1].append(result)
        else:
            points.append([result])
        if len(points) > 1 and len(points[-1]) == len(self.editions) and list(map(_cell, points[-1])) != list(map(_cell, points[0])):
            self._row(points[:-1])
            self._run = points[-1:]

    def end(self) -> None:
        """Print the rest of the table, then the smallest counterexample of each refuted edition."""
        if not self.shown:
            self.shown, listed = True, self.results
            self.results = []
            for result in listed:
                self.add(result)
        self._end_run()
        if self._degenerate:
            self._head()
            say(folded(f"degenerate cases: {shown(str(self.claim.not_meant(self._degenerate[0].parameters)))}", 4, 2), "dim")
        for result in self._degenerate:
            self._add(result)
        self._end_run()
        self._failures()

    def _end_run(self) -> None:
        if self._run:
            self._row(self._run)
        self._run = []

    def _head(self) -> None:
        """The name of the claim and the names of the columns, once."""
        if not self._begun:
            self._begun = True
            tell((self.claim.id, "bold"), f"  {self.semantics}" if self.semantics else "", soft_wrap=None)
            say([f"  {'':{NARROWEST}}  " + "".join(f"{e.value:<12}" for e in self.editions).rstrip()], "dim")

    def _row(self, points: Sequence[Sequence[Result]]) -> None:
        """Show one run of points with the same verdicts."""
        from verifier.gate.point_sets import points_texts

        self._head()
        place = "; ".join(points_texts(self.claim, [each[0] for each in points], self.results)) or "always"
        lines = folded(place, 2)
        if len(lines[-1]) > NARROWEST + 2 and len(lines[-1]) + 12 * len(self.editions) > COLUMNS:
            lines.append("")
        say(lines[:-1])
        cells = [(f"{_cell(result):<12}", COLOURS[result.verdict]) for result in points[0]]
        tell(f"{lines[-1]:<{NARROWEST + 2}}  ", *cells, spaces=False)

    def _failures(self) -> None:
        from verifier.show.places import remark_on

        before: list[str] = []
        declined = [r for r in self.results if r.verdict is Verdict.DECLINED and r.edition is self.editions[0] and r.outcome.reason]
        for each in {r.outcome.out_of_reach: r for r in reversed(declined)}.values():
            say(folded(typeset(f"declined: {each.outcome.reason}"), 4, 2))
        if remark := remark_on(self.results):
            say(folded(remark, 4, 2))
        for edition in self.editions:
            refuted = [r for r in self.results if r.edition is edition and r.verdict is Verdict.REFUTED]
            degenerate = [r for r in refuted if self.claim.not_meant(r.parameters) is not None]
            first = next((r for r in refuted if r not in degenerate), next(iter(degenerate), None))
            said = [d for d in details(first) if not d.startswith("replay: ")] if first else []
            if first is None or said == before:
                continue
            before = said
            at = assignment(first.parameters)
            fails = "fails in degenerate cases alone, first" if first in degenerate else "fails first"
            say(folded(f"{edition.value} {fails}{f' at {at}' if at else ''}", 4, 2))
            say(part for d in (f"checked: {first.outcome.scope.statement}", *said) for part in folded(typeset(d), 6, 4))
            say([f"    replay: {first.replay}"] if first.replay else ())
            if degenerate and first not in degenerate:
                why = self.claim.not_meant(degenerate[0].parameters)
                say(folded(typeset(f"also at {assignment(degenerate[0].parameters)}: {why}"), 6, 4))


def _cell(result: Result) -> str:
    return "blocked" if result.outcome.blocked_by else result.verdict.value
