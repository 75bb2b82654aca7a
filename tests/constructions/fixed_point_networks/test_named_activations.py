"""What the paper says of activations that have a name depends on these activations: another one under a name moves the verdict."""

from dataclasses import replace

import pytest

from constructions.fixed_point_networks.judges import activations, networks, representability
from constructions.fixed_point_networks.mathematics.activations import NAMED, rounded, scaled_hardtanh
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import representator
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.running.errors import InputError

A4 = read_semantics("a4")
FIVE = replace(scaled_hardtanh(5), name="five")
ABOVE = replace(NAMED["relu"], name="above", formula="max(0, x) + 2")


def outcome(claim: str, **point: int) -> Outcome:
    return Session().outcome(find_claim(f"fixed-point-networks/{claim}"), Edition.STATEMENT, point, A4)[0]


def verdict(claim: str, **point: int) -> Verdict:
    return outcome(claim, **point).verdict


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
    assert verdict(claim, p=3) is Verdict.VERIFIED
    monkeypatch.setattr(activations, "NAMED", {**NAMED, name: other})
    assert verdict(claim, p=3) is Verdict.REFUTED


@pytest.mark.parametrize("claim", ["theorem-1", "theorem-11"])
def test_the_necessary_condition_depends_on_sets_networks_and_target(claim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = outcome(claim, p=3, s=2)
    assert found.verdict is Verdict.VERIFIED

    monkeypatch.setattr(representability, "reach_of_image", lambda kind, grid, image: Reach(grid, 1))
    assert outcome(claim, p=3, s=2).verdict is Verdict.DECLINED, "the sets are always everything: nothing is out of reach"
    monkeypatch.undo()
    monkeypatch.setattr(representability, "reach", lambda kind, table: Reach(table.grid, 2 * table.grid.s * table.grid.top))
    assert "lacks" in str(outcome(claim, p=3, s=2).counterexample), "networks take values that the set lacks"
    monkeypatch.undo()
    monkeypatch.setattr(representability, "representator", lambda table, target, *others, **more: representator(table, (0,) * 15, 1))
    assert outcome(claim, p=3, s=2).verdict is Verdict.DECLINED, "no network takes every value"
    monkeypatch.undo()
    monkeypatch.setattr(representability, "swap_target", lambda grid, level: level)
    assert outcome(claim, p=3, s=2).verdict is Verdict.REFUTED, "a monotone target"


def test_outputs_lie_in_n_of_the_activation_that_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict("equation-10", p=2, s=1) is Verdict.OPEN
    monkeypatch.setattr(networks, "reach", lambda kind, table: Reach(table.grid, 2 * reach(kind, table).step))
    assert verdict("equation-10", p=2, s=1) is Verdict.REFUTED


def test_a_text_that_is_no_name_is_a_formula() -> None:
    assert rounded(NAMED["5*max(0, min(1, x))"], FixedPoint(3, 1)) == rounded(scaled_hardtanh(5), FixedPoint(3, 1))
    with pytest.raises(InputError, match="rleu"):
        rounded(NAMED["rleu"], FixedPoint(2, 1))
