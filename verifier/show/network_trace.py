"""The trace of a network: as lines, as a document, ``bitreferee/network-trace/1`` with exact strings, and as tables for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from verifier.arithmetic.numbers import Special
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.reals import enclosure
from verifier.arithmetic.semantics import Arithmetic
from verifier.interface.arguments import standard
from verifier.transformers.causes import blocks, short
from verifier.transformers.contexts import Value
from verifier.transformers.evaluate import HeadTrace, Run, Vector
from verifier.transformers.network import Network
from verifier.transformers.outputs import Judged, written
from verifier.transformers.records import NetworkFile

SCHEMA = "bitreferee/network-trace/1"


def as_document(name: str, network: Network, arithmetic: Arithmetic, made: Judged) -> dict[str, Any]:
    """The trace as a document with the tokens, embedding and layers of each run. A network that appends symbols has one for each."""
    return {
        "schema": SCHEMA,
        "construction": name,
        "arithmetic": str(arithmetic),
        "parameters": {key: str(value) for key, value in network.parameters.items()},
        "input": network.input.written(made.strings),
        "expected": made.answer.expected,
        "found": made.answer.found,
        "runs": [_run(network, run) for run in made.runs],
    }


def _run(network: Network, run: Run) -> dict[str, Any]:
    words = list(network.input.words)
    return {
        "tokens": [words[token] for token in run.tokens],
        "embedding": _vectors(run.embedding),
        "layers": [
            {
                "heads": [_head(head) for head in layer.heads],
                "attention": _vectors(layer.attention),
                "hidden": _vectors(layer.hidden),
                "network": _vectors(layer.network),
            }
            for layer in run.layers
        ],
    }


def _head(head: HeadTrace) -> dict[str, Any]:
    return {
        "query": [_row(row) for row in head.query],
        "key": [_row(row) for row in head.key],
        "scores": [_row(row) for row in head.scores],
        "weights": [_row(row) for row in head.weights],
        "given": _vectors(head.given),
    }


def _row(values: Sequence[Value | None]) -> list[str | None]:
    return [None if x is None else written(x) for x in values]


def _vectors(vectors: Sequence[Vector]) -> list[dict[str, str]]:
    return [{name: written(x) for name, x in vector.items()} for vector in vectors]


def trace_rows(network: Network, made: Judged) -> Iterator[dict[str, Any]]:
    """A row for each token in each block of each run: block, position, token, the block's coordinates, and the run if it appends."""
    words, first = list(network.input.words), network.file.input.first
    for number, run in enumerate(made.runs, 1):
        for block in blocks(run):
            for i, (token, vector) in enumerate(zip(run.tokens, block.vectors, strict=True), first):
                head = {"run": number} if network.file.decode else {}
                yield {**head, "block": block.title, "position": i, "token": words[token], **{key: _exact(x) for key, x in vector.items()}}


def _exact(x: Value) -> Any:
    """A rational or special number as Python has it, and another as its text."""
    return standard(x) if isinstance(x, Fraction | Special) else written(x)


def trace_lines(network: Network, made: Judged) -> Iterator[str]:
    """The answer, then its steps: each head with its scores and weights, and the coordinates of every token but those that are 0 at all."""
    answer = made.answer
    yield f"answer: {answer.found}{f' ({answer.shown})' if answer.shown else ''}; the right answer is {answer.expected}"
    for run in made.runs:
        names = [list(network.input.words)[token] for token in run.tokens]
        for block in blocks(run):
            if block.head is not None:
                yield f"{block.title}: scores and weights at each token, and what the head gives"
                for name, scores, weights, given in zip(names, block.head.scores, block.head.weights, block.vectors, strict=True):
                    yield f"  {name}: scores {_alike(scores)}; weights {_alike(weights)}; {_values(given, given)}"
                continue
            yield block.title
            used = _used(block.vectors)
            yield from (f"  {name}: {_values(x, used)}" for name, x in zip(names, block.vectors, strict=True)) if used else ("  all 0",)
    yield rule(network.file)


def rule(file: NetworkFile) -> str:
    """When a network gives which answer, as its file says."""
    if file.accept is not None:
        no = f"no if {file.accept.no}" if file.accept.no else "no otherwise"
        return f"By its file the network answers yes if {file.accept.yes} at the token {file.accept.at}, and {no}."
    at = f"the token {file.choose.at}" if file.choose is not None else "the last token"
    return f"By its file the network answers with the symbol that has the largest logit at {at}."


def _alike(values: Sequence[Value | None]) -> str:
    """Values, a dash for a masked token; one value where all are equal."""
    shown = [x or "-" for x in _row(values)]
    return f"{shown[0]} each" if len(set(shown)) == 1 and len(shown) > 1 else " ".join(shown)


