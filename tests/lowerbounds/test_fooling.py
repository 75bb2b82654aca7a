"""Fooling sets: the vectorised check against the definition, and broken sets with the pair named."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from lowerbounds import fooling
from lowerbounds.fooling import UNDEFINED, by_order, check_fooling_set
from verifier.networks.problems import Problem
from verifier.running.errors import InputError


def equality(length, promise="y <= z"):
    return Problem("EQ", promise, length)


def value_at(problem, y, z):
    """The function, UNDEFINED where the promise is broken."""
    return problem.value(y, z) if problem.promised(y, z) else UNDEFINED


def separates(problem, a, b, value):
    """Definition A.5 word by word: which cross entries of two members differ from the common value."""
    forth, back = value_at(problem, a[0], b[1]), value_at(problem, b[0], a[1])
    return (forth not in (value, UNDEFINED)) + 2 * (back not in (value, UNDEFINED))


@pytest.mark.parametrize("function", ["EQ", "GT"])
@pytest.mark.parametrize("promise", ["y <= z", "none", "y <= z and y[1] == 0", "y[1] == 0 and z[2:3] > 0"])
def test_by_their_order_members_are_what_they_are_pair_by_pair(function, promise):
    problem = Problem(function, promise, 3)
    for chosen in (*([] if "[" in promise else [None]), range(8), [2], [1, 3], [0, 1, 2, 3], [3, 5]):
        found, listed = by_order(problem, chosen), check_fooling_set(problem, [(x, x) for x in chosen or range(8)])
        assert (found.bad is None) is (listed.bad is None)
        if found.bad is None:
            assert found == listed
        else:
            assert (found.bad.first, found.bad.second) == (listed.bad.first, listed.bad.second)
            assert found.first == found.second == found.both == 0, "no cross entry of any pair separates"


@pytest.mark.parametrize("members", [[], [3, 3], [3, 1]])
def test_members_are_there_once_and_ascending(members):
    with pytest.raises(InputError, match="each once and ascending"):
        by_order(Problem("EQ", "y <= z", 4), members)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([], "an empty fooling set"),
        ([(0, 8)], r"\(0, 8\) is not a pair of inputs of EQ_3"),
        ([(8, 0)], r"\(8, 0\) is not a pair"),
        ([(0, -1)], "not a pair"),
    ],
)
def test_bad_members(members, message):
    with pytest.raises(InputError, match=message):
        check_fooling_set(equality(3), members)


@pytest.mark.parametrize("cells", [1, 7, 1 << 20])
def test_any_members_by_the_definition(monkeypatch, cells):
    """What is wrong is the first member of another value, else the first pair in order; whatever the pairs are looked at in."""
    monkeypatch.setattr(fooling, "CELLS_AT_ONCE", cells)
    seen = set()
    for seed in range(80):
        random = Random(seed)
        problem = Problem(
            *random.choice([("EQ", "y <= z"), ("EQ", "none"), ("GT", "none"), ("GT", "y <= z"), ("EQ", "y <= z and y[1] == 0")]), 3
        )
        shift = random.choice([0, 0, 1])
        members = [(x, (x + shift) % 8) for x in random.sample(range(8), random.randint(1, 4))]
        value = value_at(problem, *members[0])
        codes = {pair: separates(problem, *pair, value) for pair in combinations(members, 2)}
        other = [(members[0], member) for member in members if value_at(problem, *member) != value or value == UNDEFINED]
        found, bad = check_fooling_set(problem, members), next(iter(other or [pair for pair in codes if not codes[pair]]), None)
        shown = tuple(tuple(format(x, "03b") for x in member) for member in bad or ())
        assert (found.bad and (found.bad.first, found.bad.second)) == (shown or None)
        if not bad:
            assert (found.pairs, found.first, found.second, found.both) == (len(codes), *map([*codes.values()].count, (1, 2, 3)))
        elif not other:
            cross = [value_at(problem, bad[0][0], bad[1][1]), value_at(problem, bad[1][0], bad[0][1])]
            words = " and ".join("undefined" if v == UNDEFINED else str(v) for v in cross)
            assert f"the cross entries are {words}, the common value is {value}" in found.bad.reason
        seen.add("value" if other else "pair" if bad else "none")
    assert seen == {"value", "pair", "none"}
