"""Decoding by induction, of small networks made by hand: what is proved is what running every input shows, and neighbours are refused."""

from __future__ import annotations

import copy
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest

from tests.verifier.certificates.samples import INDUCTION, INPUTS, Change, put
from tests.verifier.certificates.test_rules import answered
from verifier.certificates.recheck_answers import Answers
from verifier.certificates.recheck_induction import Logits, between
from verifier.certificates.recheck_numbers import ends, numbers_of
from verifier.certificates.recheck_reading import At, Limits, Open
from verifier.certificates.statement import arithmetic_record, certificate, sealed


def form(constant: str = "", **terms: str) -> list[Any]:
    """A map of the coordinates x, one, h, or of hidden units 0 and 1."""
    places = {"x": "0", "one": "1", "h": "2", "first": "0", "second": "1"}
    return [[[places[name], c] for name, c in terms.items()], [constant] if constant else []]


def head(kind: str, bias: list[list[str]]) -> dict[str, Any]:
    empty = {part: [] for part in ("listed", "masked", "turns", "normed", "scale")}
    maps = {"query": [form(one="1")], "key": [form(one="0")], "value": [form(x="1")]}
    return {"kind": kind, "score": "product", "base": "e", "mask": "none", "bias": bias, **maps, **empty}


def decoder(
    strings: dict[str, str], heads: list[Any], network: list[Any], logits: list[Any], function: list[Any], outputs: list[Any]
) -> Any:
    layer = {"heads": heads, "combine": [["h", [["0", "0", ["1"]]]]], "residual": True, "network": network}
    tokens = [[[[name, str(k)]], [["0", "1", "0"], ["1", "1", "0"]]] for name, length in strings.items() for k in range(int(length))]
    record = {
        "coordinates": ["x", "one", "h"],
        "symbols": ["0", "1"],
        "letters": "2",
        "strings": strings,
        "tokens": [*tokens, [[], [["0", "1", "0"]]]],
        "outputs": outputs,
        "layers": [{**layer, "attention_norm": [], "network_norm": []}],
        "final_norm": [],
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
    network = [{**units, "rectified": False, "residual": False}]
    logits = [form("1/2", x="-1"), form("-1/2", x="1")]
    digits = [["%", ["//", ["+", "a", "b"], "1"], "2"]]
    return decoder({"a": "1", "b": "1"}, [head("softmax", [["0"] * 3] * 3)], network, logits, digits, [])


MADE = {"leftmost": copier("leftmost"), "rightmost": copier("rightmost"), "softmax": copier("softmax"), "adder": adder()}


@pytest.mark.parametrize("name", MADE)
def test_induction_and_every_input_agree(name: str) -> None:
    made = MADE[name]
    run = put("cases", 0, "evidence", value=INPUTS)(made)
    assert answered(made).startswith("accepted: right on all 4 inputs of ")
    assert answered(made) == answered(run)


NETWORK = ("cases", 0, "network")
HEAD, UNITS = (*NETWORK, "layers", 0, "heads", 0), (*NETWORK, "layers", 0, "network", 0)
DIGIT = [[["a", "0"]], [["0", "1", "0"], ["1", "1", "0"]]]
REFUSED: list[tuple[str, str, Change, str]] = [
    ("logits exchanged", "leftmost", put(*NETWORK, "output", "logits", value=lambda x: x[::-1]), "is not certainly chosen"),
    ("logits that are alike", "softmax", put(*NETWORK, "output", "logits", 0, value=form("-1/2", h="1")), "is not certainly chosen"),
    (
        "a token of another column",
        "softmax",
        put(*HEAD, "bias", 2, value=["40", "0", "0", "0"]),
        "later column",
    ),
    ("a copy that is not certain", "softmax", put(*HEAD, "bias", 2, 1, value="0"), "is not certainly chosen"),
    ("a tie that the other token wins", "leftmost", put(*HEAD, "bias", 2, 0, value="40"), "later column"),
    ("no linear attention", "adder", put(*HEAD, "kind", value="linear"), "weights that are bounded"),
    ("another sum", "adder", put(*NETWORK, "output", "function", 0, 1, 1, value=["*", "2", "a"]), "is not certainly chosen"),
    ("no digits of a sum", "adder", put(*NETWORK, "output", "function", 0, 1, 2, value="2"), "right outputs S//B**(k - 1) % B"),
    ("a promise", "adder", put(*NETWORK, "output", "promise", value=["==", "a", "b"]), "outputs up to a length"),
    ("an end of the output", "adder", put(*NETWORK, "output", "until", value="1"), "outputs up to a length"),
    ("a hinge too steep", "adder", put(*UNITS, "hidden", 0, 0, 0, 1, value="1"), "is not certainly chosen"),
    (
        "a hinge the other way",
        "adder",
        put(*UNITS, "into", 0, 1, 0, 1, 1, value="1"),
        "is not certainly chosen",
    ),
    ("a value that is not finite", "adder", put(*NETWORK, "tokens", 0, 1, 1, 0, value="1000000"), "a value is not finite"),
    ("a score that is not finite", "adder", put(*HEAD, "bias", 2, 0, value="1000000"), "a score is not finite"),
    ("sums in another order", "adder", put("arithmetic", "sums", value="pairwise"), "from left to right"),
    ("fixed point on a grid", "adder", put("arithmetic", value=lambda x: {**x, "format": "fixed:8:1/4"}), "from left to right"),
    (
        "a digit at the end",
        "adder",
        put(*NETWORK, "tokens", 2, value=DIGIT),
        "ends with a digit",
    ),
]


@pytest.mark.parametrize(("title", "name", "change", "reason"), REFUSED, ids=[line[0] for line in REFUSED])
def test_a_neighbour_is_refused(title: str, name: str, change: Change, reason: str) -> None:
    said = answered(sealed(change(copy.deepcopy(MADE[name]))))
    assert not said.startswith("accepted"), said
    assert reason in said


def hinges(rng: Random, activation: str, gated: bool) -> Any:
    """A layer behind the heads, with pairs of hidden units whose inside is nearly the same."""
    number = partial(rng.choice, ["1", "-1", "1/2", "3/2", "-5/4", "2", "-3"])
    near, gate = {"x": number(), "h": number()}, number()
    hidden = [form(number(), **near), form(number(), **near), form("", h=number())]
    gates = [form("", x=gate), form("", x=rng.choice([gate, number()])), form("1", one=number())] if gated else []
    weight = number()
    into = [["x", [[["0", weight], ["1", str(-Fraction(weight))], ["2", number()]], []]], ["h", [[["0", "-1"], ["1", "1"]], []]]]
    units = {"activation": activation, "hidden": hidden, "gate": gates, "into": into, "factor": [], "rectified": False}
    return [{**units, "residual": rng.random() < 0.5}]


@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("activation", ["relu", "silu", "identity"])
def test_a_box_holds_what_every_number_in_it_comes_to(activation: str, gated: bool) -> None:
    """Differences of hidden units, and of logits."""
    rng, narrower = Random(f"{activation} {gated}"), 0
    for _ in range(200):
        logits = [form("", x=rng.choice(["1", "2"]), h="1"), form("", x="1", h=rng.choice(["1", "3/4"]))]
        made = decoder(
            {"a": "1"}, [head("softmax", [["0"] * 2] * 2)], hinges(rng, activation, gated), logits, [["%", ["//", "a", "1"], "2"]], []
        )
        name = rng.choice(["float:4:3", "e4m3"])
        numbers = numbers_of(At(arithmetic_record({"format": name, "overflow": "nan" if name == "e4m3" else "infinity"})), Limits())
        answers = Answers(At(made["cases"][0]["network"]), numbers)
        logit = Logits(answers, answers.network.layers[0], [])
        x = [numbers.constant(At(rng.choice(["0", "1", "-2", "1/2"]))) for _ in range(3)]
        values = sorted({numbers.fraction(Fraction(rng.randint(-64, 64), 16)) for _ in range(2)})
        held = [v for v in range(values[0], values[-1] + 1) if numbers.narrow.settle(v) == v]
        try:
            inside = logit.at_end(logit.boxes, x, [[between(values[0], values[-1])]])
        except Open:
            continue
        for value in rng.sample(held, min(8, len(held))):
            found = logit.at_end(answers.network, x, [[value]])
            assert all(ends(box)[0] <= exact <= ends(box)[1] for box, exact in zip(inside, found, strict=True))
            for right in (0, 1):
                assert answers.chosen(found) == right or not logit.certain(x, right, [[between(values[0], values[-1])]])
        narrower += len(held) > 2
    assert narrower > 60
