"""``verify tool sets``: every set for every bias, its sums recomputed, and what it refuses."""

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


def test_what_is_missing_is_said_and_is_the_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "table.txt"
    table.write_text("0 0 0 0 3 3 3")
    assert run(["tool", "sets", "--activation", str(table), "--p", "2", "--s", "1", "--set", "S"]) == 1
    assert "-1 at b = 0, 0 at b = 1, 0 at b = 2" in capsys.readouterr().out
    table.write_text("0 0 0 0 2 3 3")
    assert run(["tool", "sets", "--activation", str(table), "--p", "2", "--s", "1", "--set", "S"]) == 0
    assert "every" in capsys.readouterr().out


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


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--activation", "gelu", "--p", "3", "--s", "2", "--bias", "1/3"], "--bias: 1/3 is not a multiple of 1/2"),
        (["--activation", "gelu", "--p", "2", "--s", "9"], "s = 9"),
    ],
)
def test_what_cannot_be_asked_is_one_line(words: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tool", "sets", *words]) == (3 if expected == "activation tables" else 2)  # a limit declines
    message = capsys.readouterr().err
    assert expected in message
    assert len(message.strip().splitlines()) == 1
