"""The SMT solver, a method with nothing in common, finds what the engines find: whether a pair fails, and the smallest."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from tests.artificial import KINDS, random_instance
from tests.command_line import CommandLine
from tests.oracle_reading import random_semantics
from tests.verifier.engines.random_constructions import random_construction
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NEG_INF
from verifier.attention.terms import Reading
from verifier.claims.model import Table
from verifier.construction.instance import Node
from verifier.construction.instantiate import instantiate
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.smt import bounds, solve
from verifier.errors import InputError, LimitError
from verifier.problems import Problem
from verifier.semantics import KNOBS, NAMED, Semantics, read_semantics, readings

pytest.importorskip("bitwuzla")
TABLE = Table("constructions.every_bit_counts", "table-6")
LEMMA = "every-bit-counts/lemma-2.6"


def agree(reading: Reading, label: object) -> bool:
    """Whether a pair fails; both methods must say so, and name the same smallest."""
    counted, solved = enumerate_pairs(reading), solve(reading)
    assert (solved.cases, solved.smallest) == (counted.cases, counted.smallest), f"{label}, {reading.semantics.label}"
    return solved.smallest is not None


def test_random_constructions_agree_with_enumeration() -> None:
    failing: Counter[bool] = Counter()
    knobs: Counter[str] = Counter()
    for seed in range(120):
        rng = Random(f"smt {seed}")
        instance, semantics = random_instance(KINDS[seed % len(KINDS)], rng), random_semantics(rng)
        failing[agree(Reading(instance, semantics), seed)] += 1
        knobs.update(f"{k}={getattr(semantics, k)}" for k in KNOBS)
    assert min(failing[True], failing[False]) >= 5, failing


