"""Eq. (10) for matrices of every size: what it is made of decides, and a changed expression is not proved with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.claims.judge_names import NamedJudge
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Verdict


@pytest.mark.parametrize(
    ("objective", "verdict"),
    [
        ("squares_q/n + abs(q)", Verdict.VERIFIED),
        ("floor(squares_q)", Verdict.OPEN),
        ("squares_q/(n - 1)", Verdict.OPEN),
        ("squares_q**(n - 2)", Verdict.OPEN),
        ("1/squares_q", Verdict.OPEN),
        ("squares_q if q > 0 else 0", Verdict.OPEN),
    ],
)
def test_a_minimum_is_attained_at_every_size_where_the_expression_is_continuous(objective: str, verdict: Verdict) -> None:
    claim = find_claim("parameter-space-symmetry/equation-10")
    assert isinstance(claim.judge, NamedJudge)
    every = replace(claim.judge, fields={**claim.judge.fields, "objective": objective}).every
    assert every is not None
    assert every(claim, {}).verdict is verdict
