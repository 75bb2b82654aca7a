"""Tasks in the words of an author: those of two strings are problems on pairs, one input at a time and all at once."""

import numpy as np
import pytest

from verifier.networks.problems import FormulaTask, Problem, as_problem, formula_task, split_inputs
from verifier.running.errors import InputError


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


def test_a_bit_behind_the_last() -> None:
    task = formula_task("x[m + 1] == 1", "none", {"x": 2}, {"m": 2})
    with pytest.raises(InputError, match=r"problem.function: .*bits 1 … 2"):
        task.value_at({"x": 0})
    with pytest.raises(InputError, match=r"problem.function: .*bits 1 … 2"):
        task.values_at({"x": np.arange(4)})
