"""Certificates of tables of any function: one input and its trace where the table is wrong, else the outcomes on all inputs."""

from __future__ import annotations

from collections import Counter

import numpy as np

from verifier.arithmetic.numbers import show
from verifier.certificates.statement import Certificate, Subject, sealed, semantics_data, table_data
from verifier.certificates.traces import trace_of
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import asked, chunks
from verifier.engines.program import Program
from verifier.engines.sum_values import all_sums
from verifier.networks.problems import bits_of
from verifier.running.errors import InputError
from verifier.transformers.table_traces import evaluate_at
from verifier.transformers.tables import Execution

MOST_BITS = 20
"""Inputs of more bits take a checker longer than its limits allow."""
MOST_OUTCOMES = 4096


def table_certificate(subject: Subject, execution: Execution, limit: int) -> Certificate:
    """The certificate that a table computes its function under its promise, or that it does not.

    Raises:
        InputError: a right table of more than 20 bits, one whose output node has more than 4,096 values, or formulas that certificates
            have no words for.
        LimitError: more work than ``limit``.
    """
    task = execution.instance.task
    census = decide(execution, "auto", limit)
    about = {"semantics": semantics_data(execution.semantics), "construction": table_data(execution.instance)}
    if census.smallest is not None:
        inputs = dict(zip(task.strings, census.smallest, strict=True))
        made = evaluate_at(execution, inputs)
        strings = {name: bits_of(inputs[name], length) for name, length in task.strings.items()}
        return sealed({**subject.header("counterexample"), **about, "input": strings, "trace": trace_of(made)})
    if task.bits > MOST_BITS:
        raise InputError(
            f"{subject.claim}: certificates that list the outcomes of all inputs are of at most {MOST_BITS} bits, not {task.bits}"
        )
    outcomes = _outcomes(execution, limit)
    if len(outcomes) > MOST_OUTCOMES:
        raise InputError(f"{subject.claim}: the output node has more than {MOST_OUTCOMES:,} values; a certificate lists no more")
    return sealed(
        {
            **subject.header("enumerated"),
            **about,
            "cases": str(sum(outcomes.values())),
            "yes": str(sum(count for (_, value), count in outcomes.items() if value)),
            "assumptions": list(execution.assumptions),
            "outcomes": [[out, str(value), str(count)] for (out, value), count in sorted(outcomes.items())],
        }
    )


def _outcomes(execution: Execution, limit: int) -> Counter[tuple[str, int]]:
    """On how many promised inputs the output node has each value, where the function is 0 and where it is 1."""
    program, found = Program(execution), Counter[tuple[str, int]]()
    task = execution.instance.task
    for _, _, chunk in chunks(task, limit):
        promised, values = asked(task, chunk)
        sums = {s.name: chunk.spread(*all_sums(program.lattice, s, chunk.fixed)) for s in program.sums.values()}
        states, places = np.unique(program.outputs(*program.attentions(sums)), return_inverse=True)
        shown = [show(program.lattice.decode(state)) for state in states]
        for value in (0, 1):
            counts = np.bincount(places.reshape(-1)[promised & (values == value)], minlength=len(states))
            found.update({(shown[k], value): int(count) for k, count in enumerate(counts) if count})
    return found
