"""A run as lines: each layer's heads with their weights, and the coordinates of every token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.transformers.contexts import Value
from verifier.transformers.evaluate import Run, Vector
from verifier.transformers.network import Network
from verifier.transformers.outputs import Judged, written


def trace_lines(network: Network, made: Judged) -> Iterator[str]:
    """The steps of an input; coordinates that are 0 at every token are left out."""
    for run in made.runs:
        yield from _run(network, run)
    answer = made.answer
    yield f"answer: {answer.found}{f' ({answer.shown})' if answer.shown else ''}; the right answer is {answer.expected}"


def _run(network: Network, run: Run) -> Iterator[str]:
    words = list(network.input.words)
    names = [words[token] for token in run.tokens]
    yield "embedding"
    yield from _vectors(names, run.embedding)
    for k, layer in enumerate(run.layers, 1):
        for h, head in enumerate(layer.heads, 1):
            yield f"layer {k}, head {h}: scores and weights at each token, and what the head gives"
            for name, scores, weights, given in zip(names, head.scores, head.weights, head.given, strict=True):
                values = ", ".join(f"{key} = {written(x)}" for key, x in given.items())
                yield f"  {name}: scores {_row(scores)}; weights {_row(weights)}; {values}"
        yield f"layer {k}, after attention"
        yield from _vectors(names, layer.attention)
        if layer.hidden:
            yield f"layer {k}, hidden units"
            yield from _vectors(names, layer.hidden)
            yield f"layer {k}, after the network"
            yield from _vectors(names, layer.network)


def _row(values: Sequence[Value | None]) -> str:
    """Values, a dash for a masked token; one value where all are equal."""
    shown = ["-" if x is None else written(x) for x in values]
    return f"{shown[0]} each" if len(set(shown)) == 1 and len(shown) > 1 else " ".join(shown)


def _vectors(names: Sequence[str], vectors: Sequence[Vector]) -> Iterator[str]:
    used = [key for key in vectors[0] if any(written(x[key]) != "0" for x in vectors)]
    if not used:
        yield "  all 0"
        return
    for name, x in zip(names, vectors, strict=True):
        yield f"  {name}: " + ", ".join(f"{key} = {written(x[key])}" for key in used)
