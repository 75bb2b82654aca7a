"""``repair`` and ``verify repair SUBJECT``: the smallest edits that make a table or a network right, each checked on every input."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

import click

from verifier import EXIT_INTERRUPTED
from verifier.arithmetic.semantics import ALL_READINGS, EXACT, arithmetic, read_semantics
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED, Edition, Result, Verdict
from verifier.commands.options import Integer, arithmetic_option, output_option, screen_or_json_option, worst_status, write
from verifier.commands.progress import Progress
from verifier.commands.subjects import (
    ClaimSubject,
    NetworkSubject,
    PaperSubject,
    Subject,
    SubjectCommand,
    TableSubject,
    given_subject,
    names_of,
)
from verifier.interface.arguments import Values, of_arguments, texts
from verifier.interface.constructions import Construction
from verifier.judges.own_files import file_points, file_semantics, in_file
from verifier.networks.errata import changed
from verifier.networks.files import Lines
from verifier.networks.record_base import complete, outside_domain
from verifier.repair.edits import Changes, Edit
from verifier.repair.networks import Network
from verifier.repair.proof_sentences import Sentence, of_claim, of_file
from verifier.repair.search import DEFAULT_LIMIT, MOST_SYMBOLS, Repair, Search, State
from verifier.repair.tables import STATES, Table
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import CLOCK, Advance, OutOfTime, silent
from verifier.running.notebooks import INTEGER, OBJECT, TEXT, Columns, Shown
from verifier.running.printable import json_text, many
from verifier.show.places import Fix, Place, Replacement, addition, replacement
from verifier.show.repair_screen import as_document, shown
from verifier.show.streams import written

WORK = 30_000_000
"""The most work on one form of a network, in elements of arrays."""


@dataclass(eq=False, repr=False)
class Repairs(Shown):
    """The repairs of a subject, the best first, each checked on every promised input.

    state: the findings and the extent of the search; interrupted: whether the search was stopped.
    """

    name: str
    state: Search
    interrupted: bool = False
    columns: ClassVar[Columns] = {
        "number": INTEGER,
        "edits": TEXT,
        "symbols": INTEGER,
        "cases": OBJECT,
        "expectations_that_fail": TEXT,
        "also_right_at": TEXT,
    }

    @property
    def order(self) -> list[Repair]:
        """The repairs with the results on each, the best first."""
        return self.state.found

    @property
    def status(self) -> int:
        """The exit status of the command line: 0 right, or repaired; 1 no repair; 3 undecided."""
        state = self.state
        if state.nothing or any(each.state is State.RIGHT for each in state.found):
            return EXIT_VERIFIED
        undecided = not state.complete or state.undecided or state.found or state.closed or state.before.state is State.LACKING
        return EXIT_UNDECIDED if undecided else EXIT_REFUTED

    @property
    def errata(self) -> str | None:
        """The best repair as a file of errata, ``FILE.errata.toml``; None where there is none."""
        return self.state.errata(self.name if self.name.startswith("gallery/") else Path(self.name).name)

    def caption(self) -> str:
        said = (
            "nothing to repair" if self.state.nothing else f"{many(len(self.order), 'repair')}{', the best first' * (len(self.order) > 1)}"
        )
        left_out = f"; {self.state.subject.left_out}" if isinstance(self.state.subject, Table) and self.state.subject.left_out else ""
        unfinished = "" if self.state.nothing or self.state.complete else "; the search was not finished"
        return f"{self.name}: {self.state.before.state.value}; {said}{unfinished}{left_out}"

    def rows(self) -> list[dict[str, Any]]:
        listed = enumerate(self.order, 1)
        return [self.row(k, each.caption(), each.symbols, each.cases, ", ".join(each.broken), each.also) for k, each in listed]

    def to_dict(self) -> dict[str, Any]:
        """The document of ``verify repair --format json``."""
        return as_document(self.state)

    def lines(self, where: str = "") -> list[str]:
        """The lines of the screen; ``where``: the file of errata that was written."""
        return list(shown(self.state, self.name, where))


def search(
    subject: Subject,
    ranges: Mapping[str, str],
    reading: str | None,
    advance: Advance = silent,
    symbols: int = MOST_SYMBOLS,
    limit: int = DEFAULT_LIMIT,
    every: bool = False,
    states: int | None = None,
) -> Repairs:
    """Search for repairs of a table file, of a claim's table, or of a network, until an interrupt or the end of the time.

    symbols: the most that are changed together; limit: of edited forms; every: whether every edit of two symbols is tried instead of a
    step-by-step search; states: the most for each form, by default those of the kind.

    Raises:
        InputError: a subject without a table, points outside the domain, or several readings.
    """
    name, target, sentences = _target(subject, dict(ranges), reading, states)
    state = Search(target, limit, advance)
    try:
        said = sentences()
        state.run(said, symbols, every).rank(said)
    except (KeyboardInterrupt, OutOfTime):
        CLOCK.stop()
        return Repairs(name, state, interrupted=True)
    return Repairs(name, state)


def _target(
    subject: Subject, ranges: dict[str, str], reading: str | None, states: int | None
) -> tuple[str, Table | Network, Callable[[], Sequence[Sentence]]]:
    """The file to repair, its name, and the construction's failure at the first point."""
    if isinstance(subject, NetworkSubject):
        from verifier.networks.files import read_toml
        from verifier.transformers.files import is_errata, path_of

        if is_errata(Path(subject.name)):
            raise InputError(f"{subject.name}: a network file was expected, and not errata")
        lengths = subject.lengths(ranges.pop(subject.file.length, None))
        chosen, given = arithmetic(EXACT if reading is None else reading), subject.integers(ranges)
        return subject.name, Network(read_toml(path_of(subject.name)), lengths, chosen, given, states or WORK), tuple
    table = subject.table() if isinstance(subject, ClaimSubject) else subject
    if not isinstance(table, TableSubject):
        raise InputError(f"repair: {subject.name} has no construction; a file, or a claim that has one, was expected")
    source = table.source
    with in_file(source, table.name):
        named = reading or file_semantics(source)
        if named == ALL_READINGS:
            raise InputError("--arithmetic all: a repair uses one reading, and lists the readings under which it holds")
        target = Table(source, file_points(source, ranges), read_semantics(named), states or STATES)

    def sentences() -> list[Sentence]:
        if isinstance(subject, ClaimSubject):
            return of_claim(subject.claim, target.points[0], target.semantics)
        instance = target.instance((), 0)
        return [] if instance is None or instance.defects else of_file(instance, source.file, target.semantics)

    return table.name, target, sentences


