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
ROW_1, ROW_3 = 'i = "[1 : m]"\nzero', 'i = "[2*m + 1 : n]"\nzero'
DEFECTS = [
    ("two rows claim one token", ROW_3, 'i = "[2*m : n]"\nzero', [("overlap", "step 3: token 4 has a row already, of step 2")]),
    ("one row claims a token twice", ROW_1, 'i = "{1, 2, 2}"\nzero', [("overlap", "step 1: token 2 has a row already, of step 1")]),
    ("a token without row", ROW_3, 'i = "[2*m + 2 : n]"\nzero', [("gap", "table: no row for token 5")]),
    ("an empty range", ROW_3, 'i = "[n : 2*m + 1]"\nzero', [("gap", "table: no row for token 5"), ("gap", "table: no row for token 6")]),
    ("a row behind the tokens", ROW_3, 'i = "[2*m + 1 : n + 1]"\nzero', [("outside", "step 3: token 7 lies outside the tokens 1 … 6")]),
    ("a row before the tokens", ROW_1, 'i = "[0 : m]"\nzero', [("outside", "step 1: token 0 lies outside the tokens 1 … 6")]),
    (
        "content behind the tokens",
        'i = "[2*m + 1 : n]"\nreads',
        'i = "[2*m + 1 : n + 1]"\nreads',
        [("outside", "input clause 3: token 7 lies outside the tokens 1 … 6")],
    ),
    (
        "a token with two contents",
        "{m + 1, m + 2}",
        "{m, m + 1, m + 2}",
        [("input-overlap", "input clause 2: token 2 was given its content before")],
    ),
    (
        "a token without content",
        "{m + 1, m + 2}",
        "{m + 1}",
        [("input-gap", "input representation: no clause says what token 4 holds")],
    ),
    (
        "the last token without content",
        'i = "[2*m + 1 : n]"\nreads',
        'i = "[2*m + 1 : n - 1]"\nreads',
        [("input-gap", "input representation: no clause says what token 6 holds")],
    ),
    ("the last two tokens without row", 'step = 3\ni = "[2*m + 1 : n]"', 'step = 3\ni = "{}"'.replace("{}", "[1 : 0]"), None),
    (
        "a bit before the first",
        '"y[i]"',
        '"y[i - 1]"',
        [("bit-range", "input clause 1: token 1 reads y[0], the strings have bits 1 … 2")],
    ),
    (
        "a bit behind the last",
        '"~z[i - m]"',
        '"~z[i - 1]"',
        [("bit-range", "input clause 2: token 4 reads z[3], the strings have bits 1 … 2")],
    ),
    (
        "no vector for a bit that can be 1",
        'one = [1, "-1", "2**(h - i)"]\n',
        "",
        [
            ("not-applicable", "step 1: token 1 can hold 1, the row has no vector for it"),
            ("not-applicable", "step 1: token 2 can hold 1, the row has no vector for it"),
        ],
    ),
    ("a query that depends on the input", 'last = "n"', 'last = "2*m"', None),
]


def built(text: str, folder: Path) -> Instance:
    (folder / "file.toml").write_text(text)
    return instantiate(read_construction(folder / "file.toml").file, {"p": 5})


@pytest.mark.parametrize(("title", "old", "new", "expected"), DEFECTS, ids=[d[0] for d in DEFECTS])
def test_defects(title: str, old: str, new: str, expected: list[tuple[str, str]] | None, tmp_path: Path) -> None:
    assert old in GOOD
    found = built(GOOD.replace(old, new, 1), tmp_path).defects
    if expected is not None:
        assert [(d.kind, str(d)) for d in found] == expected
    elif title.startswith("a query"):
        assert ("query", "token 4: the last token reads z[2]; the query must be a constant") in [(d.kind, str(d)) for d in found]
    else:
        assert [(d.kind, d.place) for d in found] == [("gap", "table"), ("gap", "table")], "and nothing about a query"


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
