"""Promises: which formulas are one, what they mean pair by pair, and that every fast form of them agrees; and tasks in words.

Those of two strings are problems on pairs, one input at a time and all at once.
"""

from random import Random

import numpy as np
import pytest

from verifier.arithmetic.rationals import Fraction as F
from verifier.language.array_values import Strings
from verifier.language.exact import Bits, truth
from verifier.language.syntax import parse
from verifier.networks.problems import (
    Problem,
    Task,
    all_hold,
    as_problem,
    bits_of,
    formula_task,
    promise_at,
    read_bits,
    read_promise,
    split_inputs,
)
from verifier.networks.record_base import conditions_of, promise_of
from verifier.running.errors import InputError


def conjunction(*promises: str) -> str:
    return promise_of(each for promise in promises for each in conditions_of(parse(promise)))


LENGTH = 5
PROMISES = [
    ("none", True),
    ("y <= z", False),
    ("y[2:4] > 0", True),
    ("y <= z and y[2:4] > 0 and y[4:5] != 2", False),
    ("y <= z and y[2:4] > 0 and y[4:5] != 2 and z[1] == 1", False),
    ("z[1:5] >= 5 and y[3:3] <= 0", True),
    ("y[2:4] in (1, 2, 5) and z[1] + z[5] == 1", True),
    ("y <= z and (y[1] == 0 or y[3:5] > 2) and not z[2:3] == 3", False),
    ("y[1] > 1", True),
    ("y <= z and z[1:5] < 3 and y[1] == 1", False),
    ("y[1:5] % 3 == 0 and z[2:4] // 2 <= 1", True),
]


def by_definition(promise: str, y: int, z: int) -> bool:
    """The formula, read exactly on the pair."""
    return promise == "none" or truth(promise, {"y": Bits(y, LENGTH), "z": Bits(z, LENGTH)})


