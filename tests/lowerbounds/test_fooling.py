"""Fooling sets: the vectorised check against the definition, and broken sets with the pair named."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from lowerbounds import fooling
from lowerbounds.communication import UNDEFINED, disjointness, equality, from_matrix, greater_than, index, on_strings, promise_of
from lowerbounds.fooling import (
    check_fooling_set,
    counted_diagonal,
    cross_entries,
    diagonal_fooling_set,
    ordered_diagonal,
    promised_diagonal,
)
from verifier.networks.problems import Problem
from verifier.running.errors import InputError


def separates(problem, a, b, value):
    """Definition A.5 word by word: which cross entries of two members differ from the common value."""
    forth, back = problem.value(a[0], b[1]), problem.value(b[0], a[1])
    return (forth not in (value, UNDEFINED)) + 2 * (back not in (value, UNDEFINED))


@pytest.mark.parametrize("problem", [equality(4), equality(4, "none"), greater_than(4), disjointness(4)])
@pytest.mark.parametrize("shift", [0, 3])
def test_codes_are_the_definition(problem, shift):
    members = [(x, (x + shift) % problem.bob) for x in range(problem.alice)]
    value = problem.value(*members[0])
    xs, ys = (np.array(side) for side in zip(*members, strict=True))
    found = {}
    for start, codes in cross_entries(problem, xs, ys, value):
        for r, c in zip(*np.triu_indices(codes.shape[0], 1, codes.shape[1]), strict=True):
            found[start + r, start + c] = codes[r, c]
    assert found == {(i, j): separates(problem, members[i], members[j], value) for i, j in combinations(range(len(members)), 2)}


@pytest.mark.parametrize("m", [1, 3, 5, 9, 11])
def test_equality_under_its_promise(m):
    found = diagonal_fooling_set(equality(m))
    assert found.holds
    assert (found.size, found.bits) == (2**m, m)
    assert found.pairs == found.first == 2**m * (2**m - 1) // 2
    assert (found.second, found.both) == (0, 0)


def test_without_the_promise_both_entries_separate():
    found = diagonal_fooling_set(equality(5, "none"))
    assert found.holds
    assert (found.first, found.second, found.both) == (0, 0, 496)


def test_a_planted_pair_is_named():
    table = [[int(x == y) if x <= y else None for y in range(8)] for x in range(8)]
    table[2][5] = 1
    found = diagonal_fooling_set(from_matrix(table))
    assert found.bad is not None
    assert (found.bad.first, found.bad.second) == (("2", "2"), ("5", "5"))
    assert "1 and undefined" in found.bad.reason


def test_an_undefined_cross_entry_separates_nothing():
    table = [[1, None], [None, 1]]
    found = diagonal_fooling_set(from_matrix(table))
    assert found.bad is not None
    assert "undefined and undefined" in found.bad.reason


def test_members_need_one_value():
    found = check_fooling_set(equality(3), [(1, 1), (1, 2)])
    assert str(found.bad) == "(001, 001) and (001, 010): the members need one value; the second has the value 0"
    found = check_fooling_set(equality(3), [(1, 1), (2, 1)])
    assert "breaks the promise" in str(found.bad)


def test_members_that_all_break_the_promise_are_bad():
    assert "breaks the promise" in str(check_fooling_set(equality(3), [(2, 1), (3, 1)]).bad)


@pytest.mark.parametrize("rows", [[[1, 0, 0], [None, 1, 0]], [[1, None], [0, 1], [0, 0]]])
def test_the_diagonal_of_a_matrix_that_is_no_square(rows):
    problem = from_matrix(rows)
    assert promised_diagonal(problem) == diagonal_fooling_set(problem) == check_fooling_set(problem, [(0, 0), (1, 1)])


@pytest.mark.parametrize("cells", [1, 7, 1 << 20])
def test_any_members_of_any_matrix_by_the_definition(monkeypatch, cells):
    """What is wrong is the first member of another value, else the first pair in order; whatever the pairs are looked at in."""
    monkeypatch.setattr(fooling, "CELLS_AT_ONCE", cells)
    seen = set()
    for seed in range(80):
        random = Random(seed)
        size = random.randint(1, 6)
        rows = [[random.choice((0, 0, 2, None)) for _ in range(size + 1)] for _ in range(size)]
        for k in range(size):
            rows[k][k] = random.choice([1] * 4 * size + [0, None])
        problem, members = from_matrix(rows), random.sample([(k, k) for k in range(size)], random.randint(1, size))
        value = rows[members[0][0]][members[0][0]]
        codes = {pair: separates(problem, *pair, -1 if value is None else value) for pair in combinations(members, 2)}
        other = [(members[0], (k, k)) for k, _ in members if rows[k][k] != value or value is None]
        found, bad = check_fooling_set(problem, members), next(iter(other or [pair for pair in codes if not codes[pair]]), None)
        named = tuple(tuple(map(str, member)) for member in bad or ())
        assert (found.bad and (found.bad.first, found.bad.second)) == (named or None)
        if not bad or (not other and cells > size * size):
            assert (found.pairs, found.first, found.second, found.both) == (len(codes), *map([*codes.values()].count, (1, 2, 3)))
        seen.add("value" if other else "pair" if bad else "none")
    assert seen == {"value", "pair", "none"}


def test_the_diagonal_member_by_member_counts_what_pairs_count():
    problem = Problem("EQ", "y <= z", 4)
    assert ordered_diagonal(problem, range(16)) == diagonal_fooling_set(on_strings(problem))
    with pytest.raises(InputError, match="there twice"):
        ordered_diagonal(problem, [3, 3])


def test_one_member_is_a_fooling_set_of_no_pairs():
    found = check_fooling_set(equality(1), [(1, 1)])
    assert (found.holds, found.size, found.pairs, found.bits) == (True, 1, 0, 0)


def test_a_member_twice_is_no_pair():
    found = check_fooling_set(equality(3), [(1, 1), (4, 4), (1, 1)])
    assert str(found.bad) == "(001, 001) and (001, 001): the cross entries are 1 and 1, the common value is 1"


def test_greater_than_and_disjointness_have_large_ones():
    n = 4
    stairs = [(x + 1, x) for x in range(2**n - 1)]
    assert check_fooling_set(greater_than(n), stairs).holds
    complements = [(x, 2**n - 1 - x) for x in range(2**n)]
    assert check_fooling_set(disjointness(n), complements).bits == n


def test_known_entries():
    assert index(3).matrix().tolist()[0b011] == [0, 1, 1]
    assert equality(2).matrix().tolist()[2] == [UNDEFINED, UNDEFINED, 1, 0]


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


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "empty matrix"),
        ([[]], "empty matrix"),
        ([[1, 0], [1]], "rows of 1 and 2 entries"),
        ([[127, -1], [0, 128]], "row 2: entry 128"),
        ([[-2]], "entry -2"),
    ],
)
def test_bad_matrices(rows, message):
    with pytest.raises(InputError, match=message):
        from_matrix(rows)
    assert from_matrix([[127, -1]]).matrix().tolist() == [[127, UNDEFINED]]


@pytest.mark.parametrize(("function", "promise"), [("EQ", "y <= z"), ("EQ", "none"), ("GT", "none"), ("GT", "y <= z")])
@pytest.mark.parametrize("m", [1, 2, 3, 6])
def test_counting_is_the_enumeration(function, promise, m):
    problem = Problem(function, promise, m)
    counted, listed = counted_diagonal(problem), diagonal_fooling_set(on_strings(problem))
    assert counted.holds is listed.holds
    if counted.holds:
        assert counted == listed
    else:
        assert (counted.bad.first, counted.bad.second) == (listed.bad.first, listed.bad.second)
        assert counted.first == counted.second == counted.both == 0, "no cross entry of any pair separates"


def test_what_depends_on_more_than_the_order_is_not_counted():
    problem = Problem("EQ", "y <= z and y[1] == 0", 4)
    assert not diagonal_fooling_set(on_strings(problem)).holds
    with pytest.raises(InputError, match="one of the order alone was expected"):
        counted_diagonal(problem)


def test_counting_reaches_any_length():
    found = counted_diagonal(Problem("EQ", "y <= z", 101))
    assert (found.bits, found.pairs, found.first) == (101, 2**101 * (2**101 - 1) // 2, 2**101 * (2**101 - 1) // 2)


@pytest.mark.parametrize(
    ("representation", "kept"),
    [
        ("T0", lambda x, e: True),
        ("T1", lambda x, e: True),
        ("T2", lambda x, e: "1" in x[1 : e + 1] and x[-2:] != "10"),
        ("T3", lambda x, e: "0" in x[:e]),
    ],
)
@pytest.mark.parametrize(("m", "e"), [(7, 3), (5, 1), (5, 4)])
def test_the_promises_of_all_representations(representation, kept, m, e):
    problem = equality(m, promise_of(representation, m, e))
    members = [x for x in range(2**m) if kept(format(x, f"0{m}b"), e)]
    found = promised_diagonal(problem)
    assert found.holds
    assert found == check_fooling_set(problem, [(x, x) for x in members])
    assert found.first == len(members) * (len(members) - 1) // 2
    assert diagonal_fooling_set(problem).holds is (representation in ("T0", "T1"))


def test_promises_that_are_none():
    with pytest.raises(InputError, match="T0, T1, T2 or T3"):
        promise_of("T4", 7, 3)
    for exponents in ([7], [0], []):
        with pytest.raises(InputError, match="needs 1 <= e <= 6"):
            promise_of("T2", 7, *exponents)
    with pytest.raises(InputError, match=r"no pair \(x, x\)"):
        promised_diagonal(on_strings(Problem("EQ", "y[1] > 1", 3)))


@pytest.mark.parametrize("promise", ["y <= z", "y <= z and y[2:4] > 0 and y[4:5] != 2", "y <= z and z[1:2] != 3"])
@pytest.mark.parametrize("kept", [32, 0, 5, 31])
def test_member_by_member_is_pair_by_pair(promise, kept):
    """Of the strings that break the promise those from ``kept`` on are also members, or only the last of them."""
    problem = Problem("EQ", promise, 5)
    members = [x for x in range(32) if problem.promised(x, x) or x >= kept]
    right = [x for x in members if problem.promised(x, x)]
    for some in (members, members[:3], [*right, *[x for x in members if x not in right][-1:]]):
        assert ordered_diagonal(problem, some) == check_fooling_set(on_strings(problem), [(x, x) for x in some])


@pytest.mark.parametrize(("function", "promise", "members"), [("GT", "y <= z", [1, 2]), ("EQ", "none", [1, 2]), ("EQ", "y <= z", [])])
def test_without_an_order_members_do_not_decide_pairs(function, promise, members):
    with pytest.raises(InputError, match="EQ with y <= z on at least one was expected"):
        ordered_diagonal(Problem(function, promise, 3), members)
