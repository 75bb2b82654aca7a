"""``[[expect]]``: what its author expects of a construction, read at given parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from verifier.language.operands import check_given
from verifier.language.syntax import kind, parse, quoted
from verifier.networks.collected_defects import Checked
from verifier.networks.entries import Names
from verifier.networks.indices import index_set
from verifier.networks.instance import Expectation
from verifier.networks.records import ConstructionFile, ExpectEntry
from verifier.networks.tasks import Task
from verifier.running.errors import InputError, Path

FOUND = "v"
"""The name of the value found, in a condition."""


def expected(
    file: ConstructionFile, names: Names, task: Task, rows: Mapping[int, int], indices: range, checked: Checked
) -> Iterator[Expectation]:
    """The expectations of a file, in its order; ``rows``: the row of each token, by its place in the file."""
    for number, (entry, name) in enumerate(zip(file.expect, file.expectations, strict=True)):
        path = ("expect", number)
        found = checked(path, partial(_read, entry, name, path, file, names, task, rows, indices), name)
        if found is not None:
            yield found


def expectation_path(file: ConstructionFile, name: str) -> Path:
    """Where the expectation of this name stands in its file."""
    return ("expect", file.expectations.index(name)) if name in file.expectations else ()


def _read(
    entry: ExpectEntry,
    name: str,
    path: tuple[str | int, ...],
    file: ConstructionFile,
    names: Names,
    task: Task,
    rows: Mapping[int, int],
    indices: range,
) -> Expectation:
    known = {**names, **dict.fromkeys(task.strings), "i": None, FOUND: None}
    says = entry.holds or str(entry.is_)
    if FOUND in names or FOUND in task.strings:
        raise InputError(f"{FOUND} is the value found; the file uses this name for something else")
    if entry.holds and kind(parse(entry.holds)) != "condition":
        raise InputError(f"holds: {quoted(entry.holds)} is not a condition such as {FOUND} <= 2*popcount(y)")
    if not entry.holds and kind(parse(says)) == "condition":
        raise InputError(f"is: {quoted(says)} is a condition; write holds for one, with {FOUND} for the value found")
    formula = entry.holds or f"{FOUND} == ({says})"
    check_given(parse(formula), known, {})
    if entry.where:
        check_given(parse(entry.where), {key: each for key, each in known.items() if key != FOUND}, {})
        if kind(parse(entry.where)) != "condition":
            raise InputError(f"where: {quoted(entry.where)} is not a condition")
    return Expectation(name, entry.of, _column(entry, file), _after(entry, file, names, rows, indices), formula, entry.where, says, path)


def _column(entry: ExpectEntry, file: ConstructionFile) -> int:
    """Which column, from 0."""
    matrix = file.weights.value.matrix
    listed = [row for row in matrix if isinstance(row, list)]
    most = None if len(listed) < len(matrix) else len(matrix) if entry.of == "column" else len(listed[0]) if listed else 0
    if entry.column < 1 or (most is not None and entry.column > most):
        raise InputError(f"column is {entry.column}; there are columns 1 to {most}")
    return entry.column - 1


def _after(entry: ExpectEntry, file: ConstructionFile, names: Names, rows: Mapping[int, int], indices: range) -> tuple[int, ...]:
    """The tokens after which the quantity is looked at."""
    if entry.i is not None:
        found = tuple(sorted(set(index_set(entry.i, names))))
        outside = next((i for i in found if i not in indices), None)
        if outside is not None:
            raise InputError(f"i: token {outside} lies outside the tokens {indices[0]} … {indices[-1]}")
        if not found:
            raise InputError("i: no token at these parameters")
        return found
    if entry.step is None:
        return (indices[-1],)
    mine = [i for i, number in rows.items() if file.row[number].step == entry.step]
    if not mine:
        steps = ", ".join(str(row.step) for row in file.row)
        raise InputError(f"step {entry.step} has no token at these parameters; the steps are {steps}")
    return (max(mine),)
