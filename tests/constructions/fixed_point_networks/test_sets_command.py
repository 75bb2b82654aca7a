"""``verify tool sets``: every set for every bias, and its sums recomputed."""

import json
from pathlib import Path

import pytest

from constructions.fixed_point_networks.commands.sets_command import set_answer
from constructions.fixed_point_networks.mathematics.activations import NAMED, Table, rounded
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import KINDS, closure
from verifier.arithmetic.rationals import rational
from verifier.commands.main import run

HARDTANH = ["tool", "sets", "--activation", "hardtanh", "--p", "3", "--s", "2"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("p", "s"), [(1, 1), (2, 1), (2, 2), (2, 3)])
def test_the_answers_for_all_classes_are_those_of_the_closure_for_all_biases(kind: str, p: int, s: int) -> None:
    grid = FixedPoint(p, s)
    for name in ("relu", "sigmoid", "hardtanh"):
        table = rounded(NAMED[name], grid)
        found = set_answer(kind, table)
        for beta in range(-2 * grid.size, 2 * grid.size):
            reached = closure(kind, table, beta, 8 * grid.top * max(grid.s, grid.top))
            lacks = found.lacks[beta % found.period]
            assert (lacks is None) == (reached == set(grid.levels()))
            assert lacks is None or lacks not in reached or beta not in found.lacks


def test_the_sums_written_reach_what_they_say(tmp_path: Path) -> None:
    file = tmp_path / "sets.json"
    assert run([*HARDTANH, "--bias", "-3/2", "--output", str(file)]) == 0
    grid, data = FixedPoint(3, 2), json.loads(file.read_text())
    outputs = {rational(v) for v in data["rounded activation"]}
    for each in data["sets"]:
        (bias,) = each["biases"]
        assert {rational(v) * 2 for v in bias["sums"]} == set(grid.levels())
        for value, terms in bias["sums"].items():
            exact = [(int(n), rational(w), rational(x)) for n, w, x in terms]
            total = rational(bias["b"]) + sum(n * w * x for n, w, x in exact)
            assert grid.machine().round(total) == rational(value)
            inputs = outputs if each["set"].endswith("N") else {a - b for a in outputs for b in outputs}
            assert all(x in inputs for _, _, x in exact)
            assert all(abs(w) == 1 if each["set"].startswith("B") else abs(w) <= grid.largest for _, w, _ in exact)


@pytest.mark.parametrize("kind", KINDS)
def test_the_values_of_a_set_that_misses_some_are_those_of_the_closure(kind: str) -> None:
    grid = FixedPoint(2, 1)
    table = Table(grid, (0, 0, 0, 0, 3, 3, 3))
    found, listed = set_answer(kind, table), 0
    for each in found.data()["biases"]:
        if not each["everything"]:
            beta = int(rational(each["b"]))
            values = closure(kind, table, beta, 8 * grid.top * grid.top)
            assert [int(rational(v)) for v in each["values"]] == sorted(values) == found.values(beta)
            listed += 1
    assert listed