FORMS, FEW = 20_000, 1 << 16
"""The most forms of one symbol, and the most inputs or states, in the search for what a report suggests."""


def suggested(subject: TableSubject, results: Sequence[Result], ranges: Mapping[str, str]) -> Place | None:
    """The place that the first repair of a refuted table edits, with that edit, or None if no symbol repairs it, or nothing is refuted.

    The search uses the refuted point with the fewest inputs, under its reading; for a file without results, all points. A repair with which
    as many expectations fail as before is not suggested.
    """
    refuted = [r for r in results if r.verdict is Verdict.REFUTED and r.edition is Edition.PRINTED and (r.outcome.scope.cases or 0) <= FEW]
    if results and not refuted:
        return None
    first = min(refuted, key=lambda result: result.outcome.scope.cases or 0) if refuted else None
    if first is not None:
        ranges = {name: str(value) for name, value in first.parameters.items() if name in subject.source.file.parameters}
    try:
        found = search(subject, ranges, first.semantics if first else None, symbols=1, limit=FORMS, states=FEW)
    except (InputError, LimitError):
        return None
    failing = len(found.state.broken)
    best = next((each for each in found.order if not each.broken or len(each.broken) < failing), None)
    return None if best is None else edited_place(subject, best.edits)


def edited_place(subject: TableSubject, changes: Changes) -> Place | None:
    """The place of the first change in a file, with all changes as a suggestion. None if a change has no place, or several add entries."""
    raw, path = subject.source.raw, Path(subject.name)
    text = path.read_text(encoding="utf-8")
    made: list[Replacement] = []
    for change in changes:
        if isinstance(change, Edit):
            wanted = changed(raw, [change.erratum("")], subject.source.file.id)
            each = replacement(text, str(change.printed), str(change.repaired), wanted)
        else:
            each = addition(text, change.added) if len(changes) == 1 else None
        if each is None:
            return None
        made.append(each)
    line = made[0].line if isinstance(changes[0], Edit) else Lines(text).of(("input", len(raw["input"]) - 1)) or 1
    return Place(path, line, subject.source.file.title, Fix(tuple(made), "; ".join(map(str, changes))))


