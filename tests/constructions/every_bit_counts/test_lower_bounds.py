"""The reduction of Lemmas 2.2 and 2.5: what the judges say depends on the representation, the transformer and the count of messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import pytest

from constructions.every_bit_counts.judges import reductions
from constructions.every_bit_counts.mathematics import two_bit_transformer
from constructions.every_bit_counts.mathematics.two_bit_transformer import BITS, OVERFLOWING, SATURATING, Variant, two_bit_table, variants
from lowerbounds.alphabets import Exclusion
from tests.constructions.every_bit_counts.changed_table import judged
from tests.outcomes import outcome
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.errata.tables import Source
from verifier.networks.files import shaped
from verifier.networks.instantiate import instantiate
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

STATEMENT, PRINTED, REPAIRED = Edition


def claim(name: str) -> Claim:
    return find_claim(f"every-bit-counts/{name}")


found = partial(outcome, "every-bit-counts")


def instance_of(raw: dict[str, Any], p: int, n: int) -> Any:
    return instantiate(shaped(raw, ConstructionFile, CONSTRUCTION, raw["id"]), {"p": p, "n": n})


@pytest.mark.long("T0-4-17", "T1-3-14")
@pytest.mark.parametrize(("representation", "p", "n"), [("T0", 3, 13), ("T0", 4, 17), ("T1", 2, 10), ("T1", 3, 14)])
def test_the_two_bit_transformer_by_the_definition(representation: str, p: int, n: int) -> None:
    """Every promise pair, one at a time; its entries are numbers of two bits, and no sum overflows."""
    instance = instance_of(two_bit_table(representation, p, n), p, n)
    execution = Execution(instance, read_semantics("a4"))
    assert instance.bits == BITS == 2
    assert execution.unrepresentable == ()
    runs = [evaluate(execution, y, z) for y in range(1 << instance.m) for z in range(y, 1 << instance.m)]
    assert all(run.correct and run.denominator == 1 for run in runs)


@pytest.mark.long("T1-3-14-3")
@pytest.mark.parametrize(("representation", "p", "n", "q"), [("T1", 3, 14, 3), ("T1", 4, 18, 3), ("T0", 5, 21, 3)])
def test_exactly_one_bit_less_by_the_definition(representation: str, p: int, n: int, q: int) -> None:
    """Every pair, promised or not: entries and weights are numbers of q bits, the numerator is 0 for equal strings, infinite for others."""
    (variant,) = variants(q)
    instance = instance_of(two_bit_table(representation, p, n, variant), p, n)
    execution = Execution(instance, read_semantics("a4"))
    assert instance.bits == q
    assert execution.unrepresentable == ()
    for y, z in product(range(1 << instance.m), repeat=2) if instance.m < 7 else [(0, 1), (1, 0), (126, 127), (127, 127), (0, 64), (0, 0)]:
        run = evaluate(execution, y, z)
        assert run.decision.output == (1 if y == z else 0)
        assert (run.numerators[0] == 0) is (y == z)


def without_a_column(raw: dict[str, Any]) -> None:
    """The columns of the last position no longer reach the numerator."""
    raw["weights"]["value"]["matrix"][2:5] = [[0]] * 3


def with_a_flipped_bit(raw: dict[str, Any]) -> None:
    row = next(r for r in raw["row"] if "one" in r and -1 in r["one"][2:])
    row["one"] = [1, -1] + [abs(x) for x in row["one"][2:]]


@pytest.mark.parametrize("change", [without_a_column, with_a_flipped_bit])
@pytest.mark.parametrize("name", ["lemma-2.2:two-bits", "lemma-2.5:two-bits"])
def test_a_changed_transformer_is_seen(name: str, change: Callable[[dict[str, Any]], None], monkeypatch: pytest.MonkeyPatch) -> None:
    def other(representation: str, p: int, n: int, variant: two_bit_transformer.Variant = SATURATING) -> Any:
        raw = two_bit_table(representation, p, n, SATURATING)
        change(raw)
        return instance_of(raw, p, n)

    assert found(name, p=3).verdict is Verdict.VERIFIED
    monkeypatch.setattr(reductions, "two_bit_transformer", other)
    assert found(name, p=3).verdict is Verdict.REFUTED


def test_a_variant_is_an_answer_only_where_it_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    def computes(query: object, representation: str, variant: Variant, by_enumeration: bool) -> Outcome | None:
        return Outcome(right[variant], Scope(variant.how, 1), reason=variant.how) if by_enumeration else None

    monkeypatch.setattr(reductions, "_computes", computes)
    right = {SATURATING: Verdict.REFUTED, OVERFLOWING: Verdict.VERIFIED}
    assert found("lemma-2.5:two-bits", p=4).scope.statement == OVERFLOWING.how
    right[OVERFLOWING] = Verdict.REFUTED
    assert found("lemma-2.5:two-bits", p=4).verdict is Verdict.REFUTED


def test_more_messages_prove_less(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(claim("lemma-2.5"), REPAIRED, "point=grid", p=5).verdict is Verdict.VERIFIED
    assert judged(claim("lemma-2.2:protocol-cost"), REPAIRED, p=6).verdict is Verdict.VERIFIED
    monkeypatch.setattr(reductions, "exclusion", lambda semantics, bits, length: Exclusion(bits, length, 10**5, 10**4))
    assert judged(claim("lemma-2.5"), REPAIRED, "point=grid", p=5).scope.method == "reachability"
    assert judged(claim("lemma-2.5"), REPAIRED, "point=grid", p=6).assumptions == (reductions.BITS_PER_NUMBER,)
    cost = judged(claim("lemma-2.2:protocol-cost"), REPAIRED, p=6)
    assert cost.verdict is Verdict.REFUTED
    assert cost.counterexample is not None
    assert cost.counterexample["needed"] == "30"


def test_the_lower_bound_rests_on_the_fooling_set() -> None:
    lemma = claim("lemma-2.5")
    assert lemma.repaired is not None
    judge: Any = lemma.repaired.judge
    other = replace(lemma.repaired, judge=replace(judge, fields={**judge.fields, "fooling": "lemma-b.1:contradiction"}))
    assert judged(other, REPAIRED, p=3).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("name", "clause", "reads", "token"),
    [("lemma-2.2:alice-tokens", 0, "z[i]", "1"), ("lemma-2.5:alice-tokens", 5, "y[1]", "9"), ("lemma-2.5:alice-tokens", 0, "z[1]", "-1")],
)
def test_alice_s_tokens_are_those_of_the_representation(
    name: str, clause: int, reads: str, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = two_bit_transformer.source

    def other(representation: str) -> Source:
        source = straight(representation)
        clauses = [{**c, "reads": reads} if k == clause else c for k, c in enumerate(source.raw["input"])]
        raw = {**source.raw, "input": clauses}
        return Source(shaped(raw, ConstructionFile, CONSTRUCTION, "neighbour"), raw)

    assert judged(claim(name), REPAIRED, p=3).verdict is Verdict.VERIFIED
    monkeypatch.setattr(two_bit_transformer, "source", other)
    made = judged(claim(name), REPAIRED, p=3)
    assert made.verdict is Verdict.REFUTED
    assert made.counterexample is not None
    assert made.counterexample["i"] == token
