"""From which length on a network is wrong in an arithmetic: every input of every length, the first wrong one, and how to repeat it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import Any

from verifier.running.errors import InputError, LimitError
from verifier.running.limits import DEFAULT_LIMITS, Advance, Limits, silent
from verifier.transformers import induction
from verifier.transformers.all_at_once import decided_at_once, missing
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.cells import Cell, Wrong
from verifier.transformers.decoded import Decided, decide
from verifier.transformers.enumeration import LEAST, WHOLE, Part, first_in, method_of
from verifier.transformers.induction import METHOD as INDUCTION
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network, complete, network
from verifier.transformers.outputs import Answer
from verifier.transformers.records import NetworkFile
from verifier.transformers.smallest_wrong import smallest_wrong

FEW = 1 << 16
"""Inputs that are tried one by one where induction finds a wrong one, but not whether it is the smallest."""
FIRST = 12
"""How many inputs of a network that appends symbols are tried, the first ones, where induction does not find the first wrong one."""
SCHEMA = "bitreferee/precision/1"


def first_wrong(
    construction: str,
    file: NetworkFile,
    arithmetic: Arithmetic,
    lengths: range,
    given: Mapping[str, int] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    advance: Advance = silent,
    known: Cell | None = None,
    keep: Callable[[Cell], None] = lambda cell: None,
    part: Part = WHOLE,
    pool: Callable[[], Executor] | None = None,
    workers: int = 1,
) -> Cell:
    """Every input of these lengths, in their order, up to the first wrong one.

    construction: what the replay calls the file. given: values of other parameters. known: what is decided of the smaller lengths
    already. keep: told what is decided after each length. part: of the inputs that are enumerated; what is decided for a whole length at
    once is counted with the first part. pool: gives processes for long enumerations, so many ``workers``.
    A length that the file does not admit is passed over; where the work is larger than the limits, or a comparison stays undecided, it
    ends there.

    Raises:
        InputError: the file admits none of the lengths.
    """
    cell = partial(Cell, construction, file.length, dict(given or {}), arithmetic)
    method = method_of(arithmetic)
    methods: dict[str, None] = {}
    decided: int | None = None
    refused = InputError(f"{construction}: no length was given")
    cases = work = 0
    if known is not None and known.decided_to is not None:
        if known.first_wrong is not None or known.decided_to >= lengths[-1]:
            return known
        methods, decided, cases = dict.fromkeys(known.method.split(" and ")), known.decided_to, known.cases
        lengths = range(known.decided_to + 1, lengths.stop)
    for length in lengths:
        advance(f"{construction} {arithmetic}, length {length}", 0, 0)
        point = {**(given or {}), file.length: length}
        try:
            complete(file, point)
        except InputError as error:
            refused = error
            continue
        built = network(file, point)
        by_induction, why = _by_induction(built, arithmetic, advance)
        undecided = why if by_induction is None else "" if by_induction.smallest else "smaller"
        if undecided and built.input.count > FEW and (first := _first_inputs(built, arithmetic)) is not None:
            methods[f"arrays, of the first {FIRST} inputs"] = None
            return cell(_wrong(built, length, first), length, cases + FIRST, " and ".join(methods))
        if by_induction is not None and by_induction.wrong is not None and undecided and built.input.count > FEW:
            by_induction = _smallest(built, arithmetic, by_induction.wrong, advance) or by_induction
        if by_induction is not None and (by_induction.smallest or built.input.count > FEW):
            methods[INDUCTION if by_induction.smallest else f"{INDUCTION} (smaller wrong inputs are not excluded)"] = None
            cases, decided = cases + (built.input.count if part.number == 1 else 0), length
            if by_induction.wrong is not None:
                return cell(_wrong(built, length, by_induction.wrong), decided, cases, " and ".join(methods))
            continue
        at_once = decided_at_once(built, arithmetic)
        if at_once is not None:
            methods[at_once.method] = None
            cases, decided = cases + (built.input.count if part.number == 1 else 0), length
            found = at_once.wrong() if part.number == 1 else None
            now = cell(found and _wrong(built, length, found), decided, cases, " and ".join(methods))
            keep(now)
            if found is not None:
                return now
            continue
        start, stop = part.span(built.input.count)
        work += (stop - start) * len(built.input.layout) ** 2 * (1 if method == "arrays" else 1000)
        if work > limits.states:
            more = f"length {length}: {why}" if why else f"length {length} needs more work than --limit allows"
            return cell(None, decided, cases, " and ".join(methods), more, "" if why else missing(built, arithmetic))
        try:
            many = pool() if pool is not None and workers > 1 and stop - start > LEAST else None
            found = first_in(file, point, arithmetic, part, advance, many, workers)
            methods[method] = None
        except (InputError, LimitError, ArithmeticError) as error:
            return cell(None, decided, cases, " and ".join(methods), f"length {length}: {error}")
        cases += stop - start
        decided = length
        if found is not None:
            wrong = _wrong(built, length, found)
            keep(cell(wrong, decided, cases, " and ".join(methods)))
            return cell(wrong, decided, cases, " and ".join(methods))
        keep(cell(None, decided, cases, " and ".join(methods)))
    if decided is None:
        raise refused
    return cell(None, decided, cases, " and ".join(methods))


def _wrong(built: Network, length: int, found: tuple[Strings, Answer]) -> Wrong:
    strings, answer = found
    return Wrong(length, built.input.written(strings), answer)


def _by_induction(built: Network, arithmetic: Arithmetic, advance: Advance) -> tuple[Decided | None, str]:
    """The verdict of induction where it applies and decides, else why it does not."""
    if built.file.decode is None or induction.not_applicable(built, arithmetic):
        return None, ""
    try:
        return decide(built, arithmetic, advance), ""
    except (LimitError, ArithmeticError) as error:
        return None, f"induction: {error}"


def _smallest(built: Network, arithmetic: Arithmetic, wrong: tuple[Strings, Answer], advance: Advance) -> Decided | None:
    """The smallest wrong input, where a wrong one is known and classes of smaller ones are decided."""
    try:
        return Decided(smallest_wrong(built, arithmetic, wrong[0], advance))
    except (LimitError, ArithmeticError):
        return None


def _first_inputs(built: Network, arithmetic: Arithmetic) -> tuple[Strings, Answer] | None:
    """The first wrong one of the first inputs, which is the first of all."""
    try:
        return next(iter(wrong_by_arrays(built, arithmetic, [built.input.nth(k) for k in range(FIRST)])), None)
    except (InputError, LimitError, ArithmeticError):
        return None


def merged(cells: Sequence[Cell], file: NetworkFile, lengths: range) -> Cell:
    """The cell of all inputs, from those of all parts in their order.

    A wrong input is the first one only where every part is decided up to its length.
    """
    ends = [cell.decided_to for cell in cells if cell.decided_to is not None]
    decided = min(ends) if len(ends) == len(cells) else None
    found = [cell.first_wrong for cell in cells if cell.first_wrong is not None]
    wrong = min((each for each in found if decided is not None and each.length <= decided), key=lambda each: each.length, default=None)
    methods = dict.fromkeys(method for cell in cells for method in cell.method.split(" and ") if method)
    left = range(lengths.start if decided is None else decided + 1, lengths.stop)
    more = next((n for n in left if _admitted(file, {**cells[0].given, file.length: n})), None) if wrong is None else None
    return replace(
        cells[0],
        first_wrong=wrong,
        decided_to=decided,
        cases=sum(cell.cases for cell in cells),
        method=" and ".join(methods),
        stopped="" if more is None else f"length {more}: not every shard has decided it",
    )


def _admitted(file: NetworkFile, point: Mapping[str, int]) -> bool:
    try:
        complete(file, point)
    except InputError:
        return False
    return True


def document(construction: str, lengths: range, cells: Sequence[Cell]) -> dict[str, Any]:
    """The JSON document ``bitreferee/precision/1``."""
    return {
        "schema": SCHEMA,
        "construction": construction,
        "lengths": [lengths.start, lengths.stop - 1],
        "cells": [cell.document() for cell in cells],
    }
