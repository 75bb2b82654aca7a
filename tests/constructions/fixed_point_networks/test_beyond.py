"""Q_{p,s} without 1 in it: the integer rounding, the sets and the first layers against their definitions, and what then fails."""

from itertools import combinations, product
from math import exp, log

import pytest

from constructions.fixed_point_networks.claims import beyond as beyond_claims
from constructions.fixed_point_networks.claims import separation
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, admitted, beyond
from constructions.fixed_point_networks.mathematics.images import images
from constructions.fixed_point_networks.mathematics.networks.any_scaling_factor import (
    first_layer_functions,
    separating_representator,
    unseparated,
)
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, run_rounded
from constructions.fixed_point_networks.mathematics.networks.representator import first_difference
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.sets import KINDS, reach
from tests.constructions.fixed_point_networks.one_change import NETWORKS, REALS, SETS, Row
from tests.constructions.fixed_point_networks.test_one_change import changed
from tests.constructions.fixed_point_networks.test_sets import brute, table_of
from verifier.claims.catalogue import find_claim
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Limits, Question
from verifier.claims.session import Session
from verifier.errors import InputError
from verifier.verdicts import Edition, Verdict


@pytest.mark.parametrize("grid", [*beyond(1, 4), FixedPoint(2, 4), FixedPoint(2, 7)], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_the_sets_are_the_closure(kind: str, grid: FixedPoint) -> None:
    for image in sorted(images(grid), key=sorted)[:: 1 if grid.p == 1 else 5]:
        table = table_of(grid, image)
        sets = reach(kind, table)
        for beta in range(-1, min(sets.classes, 4)):
            found = brute(kind, table, beta)
            assert found == sets.reached(beta)
            assert (sets.missing(beta) is None) == (len(found) == grid.size)


@pytest.mark.parametrize("grid", [*beyond(1, 4), FixedPoint(2, 4), FixedPoint(2, 6), FixedPoint(2, 7)], ids=str)
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


def test_at_p_1_s_3_the_first_layer_is_constant() -> None:
    assert first_layer_functions(FixedPoint(1, 3)) == {}
    assert separation.stuck(FixedPoint(1, 3)) == (-1, 0)
    assert separation.stuck(FixedPoint(1, 2)) is None


def test_the_paper_s_assumption_is_asked_where_a_user_names_p_and_s() -> None:
    assert admitted(2, 3) == FixedPoint(2, 3)
    for p, s, text in ((2, 4, r"s = 4: 1 <= s <= 2\^p - 1 = 3 was expected"), (2, 0, "s = 0: 1 <= s"), (0, 1, "magnitude bit")):
        with pytest.raises(InputError, match=text):
            admitted(p, s)


def test_weights_beyond_q_are_refused_but_for_1() -> None:
    grid = FixedPoint(2, 5)
    table = rounded(NAMED["relu"], grid)
    assert Network(table, 1, ((Neuron((0,), (5,), 0),),)).binary
    assert not Network(table, 1, ((Neuron((0,), (-5,), 0),),)).quantized
    with pytest.raises(InputError, match="weight 4/5"):
        Network(table, 1, ((Neuron((0,), (4,), 0),),))


CLAIMS = {name: record for record in beyond_claims.RECORDS for name in record.claims}
SPOILED = [row for row in (*SETS, *NETWORKS, *REALS) if row[1] in CLAIMS and row[1] != "lemma-14"]


@pytest.mark.parametrize("row", SPOILED, ids=lambda row: row[1])
def test_a_claim_with_one_change_is_refused_beyond_too(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    """The neighbours of :mod:`.one_change`, judged at s ≥ 2^p."""
    import importlib

    short, name, parameters, old, new, reason = row
    module = changed(importlib.import_module(f"constructions.fixed_point_networks.claims.{short}"), old, new)
    spoiled = {c.id: c for c in module.chapter.claims if c.name == name}

    def found(text: str) -> Claim:
        return spoiled.get(text) or find_claim(text)

    monkeypatch.setattr(beyond_claims, "find_claim", found)
    point = {"p": parameters["p"], "s": 2 ** parameters["p"] + (1 if name.startswith("lemma-25") else 0)}
    made = beyond_claims.Outside(Limits()).ask(f"fixed-point-networks/{name}", Edition.STATEMENT, point, DEFAULT_SEMANTICS)
    assert made.verdict is Verdict.REFUTED
    assert reason in (made.counterexample or {})


@pytest.mark.parametrize(("name", "reason"), [("lemma-14", "layers stated"), ("theorem-15", "x"), ("corollary-17", "BS")])
def test_what_is_printed_is_refused_beyond_too(name: str, reason: str) -> None:
    made = beyond_claims.Outside(Limits()).ask(f"fixed-point-networks/{name}", Edition.PRINTED, {"p": 2, "s": 4, "d": 1}, DEFAULT_SEMANTICS)
    assert made.verdict is Verdict.REFUTED
    assert reason in (made.counterexample or {})


def test_every_record_has_a_spoiled_claim() -> None:
    covered = {CLAIMS[row[1]].name for row in SPOILED} | {"lemma-14", "theorem-15", "corollary-17"}
    assert covered == {record.name for record in beyond_claims.RECORDS}


@pytest.mark.parametrize(("p", "sigmoid", "softplus"), [(3, 17, 14), (4, 37, 31)])
def test_the_first_constant_roundings_are_where_the_least_value_rounds_to_the_top(p: int, sigmoid: int, softplus: int) -> None:
    """By floats, far from ties: s·σ(−q_max) passes 2^p − 3/2, and is short of 2^p − 1/2 there."""
    values = {"sigmoid": lambda x: 1 / (1 + exp(-x)), "softplus": lambda x: log(1 + exp(x))}
    for name, first in (("sigmoid", sigmoid), ("softplus", softplus)):
        before, there = (s * values[name](-(2**p - 1) / s) for s in (first - 1, first))
        assert before < 2**p - 1.5 < there < 2**p - 0.5
    claim = find_claim("fixed-point-networks/lemma-8:one-in-q")
    assert claim.judge is not None
    made = claim.judge(Question(claim, Edition.STATEMENT, {"p": p}, DEFAULT_SEMANTICS, Session()))
    assert f"sigmoid at s = {sigmoid}, softplus at s = {softplus}; from there to s = {2 ** (p + 2)}" in (made.witness or "")
