"""Every field of every kind of file counts: a file with the field changed is judged, traced or refused otherwise."""

from __future__ import annotations

import json
import tomllib
import types
from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from tests.command_line import CommandLine
from verifier.networks.errata import NetworkErrata, TableErrata
from verifier.networks.records import ConstructionFile
from verifier.transformers.records import NetworkFile

Place = tuple[str | int, ...]

FOR_READERS = {"title", "source", "note", "meaning", "why", "why_domain", "assumes", "open", "in-words"}
"""Fields that people read: no judgement can depend on them."""

OF_CLAIMS = {"keeps", "ranges"}
"""Fields of an erratum that the claims of a paper ask for, and no judgement of a file."""

TABLE = """
format = "bitreferee/construction/1"
id = "fields"
title = "every field of a table"
source = "made up"
note = "none"
attention = "softmax"
derived = { half = "m + 1" }
precision = { bits = "m + 8" }
problem = { function = "popcount(x) % 2 == 1", promise = "x != 1", strings = { x = "m" } }
tokens = { first = 1, last = "m + 1" }
quantities = { b = "x[1]" }
check = { semantics = "a4" }
accept = { yes = "out > 1/4", no = "out < -1/8", rectified = false }
input = [{ i = 1, reads = "x[1]" }, { i = "[2 : m]", reads = ["x[i]"] }, { i = "m + 1", reads = 0 }]
row = [
  { step = 1, i = 1, zero = [1, 0, 0], one = [1, "1/2", "b + 1"] },
  { step = 2, i = "[2 : m]", zero = [1, 0, 0], one = [{ for = "k", in = "[1 : 3]", entry = "1/k" }] },
  { step = 3, i = "m + 1", zero = [1, 1, 1] },
]
mlp.hidden = [{ weights = [1], bias = 0 }, { for = "k", in = "[1 : 2]", weights = ["half - 2*m + k"], bias = "-1/2" }]
mlp.output = { weights = [1, { for = "k", in = "[1 : 2]", entry = "2 - k" }], bias = "-2" }
[parameters.m]
where = "1 <= m <= 4"
meaning = "bits"
default = 2
[weights]
query = { times = "ln2", matrix = [[1], [0], [0]] }
key = { times = "1", matrix = [[1], { for = "k", in = "[1 : 2]", row = ["2 - k"] }] }
value = { times = "1", matrix = [[0], [1], [2]] }
[[expect]]
name = "first"
of = "numerator"
column = 1
step = 1
is = "x[1]"
where = "x == 0"
[[expect]]
of = "denominator"
i = "[1 : 2]"
holds = "v < 3"
"""

FLOATS = """
format = "bitreferee/construction/1"
id = "floats"
title = "floating point, two strings of one length"
source = "made up"
attention = "linear"
parameters.m = { where = "1 <= m <= 2" }
check = { m = "1..2" }
precision = { t = 3, e = 3 }
problem = { function = "EQ", promise = "none", length = "m" }
tokens = { first = 1, last = 3 }
input = [{ i = 1, reads = "y[1]" }, { i = 2, reads = "~z[1]" }, { i = 3, reads = 0 }]
row = [{ step = 1, i = "{1, 2}", zero = [1, 0], one = [1, 1] }, { step = 2, i = 3, zero = [1, "1/8"] }]
weights = { query = { matrix = [[1], [0]] }, key = { matrix = [[1], [1]] }, value = { matrix = [[0], ["9/8"]] } }
mlp = { hidden = [{ weights = [1], bias = 0 }], output = { weights = [1], bias = 0 } }
"""

ERRATA = """
format = "bitreferee/errata/1"
construction = "floats"
semantics = "a4"
domain = "m == 1"
why_domain = "made up"
[[erratum]]
name = "an-entry"
at = ["row.1.one.2"]
printed = 1
repaired = "3/4"
why = "made up"
in-words = "Read 3/4 for 1."
[[promise]]
name = "ordered"
condition = "y <= z"
why = "made up"
[[clause]]
name = "asking"
i = 3
reads = 0
why = "made up"
"""

