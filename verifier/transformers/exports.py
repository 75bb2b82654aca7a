"""The operations of a network as a NumPy module that needs nothing else, and as an ONNX model, compared with this program's arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from verifier.arithmetic.floats import Array, to_number
from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import LimitError
from verifier.transformers.arrays import Arrays
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network
from verifier.transformers.operations import Operations, Step
from verifier.transformers.outputs import accepted, place

CHUNK = 256
Runner = Callable[[Array], Mapping[str, Array]]


@dataclass(frozen=True)
class Difference:
    """The first input at which a coordinate differs, as text, and where."""

    strings: Mapping[str, str]
    shown: str


@dataclass(frozen=True)
class Compared:
    """How many inputs were run; on how many some coordinate differs, on how many the answer (for decoding, the next symbol)."""

    inputs: int
    coordinates: int
    answers: int
    first: Difference | None


def runner(path: Path) -> Runner:
    """What runs an exported file: onnxruntime, or Python.

    Raises:
        ImportError: onnxruntime is missing.
    """
    if path.suffix == ".py":
        names: dict[str, Runner] = {}
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)

        def quietly(tokens: Array) -> Mapping[str, Array]:
            with np.errstate(all="ignore"):
                return names["run"](tokens)

        return quietly
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    outputs = [output.name for output in session.get_outputs()]
    return lambda tokens: dict(zip(outputs, session.run(outputs, {"tokens": tokens}), strict=True))


def compared(operations: Operations, run: Runner, inputs: int) -> Compared:
    """The first inputs in their order, by the export and by arrays in the same format."""
    network = operations.network
    arrays = Arrays(network, Arithmetic(operations.format))
    every = islice(network.input.every(), inputs)
    count = coordinates = answers = 0
    first = None
    for chunk in _chunks(every):
        tokens = np.array([network.input.tokens(strings) for strings in chunk], np.int64)
        columns = arrays.run(tokens)
        own = np.stack([np.broadcast_to(columns[name], tokens.shape) for name in network.coordinates], axis=-1)
        given = run(tokens)
        other = given["coordinates"]
        apart = (own != other) & ~(np.isnan(own) & np.isnan(other))
        rows = np.flatnonzero(apart.any(axis=(1, 2)))
        if len(rows) and first is None:
            i, k = np.argwhere(apart[rows[0]])[0]
            theirs, mine = (float(x[rows[0], i, k]) for x in (other, own))
            shown = f"{network.coordinates[k]} at position {i + network.file.input.first} is {theirs!r}, not {mine!r}"
            first = Difference(network.input.written(chunk[rows[0]]), shown)
        coordinates += len(rows)
        count += len(chunk)
        if network.logits:
            with np.errstate(all="ignore"):
                logits = [np.broadcast_to(arrays.applied(form, columns), tokens.shape) for form in network.logits]
            both = (_chosen(network, np.stack(logits, axis=-1)), _chosen(network, given["logits"]))
            answers += sum(a != b for a, b in zip(*both, strict=True))
        else:
            answers += sum(_answer(network, own[row]) != _answer(network, other[row]) for row in rows)
    return Compared(count, coordinates, answers, first)


def _chunks(every: Iterator[Strings]) -> Iterator[list[Strings]]:
    while chunk := list(islice(every, CHUNK)):
        yield chunk


def _chosen(network: Network, logits: Array) -> list[int]:
    """The symbol that is chosen where the output stands, −1 where a logit is NaN."""
    entry = network.file.choose
    at = logits[:, place(network, entry.at, logits.shape[1]) if entry else -1]
    found: list[int] = np.where(np.isnan(at).any(axis=1), -1, at.argmax(axis=1)).tolist()
    return found


def _answer(network: Network, rows: Array) -> str:
    accept = network.file.accept
    assert accept is not None
    x = rows[place(network, accept.at, len(rows))]
    return accepted(network, {name: to_number(float(value)) for name, value in zip(network.coordinates, x, strict=True)})[0]


OPSET = 17
MOST_NUMBERS = 1 << 22
"""Elements of all tables."""
PYTHON = {
    "Add": "{0} + {1}",
    "Sub": "{0} - {1}",
    "Mul": "{0} * {1}",
    "Div": "{0} / {1}",
    "Neg": "-{0}",
    "And": "{0} & {1}",
    "Equal": "{0} == {1}",
    "Greater": "{0} > {1}",
    "Abs": "np.abs({0})",
    "Exp": "np.exp({0})",
    "Sqrt": "np.sqrt({0})",
    "Max": "np.maximum({0}, {1})",
    "Min": "np.minimum({0}, {1})",
    "MatMul": "{0} @ {1}",
    "Where": "np.where({0}, {1}, {2})",
    "Transpose": "{0}.swapaxes(-1, -2)",
    "ReduceSum": "{0}.sum(axis=-1, keepdims=True)",
    "ReduceMax": "{0}.max(axis=-1, keepdims=True)",
    "Pad": "np.pad({0}, [(0, 0), (0, 0), (0, 1)])",
}


def numpy_module(operations: Operations) -> str:
    """The text of a module with ``run(tokens)``."""
    _bounded(operations)
    network = operations.network
    outputs = ", ".join(f'"{name}": {step}' for name, step in operations.outputs.items())
    words = ", ".join(network.input.words)
    lines = [
        f'"""{network.file.title}: {_point(network)}, in {operations.format}.',
        "",
        f"tokens: integers of the shape (inputs, positions), at most {operations.length} positions; {words}: 0, 1, ….",
        f"coordinates, in the last axis of what is returned: {', '.join(network.coordinates)}.",
        '"""',
        "",
        "import numpy as np",
        "",
        *(f"{name} = np.array({_written(table)}, np.{table.dtype})" for name, table in operations.constants.items()),
        "",
        "",
        "def run(tokens):",
        "    tokens = np.asarray(tokens, np.int64)",
        "    n = tokens.shape[1]",
        *(f"    {step.name} = {_python(step)}" for step in operations.steps),
        f"    return {{{outputs}}}",
    ]
    return "\n".join(lines) + "\n"


