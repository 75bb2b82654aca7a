"""Where a statement first says something: open below, and the same answer from a search of another kind."""

import pytest

from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.images import images
from constructions.fixed_point_networks.mathematics.sets import reach_of_image
from verifier.claims.catalogue import find_claim
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.session import Session
from verifier.verdicts import Edition, Finding, Verdict


def first(name: str, p: int) -> Finding:
    claim = find_claim(f"fixed-point-networks/{name}:first")
    return Session().finding(claim, Edition.STATEMENT, {"p": p}, DEFAULT_SEMANTICS)[0]


@pytest.mark.parametrize(
    ("name", "p", "missing"),
    [
        ("lemma-2", 1, "sigma not constant"),
        ("corollary-3", 2, "5s in Q_(p,s)"),
        ("corollary-13", 2, "5 in Q_(p,s)"),
        ("lemma-8", 2, "silu, mish, gelu, sigmoid, softplus"),
        ("lemma-10", 1, "an output other than 0"),
        ("lemma-19", 2, "S is everything"),
        ("lemma-24", 2, "(A4), (A5), (A6), (A7)"),
        ("corollary-9", 1, "neither side holds"),
        ("theorem-1", 1, "networks do not"),
    ],
)
def test_open_below_the_first_and_verified_from_there_on(name: str, p: int, missing: str) -> None:
    below = first(name, p)
    assert below.verdict is Verdict.OPEN
    assert below.reason is not None
    assert f"none up to p = {p}" in below.reason
    assert missing in below.reason
    assert first(name, p + 1).verdict is Verdict.VERIFIED


def small(grid: FixedPoint) -> list[frozenset[int]]:
    return list(images(grid)) if grid.p < 3 else [frozenset((0, v)) for v in grid.levels()]


def test_lemma_2_and_corollary_9_by_another_search() -> None:
    """All sets of outputs instead of those that are made for the purpose."""
    grids = [g for p in (1, 2) for g in fixed_points(p)]
    lemma_2 = [
        (g.p, g.s)
        for g in grids
        for image in small(g)
        for r in range(3, g.top + 1)
        if g.s * g.s * r <= g.top and any(image) and all(v % (g.s * r) == 0 for v in image) and (r != 3 or g.p % 2 == 0)
    ]
    assert min(lemma_2) == (2, 1)
    assert "p = 2, s = 1" in (first("lemma-2", 2).witness or "")
    neither = [
        (g.p, g.s)
        for g in grids
        for image in small(g)
        if len(image) > 1
        and reach_of_image("N", g, image).step == reach_of_image("S", g, image).step
        and reach_of_image("S", g, image).full_bias() is None
    ]
    assert min(neither) == (2, 1)
    assert "neither side holds: p = 2, s = 1" in (first("corollary-9", 2).witness or "")
