"""What is said of named activations follows their formulas: another formula, another verdict; conditions found are checked again."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import flint
import pytest

from constructions.fixed_point_networks.judges import activations as judges_of_activations
from constructions.fixed_point_networks.judges import networks, sums
from constructions.fixed_point_networks.judges.activations import stated
from constructions.fixed_point_networks.mathematics import activations
from constructions.fixed_point_networks.mathematics.activations import NAMED, Activation, rounded, scaled_hardtanh
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import representator
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.mathematics.slope_conditions import excluded, satisfied
from tests.outcomes import outcome
from verifier.arithmetic.enclosure import ball_around
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Query
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.running.errors import InputError

PAPER = "fixed-point-networks"
PRACTICAL = ("sigmoid", "relu", "elu", "softplus", "silu", "mish", "gelu")


judged = partial(outcome, PAPER, theorems=False)


CHANGED = [
    ("lemma-8:sigmoid", "sigmoid", "5 * max(0, min(1, x))", {"p": 3, "s": 1}),
    ("lemma-8:relu", "relu", "8 * max(0, x)", {"p": 3, "s": 1}),
]


@pytest.mark.parametrize(("claim", "name", "formula", "point"), CHANGED)
def test_another_formula_moves_the_verdict(
    claim: str, name: str, formula: str, point: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(claim, **point).verdict is Verdict.VERIFIED
    monkeypatch.setitem(NAMED, name, Activation(name, formula))  # type: ignore[arg-type]
    assert judged(claim, **point).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("claim", "constant", "formula"),
    [
        ("table-1:silu-1", "SILU", "x"),
        ("table-1:gelu-2", "GELU", "x / 4"),
        ("table-2:softplus", "SOFTPLUS", "x"),
        ("lemma-8:slope-a4", "MISH", "x * x"),
        ("lemma-8:value-a4", "GELU", "1 + 2 * x"),
    ],
)
def test_tables_and_inclusions_follow_the_formula(claim: str, constant: str, formula: str, monkeypatch: pytest.MonkeyPatch) -> None:
    point = {"p": 3, "s": 3} if claim == "lemma-8:value-a4" else {}
    assert judged(claim, **point).verdict is Verdict.VERIFIED
    monkeypatch.setattr(activations, constant, Activation(constant, formula))
    assert judged(claim, **point).verdict is Verdict.REFUTED


@pytest.mark.campaign
def test_an_activation_of_small_slope_satisfies_no_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged("lemma-16:listed", Edition.REPAIRED, p=3).verdict is Verdict.VERIFIED
    monkeypatch.setitem(NAMED, "silu", Activation("flat", "x / 100"))  # type: ignore[arg-type]
    assert judged("lemma-16:listed", Edition.REPAIRED, p=3).verdict is Verdict.REFUTED


WRITTEN: dict[str, Callable[[flint.arb], flint.arb]] = {
    "sigmoid": lambda x: 1 / (1 + (-x).exp()),
    "relu": lambda x: x if x > 0 else 0 * x,
    "elu": lambda x: x if x > 0 else x.exp() - 1,
    "softplus": lambda x: (1 + x.exp()).log(),
    "silu": lambda x: x / (1 + (-x).exp()),
    "mish": lambda x: x * (1 - 2 / ((1 + x.exp()) ** 2 + 1)),
    "gelu": lambda x: x * (1 + (x / flint.arb(2).sqrt()).erf()) / 2,
}
"""The activations written with flint alone."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("s", [1, 3, 7])
@pytest.mark.parametrize("name", PRACTICAL)
def test_the_condition_found_holds_at_points_of_its_interval(name: str, s: int) -> None:
    grid, sigma = FixedPoint(3, s), WRITTEN[name]
    query = Query(find_claim(f"{PAPER}/lemma-16:listed"), Edition.STATEMENT, {"p": 3}, DEFAULT_SEMANTICS, Session())
    conditions = {c: stated(query.claim, c, grid) for c in ("condition-a1", "condition-a2", "condition-a3")}
    found = next(satisfied(NAMED[name], grid, conditions, 7), None)
    if found is None:
        assert (name, s) == ("sigmoid", 1)
        assert all(excluded(NAMED[name], grid, asked) for asked in conditions.values())
        return
    case, (first, last) = found
    with flint.ctx.workprec(128):
        rise = abs(sigma(ball_around(flint, grid.value(last))) - sigma(ball_around(flint, grid.value(first)))) * s
        hair = flint.arb(2) ** -60
        assert rise > 1 - hair if case != "condition-a3" else rise < 2 * (last - first) - 1
        for k in range(1, 40):
            x = grid.value(first) + (grid.value(last) - grid.value(first)) * k / 40
            step = ball_around(flint, x), ball_around(flint, x + Fraction(1, 2**40))
            slope, value = (sigma(step[1]) - sigma(step[0])) * 2**40, sigma(step[0])
            assert abs(value) < grid.top / flint.arb(s) + hair
            assert {"condition-a1": abs(slope) < 1, "condition-a2": value > -hair, "condition-a3": slope > 1 - flint.arb(2) ** -30}[case]


