"""Activations for every p and s: slopes and neighbours that give a gap of one level, and signs and directions read from a formula."""

from __future__ import annotations

from itertools import pairwise

import pytest

from constructions.fixed_point_networks.judges import activations
from constructions.fixed_point_networks.mathematics.activations import NAMED, Activation, has_unit_gap, unclamped
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.slope_conditions import Course, course, factor_of_x, one_level
from verifier.arithmetic.rationals import Fraction
from verifier.claims.judge_names import NamedJudge
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Verdict
from verifier.language.printer import printed
from verifier.language.real_functions import RealFunction
from verifier.language.syntax import tree_of

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


@pytest.mark.one_in(2)
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
    ("formula", "direction", "above"),
    [
        ("exp(-x)", -1, 0),
        ("1 / (1 + exp(x))", -1, 0),
        ("exp(x) / 2", 1, 0),
        ("x / 2", 1, None),
        ("exp(x) / exp(-x)", None, None),
        ("x / 0", None, None),
        ("-exp(x)", -1, None),
        ("1 + erf(-x)", -1, 0),
        ("2 + erf(-x)", -1, None),
        ("erf(x)", 1, -1),
        ("tanh(exp(x))", 1, 0),
        ("x + exp(-x)", None, None),
        ("log(x)", None, None),
        ("log(1 + x)", None, None),
        ("log(1 + exp(x))", 1, 0),
        ("sqrt(2)", 0, 0),
        ("sqrt(exp(x))", None, None),
        ("x * exp(x)", None, None),
        ("x - 1", None, None),
    ],
)
def test_directions_and_signs(formula: str, direction: int | None, above: int | None) -> None:
    assert course(tree_of(formula)) == Course(direction, above)


@pytest.mark.parametrize("name", sorted(NAMED))
def test_what_is_said_of_an_activation_and_its_factor_is_true_of_their_values(name: str) -> None:
    xs = [Fraction(k, 4) for k in range(-16, 17)]
    formula = tree_of(NAMED[name].formula)
    for part in filter(None, (formula, factor_of_x(formula))):
        found, real = course(part), RealFunction(printed(part))
        values = [float(sum(real.at(0, x))) / 2 for x in xs]
        if found.direction is not None:
            assert all(found.direction * (b - a) > -1e-12 and (found.direction or a == b) for a, b in pairwise(values))
        if found.above is not None:
            assert min(values) > found.above


def test_the_factor_of_x() -> None:
    found = {name: factor_of_x(tree_of(NAMED[name].formula)) for name in ("silu", "mish", "gelu", "softplus")}
    factors = {"silu": "1/(1 + exp(-x))", "mish": "tanh(log(1 + exp(x)))", "gelu": "(1 + erf(x/sqrt(2)))/2"}
    assert found == {**{name: tree_of(text) for name, text in factors.items()}, "softplus": None}
