"""The nodes of an ONNX model as the operations that :mod:`verifier.transformers.operations` lists, and its tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from verifier.arithmetic.floats import Array
from verifier.running.errors import InputError
from verifier.running.input_files import MOST_RESULT_BYTES, check_regular
from verifier.transformers.exports import METADATA, PYTHON
from verifier.transformers.operations import FLOATS, Operations, Step

SAME = [name for name in PYTHON if name not in ("Transpose", "ReduceSum", "ReduceMax", "Pad")]
"""Operations that are nodes of their own, without details."""
EXPECTED = ", ".join(sorted([*PYTHON, "ArgMax", "Concat", "Gather", "Slice"]))


@dataclass(frozen=True)
class Model:
    """A model: its operations, tables by name, the step or table of each output, the float format, and what the exporter says of it."""

    steps: list[Step]
    tables: dict[str, Array]
    outputs: dict[str, str]
    form: str
    metadata: Mapping[str, Any]


def read_model(path: Path) -> Model:
    """The model in a file.

    Raises:
        InputError: no model, a tensor outside the file, or a node that no network file has.
        ImportError: the package onnx is missing.
    """
    import onnx
    from onnx import numpy_helper

    try:
        check_regular(path, MOST_RESULT_BYTES)
        model = onnx.load_model_from_string(path.read_bytes())
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except Exception:  # the error of a malformed message has no type that is documented
        raise InputError(f"{path}: no ONNX model") from None
    tables: dict[str, Array] = {}
    for tensor in model.graph.initializer:
        if tensor.external_data or tensor.data_location:
            raise InputError(f"{path}: the tensor {tensor.name!r} is in another file; a model in one file was expected")
        try:
            tables[tensor.name] = numpy_helper.to_array(tensor)
        except Exception as error:  # whatever a malformed tensor makes the library say
            raise InputError(f"{path}: the tensor {tensor.name!r} cannot be read: {str(error)[:100]}") from None
    if [given.name for given in model.graph.input] != ["tokens"]:
        names = ", ".join(given.name for given in model.graph.input)
        raise InputError(f"{path}: inputs {names or 'none'}; tokens was expected, the numbers of the words")
    try:
        steps, outputs = _steps(model.graph, tables)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    if not {"coordinates"} <= outputs.keys() <= {"coordinates", "logits"}:
        raise InputError(
            f"{path}: outputs {', '.join(outputs) or 'none'}; coordinates, and logits, were expected, as `verify convert` writes them"
        )
    forms = {name for name, dtype in FLOATS.items() for table in tables.values() if table.dtype == dtype}
    if len(forms) != 1:
        raise InputError(f"{path}: floats in {', '.join(sorted(forms)) or 'no format'}; one of {', '.join(FLOATS)} was expected")
    return Model(steps, tables, outputs, forms.pop(), _metadata(path, model))


def _metadata(path: Path, model: Any) -> Mapping[str, Any]:
    found = {entry.key: entry.value for entry in model.metadata_props}.get(METADATA, "{}")
    try:
        read = json.loads(found)
    except ValueError:
        raise InputError(f"{path}: the metadata {METADATA} is not JSON") from None
    if not isinstance(read, dict):
        raise InputError(f"{path}: the metadata {METADATA}: a JSON object was expected")
    return read


def _steps(graph: Any, tables: Mapping[str, Array]) -> tuple[list[Step], dict[str, str]]:
    """The nodes in their order, but those that work out the number of positions."""
    steps: list[Step] = []
    outputs: dict[str, str] = {}
    lengths: dict[str, str] = {"tokens": "tokens"}
    known = {"tokens", *tables}
    wanted = {output.name for output in graph.output}
    for k, node in enumerate(graph.node, 1):
        of, place = list(node.input), f"node {k} ({node.op_type or 'without a name'})"
        if others := [name for name in of if name not in known and name not in lengths]:
            raise InputError(f"{place} reads {others[0]!r}, which no node before it gives")
        if len(node.output) != 1 or node.domain not in ("", "ai.onnx"):
            raise InputError(f"{place}: one output of a standard operation was expected")
        name = node.output[0]
        details = {attribute.name: _attribute(attribute) for attribute in node.attribute}
        if (length := _length(node.op_type, of, lengths)) is not None:
            lengths[name] = length
            continue
        if node.op_type == "Identity" and name in wanted:
            outputs[name] = of[0]
            continue
        known.add(name)
        steps.append(_step(node.op_type, name, of, details, tables, lengths, place))
    return steps, outputs


def _attribute(attribute: Any) -> Any:
    import onnx

    return onnx.helper.get_attribute_value(attribute)


def _length(operation: str, of: list[str], lengths: Mapping[str, str]) -> str | None:
    """``shape``, ``n1`` or ``n2``: what a node is that works out how many positions there are."""
    if operation == "Shape" and of == ["tokens"]:
        return "shape"
    kinds = [lengths.get(name, "") for name in of]
    if operation == "Gather" and kinds[:1] == ["shape"]:
        return "n1"
    return "n2" if operation == "Concat" and kinds == ["n1", "n1"] else None


def _step(
    operation: str,
    name: str,
    of: list[str],
    details: Mapping[str, Any],
    tables: Mapping[str, Array],
    lengths: Mapping[str, str],
    place: str,
) -> Step:
    match operation:
        case "Slice" if len(of) == 4 and lengths.get(of[2]) in ("n1", "n2"):
            axes = (0,) if lengths[of[2]] == "n1" else (0, 1)
            starts = [tables[key].tolist() if key in tables else None for key in (of[1], of[3])]
            if starts != [[0] * len(axes), list(axes)]:
                raise InputError(f"{place}: the first positions of a table were expected, from 0")
            return Step(name, "Prefix", (of[0],), {"axes": axes})
        case "Gather" | "Concat" if details.get("axis") in (0, -1):
            return Step(name, operation, tuple(of), {"axis": details["axis"]})
        case "ArgMax" if details.get("axis") == -1:
            return Step(name, operation, tuple(of), {"last": bool(details.get("select_last_index", 0))})
        case "Transpose" if details.get("perm") == [0, 2, 1]:
            return Step(name, operation, tuple(of))
        case "ReduceSum" | "ReduceMax" if details.get("keepdims", 1) == 1:
            if (details.get("axes") or (tables[of[1]].tolist() if of[1:] and of[1] in tables else None)) == [-1]:
                return Step(name, operation, (of[0],))
        case "Pad" if of[1:] and of[1] in tables and tables[of[1]].tolist() == [0, 0, 0, 0, 0, 1]:
            return Step(name, operation, (of[0],))
        case _ if operation in SAME and not details:
            return Step(name, operation, tuple(of))
    known = operation in (*PYTHON, "Gather", "Concat", "ArgMax", "Slice")
    what = "this form of it" if known else "this operation"
    raise InputError(f"{place}: {what} is in no network file; {EXPECTED} were expected, as `verify convert` writes them")


def differs(model: Model, operations: Operations) -> str:
    """Where a network's operations are not those of the model, in words; empty where they are, tables and all, bit for bit."""
    own, theirs = _canonical(operations.steps, operations.constants), _canonical(model.steps, model.tables)
    for k, (mine, other) in enumerate(zip(own, theirs, strict=False)):
        if mine != other:
            mine_said = f"{mine[0]} of other numbers" if mine[0] == other[0] else mine[0]
            return f"operation {k + 1} is {other[0]}, where the network that was read has {mine_said}"
    if len(own) != len(theirs):
        return f"{len(theirs)} operations, where the network that was read has {len(own)}"
    ends = [
        [names[name] for name in outputs.values() if name in names]
        for names, outputs in ((_numbers(operations.steps), operations.outputs), (_numbers(model.steps), model.outputs))
    ]
    return "" if ends[0] == ends[1] else "other outputs than those of the network that was read"


def _numbers(steps: list[Step]) -> dict[str, int]:
    return {step.name: k for k, step in enumerate(steps)} | {"tokens": -1}


def _canonical(steps: list[Step], tables: Mapping[str, Array]) -> list[tuple[Any, ...]]:
    """Operations whose names do not matter: a table is its numbers, an earlier result its place."""
    places = _numbers(steps)

    def shown(name: str) -> Any:
        if name in places:
            return places[name]
        table = np.ascontiguousarray(tables[name])
        return table.dtype.str, table.shape, table.tobytes()

    return [(step.operation, tuple(map(shown, step.of)), sorted(step.details.items())) for step in steps]
