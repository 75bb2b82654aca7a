"""The instance of an edited file from that of the file before the edit: only what the edit is about is computed anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from verifier.networks.files import Checked
from verifier.networks.indices import field
from verifier.networks.instance import Defect, Instance, Matrix, Node, Token
from verifier.networks.instantiate import mlp_nodes, tabulated, weight_matrix
from verifier.networks.records import ConstructionFile
from verifier.repair.edits import Edit
from verifier.running.errors import InputError, LimitError


def instance_after(edit: Edit, file: ConstructionFile, before: Instance) -> Instance | None:
    """The construction after an edit of an entry, a weight or the MLP; None where it cannot be read.

    file: the edited file; before: a well-formed instance of the file without the edit, at the same parameters.
    """
    assert not edit.ranges, "which tokens there are is not computed anew"
    _, _, inside = edit.at.partition(".")
    try:
        if edit.part == "row":
            return _with_row(int(inside.partition(".")[0]), file, before)
        if edit.part == "weights":
            return _with_weights(inside.partition(".")[0], file, before)
        hidden = tuple(made for node in file.mlp.hidden for made in mlp_nodes(node, before.names))
        return replace(before, hidden=hidden, output=mlp_nodes(file.mlp.output, before.names)[0])
    except (InputError, LimitError):
        return None


def _with_row(step: int, file: ConstructionFile, before: Instance) -> Instance:
    """Rows of one step that are printed twice are both computed anew; the tokens know their row by its step alone."""
    numbers = [k for k, row in enumerate(file.row) if row.step == step]
    if len(numbers) > 1:
        raise InputError(f"step {step} is there {len(numbers)} times")
    row = file.row[numbers[0]]
    mine = {token.index: token.fields for token in before.tokens if token.step == step}
    quantities = {name: field(text, before.names, 0, before.task.strings) for name, text in file.quantities.items()}
    defects: list[Defect] = []
    checked, numbered = Checked(), dict.fromkeys(mine, (numbers[0], row))
    made = {token.index: token for token in tabulated(mine, numbered, quantities, before.names, defects, checked)}
    checked.done(file.id)
    return replace(before, tokens=tuple(made.get(token.index, token) for token in before.tokens), defects=tuple(defects))


def _with_weights(name: str, file: ConstructionFile, before: Instance) -> Instance:
    def made(spec: str) -> Matrix:
        return weight_matrix(getattr(file.weights, spec), before.names)

    match name:
        case "query":
            return replace(before, query=made(name))
        case "key":
            return replace(before, key=made(name))
    return replace(before, value=made(name))


def with_both(before: Instance, one: Instance, other: Instance) -> Instance | None:
    """The construction with the edits of both, each made on ``before``; None where both change one number, or other tokens or bits."""
    parts = _both(_parts(before), _parts(one), _parts(other))
    if parts is CONFLICT:
        return None
    tokens, query, key, value, hidden, output = parts
    return replace(before, tokens=tokens, query=query, key=key, value=value, hidden=hidden, output=output)


CONFLICT = object()


def _parts(instance: Instance) -> tuple[Any, ...]:
    return instance.tokens, instance.query, instance.key, instance.value, instance.hidden, instance.output


def _both(before: Any, one: Any, other: Any) -> Any:
    """What both edits leave: where one of them changes nothing, what the other leaves."""
    if one is before or one == before:
        return other
    if other is before or other == before:
        return one
    if isinstance(before, tuple) and len(before) == len(one) == len(other):
        parts = tuple(_both(*each) for each in zip(before, one, other, strict=True))
        return CONFLICT if CONFLICT in parts else parts
    if isinstance(before, Token | Matrix | Node):
        fields = {name: _both(*(getattr(each, name) for each in (before, one, other))) for name in before.__dataclass_fields__}
        return CONFLICT if CONFLICT in fields.values() else replace(before, **fields)
    return CONFLICT
