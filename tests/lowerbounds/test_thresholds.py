"""Telling Alice's strings apart with one value column: against every table, and the claims."""

from __future__ import annotations

from itertools import product

import pytest

from lowerbounds.last_bits import last_bits
from lowerbounds.one_column import choices
from lowerbounds.running_sums import START, RunningSums
from verifier.arithmetic.numbers import NAN
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict

A4 = read_semantics("a4")


@pytest.mark.parametrize("bits", [1, 2, 3])
def test_the_sums_that_a_token_adds_are_those_of_its_scores_and_values(bits):
    machine = A4.machine(bits)
    assert set(RunningSums(A4, bits, "score").moves) == {sums for sums in choices(machine) if NAN not in sums}


@pytest.mark.parametrize(("bits", "length"), [(1, 1), (1, 2), (2, 1), (2, 2)])
def test_against_every_table(bits, length):
    """Each string by itself, its sums among the states from which a number is reached."""
    sums = RunningSums(A4, bits, "score")
    known, pairs = set(sums.states), list(product(sums.moves, repeat=2))

    def left(table, string):
        state = START
        for token, bit in zip(table, string, strict=True):
            state = sums.moved(state, token[bit])
        return state

    strings = list(product((0, 1), repeat=length))
    tables = (len({left(table, string) for string in strings} & known) == len(strings) for table in product(pairs, repeat=length))
    assert (last_bits(sums, length).found is not None) is any(tables)


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
