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
