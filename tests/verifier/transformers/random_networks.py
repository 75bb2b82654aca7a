"""Small random networks and arithmetics, for tests that hold one way of computing against another."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from verifier.arithmetic.semantics import Arithmetic
from verifier.transformers.records import FORMAT, NetworkFile

NAMES = ("a", "b", "c", "d")
FORMATS = ("float64", "float32", "float16", "bfloat16", "e5m2", "e4m3", "e3m2", "e2m3", "e2m1", "int8:1/64", "int8:1/4", "fixed:12:1/32")


def _coefficient(random: random.Random) -> str:
    return random.choice(["1", "-1", "2", "1/3", "-5/4", "10", "1/sqrt(2)", "exp(3)", "-1/1000", "1000"])


def _map(random: random.Random, names: tuple[str, ...] = NAMES) -> str:
    terms = [f"{_coefficient(random)}*{name}" for name in names if random.random() < 0.5]
    if random.random() < 0.3:
        terms.append(random.choice(["1", "-1/2", "cos(1)", "3"]))
    return " + ".join(terms) or "0"


def _head(random: random.Random) -> dict[str, Any]:
    width = random.choice([0, 0, 1, 2, 2, 4])
    head: dict[str, Any] = {
        "kind": random.choice(["softmax", "softmax", "softmax-plus-one", "linear", "leftmost", "rightmost", "average-hard"]),
        "query": [_map(random) for _ in range(width)],
        "key": [_map(random) for _ in range(width)],
        "value": {name: _map(random) for name in random.sample(NAMES, random.choice([1, 2]))},
        "mask": random.choice(["none", "none", "causal", "strictly-causal"]),
    }
    if random.random() < 0.3:
        head["scale"] = random.choice(["1/sqrt(3)", "1/2", "10", "0"])
    if head["mask"] != "none" and random.random() < 0.3:
        head["masked"] = random.choice(["-10000", "-1", "0"])
    if random.random() < 0.2:
        head["bias"] = random.choice(["(j - i)/2", "-abs(i - j)", "1/(j + 1)", "sqrt(i + j)"])
    if width and random.random() < 0.1:
        head["normed"] = random.choice(["1/1000000", "1"])
    if random.random() < 0.1:
        head["where"] = random.choice(["j != 1", "(i + j) % 2 == 0", "j == 0 or i == j"])
    if width and width % 2 == 0 and random.random() < 0.3:
        head["rotary"] = [random.choice(["1", "1/100", "2*pi/19"]) for _ in range(width // 2)]
    if random.random() < 0.2:
        head["score"] = "minus-absolute"
    return head


def _norm(random: random.Random) -> dict[str, Any]:
    norm: dict[str, Any] = {
        "eps": random.choice(["0", "1/100000", "1"]),
        "kind": random.choice(["layer", "rms"]),
        "place": random.choice(["before", "after"]),
    }
    if random.random() < 0.3:
        norm |= {"gain": {"a": "3/2"}, "shift": {"b": "1/10", "a": "-1"}}
    if random.random() < 0.3:
        norm["only"] = ["a", "b", "d"]
    return norm


def _layer(random: random.Random) -> dict[str, Any]:
    layer: dict[str, Any] = {
        "head": [_head(random) for _ in range(random.choice([0, 1, 1, 2]))],
        "scale": random.choice(["1", "1/sqrt(5)"]),
    }
    layer["residual"] = not layer["head"] or random.random() < 0.9
    if random.random() < 0.7:
        units = ("u", "v", "w")
        layer["network"] = {
            "hidden": {unit: _map(random) for unit in units},
            "into": {name: _map(random, units) for name in random.sample(NAMES, 2)},
            "activation": random.choice(["relu", "relu", "clipped-relu", "step", "identity", "silu"]),
            "gate": {unit: _map(random) for unit in units} if random.random() < 0.2 else {},
            "residual": random.random() < 0.9,
            "factor": random.choice([None, None, None, "1/3"]),
        }
    if random.random() < 0.3:
        layer["norm"] = _norm(random)
    return layer


def named(name: str) -> dict[str, Any]:
    """The beginning of a file of a network over strings of n symbols."""
    return {"format": FORMAT, "id": name, "title": "for tests", "source": "none", "parameters": {"n": {"where": "n >= 1"}}}


def random_network(random: random.Random) -> NetworkFile:
    """A network of one to three layers over strings of n bits and a special token."""
    return msgspec.convert(
        {
            **named("random"),
            "input": {"strings": {"w": "n"}, "tokens": random.choice([["w", "CLS"], ["CLS", "w"]]), "first": random.choice([0, 1])},
            "coordinates": list(NAMES),
            "embedding": {
                "a": random.choice(["1 if token == 1 else 0", "token", "3*token - 1"]),
                "b": random.choice(["i", "i/(n + 1)", "cos(i)", "cospi(i)", "1/3"]),
                "c": random.choice(["1 if token == CLS else -1", "token*i/7", "sqrt(i + 1)"]),
            },
            "layer": [_layer(random) for _ in range(random.choice([1, 2, 3]))],
            "final_norm": _norm(random) if random.random() < 0.1 else None,
            "accept": {"function": "popcount(w) > 0", "at": "CLS", "yes": "a > 0"},
        },
        NetworkFile,
    )


def random_arithmetic(random: random.Random, formats: tuple[str, ...] = FORMATS) -> Arithmetic:
    """A format with knobs; half of them at their defaults."""
    form = random.choice(formats)
    if random.random() < 0.4:
        return Arithmetic(form)
    wide = random.choice(["", "", "float32", "float64"]) if form not in ("float32", "float64") else ""
    products = "rounded" if form == "float64" or wide == "float64" else random.choice(["rounded", "narrow", "fused"])
    orders = ["left-to-right", "split:2", "split:3"] if products == "fused" else ["left-to-right", "pairwise", "numpy", "split:2"]
    overflow = ""
    if form == "e4m3":
        overflow = random.choice(["nan", "saturate"])
    elif form in ("float16", "bfloat16", "e5m2", "float32"):
        overflow = random.choice(["after", "saturate", "nan"])
    return Arithmetic(
        form,
        sums=random.choice(orders),
        products=products,
        accumulate=wide,
        maximum=random.choice(["subtracted", "kept"]),
        division=random.choice(["weights", "output"]),
        scaling=random.choice(["scores", "query"]),
        root=random.choice(["divide", "multiply"]),
        overflow=overflow,
        underflow="subnormals" if "float64" in (form, wide) else random.choice(["subnormals", "subnormals", "flush"]),
    )


def random_adder(random: random.Random) -> NetworkFile:
    """A network with one layer of heads that appends the digits of 2a + b in base 3: mostly wrong ones."""
    layer = _layer(random)
    layer["head"] = layer["head"] or [_head(random)]
    layers = [layer] + [_layer(random) | {"head": [], "residual": True} for _ in range(random.choice([0, 1]))]
    return msgspec.convert(
        {
            **named("random"),
            "input": {
                "strings": {"a": "n", "b": "n"},
                "tokens": random.choice([["a", "SEP", "b", "SEP"], ["reversed(a)", "reversed(b)", "SEP"]]),
                "alphabet": ["0", "1", "2"],
            },
            "coordinates": list(NAMES),
            "embedding": {
                "a": random.choice(["0 if token == SEP else token", "3*token - 1"]),
                "b": random.choice(["i", "cos(i)", "1/3"]),
                "c": random.choice(["1 if token == SEP else -1", "token*i/7"]),
            },
            "layer": layers,
            "decode": {
                "steps": "n + 1",
                "function": "(2*a + b)//3**(k - 1) % 3",
                "logits": {"0": random.choice(["0", _map(random)]), "1": "2*a - 1 + d", "2": "4*a - 4 + 2*d"},
            },
        },
        NetworkFile,
    )