A4 = read_semantics("a4")
FIVE = replace(scaled_hardtanh(5), name="five")
ABOVE = replace(NAMED["relu"], name="above", formula="max(0, x) + 2")


@pytest.mark.parametrize(
    ("claim", "name", "other"),
    [
        ("section-3:coincides", "relu", ABOVE),
        ("section-3:practical", "relu", FIVE),
        ("section-3.3:practical", "relu", FIVE),
        ("condition-1", "gelu", replace(NAMED["relu"], name="even", formula="abs(x)")),
        ("lemma-4:practical", "relu", NAMED["gelu"]),
        ("lemma-10:practical", "relu", ABOVE),
        ("lemma-18:practical", "relu", ABOVE),
    ],
)
def test_another_activation_under_the_name(claim: str, name: str, other: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(claim, p=3).verdict is Verdict.VERIFIED
    monkeypatch.setattr(judges_of_activations, "NAMED", {**NAMED, name: other})
    assert judged(claim, p=3).verdict is Verdict.REFUTED


@pytest.mark.parametrize("claim", ["theorem-1", "theorem-11"])
def test_the_necessary_condition_depends_on_sets_networks_and_target(claim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged(claim, p=3, s=2)
    assert found.verdict is Verdict.VERIFIED

    monkeypatch.setattr(sums, "reach_of_image", lambda kind, grid, image: Reach(grid, 1))
    assert judged(claim, p=3, s=2).verdict is Verdict.DECLINED, "the sets are always everything: nothing is out of reach"
    monkeypatch.undo()
    monkeypatch.setattr(sums, "reach", lambda kind, table: Reach(table.grid, 2 * table.grid.s * table.grid.top))
    assert "lacks" in str(judged(claim, p=3, s=2).counterexample), "networks take values that the set lacks"
    monkeypatch.undo()
    monkeypatch.setattr(sums, "representator", lambda table, target, *others, **more: representator(table, (0,) * 15, 1))
    assert judged(claim, p=3, s=2).verdict is Verdict.DECLINED, "no network takes every value"
    monkeypatch.undo()
    monkeypatch.setattr(sums, "swap_target", lambda grid, level: level)
    assert judged(claim, p=3, s=2).verdict is Verdict.REFUTED, "a monotone target"


def test_outputs_lie_in_n_of_the_activation_that_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged("equation-10", p=2, s=1).verdict is Verdict.OPEN
    monkeypatch.setattr(networks, "reach", lambda kind, table: Reach(table.grid, 2 * reach(kind, table).step))
    assert judged("equation-10", p=2, s=1).verdict is Verdict.REFUTED


def test_a_text_that_is_no_name_is_a_formula() -> None:
    assert rounded(NAMED["5*max(0, min(1, x))"], FixedPoint(3, 1)) == rounded(scaled_hardtanh(5), FixedPoint(3, 1))
    with pytest.raises(InputError, match="rleu"):
        rounded(NAMED["rleu"], FixedPoint(2, 1))
