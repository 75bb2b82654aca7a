"""Activations for every p and s: slopes and neighbours that give a gap of one level, and signs and directions read from a formula."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from constructions.fixed_point_networks.judges import activations
from constructions.fixed_point_networks.mathematics.activations import NAMED, Activation, has_unit_gap, unclamped
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.slope_conditions import course, one_level
from verifier.arithmetic.rationals import Fraction
from verifier.claims.judge_names import NamedJudge
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Verdict

BY_SLOPES = ("silu", "mish", "gelu", "softplus", "sigmoid")


@pytest.mark.parametrize("name", BY_SLOPES)
def test_the_reason_agrees_with_the_tables(name: str) -> None:
    found, p = one_level(NAMED[name]), 4
    assert found is not None
    for s in range(1, 2**p):
        grid = FixedPoint(p, s)
        assert has_unit_gap(NAMED[name], grid) is not None
        if s in found.neighbours:
            k = found.neighbours[s]
            assert abs(unclamped(NAMED[name], k + 1, s) - unclamped(NAMED[name], k, s)) == 1
        else:
            first, last = found.ends
            levels = [unclamped(NAMED[name], k, s) for k in range(first, last + 1)]
            assert 1 in {b - a for a, b in pairwise(levels)}
            assert max(map(abs, levels)) <= found.at_zero * s + found.reach + 1


def every(name: str) -> Verdict:
    claim = find_claim(f"fixed-point-networks/{name}")
    assert isinstance(claim.judge, NamedJudge)
    assert claim.judge.every is not None
    return claim.judge.every(claim, {}).verdict


@pytest.mark.parametrize("name", BY_SLOPES)
def test_a_part_of_lemma_8_is_proved_for_its_activation_and_not_for_a_flatter_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert every(f"lemma-8:{name}") is Verdict.VERIFIED
    flatter = Activation(name, f"({NAMED[name].formula}) / 8")
    monkeypatch.setattr(activations, "NAMED", {**NAMED, name: flatter})
    assert every(f"lemma-8:{name}") is Verdict.OPEN


@pytest.mark.parametrize("formula", ["1 / (1 + exp(-x))", "x * exp(-x)", "x / (4 + exp(-x))", "-x / (1 + exp(-x))"])
def test_condition_1_is_not_proved_of_other_activations(formula: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert every("condition-1") is Verdict.VERIFIED
    monkeypatch.setattr(activations, "NAMED", {**NAMED, "silu": Activation("silu", formula)})
    assert every("condition-1") is Verdict.OPEN


@pytest.mark.parametrize(
    ("formula", "sign", "direction"),
    [
        ("exp(-x)", "positive", "falling"),
        ("1 / (1 + exp(x))", "positive", "falling"),
        ("x * exp(x)", "not negative", "rising"),
        ("x * exp(-x)", "not negative", "any"),
        ("-(x * exp(x))", "not positive", "falling"),
        ("1 + erf(-x)", "positive", "falling"),
        ("2 + erf(-x)", "any", "falling"),
        ("x + exp(-x)", "positive", "any"),
        ("log(x)", "any", "any"),
        ("log(1 + exp(x)) / 0", "any", "any"),
        ("x - 1", "any", "any"),
        ("0 * x", "not negative", "rising"),
    ],
)
def test_signs_and_directions_for_x_from_0_on(formula: str, sign: str, direction: str) -> None:
    found = course(formula, "x >= 0")
    assert (found.sign, found.direction) == (sign, direction)


@pytest.mark.parametrize("name", sorted(NAMED))
def test_what_is_said_of_an_activation_is_true_of_its_values(name: str) -> None:
    sides = {"x >= 0": [Fraction(k, 4) for k in range(17)], "x <= 0": [Fraction(k, 4) for k in range(-16, 1)]}
    for side, xs in sides.items():
        found = course(NAMED[name].formula, side)  # type: ignore[arg-type]
        values = [float(sum(NAMED[name].real.at(0, x))) / 2 for x in xs]
        if found.direction == "rising":
            assert all(a <= b or math.isclose(a, b) for a, b in pairwise(values))
        if found.sign == "not positive":
            assert max(values) <= 0
        if found.sign in ("positive", "not negative"):
            assert min(values) >= 0