NETWORK = """
format = "bitreferee/network/1"
id = "fields"
title = "every field of a network"
source = "made up"
note = "none"
assumes = "nothing"
open = { question = "answer" }
coordinates = ["a", "b", "c", "d"]
constants = { third = "1/3" }
input = { strings = { w = "n" }, tokens = ["B", "w", "E"], alphabet = ["0", "1", "x"], letters = 2, promise = "w(1) == 1", first = 1 }
embedding = { a = "token", b = "i/4", c = "third + x", d = "1 if token == 0 else n" }
norm = { eps = "1/8", kind = "layer", place = "before", of = ["attention"], gain = { a = 2 }, shift = { b = "1/2" } }
final_norm = { eps = "1/16", kind = "rms", only = ["a", "b", "c"], gain = { b = 3 }, shift = { a = "1/4" } }
accept = { function = "w(1) == w(n)", at = "E", yes = "a + b + c/8 > 0", no = "a < -1" }
[parameters]
n = { where = "1 <= n <= 5", meaning = "length", typical = "1..2" }
k = { where = "k > 0", default = "n + 1" }
[[layer]]
scale = "1/2"
residual = true
combine = { a = "s + t/2", b = "t" }
[[layer.head]]
kind = "softmax"
query = ["a + 1", "b"]
key = ["b", "a - c"]
value = { s = "a + k/8", t = "c" }
score = "minus-absolute"
scale = 2
mask = "causal"
masked = "-1"
where = "j != 2"
normed = "1/4"
bias = "i - j"
rotary = ["1/2"]
[[layer.head]]
value = { t = "b" }
[[layer]]
norm = { eps = 1, of = ["network"] }
head = [{ value = { c = "a" } }]
network.hidden = { h = "b - a - 9", g = "c" }
network.gate = { h = "d", g = "a" }
network.into = { a = "h + g", d = "g" }
network.activation = "relu"
network.factor = "1/2"
network.residual = false
[[expect]]
name = "first"
after = 2
block = "attention"
at = "E"
holds = "a > 100"
"""

CHOOSE = """
format = "bitreferee/network/1"
id = "choose"
title = "a symbol"
source = "made up"
parameters.n = { where = "n >= 1" }
input = { strings = { w = "n" }, tokens = ["w", "E"] }
embedding = { a = "token", b = 1 }
layer = []
choose = { function = "w(1)", at = "first", logit = "c*a - c*b/2" }
"""

DECODE = """
format = "bitreferee/network/1"
id = "decode"
title = "symbols"
source = "made up"
parameters.n = { where = "n >= 1" }
input = { strings = { w = "n" }, tokens = ["w"], alphabet = ["0", "1", "."], letters = 2 }
embedding = { a = "token", b = "i" }
layer = []
decode = { function = "2", steps = 3, until = ".", logits = { 0 = "1/4 - b", 1 = "a", "." = "b - 1" } }
"""

NETWORK_ERRATA = """
format = "bitreferee/network-errata/1"
network = "base.toml"
domain = "n >= 1"
why_domain = "made up"
[[erratum]]
name = "a-constant"
at = ["embedding.b"]
printed = 1
repaired = 2
why = "made up"
in-words = "Read 2 for 1."
"""

LN2_ROUNDED = "--semantics a4+ln2=rounded"
FILES: dict[str, tuple[type[msgspec.Struct], str, str, list[list[str]]]] = {
    "table": (
        ConstructionFile,
        TABLE,
        "",
        [["construction"], ["trace", "--m 2 --x 11"], ["trace", "--m 2 --x 10", LN2_ROUNDED]],
    ),
    "floating table": (ConstructionFile, FLOATS, "", [["construction"], ["trace", "--m 1 --y 0 --z 0"]]),
    "errata of a table": (TableErrata, ERRATA, FLOATS.replace(", { i = 3, reads = 0 }", ""), [["construction"]]),
    "network": (NetworkFile, NETWORK, "", [["construction", "--arithmetic float16"], ["trace", "--n 2 --w 10 --arithmetic float16"]]),
    "choosing network": (NetworkFile, CHOOSE, "", [["construction", "--n 2"], ["trace", "--w 10"]]),
    "decoding network": (NetworkFile, DECODE, "", [["construction", "--n 2"], ["trace", "--w 10"]]),
    "errata of a network": (NetworkErrata, NETWORK_ERRATA, CHOOSE, [["construction", "--n 2"]]),
}


