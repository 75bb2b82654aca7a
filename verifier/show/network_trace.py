"""The trace of a network as a document, ``bitreferee/network-trace/1``: every quantity is an exact string."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifier.arithmetic.semantics import Arithmetic
from verifier.transformers.contexts import Value
from verifier.transformers.evaluate import HeadTrace, Run, Vector
from verifier.transformers.network import Network
from verifier.transformers.outputs import Judged, written

SCHEMA = "bitreferee/network-trace/1"


def as_document(name: str, network: Network, arithmetic: Arithmetic, made: Judged) -> dict[str, Any]:
    """A run for each symbol that is appended, else one; of each run its tokens, embedding and layers."""
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
