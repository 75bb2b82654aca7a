"""Small random tables and networks as the content of their files, and random names of arithmetics: nothing of the program is used."""

from __future__ import annotations

import json
from random import Random
from typing import Any

ENTRIES = ("0", "0", "1", "-1", "2", "-2", "1/2", "3", "-4", "8", "1/3", "-3/4")
KEYS = ("0", "0", "1", "-1", "2", "-2", "3", "1/2", "-5", "-N", "-N")
KNOBS = {
    "rounding": ("nearest", "truncate"),
    "ties": ("zero", "even", "away"),
    "overflow": ("after", "before", "saturate"),
    "order": ("ax", "values", "products"),
    "columns": ("used", "all"),
    "entries": ("exact", "rounded"),
    "ln2": ("ideal", "rounded"),
}
OF_FORMATS = (
    *("a4+format=fixed:5", "a4+format=e5m2", "narrative+format=e5m2+ties=away", "a4+format=int8:1/4", "a4+zeros=skipped+order=values"),
    *("float16", "e5m2", "e4m3", "e3m2+sums=pairwise", "bfloat16+division=output", "e5m2+rounding=dot-product", "numpy-float16"),
)
"""Arithmetics of tables that fix the number format, or are computed by the definition alone."""
OF_TABLES = {
    "rounding": ("truncate", "dot-product"),
    "ties": ("zero", "away"),
    "order": ("ax", "products"),
    "columns": ("all",),
    "zeros": ("kept",),
    "underflow": ("nearest",),
}
"""Knobs whose settings were of tables alone, and change what a network computes."""
KINDS = ("ordered", "mixed", "separate", "nearly right", "columns", "several bits", "one string", "two columns", "wild")
"""Tables: y before z · in any order · the first half of the strings in the numerator, the second in the denominator · right for EQ but
for at most one entry · a column of W^V for each position · tokens that hold several bits · strings of other problems · two value columns ·
large entries, so that infinities and NaN come up."""
NAMES = ("a", "b", "c", "d")
FORMATS = ("float64", "float32", "float16", "bfloat16", "e5m2", "e4m3", "e3m2", "e2m3", "e2m1", "int8:1/64", "int8:1/4", "fixed:12:1/32")
FAMILIES = ("any", "averaging", "causal", "pointing", "appending")
"""Networks: of any kind · whose first layer averages · with one string before the token that answers · with large scores · that append."""


