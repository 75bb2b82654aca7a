"""Small networks that append digits, made by hand."""

from __future__ import annotations

from typing import Any

from tests.verifier.certificates.samples import INDUCTION
from verifier.certificates.statement import arithmetic_record, certificate, layer_record


def form(constant: str = "", **terms: str) -> list[Any]:
    """A map of the coordinates x, one, h, or of hidden units 0 and 1."""
    places = {"x": "0", "one": "1", "h": "2", "first": "0", "second": "1"}
    return [[[places[name], c] for name, c in terms.items()], [constant] if constant else []]


def head(kind: str, bias: list[list[str]]) -> dict[str, Any]:
    empty = {part: [] for part in ("seen", "turns", "normed", "scale")}
    maps = {"query": [form(one="1")], "key": [form(one="0")], "value": [form(x="1")]}
    return {"kind": kind, "score": "product", "base": "e", "bias": bias, **maps, **empty}


def decoder(
    strings: dict[str, str], heads: list[Any], network: list[Any], logits: list[Any], function: list[Any], outputs: list[Any]
) -> Any:
    layers = [layer_record(heads=heads, combine=[["h", [["0", "0", "1"]]]]), *network]
    tokens = [[[[name, str(k)]], [["0", "1", "0"], ["1", "1", "0"]]] for name, length in strings.items() for k in range(int(length))]
    record = {
        "coordinates": ["x", "one", "h"],
        "symbols": ["0", "1"],
        "letters": "2",
        "strings": strings,
        "tokens": [*tokens, [[], [["0", "1", "0"]]]],
        "outputs": outputs,
        "layers": layers,
        "output": {"kind": "decode", "function": function, "promise": "true", "until": "", "logits": logits},
    }
    case = {"parameters": {}, "network": record, "evidence": INDUCTION}
    return certificate("mine", "", arithmetic_record({"format": "float16", "overflow": "infinity"}), [case])


def copier(kind: str) -> Any:
    """It appends a string of two bits from its last one: each output copies one token, by its position."""
    bias = [["0"] * 4 for _ in range(4)]
    bias[2][1] = bias[3][0] = "40"
    digits = [["%", ["//", "s", "1"], "2"], ["%", ["//", "s", "2"], "2"]]
    logits = [form("1/2", h="-1"), form("-1/2", h="1")]
    return decoder({"s": "2"}, [head(kind, bias)], [], logits, digits, [[["0", "1", "0"], ["1", "1", "0"]]])


def adder() -> Any:
    """It appends the last digit of a + b of one bit each: a head sums three tokens, and two hinges say how far the sum is from 1."""
    hidden = [form("-1", h="3"), form("1", h="-3")]
    units = {"activation": "relu", "hidden": hidden, "gate": [], "into": [["x", form("1", first="-1", second="-1")]], "factor": []}
    network = [layer_record(units=[units], residual=False)]
    logits = [form("1/2", x="-1"), form("-1/2", x="1")]
    digits = [["%", ["//", ["+", "a", "b"], "1"], "2"]]
    return decoder({"a": "1", "b": "1"}, [head("softmax", [["0"] * 3] * 3)], network, logits, digits, [])


MADE = {"leftmost": copier("leftmost"), "rightmost": copier("rightmost"), "softmax": copier("softmax"), "adder": adder()}
