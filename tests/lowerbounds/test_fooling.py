"""Fooling sets: the vectorised check against the definition, and broken sets with the pair named."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from lowerbounds import fooling
from lowerbounds.fooling import UNDEFINED, check_fooling_set, counted_diagonal, cross_entries, entries, ordered_diagonal
from verifier.networks.problems import Problem
from verifier.running.errors import InputError


def equality(length, promise="y <= z"):
    return Problem("EQ", promise, length)


def diagonal(problem):
    """The set of all (x, x): Lemma B.1's for EQ under y <= z."""
    return check_fooling_set(problem, [(x, x) for x in range(1 << problem.length)])


def value_at(problem, y, z):
    """The function, UNDEFINED where the promise is broken."""
    return problem.value(y, z) if problem.promised(y, z) else UNDEFINED


def separates(problem, a, b, value):
    """Definition A.5 word by word: which cross entries of two members differ from the common value."""
    forth, back = value_at(problem, a[0], b[1]), value_at(problem, b[0], a[1])
    return (forth not in (value, UNDEFINED)) + 2 * (back not in (value, UNDEFINED))


@pytest.mark.parametrize("problem", [equality(4), equality(4, "none"), Problem("GT", "none", 4), equality(4, "y <= z and y[1] == 0")])
@pytest.mark.parametrize("shift", [0, 3])
def test_codes_are_the_definition(problem, shift):
    members = [(x, (x + shift) % 16) for x in range(16)]
    value = value_at(problem, *members[0])
    xs, ys = (np.array(side) for side in zip(*members, strict=True))
    found = {}
    for start, codes in cross_entries(problem, xs, ys, value):
        for r, c in zip(*np.triu_indices(codes.shape[0], 1, codes.shape[1]), strict=True):
            found[start + r, start + c] = codes[r, c]
    assert found == {(i, j): separates(problem, members[i], members[j], value) for i, j in combinations(range(len(members)), 2)}


@pytest.mark.parametrize("m", [1, 3, 5, 9, 11])
def test_equality_under_its_promise(m):
    found = diagonal(equality(m))
    assert found.holds
    assert (found.size, found.bits) == (2**m, m)
    assert found.pairs == found.first == 2**m * (2**m - 1) // 2
    assert (found.second, found.both) == (0, 0)


def test_without_the_promise_both_entries_separate():
    found = diagonal(equality(5, "none"))
    assert found.holds
    assert (found.first, found.second, found.both) == (0, 0, 496)


def test_members_need_one_value():
    found = check_fooling_set(equality(3), [(1, 1), (1, 2)])
    assert str(found.bad) == "(001, 001) and (001, 010): the members need one value; the second has the value 0"
    found = check_fooling_set(equality(3), [(1, 1), (2, 1)])
    assert "breaks the promise" in str(found.bad)


def test_members_that_all_break_the_promise_are_bad():
    assert "breaks the promise" in str(check_fooling_set(equality(3), [(2, 1), (3, 1)]).bad)


def test_the_diagonal_member_by_member_counts_what_pairs_count():
    problem = Problem("EQ", "y <= z", 4)
    assert ordered_diagonal(problem, range(16)) == diagonal(problem)
    with pytest.raises(InputError, match="there twice"):
        ordered_diagonal(problem, [3, 3])


def test_one_member_is_a_fooling_set_of_no_pairs():
    found = check_fooling_set(equality(1), [(1, 1)])
    assert (found.holds, found.size, found.pairs, found.bits) == (True, 1, 0, 0)


def test_a_member_twice_is_no_pair():
    found = check_fooling_set(equality(3), [(1, 1), (4, 4), (1, 1)])
    assert str(found.bad) == "(001, 001) and (001, 001): the cross entries are 1 and 1, the common value is 1"


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


@pytest.mark.parametrize(("function", "promise"), [("EQ", "y <= z"), ("EQ", "none"), ("GT", "none"), ("GT", "y <= z")])
@pytest.mark.parametrize("m", [1, 2, 3, 6])
def test_counting_is_the_enumeration(function, promise, m):
    problem = Problem(function, promise, m)
    counted, listed = counted_diagonal(problem), diagonal(problem)
    assert counted.holds is listed.holds
    if counted.holds:
        assert counted == listed
    else:
        assert (counted.bad.first, counted.bad.second) == (listed.bad.first, listed.bad.second)
        assert counted.first == counted.second == counted.both == 0, "no cross entry of any pair separates"


def test_what_depends_on_more_than_the_order_is_not_counted():
    problem = Problem("EQ", "y <= z and y[1] == 0", 4)
    assert not diagonal(problem).holds
    with pytest.raises(InputError, match="one of the order alone was expected"):
        counted_diagonal(problem)


def test_counting_reaches_any_length():
    found = counted_diagonal(Problem("EQ", "y <= z", 101))
    assert (found.bits, found.pairs, found.first) == (101, 2**101 * (2**101 - 1) // 2, 2**101 * (2**101 - 1) // 2)


@pytest.mark.parametrize("promise", ["y <= z", "y <= z and y[2:4] > 0 and y[4:5] != 2", "y <= z and z[1:2] != 3"])
@pytest.mark.parametrize("kept", [32, 0, 5, 31])
def test_member_by_member_is_pair_by_pair(promise, kept):
    """Of the strings that break the promise those from ``kept`` on are also members, or only the last of them."""
    problem = Problem("EQ", promise, 5)
    members = [x for x in range(32) if problem.promised(x, x) or x >= kept]
    right = [x for x in members if problem.promised(x, x)]
    for some in (members, members[:3], [*right, *[x for x in members if x not in right][-1:]]):
        assert ordered_diagonal(problem, some) == check_fooling_set(problem, [(x, x) for x in some])


@pytest.mark.parametrize(("function", "promise", "members"), [("GT", "y <= z", [1, 2]), ("EQ", "none", [1, 2]), ("EQ", "y <= z", [])])
def test_without_an_order_members_do_not_decide_pairs(function, promise, members):
    with pytest.raises(InputError, match="EQ with y <= z on at least one was expected"):
        ordered_diagonal(Problem(function, promise, 3), members)


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


def test_entries_are_the_function_where_the_promise_is_kept():
    every = np.arange(8)
    for problem in (equality(3), Problem("GT", "none", 3), equality(3, "y <= z and z[1:2] != 3")):
        found = entries(problem, every[:, None], every[None, :])
        assert found.tolist() == [[value_at(problem, y, z) for z in range(8)] for y in range(8)]
