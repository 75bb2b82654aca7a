"""Promises on two strings: the forms that are refused, and the pairs that keep one."""

import pytest

from verifier.errors import InputError
from verifier.problems import Problem, bits_of


@pytest.mark.parametrize(
    ("promise", "length", "fault"),
    [
        ("y < z", 3, "no promise"),
        ("y[0:1] > 0", 3, "bits 1 … 3"),
        ("y[2:4] > 0", 3, "bits 1 … 3"),
        ("y <= z and x[1] > 0", 3, "no promise"),
    ],
)
def test_promises_that_are_refused(promise: str, length: int, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        Problem("EQ", promise, length)


def test_promises_by_their_definition() -> None:
    problem = Problem("EQ", "y <= z and y[2:4] > 0 and y[4:5] != 2 and z[1] == 1", 5)
    pairs = {(y, z) for y in range(32) for z in range(32) if problem.promised(y, z)}
    text = {(y, z): (bits_of(y, 5), bits_of(z, 5)) for y in range(32) for z in range(32)}
    assert pairs == {p for p, (y, z) in text.items() if y <= z and "1" in y[1:4] and y[3:5] != "10" and z[0] == "1"}
    assert set(problem.occurring("y")) == {y for y, _ in pairs}
    assert set(problem.occurring("z")) == {z for _, z in pairs}
