"""The words of an erratum: what of a claim's fields it changes, as printed and as repaired."""

from typing import Any

import pytest

from verifier.claims.records import erratum

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
