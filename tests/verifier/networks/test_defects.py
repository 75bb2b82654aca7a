"""Ill-formed tables are values: each defect with its kind, its place and its sentence; and what a well-formed one becomes."""

from pathlib import Path

import pytest

from tests.tables import FOLDER
from verifier.arithmetic.rationals import Fraction as F
from verifier.errata.tables import read_construction
from verifier.networks.entries import Large
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate

GOOD = (Path(__file__).parents[2] / "good.toml").read_text()
PAPER = FOLDER


def built(text: str, folder: Path) -> Instance:
    (folder / "file.toml").write_text(text)
    return instantiate(read_construction(folder / "file.toml").file, {"p": 5})


def test_a_well_formed_table(tmp_path: Path) -> None:
    instance = built(GOOD, tmp_path)
    assert instance.defects == ()
    assert [t.index for t in instance.tokens] == [1, 2, 3, 4, 5, 6]
    first, flipped = instance.tokens[0], instance.tokens[3]
    assert first.reads == (Bit("y", 1),)
    assert first.vectors == ((1, -1, 0), (1, -1, 1))
    assert str(flipped.fields[0][0]) == "~z[2]"
    assert flipped.vectors == ((1, 1, F(-1, 2)), (1, Large(positive=False), 0)), "a flipped bit selects the other column"
    assert (flipped.pattern(0b11, 0b10, 2), flipped.pattern(0b00, 0b01, 2)) == (0, 1)
    assert instance.asking.index == 6
    assert (instance.bits, instance.m, instance.names["h"]) == (5, 2, 1)
    assert instance.query.ln2
    assert not instance.key.ln2


@pytest.mark.parametrize(
    ("name", "p", "expected"),
    [
        ("table-6", 8, []),
        ("table-6", 9, []),
        (
            "table-5",
            8,
            [("step 6", "token 21 has a row already, of step 5"), ("table", "no row for token 33"), ("table", "no row for token 34")],
        ),
        (
            "table-5",
            9,
            [("step 6", "token 24 has a row already, of step 5"), ("table", "no row for token 37"), ("table", "no row for token 38")],
        ),
    ],
)
def test_the_printed_tables(name: str, p: int, expected: list[tuple[str, str]]) -> None:
    found = instantiate(read_construction(PAPER / f"{name}.toml").file, {"p": p}).defects
    assert [(d.place, d.message) for d in found] == expected
