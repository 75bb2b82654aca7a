"""The coverings of every real δ: the finitely many kept are all, and what is judged on them holds or fails where the definition says."""

import random
from functools import partial

import pytest

from constructions.fixed_point_networks.judges import networks
from constructions.fixed_point_networks.mathematics.continuous_functions import Stretch, corners, covering, stretches
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import PRINTED, first_wrong
from tests.outcomes import outcome
from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.verdicts import Verdict

GRIDS = [FixedPoint(1, 1), FixedPoint(2, 1), FixedPoint(2, 3), FixedPoint(3, 2)]


judged = partial(outcome, "fixed-point-networks")


def stretch_of(grid: FixedPoint, delta: Fraction) -> Stretch:
    found = [s for s in stretches(grid) if (s.low == delta if s.closed else s.low < delta < s.high)]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_every_delta_is_in_one_stretch_and_has_its_covering(grid: FixedPoint) -> None:
    source = random.Random(grid.size)
    end = 2 * grid.top
    exact = {Fraction(n, m) for m in range(1, 13) for n in range(m + 1, m * end)} if grid.p < 3 else set()
    drawn = {Fraction(source.randint(1001, 1000 * end - 1), 1000) for _ in range(200)}
    for delta in (t / grid.s for t in exact | drawn):
        sample = stretch_of(grid, delta).sample
        assert covering(grid, delta) == covering(grid, sample)
        assert len(corners(grid, delta)) == len(corners(grid, sample))


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_the_covering_is_that_of_the_definition(grid: FixedPoint) -> None:
    for delta in (s.sample for s in stretches(grid)):
        held = [[k for k in grid.levels() if p <= grid.value(k) < p + delta] for p in corners(grid, delta)]
        assert covering(grid, delta) == tuple((h[0], h[-1]) for h in held if h)


@pytest.mark.parametrize("d", [1, 2])
def test_grid_power_agrees_with_every_delta_tried(d: int) -> None:
    """The judge's verdict against the inequality itself at many δ."""
    grid = FixedPoint(2, 1)
    deltas = [Fraction(n, 60) for n in range(61, 360)]
    holds = all(len(corners(grid, delta)) ** d <= 2 * grid.largest / delta + 2 for delta in deltas)
    found = judged("theorem-21:grid-power", p=2, s=1, d=d)
    assert (found.verdict is Verdict.VERIFIED) == holds == (d == 1)
    if not holds:
        shown = found.counterexample or {}
        delta = rational(shown["delta"])
        assert len(corners(grid, delta)) == int(shown["corners"])
        assert len(corners(grid, delta)) ** d > 2 * grid.largest / delta + 2


def test_the_proofs_networks_need_the_repaired_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "first_wrong", partial(first_wrong, signs=PRINTED))
    found = judged("theorem-21:networks", p=2, s=1, d=1)
    assert found.verdict is Verdict.REFUTED
    assert {"cube", "v", "x"} <= set(found.counterexample or {})


@pytest.mark.parametrize(("judge", "reason"), [("networks", "points of a cube differ by"), ("partition", "cubes")])
def test_a_covering_twice_as_wide_is_refused(monkeypatch: pytest.MonkeyPatch, judge: str, reason: str) -> None:
    monkeypatch.setattr(networks, "covering", lambda grid, delta: covering(grid, 2 * delta))
    monkeypatch.setattr(networks, "corners", lambda grid, delta: [c + delta / 2 for c in corners(grid, delta)])
    found = judged(f"theorem-21:{judge}", **{"p": 2, "s": 1, "d": 1} if judge == "networks" else {"p": 2, "s": 1})
    assert found.verdict is Verdict.REFUTED
    assert reason in (found.counterexample or {})