def clipped(subject: TableSubject, ranges: Mapping[str, str]) -> Place | None:
    """The place of a range in ``[check]`` that leaves the domain, with the part inside as a suggestion. None if no part is inside."""
    file = subject.source.file
    points = file_points(subject.source, ranges)
    for name in file.check.keys() & points[0].keys() - ranges.keys():
        inside = sorted({point[name] for point in points if outside_domain(file, complete(file, point)) is None})
        if inside and inside[-1] - inside[0] + 1 == len(inside) < len({point[name] for point in points}):
            return edited_place(subject, (Edit(f"check.{name}", file.check[name], f"{inside[0]}..{inside[-1]}", "the range"),))
    return None


@of_arguments
def repair(
    subject: str | PathLike[str] | Construction,
    *,
    arithmetic: str | None = None,
    symbols: int = MOST_SYMBOLS,
    limit: int = DEFAULT_LIMIT,
    **parameters: Values,
) -> Repairs:
    """Search the smallest edits of a table file, a claim's table or a network that make it right, as ``verify repair`` does.

    Args:
        subject: a file, a construction, a claim that has one, or a network such as ``gallery/parity``.
        arithmetic: a reading, or for a network an arithmetic; by default that of the file.
        symbols: the most symbols that are changed together, 1 or 2.
        limit: the most edited forms that are tried.
        parameters: the points at which the repair must hold, by name.

    Raises:
        InputError: a subject without a construction, points outside its domain, or a limit outside its range.

    >>> from bitreferee import load
    >>> repair(load("lemma-2.3:denominator-first").with_entry("row 3, one 3", 0), p=3).order[0].caption()
    'row.3.one.3: 0 → 1'
    """
    if not 1 <= symbols <= MOST_SYMBOLS:
        raise InputError(f"symbols is {symbols}; 1 or {MOST_SYMBOLS} was expected")
    found = given_subject(subject)
    found.refuse_unknown(parameters, others=("arithmetic", "symbols", "limit"))
    return search(found, texts(parameters), arithmetic, symbols=symbols, limit=limit)


WITHOUT = {PaperSubject: "one construction is repaired; `verify findings NAME --corrections` lists our corrections of the paper"}


@click.command("repair", cls=SubjectCommand, constructions=True, without=WITHOUT)
@click.argument("words", nargs=-1, required=True, metavar="SUBJECT...")
@arithmetic_option
@screen_or_json_option
@output_option
@click.option(
    "--symbols", type=Integer(1, MOST_SYMBOLS), default=MOST_SYMBOLS, show_default=True, help="The most symbols that are changed together."
)
@click.option("--limit", type=Integer(1), default=DEFAULT_LIMIT, show_default=True, help="The largest number of edited forms to try.")
@click.option("--every", is_flag=True, help="Try every edit of two symbols, instead of repairing step by step.")
@click.option(
    "--states", type=Integer(1), help=f"The most states that an engine visits for one form.  [default: {STATES:,}; for a network, {WORK:,}]"
)
def command(
    subjects: Sequence[Subject],
    arithmetic: str | None,
    form: str,
    output: Path | None,
    symbols: int,
    limit: int,
    every: bool,
    states: int | None,
    **given: str,
) -> int:
    """Search the smallest edits of SUBJECT, a table file, a claim with a construction or a network file, that make it right.

    Edits of one printed symbol are tried first, then of two; all repairs are listed, the best first. The search of a table also closes
    gaps: a token without a row or without an input clause, two rows for one token, a bit beyond a string, an unknown name. In a network, an
    edit may also read another coordinate in a map, or choose another mask, kind of attention or activation.

    If a file has expectations, if a proof describes intermediate values, or if entries are not representable, a step-by-step search for
    repairs of more symbols comes before all edits of two symbols.

    --output FILE receives the best repair as a file of errata: FILE.errata.toml beside FILE.toml is found by every command.

    Exit status: 0 right as it is, or repairs that make it so; 1 wrong, and no such edit corrects it; 3 the limit ended the search, or a
    repair rests on an assumption.
    """
    if len(subjects) > 1 and (form == "json" or output is not None):
        raise InputError(f"--format json and --output: one subject was expected; {names_of(subjects)} were named")
    statuses = []
    for subject in subjects:
        with Progress() as advance:
            found = search(subject, given, arithmetic, advance, symbols, limit, every, states)
        where = "" if output is None or found.errata is None else str(output)
        if output is not None and found.errata is not None:
            write(output, found.errata)
        written(json_text(found.to_dict()) if form == "json" else "".join(f"{line}\n" for line in found.lines(where)))
        if found.interrupted:
            return EXIT_UNDECIDED if CLOCK.over else EXIT_INTERRUPTED
        statuses.append(found.status)
    return worst_status(statuses)
