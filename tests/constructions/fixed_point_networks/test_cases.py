"""How many cases a claim has, against a count of its own: no loop over networks, tables, copies or activations is cut short."""

from itertools import product
from types import SimpleNamespace

import pytest

from constructions.fixed_point_networks.judges import activations, representability
from constructions.fixed_point_networks.judges.activations import _short
from constructions.fixed_point_networks.mathematics.activations import Table, normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.samples import usable
from constructions.fixed_point_networks.mathematics.sets import reach
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict

SCALES = {1: 1, 2: 3}
"""At p bits: how many s there are up to the largest level, 2^p − 1."""
LEVELS = {1: 3, 2: 7}
GRID = FixedPoint(1, 1)
TABLES = sum(normal_form(Table(GRID, levels)) is not None for levels in product(GRID.levels(), repeat=3))
"""Those of p = 1 that Condition 1 admits: at p = 1 all of them are tried."""
CUBES = 6
"""Intervals of three levels."""

COUNTS = [
    ("section-3:coincides", {"p": 1}, SCALES[1] * 7 * 2),
    ("section-3:coincides", {"p": 2}, SCALES[2] * 7 * 2),
    ("equation-8", {"p": 1, "s": 1}, LEVELS[1] ** 2 * 3),
    ("equation-8", {"p": 2, "s": 1}, LEVELS[2] ** 2 * 3),
    ("lemma-4", {"p": 3, "s": 1}, 2 * (2**3 - 1)),
    ("lemma-5:map-codomains", {"p": 1, "s": 1, "d": 1}, TABLES * CUBES * 3),
    ("lemma-5:codomain", {"p": 1, "s": 1, "d": 1}, TABLES * CUBES),
]


@pytest.mark.parametrize(("name", "point", "cases"), COUNTS)
def test_every_case_is_gone_through(name: str, point: dict[str, int], cases: int) -> None:
    claim = find_claim(f"fixed-point-networks/{name}")
    found = Session().own(claim, Edition.REPAIRED, claim.complete(point), DEFAULT_SEMANTICS)
    sampled = claim.of_edition(Edition.REPAIRED).sample or found.scope.sample_of
    assert (found.verdict, found.scope.cases) == (Verdict.OPEN if sampled else Verdict.VERIFIED, cases), found.reason
    if name.startswith("lemma-5"):
        assert found.scope.statement.startswith(f"all {TABLES} activation tables with Condition 1, ")


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
    monkeypatch.setattr(representability, "separating_representator", lambda table, target, d, binary: made)
    monkeypatch.setattr(representability, "first_difference", lambda network, target: None)
    assert {found is True for found in representability.some_targets(usable(GRID, False), 1)} == {right}
