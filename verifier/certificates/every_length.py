"""Certificates that a construction with alike positions computes EQ on strings of every length: the states and denominators."""

from __future__ import annotations

from verifier.arithmetic.numbers import show
from verifier.certificates.statement import Certificate, construction_data, semantics_data
from verifier.engines.columns import Invariant
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution


def every_length_facts(execution: Execution, found: Invariant) -> Certificate:
    """The facts of a certificate of this kind, besides its header.

    Raises:
        InputError: a construction that the checker does not read.
    """
    if isinstance(execution.instance.precision, int) is (execution.instance.attention != "softmax"):
        raise InputError("certificates are of softmax attention in fixed point, or of linear attention with floats")
    if not execution.instance.accept.usual:
        raise InputError("certificates are of answers 1 and 0, not of [accept]")
    return {
        "kind": "every-length",
        "semantics": semantics_data(execution.semantics),
        "construction": construction_data(execution.instance),
        "assumptions": list(execution.assumptions),
        "states": sorted([show(total), "equal" if equal else "different"] for total, equal in found.states),
        "denominators": sorted(map(show, found.denominators)),
    }
