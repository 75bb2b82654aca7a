"""Telling Alice's strings apart with few bits: against trying everything, tables replayed, and what is not settled said so."""

from __future__ import annotations

from itertools import chain, combinations, product

import pytest

from lowerbounds import one_column
from lowerbounds.one_column import Apart, Choice, choices, replays, tell_apart
from verifier.arithmetic.numbers import NAN, ZERO
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.running.errors import LimitError

A4 = read_semantics("a4")


@pytest.mark.parametrize(("bits", "length"), [(1, 1), (1, 2), (2, 1)])
def test_against_every_table(bits, length):
    pairs = list(product(choices(A4.machine(bits)).values(), repeat=2))
    assert tell_apart(A4, bits, length).possible is any(replays(A4, bits, table) for table in product(pairs, repeat=length))


@pytest.mark.parametrize(("bits", "length", "possible"), [(1, 1, False), (2, 3, True), (2, 4, False), (3, 3, True)])
def test_the_longest_strings(bits, length, possible):
    found = tell_apart(A4, bits, length)
    assert found.possible is possible
    assert (found.table is not None) is possible
    if found.table is not None:
        assert replays(A4, bits, found.table)
        zero, _ = found.table[-1]
        assert not replays(A4, bits, (*found.table[:-1], (zero, zero)))


@pytest.mark.parametrize(("bits", "length"), [(1, 1), (1, 3), (2, 4)])
def test_where_none_tells_apart_every_set_was_met(monkeypatch, bits, length):
    """By the definition: two moves, with 2^i different images each and none of them NaN, make 2^(i+1) messages of 2^i."""
    machine, sizes, sets = A4.machine(bits), [], {frozenset({(ZERO, ZERO)})}
    moves = {choice.adds(machine) for choice in (Choice(s, v) for s in (None, *machine.form.values()) for v in machine.form.values())}
    for i in range(length):
        images = [[frozenset((machine.add(a, x), machine.add(d, w)) for a, d in each) for x, w in moves] for each in sets]
        sets = {one | other for each in images for one, other in combinations(each, 2)}
        sets = {each for each in sets if len(each) == 2 << i and NAN not in chain(*each)}
        sizes.append(len(sets))
    assert sizes[-1] == 0
    assert choices(machine).keys() == moves
    moved = len(moves) * sum(size << i for i, size in enumerate([1, *sizes[:-1]]))
    monkeypatch.setattr(one_column, "MOST_MOVES", moved)
    assert tell_apart(A4, bits, length) == Apart(False, tuple(sizes), None)
    monkeypatch.setattr(one_column, "MOST_MOVES", moved - 1)
    with pytest.raises(LimitError, match=f"more than {moved - 1:,} moves of messages"):
        tell_apart(A4, bits, length)


@pytest.mark.parametrize(
    ("claim", "q", "m", "verdict"),
    [
        ("tell-apart", 1, 1, Verdict.REFUTED),
        ("tell-apart", 2, 3, Verdict.VERIFIED),
        ("tell-apart", 2, 4, Verdict.REFUTED),
        ("tell-apart", 3, 8, Verdict.REFUTED),
        ("one-column", 1, 1, Verdict.REFUTED),
        ("one-column", 2, 2, Verdict.VERIFIED),
        ("one-column", 2, 4, Verdict.REFUTED),
    ],
)
def test_the_claims(claim, q, m, verdict):
    if claim == "one-column":
        pytest.importorskip("pysat")
    outcome = Session().ask(f"every-bit-counts/theorem-2.1:{claim}", Edition.STATEMENT, {"q": q, "m": m}, A4)
    assert outcome.verdict is verdict
