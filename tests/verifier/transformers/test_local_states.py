"""One-hot attention, held against every input: each input has one case of each token, and the vector of the definition."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import msgspec
import pytest

from tests.random_subjects import random_arithmetic, random_network
from tests.rows import titled
from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.running.errors import LimitError
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import run
from verifier.transformers.local_states import METHOD, LocalStates, smallest_wrong
from verifier.transformers.network import Network, network
from verifier.transformers.outputs import judged
from verifier.transformers.precision import first_wrong
from verifier.transformers.records import NetworkFile


def hold(built: Network, how: Arithmetic) -> int:
    """Every input agrees with one case of each token after each layer, whose vector it has. How many cases the answer has."""
    states = LocalStates(built, how)
    layers = list(states.layers())
    for strings in built.input.every():
        known = {(name, k): symbol for name, string in strings.items() for k, symbol in enumerate(string)}
        made = run(built, built.input.tokens(strings), context(how))
        for cases, vectors in zip(layers, [made.embedding, *(layer.network for layer in made.layers)], strict=True):
            for each, vector in zip(cases, vectors, strict=True):
                agreeing = [case for case in each if case.agrees(known)]
                assert [case.vector for case in agreeing] == ([vector] if each else [])
    wrong = [strings for strings in built.input.every() if not judged(built, strings, context(how)).answer.right]
    found = smallest_wrong(built, how)
    assert (found and found[0]) == (wrong[0] if wrong else None)
    return len(layers[-1][states.at])


def of_seed(seed: int) -> tuple[Network, Arithmetic]:
    """A random network with large scores, and a right answer that reads one symbol or all."""
    rng = random.Random(seed)
    raw = random_network("pointing", rng)
    return network(msgspec.convert(raw, NetworkFile), {"n": rng.choice([1, 2, 3])}), arithmetic(random_arithmetic(rng, of_tables=False))


def compare(seed: int) -> int:
    """How many inputs fewer than all are run, −1 where the engine does not apply."""
    built, how = of_seed(seed)
    try:
        return built.input.count - hold(built, how)
    except LimitError:
        return -1


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(20))
def test_many_random_networks(block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        compare(seed)


POINTER = Path(__file__).with_name("pointer.toml").read_text(encoding="utf-8")


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("kind", "how"), [("softmax", "float16"), ("leftmost", "exact"), ("average-hard", "bfloat16+sums=pairwise")], ids=titled
)
def test_heads_that_look_where_a_symbol_points(kind: str, how: str) -> None:
    """Which token the second layer reads depends on the case: 3 of the first token, 9 of the second, 3 of the last. On all 3^20 strings."""
    file = msgspec.convert(tomllib.loads(POINTER.replace("KIND", kind)), NetworkFile)
    assert hold(network(file, {"n": 3}), arithmetic(how)) == 3 + 9 + 3
    cell = first_wrong("pointer", file, arithmetic(how), range(20, 21))
    assert (cell.method, cell.cases, cell.first_wrong and cell.first_wrong.strings) == (METHOD, 3**20, None)
