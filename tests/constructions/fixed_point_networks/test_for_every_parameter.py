"""Lemmas on sums and on rounding for every p and s: what is proved, and that a changed claim is not proved with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from constructions.fixed_point_networks.mathematics.slope_conditions import Ends, Reals
from verifier.claims.judge_names import NamedJudge
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Verdict
from verifier.language import exact

ASKED = {"asked": "rr >= 1 and s*s*rr <= 2**p - 1"}
PROVED: dict[str, dict[str, Any]] = {
    "lemma-8:relu": {"activations": ["sigmoid"]},
    "lemma-8:elu": {"activations": ["elu", "silu"]},
    "corollary-3": {"lets": {"factor": "1"}},
    "corollary-13": {"lets": {"factor": "1"}},
    "lemma-2": {"lets": ASKED},
    "lemma-10": {"lets": {"low": "k"}},
    "lemma-12": {"lets": ASKED},
    "lemma-18": {"lets": {"low": "k"}},
    "lemma-22": {"moved": "[2, inf)"},
    "lemma-23": {"distance": "[0, k]"},
    "equation-21": {"lets": {"most": "2**p + 1"}},
    "equation-22": {"even": False},
    "equation-31": {"most": "2*(2**p - 1) - 1"},
    "lemma-8:softplus-bound": {"lets": {"more": "2**p - 6"}},
    "section-3:coincides": {"properties": ["N = BS"]},
}
"""Claims with the smallest change that makes each false somewhere."""


def for_every(name: str, lets: Mapping[str, str] = {}, **changes: Any) -> Verdict:
    claim = find_claim(f"fixed-point-networks/{name}")
    claim = replace(claim, lets={**claim.lets, **lets})
    assert isinstance(claim.judge, NamedJudge)
    every = replace(claim.judge, fields={**claim.judge.fields, **changes}).every
    assert every is not None
    return every(claim, {"r": 0} if claim.name in ("lemma-2", "lemma-12", "equation-22") else {}).verdict


@pytest.mark.long("lemma-2", "lemma-12")
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", PROVED)
def test_a_claim_is_proved_for_every_parameter_and_its_neighbour_is_not(name: str) -> None:
    assert for_every(name) is Verdict.VERIFIED
    assert for_every(name, **PROVED[name]) in (Verdict.OPEN, Verdict.REFUTED)


@pytest.mark.campaign
def test_the_activations_listed_satisfy_a_condition_for_every_parameter_but_sigmoid_at_1() -> None:
    name, excepted = "lemma-16:listed", {"sigmoid": "s == 1"}
    assert for_every(name, excepted=excepted) is Verdict.VERIFIED
    assert for_every(name) is Verdict.OPEN
    assert for_every(name, excepted={"sigmoid": "s == 2"}) is Verdict.OPEN
    assert for_every(name, excepted=excepted, conditions=["condition-a2", "condition-a3"]) is Verdict.OPEN


@pytest.mark.campaign
def test_no_value_is_nearer_than_the_rounded_one_for_every_p() -> None:
    name = "section-4.3:intrinsic"
    assert for_every(name) is Verdict.VERIFIED
    assert for_every(name, holds="abs(x - y) > abs(x - rounded(p, 1, x))") is Verdict.REFUTED


PAIRS = [("-1", "1"), ("-1", "k"), ("-1", "inf"), ("0", "1"), ("0", "k"), ("0", "inf"), ("k", "k"), ("k", "inf")]
ENDS = [f"{a}{low}, {high}{b}" for a in "[(" for b in "])" for low, high in PAIRS]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("text", ENDS)
def test_written_ends_say_what_the_interval_says(text: str) -> None:
    written = Ends.read(text)
    for k in (1, 2):
        numbers = Reals.read(text, {"k": k})
        formulas = written.integers_outside("e") or []
        outside = {exact.integer(f, {"e": e, "k": k}) for f in formulas for e in range(9)}
        assert {d for d in range(-4, 5) if d not in numbers} == {d for d in outside if -4 <= d <= 4}
        for other in ENDS:
            apart = exact.truth(written.apart_from(Ends.read(other)), {"k": k})
            assert not apart or (numbers & Reals.read(other, {"k": k})) is None
