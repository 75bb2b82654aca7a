"""The examples of docs/examples are right at every length that they are checked at, and repeated nodes are the nodes written out."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bitreferee import Construction, judge, load
from tests.command_line import CommandLine
from verifier.networks.entries import Fraction
from verifier.networks.indices import index_set
from verifier.running.errors import InputError

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


@pytest.mark.parametrize(
    ("node", "said"),
    [
        ({"for": "j", "weights": [1], "bias": 0}, "for and in belong together"),
        ({"for": "m + 1", "in": "[1 : m]", "weights": [1], "bias": 0}, "'m + 1' names no quantity"),
        ({"for": "j", "in": "[1 : m]", "weights": [1, 2], "bias": 0}, "2 weights, and W^V has 1 column; as many were expected"),
        ({"for": "j", "in": "[1 : m]", "weights": ["k"], "bias": 0}, "no name 'k' here"),
        ({"for": "j", "in": "[1 : 5000]", "weights": [1], "bias": 0}, None),
    ],
)
def test_a_wrong_repetition_is_refused(node: dict[str, object], said: str | None) -> None:
    raw = tomllib.loads((FOLDER / "parity.toml").read_text())
    raw["mlp"]["hidden"] = [node]
    if said is None:
        assert judge(Construction.from_dict(raw), m=2).verdicts == {"printed": "declined"}
        return
    with pytest.raises(InputError, match=r"hidden") as refused:
        Construction.from_dict(raw).at(m=2)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("1..m", "write [1 : m]"),
        ("1 : m", "write [1 : m]"),
        ("(1, m)", "write [1 : m]"),
        ("[1..m]", "write [1 : m]"),
        ("[1, m]", "write [1 : m]"),
        ("range(1, m + 1)", "write [1 : (m + 1) - 1]"),
        ("{1..m}", "write [1 : m]"),
        ("{1, ..., m}", "write [1 : m]"),
        ("1, ..., m", "write [1 : m]"),
        ("[1; m]", "write [1 : m]"),
        ("[1 : m", "write [1 : m]"),
        ("1 to m", "write [1 : m]"),
        ("1 <= i <= m", "write [1 : m]"),
        ("i in [1 : m]", "write [1 : m]"),
        ("i = 1..m", "write [1 : m]"),
    ],
)
def test_a_range_in_another_notation_says_what_to_write(text: str, instead: str) -> None:
    with pytest.raises(InputError) as refused:
        index_set(text, {"m": Fraction(3)})
    assert instead in str(refused.value)
    assert index_set(instead.removeprefix("write "), {"m": Fraction(3)}) == (1, 2, 3)


@pytest.mark.parametrize("given", ["1:4", "[1:4]", "1-4"])
def test_so_does_an_option(verify: CommandLine, given: str) -> None:
    found = verify("construction", str(FOLDER / "parity.toml"), "--m", given)
    assert (found.status, "write --m 1..4" in found.err) == (2, True), found.err


@pytest.mark.parametrize("text", ["min(1, m)", "max(1, m) - 2", "gcd(1, m)"])
def test_an_index_with_a_comma_is_no_range(text: str) -> None:
    assert index_set(text, {"m": Fraction(3)}) == (1,)


def test_a_range_of_a_formula_is_written_as_an_index_range(verify: CommandLine, tmp_path: Path) -> None:
    written = (FOLDER / "parity.toml").read_text(encoding="utf-8")
    path = tmp_path / "parity.toml"
    path.write_text(written.replace('"popcount(x[1 : i])"', '"sum(x[j] for j in [1 : i])"'), encoding="utf-8")
    assert verify("construction", str(path)).status == 0
    path.write_text(written.replace('"popcount(x[1 : i])"', '"sum(x[j] for j in 1 : i)"'), encoding="utf-8")
    found = verify("construction", str(path))
    assert (found.status, "write [1 : m] for a range" in found.err) == (2, True), found.err
