"""Activations for every p and s: slopes and neighbours that give a gap of one level, and signs and directions read from a formula.

And networks on Q_{p,s} without 1 in it: the first layers against one neuron run at a time, and what then can be built.
"""

from __future__ import annotations

from itertools import combinations, pairwise, product

import pytest

from constructions.fixed_point_networks.judges import activations
from constructions.fixed_point_networks.mathematics.activations import (
    NAMED,
    Activation,
    Table,
    has_unit_gap,
    normal_form,
    rounded,
    unclamped,
)
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import (
    Network,
    Neuron,
    first_difference,
    first_layer_functions,
    run_rounded,
    separating_representator,
    unseparated,
)
from constructions.fixed_point_networks.mathematics.slope_conditions import Course, course, factor_of_x, one_level
from verifier.arithmetic.rationals import Fraction
from verifier.claims.judge_names import NamedJudge
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Verdict
from verifier.language.printer import printed
from verifier.language.real_functions import RealFunction
from verifier.language.syntax import tree_of
from verifier.running.errors import InputError

BY_SLOPES = ("silu", "mish", "gelu", "softplus", "sigmoid")


@pytest.mark.parametrize("name", BY_SLOPES)
def test_the_reason_agrees_with_the_tables(name: str) -> None:
    found, p = one_level(NAMED[name]), 4
    assert found is not None
    for s in range(1, 2**p):
        grid = FixedPoint(p, s)
        assert has_unit_gap(NAMED[name], grid) is not None
        if s in found.neighbours:
            first, last = found.neighbours[s]
            assert (last - first, abs(unclamped(NAMED[name], last, s) - unclamped(NAMED[name], first, s))) == (1, 1)
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


@pytest.mark.parametrize("grid", [*(FixedPoint(1, s) for s in (2, 3, 4)), FixedPoint(2, 4), FixedPoint(2, 6), FixedPoint(2, 7)], ids=str)
def test_two_inputs_are_told_apart_as_one_neuron_run_at_a_time_says(grid: FixedPoint) -> None:
    table = rounded(NAMED["relu"], grid)
    seen = set()
    for w, b in product(grid.levels(), range(-3 * grid.top - 3, 3 * grid.top + 4)):
        network = Network(table, 1, ((Neuron((0,), (w,), b),),))
        seen.add(tuple(run_rounded(network, (x,))[0] for x in grid.levels()))
    assert set(first_layer_functions(grid)) == {values for values in seen if len(set(values)) > 1}
    alike = [
        (x, y)
        for x, y in combinations(grid.levels(), 2)
        if all(table(values[x + grid.top]) == table(values[y + grid.top]) for values in seen)
    ]
    assert (unseparated(table) is None) == (not alike)
    assert unseparated(table) in [*alike, None]


def test_at_p_1_s_2_condition_1_is_needed_where_it_was_not() -> None:
    grid = FixedPoint(1, 2)
    even = Table(grid, (1, 0, 1))
    assert normal_form(even) is None
    assert unseparated(even) == (-1, 1)
    with pytest.raises(InputError, match=r"tells -1/2 from 1/2"):
        separating_representator(even, (0, 1, 1), 1)
    for d in (1, 2):
        target = tuple(range(-1, 2)) * 3 ** (d - 1)
        network = separating_representator(Table(grid, (0, 0, 1)), target, d)
        assert network.quantized
        assert first_difference(network, target) is None
        assert first_difference(network, target[::-1]) is not None


def test_weights_beyond_q_are_refused_but_for_1() -> None:
    grid = FixedPoint(2, 5)
    table = rounded(NAMED["relu"], grid)
    assert Network(table, 1, ((Neuron((0,), (5,), 0),),)).binary
    assert not Network(table, 1, ((Neuron((0,), (-5,), 0),),)).quantized
    with pytest.raises(InputError, match="weight 4/5"):
        Network(table, 1, ((Neuron((0,), (4,), 0),),))