def _values(vector: Vector, keys: Iterable[str]) -> str:
    return ", ".join(f"{key} = {written(vector[key])}" for key in keys)


def _used(vectors: Sequence[Vector]) -> list[str]:
    """The coordinates that are not 0 at every token."""
    return [key for key in vectors[0] if any(written(x[key]) != "0" for x in vectors)] if vectors else []


NEAR, WHOLE = 3, 16
"""A block with more tokens than ``WHOLE`` shows the first, the last, and those at most ``NEAR`` places from the step that goes wrong."""


@dataclass(frozen=True)
class Section:
    """One block of a run: a row for each token, its values in a few digits.

    says: the formula of each column that the block computes. departs: the row that the cause of a wrong answer names, before one with its
    values over real numbers; or the token that a head takes though it should not. here: whether the run goes wrong in this block.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    departs: int | None = None
    says: tuple[tuple[str, str], ...] = ()
    here: bool = False


def sections(network: Network, made: Judged, real: Judged, happens: str) -> list[Section]:
    """List the blocks of the last run, and in the block where a head goes wrong the scores and weights of the token.

    real: the same input over real numbers. happens: the cause of the wrong answer, which begins with the block's title and names the token.
    """
    run, words = made.runs[-1], list(network.input.words)
    first = network.file.input.first
    names = [f"{words[token]} at {i + first}" for i, token in enumerate(run.tokens)]
    title, _, said = happens.partition(": ")
    wrong = next((i for i, name in enumerate(names) if f" {name} " in f" {said} "), None)
    formulas, found = _formulas(network), []
    for (block, vectors, head, _), other in zip(blocks(run), blocks(real.runs[-1]), strict=True):
        departs = wrong if block == title else None
        if used := _used(vectors):
            rows = [(name, *(short(x[key]) for key in used)) for name, x in zip(names, vectors, strict=True)]
            rows, at = _near(rows, len(rows) - 1 if wrong is None else wrong)
            if departs is not None:
                rows.insert(at + 1, ("the same over real numbers", *(short(other.vectors[departs][key]) for key in used)))
            says = tuple((key, formulas[block, key]) for key in used if (block, key) in formulas)
            here = at if departs is not None else None
            found.append(Section(block, ("token", *used), tuple(rows), here, says, here is not None))
        if head is not None and other.head is not None and departs is not None:
            scores = map(_told_apart, (head.scores[departs], other.head.scores[departs]))
            seen = list(zip(names, *scores, map(_short, head.weights[departs]), strict=True))
            weights = zip(head.weights[departs], other.head.weights[departs], strict=True)
            chosen = next((j for j, (mine, theirs) in enumerate(weights) if mine is not None and theirs is None), None)
            asked = ("token", "score", "score over real numbers", "weight")
            found.append(Section(f"{block}: the tokens that {names[departs]} looks at", asked, tuple(seen), chosen, here=True))
    return found


def _near(rows: list[tuple[str, ...]], at: int) -> tuple[list[tuple[str, ...]], int]:
    """The rows that a long block shows, with the numbers of those left out; and the place of a row among them."""
    if len(rows) <= WHOLE:
        return rows, at
    kept = sorted({0, *range(max(0, at - NEAR), min(len(rows), at + NEAR + 1)), len(rows) - 1})
    found: list[tuple[str, ...]] = []
    for before, k in pairwise((-1, *kept)):
        if k > before + 1:
            found.append((f"{k - before - 1} tokens", *("…" for _ in rows[0][1:])))
        found.append(rows[k])
    return found, found.index(rows[at])


def _formulas(network: Network) -> dict[tuple[str, str], str]:
    """The file's formulas of the coordinates and hidden units that a block computes, by the block's title and their names."""
    found = {("embedding", key): str(text) for key, text in network.file.embedding.items()}
    for k, layer in enumerate(network.file.layer, 1):
        for h, head in enumerate(layer.head, 1):
            found |= {(f"layer {k}, head {h}", key): str(text) for key, text in head.value.items()}
        if layer.network is not None:
            found |= {(f"layer {k}, hidden unit", key): str(text) for key, text in layer.network.hidden.items()}
            found |= {(f"layer {k}", key): str(text) for key, text in layer.network.into.items()}
    return found


def _told_apart(values: Sequence[Value | None]) -> list[str]:
    """Values in a few digits, or in as many as tell different ones apart, up to forty."""
    written = [[*map(_short, values)]]
    for digits in (8, 16, 40):
        written.append([_short(x) if x is None or isinstance(x, Special) else enclosure(x).str(digits, radius=False) for x in values])
    return next(texts for texts in written if len(set(texts)) == len(set(written[-1])))


def _short(x: Value | None) -> str:
    return "–" if x is None else short(x)
