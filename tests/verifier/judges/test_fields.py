"""The fields of the judges: which records are refused, and which of their texts are read as formulas."""

from __future__ import annotations

import string
from typing import Any

import msgspec
import pytest

from verifier.claims.judge_names import converted
from verifier.judges.fields import (
    Combination,
    Computes,
    Declined,
    Expectation,
    Fields,
    Formula,
    Inclusion,
    InputRepresentation,
    Matrices,
    Mean,
    OneString,
    Output,
    Pairs,
    PartialSum,
    Reals,
)
from verifier.running.errors import FileDefects

SUM = {"of": "numerator", "steps": "1", "over": "1 : 2"}
STRING = {"of": "weights", "steps": "1", "string": "z"}
CONDITION = "one of holds and is was expected"

REFUSED: list[tuple[str, type[Fields], dict[str, Any], str]] = [
    *(("without a condition", record, rest, CONDITION) for record, rest in ((PartialSum, SUM), (OneString, STRING), (Output, {}))),
    *(
        ("a condition and a value", record, {**rest, "holds": "v > 0", "is": "1"}, CONDITION)
        for record, rest in ((PartialSum, SUM), (OneString, STRING), (Output, {}))
    ),
    (
        "values listed",
        Expectation,
        {"of": "A(i, i)", "is": "0", "each": {"i": "1, 3"}},
        "each i is '1, 3'; a range",
    ),
    ("the others of all", Output, {"is": "1", "otherwise": "v == 0"}, "otherwise is for the pairs with the other answer"),
]


@pytest.mark.parametrize(("record", "fields", "said"), [row[1:] for row in REFUSED], ids=[f"{r[1].__name__}: {r[0]}" for r in REFUSED])
def test_refused(record: type[Fields], fields: dict[str, Any], said: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=said):
        msgspec.convert(fields, record)


CHOSEN: list[tuple[type[Fields], dict[str, Any], str]] = [
    (PartialSum, {**SUM, "is": "1", "of": "running"}, "numerator or denominator or columns or column was expected, not 'running'"),
    (OneString, {**STRING, "is": "1", "string": "x"}, "y or z was expected, not 'x'"),
    (Output, {"is": "1", "on": "maybe"}, "yes or no or all was expected, not 'maybe'"),
]


@pytest.mark.parametrize(("record", "fields", "said"), CHOSEN, ids=[row[0].__name__ for row in CHOSEN])
def test_what_can_be_chosen_is_said(record: type[Fields], fields: dict[str, Any], said: str) -> None:
    with pytest.raises(FileDefects) as refused:
        converted(fields, record)
    assert [defect.message for defect in refused.value.each] == [said]


A_TO_Z = string.ascii_lowercase
READ: list[tuple[type[Fields], dict[str, Any], int]] = [
    (Formula, {"holds": "a", "each": {"x": "b .. c", "y": "d, e"}, "when": "f", "shows": ["g", "h"]}, 8),
    (Formula, {"holds": ["a", "b"]}, 2),
    *((PartialSum, {**SUM, "of": of, "is": "a", "when": "b"}, 2) for of in ("numerator", "denominator", "columns", "column")),
    *((OneString, {**STRING, "of": of, "holds": "a"}, 1) for of in ("numerator", "denominator", "column", "running", "weights", "values")),
    (OneString, {**STRING, "string": "y", "is": "a", "when": "b"}, 2),
    *((Output, {"holds": "a", "otherwise": "b", "on": on}, 2) for on in ("yes", "no")),
    *((Output, {"is": "a", "on": on}, 1) for on in ("yes", "no", "all")),
    (Inclusion, {"function": "x", "from": ["a", "b"], "into": ["c", "d"]}, 4),
    (
        Reals,
        {
            "over": ["x", "a", "b"],
            "positive": [["c", "d, e"], ["f", ""]],
            "pieces": [["g", "h", {"y": "i", "z": "j"}], ["k", "l", {"y": "m"}]],
        },
        13,
    ),
    (InputRepresentation, {"each": {"x": "a .. b"}, "when": "c", "at": {"p": "d"}}, 4),
    (Pairs, {"holds": "a", "promise": "b", "length": "c"}, 3),
    (Expectation, {"of": "a", "is": "b", "each": {"x": "c .. d"}}, 4),
    (Matrices, {"shapes": {"A": "n, n"}, "equal": ["A", "A"]}, 0),
    (Computes, {}, 0),
    (Declined, {"reason": "of others"}, 0),
    (Mean, {"over": [["x", "a", "b"], ["y", "c", "d"]], "positive": "e"}, 5),
    (
        Combination,
        {
            "from": {"one": ["lemma-1", 0, {"x": "a", "y": "b"}], "two": ["lemma-2", 1, {"x": "c"}]},
            "positive": [["d", "e"], ["f", "g"]],
            "given": ["h", "i"],
            "at": {"x": "j", "y": "k"},
        },
        11,
    ),
]


@pytest.mark.parametrize(("record", "fields", "formulas"), READ)
def test_every_text_that_is_a_formula_is_read_as_one(record: type[Fields], fields: dict[str, Any], formulas: int) -> None:
    read = msgspec.convert(fields, record)
    assert sorted(text.strip() for text in read.formulas()) == list(A_TO_Z[:formulas])
    with pytest.raises(msgspec.ValidationError, match="nonsense"):
        msgspec.convert({**fields, "nonsense": "1"}, record)
    with pytest.raises(AttributeError, match="immutable"):
        read.other = 1  # type: ignore[attr-defined]  # that is what is asked
