"""Judging what a proof says on the way: the value of a partial numerator or denominator, on every input that it speaks of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from verifier.statements.model import Question, declined
from verifier.judges.values import Place, Strings, Values, contradicted, held, located, prepare
from verifier.engines.lattice import States, Truths
from verifier.engines.program import DENOMINATOR, Program
from verifier.engines.tree import by_position
from verifier.errors import LimitError
from verifier.verdicts import Edition, Finding, Scope

Condition = Callable[[Strings, Strings, Place], Truths]
Formula = Callable[[Values, Strings, Strings, Place], Truths]


@dataclass(frozen=True)
class PartialSum:
    """A statement on the numerator or denominator summed over the tokens of some rows.

    quantity: ``numerator`` ((A X) W^V of those tokens) or ``denominator``; ``columns`` for the largest of the column sums of A X.
    first, last: the rows (steps), inclusive.
    half:     whether it speaks of the strings' first ⌈m/2⌉ positions (``first``) or of the rest (``second``).
    holds:    the formula, given the values and the half-strings as integers; where: the inputs that it speaks of.
    says:     the formula in words.
    """

    quantity: str
    first: int
    last: int
    half: str
    holds: Formula
    says: str
    where: Condition | None = None
    inputs: str = "pairs of halves that the promise allows"


def judge_partial_sum(question: Question, printed: PartialSum, repaired: PartialSum | None = None) -> Finding:
    """The statement on the question's table: printed formula, or the repaired one in the repaired edition."""
    statement = repaired if repaired is not None and question.edition is Edition.REPAIRED else printed
    prepared = prepare(question)
    if isinstance(prepared, Finding):
        return prepared
    reading, witness = prepared
    place = Place(reading.instance)
    first, last = (1, place.h) if statement.half == "first" else (place.h + 1, place.m)
    width = last - first + 1
    if width < 1:
        return declined(f"the {statement.half} half is empty at m = {place.m}")
    if 4**width > question.limits.states:
        raise LimitError(f"{4**width:,} pairs of halves, the limit is {question.limits.states:,}", "--limit")
    program = Program(reading, range(statement.first, statement.last + 1))
    others = _other_positions(program, statement.quantity, range(first, last + 1))
    if others:
        return declined(f"the {statement.quantity} depends on positions {others} too; the statement is judged on {first} … {last} only")
    size = 1 << width
    values = Values(program.lattice, np.broadcast_to(_quantity(program, statement.quantity, first, last), (size, size)))
    y, z = np.arange(size, dtype=np.int64)[:, None], np.arange(size, dtype=np.int64)[None, :]
    asked = (y <= z) if statement.half == "first" else np.ones((size, size), dtype=bool)
    if statement.where is not None:
        asked = asked & statement.where(y, z, place)
    wrong = asked & ~statement.holds(values, y, z, place)
    cases, failures = int(asked.sum()), int(wrong.sum())
    at = located(reading.instance)
    if cases == 0:
        return declined(f"no {statement.inputs} at {at}")
    scope = Scope(f"all {cases:,} {statement.inputs} at {at}: {statement.says}", cases, "enumeration")
    if not failures:
        return held(reading, scope, witness)
    pair = _first_failure(wrong, statement.half)
    found = program.lattice.decode(values.states[pair])
    steps = f"steps {statement.first}–{statement.last}" if statement.first != statement.last else f"step {statement.first}"
    subject = f"the {statement.quantity} of {steps}"
    return contradicted(question, reading, scope, witness, _complete(pair, statement.half, place), found, subject, statement.says, failures)


def _sums(program: Program, quantity: str) -> list[str]:
    return [DENOMINATOR] if quantity == "denominator" else list(program.numerator_sums)


def _other_positions(program: Program, quantity: str, half: range) -> list[int]:
    """The positions outside the half on which the sum depends."""
    return sorted({b.index for name in _sums(program, quantity) for b in program.sums[name].bits} - set(half))


def _quantity(program: Program, quantity: str, first: int, last: int) -> States:
    """The sum over the positions first … last."""
    wanted = _sums(program, quantity)
    sums = {name: by_position(program.lattice, program.sums[name], first, last, {}) for name in wanted}
    if quantity == "columns":
        return np.asarray(np.max([np.abs(s) for s in sums.values()], axis=0))
    return sums[DENOMINATOR] if quantity == "denominator" else program.numerator(sums)


def _first_failure(wrong: Truths, half: str) -> tuple[int, int]:
    """The failing pair of halves whose completion (:func:`_complete`) is smallest: y first; then z″ ≥ y″ before z″ < y″."""
    row = int(wrong.any(axis=1).argmax())
    columns = np.flatnonzero(wrong[row])
    if half == "second" and (columns >= row).any():
        columns = columns[columns >= row]
    return row, int(columns[0])


def _complete(pair: tuple[int, int], half: str, place: Place) -> tuple[int, int]:
    """The smallest promise pair with these halves."""
    y, z = pair
    if half == "first":
        return y << (place.m - place.h), z << (place.m - place.h)
    return y, z if z >= y else z + (1 << (place.m - place.h))
