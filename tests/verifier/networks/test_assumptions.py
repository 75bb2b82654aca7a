"""Entries that the precision lacks: wherever one stands, it is named and the assumption is made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.verifier.networks.test_large import execution
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import read_semantics
from verifier.networks.instance import Matrix, Node
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution

THIRD, ONE = F(1, 3), F(1)
RIGHT = execution((ONE, F(0), F(0))).instance
COLUMN = Matrix(((F(0),), (F(0),), (F(0),), (THIRD,)))
LACKING: list[tuple[str, dict[str, Any]]] = [
    ("W^Q: 1/3", {"query": replace(COLUMN, ln2=True)}),
    ("W^K: 1/3", {"key": COLUMN}),
    ("W^V: 1/3", {"value": COLUMN}),
    ("step 1, bit 0, entry 2: 1/3", {"tokens": (replace(RIGHT.tokens[0], vectors=((ONE, THIRD, F(0), F(0)),)), RIGHT.tokens[1])}),
    ("step 2, bit 0, entry 3: 1/3", {"tokens": (RIGHT.tokens[0], replace(RIGHT.tokens[1], vectors=((F(0), F(0), THIRD, ONE),)))}),
    ("MLP hidden node 1, weight: 1/3", {"hidden": (Node((THIRD,), ONE),), "output": Node((ONE,), ONE)}),
    ("MLP output node, bias: 1/3", {"output": replace(RIGHT.output, bias=THIRD)}),
]


def test_a_vector_that_is_not_given_lacks_nothing() -> None:
    """Such a construction is ill-formed, which is said elsewhere."""
    asking = RIGHT.tokens[1]
    without = replace(RIGHT, tokens=(replace(RIGHT.tokens[0], vectors=(None,)), asking))
    found = Execution(without, read_semantics("a4"))
    assert found.unrepresentable == ()
    with pytest.raises(InputError, match="step 1: token 1 has no vector for bits 0"):
        found.term(without.tokens[0], 0)


def test_an_exact_ln_2_is_assumed_by_a_reading_that_does_not_permit_it() -> None:
    strict = replace(read_semantics("a4"), permits=frozenset())
    assert Execution(RIGHT, strict).assumptions == Execution(RIGHT, strict).attention_assumptions == ("ideal-ln2",)
    assert Execution(RIGHT, replace(strict, ln2="rounded")).assumptions == Execution(RIGHT, read_semantics("a4")).assumptions == ()


@pytest.mark.parametrize(("place", "changed"), LACKING, ids=[place for place, _ in LACKING])
def test_a_third_is_lacking_wherever_it_stands(place: str, changed: dict[str, Any]) -> None:
    assert "exact-entries" not in Execution(RIGHT, read_semantics("a4")).assumptions
    found = Execution(replace(RIGHT, **changed), read_semantics("a4"))
    assert found.unrepresentable == (place,)
    assert "exact-entries" in found.assumptions
    assert ("exact-entries" in found.attention_assumptions) == (not place.startswith("MLP"))
    assert "exact-entries" not in Execution(replace(RIGHT, **changed), read_semantics("entries=rounded")).assumptions
