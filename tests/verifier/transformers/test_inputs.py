"""Inputs in their order, any part of them, and pieces on processes: none held in memory, and the first wrong one is the same."""

from __future__ import annotations

import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from random import Random

import pytest

from verifier.arithmetic.semantics import arithmetic
from verifier.transformers import answers as enumeration
from verifier.transformers import inputs
from verifier.transformers.answers import Part, first_in
from verifier.transformers.files import find_network
from verifier.transformers.inputs import InputShape
from verifier.transformers.network import network
from verifier.transformers.records import Input


def shape(lengths: dict[str, int], symbols: int) -> InputShape:
    entry = Input(strings=dict(lengths), tokens=list(lengths), alphabet=[str(k) for k in range(symbols)])
    return InputShape.of(entry, {})


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("lengths", "symbols"), [({"w": 5}, 2), ({"a": 2, "b": 3}, 2), ({"a": 2, "b": 0, "c": 1}, 3), ({"w": 0}, 2), ({"w": 4}, 3)]
)
@pytest.mark.parametrize("behind", [0, 1, 3, 10])
def test_any_part_is_that_of_all_inputs(lengths: dict[str, int], symbols: int, behind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "BEHIND", behind)
    shaped = shape(lengths, symbols)
    every = [dict(zip(lengths, choice, strict=True)) for choice in product(*(product(range(symbols), repeat=n) for n in lengths.values()))]
    assert list(shaped.every()) == every
    assert [shaped.nth(k) for k in range(shaped.count)] == every
    random = Random(1)
    for _ in range(20):
        first, last = sorted(random.randrange(len(every) + 1) for _ in range(2))
        assert list(shaped.between(first, last)) == every[first:last]


@pytest.mark.parametrize(
    ("lengths", "symbols"), [({"w": 4}, 2), ({"a": 2, "b": 0, "c": 1}, 3), ({"w": 0}, 2), ({"w": 1}, 256), ({"w": 1}, 257)]
)
def test_the_table_of_tokens_has_those_of_each_input(lengths: dict[str, int], symbols: int) -> None:
    shaped = shape(lengths, symbols)
    every = list(shaped.every())
    assert shaped.token_table(every).tolist() == [shaped.tokens(strings) for strings in every]


def test_inputs_are_not_held_in_memory() -> None:
    built = network(find_network("gallery/parity"), {"n": 60})
    tracemalloc.start()
    first = next(built.input.every())
    last = list(built.input.between((1 << 60) - 2, 1 << 60))
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (sum(first["w"]), [sum(each["w"]) for each in last]) == (0, [59, 60])
    assert used < 1 << 18


@pytest.mark.parametrize("form", ["e3m2+sums=pairwise", "e2m1+sums=pairwise"])
def test_pieces_in_a_pool_find_the_first_wrong_input(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """Of each part, with pieces of three inputs."""
    monkeypatch.setattr(enumeration, "LEAST", 3)
    file, how, point = find_network("gallery/parity"), arithmetic(form), {"n": 7}
    whole, *parts = Part(), Part(1, 2), Part(2, 2)
    with ThreadPoolExecutor(2) as pool:
        here = [first_in(file, point, how, part) for part in (whole, *parts)]
        assert here == [first_in(file, point, how, part, pool=pool) for part in (whole, *parts)]
    assert here[0] == next(found for found in here[1:] if found is not None)
