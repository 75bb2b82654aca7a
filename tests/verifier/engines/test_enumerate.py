"""The engines against the oracle and the scalar definition on everything small, both of its paths, every knob."""

from dataclasses import replace

import pytest

from tests.tables import FOLDER
from verifier.arithmetic.semantics import read_semantics
from verifier.engines.by_states import by_states
from verifier.engines.enumerate import enumerate_inputs
from verifier.engines.failure_counts import Census
from verifier.errata.tables import read_with_errata
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.running.errors import InputError, LimitError
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

A4 = read_semantics("a4")
PAPER = FOLDER
Summary = tuple[int, int, int, tuple[int, int] | None]


def summary(census: Census) -> Summary:
    return census.cases, census.failures, census.nans, census.smallest


def by_definition(execution: Execution) -> Summary:
    """The census by the scalar definition, one input at a time."""
    m = execution.instance.m
    traces = [evaluate(execution, y, z) for y in range(2**m) for z in range(2**m)]
    kept = [t for t in traces if t.promised]
    wrong = [t for t in kept if not t.correct]
    return len(kept), len(wrong), sum(t.meets_nan for t in kept), (wrong[0].y, wrong[0].z) if wrong else None


def table(name: str, p: int, without: tuple[str, ...] = ()) -> Instance:
    source = read_with_errata(PAPER / f"{name}.toml", PAPER / f"{name}.errata.toml")
    return instantiate(source.repaired(without), {"p": p})


def _shortened(instance: Instance) -> Instance:
    """Table 6 at p = 8 on strings of 3 bits: positions 1, 8 and 15 are read, the other tokens hold 0."""
    kept = {1: 1, 8: 2, 15: 3}
    tokens = []
    for token in instance.tokens:
        if token.reads and token.reads[0].index not in kept:
            tokens.append(replace(token, fields=((),), vectors=token.vectors[:1]))
        else:
            fields = tuple(tuple(replace(bit, index=kept[bit.index]) for bit in each) for each in token.fields)
            tokens.append(replace(token, fields=fields))
    return replace(instance, tokens=tuple(tokens), task=Problem("EQ", "y <= z", 3))


def test_a_scale_that_no_64_bits_hold() -> None:
    execution = Execution(_shortened(table("table-6", 8)), read_semantics(f"scale=1/{10**25}"))
    assert summary(enumerate_inputs(execution)) == by_definition(execution)


def test_limits_and_ill_formed_instances() -> None:
    with pytest.raises(LimitError, match=r"visits 1,073,741,824 inputs \(y, z of 15 bits\), the limit is 1,000; --limit lifts"):
        enumerate_inputs(Execution(table("table-6", 8), A4), limit=1000)
    ill = instantiate(read_with_errata(PAPER / "table-5.toml", PAPER / "table-5.errata.toml").file, {"p": 8})
    for enumerated in (enumerate_inputs, by_states):
        with pytest.raises(ValueError, match="table-5 is ill-formed"):
            enumerated(Execution(ill, A4))
    nobody = replace(_shortened(table("table-6", 8)), task=Problem("EQ", "y[1:1] > 1", 3))
    with pytest.raises(InputError, match="no input keeps"):
        enumerate_inputs(Execution(nobody, A4))
