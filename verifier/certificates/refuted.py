"""Certificates of constructions that are wrong: the input, and everything that happens on it."""

from __future__ import annotations

from verifier.certificates.statement import Certificate, Subject, construction_data, sealed, semantics_data
from verifier.certificates.traces import trace_of_pair
from verifier.networks.problems import bits_of
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution


def refuted_certificate(subject: Subject, execution: Execution, y: int, z: int) -> Certificate:
    """The certificate that the construction answers wrongly on (y, z).

    Raises:
        ValueError: the answer is right, or the pair breaks the promise.
    """
    run = evaluate(execution, y, z)
    if run.correct or not run.promised:
        raise ValueError(f"({y}, {z}) refutes nothing")
    return sealed(
        {
            **subject.header("refuted"),
            "semantics": semantics_data(execution.semantics),
            "construction": construction_data(execution.instance),
            "input": {"y": bits_of(y, execution.instance.m), "z": bits_of(z, execution.instance.m)},
            "trace": trace_of_pair(run),
        }
    )
