"""An exported network against this program's arrays, input by input: where coordinates differ, and whether answers do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.arrays import Arrays
from verifier.transformers.carriers import Array, to_number
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network
from verifier.transformers.operations import Operations
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
