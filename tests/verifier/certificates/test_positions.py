"""Blocks and stages take every position and every sum: what a certificate leaves out is refused, though no token reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.verifier.certificates.samples import titled
from tests.verifier.certificates.test_differential import transformer
from tests.verifier.certificates.test_limits import small
from verifier.arithmetic.semantics import NAMED
from verifier.certificates import recheck

ALL = ["sum 1", "denominator"]


def block(t: recheck.Transformer, first: int, last: int, *stages: tuple[int, int]) -> recheck.Block:
    """A block of all sums, before any of its states is formed."""
    listed = [{"first": str(a), "last": str(b), "less": []} for a, b in stages]
    return recheck.Block(t, recheck.At({"first": str(first), "last": str(last), "sums": ALL, "stages": listed}), False)


def behind(first: int) -> recheck.Transformer:
    """Of strings of 12 bits: the tokens read y from its bit ``first`` on, and nothing of z."""
    whole = small(3, 12)
    return transformer(replace(whole, tokens=whole.tokens[first - 1 :]), NAMED["a4"])


@pytest.mark.parametrize("first", [1, 4])
def test_the_states_of_a_block_are_counted_before_they_are_formed(first: int) -> None:
    """Two sums and the bits of y that wait, for each content of y's positions."""
    t, states = behind(first), 3 << 13 - first
    t.limits = recheck.Limits(states=states)
    block(t, first, 12, (first, 8), (9, 12))
    t.limits = recheck.Limits(states=states - 1)
    with pytest.raises(recheck.TooMuch, match=f"more than {states - 1} states"):
        block(t, first, 12, (first, 8), (9, 12))


STAGES = [
    ("ten positions at once", [(1, 10), (11, 12)], "positions 1 to 10 behind 0"),
    ("a position left out", [(1, 8), (10, 12)], "positions 10 to 12 behind 8"),
    ("a position twice", [(1, 8), (8, 12)], "positions 8 to 12 behind 8"),
    ("the first left out", [(2, 8), (9, 12)], "positions 2 to 8 behind 0"),
    ("the last left out", [(1, 8), (9, 11)], "the stages leave out positions"),
    ("one too many", [(1, 8), (9, 13)], "positions 9 to 13 behind 8"),
    ("no stages", [], "the stages leave out positions"),
]


@pytest.mark.parametrize(("title", "stages", "reason"), STAGES, ids=titled)
def test_stages_take_every_position_though_no_token_reads_it(title: str, stages: list[tuple[int, int]], reason: str) -> None:
    block(behind(1), 1, 12, (1, 9), (10, 12))
    with pytest.raises(recheck.Rejected, match=reason):
        block(behind(1), 1, 12, *stages)


BLOCKS = [
    ("one position left out", [(1, 2, []), (4, 12, ALL)], "leave out positions"),
    ("one in both", [(1, 4, []), (4, 12, ALL)], "leave out positions"),
    ("the first left out", [(2, 3, []), (4, 12, ALL)], "leave out positions"),
    ("the last left out", [(4, 12, ALL), (1, 3, [])], "leave out positions"),
    ("only the end", [(4, 12, ALL)], "leave out positions"),
    ("a sum left out", [(1, 3, []), (4, 12, ["denominator"])], "each sum belongs to one block"),
    ("all sums in both", [(1, 12, ALL), (1, 12, ALL)], "leave out positions"),
    ("all of them", [(1, 3, []), (4, 12, ALL)], "is reached, but not listed"),
    ("in one block", [(1, 12, ALL)], "is reached, but not listed"),
]


@pytest.mark.parametrize(("title", "blocks", "reason"), BLOCKS, ids=titled)
def test_blocks_take_every_position_and_every_sum(title: str, blocks: list[tuple[int, int, list[str]]], reason: str) -> None:
    """Where they do, it is the states that are wanting."""
    given = []
    for place, (first, last, sums) in enumerate(blocks):
        kinds: dict[str, list[str]] = {"less": []} | ({"every": []} if place else {})
        stages = [{"first": str(k), "last": str(k), **kinds} for k in range(first, last + 1)]
        given.append({"first": str(first), "last": str(last), "sums": sums, "stages": stages})
    facts = recheck.At({"cases": str((1 << 12) * ((1 << 12) + 1) // 2), "assumptions": [], "blocks": given}).names()
    with pytest.raises(recheck.Rejected, match=reason):
        recheck.check_verified(facts, behind(4))
