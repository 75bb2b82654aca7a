"""Laws that explain cells, against every input of small lengths, or the inputs on either side of the border."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.arithmetic.semantics import arithmetic
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.files import read_network
from verifier.transformers.network import network
from verifier.transformers.precision import first_wrong
from verifier.transformers.records import NetworkFile
from verifier.transformers.template import first_network


@pytest.fixture(scope="module")
def majority(tmp_path_factory: pytest.TempPathFactory) -> NetworkFile:
    path: Path = tmp_path_factory.mktemp("law") / "majority.toml"
    path.write_text(first_network("majority"), encoding="utf-8")
    return read_network(path)


@pytest.mark.parametrize(("form", "digits"), [("e3m2", 3), ("e5m2", 3), ("e4m3", 4)])
def test_majority_is_first_wrong_where_counts_end(majority: NetworkFile, form: str, digits: int) -> None:
    """docs/precision.md: at length 2^(t+1) + 1, at 1^(2^t + 1) 0^(2^t)."""
    how = arithmetic(f"{form}+division=output")
    cell = first_wrong("majority", majority, how, range(1, 2 ** (digits + 1) + 2))
    assert how.machine().form.precision == digits
    assert cell.first_wrong is not None
    assert cell.first_wrong.length == 2 ** (digits + 1) + 1
    assert cell.first_wrong.strings["w"] == "1" * (2**digits + 1) + "0" * 2**digits


def test_majority_in_bfloat16_on_either_side(majority: NetworkFile) -> None:
    how = arithmetic("bfloat16+division=output")
    for ones, zeros, right in [(256, 255, True), (257, 255, True), (257, 256, False)]:
        built = network(majority, {"n": ones + zeros})
        assert bool(wrong_by_arrays(built, how, [{"w": (1,) * ones + (0,) * zeros}])) is not right


def test_an_answer_that_vanishes_is_wrong_earlier(majority: NetworkFile) -> None:
    """The neighbour: e2m1 reaches 4 = 2^2 and rounds 1/4 to 0."""
    cell = first_wrong("majority", majority, arithmetic("e2m1+division=output"), range(1, 10))
    assert cell.first_wrong is not None
    assert cell.first_wrong.length == 3


def test_a_wider_sum_moves_the_border(majority: NetworkFile) -> None:
    """The neighbour: the law is about the format of sums."""
    how = arithmetic("e4m3+division=output+accumulate=float32")
    assert first_wrong("majority", majority, how, range(33, 35)).first_wrong is None
