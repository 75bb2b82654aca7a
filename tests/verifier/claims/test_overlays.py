"""What a family's row fills in, what an overlay changes of a claim's fields, and the words of an erratum that changes them."""

from __future__ import annotations

from typing import Any

import pytest

from verifier.claims.file_records import filled, overlaid
from verifier.claims.records import erratum
from verifier.running.errors import InputError


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{h}*{q} and {_q}", "3*x and x"),
        ("{_r} of {other} in { h }", "1 of {other} in { h }"),
        (["{h}", ["{q}"], 7], ["3", ["x"], 7]),
        ({"{h}": "{h}", "deep": {"q": "{q}"}}, {"{h}": "3", "deep": {"q": "x"}}),
        (7, 7),
        (True, True),
    ],
)
def test_names_in_braces_are_filled_in_wherever_texts_stand(value: Any, expected: Any) -> None:
    assert filled(value, {"h": 3, "q": "x", "_r": 1}) == expected


OF_CLAIMS = {"id": "a", "says": "b", "note": "c"}
OF_A_STATEMENT, OF_A_STEP = {"hypothesis": ["d"], "witness": True}, {"role": "aside"}


@pytest.mark.parametrize(
    ("raw", "changes", "expected"),
    [
        ({"let": {"h": "1", "k": "2"}}, {"let": {"h": "3"}}, {"let": {"h": "3", "k": "2"}}),
        ({}, {"parameters": {"p": {}}}, {"parameters": {"p": {}}}),
        ({"each": {"i": "1"}, "over": "x"}, {"each": {"j": "2"}}, {"each": {"j": "2"}, "over": "x"}),
        ({"is": "1", "over": "x"}, {"holds": "v > 1"}, {"over": "x", "holds": "v > 1"}),
        ({"over": "x", "holds": "v > 1"}, {"is": "1"}, {"over": "x", "is": "1"}),
        ({"holds": "1", "of": "x", "over": "y"}, {"is": "1"}, {"of": "x", "over": "y", "is": "1"}),
        ({"holds": "v > 1"}, {"when": "v > 0"}, {"holds": "v > 1", "when": "v > 0"}),
        ({"holds": "v > 1", "when": "v > 0"}, {"when": ""}, {"holds": "v > 1"}),
        (
            {"holds": "1", **OF_CLAIMS, "each": {}, **OF_A_STEP, **OF_A_STATEMENT},
            {"judge": "pairs", "length": "2"},
            {**OF_CLAIMS, **OF_A_STEP, **OF_A_STATEMENT, "judge": "pairs", "length": "2"},
        ),
    ],
)
def test_an_overlay_replaces_fields_and_single_entries_of_definitions(raw: Any, changes: Any, expected: Any) -> None:
    """With another judge the fields of the former are gone; and a condition is one."""
    assert overlaid(raw, changes) == expected


@pytest.mark.parametrize("key", ["id", "role", "step", "family", "hypothesis", "question", "repair", "neighbour", "witness"])
def test_what_a_claim_is_no_overlay_changes(key: str) -> None:
    with pytest.raises(InputError, match=f"^an overlay cannot change {key}$"):
        overlaid({"says": "a"}, {"says": "b", key: "c"})


CASES: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    ({"holds": "x < 1"}, {"holds": "x <= 1"}, "x < 1", "x <= 1"),
    ({"holds": "x < 1", "says": "small"}, {"holds": "x <= 1", "says": "not large"}, "x < 1", "x <= 1"),
    ({"says": "small"}, {"says": "not large"}, "small", "not large"),
    ({}, {"where": "p >= 2"}, "every value in the domain", "p >= 2"),
    ({}, {"when": "y <= z"}, "no when", "y <= z"),
    ({"steps": "1..8", "is": "0"}, {"steps": "1..9", "is": "1"}, "steps: 1..8; is: 0", "steps: 1..9; is: 1"),
    ({"is": "0"}, {"is": "1", "when": "y <= z"}, "is: 0", "is: 1; when: y <= z"),
    ({}, {"is": "1", "when": "y <= z"}, "nothing", "is: 1; when: y <= z"),
    ({"let": {"a": "1", "b": "2"}}, {"let": {"b": "3"}}, "b = 2", "b = 3"),
    ({"let": {"a": "1"}}, {"let": {"b": "3"}}, "no let", "b = 3"),
    ({"let": {"a": "1"}, "is": "a"}, {"let": {"a": "2"}, "is": "-a"}, "let: a = 1; is: a", "let: a = 2; is: -a"),
    ({"even": True}, {"even": False}, "True", "False"),
]


@pytest.mark.parametrize(("printed", "fields", "before", "after"), CASES)
def test_an_erratum_shows_what_it_replaces(printed: dict[str, Any], fields: dict[str, Any], before: str, after: str) -> None:
    made = erratum(printed, fields, "because", "read it so")
    assert (made.printed, made.repaired, made.why, made.in_words) == (before, after, "because", "read it so")
