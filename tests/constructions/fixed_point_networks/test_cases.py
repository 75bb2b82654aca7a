"""What is tried for a claim: every divisor, what a set misses, and networks of four layers; cases are in ``test_counted_cases.py``."""

from types import SimpleNamespace

import pytest

from constructions.fixed_point_networks.judges import activations, networks
from constructions.fixed_point_networks.judges.activations import _short
from constructions.fixed_point_networks.judges.query_objects import usable
from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import reach
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict

GRID = FixedPoint(1, 1)


@pytest.mark.parametrize(("name", "most"), [("lemma-2", 7), ("lemma-12", 7), ("lemma-7", 14), ("lemma-16", 14)])
def test_every_divisor_up_to_the_largest_output_or_gap_is_tried(name: str, most: int) -> None:
    """At p = 3 outputs are up to 7 levels, gaps up to 14."""
    claim = find_claim(f"fixed-point-networks/{name}")
    (asked,) = (
        q.claim for q in claim.questions if isinstance(q.claim.judge, NamedJudge) and q.claim.judge.target.endswith("sharp_criterion")
    )
    found = Session().own(asked, Edition.STATEMENT, asked.complete({"p": 3, "s": 1}), DEFAULT_SEMANTICS)
    assert (found.verdict, found.scope.cases) == (Verdict.VERIFIED, most)


def test_what_a_set_misses_is_named_and_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outputs 0 and 2 with s = 1: from 0 the odd levels are not reached."""
    grid = FixedPoint(2, 1)
    table = Table(grid, tuple(2 * (level > 0) for level in grid.levels()))
    monkeypatch.setattr(activations, "has_unit_gap", lambda activation, grid: None)
    monkeypatch.setattr(activations, "rounded", lambda activation, grid: table)
    found = _short(grid, "relu")
    assert isinstance(found, dict)
    level = {grid.show(v): v for v in grid.levels()}
    assert level[str(found["missing"])] in set(grid.levels()) - reach("S", table).reached(level[str(found["b"])])


@pytest.mark.parametrize(("quantized", "depth", "right"), [(True, 4, True), (True, 5, False), (False, 4, False)])
def test_a_network_for_any_target_has_four_layers_and_is_quantized(
    monkeypatch: pytest.MonkeyPatch, quantized: bool, depth: int, right: bool
) -> None:
    made = SimpleNamespace(quantized=quantized, depth=depth)
    monkeypatch.setattr(networks, "separating_representator", lambda table, target, d, binary: made)
    monkeypatch.setattr(networks, "first_difference", lambda network, target: None)
    assert {found is True for found in networks.some_targets(usable(GRID, False), 1)} == {right}
