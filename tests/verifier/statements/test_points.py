"""The points of a run: typical ranges keep to the domain, what is asked for is always answered, and values can have names."""

import pickle

import pytest

from verifier.errors import InputError
from verifier.statements.model import Claim
from verifier.statements.parameters import Parameter
from verifier.statements.points import parameter_words, points, read_integer

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
    with pytest.raises(InputError, match="or one of every, one, two, was expected"):
        list(points(NAMED, {"name": "three"}))


@pytest.mark.parametrize(("text", "expected"), [("5", 5), ("-12", -12), ("+3", 3)])
def test_integers(text: str, expected: int) -> None:
    assert read_integer("p", text) == expected


@pytest.mark.parametrize("text", ["", "1_0", "٥", "1.0", " 1", "1" * 1001])
def test_what_is_no_integer_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"--p .*: an integer was expected"):
        read_integer("p", text)


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        (CLAIM.parameters[0], "a number; p >= 2; 2..3 if left out"),
        (NAMED.parameters[1], "a name; name >= 0; or every, one, two; every by default"),
        (Parameter("n", "tokens", "n > p", default="2*p"), "tokens; n > p; 2*p by default"),
    ],
)
def test_a_parameter_is_described_with_what_is_taken_where_it_is_left_out(parameter: Parameter, expected: str) -> None:
    assert parameter.described == expected
