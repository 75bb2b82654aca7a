"""Prefixes as states, held against every input: each state has a smallest input that reads as all its inputs read."""

from __future__ import annotations

import random
from typing import Any

import flint
import msgspec
import numpy as np
import pytest

from tests.random_subjects import named
from verifier.arithmetic.floats import carrier, exponentials, to_float, to_number
from verifier.arithmetic.numbers import Special
from verifier.arithmetic.reals import enclosure
from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.transformers.arrays import Arrays
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import run
from verifier.transformers.files import find_network
from verifier.transformers.network import Network, network
from verifier.transformers.outputs import expected
from verifier.transformers.precision import first_wrong
from verifier.transformers.prefixes import METHOD, Prefixes, not_applicable, prefixes_of
from verifier.transformers.records import NetworkFile

SOME = ("first", "first-layer-norm", "lookup-hash", "ngram", "parity", "parity-layer-norm", "tracr-frac-prevs")


def smallest_of_each(prefixes: Prefixes) -> list[dict[str, tuple[int, ...]]]:
    """The smallest input of each case, in their order; the input that is run is of the same case."""
    reached, kept = prefixes.cases()
    places = np.arange(len(reached.ends[""]))
    found = [reached.smallest({"": places == k}) for k in kept.tolist()]
    assert all(words is not None for words in found)
    assert all(tuple(words or ()) <= tuple(run) for words, run in zip(found, reached.inputs()[kept].tolist(), strict=True))
    return prefixes.strings(np.array(sorted(words or [] for words in found)))


def digits(x: Any) -> str:
    """The first forty digits of a real number, which two formulas may give in two forms; NaN is itself."""
    with flint.ctx.workprec(1000):
        return str(x) if isinstance(x, Special) else str(enclosure(x).str(40, radius=False))


def hold(built: Network, how: Arithmetic) -> int:
    """Every input has the coordinates and the right answer of the smallest input of a state, which is not larger. How many states."""
    smallest = prefixes_of(built, how)
    states, every = smallest_of_each(smallest), list(built.input.every())
    arrays = None if how.exact else Arrays(built, how)

    def read(inputs: list[dict[str, tuple[int, ...]]]) -> list[tuple[object, ...]]:
        if arrays is None:
            vectors = [run(built, built.input.tokens(strings), context(how)).last[smallest.at] for strings in inputs]
            return [(*map(digits, x.values()), expected(built, strings)) for x, strings in zip(vectors, inputs, strict=True)]
        columns = arrays.run(np.array([built.input.tokens(strings) for strings in inputs]), smallest.at)
        numbers = [arrays.numbers(column, 0, len(inputs)) for column in columns.values()]
        return [(*row, expected(built, strings)) for row, strings in zip(zip(*numbers, strict=True), inputs, strict=True)]

    first: dict[tuple[object, ...], dict[str, tuple[int, ...]]] = {}
    for row, strings in zip(read(every), every, strict=True):
        first.setdefault(row, strings)
    found: dict[tuple[object, ...], dict[str, tuple[int, ...]]] = {}
    for row, strings in zip(read(states), states, strict=True):
        found.setdefault(row, strings)
    assert found == first
    return len(states)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("form", ["float32", "e4m3", "e2m1"])
def test_states_of_the_gallery_stand_for_every_input(name: str, form: str) -> None:
    for n in (2, 5):
        hold(network(find_network(f"gallery/{name}"), {"n": n}), arithmetic(form))


@pytest.mark.parametrize("form", ["e2m1+division=output", "e3m2", "fixed:4:1"])
def test_tied_tokens_are_counted_beyond_what_the_format_counts_to(form: str) -> None:
    """In e2m1 a sum of ones stays at 4, but four, six and eight tied tokens are divided by 4, 6 and 6."""
    file = {
        **named("tied"),
        "input": {"strings": {"w": "n"}, "tokens": ["w", "CLS"]},
        "coordinates": ["one", "share"],
        "embedding": {"one": "1 if token == 1 else 0"},
        "layer": [{"head": [{"kind": "average-hard", "query": ["1"], "key": ["one"], "value": {"share": "one"}}]}],
        "accept": {"function": "w[1] == 1", "at": "CLS", "yes": "share > 1/2"},
    }
    assert hold(network(msgspec.convert(file, NetworkFile), {"n": 9}), arithmetic(form)) > 9


@pytest.mark.parametrize(
    ("part", "entry", "apart"),
    [("value", {"even": "at_k + one"}, True), ("key", ["sign + zero"], True), ("mask", "causal", False), ("kind", "average-hard", False)],
)
def test_words_that_later_heads_tell_apart(part: str, entry: object, apart: bool) -> None:
    raw = msgspec.to_builtins(find_network("gallery/parity"))
    raw["layer"][1]["head"][0][part] = entry
    built = network(msgspec.convert(raw, NetworkFile), {"n": 3})
    assert (Prefixes(built, arithmetic("e4m3")).alike() is None) == apart
    hold(built, arithmetic("e4m3"))