def _point(network: Network) -> str:
    return ", ".join(f"{name} = {value}" for name, value in network.parameters.items())


def _written(table: Array) -> str:
    if not table.size:
        return f"np.zeros({table.shape})"
    return repr(table.tolist()).replace("inf", "np.inf").replace("nan", "np.nan")


def _python(step: Step) -> str:
    match step.operation:
        case "Prefix":
            return f"{step.of[0]}[{', '.join([':n'] * len(step.details['axes']))}]"
        case "Gather" if step.details["axis"] == 0:
            return f"{step.of[0]}[{step.of[1]}]"
        case "Gather":
            return f"{step.of[0]}[..., {step.of[1]}]"
        case "Concat":
            return f"np.concatenate([{', '.join(step.of)}], axis=-1)"
        case "ArgMax" if step.details["last"]:
            return f"n - 1 - {step.of[0]}[..., ::-1].argmax(axis=-1)[..., None]"
        case "ArgMax":
            return f"{step.of[0]}.argmax(axis=-1)[..., None]"
    return PYTHON[step.operation].format(*step.of)


def onnx_model(operations: Operations) -> Any:
    """The model, with the input ``tokens`` of the shape (inputs, positions).

    Raises:
        ImportError: the package onnx is missing.
    """
    import onnx
    from onnx import helper, numpy_helper

    _bounded(operations)
    number = helper.np_dtype_to_tensor_dtype(np.dtype(operations.dtype))
    constants = dict(operations.constants) | {"one": np.array([1], np.int64), "last": np.array([-1], np.int64)}
    constants |= {f"axes{k}": np.arange(k) for k in (1, 2)} | {f"zeros{k}": np.zeros(k, np.int64) for k in (1, 2)}
    nodes = [
        helper.make_node("Shape", ["tokens"], ["shape"]),
        helper.make_node("Gather", ["shape", "one"], ["n1"]),
        helper.make_node("Concat", ["n1", "n1"], ["n2"], axis=0),
    ]
    for step in operations.steps:
        nodes += _nodes(helper, step, constants, operations.dtype)
    nodes += [helper.make_node("Identity", [given], [name]) for name, given in operations.outputs.items()]
    graph = helper.make_graph(
        nodes,
        operations.network.file.id.replace("-", "_"),
        [helper.make_tensor_value_info("tokens", onnx.TensorProto.INT64, ["inputs", "positions"])],
        [helper.make_tensor_value_info(name, number, ["inputs", "positions", None]) for name in operations.outputs],
        [numpy_helper.from_array(np.asarray(table), name) for name, table in constants.items()],
        doc_string=f"{operations.network.file.title}: {_point(operations.network)}",
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8, producer_name="bitreferee")
    onnx.checker.check_model(model)
    return model


def _nodes(helper: Any, step: Step, constants: dict[str, Array], dtype: Any) -> list[Any]:
    of = list(step.of)
    match step.operation:
        case "Prefix":
            k = len(step.details["axes"])
            return [helper.make_node("Slice", [*of, f"zeros{k}", f"n{k}", f"axes{k}"], [step.name])]
        case "Gather" | "Concat":
            return [helper.make_node(step.operation, of, [step.name], axis=step.details["axis"])]
        case "ArgMax":
            return [helper.make_node("ArgMax", of, [step.name], axis=-1, keepdims=1, select_last_index=int(step.details["last"]))]
        case "Transpose":
            return [helper.make_node("Transpose", of, [step.name], perm=[0, 2, 1])]
        case "ReduceSum":
            return [helper.make_node("ReduceSum", [*of, "last"], [step.name], keepdims=1)]
        case "ReduceMax":
            return [helper.make_node("ReduceMax", of, [step.name], axes=[-1], keepdims=1)]
        case "Pad":
            constants |= {"pads": np.array([0, 0, 0, 0, 0, 1], np.int64), "nothing": np.array(0, dtype)}
            return [helper.make_node("Pad", [*of, "pads", "nothing"], [step.name])]
    return [helper.make_node(step.operation, of, [step.name])]


def _bounded(operations: Operations) -> None:
    count = sum(table.size for table in operations.constants.values())
    if count > MOST_NUMBERS:
        raise LimitError(f"an export of {count:,} numbers", "smaller parameters")
