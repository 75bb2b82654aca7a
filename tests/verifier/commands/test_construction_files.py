"""``verify construction`` on files of one's own: the repository's tables, well-formed and malformed neighbours."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.tables import FOLDER

LINEAR = """
format = "bitreferee/construction/1"
id = "linear"
title = "EQ on two bits by linear attention, one coordinate of W^V for each"
source = "made up for this test"
attention = "linear"

[parameters.p]
where = "p >= 5"
meaning = "bits"

[precision]
bits = "p"

[problem]
function = "EQ"
promise = "y <= z"
length = "2"

[tokens]
first = 1
last = 5

[[input]]
i = "[1 : 2]"
reads = "y[i]"

[[input]]
i = "[3 : 4]"
reads = "z[i - 2]"

[[input]]
i = 5
reads = 0

[[row]]
step = 1
i = "[1 : 2]"
zero = [0, 1, 0, 0]
one = [0, 1, "2 - i", "i - 1"]

[[row]]
step = 2
i = "[3 : 4]"
zero = [0, 1, 0, 0]
one = [0, 1, "i - 4", "3 - i"]

[[row]]
step = 3
i = 5
zero = [1, 0, 0, 0]

[weights]
query.matrix = [[1], [0], [0], [0]]
key.matrix = [[0], [1], [0], [0]]
value.matrix = [[0], [0], [2], [1]]

