"""Lemmas C.4, C.5 and C.7: transformers with a partial sum for each column of A X, by a program that shares nothing with the engines."""

from __future__ import annotations

import copy
from functools import lru_cache
from typing import Any

import pytest

from constructions.every_bit_counts.judges import floating
from tests.constructions.every_bit_counts.changed_table import judged
from tests.tables import FOLDER
from verifier.arithmetic.rationals import Fraction as F
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
INF = 10**9
"""Stands for an infinity here; every number of the formats below is smaller."""

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


def numbers(a: int, b: int) -> tuple[F, ...]:
    """Definition A.10, literally: 1.f · 2^±x with f of a − 1 digits and x of b − 1, and 0."""
    mantissas = [1 + F(f, 2 ** (a - 1)) for f in range(2 ** (a - 1))]
    return tuple(
        sorted({F(0)} | {s * k * F(2) ** (d * x) for s in (1, -1) for k in mantissas for d in (1, -1) for x in range(2 ** (b - 1))})
    )


@lru_cache(maxsize=1 << 16)
def rounded(x: F, values: tuple[F, ...], beyond: F) -> F:
    """To the nearest of the values and of ±beyond, the next number had the exponent one digit more; ties towards zero."""
    if abs(x) >= INF:
        return x
    nearest = min([-beyond, *values, beyond], key=lambda v: (abs(v - x), abs(v)))
    return F(INF) * (1 if x > 0 else -1) if abs(nearest) == beyond else nearest


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "given"), POINTS, ids=str)
def test_every_promised_pair_by_hand(name: str, given: dict[str, int]) -> None:
    """Sum of the columns, token by token, then over the columns; linear, so nothing is divided; 1 is answered for 0 alone."""
    table = instance(name, **given)
    values = numbers(given.get("a", 1), given.get("b", 2))
    beyond = F(2) ** (2 ** (given.get("b", 2) - 1))
    width, m = len(table.value.rows), table.m
    weights = [row[0] for row in table.value.rows]
    asked = 0
    for y in range(1 << m):
        for z in range(y, 1 << m):
            if not table.problem.promised(y, z):
                continue
            asked += 1
            sums = [F(0)] * width
            for token in table.tokens:
                vector = token.vectors[token.pattern(y, z, m)]
                assert vector is not None
                entries = [x for x in vector if isinstance(x, F)]
                score = sum((x * k[0] for x, k in zip(entries, table.key.rows, strict=True)), F(0))
                for c in range(2, width):
                    product = rounded(score * entries[c], values, beyond)
                    sums[c] = rounded(sums[c] + product, values, beyond)
            total = F(0)
            for c in range(2, width):
                product = rounded(sums[c] * weights[c], values, beyond)
                assert abs(product) < INF
                total = total if abs(total) >= INF else rounded(total + product, values, beyond)
            assert (total == 0) == (y == z)
    assert asked == table.problem.pairs()


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
