"""The examples of docs/examples are right at every length that they are checked at, and repeated nodes are the nodes written out."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bitreferee import Construction, judge, load

FOLDER = Path(__file__).parents[3] / "docs" / "examples"
EXAMPLES = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_it_is_right(path: Path) -> None:
    assert judge(path, m="1..5").verified


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_another_output_weight_is_wrong(path: Path) -> None:
    assert not judge(load(path).with_entry("mlp.output.weights 1", 3), m=3).verified


@pytest.mark.parametrize("m", [1, 2, 5])
def test_repeated_nodes_are_the_nodes_written_out(m: int) -> None:
    raw = tomllib.loads((FOLDER / "parity.toml").read_text())
    repeated = load(FOLDER / "parity.toml").at(m=m)
    raw["mlp"]["hidden"] = [{"weights": [1], "bias": -j} for j in range(m)]
    raw["mlp"]["output"]["weights"] = [1, *(2 if j % 2 == 0 else -2 for j in range(1, m))]
    written = Construction.from_dict(raw).at(m=m)
    assert (repeated.hidden, repeated.output) == (written.hidden, written.output)
    assert len(repeated.hidden) == m


@pytest.mark.parametrize("name", ["inner-product", "index", "greater-than"])
def test_a_format_of_more_bits_than_arrays_hold_changes_nothing_where_nothing_is_rounded(name: str) -> None:
    """Also where only enumeration decides: the functions of two of them are no condition on few bits or numbers of ones."""
    right = load(FOLDER / f"{name}.toml")
    for table in (right, right.with_entry("mlp.output.weights 1", 3)):
        wide, narrow = (judge(each, m="2..3") for each in (table.with_entry("precision.bits", 40), table))
        told = [[(r.claim, r.verdict, r.outcome.failures, r.outcome.counterexample) for r in each] for each in (wide, narrow)]
        assert told[0] == told[1]


def test_a_table_with_too_many_inputs_says_why_states_do_not_decide_it() -> None:
    for name, function in (("inner-product", "sum("), ("index", "any(")):
        reason = judge(FOLDER / f"{name}.toml", m=30)[0].outcome.reason or ""
        assert reason.startswith("enumeration visits ")
        assert f"; states do not decide it: {function}" in reason