def toml(value: Any) -> str:
    """A value as a TOML file has it; None is left out of tables."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(each)}" for key, each in value.items() if each is not None) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def file_text(content: dict[str, Any]) -> str:
    """The text of a file with this content."""
    return "".join(f"{key} = {toml(value)}\n" for key, value in content.items())


def random_reading(rng: Random) -> str:
    """Some knobs turned, in a quarter of the cases on a fixed grid; in another quarter an arithmetic with a format."""
    if rng.random() < 0.25:
        return rng.choice(OF_FORMATS)
    turned = [f"{knob}={rng.choice(settings)}" for knob, settings in KNOBS.items() if rng.random() < 0.4]
    grid = [f"scale={rng.choice(('1', '1/2', '3', '2/3', '1/64'))}"] if rng.random() < 0.25 else []
    return "+".join(["a4", *turned, *grid])


def random_table(kind: str, rng: Random) -> dict[str, Any]:
    """A well-formed table of one kind on strings of at most three bits, as the content of its file."""
    m = rng.choice((1, 2, 3)) if kind not in ("nearly right", "columns") else rng.choice((2, 3))
    strings = {"x": m} if kind == "one string" else {"y": m, "z": m}
    bits = [f"{string}[{k}]" for string in strings for k in range(1, m + 1)]
    contents: list[list[str]] = [[bit] for bit in bits for _ in range(rng.choice((1, 1, 1, 2, 0)) if kind in ("ordered", "mixed") else 1)]
    if kind in ("mixed", "wild"):
        rng.shuffle(contents)
    if kind == "several bits":
        contents = [rng.sample(bits, rng.choice((1, 2))) for _ in range(rng.randint(2, 4))]
        contents = [[f"~{bit}" if rng.random() < 0.2 else bit for bit in each] for each in contents]
    contents = [*contents, []]
    outputs = 2 if kind == "two columns" else 1
    width = 2 + (m if kind == "columns" else rng.choice((1, 2)) if kind != "two columns" else 2)
    rows = []
    for i, held in enumerate(contents, 1):
        zero, one = (_vector(kind, rng, held, m, width) for _ in range(2))
        rows.append({"step": i, "i": str(i), "zero": zero, "one": one if held else None})
    if kind == "nearly right":
        _make_right(rows, contents, rng)
    promise = rng.choice(("y <= z", "y <= z", "none", "y <= z and z[1] == 1")) if len(strings) == 2 else "none"
    function = rng.choice(("EQ", "EQ", "EQ", "GT")) if len(strings) == 2 else rng.choice(("popcount(x) % 2 == 1", "x[1] == x[m]", "x > 1"))
    if kind == "nearly right":
        function, promise = "EQ", rng.choice(("y <= z", "none"))
    hidden, output = _network(kind, rng, outputs)
    constant = [rng.choice(ENTRIES) if kind == "wild" else "0" for _ in range(outputs)]
    value = [constant, ["0"] * outputs, *([rng.choice(ENTRIES[2:]) for _ in range(outputs)] for _ in range(width - 2))]
    if kind in ("nearly right", "columns"):
        value = [["0"], ["0"], *([["1"]] * (width - 2))]
    return {
        "format": "bitreferee/construction/1",
        "id": "random",
        "title": "random",
        "source": "none",
        "parameters": {"m": {"where": f"m == {m}"}},
        "precision": {"bits": rng.randint(2, 6) if kind != "nearly right" else 8},
        "problem": {"function": function, "promise": promise} | ({"length": m} if len(strings) == 2 else {"strings": strings}),
        "tokens": {"first": 1, "last": len(contents)},
        "input": [{"i": str(i), "reads": held or 0} for i, held in enumerate(contents, 1)],
        "row": rows,
        "attention": "linear" if rng.random() < 0.15 and kind not in ("nearly right", "columns") else "softmax",
        "weights": {
            "query": {"matrix": [[1], *([[0]] * (width - 1))], "times": "ln2" if rng.random() < 0.7 or kind == "nearly right" else "1"},
            "key": {"matrix": [[0], [1], *([[0]] * (width - 2))]},
            "value": {"matrix": value},
        },
        "mlp": {"hidden": hidden, "output": output},
    }


def _vector(kind: str, rng: Random, held: list[str], m: int, width: int) -> list[str]:
    large = 64 if kind == "wild" else 1
    key = rng.choice(KEYS)
    entries = [f"{large}*({rng.choice(ENTRIES)})" if large > 1 and rng.random() < 0.5 else rng.choice(ENTRIES) for _ in range(width - 2)]
    if kind == "separate" and held:
        early = int(held[0][2]) <= (m + 1) // 2
        key, entries = ("-1", entries) if early else (key, ["0"] * (width - 2))
    if kind == "several bits" and held:
        entries[0] = f"{entries[0]} + f1" if len(held) == 1 else f"{entries[0]} + f1*f2"
    if kind == "columns":
        place = int(held[0][2]) if held else 0
        key = "-1"
        entries = [rng.choice(("0", "1", "-1")) if k == m - place else "0" for k in range(m)]
    return ["1", key, *entries]


def _make_right(rows: list[dict[str, Any]], contents: list[list[str]], rng: Random) -> None:
    """Each bit of y adds to the numerator what the same bit of z takes away; then one entry may be changed."""
    for row, held in zip(rows, contents, strict=True):
        if held:
            sign, place = (1 if held[0][0] == "y" else -1), int(held[0][2])
            row["zero"], row["one"] = (["1", "0", str(bit * sign * 2**place), *["0"] * (len(row["zero"]) - 3)] for bit in (0, 1))
        else:
            row["zero"] = ["1", "0", *["0"] * (len(row["zero"]) - 2)]
    if rng.random() < 0.8:
        changed = rng.choice(rows[:-1])[rng.choice(("zero", "one"))]
        at = rng.choice((1, 2))
        changed[at] = rng.choice(("1", "-1", "2", "1/2", "-2"))


def _network(kind: str, rng: Random, outputs: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    if kind in ("nearly right", "columns"):
        steep = {"weights": ["-8", "-8"], "bias": 1}
        return [{"weights": ["1"], "bias": 0}, {"weights": ["-1"], "bias": 0}], steep
    hidden = [
        {"weights": [rng.choice(ENTRIES) for _ in range(outputs)], "bias": rng.choice(ENTRIES)} for _ in range(rng.choice((0, 1, 2, 2)))
    ]
    return hidden, {"weights": [rng.choice(ENTRIES) for _ in hidden], "bias": rng.choice(("1", "1", "0", "1/2"))}


def random_arithmetic(rng: Random, of_tables: bool = True) -> str:
    """A format with knobs, also those of tables if ``of_tables``; in two fifths of the cases all at their defaults."""
    form = rng.choice(FORMATS)
    if rng.random() < 0.4:
        return form
    wide = rng.choice(("", "", "float32", "float64")) if form not in ("float32", "float64") else ""
    products = "rounded" if "float64" in (form, wide) else rng.choice(("rounded", "narrow", "fused"))
    overflow = ""
    if form == "e4m3":
        overflow = rng.choice(("nan", "saturate"))
    elif form in ("float16", "bfloat16", "e5m2", "float32"):
        overflow = rng.choice(("infinity", "saturate", "nan"))
    turned = {
        "sums": rng.choice(
            ("left-to-right", "split:2", "split:3") if products == "fused" else ("left-to-right", "pairwise", "numpy", "split:2")
        ),
        "products": products,
        "accumulate": wide,
        "maximum": rng.choice(("subtracted", "kept")),
        "division": rng.choice(("weights", "output")),
        "scaling": rng.choice(("scores", "query")),
        "root": rng.choice(("divide", "multiply")),
        "overflow": overflow,
        "subnormals": "kept" if "float64" in (form, wide) else rng.choice(("kept", "kept", "flushed")),
    }
    if of_tables and rng.random() < 0.25:
        turned |= {knob: rng.choice(settings) for knob, settings in OF_TABLES.items() if rng.random() < 0.5}
    return "+".join([form, *(f"{knob}={setting}" for knob, setting in turned.items() if setting)])


def _map(rng: Random, names: tuple[str, ...] = NAMES) -> str:
    coefficients = ("1", "-1", "2", "1/3", "-5/4", "10", "1/sqrt(2)", "exp(3)", "-1/1000", "1000")
    terms = [f"{rng.choice(coefficients)}*{name}" for name in names if rng.random() < 0.5]
    if rng.random() < 0.3:
        terms.append(rng.choice(("1", "-1/2", "cos(1)", "3")))
    return " + ".join(terms) or "0"


def _head(rng: Random) -> dict[str, Any]:
    width = rng.choice((0, 0, 1, 2, 2, 4))
    head: dict[str, Any] = {
        "kind": rng.choice(("softmax", "softmax", "softmax", "softmax-plus-one", "linear", "leftmost", "rightmost", "average-hard")),
        "query": [_map(rng) for _ in range(width)],
        "key": [_map(rng) for _ in range(width)],
        "value": {name: _map(rng) for name in rng.sample(NAMES, rng.choice((1, 2)))},
        "mask": rng.choice(("none", "none", "causal", "strictly-causal")),
    }
    if rng.random() < 0.3:
        head["scale"] = rng.choice(("1/sqrt(3)", "1/2", "10", "0"))
    if head["mask"] != "none" and rng.random() < 0.3:
        head["masked"] = rng.choice(("-10000", "-1", "0"))
    if rng.random() < 0.2:
        head["bias"] = rng.choice(("(j - i)/2", "-abs(i - j)", "1/(j + 1)", "sqrt(i + j)"))
    if width and rng.random() < 0.1:
        head["normed"] = rng.choice(("1/1000000", "1"))
    if rng.random() < 0.1:
        head["where"] = rng.choice(("j != 1", "(i + j) % 2 == 0", "j == 0 or i == j"))
    if width in (2, 4) and rng.random() < 0.3:
        head["rotary"] = [rng.choice(("1", "1/100", "2*pi/19")) for _ in range(width // 2)]
    if rng.random() < 0.2:
        head["score"] = "minus-absolute"
    return head


def _norm(rng: Random) -> dict[str, Any]:
    norm: dict[str, Any] = {
        "eps": rng.choice(("0", "1/100000", "1")),
        "kind": rng.choice(("layer", "rms")),
        "place": rng.choice(("before", "after")),
    }
    if rng.random() < 0.3:
        norm |= {"gain": {"a": "3/2"}, "shift": {"b": "1/10", "a": "-1"}}
    if rng.random() < 0.3:
        norm["only"] = ["a", "b", "d"]
    return norm


def _layer(rng: Random) -> dict[str, Any]:
    layer: dict[str, Any] = {"head": [_head(rng) for _ in range(rng.choice((0, 1, 1, 2)))], "scale": rng.choice(("1", "1/sqrt(5)"))}
    layer["residual"] = not layer["head"] or rng.random() < 0.9
    units = ("u", "v", "w")
    if rng.random() < 0.7:
        layer["network"] = {
            "hidden": {unit: _map(rng) for unit in units},
            "into": {name: _map(rng, units) for name in rng.sample(NAMES, 2)},
            "activation": rng.choice(("relu", "relu", "clipped-relu", "step", "identity", "silu")),
            "gate": {unit: _map(rng) for unit in units} if rng.random() < 0.2 else {},
            "residual": rng.random() < 0.9,
            "factor": rng.choice((None, None, None, "1/3")),
        }
    if rng.random() < 0.3:
        layer["norm"] = _norm(rng)
    return layer


def named(name: str) -> dict[str, Any]:
    """The beginning of a file of a network over strings of n symbols."""
    return {"format": "bitreferee/network/1", "id": name, "title": "for tests", "source": "none", "parameters": {"n": {"where": "n >= 1"}}}


def random_network(family: str, rng: Random) -> dict[str, Any]:
    """A network of one to three layers over strings of n bits and a special token, as the content of its file."""
    content: dict[str, Any] = {
        **named("random"),
        "input": {"strings": {"w": "n"}, "tokens": rng.choice((["w", "CLS"], ["CLS", "w"])), "first": rng.choice((0, 1))},
        "coordinates": list(NAMES),
        "embedding": {
            "a": rng.choice(("1 if token == 1 else 0", "token", "3*token - 1")),
            "b": rng.choice(("i", "i/(n + 1)", "cos(i)", "cospi(i)", "1/3")),
            "c": rng.choice(("1 if token == CLS else -1", "token*i/7", "sqrt(i + 1)")),
        },
        "layer": [_layer(rng) for _ in range(rng.choice((1, 2, 3)))],
    }
    function = rng.choice(("popcount(w) % 2 == 1", "w[1] == 1", "popcount(w) > w[n]", "w[n] == 0"))
    content["accept"] = {"function": function, "at": "CLS", "yes": rng.choice(("a > 0", "a >= 1", "a + b > 0", "d == 0", "-1 < a < 2"))}
    heads = [head for layer in content["layer"] for head in layer["head"]]
    if family == "averaging":
        for head in content["layer"][0]["head"]:
            head |= {"query": [], "key": [], "mask": "none", "kind": rng.choice(("softmax", "softmax-plus-one", "average-hard"))}
            for knob in ("bias", "where", "masked", "rotary", "normed"):
                head.pop(knob, None)
        for layer in content["layer"][1:]:
            for head in layer["head"]:
                head |= {"key": ["b" for _ in head["key"]], "value": dict.fromkeys(head["value"], rng.choice(("b", "d", "b + d")))}
    if family == "causal":
        content["input"]["tokens"] = ["w", "CLS"]
        del content["layer"][2:]
    if family == "pointing":
        for head in heads:
            head["scale"] = rng.choice(("1", "100", "1000"))
    if family == "appending":
        content |= {"input": {"strings": {"w": "n"}, "tokens": ["w", "CLS"], "alphabet": ["0", "1", "2"]}}
        content["embedding"] = {"a": "0 if token == CLS else token", "b": rng.choice(("i", "cos(i)")), "c": "1 if token == CLS else -1"}
        content["layer"] = content["layer"][:1] if heads else [{"head": [_head(rng)]}]
        del content["accept"]
        content["decode"] = {
            "steps": "n",
            "function": rng.choice(("w(k)", "w(n + 1 - k)", "(w(k) + 1) % 3")),
            "logits": {"0": rng.choice(("0", _map(rng))), "1": "2*a - 1 + d", "2": "4*a - 4 + 2*d"},
        }
    return content


def random_adder(rng: Random) -> dict[str, Any]:
    """A network with one layer of heads that appends the digits of 2a + b in base 3, mostly wrong ones, as the content of its file."""
    layer = _layer(rng)
    layer["head"] = layer["head"] or [_head(rng)]
    return {
        **named("random"),
        "input": {
            "strings": {"a": "n", "b": "n"},
            "tokens": rng.choice((["a", "SEP", "b", "SEP"], ["reversed(a)", "reversed(b)", "SEP"])),
            "alphabet": ["0", "1", "2"],
        },
        "coordinates": list(NAMES),
        "embedding": {
            "a": rng.choice(("0 if token == SEP else token", "3*token - 1")),
            "b": rng.choice(("i", "cos(i)", "1/3")),
            "c": rng.choice(("1 if token == SEP else -1", "token*i/7")),
        },
        "layer": [layer, *(_layer(rng) | {"head": [], "residual": True} for _ in range(rng.choice((0, 1))))],
        "decode": {
            "steps": "n + 1",
            "function": "(2*a + b)//3**(k - 1) % 3",
            "logits": {"0": rng.choice(("0", _map(rng))), "1": "2*a - 1 + d", "2": "4*a - 4 + 2*d"},
        },
    }