def written(raw: dict[str, Any]) -> str:
    """A document as TOML, each of its first keys on one line."""

    def inline(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{json.dumps(key)} = {inline(each)}" for key, each in value.items()) + "}"
        return "[" + ", ".join(map(inline, value)) + "]" if isinstance(value, list) else json.dumps(value)

    return "\n".join(f"{json.dumps(key)} = {inline(value)}" for key, value in raw.items())


def changes(value: Any, wanted: Any, place: Place = ()) -> Iterator[tuple[Place, list[Any]]]:
    """For each place in a value, the other values of which one at least has to be seen; each choice of few is a place of its own."""
    origin, parts = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        yield from changes(value, parts[0], place)
    elif origin in (Union, types.UnionType):
        fitting = [each for each in parts if fits(value, each)]
        yield from changes(value, fitting[0], place)
    elif origin is Literal:
        yield from ((place, [other]) for other in parts if other != value)
    elif isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        hints = get_type_hints(wanted, include_extras=True)
        yield (*place, "colour"), ["red"]
        for field in msgspec.structs.fields(wanted):
            if field.encode_name in value and field.encode_name not in FOR_READERS:
                yield from changes(value[field.encode_name], hints[field.name], (*place, field.encode_name))
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from changes(each, parts[1], (*place, key))
        yield place, [{key: value[key] for key in list(value)[:-1]}]
    elif isinstance(value, list):
        for k, each in enumerate(value):
            yield from changes(each, parts[0], (*place, k))
        yield from [(place, [value[:-1]])] if value else []
    elif isinstance(value, bool):
        yield place, [not value]
    else:
        yield (
            place,
            [value + 1, value - 1] if isinstance(value, int) else [f"({value}) + 1", f"({value}) - 1", f"not ({value})", f"{value}x"],
        )


def fits(value: Any, wanted: Any) -> bool:
    try:
        msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        return False
    return True


def cases() -> Iterator[Any]:
    """Every place. Of places that differ by a number in a list, and of the choices of one place, all but the first are campaign."""
    for name, (record, text, _, _) in FILES.items():
        met = set()
        for place, others in changes(tomllib.loads(text), record):
            kind = tuple("" if isinstance(word, int) else word for word in place)
            title = f"{name}: {'.'.join(map(str, place))} {others[0] if len(others) == 1 else ''}".strip()
            yield pytest.param(name, place, others, id=title, marks=[pytest.mark.campaign] if kind in met else [])
            met.add(kind)


CASES = list(cases())


def said(name: str, raw: dict[str, Any], verify: CommandLine) -> Iterator[tuple[int, list[str], str]]:
    """What each command says of a file in the working folder, without times."""
    _, _, base, runs = FILES[name]
    Path("base.toml").write_text(base or written(raw))
    if base:
        Path("base.errata.toml").write_text(written(raw))
    for verb, *options in runs:
        done = verify(verb, "base.toml", *options, "--format json")
        yield done.status, [line for line in done.out.splitlines() if '"seconds"' not in line], done.err


BEFORE: dict[str, list[tuple[int, list[str], str]]] = {}
"""What the program says of each file as it stands above."""


def records(wanted: Any) -> Iterator[type[msgspec.Struct]]:
    """The records that a type is made of, itself included."""
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        yield wanted
        parts = [each for name, each in get_type_hints(wanted, include_extras=True).items()]
    else:
        parts = list(get_args(wanted))
    for part in parts:
        yield from records(part)


def test_every_field_is_changed() -> None:
    """The fields of all records, but for what people read, are the words that the changed places end with."""
    named = {field.encode_name for record, *_ in FILES.values() for each in records(record) for field in msgspec.structs.fields(each)}
    changed = {word for case in CASES for word in case.values[1]}
    assert named - FOR_READERS - OF_CLAIMS <= changed


@pytest.mark.parametrize(("name", "place", "others"), CASES)
def test_every_field_counts(
    name: str, place: Place, others: list[Any], verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    raw = tomllib.loads(FILES[name][1])
    if name not in BEFORE:
        BEFORE[name] = list(said(name, raw, verify))
    before = BEFORE[name]
    assert all(status != 2 for status, _, _ in before), before
    for other in others:
        changed: Any = deepcopy(raw)
        reduce(getitem, place[:-1], changed)[place[-1]] = other
        if any(now != known for now, known in zip(said(name, changed, verify), before, strict=True)):
            return
    pytest.fail(f"{'.'.join(map(str, place))} is read and ignored: {others}")