def test_a_layer_that_is_there_twice_tells_words_apart_the_second_time() -> None:
    """Both average; what the second one averages depends on symbols in a way that the first one's sums do not tell."""
    layer = {"head": [{"value": {"share": "d + 3*a"}}], "network": {"hidden": {"h": "d - share"}, "into": {"a": "h"}}}
    file = {
        **named("twice"),
        "input": {"strings": {"w": "n"}, "tokens": ["w", "CLS"]},
        "coordinates": ["a", "d", "share"],
        "embedding": {"d": "i + 1 if token == 1 else 0"},
        "layer": [layer, layer],
        "accept": {"function": "popcount(w) % 2 == 1", "at": "CLS", "yes": "share > 1"},
    }
    built = network(msgspec.convert(file, NetworkFile), {"n": 6})
    assert built.layers[0] == built.layers[1]
    assert Prefixes(built, arithmetic("float32")).alike() is None
    assert hold(built, arithmetic("float32")) > 22


@pytest.mark.parametrize("at", ["2", "CLS"])
@pytest.mark.parametrize("threshold", ["1/2", "4"])
def test_words_told_apart_by_some_sums_and_words_at_the_token_that_answers(at: str, threshold: str) -> None:
    """Behind the first layer a token differs by its symbol where the average and its place are large enough, if they ever are."""
    file = {
        **named("some"),
        "input": {"strings": {"w": "n"}, "tokens": ["w", "CLS"]},
        "coordinates": ["a", "d", "share", "h"],
        "embedding": {"d": "i + 1 if token == 1 else 0"},
        "layer": [
            {"head": [{"value": {"share": "d"}}], "network": {"hidden": {"h": f"d/10 + share - {threshold}"}, "into": {"h": "h"}}},
            {"head": [{"value": {"a": "h"}}]},
        ],
        "accept": {"function": "popcount(w) % 2 == 1", "at": at, "yes": "a + d > 1"},
    }
    built = network(msgspec.convert(file, NetworkFile), {"n": 5})
    assert (Prefixes(built, arithmetic("float32")).alike() is None) == (threshold == "1/2")
    hold(built, arithmetic("float32"))


def test_parity_has_as_many_states_as_numbers_of_ones() -> None:
    assert len(Prefixes(network(find_network("gallery/parity"), {"n": 40}), arithmetic("float32")).cases()[1]) == 41


@pytest.mark.parametrize(
    ("part", "entry", "why"),
    [
        ("mask", "causal", ""),
        ("tokens", ["CLS", "reversed(w)"], "a string that is read once, in its order, was expected"),
        ("function", "w % 3 == 0", "a right answer that depends on the number of ones or on single bits was expected"),
    ],
)
def test_networks_without_states(part: str, entry: object, why: str) -> None:
    raw = msgspec.to_builtins(find_network("gallery/first"))
    (raw["layer"][1]["head"][0] if part == "mask" else raw["input"] if part == "tokens" else raw["accept"])[part] = entry
    assert not_applicable(network(msgspec.convert(raw, NetworkFile), {"n": 3}), arithmetic("e4m3")) == why


@pytest.mark.parametrize("form", ["exact", "e4m3+sums=pairwise", "e4m3+products=fused"])
def test_arithmetics_without_states(form: str) -> None:
    assert not_applicable(network(find_network("gallery/first"), {"n": 3}), arithmetic(form))


def test_a_verdict_up_to_64_symbols() -> None:
    """Nine times 1/18 is above one half in float64, so that Tracr's share of a tie is; FIRST is right on all 2^64 strings."""
    file = find_network("gallery/tracr-frac-prevs")
    cell = first_wrong("gallery/tracr-frac-prevs", file, arithmetic("float64"), range(15, 65))
    assert cell.method == METHOD
    assert cell.first_wrong is not None
    assert (cell.first_wrong.length, cell.first_wrong.strings) == (18, {"w": "0" * 9 + "1" * 9})
    total = 0.0
    for _ in range(9):
        total += np.float64(1) / np.float64(18)
    assert total > 0.5
    right = first_wrong("gallery/first", find_network("gallery/first"), arithmetic("e4m3"), range(60, 65))
    assert (right.first_wrong, right.decided_to, right.cases) == (None, 64, sum(2**n for n in range(60, 65)))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("form", ["float64", "float32", "float16", "bfloat16", "e5m2", "e4m3"])
def test_exponentials_are_those_of_the_definition(form: str) -> None:
    rng, how = random.Random(form), arithmetic(form)
    arguments = [float(np.float32(rng.uniform(-20, 5) * rng.choice([1, 0.1, 0.001, 40]))) for _ in range(500)]
    found, definition = exponentials(carrier(how), arguments), context(how)
    assert sum(value is not None for value in found) > 200
    for x, value in zip(arguments, found, strict=True):
        assert value is None or value == to_float(definition.exp(to_number(x)))
