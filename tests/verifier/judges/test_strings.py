"""Parts of strings: what the contents of some positions can be, and the smallest pair with contents that fail, against every pair."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from verifier.arithmetic.arrays import Truths
from verifier.judges.strings import LONGEST, Halves, positions
from verifier.networks.problems import Problem
from verifier.running.errors import InputError

LENGTH = 4
PROMISES = ["y <= z", "none", "y <= z and y[2:4] > 0", "y[1:2] != 3"]
PARTS = [(first, last) for first in range(1, LENGTH + 1) for last in range(first, LENGTH + 1)]


def promised(problem: Problem) -> list[tuple[int, int]]:
    every = range(1 << problem.length)
    return [(y, z) for y in every for z in every if problem.promised(y, z)]


def allowed(halves: Halves) -> Truths:
    least, most = halves.bounds
    return np.asarray(least[:, None] <= most[None, :])


def smallest(halves: Halves, wrong: Truths) -> tuple[int, int]:
    return halves.smallest(int(wrong.any(axis=1).argmax()), wrong.__getitem__)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize(("first", "last"), PARTS)
def test_contents_are_those_of_promised_pairs(promise: str, first: int, last: int) -> None:
    halves = Halves(Problem("EQ", promise, LENGTH), first, last)
    seen = {tuple(int(halves.content(np.array(s))) for s in pair) for pair in promised(halves.problem)}
    assert {(int(y), int(z)) for y, z in zip(*np.nonzero(allowed(halves)), strict=True)} == seen


@pytest.mark.one_in(3)
@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize(("first", "last"), PARTS)
def test_the_smallest_pair_that_fails(promise: str, first: int, last: int) -> None:
    halves, rng = Halves(Problem("EQ", promise, LENGTH), first, last), Random(f"{promise} {first} {last}")
    pairs, every = promised(halves.problem), allowed(halves)
    contents = {pair: tuple(int(halves.content(np.array(s))) for s in pair) for pair in pairs}
    several = [
        every & np.array([[rng.random() < rate for _ in range(halves.size)] for _ in range(halves.size)]) for rate in (0.5, 0.1, 0.02)
    ]
    for only in [*rng.sample(sorted(set(contents.values())), min(len(set(contents.values())), 12)), max(contents.values())]:
        several.append(np.zeros_like(every))
        several[-1][only] = True
    for wrong in several:
        failing = [pair for pair in pairs if wrong[contents[pair]]]
        if failing:
            assert smallest(halves, wrong) == failing[0]


@pytest.mark.parametrize(("first", "last"), PARTS)
def test_under_y_at_most_z_long_strings_fail_as_short_ones_with_zeros_behind(first: int, last: int) -> None:
    behind = 36
    short, long = (Halves(Problem("EQ", "y <= z", length), first, last) for length in (LENGTH, LENGTH + behind))
    every = allowed(short)
    for y in range(short.size):
        wrong = every.copy()
        wrong[:y] = False
        a, b = next(pair for pair in promised(short.problem) if wrong[tuple(int(short.content(np.array(s))) for s in pair)])
        assert smallest(long, wrong) == (a << behind, b << behind)


@pytest.mark.parametrize("text", ["3", "", "1 .. h"])
def test_positions_are_two_ends(text: str) -> None:
    with pytest.raises(InputError, match="positions such as 1 : h were expected"):
        positions(text, {})


def test_a_promise_on_long_strings_is_not_gone_through() -> None:
    with pytest.raises(InputError, match=f"more than {LONGEST} bits"):
        allowed(Halves(Problem("EQ", "y <= z and y[2:4] > 0", LONGEST + 1), 1, 2))
    assert allowed(Halves(Problem("EQ", "y <= z", LONGEST + 1), 1, 2)).sum() == 10
