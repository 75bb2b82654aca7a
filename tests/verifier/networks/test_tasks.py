"""Tasks in an author's words: each formula against Python's own words on strings of digits, one input at a time and all at once."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from verifier.networks.problems import FormulaTask, Problem, as_problem, formula_task, split_inputs
from verifier.running.errors import InputError


def ones(y: str, z: str) -> int:
    """At how many places both have a 1."""
    return sum(a == b == "1" for a, b in zip(y, z, strict=True))


MEANINGS: list[tuple[str, str, dict[str, int], Callable[..., bool]]] = [
    ("parity", "popcount(x) % 2 == 1", {"x": 4}, lambda x: x.count("1") % 2 == 1),
    ("majority", "2*popcount(x) > m", {"x": 5}, lambda x: x.count("1") > x.count("0")),
    ("first is last", "x[1] == x[m]", {"x": 5}, lambda x: x[0] == x[-1]),
    ("a palindrome", "all(x[j] == x[m + 1 - j] for j in (1, m))", {"x": 5}, lambda x: x == x[::-1]),
    ("equality", "y == z", {"y": 3, "z": 3}, lambda y, z: y == z),
    ("comparison", "value(y) < value(z)", {"y": 3, "z": 2}, lambda y, z: int(y, 2) < int(z, 2)),
    ("a prefix", "y == z[1 : 2]", {"y": 2, "z": 4}, lambda y, z: z.startswith(y)),
    ("addition", "x + y == z", {"x": 2, "y": 2, "z": 3}, lambda x, y, z: int(x, 2) + int(y, 2) == int(z, 2)),
    (
        "an inner product",
        "sum(y[j]*z[j] for j in (1, 3)) % 2 == 1",
        {"y": 3, "z": 3},
        lambda y, z: (int(y, 2) & int(z, 2)).bit_count() % 2 == 1,
    ),
    ("disjointness", "not any(y[j] == 1 and z[j] == 1 for j in (1, 3))", {"y": 3, "z": 3}, lambda y, z: ones(y, z) == 0),
    ("ones of a part", "popcount(y[2 : 3]) in (0, 2)", {"y": 4}, lambda y: y[1] == y[2]),
]


@pytest.mark.parametrize(("formula", "lengths", "means"), [m[1:] for m in MEANINGS], ids=[m[0] for m in MEANINGS])
def test_a_formula_means_what_it_says(formula: str, lengths: dict[str, int], means: Callable[..., bool]) -> None:
    task = formula_task(formula, formula, lengths, {"m": 5})
    every = split_inputs(task, np.arange(1 << task.bits))
    values = task.values_at(every)
    for k, words in enumerate(product(*(map("".join, product("01", repeat=n)) for n in lengths.values()))):
        one = {name: int(word, 2) for name, word in zip(lengths, words, strict=True)}
        assert one == {name: int(each[k]) for name, each in every.items()}, "inputs are counted with the first string in front"
        assert bool(task.value_at(one)) == bool(values[k]) == task.promised_at(one) == means(*words)
    assert values.any()
    assert not values.all()
    assert np.array_equal(task.promises_at(every), values)


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
        task = FormulaTask("y == z" if found.function == "EQ" else "y > z", promise, tuple(strings.items()))
        every = split_inputs(task, np.arange(1 << task.bits))
        assert np.array_equal(task.values_at(every), found.values_at(every))
        assert np.array_equal(task.promises_at(every), found.promises_at(every))


@pytest.mark.parametrize(
    ("function", "promise", "message"),
    [
        ("popcount(x)", "none", r"problem.function: 'popcount\(x\)' is not a condition such as"),
        ("x == w", "none", "problem.function: no name 'w' here"),
        ("x[1] == 1", "x + 1", "problem.promise: 'x \\+ 1' is not a condition"),
        ("x[1] ==", "none", "problem.function: 'x\\[1\\] ==' is not a formula"),
    ],
)
def test_refused(function: str, promise: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        formula_task(function, promise, {"x": 2}, {"m": 2})


def test_a_bit_behind_the_last() -> None:
    task = formula_task("x[m + 1] == 1", "none", {"x": 2}, {"m": 2})
    with pytest.raises(InputError, match=r"problem.function: .*bits 1 … 2"):
        task.value_at({"x": 0})
    with pytest.raises(InputError, match=r"problem.function: .*bits 1 … 2"):
        task.values_at({"x": np.arange(4)})