@pytest.mark.parametrize(("promise", "free"), PROMISES)
def test_every_form_agrees_with_the_formula(promise: str, free: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    problem, every = Problem("EQ", promise, LENGTH), np.arange(1 << LENGTH)
    pairs = {(y, z) for y in range(32) for z in range(32) if by_definition(promise, y, z)}
    assert {(y, z) for y in range(32) for z in range(32) if problem.promised(y, z)} == pairs
    assert {(int(y), int(z)) for y, z in np.argwhere(problem.promises(every[:, None], every[None, :]))} == pairs
    assert problem.pairs() == len(pairs)
    assert problem.conditions.ordered is not free
    for k, string in enumerate("yz"):
        assert problem.occurring(string).tolist() == sorted({pair[k] for pair in pairs})
        monkeypatch.setattr("verifier.networks.problems.BLOCK", 5)
        assert list(problem.each(string)) == problem.occurring(string).tolist()


@pytest.mark.parametrize(("promise", "free"), PROMISES)
def test_blocks_of_positions_keep_the_conditions_within_them(promise: str, free: bool) -> None:
    problem = Problem("EQ", promise, LENGTH)
    for first in range(1, LENGTH + 1):
        for last in range(first, LENGTH + 1):
            for string in "yz":
                inside = [p for p in problem.conditions.of(string) if first <= p.first and p.last <= last]
                shifted = {x: {string: Bits(x << LENGTH - last, LENGTH)} for x in range(1 << last - first + 1)}
                wanted = [all(truth(p.formula, names) for p in inside) for names in shifted.values()]
                assert all_hold(inside, Strings(Strings.every(last - first + 1).numbers, last)).tolist() == wanted
    for part in problem.conditions.parts:
        read = [Bits(x << LENGTH - part.last, LENGTH) for x in range(1 << part.last - part.first + 1)]
        assert part.contents().tolist() == [truth(part.formula, {part.string: bits}) for bits in read]


def test_conditions_on_wide_strings() -> None:
    problem = Problem("EQ", "y <= z and y[2:4] > 0 and z[70:101] != 5", 101)
    y, z = (5 << 97) + 1, (7 << 97) + 5
    assert not problem.promised(y, z)
    assert problem.promised(y, z + 1)
    assert not problem.promised(z + 1, y)
    first = Strings(Strings.every(4).numbers, 4)
    assert all_hold(problem.conditions.parts[:1], first).tolist() == [k % 8 > 0 for k in range(16)]


def test_pairs_of_long_strings_are_counted_without_listing_them() -> None:
    assert [Problem("EQ", promise, 64).pairs() for promise in ("none", "y <= z")] == [2**128, (2**128 + 2**64) // 2]


def test_parameters_are_put_in() -> None:
    names = {"e": F(5), "m": F(13)}
    assert promise_at("y <= z and y[2 : e+1] > 0 and y[m-1 : m] != 2", names) == "y <= z and y[2:6] > 0 and y[12:13] != 2"
    assert promise_at("z[1 : e] != 2**e - 1", names) == "z[1:5] != 31"
    assert promise_at("none", names) == "none"
    with pytest.raises(InputError, match="no name 'k' here; the names are"):
        promise_at("y[k] > 0", names)


def test_conditions_are_joined() -> None:
    assert conjunction("y <= z", "y[2 : e+1] > 0") == "y <= z and y[2:e + 1] > 0"
    assert conjunction("none", "y[1] == 0 or y[2] == 0") == "(y[1] == 0 or y[2] == 0)"
    assert conjunction("none") == "none"
    choice = conjunction("y[1] == 0 if y[2] == 1 else y[3] == 0", "y[4] == 0")
    assert choice == "(y[1] == 0 if y[2] == 1 else y[3] == 0) and y[4] == 0"
    assert [(part.first, part.last) for part in read_promise(choice).parts] == [(1, 3), (4, 4)]
    both = conjunction("y <= z and y[1] == 0", "y[1] == 0 or y[2] == 0")
    assert read_promise(both) == read_promise("y <= z and y[1] == 0 and (y[1] == 0 or y[2] == 0)")


@pytest.mark.parametrize("text", ["01", "0101", "012", "1 1", "", "-11"])
def test_what_is_no_string_of_three_digits(text: str) -> None:
    with pytest.raises(InputError, match=f"--z {text}: a string of 3 binary digits was expected"):
        read_bits(text, 3, "z")


def test_bits_print_as_they_are_read() -> None:
    rng = Random(0)
    for length in range(70):
        value = rng.getrandbits(length)
        assert read_bits(bits_of(value, length), length, "y") == value
        assert [Bits(value, length).part(k, k) for k in range(1, length + 1)] == [int(b) for b in bits_of(value, length)]


@pytest.mark.parametrize(
    ("function", "promise", "strings", "expected"),
    [
        ("EQ", "y <= z", {"y": 3, "z": 3}, Problem("EQ", "y <= z", 3)),
        ("y == z", "y <= z", {"y": 3, "z": 3}, Problem("EQ", "y <= z", 3)),
        ("z == y", "none", {"y": 2, "z": 2}, Problem("EQ", "none", 2)),
        ("z < y", "y[1] == 1", {"y": 2, "z": 2}, Problem("GT", "y[1] == 1", 2)),
        ("y > z", "none", {"y": 2, "z": 3}, None),
        ("y != z", "none", {"y": 2, "z": 2}, None),
        ("y == z", "y < z", {"y": 2, "z": 2}, None),
        ("y == z", "none", {"z": 2, "y": 2}, None),
    ],
)
def test_which_tasks_are_problems_on_pairs(function: str, promise: str, strings: dict[str, int], expected: Problem | None) -> None:
    found = as_problem(function, promise, strings)
    assert found == expected
    if found is not None:
        task = Task("y == z" if found.function == "EQ" else "y > z", promise, tuple(strings.items()))
        every = split_inputs(task, np.arange(1 << task.bits))
        assert np.array_equal(task.values_at(every), found.values_at(every))
        assert task.promises_at(every).sum() == found.pairs()


def test_a_bit_behind_the_last() -> None:
    task = formula_task("x[m + 1] == 1", "none", {"x": 2}, {"m": 2})
    with pytest.raises(InputError, match=r"problem.function: .*bits 1 … 2"):
        task.value_at({"x": 0})
    with pytest.raises(InputError, match=r"problem.function: .*bits 1 … 2"):
        task.values_at({"x": np.arange(4)})
