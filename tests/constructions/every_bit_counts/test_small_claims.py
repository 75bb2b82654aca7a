"""Definitions, examples, equations, lower bounds: verdicts at small parameters, each with a neighbour that is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from constructions.every_bit_counts import definitions, examples, lower_bounds, transformer_bounds
from constructions.every_bit_counts.equations import left_side
from lowerbounds.communication import equality
from lowerbounds.fooling import check_fooling_set
from verifier.arithmetic.formats import FreePoint
from verifier.arithmetic.numbers import show_binary
from verifier.statements.papers import find_claim
from verifier.statements.findings import for_each, side_by_side
from verifier.statements.session import Session
from verifier.semantics import NAMED, read_semantics
from verifier.verdicts import Edition, Finding, Result, Scope, Verdict, exit_status, worst

STATEMENT, PRINTED, REPAIRED = Edition


def judged(claim: str, edition: Edition, semantics: str = "a4", **parameters: int) -> Finding:
    return Session().finding(find_claim(claim), edition, parameters, read_semantics(semantics))[0]


VERDICTS = [
    ("definition-a.7", {"p": 6}, "verified verified verified"),
    ("definition-a.7:value-count", {"p": 6}, "verified verified verified"),
    ("definition-a.7:range", {"p": 6}, "verified verified verified"),
    ("definition-a.7:monotone-rounding", {"p": 4}, "verified verified verified"),
    ("section-a.3:p-bits-per-number", {"p": 1}, "verified verified verified"),
    ("section-a.3:p-bits-per-number", {"p": 2}, "refuted refuted verified"),
    ("example-a.8:exact-sum", {}, "refuted refuted verified"),
    ("example-a.8:rounded-sum", {}, "refuted refuted verified"),
    ("example-a.8:exact-product", {}, "verified verified verified"),
    ("example-a.8:rounded-product", {}, "refuted refuted verified"),
    ("example-a.9:left", {}, "refuted refuted verified"),
    ("example-a.9:right", {}, "refuted refuted verified"),
    ("example-a.9", {}, "refuted refuted refuted"),
    ("definition-a.5", {"m": 4}, "verified verified verified"),
    ("lemma-a.6", {"k": 3}, "verified verified verified"),
    ("lemma-b.1", {"m": 4}, "verified verified verified"),
    ("lemma-b.1:contradiction", {"m": 1}, "refuted refuted verified"),
    ("lemma-2.2", {"p": 8}, "refuted conditional conditional"),
    ("lemma-2.5", {"p": 1}, "verified verified verified"),
    ("lemma-2.5", {"p": 5}, "refuted conditional conditional"),
    ("lemma-2.2:alice-tokens", {"p": 4}, "refuted refuted verified"),
    ("lemma-2.5:alice-tokens", {"p": 4}, "verified verified verified"),
    ("lemma-2.2:protocol-cost", {"p": 3}, "refuted refuted verified"),
    ("equation-1", {"h": 5}, "refuted refuted declined"),
    ("equation-1", {"h": 6}, "verified verified verified"),
    ("equation-2", {"h": 9}, "verified verified verified"),
    ("section-2.1:ratio", {"h": 5}, "verified verified verified"),
    ("section-2.1:lengths", {"p": 5}, "verified verified verified"),
    ("section-2.1:upper-bound-bits", {"p": 5}, "refuted refuted verified"),
    ("section-b.1:length", {"p": 5}, "refuted refuted verified"),
    ("section-2:query-dimension", {}, "refuted refuted verified"),
    ("theorem-2.1:length", {"p": 1}, "refuted refuted declined"),
    ("theorem-2.1:length", {"p": 2}, "verified verified verified"),
    ("theorem-2.4:every-n", {"p": 3}, "refuted refuted verified"),
    ("lemma-2.6:promise-on-first-bits", {"p": 2}, "refuted refuted verified"),
    ("lemma-2.6:mlp-target", {"p": 2}, "verified verified verified"),
    ("lemma-2.6:mlp-target", {"p": 3}, "refuted refuted verified"),
]


@pytest.mark.parametrize(("claim", "parameters", "verdicts"), VERDICTS, ids=[f"{c} {p}" for c, p, _ in VERDICTS])
def test_verdicts(claim: str, parameters: dict[str, int], verdicts: str) -> None:
    found = [judged(claim, edition, **parameters) for edition in Edition]
    assert " ".join(f.verdict.value for f in found) == verdicts, [f.reason for f in found]


def test_the_definition_with_a_value_missing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    literal = definitions.values_by_definition
    monkeypatch.setattr(definitions, "values_by_definition", lambda p: literal(p) - {Fraction(3, 4)})
    found = judged("definition-a.7", PRINTED, p=4)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample == {"definition": "7/8", "format": "3/4"}
    assert judged("definition-a.7:value-count", PRINTED, p=4).verdict is Verdict.REFUTED


def test_rounding_that_loses_order_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifier.arithmetic.machine import Machine

    straight = Machine.round
    monkeypatch.setattr(Machine, "round", lambda self, x: Fraction(0) if x == Fraction(1, 2) else straight(self, x))
    found = judged("definition-a.7:monotone-rounding", PRINTED, p=3)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    assert found.counterexample["y"] == "1/2"


def test_examples_by_hand() -> None:
    """1.8125 + 2.875 = 4.6875, 1.625 · 2.75 = 4.46875."""
    assert examples.binary("1.1101") + examples.binary("10.111") == Fraction(75, 16)
    assert examples.binary("1.101") * examples.binary("10.11") == Fraction(143, 32)
    assert show_binary(Fraction(75, 16)) == "100.1011"
    assert [str(v) for v in FreePoint(3).values()] == [
        "-3",
        "-2",
        "-3/2",
        "-1",
        "-3/4",
        "-1/2",
        "-1/4",
        "0",
        "1/4",
        "1/2",
        "3/4",
        "1",
        "3/2",
        "2",
        "3",
    ]


def test_example_a_9_holds_where_digits_are_truncated_and_the_sign_is_not_counted() -> None:
    machine = read_semantics("rounding=truncate").machine(4)
    a, b, c = (examples.binary(x) for x in ("10.0", "1.01", "1.11"))
    assert show_binary(machine.add(machine.add(a, b), c)) == "100"
    assert show_binary(machine.add(a, machine.add(b, c))) == "101"


@pytest.mark.parametrize("h", range(6, 12))
def test_equation_1_has_no_other_right_side(h: int) -> None:
    assert left_side(h) == Fraction(9, 64)
    assert side_by_side("the sum", Fraction(8, 64), left_side(h)).verdict is Verdict.REFUTED


def test_a_fooling_set_without_the_promise_on_one_pair_is_refused() -> None:
    good = [(x, x) for x in range(8)]
    assert check_fooling_set(equality(3), good).holds
    bad = check_fooling_set(equality(3), [*good[:3], (2, 5), *good[4:]])
    assert bad.bad is not None
    assert "(010, 101)" in str(bad.bad)


def test_fooling_sets_of_known_size() -> None:
    assert lower_bounds.largest_fooling_set(((1, 0, 0), (0, 1, 0), (0, 0, 1))) == 3
    assert lower_bounds.largest_fooling_set(((1, 1), (1, 1))) == 1


def test_a_count_that_proves_needs_no_assumption_on_messages() -> None:
    proved, beyond = judged("lemma-2.5", PRINTED, p=3), judged("lemma-2.5", PRINTED, p=4)
    assert proved.assumptions == (transformer_bounds.ONE_NUMERATOR_SUM,)
    assert beyond.assumptions == (transformer_bounds.BITS_PER_NUMBER, transformer_bounds.ONE_NUMERATOR_SUM)
    assert judged("lemma-2.5", PRINTED, "narrative", p=3).verdict is Verdict.VERIFIED
    assert judged("lemma-2.5", PRINTED, "point=grid", p=6).assumptions == (transformer_bounds.ONE_NUMERATOR_SUM,)


def test_nothing_is_verified_over_nothing() -> None:
    with pytest.raises(ValueError, match="verified over 0 cases"):
        Finding(Verdict.VERIFIED, Scope("nothing", 0, "enumeration"))
    with pytest.raises(ValueError, match="no method"):
        Finding(Verdict.VERIFIED, Scope("nothing"))
    with pytest.raises(ValueError, match="verified over 0 cases"):
        for_each([], lambda x: True, lambda x: {}, lambda cases: Scope("nothing", cases, "enumeration"), "")
    with pytest.raises(ValueError, match="without a counterexample"):
        Finding(Verdict.REFUTED, Scope("something", 1))
    with pytest.raises(ValueError, match="conditional on nothing"):
        Finding(Verdict.CONDITIONAL, Scope("something", 1))


def test_the_worst_part_decides() -> None:
    order = [Verdict.REFUTED, Verdict.DECLINED, Verdict.OPEN, Verdict.CONDITIONAL, Verdict.VERIFIED]
    for k, verdict in enumerate(order):
        assert worst(order[k:]) is verdict
    with pytest.raises(ValueError, match="empty"):
        worst([])


@pytest.mark.parametrize(
    ("verdicts", "status"),
    [("verified refuted verified", 1), ("refuted verified verified", 1), ("verified verified refuted", 0), ("verified open verified", 3)],
)
def test_repaired_does_not_count_for_the_exit_status(verdicts: str, status: int) -> None:
    results = []
    for edition, word in zip(Edition, verdicts.split(), strict=True):
        finding = Finding(Verdict(word), Scope("a case", 1, "enumeration"), reason="because")
        results.append(Result("paper/claim-1", edition, {}, NAMED["a4"].label, finding))
    assert exit_status(results) == status
    assert exit_status(results[2:]) == (1 if verdicts.endswith("refuted") else 0)
