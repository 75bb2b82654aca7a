"""The search for one value column: what it finds replays, what it excludes is excluded by trying everything."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import metadata
from itertools import product

import pytest

from lowerbounds.one_column import OneColumn, search, tokens_of, value_weights
from lowerbounds.thresholds import Choice
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ZERO, Special
from verifier.errors import InputError, MissingExtraError
from verifier.semantics import read_semantics

pytest.importorskip("pysat")
A4 = read_semantics("a4")


@pytest.mark.parametrize("semantics", ["a4", "narrative"])
@pytest.mark.parametrize("m", [1, 2])
def test_two_bits_and_one_column_do_up_to_two(semantics, m):
    outcomes = search(read_semantics(semantics), 2, "T0", m, 2 * m)
    assert outcomes[-1][1].satisfiable


def test_without_the_solver_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    with pytest.raises(MissingExtraError, match=r"needs python-sat: pip install 'bitreferee\[search\]'") as missing:
        OneColumn(A4, 2, 1, tokens_of("T0", 1, 2), Fraction(1)).solve()
    assert missing.value.extra in metadata("bitreferee").get_all("Provides-Extra")


def test_a_changed_table_does_not_replay():
    problem = OneColumn(A4, 2, 1, tokens_of("T0", 1, 2), Fraction(1))
    outcome = problem.solve()
    assert problem.replay(outcome)
    same = {(t, b): outcome.table[t, 0] for t, b in outcome.table}
    assert not problem.replay(replace(outcome, table=same))
    for number in (Fraction(2), Fraction(1, 4)):
        beyond = outcome.table | {(0, 0): Choice(None, number)}
        assert not problem.replay(replace(outcome, table=beyond)), "an entry that two bits lack, though its product is 0"
        assert not problem.replay(replace(outcome, table=outcome.table | {(0, 0): Choice(number, Fraction(0))}))
    assert not problem.replay(replace(outcome, accepted=frozenset())), "equal strings are replayed, too"
    assert outcome.accepted
    assert all(isinstance(x, Fraction | Special) for x in outcome.accepted)


def decided_by_trying(problem):
    """Every table of two tokens for EQ_1, and every set of accepted outputs, by its definition."""
    values = list(problem.machine.form.values())
    choices = {problem.adds(Choice(s, v))[::-1] for s in (None, *values) for v in values}
    for y0, y1, z0, z1 in product(choices, repeat=4):
        outputs = {}
        for y, z in ((0, 0), (0, 1), (1, 1)):
            (w, x), (v, u) = (y1 if y else y0), (z1 if z else z0)
            outputs[y, z] = problem.output(problem.machine.add(x, u), problem.machine.add(w, v))
        yes = {outputs[0, 0], outputs[1, 1]}
        if NAN not in yes and outputs[0, 1] not in yes:
            return True
    return False


@pytest.mark.parametrize(("bits", "weight"), [(1, Fraction(0)), (2, Fraction(1))])
def test_the_smallest_problems_by_trying_everything(bits, weight):
    problem = OneColumn(A4, bits, 1, [("y", 1), ("z", 1)], weight)
    assert problem.solve().satisfiable is decided_by_trying(problem)


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
    ((_, outcome),) = search(A4, bits, "T0", m, 2 * m)[-1:]
    for choice in outcome.table.values():
        assert form.contains(choice.value)
        assert choice.score is None or form.contains(choice.score)


def test_representations_and_their_room():
    held = [("", 0), ("y", 1), ("y", 1), ("y", 2), ("z", 1), ("z", 1), ("", 0), ("z", 2), ("", 0)]
    assert tokens_of("T1", 2, 8) == held
    with pytest.raises(InputError, match="T1 needs 8 tokens before the last one"):
        tokens_of("T1", 2, 7)
    with pytest.raises(InputError, match="T0 or T1 was expected"):
        tokens_of("T2", 2, 9)


@pytest.mark.campaign
@pytest.mark.parametrize(("representation", "n"), [("T0", 9), ("T1", 10)])
def test_three_positions_are_too_many_for_two_bits(representation, n):
    outcomes = search(A4, 2, representation, 3, n)
    assert [o.satisfiable for _, o in outcomes] == [False, False]
