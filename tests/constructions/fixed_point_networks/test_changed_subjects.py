"""Changed networks and targets are refused where no neighbour changes them; what is tried for *every activation* is all of it."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from constructions.fixed_point_networks.judges import networks, query_objects, sums
from constructions.fixed_point_networks.judges.query_objects import divisors, tables
from constructions.fixed_point_networks.mathematics.activations import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import Network, assembled, held, indicator_network, plan
from constructions.fixed_point_networks.mathematics.sets import reach
from tests.outcomes import outcome
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict

judged = partial(outcome, "fixed-point-networks", edition=Edition.REPAIRED, theorems=False)


def negated(*arguments: Any) -> Network:
    """The network with the weights of its last layer negated."""
    network = assembled(*arguments)
    last = tuple(replace(n, weights=tuple(-w for w in n.weights)) for n in network.layers[-1])
    return replace(network, layers=(*network.layers[:-1], last))


def wider(normal: Any, cube: Any, *others: Any) -> Network:
    """The indicator with a neuron more for each level that the cube spans."""
    network = indicator_network(normal, cube, *others)
    more = (held(0),) * sum(high - low for low, high in cube)
    return replace(network, layers=((*network.layers[0], *more), *network.layers[1:]))


@pytest.mark.parametrize(
    ("name", "point", "module", "attribute", "other"),
    [
        ("section-3.2:each-indicator", {"p": 1, "s": 1}, sums, "assembled", negated),
        ("theorem-21:from-lemma-20", {"p": 2, "s": 1, "d": 1}, networks, "indicator_network", wider),
        ("theorem-1", {"p": 3, "s": 2}, sums, "swap_target", lambda grid, level: level),
        ("theorem-11", {"p": 3, "s": 2}, sums, "swap_target", lambda grid, level: level),
    ],
)
def test_a_changed_subject_is_refused_where_no_neighbour_changes_it(
    name: str, point: dict[str, int], module: object, attribute: str, other: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(name, **point).verdict is not Verdict.REFUTED
    monkeypatch.setattr(module, attribute, other)
    assert judged(name, **point).verdict is Verdict.REFUTED


def test_weights_other_than_1_and_minus_1_are_noticed_in_theorem_15(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "plan", lambda table, binary: plan(table, False))
    assert "not all +-1" in (judged("theorem-15", p=2, s=1, d=1).reason or "")


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
