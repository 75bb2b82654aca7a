"""The search for one value column: what it finds replays, what it excludes is excluded by trying everything."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from lowerbounds.one_column import Attempt, Choice, OneColumn, search, tokens_of, value_weights
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ZERO, Special
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.running.errors import InputError

pytest.importorskip("pysat")
A4 = read_semantics("a4")


def test_a_changed_table_does_not_replay():
    problem = OneColumn(A4, 2, 1, tokens_of("T0", 1, 2), Fraction(1))
    attempt = problem.solve()
    assert problem.replay(attempt)
    same = {(t, b): attempt.table[t, 0] for t, b in attempt.table}
    assert not problem.replay(replace(attempt, table=same))
    for place, number in product([(0, 0), (2, 0)], [Fraction(2), Fraction(1, 4)]):
        beyond = attempt.table | {place: Choice(None, number)}
        assert not problem.replay(replace(attempt, table=beyond)), "an entry that two bits lack, though its product is 0"
        assert not problem.replay(replace(attempt, table=attempt.table | {place: Choice(number, Fraction(0))}))
    assert not problem.replay(replace(attempt, accepted=frozenset())), "the replay covers equal strings"
    assert attempt.accepted
    assert all(isinstance(x, Fraction | Special) for x in attempt.accepted)


PAIRS = [(0, 0), (0, 1), (1, 1)]
"""The promise pairs of EQ_1."""


def sums_of(problem, table, y, z):
    """What a table of a token for y and one for z sums up: (0, 0), then after each token."""
    after = [(ZERO, ZERO)]
    for added, weight in (problem.adds(table[0, y]), problem.adds(table[1, z])):
        after.append((problem.machine.add(after[-1][0], added), problem.machine.add(after[-1][1], weight)))
    return after


def tables(problem):
    """Every table of two tokens for EQ_1."""
    return (dict(zip([(0, 0), (0, 1), (1, 0), (1, 1)], four, strict=True)) for four in product(problem.choices.values(), repeat=4))


def decided_by_trying(problem):
    """Every table, and every set of accepted outputs, by its definition."""
    for table in tables(problem):
        outputs = {pair: problem.output(*sums_of(problem, table, *pair)[-1]) for pair in PAIRS}
        yes = {outputs[0, 0], outputs[1, 1]}
        if NAN not in yes and outputs[0, 1] not in yes:
            return True
    return False


@pytest.mark.parametrize(("bits", "weight"), [(1, Fraction(0)), (2, Fraction(1))])
def test_the_smallest_problems_by_trying_everything(bits, weight):
    problem = OneColumn(A4, bits, 1, [("y", 1), ("z", 1)], weight)
    assert problem.solve().satisfiable is decided_by_trying(problem)


def test_a_table_replays_where_equal_strings_alone_are_accepted_and_none_is_nan():
    problem, seen = OneColumn(A4, 2, 1, [("y", 1), ("z", 1)], Fraction(1)), set()
    for table in Random(1).sample(list(tables(problem)), 60):
        outputs = {pair: problem.output(*sums_of(problem, table, *pair)[-1]) for pair in PAIRS}
        for yes in ({outputs[0, 0]}, {outputs[1, 1]}, {outputs[0, 0], outputs[1, 1]}):
            right = NAN not in yes and [outputs[pair] in yes for pair in PAIRS] == [True, False, True]
            assert problem.replay(Attempt(True, 0, 0, table, frozenset(yes))) is right
            seen.add((right, NAN in yes))
    assert seen == {(True, False), (False, False), (False, True)}


def test_what_a_token_can_do_with_two_bits():
    problem = OneColumn(A4, 2, 1, tokens_of("T0", 1, 2), Fraction(1))
    half, one = Fraction(1, 2), Fraction(1)
    assert set(problem.weights) == {ZERO, half, one, INF}
    products = {w: {x for x, weight in problem.choices if weight == w} for w in problem.weights}
    assert products == {ZERO: {ZERO}, half: {ZERO, half, -half}, one: {ZERO, half, -half, one, -one}, INF: {INF, NEG_INF, NAN}}
    assert set(problem.every_product) == set().union(*products.values())
    assert value_weights(A4.machine(2)) == [half, 1]


@pytest.mark.parametrize(("bits", "m"), [(2, 1), (2, 2), (3, 2)])
def test_a_table_that_is_found_has_scores_and_entries_of_the_format(bits, m):
    form = A4.machine(bits).form
    ((_, attempt),) = search(A4, bits, "T0", m, 2 * m)[-1:]
    for choice in attempt.table.values():
        assert form.contains(choice.value)
        assert choice.score is None or form.contains(choice.score)


def test_representations_and_their_room():
    held = [("", 0), ("y", 1), ("y", 1), ("y", 2), ("z", 1), ("z", 1), ("", 0), ("z", 2), ("", 0)]
    assert tokens_of("T1", 2, 8) == held
    with pytest.raises(InputError, match="T1 needs 8 tokens before the last one"):
        tokens_of("T1", 2, 7)
    with pytest.raises(InputError, match="T0 or T1 was expected"):
        tokens_of("T2", 2, 9)
