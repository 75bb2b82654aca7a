"""Random tables as instances, under random readings, and as the oracle has them, with the census of each by brute force."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tests.oracle import Transformer, Value
from tests.oracle_reading import random_floating_semantics, random_semantics
from tests.random_subjects import ENTRIES as ENTRY_TEXTS
from tests.random_subjects import random_table
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.rationals import rational
from verifier.networks.entries import Large
from verifier.networks.files import shaped
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.running.errors import InputError
from verifier.transformers import tables as terms

ENTRIES = [rational(x) for x in ENTRY_TEXTS]
KINDS = ("ordered", "mixed", "separate", "several bits", "wild")
"""Of the random tables those of two strings and one value column whose entries are not set for a purpose."""


def random_instance(kind: str, rng: Random) -> Instance:
    """A random table of this kind with softmax attention, at its one length."""
    content = random_table(kind, rng) | {"attention": "softmax"}
    return instantiate(shaped(content, ConstructionFile, CONSTRUCTION, "random"), {"m": content["problem"]["length"]})


def combines(execution: terms.Execution) -> bool:
    """Whether N meets nothing in the sums of this reading that it cannot be combined with: else the construction is in error."""
    try:
        for token in execution.instance.tokens:
            for pattern in range(len(token.vectors)):
                execution.term(token, pattern)
    except InputError:
        return False
    return True


def random_reading(kind: str, rng: Random, attention: str = "softmax", floating: bool = False) -> terms.Execution:
    """A random instance under a random semantics, drawn again where the two do not go together."""
    while True:
        instance, semantics = replace(random_instance(kind, rng), attention=attention), random_semantics(rng)
        if floating:
            instance = replace(instance, precision=Digits(rng.randint(1, 4), rng.randint(1, 4)))
            semantics = random_floating_semantics(rng)
        try:
            execution = terms.Execution(instance, semantics)
        except InputError:
            continue
        if combines(execution):
            return execution


def embedding(instance: Instance, y: str, z: str) -> list[list[Value]]:
    """The vectors that the strings select, read off the token's table bit by bit."""
    rows = []
    for token in instance.tokens:
        digits = "".join({"y": y, "z": z}[bit.string][bit.index - 1] for each in token.fields for bit in each)
        vector = token.vectors[int(digits, 2) if digits else 0]
        assert vector is not None
        rows.append([str(x) if isinstance(x, Large) else x for x in vector])
    return rows


def transformer(instance: Instance) -> Transformer:
    return Transformer(
        wq=[list(row) for row in instance.query.rows],
        wk=[list(row) for row in instance.key.rows],
        wv=[row[0] for row in instance.value.rows],
        hidden=[(node.weights[0], node.bias) for node in instance.hidden],
        out=list(instance.output.weights),
        bias=instance.output.bias,
        ln2=instance.query.ln2,
        attention=instance.attention,
    )
