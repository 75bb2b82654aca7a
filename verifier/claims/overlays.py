"""The keys of a statement file, and what changes their values: the row of a family; the overlay that is a repair, a neighbour, a
hypothesis or a question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, TypeAlias, get_type_hints

from verifier.claims.file_records import StatementFile, StepEntry
from verifier.networks.files import misfits
from verifier.running.errors import FileDefects, InputError

Raw = Mapping[str, Any]

OF_STATEMENT = frozenset(StatementFile.__struct_fields__)
"""The keys of a statement that are not its judge's own."""
OF_STEP = frozenset(StepEntry.__struct_fields__)

_Tables: TypeAlias = list[dict[str, Any]]
SHAPES: Mapping[str, Any] = {
    **{k: v for k, v in get_type_hints(StatementFile).items() if k not in ("id", "says", "place", "judge", "kind", "arithmetic")},
    **dict.fromkeys(("passage", "step", "family"), _Tables),
}
"""The shapes of the fields that no judge reads, where a statement or an overlay has them; ``""`` takes one away."""

NOT_REPLACED = frozenset(("id", "role", "passage", "step", "family", "hypothesis", "question", "repair", "neighbour", "witness", "row"))
"""What an overlay cannot change."""
OF_ONE_STEP = frozenset(("id", "says", "repair", "neighbour", "note", "columns", "rows"))
"""What a passage cannot say of several steps."""
MERGED = ("let", "parameters")
"""Tables of which an overlay changes single entries."""
KEEPS_PROOF = frozenset(("says", "place", "checks", "where", "parameters", "note"))
"""What an overlay may change of a claim whose theorem still speaks of it: its words and its domain."""


def well_shaped(raw: Raw, shapes: Mapping[str, Any] = SHAPES) -> None:
    """Raise every field that is of another shape than is read."""
    defects = [each for key, shape in shapes.items() if raw.get(key, "") != "" for each in misfits(raw[key], shape, (key,))]
    if defects:
        raise FileDefects(defects, "the fields")


def texts_of(entry: Raw, what: str, *keys: str) -> tuple[str, ...]:
    """The texts that an entry must have."""
    for key in keys:
        if not isinstance(entry.get(key), str):
            raise InputError(f"{what} has {key} {entry.get(key)!r}; a text was expected")
    return tuple(entry[key] for key in keys)


def of_passage(entry: Raw) -> Raw:
    """The fields that a passage of a proof gives all the steps below it, up to the next passage.

    Raises:
        InputError: a field that each step has of its own.
    """
    if own := entry.keys() & OF_ONE_STEP:
        raise InputError(f"a passage has {min(own)}; what several steps share was expected, such as place, judge, role, of or over")
    well_shaped(entry)
    return entry


def within(passage: Raw, step: Raw) -> Raw:
    """A step with what its passage says, where the step says nothing of it. A step with another judge takes no fields of the passage's."""
    other = "judge" in passage and "judge" in step
    shared = {k: v for k, v in passage.items() if k in OF_STEP} if other else passage
    return {**shared, **step}


def filled(value: Any, names: Mapping[str, Any]) -> Any:
    """A field with the values of a family's row where it names them in braces."""
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda found: str(names.get(found[1].removeprefix("_"), names.get(found[1], found[0]))), value)
    if isinstance(value, list):
        return list(map(partial(filled, names=names), value))
    return {k: filled(v, names) for k, v in value.items()} if isinstance(value, dict) else value


def overlaid(raw: Raw, changes: Raw) -> Raw:
    """``raw`` with the fields of an overlay in their place; a field that is empty there is taken away.

    Raises:
        InputError: a field that no overlay changes.
    """
    if fixed := changes.keys() & NOT_REPLACED:
        raise InputError(f"an overlay cannot change {min(fixed)}")
    well_shaped(changes)
    merged = {k: {**raw.get(k, {}), **v} if k in MERGED else v for k, v in changes.items()}
    if "judge" in changes:
        raw = {k: v for k, v in raw.items() if k in OF_STATEMENT | OF_STEP}
    elif changes.keys() & {"is", "holds"}:
        raw = {k: v for k, v in raw.items() if k not in ("is", "holds")}
    if not changes.keys() <= KEEPS_PROOF:
        raw = {k: v for k, v in raw.items() if k != "proof"}
    return {k: v for k, v in {**raw, **merged}.items() if v != ""}
