"""Lemmas C.4, C.5 and C.7: transformers with a partial sum for each column of A X, by the oracle, which shares nothing with the engines."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from constructions.every_bit_counts.judges import floating
from tests.artificial import embedding, transformer
from tests.constructions.every_bit_counts.changed_table import judged
from tests.oracle_reading import oracle_reading
from tests.tables import FOLDER
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Verdict
from verifier.engines.by_states import by_states
from verifier.engines.enumerate import enumerate_inputs
from verifier.errata.tables import read_construction
from verifier.networks.files import read_toml, shaped
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.transformers.tables import Execution

STATEMENT, PRINTED, REPAIRED = Edition
A4 = read_semantics("a4")

POINTS = [
    ("witness-t2", {"t": 3, "e": 2}),
    ("witness-t2", {"t": 3, "e": 2, "a": 2, "b": 2}),
]
ON_T3 = [("witness-t3-linear", {"m": 11, "e": 6}), ("witness-t3-softmax", {"m": 11, "e": 6})]


def claim(name: str) -> Claim:
    return find_claim(f"every-bit-counts/{name}")


def raw(name: str) -> dict[str, Any]:
    return read_toml(FOLDER / f"{name}.toml")


def instance(name: str, **given: int) -> Instance:
    return instantiate(read_construction(FOLDER / f"{name}.toml").file, given)


def made(content: dict[str, Any], **given: int) -> Execution:
    return Execution(instantiate(shaped(content, ConstructionFile, CONSTRUCTION, "changed"), given), A4)


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "given"), POINTS, ids=str)
def test_every_promised_pair_by_the_oracle(name: str, given: dict[str, int]) -> None:
    table = instance(name, **given)
    made, knobs, m = transformer(table), oracle_reading(A4, table.precision), table.m
    promised = [(y, z) for y in range(1 << m) for z in range(1 << m) if table.problem.promised(y, z)]
    for y, z in promised:
        assert made.output(embedding(table, f"{y:0{m}b}", f"{z:0{m}b}"), knobs)[3] == (y == z)
    assert len(promised) == table.problem.pairs()


@pytest.mark.long(
    "False-witness-t3-linear-{'m': 11, 'e': 6}",
    "False-witness-t3-softmax-{'m': 11, 'e': 6}",
    "True-witness-t3-linear-{'m': 11, 'e': 6}",
    "True-witness-t3-softmax-{'m': 11, 'e': 6}",
)
@pytest.mark.parametrize(("name", "given"), [("witness-t2", {"t": 4, "e": 2}), *ON_T3], ids=str)
@pytest.mark.parametrize("changed", [False, True])
def test_counting_under_a_promise_is_enumeration(name: str, given: dict[str, int], changed: bool) -> None:
    content = copy.deepcopy(raw(name))
    if changed:
        content["row"][1]["one"] = content["row"][1]["zero"]  # one bit of y is no longer added
    execution = made(content, **given)
    counted, listed = by_states(execution), enumerate_inputs(execution)
    assert (counted.cases, counted.failures, counted.nans) == (listed.cases, listed.failures, listed.nans)
    assert bool(counted.failures) is (changed and name != "witness-t2")  # at t = 4 the second row of witness-t2 has no token


@pytest.mark.long("lemma-c.7-{'m': 11, 'e': 6}")
@pytest.mark.parametrize(("lemma", "point"), [("lemma-c.4", {"t": 4, "e": 3}), ("lemma-c.7", {"m": 11, "e": 6})], ids=str)
def test_the_bounds_fall_with_the_loophole_and_stand_without(lemma: str, point: dict[str, int]) -> None:
    assert judged(claim(lemma), STATEMENT, "a4", **point).verdict is Verdict.REFUTED
    assert judged(claim(lemma), PRINTED, "a4", **point).assumptions == (floating.ONE_NUMERATOR_SUM,)
    assert judged(claim(lemma), REPAIRED, "a4", **point).verdict is Verdict.VERIFIED
    narrative = judged(claim(lemma), STATEMENT, "narrative", **point)
    assert narrative.verdict is Verdict.VERIFIED, "one running sum, whose messages are counted"


@pytest.mark.parametrize("bound", ["m", "ceil(m/2) + 1", "ceil(m/2) - 1"])
def test_another_bound_is_not_the_one_that_counting_gives(bound: str) -> None:
    from dataclasses import replace

    step = claim("lemma-c.7:bound")
    judge: Any = step.judge
    assert judged(step, REPAIRED, m=15, e=6).verdict is Verdict.VERIFIED
    other = replace(step, repaired=None, judge=replace(judge, fields={**judge.fields, "bound": bound}))
    assert judged(other, STATEMENT, m=15, e=6).verdict is Verdict.REFUTED
