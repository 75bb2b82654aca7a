"""Exports of a network: a NumPy module that needs nothing else, and an ONNX model, compared with this program's arrays.

A network at given parameters is a list of operations on tensors: the formulas of a layer, once for every target. Tensors have the axes
input, position (i, j of scores), coordinate. Numbers of the file are rounded once into the float format. Operations have the names and
meanings of ONNX, except ``Prefix``: the first rows of a table, one for each token. Maps are matrices: a coefficient 0 times NaN or an
infinity is NaN here, 0 in the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from verifier.arithmetic.bit_patterns import number_format
from verifier.arithmetic.floats import Array, to_float, to_number
from verifier.arithmetic.numbers import ZERO
from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import LimitError
from verifier.running.printable import assignment
from verifier.transformers import formulas
from verifier.transformers.arrays import Arrays
from verifier.transformers.contexts import round_number
from verifier.transformers.formulas import Constant, Map
from verifier.transformers.inputs import Strings
from verifier.transformers.network import FeedForward, Head, Layer, Network, Norm
from verifier.transformers.outputs import accepted, place
from verifier.transformers.records import ONE_TOKEN

FLOATS = {"float64": np.float64, "float32": np.float32}


@dataclass(frozen=True)
class Step:
    """An operation: ``name`` is the name of its result; details: axes, or the choice among equal elements."""

    name: str
    operation: str
    of: tuple[str, ...]
    details: Mapping[str, Any] = field(default_factory=dict)


class Operations:
    """The operations of a network. constants: tables by name; outputs: ``coordinates`` and, if symbols are chosen, ``logits``."""

    def __init__(self, network: Network, form: str = "float64") -> None:
        """Raise a LimitError for a network that only the definition runs."""
        if network.not_by_arrays:
            raise LimitError(network.not_by_arrays, "another kind of attention")
        self.network, self.format, self.machine, self.dtype = network, form, number_format(form), FLOATS[form]
        self.constants: dict[str, Array] = {}
        self.steps: list[Step] = []
        self.width = len(network.coordinates)
        self.place = {name: k for k, name in enumerate(network.coordinates)}
        decode = network.file.decode
        self.length = len(network.input.layout) + (formulas.integer(decode.steps, network.names) - 1 if decode else 0)
        x = self._embedded()
        for layer in network.layers:
            x = self._layer(layer, x)
        if network.final_norm is not None:
            x = self._normed(x, network.final_norm, network.coordinates)
        self.outputs = {"coordinates": x}
        if network.logits:
            self.outputs["logits"] = self._maps(x, network.logits, network.coordinates)
        read = {name for step in self.steps for name in step.of}
        self.constants = {name: table for name, table in self.constants.items() if name in read}

    def _do(self, operation: str, *of: str, **details: Any) -> str:
        name = f"x{len(self.steps)}"
        self.steps.append(Step(name, operation, of, details))
        return name

    def _table(self, table: Any, dtype: Any = None) -> str:
        array = np.asarray(table, self.dtype if dtype is None else dtype)
        for name, known in self.constants.items():
            if known.dtype == array.dtype and known.shape == array.shape and known.tobytes() == array.tobytes():
                return name
        self.constants[f"c{len(self.constants)}"] = array
        return f"c{len(self.constants) - 1}"

    def _number(self, x: Constant) -> float:
        return to_float(round_number(self.machine, x))

    def _scalar(self, x: Constant) -> str:
        return self._table(self._number(x))

    def _embedded(self) -> str:
        words = len(self.network.input.words)
        table = np.zeros((words * self.length, self.width))
        for token in range(words):
            for i in range(self.length):
                for name, value in self.network.embedding(token, i).items():
                    table[token * self.length + i, self.place[name]] = self._number(value)
        row = self._do("Mul", "tokens", self._table(self.length, np.int64))
        row = self._do("Add", row, self._do("Prefix", self._table(np.arange(self.length), np.int64), axes=(0,)))
        return self._do("Gather", self._table(table), row, axis=0)

    def _maps(self, x: str, forms: Iterable[Map], names: Iterable[str]) -> str:
        """Maps of coordinates: a matrix, and the constants."""
        forms, order = list(forms), {name: k for k, name in enumerate(names)}
        matrix = np.zeros((len(order), len(forms)))
        for k, form in enumerate(forms):
            for name, c in form.terms:
                matrix[order[name], k] = self._number(c)
        found = self._do("MatMul", x, self._table(matrix))
        constants = [self._number(form.constant) for form in forms]
        return self._do("Add", found, self._table(constants)) if any(constants) else found

    def _into(self, x: str, rows: Mapping[str, Iterable[tuple[int, Constant]]], count: int) -> str:
        """The terms added to each coordinate, by place."""
        matrix = np.zeros((count, self.width))
        for name, terms in rows.items():
            for k, c in terms:
                matrix[k, self.place[name]] += self._number(c)
        return self._do("MatMul", x, self._table(matrix))

    def _layer(self, layer: Layer, x: str) -> str:
        names = self.network.coordinates
        norm = layer.norms.get("attention")
        if layer.heads:
            read = self._normed(x, norm, names) if norm and norm.entry.place == "before" else x
            given = self._do("Concat", *(self._head(head, read) for head in layer.heads), axis=-1)
            places = {source: k for k, source in enumerate((h, name) for h, head in enumerate(layer.heads) for name in head.value)}
            rows = {name: [(places[source], c) for source, c in sources] for name, sources in layer.combine.items()}
            into = self._into(given, rows, len(places))
            x = self._do("Add", x, into) if layer.entry.residual else into
            x = self._normed(x, norm, names) if norm and norm.entry.place == "after" else x
        if layer.network is None:
            return x
        norm, entry = layer.norms.get("network"), layer.network
        read = self._normed(x, norm, names) if norm and norm.entry.place == "before" else x
        units = self._hidden(entry, read)
        order = {name: k for k, name in enumerate(entry.hidden)}
        into = self._into(units, {name: [(order[unit], c) for unit, c in form.terms] for name, form in entry.into.items()}, len(order))
        shift = np.zeros(self.width)
        for name, form in entry.into.items():
            shift[self.place[name]] = self._number(form.constant)
        into = self._do("Add", into, self._table(shift)) if shift.any() else into
        into = self._do("Mul", into, self._scalar(entry.factor)) if entry.factor is not None else into
        x = self._do("Add", x, into) if entry.entry.residual else into
        return self._normed(x, norm, names) if norm and norm.entry.place == "after" else x

    def _head(self, head: Head, x: str) -> str:
        """The output of a head, its values side by side."""
        value = self._maps(x, head.value.values(), self.network.coordinates)
        weights = self._weights(head.entry.kind, *self._scores(head, x))
        return self._do("MatMul", weights, value)

    def _scores(self, head: Head, x: str) -> tuple[str, str]:
        """The scores, and the visible tokens."""
        places = range(self.length)
        if head.query:
            query = self._turned(head, self._maps(x, head.query, self.network.coordinates))
            key = self._turned(head, self._maps(x, head.key, self.network.coordinates))
            scores = self._do("MatMul", query, self._do("Transpose", key))
            scores = self._do("Mul", scores, self._scalar(head.scale))
            if head.entry.score == "minus-absolute":
                scores = self._do("Neg", self._do("Abs", scores))
        else:
            scores = self._do("Prefix", self._table(np.zeros((self.length, self.length))), axes=(0, 1))
        sees = np.array([[head.sees(i, j) for j in places] for i in places])
        seen = self._do("Prefix", self._table(sees, bool), axes=(0, 1))
        if head.entry.bias is not None:
            bias = [[self._number(self.network.bias(head, i, j)) if sees[i, j] else 0.0 for j in places] for i in places]
            scores = self._do("Add", scores, self._do("Prefix", self._table(bias), axes=(0, 1)))
        if head.masked is not None:
            scores = self._do("Where", seen, scores, self._scalar(head.masked))
            seen = self._do("Prefix", self._table(np.ones((self.length, self.length)), bool), axes=(0, 1))
        return scores, seen

    def _turned(self, head: Head, entries: str) -> str:
        width = len(head.query)
        if head.norm is not None:
            entries = self._normed(entries, head.norm, [str(k) for k in range(width)])
        if not head.angles:
            return entries
        cosines, sines, swap = np.ones((self.length, width)), np.zeros((self.length, width)), np.zeros((width, width))
        for k, angle in enumerate(head.angles):
            swap[2 * k + 1, 2 * k], swap[2 * k, 2 * k + 1] = -1, 1
            for i in range(self.length):
                cosine, sine = (self._number(x) for x in self.network.turn(angle, i))
                cosines[i, 2 * k : 2 * k + 2], sines[i, 2 * k : 2 * k + 2] = cosine, sine
        kept = self._do("Mul", entries, self._do("Prefix", self._table(cosines), axes=(0,)))
        moved = self._do("Mul", self._do("MatMul", entries, self._table(swap)), self._do("Prefix", self._table(sines), axes=(0,)))
        return self._do("Add", kept, moved)

    def _weights(self, kind: str, scores: str, seen: str) -> str:
        """Scores as weights; 0 for hidden tokens."""
        zero = self._table(0.0)
        if kind == "linear":
            return self._do("Where", seen, scores, zero)
        hidden = self._do("Where", seen, scores, self._table(-np.inf))
        if kind in ONE_TOKEN:
            best = self._do("ArgMax", hidden, last=kind == "rightmost")
            one = self._do("Equal", best, self._do("Prefix", self._table(np.arange(self.length), np.int64), axes=(0,)))
            return self._do("Where", self._do("And", one, seen), self._table(1.0), zero)
        top = self._do("ReduceMax", hidden)
        if kind == "average-hard":
            best = self._do("And", self._do("Equal", hidden, top), seen)
            ones = self._do("Where", best, self._table(1.0), zero)
            return self._do("Where", seen, self._do("Div", ones, self._do("ReduceSum", ones)), zero)
        if kind == "softmax-plus-one":
            top = self._do("Max", top, zero)
        powers = self._do("Where", seen, self._do("Exp", self._do("Sub", hidden, top)), zero)
        total = self._do("ReduceSum", powers)
        if kind == "softmax-plus-one":
            total = self._do("Add", total, self._do("Exp", self._do("Neg", top)))
        return self._do("Where", seen, self._do("Div", powers, total), zero)

    def _hidden(self, entry: FeedForward, x: str) -> str:
        units = self._maps(x, entry.hidden.values(), self.network.coordinates)
        kind = entry.entry.activation
        zero, one = self._table(0.0), self._table(1.0)
        if kind == "silu":
            units = self._do("Div", units, self._do("Add", one, self._do("Exp", self._do("Neg", units))))
        elif kind == "step":
            units = self._do("Where", self._do("Greater", units, zero), one, zero)
        elif kind in ("relu", "clipped-relu"):
            units = self._do("Max", units, zero)
            units = self._do("Min", units, one) if kind == "clipped-relu" else units
        elif kind != "identity":
            raise LimitError(f"the activation {kind}, which exports do not know", "another activation")
        if not entry.gate:
            return units
        return self._do("Mul", units, self._maps(x, [entry.gate[name] for name in entry.hidden], self.network.coordinates))

    def _normed(self, x: str, norm: Norm, names: Iterable[str]) -> str:
        names = list(names)
        if norm.entry.only:
            kept = [k for k, name in enumerate(names) if name in norm.entry.only]
            inner = self._normed(self._do("Gather", x, self._table(kept, np.int64), axis=-1), norm.whole, [names[k] for k in kept])
            back = [kept.index(k) if k in kept else len(kept) for k in range(len(names))]
            return self._do("Gather", self._do("Pad", inner), self._table(back, np.int64), axis=-1)
        size = self._scalar(ZERO + len(names))
        if norm.entry.kind == "layer":
            x = self._do("Sub", x, self._do("Div", self._do("ReduceSum", x), size))
        square = self._do("Div", self._do("ReduceSum", self._do("Mul", x, x)), size)
        x = self._do("Div", x, self._do("Sqrt", self._do("Add", square, self._scalar(norm.eps))))
        if norm.gain:
            x = self._do("Mul", x, self._table([self._number(norm.gain[name]) if name in norm.gain else 1.0 for name in names]))
        if norm.shift:
            x = self._do("Add", x, self._table([self._number(norm.shift[name]) if name in norm.shift else 0.0 for name in names]))
        return x


CHUNK = 256
Runner = Callable[[Array], Mapping[str, Array]]


@dataclass(frozen=True)
class Difference:
    """The first input at which a coordinate differs, as text, and the place."""

    strings: Mapping[str, str]
    shown: str


@dataclass(frozen=True)
class Compared:
    """The number of inputs run; the number on which some coordinate differs, and on which the answer differs (for decoding, the next
    symbol)."""

    inputs: int
    coordinates: int
    answers: int
    first: Difference | None


def runner(path: Path) -> Runner:
    """The program that runs an exported file: onnxruntime, or Python.

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
    (given,), outputs = session.get_inputs(), [output.name for output in session.get_outputs()]
    return lambda tokens: dict(zip(outputs, session.run(outputs, {given.name: tokens}), strict=True))


def compared(operations: Operations, run: Runner, inputs: int) -> Compared:
    """Compare the export with arrays in the same format, on the first inputs in their order."""
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
    """The symbol chosen at the output, −1 if a logit is NaN."""
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
        f'"""{network.file.title}: {assignment(network.parameters)}, in {operations.format}.',
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
        doc_string=f"{operations.network.file.title}: {assignment(operations.network.parameters)}",
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
