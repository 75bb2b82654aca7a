"""The tokens of a construction: what each holds by the input representation, and which row of the table is its own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from verifier.networks.collected_defects import Checked
from verifier.networks.entries import Names
from verifier.networks.indices import Bit, Field, field, index_set
from verifier.networks.instance import Defect
from verifier.networks.records import ConstructionFile, InputEntry
from verifier.networks.tasks import Task
from verifier.running.errors import Path


def contents_of(
    file: ConstructionFile, names: Names, indices: range, task: Task, defects: list[Defect], checked: Checked
) -> dict[int, tuple[Field, ...]]:
    """The content of each token by the input representation."""
    contents: dict[int, tuple[Field, ...]] = {}
    clauses: dict[int, int] = {}
    for number, clause in enumerate(file.input):
        place, path = f"input clause {number + 1}", ("input", number)
        for i in checked((*path, "i"), partial(index_set, clause.i, names), place) or ():
            if i not in indices:
                defects.append(Defect("outside", place, f"token {i} lies outside the tokens {indices[0]} … {indices[-1]}", path))
                continue
            if i in contents:
                defects.append(Defect("input-overlap", place, f"token {i} was given its content before", path))
                continue
            fields = checked((*path, "reads"), partial(_fields, clause, names, i, task), f"{place}, token {i}")
            contents[i], clauses[i] = fields if fields is not None else _anything(clause, task), number
            for bit in (bit for each in contents[i] for bit in each):
                length = task.strings[bit.string]
                if not 1 <= bit.index <= length:
                    whose = "the strings have" if len(set(task.strings.values())) == 1 else f"{bit.string} has"
                    defects.append(Defect("bit-range", place, f"token {i} reads {bit.plain}, {whose} bits 1 … {length}", path))
    for i in indices:
        if i not in contents:
            defects.append(
                Defect("input-gap", "input representation", f"no clause says what token {i} holds", _beside(i, clauses, "input"))
            )
    return contents


def _anything(clause: InputEntry, task: Task) -> tuple[Field, ...]:
    """What stands for the content of a token that cannot be read, so that its row is looked at all the same."""
    before = len(clause.reads) - 1 if isinstance(clause.reads, list) else 0
    return (*[()] * before, (Bit(next(iter(task.strings)), 1),))


def _fields(clause: InputEntry, names: Names, i: int, task: Task) -> tuple[Field, ...]:
    reads = clause.reads if isinstance(clause.reads, list) else [clause.reads]
    return tuple(field(text, names, i, task.strings) for text in reads)


def rows_of(file: ConstructionFile, names: Names, indices: range, defects: list[Defect], checked: Checked) -> dict[int, int]:
    """The row of each token, by its place in the file."""
    rows: dict[int, int] = {}
    for number, row in enumerate(file.row):
        place, path = f"step {row.step}", ("row", number)
        for i in checked((*path, "i"), partial(index_set, row.i, names), place) or ():
            if i not in indices:
                defects.append(Defect("outside", place, f"token {i} lies outside the tokens {indices[0]} … {indices[-1]}", path))
            elif i in rows:
                defects.append(Defect("overlap", place, f"token {i} has a row already, of step {file.row[rows[i]].step}", path))
            else:
                rows[i] = number
    for i in indices:
        if i not in rows:
            defects.append(Defect("gap", "table", f"no row for token {i}", _beside(i, rows, "row")))
    return rows


def _beside(i: int, listed: Mapping[int, int], kind: str) -> Path:
    """Where a token that is missing would stand: at the entry of the token before it, else of the one behind it."""
    before, behind = max((j for j in listed if j < i), default=None), min((j for j in listed if j > i), default=None)
    nearest = before if before is not None else behind
    return (kind,) if nearest is None else (kind, listed[nearest])
