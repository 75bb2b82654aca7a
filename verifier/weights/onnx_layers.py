"""The layers of a network from its operations: the inverse of :class:`verifier.transformers.operations.Operations`, and checked by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from verifier.arithmetic.bit_patterns import number_format
from verifier.arithmetic.floats import Array
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError
from verifier.transformers.operations import Step
from verifier.weights.formula_text import linear, number
from verifier.weights.onnx_steps import Model
from verifier.weights.onnx_tables import bias, mask, rotary, row_of
from verifier.weights.tensors import exact
from verifier.weights.transformer_blocks import without_zeros

Entry = dict[str, Any]
NOTHING = Step("", "the end", ())


class Layers:
    """Reads operations in their order. names: of the coordinates; hints: what the exporter says of each layer."""

    def __init__(self, model: Model, names: Sequence[str], first: int) -> None:
        self.model, self.names, self.first = model, list(names), first
        self.place = 0
        self.hints: list[Mapping[str, Any]] = list(model.metadata.get("layers", []))

    # ---- operations, one after the other

    def seen(self, operation: str, *of: str | None, ahead: int = 0) -> bool:
        """Whether an operation comes, on these operands; ``#`` is any table, None anything."""
        k = self.place + ahead
        step = self.model.steps[k] if k < len(self.model.steps) else NOTHING
        fits = (w is None or w == x or (w == "#" and x in self.model.tables) for w, x in zip(of, step.of, strict=False))
        return step.operation == operation and len(step.of) >= len(of) and all(fits)

    def next(self, operation: str, *of: str | None) -> Step:
        if not self.seen(operation, *of):
            step = self.model.steps[self.place] if self.place < len(self.model.steps) else NOTHING
            raise InputError(f"operation {self.place + 1} is {step.operation}; {operation} was expected, as `verify convert` writes it")
        self.place += 1
        return self.model.steps[self.place - 1]

    def skip(self, *operations: str) -> str:
        """Operations whose operands are held against the network at the end; the name of the last."""
        return [self.next(operation).name for operation in operations][-1]

    def table(self, name: str) -> Array:
        if name not in self.model.tables:
            raise InputError(f"{name!r}: a table was expected")
        return self.model.tables[name]

    def scalar(self, name: str) -> Fraction:
        return row_of(np.asarray(self.table(name), np.float64).reshape(-1)[:1])[0]

    # ---- the parts of a network

    def embedding(self) -> tuple[str, list[Array], int]:
        """What reads the embedding; for each coordinate its values by token and position; how many positions there are."""
        self.next("Mul", "tokens", "#")
        length = len(self.table(self.next("Prefix", "#").of[0]))
        self.next("Add")
        step = self.next("Gather", "#")
        table = self.table(step.of[0])
        if table.ndim != 2 or table.shape[1] != len(self.names) or not length or len(table) % length:
            raise InputError(
                f"an embedding of shape {table.shape}; {len(self.names)} columns and a multiple of {length} rows were expected"
            )
        return step.name, [table[:, k].reshape(-1, length) for k in range(len(self.names))], length

    def maps(self, x: str, names: Sequence[str]) -> tuple[str, list[str]]:
        """Maps of named values: what they are called together, and their formulas."""
        step = self.next("MatMul", x, "#")
        matrix, name = self.table(step.of[1]), step.name
        constants = [Fraction(0)] * matrix.shape[-1]
        if matrix.ndim != 2 or len(matrix) != len(names):
            raise InputError(f"a matrix of shape {matrix.shape}; {len(names)} rows were expected")
        if self.seen("Add", name, "#"):
            step = self.next("Add", name, "#")
            constants, name = row_of(self.table(step.of[1])), step.name
        columns = [row_of(column) for column in matrix.T]
        return name, [linear(dict(zip(names, c, strict=True)), b) for c, b in zip(columns, constants, strict=True)]

    def layers(self, x: str) -> tuple[list[Entry], Entry | None, str]:
        """All layers, the last norm, and what the coordinates are called at the end."""
        layers: list[Entry] = []
        hints = self.hints
        end = self.model.outputs["coordinates"]
        while True:
            hint = hints[len(layers)] if len(layers) < len(hints) else {} if not hints else None
            if hint is None or (not hints and (x == end or self._only_norm(x, end))):
                break
            parts = hint.get("parts")
            entry: Entry = {}
            norms = {}
            for part in ("attention", "network"):
                if parts is not None and part not in parts:
                    continue
                if parts is None and part == "attention" and not self._is_attention(x):
                    continue
                if parts is None and part == "network" and entry:
                    break  # a block at a time, where nothing says which belong together
                x, norm = self._block(x, part, hint, entry)
                if norm is not None:
                    norms[part] = norm
            if norms:
                entry["norm"] = {**next(iter(norms.values())), "of": list(norms)}
            layers.append(entry)
        final = None
        if x != end:
            x, final = self._norm(x, self.names)
        if x != end:
            raise InputError(f"operation {self.place + 1}: the output was expected after the last layer")
        return layers, final, x

    def _only_norm(self, x: str, end: str) -> bool:
        """Whether nothing comes but a norm, which is then the last one."""
        before = self.place
        try:
            return self._is_norm(x) and self._norm(x, self.names)[0] == end
        finally:
            self.place = before

    def _block(self, x: str, part: str, hint: Mapping[str, Any], entry: Entry) -> tuple[str, Entry | None]:
        norm, read = None, x
        place = hint.get("place")
        if place in (None, "before") and self._is_norm(x):
            read, norm = self._norm(x, self.names)
            norm = {**norm, "place": "before"}
        x = self._attention(x, read, entry) if part == "attention" else self._network(x, read, entry)
        if norm is None and self._is_norm(x) and (place == "after" or (place is None and self._is_last_use(x))):
            x, norm = self._norm(x, self.names)
            norm = {**norm, "place": "after"}
        return x, norm

    def _is_last_use(self, x: str) -> bool:
        """Whether only the norm that comes reads x, and something follows it."""
        before = self.place
        self._norm(x, self.names)
        rest = self.model.steps[self.place :]
        self.place = before
        return bool(rest) and all(x not in step.of for step in rest) and x != self.model.outputs["coordinates"]

    def _is_attention(self, x: str) -> bool:
        """Whether heads come, after a norm before them perhaps."""
        before = self.place
        read = self._norm(x, self.names)[0] if self._is_norm(x) else x
        value = self.maps(read, self.names)[0]
        found = self.seen("Prefix", "#")
        if self.seen("MatMul", read, "#"):
            second = self.maps(read, self.names)[0]
            found = not self.seen("Mul", value, second)
        self.place = before
        return found

    def _added(self, x: str, given: str, entry: Entry) -> str:
        if self.seen("Add", x, given):
            return self.next("Add").name
        entry["residual"] = False
        return given

    def _attention(self, x: str, read: str, entry: Entry) -> str:
        heads: list[Entry] = []
        count = 0
        while not self.seen("Concat"):
            head = self._head(read, count)
            count += len(head["value"])
            heads.append(head)
        given = self.next("Concat").name
        step = self.next("MatMul", given, "#")
        names = [f"v{k}" for k in range(count)]
        columns = zip(self.names, (row_of(column) for column in self.table(step.of[1]).T), strict=True)
        combine = {name: linear(dict(zip(names, column, strict=True))) for name, column in columns}
        entry |= {"head": heads, "combine": without_zeros(combine)}
        return self._added(x, step.name, entry)

    def _head(self, x: str, count: int) -> Entry:
        _, value = self.maps(x, self.names)
        head: Entry = {"value": {f"v{count + k}": text for k, text in enumerate(value)}}
        if self.seen("MatMul", x, "#"):
            _, head["query"] = self._turned(x, head)
            _, head["key"] = self._turned(x, head)
            self.skip("Transpose", "MatMul")
            head["scale"] = number(self.scalar(self.next("Mul", None, "#").of[1]))
            if self.seen("Abs"):
                self.skip("Abs", "Neg")
                head["score"] = "minus-absolute"
        else:
            self.next("Prefix", "#")
        sees = self.table(self.next("Prefix", "#").of[0])
        head |= mask(sees, self.first)
        if self.seen("Prefix", "#") and self.seen("Add", ahead=1):
            head["bias"] = bias(self.table(self.next("Prefix").of[0]), sees, self.first)
            self.next("Add")
        if self.seen("Where", None, None, "#") and self.seen("Prefix", "#", ahead=1):
            head["masked"] = number(self.scalar(self.next("Where").of[2]))
            self.next("Prefix")
        head["kind"] = self._kind()
        self.next("MatMul")
        return head

    def _turned(self, x: str, head: Entry) -> tuple[str, list[str]]:
        """Query or key."""
        name, maps = self.maps(x, self.names)
        if self.seen("Mul", name, name):
            name, norm = self._norm(name, [str(k) for k in range(len(maps))])
            head["normed"] = norm["eps"]
        if self.seen("Prefix", "#") and self.seen("Mul", name, ahead=1):
            cosines = self.table(self.next("Prefix").of[0])
            self.skip("Mul", "MatMul")
            sines = self.table(self.next("Prefix", "#").of[0])
            name = self.skip("Mul", "Add")
            head["rotary"] = rotary(cosines, sines, self.first, number_format(self.model.form))
        return name, maps

    def _kind(self) -> str:
        limit = float(self.table(self.next("Where", None, None, "#").of[2]))
        if limit == 0:
            return "linear"
        if self.seen("ArgMax"):
            last = self.next("ArgMax").details["last"]
            self.skip("Prefix", "Equal", "And", "Where")
            return "rightmost" if last else "leftmost"
        self.next("ReduceMax")
        if self.seen("Equal"):
            self.skip("Equal", "And", "Where", "ReduceSum", "Div", "Where")
            return "average-hard"
        plus = self.seen("Max")
        self.skip(*(["Max"] if plus else []), "Sub", "Exp", "Where", "ReduceSum")
        self.skip(*(["Neg", "Exp", "Add"] if plus else []), "Div", "Where")
        return "softmax-plus-one" if plus else "softmax"

    def _network(self, x: str, read: str, entry: Entry) -> str:
        name, hidden = self.maps(read, self.names)
        units = [f"u{k}" for k in range(len(hidden))]
        name, kind = self._activation(name)
        made: Entry = {"activation": kind, "hidden": dict(zip(units, hidden, strict=True))}
        if self.seen("MatMul", read, "#"):
            gate, maps = self.maps(read, self.names)
            made["gate"] = dict(zip(units, maps, strict=True))
            name = self.next("Mul", name, gate).name
        name, into = self.maps(name, units)
        if self.seen("Mul", name, "#"):
            step = self.next("Mul")
            made["factor"], name = number(self.scalar(step.of[1])), step.name
        entry["network"] = made
        made["into"] = without_zeros(dict(zip(self.names, into, strict=True)))
        return self._added(x, name, made)

    def _activation(self, x: str) -> tuple[str, str]:
        if self.seen("Neg", x):
            return self.skip("Neg", "Exp", "Add", "Div"), "silu"
        if self.seen("Greater", x):
            return self.skip("Greater", "Where"), "step"
        if not self.seen("Max", x, "#"):
            return x, "identity"
        name = self.skip("Max")
        return (self.skip("Min"), "clipped-relu") if self.seen("Min", name, "#") else (name, "relu")

    # ---- norms

    def _is_norm(self, x: str) -> bool:
        return self.seen("ReduceSum", x) or self.seen("Mul", x, x) or self.seen("Gather", x, "#")

    def _norm(self, x: str, names: Sequence[str]) -> tuple[str, Entry]:
        if self.seen("Gather", x, "#"):
            step = self.next("Gather")
            only = [names[k] for k in self.table(step.of[1]).tolist() if 0 <= k < len(names)]
            _, inner = self._norm(step.name, only)
            self.next("Pad")
            return self.next("Gather").name, inner | {"only": only}
        norm: Entry = {"kind": "rms"}
        if self.seen("ReduceSum", x):
            norm["kind"] = "layer"
            x = self.skip("ReduceSum", "Div", "Sub")
        self.skip("Mul", "ReduceSum", "Div")
        norm["eps"] = number(self.scalar(self.next("Add", None, "#").of[1]))
        name = self.skip("Sqrt", "Div")
        for part, operation, plain in (("gain", "Mul", 1), ("shift", "Add", 0)):
            if self.seen(operation, name, "#") and self.table(self.model.steps[self.place].of[1]).shape == (len(names),):
                step = self.next(operation)
                values = [exact(float(v)) for v in self.table(step.of[1])]
                entries = {key: number(v) for key, v in zip(names, values, strict=True) if v != plain}
                norm[part], name = entries or {names[0]: str(plain)}, step.name
        return name, norm
