"""Find the length from which a network is wrong in an arithmetic: every input of every length, the first wrong one, and how to repeat
it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.arithmetic.semantics import Arithmetic
from verifier.engines.dispatch import TOO_MUCH, Decision, OfNetwork, decided
from verifier.networks.acceptance import OVERLAP
from verifier.networks.record_base import admits, inside
from verifier.running.errors import FileDefect, FileDefects, InputError, LimitError
from verifier.running.limits import CLOCK, DEFAULT_LIMITS, Advance, Limits, OutOfTime, silent
from verifier.running.printable import assignment
from verifier.transformers.answers import WHOLE, Part
from verifier.transformers.cells import Cell, Wrong
from verifier.transformers.network import network
from verifier.transformers.outputs import BOTH
from verifier.transformers.records import NetworkFile

if TYPE_CHECKING:
    from concurrent.futures import Executor


def first_wrong(
    construction: str,
    file: NetworkFile,
    arithmetic: Arithmetic,
    lengths: range,
    given: Mapping[str, int] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    advance: Advance = silent,
) -> Cell:
    """Decide every input of these lengths, in their order, up to the first wrong one: the last cell of :func:`decided_lengths`."""
    *_, last = decided_lengths(construction, file, arithmetic, lengths, given, limits, advance)
    return last


def decided_lengths(
    construction: str,
    file: NetworkFile,
    arithmetic: Arithmetic,
    lengths: range,
    given: Mapping[str, int] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    advance: Advance = silent,
    known: Cell | None = None,
    part: Part = WHOLE,
    pool: Callable[[], Executor] | None = None,
) -> Iterator[Cell]:
    """The cell after each length, up to the first wrong input; the last cell says what stopped it before the last length.

    Args:
        construction: the file's name in the replay.
        given: values of other parameters.
        known: the cell of the smaller lengths, already decided.
        part: of the inputs that are enumerated; a length that is decided at once counts with the first part.
        pool: supplies processes for long enumerations.

    A length that the file does not admit is skipped.

    Raises:
        InputError: the file admits none of the lengths, or the first wrong answer is both yes and no.
    """
    cell = Cell(construction, file.length, dict(given or {}), arithmetic, None, None, 0, "")
    if known is not None and known.decided_to is not None:
        cell = known
        lengths = range(lengths.stop, lengths.stop) if known.first_wrong else range(known.decided_to + 1, lengths.stop)
    refused, work = InputError(f"{construction}: no length was given"), limits.states
    for length in lengths:
        advance(f"{construction} {arithmetic}, length {length}", 0, 0)
        point = {**cell.given, file.length: length}
        try:
            inside(file, point)
        except InputError as error:
            refused = error
            continue
        built = network(file, point)
        found: Decision | None
        try:
            if CLOCK.over:
                raise OutOfTime
            found, reasons = decided(OfNetwork(file, point, built, arithmetic, part, work, advance, pool))
        except OutOfTime:
            yield replace(cell, stopped=f"length {length}: {CLOCK.told()}")
            return
        if found is None:
            yield _stopped(cell, length, reasons)
            return
        wrong = found.wrong and Wrong(length, built.input.written(found.wrong[0]), found.wrong[1])
        if wrong is not None and wrong.answer.found == BOTH:
            where = f"{wrong.answer.shown} ({assignment({**point, **wrong.strings})}, {arithmetic})"
            raise FileDefects([FileDefect(("accept",), OVERLAP.format(where))], construction)
        methods = dict.fromkeys([*filter(None, cell.method.split(" and ")), found.method])
        cell = replace(cell, first_wrong=wrong, decided_to=length, cases=cell.cases + found.cases, method=" and ".join(methods))
        work -= found.work
        yield cell
        if wrong is not None:
            return
    if cell.decided_to is None:
        raise refused
    if cell is known:
        yield known


def _stopped(cell: Cell, length: int, reasons: Mapping[str, str | Exception]) -> Cell:
    """A cell that no engine decides at a length, with the last engine's reason and what the others lack."""
    *others, (_, why) = reasons.items()
    if why != TOO_MUCH:
        return replace(cell, stopped=f"length {length}: {why}")
    missing = "; ".join(f"{engine}: {reason.message if isinstance(reason, LimitError) else reason}" for engine, reason in others)
    return replace(cell, stopped=f"length {length} {why}", missing=missing)


def merged(cells: Sequence[Cell], file: NetworkFile, lengths: range) -> Cell:
    """The cell of all inputs, from those of all parts in their order.

    A wrong input is the first one only if every part is decided up to its length.
    """
    ends = [cell.decided_to for cell in cells if cell.decided_to is not None]
    decided = min(ends) if len(ends) == len(cells) else None
    found = [cell.first_wrong for cell in cells if cell.first_wrong is not None]
    wrong = min((each for each in found if decided is not None and each.length <= decided), key=lambda each: each.length, default=None)
    methods = dict.fromkeys(method for cell in cells for method in cell.method.split(" and ") if method)
    left = range(lengths.start if decided is None else decided + 1, lengths.stop)
    more = next((n for n in left if admits(file, {**cells[0].given, file.length: n})), None) if wrong is None else None
    return replace(
        cells[0],
        first_wrong=wrong,
        decided_to=decided,
        cases=sum(cell.cases for cell in cells),
        method=" and ".join(methods),
        stopped="" if more is None else f"length {more}: not every shard has decided it",
    )