[mlp]
hidden = [{ weights = [-1], bias = 0 }, { weights = [1], bias = 0 }]
output = { weights = [-1, -1], bias = 1 }
"""
"""The prefix and the suffix of the positions share no sum, and there is no denominator."""
TABLE_6 = (FOLDER / "table-6.toml").read_text(encoding="utf-8")


def neighbour(folder: Path, old: str, new: str) -> str:
    """Table 6 with one piece of text changed, as a file."""
    assert TABLE_6.count(old) >= 1, old
    path = folder / "mine.toml"
    path.write_text(TABLE_6.replace(old, new, 1), encoding="utf-8")
    return str(path)


def test_the_printed_table_is_refuted_and_replays(verify: CommandLine, tmp_path: Path) -> None:
    path = neighbour(tmp_path, "reads", "reads")
    done = verify("construction", path, "--p 8 --format json")
    (result,) = done.document["results"]
    assert done.status == 1
    assert result["claim"] == "construction/table-6"
    replayed = verify(*result["replay"].split()[1:])
    assert replayed.status == 1
    assert "WRONG" in replayed.out


def test_a_repaired_copy_is_verified(verify: CommandLine, tmp_path: Path) -> None:
    text = TABLE_6.replace('zero = [1, "-(h - 1)", "-(2**(h - 1) - 1)"]', 'zero = [1, "-(h - 2)", "-(2**(h - 1) - 1)"]')
    text = text.replace('zero = [1, "-(h - 1)", "2**(h - 1) - 1"]', 'zero = [1, "-(h - 2)", "2**(h - 1) - 1"]')
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    done = verify("construction", str(path), "--p 8 --format json")
    (result,) = done.document["results"]
    assert result["verdict"] == "conditional", "the MLP's weight 2^(h-1) is not a value with h bits"
    assert result["assumptions"] == ["exact-entries"]
    assert "-128" in result["reason"]
    assert done.status == 3


@pytest.mark.parametrize(("weights", "status"), [("[[0], [0], [2], [1]]", 0), ("[[0], [0], [2], [-2]]", 1)])
def test_linear_attention_whose_positions_share_no_sum(verify: CommandLine, tmp_path: Path, weights: str, status: int) -> None:
    path = tmp_path / "linear.toml"
    path.write_text(LINEAR.replace("[[0], [0], [2], [1]]", weights), encoding="utf-8")
    counted, tried = (verify("construction", str(path), f"--p 6 --method {method} --format json") for method in ("auto", "enumerate"))
    assert counted.status == tried.status == status
    same = ("verdict", "cases", "counterexample")
    assert [counted.document["results"][0].get(key) for key in same] == [tried.document["results"][0].get(key) for key in same]


DEFECTS = [
    ("two rows claim one token", 'i = "[7 : h]"', 'i = "[6 : h]"', "step 8: token 6 has a row already, of step 7"),
    ("a token without a row", 'i = "m + 8"', 'i = "m + 7"', "token 22 has a row already"),
    ("a bit that does not exist", 'reads = "z[i - m - 2]"', 'reads = "z[i - m - 1]"', "reads z[16], the strings have bits 1 … 15"),
    ("a row outside the tokens", 'i = "2*m + 3"', 'i = "2*m + 30"', "token 60 lies outside the tokens -1 … 33"),
    ("no vector for a bit", 'one = [1, -6, "2**5"]', "", "token 3 can hold 1, the row has no vector for it"),
]


@pytest.mark.parametrize(("old", "new", "message"), [d[1:] for d in DEFECTS], ids=[d[0] for d in DEFECTS])
def test_ill_formed_is_refuted_with_its_place(verify: CommandLine, tmp_path: Path, old: str, new: str, message: str) -> None:
    done = verify("construction", neighbour(tmp_path, old, new), "--p 8")
    assert done.status == 1
    assert "ill-formed" in done.out
    assert message in " ".join(done.out.split())


REFUSED = [
    ("wrong version", 'format = "bitreferee/construction/1"', 'format = "bitreferee/construction/9"', "bitreferee/construction/1"),
    ("unknown key", "[problem]", '[problem]\ncolour = "red"', "colour"),
    ("missing key", 'length = "m"', "", "length"),
    ("wrong type", "step = 1\n", 'step = "one"\n', "step: an integer was expected, not 'one'"),
    ("unknown function", 'function = "EQ"', 'function = "XOR"', "no function 'XOR'"),
    ("unknown promise", 'promise = "y <= z"', 'promise = "y != x"', "no name 'x' here"),
    ("unknown name", 'm = "2*p - 1"', 'm = "2*q - 1"', "no name 'q'"),
    ("not a formula", 'm = "2*p - 1"', 'm = "2*p -"', "is not a formula"),
    ("a call that is not allowed", 'm = "2*p - 1"', "m = \"__import__('os')\"", "is outside the formula language"),
    ("a function of nobody's", 'm = "2*p - 1"', 'm = "cos(p)"', "no function 'cos' here; the functions are"),
    ("a wrong dimension", 'zero = [1, "-(h - 1)", 1]', 'zero = [1, "-(h - 1)"]', "2 entries, 3 were expected"),
    ("arithmetic with N", '"-N"', '"-N + 1"', "N"),
    ("not TOML", "[problem]", "[problem", "not TOML"),
]


@pytest.mark.parametrize(("old", "new", "message"), [d[1:] for d in REFUSED], ids=[d[0] for d in REFUSED])
def test_malformed_is_one_line(verify: CommandLine, tmp_path: Path, old: str, new: str, message: str) -> None:
    done = verify("construction", neighbour(tmp_path, old, new), "--p 8")
    assert done.status == 2
    assert message in done.err
    assert len(done.err.strip().splitlines()) == 1


@pytest.mark.parametrize("content", [b"", b"id = [", b"hello = 'world'\n", b"\x00\x01\x02", b"\xff\xfe", b"[" * 5000])
def test_rubbish_is_one_line(verify: CommandLine, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rubbish.toml"
    path.write_bytes(content)
    done = verify("construction", str(path), "--p 5")
    assert done.status == 2
    assert len(done.err.strip().splitlines()) == 1


def test_missing_parameter_is_named(verify: CommandLine, tmp_path: Path) -> None:
    done = verify("construction", neighbour(tmp_path, "reads", "reads"))
    assert done.status == 2
    assert "--p" in done.err
