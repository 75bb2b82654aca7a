"""Another activation, set, network or rounding under a claim, and its verdict moves; what is tried for *every activation* is all of it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from constructions.fixed_point_networks.judges import activations, networks, query_objects, sums
from constructions.fixed_point_networks.judges.query_objects import divisors, tables
from constructions.fixed_point_networks.mathematics import formulas, sets
from constructions.fixed_point_networks.mathematics.activations import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import assembled, f_network, gate_network, indicator_network
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.mathematics.slope_conditions import Reals
from constructions.fixed_point_networks.mathematics.weighted_sums import outcomes
from tests.outcomes import outcome
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict

judged = partial(outcome, "fixed-point-networks", edition=Edition.REPAIRED, theorems=False)


def changed_end(factor: int, bias: int, build: Callable[..., Any]) -> Callable[..., Any]:
    """The network with the weights of its last layer multiplied, and something added to its biases."""

    def changed(*arguments: Any, **others: Any) -> Any:
        network = build(*arguments, **others)
        last = tuple(replace(n, weights=tuple(factor * w for w in n.weights), bias=n.bias + bias) for n in network.layers[-1])
        return replace(network, layers=(*network.layers[:-1], last))

    return changed


def tripled(*given: Any) -> Any:
    """The outcomes of the recipe with coefficients three times as large."""
    return [(xs, b, [[3 * c for c in cs] for cs in picked]) for xs, b, picked in outcomes(*given)]


def cut(network: Any, cube: Any) -> Any:
    """A network that lacks its last layer, unless the cube is a point."""
    return network if all(a == b for a, b in cube) else replace(network, layers=network.layers[:-1])


P1, P2, P3 = {"p": 1, "s": 1}, {"p": 2, "s": 2}, {"p": 3, "s": 1}
CHANGED: list[tuple[str, dict[str, int], object, str, object]] = [
    ("corollary-9", P2, sums, "reach_of_image", lambda kind, grid, outputs: Reach(grid, 1)),
    ("corollary-9", P2, sets.Sums, "everything", lambda self: False),
    ("corollary-17", P2, sets.Sums, "everything", lambda self: True),
    ("lemma-2", {"p": 4, "s": 1}, Reach, "full_bias", lambda self: 0),
    ("lemma-12", {"p": 4, "s": 1}, Reach, "full_bias", lambda self: 0),
    ("corollary-3", {"p": 4, "s": 1}, Reach, "full_bias", lambda self: 0),
    ("lemma-4", P2, sums, "normal_form", lambda table: None),
    ("lemma-20:gaps", P2, formulas, "FixedPoint", lambda p, s: FixedPoint(p + 1, s)),
    ("lemma-12:case-split", {"p": 4, "s": 1}, FixedPoint, "nearest", lambda self, t: 0),
    ("lemma-5:map-codomains", {**P1, "d": 1}, networks, "gate_network", changed_end(1, 9, gate_network)),
    ("lemma-5:codomain", {**P1, "d": 1}, networks, "f_network", changed_end(1, 9, f_network)),
    ("lemma-22:cases", P1, formulas, "FixedPoint", lambda p, s: FixedPoint(p, 2 * s)),
    ("section-3.2:each-indicator", P1, sums, "assembled", changed_end(-1, 0, assembled)),
    ("lemma-12:weaker", P2, Reach, "reached", lambda self, beta: frozenset({self.step})),
    ("lemma-19:preimages", {"p": 3, "s": 1}, FixedPoint, "rounded", lambda self, x: 0),
    ("lemma-22", P1, activations, "rounding_to", lambda grid, values: dict.fromkeys(grid.levels(), Reals.read("[-1, 1]", {}))),
    ("lemma-23", P1, activations, "rounding_to", lambda grid, values: dict.fromkeys(grid.levels(), Reals.read("[-1, 1]", {}))),
    ("lemma-26:recipe", {"n": 2, "x": 6}, sums, "outcomes", lambda *given: tripled(*given)),
    (
        "theorem-21:from-lemma-20",
        {**P1, "d": 1},
        networks,
        "indicator_network",
        lambda normal, cube, term: cut(indicator_network(normal, cube, term), cube),
    ),
    ("equation-18:values", {}, formulas, "modulus_of_line", lambda slope, delta: Fraction(-1)),
]


@pytest.mark.parametrize(("name", "point", "place", "attribute", "other"), CHANGED)
def test_a_changed_subject_moves_the_verdict(
    name: str, point: dict[str, int], place: object, attribute: str, other: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = judged(name, **point).verdict
    assert before in (Verdict.VERIFIED, Verdict.CONDITIONAL, Verdict.OPEN)
    monkeypatch.setattr(place, attribute, other)
    after = judged(name, **point).verdict
    assert after is Verdict.REFUTED or (before, after) == (Verdict.VERIFIED, Verdict.OPEN)


@pytest.mark.parametrize(("name", "theorem"), [("corollary-9", "theorem-1"), ("corollary-9", "theorem-6"), ("corollary-17", "theorem-15")])
def test_a_corollary_is_no_better_than_the_theorems_it_combines(name: str, theorem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Session.ask

    def worse(self: Session, claim: str, *others: Any) -> Outcome:
        found = ask(self, claim, *others)
        return replace(found, verdict=Verdict.DECLINED, reason="not now") if claim.endswith(f"/{theorem}") else found

    monkeypatch.setattr(Session, "ask", worse)
    found = judged(name, p=1, s=1)
    assert found.verdict is Verdict.OPEN
    assert theorem in (found.reason or "")


@pytest.mark.parametrize(("p", "s"), [(2, 1), (2, 3), (3, 2)])
def test_every_divisor_is_tried_with_and_without_an_output_0_and_with_other_signs(p: int, s: int) -> None:
    grid = FixedPoint(p, s)
    drawn = [(table, normal) for name, table, normal in tables(grid) if name.startswith("table")]
    assert {reach("S", table).step for table, _ in drawn} == set(divisors(grid)) == set(range(1, 2 * grid.top + 1))
    assert len({(normal.alpha, normal.beta) for _, normal in drawn}) >= 3
    steps = [(reach("N", table).step, reach("S", table).step) for table, _ in drawn]
    assert {s for n, s in steps if n == s > 1}
    assert {s for n, s in steps if n < s}
    assert all(normal_form(table) for table, _ in drawn)


@pytest.mark.parametrize("name", ["theorem-6", "theorem-15", "section-4.2", "theorem-21:networks"])
def test_the_scope_counts_the_tables_that_are_visited(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = replace(find_claim(f"fixed-point-networks/{name}"), proofs=())

    def scope() -> str:
        return Session().outcome(claim, Edition.STATEMENT, {"p": 2, "s": 2, "d": 1}, DEFAULT_SEMANTICS)[0].scope.statement

    assert "10 named activations and" in scope()
    two = [*tables(FixedPoint(2, 2))][9:11]
    monkeypatch.setattr(query_objects, "tables", lambda grid, sigma: iter(two))
    assert "1 named activations and 1 drawn tables" in scope()
