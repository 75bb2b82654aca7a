"""The points of a run: typical ranges keep to the domain, what is asked for is always answered, and values can have names."""

import pickle

import pytest

from verifier.claims import parameters
from verifier.claims import points as ranges
from verifier.claims.model import Claim
from verifier.claims.parameters import ALL, Parameter, parse_values
from verifier.claims.points import parameter_words, points, step_points
from verifier.running.errors import InputError, LimitError

CLAIM = Claim(
    "toy/lemma-1",
    "s is at most p",
    "Section 1",
    "both",
    (Parameter("p", "a number", "p >= 2", "2..3"), Parameter("s", "another", "s >= 1 and s <= p", "1..3")),
    bounded=False,
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3)]),
        ({"s": "3"}, [(3, 3)]),
        ({"p": "1..2"}, [(1, 1), (2, 1), (2, 2)]),
        ({"s": "2,4"}, [(2, 2), (2, 4), (3, 2)]),
        ({"p": "2", "s": "2..3"}, [(2, 2), (2, 3)]),
        ({"p": "1", "s": "9"}, [(1, 9)]),
    ],
)
def test_points(given: dict[str, str], expected: list[tuple[int, int]]) -> None:
    assert [(point["p"], point["s"]) for point in points(CLAIM, given)] == expected


NAMED = Claim(
    "toy/lemma-2",
    "s is at most the number of the name",
    "Section 1",
    "both",
    (Parameter("s", "a number", "s >= 1", "1"), Parameter("name", "a name", "name >= 0", default="0", names=("every", "one", "two"))),
    bounded=False,
)


@pytest.mark.parametrize(
    ("text", "expected"), [(None, ["every"]), ("two", ["two"]), ("two,one", ["one", "two"]), ("1..2", ["one", "two"]), ("7", ["7"])]
)
def test_values_with_names(text: str | None, expected: list[str]) -> None:
    found = list(points(NAMED, {"name": text} if text else {}))
    assert [str(point["name"]) for point in found] == expected
    assert parameter_words(found[0])[2:] == ["--name", expected[0]]
    assert pickle.loads(pickle.dumps(found[0])) == found[0]


def test_an_unknown_name_is_one_line_with_the_names() -> None:
    with pytest.raises(InputError, match="every, one, two or all was expected"):
        list(points(NAMED, {"name": "three"}))


P, NAME = CLAIM.parameters[0], NAMED.parameters[1]


@pytest.mark.parametrize(("claim", "takes"), [(CLAIM, "p, s"), (Claim("toy/lemma-1", "", "", ""), "none")])
def test_an_unknown_parameter_is_refused_with_those_there_are(claim: Claim, takes: str) -> None:
    for given in ({"q": "1"}, {"q": "all"}, dict.fromkeys((p.name for p in claim.parameters), "2") | {"q": "1"}):
        with pytest.raises(InputError, match=f"^lemma-1 has no parameter 'q'; it takes {takes}$"):
            list(points(claim, given))


TAKEN = Claim(
    "toy/lemma-3",
    "",
    "",
    "",
    (
        Parameter("p", "a number", "p >= 1", "2..3"),
        Parameter("n", "tokens", "n >= p", typical="9", default="2*p"),
        Parameter("s", "a number", "s >= 1 and s <= 2", "1"),
        Parameter("kind", "a name", "kind >= 0", default="1", names=("even", "odd")),
        Parameter("way", "a name", "way >= 0", "0", names=("up", "down")),
    ),
    bounded=False,
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, [(2, 4, 1, "odd", "up"), (3, 6, 1, "odd", "up")]),
        ({"n": "3", "way": "down"}, [(2, 3, 1, "odd", "down"), (3, 3, 1, "odd", "down")]),
        ({"p": "all"}, [(ALL, ALL, ALL, "odd", ALL)]),
        ({"p": "4", "way": "all"}, [(4, ALL, ALL, "odd", ALL)]),
        ({"p": "all", "s": "1..2"}, [(ALL, ALL, s, "odd", ALL) for s in (1, 2)]),
        ({"p": "all", "s": "1..3", "way": "down,up"}, [(ALL, ALL, s, "odd", way) for s in (1, 2) for way in ("up", "down")]),
        ({"p": "all", "s": "8,9"}, [(ALL, ALL, 8, "odd", ALL)]),
    ],
)
def test_what_is_not_given_is_typical_or_the_default_or_asked_for_as_a_whole(given: dict[str, str], expected: list[object]) -> None:
    found = list(points(TAKEN, given))
    assert [tuple(point) for point in found] == [("p", "n", "s", "kind", "way")] * len(expected)
    assert [tuple(v if v is ALL or name in ("p", "n", "s") else str(v) for name, v in point.items()) for point in found] == expected


@pytest.mark.parametrize(
    ("owner", "expected"),
    [
        ({"p": 2}, [(2, 1), (2, 2)]),
        ({"q": 9, "p": 3, "s": 3}, [(3, 3)]),
        ({"p": 3, "s": 4}, []),
        ({"s": 2, "p": 1}, []),
        ({"s": 3}, [(3, 3)]),
    ],
)
def test_a_step_has_its_owners_values_and_typical_ones_of_its_own(owner: dict[str, int], expected: list[tuple[int, int]]) -> None:
    assert [(at.values["p"], at.values["s"]) for at in step_points(CLAIM, owner)] == expected


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5..8", [5, 6, 7, 8]),
        ("5..9", "--p 5..9: 5 values, the limit for one option is 4"),
        ("4,1,3,2", [1, 2, 3, 4]),
        ("5,1,2,3,4", "--p: more than 4 values, the limit for one option"),
        ("1..4,2", [1, 2, 3, 4]),
        ("1..3,7..8", "--p: more than 4 values, the limit for one option"),
    ],
)
def test_one_option_names_no_more_values_than_it_may(text: str, values: list[int] | str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A range is counted before it is made."""
    monkeypatch.setattr(parameters, "MOST_VALUES", 4)
    if isinstance(values, str):
        with pytest.raises(LimitError, match=f"^{values}"):
            parse_values(text, P)
    else:
        assert parse_values(text, P) == values


def test_a_run_has_no_more_points_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "MOST_VALUES", 4)
    assert len(list(points(CLAIM, {"p": "8,9", "s": "1..2"}))) == 4
    with pytest.raises(LimitError, match="the ranges have more than 4 points"):
        list(points(CLAIM, {"p": "8,9", "s": "1..3"}))
