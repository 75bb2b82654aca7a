"""Rows of states, held against every input: the first wrong input is the same, whatever the conditions and the format are."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.verifier.certificates.samples import titled
from tests.verifier.transformers.random_networks import random_arithmetic, random_network
from verifier.transformers import counted, interned
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.arithmetic import Arithmetic, arithmetic
from verifier.transformers.counted import first_wrong_state
from verifier.transformers.enumeration import method_of
from verifier.transformers.files import find_network
from verifier.transformers.network import Network, network
from verifier.transformers.records import NetworkFile


def hold(built: Network, how: Arithmetic) -> bool:
    """Whether an input is wrong; the first one is."""
    found = first_wrong_state(built, how)
    wrong = wrong_by_arrays(built, how, list(built.input.every()))
    assert found == (wrong[0] if wrong else None)
    return bool(wrong)


@pytest.mark.parametrize(
    ("name", "how", "wrong"),
    [("parity", "float32", False), ("parity", "e4m3", True), ("parity", "int8:1/64", True), ("parity", "e5m2+division=output", True)],
    ids=titled,
)
def test_states_of_the_gallery(name: str, how: str, wrong: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "CHUNK", 20)  # two or three states at a time
    found = [hold(network(find_network(f"gallery/{name}"), {"n": n}), arithmetic(how)) for n in (1, 6, 9)]
    assert any(found) == wrong


def of_seed(seed: int) -> tuple[Network, Arithmetic]:
    """A random network whose first layer averages."""
    rng = random.Random(seed)
    raw = msgspec.to_builtins(random_network(rng))
    for head in raw["layer"][0]["head"]:
        head |= {"query": [], "key": [], "mask": "none", "kind": rng.choice(["softmax", "softmax-plus-one", "average-hard"])}
        head |= {"bias": None, "where": "", "masked": "-inf", "rotary": [], "normed": None}
    for layer in raw["layer"][1:]:
        for head in layer["head"]:
            head |= {"key": ["b" for _ in head["key"]], "value": dict.fromkeys(head["value"], rng.choice(["b", "d", "b + d"]))}
    raw["accept"] |= {
        "function": rng.choice(["popcount(w) % 2 == 1", "w[1] == 1", "popcount(w) > w[n]"]),
        "yes": rng.choice(["a > 0", "a >= 1", "a + b > 0", "d == 0", "-1 < a < 2"]),
        "no": rng.choice(["", "a < 0", "b != 1", "d <= 2"]),
    }
    return network(msgspec.convert(raw, NetworkFile), {"n": rng.choice([1, 3, 5])}), random_arithmetic(rng)


def compare(seed: int) -> bool:
    built, how = of_seed(seed)
    if method_of(how) != "arrays" or interned.not_applicable(built, how):
        return False
    hold(built, how)
    return True


def test_states_of_random_networks() -> None:
    assert sum(map(compare, range(60))) > 9


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(20))
def test_states_of_many_random_networks(block: int) -> None:
    for seed in range(1000 + 200 * block, 1200 + 200 * block):
        compare(seed)
