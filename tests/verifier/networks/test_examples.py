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
