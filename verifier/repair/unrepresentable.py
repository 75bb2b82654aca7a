"""Entries that the precision lacks, by their place."""

from __future__ import annotations

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.networks.execution import Execution
from verifier.networks.instance import Instance

Places = frozenset[str]


def lacking_places(instance: Instance, semantics: Semantics) -> Places:
    """The entries that the precision lacks, no two of one name: those of the weights with their place in the matrix or node."""
    execution = Execution(instance, semantics)
    rows: dict[str, tuple[Fraction, ...]] = {}
    for name, matrix in (("query", instance.query), ("key", instance.key), ("value", instance.value)):
        rows |= {f"{name} {k}": row for k, row in enumerate(matrix.rows)}
    rows |= {f"node {k}": (*node.weights, node.bias) for k, node in enumerate((*instance.hidden, instance.output))}
    weights = {f"{at}, {k}" for at, row in rows.items() for k, x in enumerate(row) if not execution.machine.form.contains(x)}
    return frozenset(weights | {text for text in execution.unrepresentable_in_attention if text.startswith("step ")})


def part_of(place: str) -> str:
    """The part of a file that a lacking entry is of, as an edit's place begins: ``row.2``, ``weights`` or ``mlp``."""
    word = place.split(",")[0].split()
    return f"row.{word[1]}" if word[0] == "step" else "mlp" if word[0] == "node" else "weights"
