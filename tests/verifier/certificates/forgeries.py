"""Certificates changed at random, as accidents and forgers do; what is still accepted is asked of a second reader, input by input.

    python -m tests.verifier.certificates.forgeries [COUNT [FIRST]]

prints for each kind of change how many were accepted and refused, and each false acceptance; the exit status is 1 where there was one, or
where the second reader left an acceptance open.
"""

from __future__ import annotations

import copy
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path as File
from random import Random
from typing import Any

from tests.verifier.certificates.decoders import MADE
from tests.verifier.certificates.oracle import Beyond, counted, true
from tests.verifier.certificates.samples import INPUTS, STATES, good, of_network, put
from verifier.certificates import recheck
from verifier.certificates.recheck_numbers import FORMATS, KNOBS, OVERFLOWS
from verifier.certificates.recheck_reading import Limits
from verifier.certificates.statement import sealed

Path = tuple[Any, ...]
NUMBERS = ("0", "1", "-1", "2", "1/2", "-1/4", "3", "8", "-7", "100000", str(1 << 200), "1/3", "007", "0.5", "+2", "9" * 701)
LARGE = (
    "9" * 700,
    "9" * 701,
    str(1 << 1023),
    str(1 << 1024),
    f"1/{1 << 1074}",
    f"-{1 << 128}",
    f"{10**699}/{3**700}",
    "65520",
    "448",
    "464",
)
WORDS = ("inf", "-inf", "nan", "N", "-N", "", "1e3", "y", "z", "w", "true", "false", "out", "==", "!=", "<=", "+", "popcount", "bits")
WORDS += ("e", "exact", "rounded", "kept", "subtracted", "weights", "output", "inputs", "values", "products", "even", "zero", "truncate")
WORDS += ("before", "saturate", "infinity", "fixed:2", "fixed:3:1", "fixed:4", "float:3:2", "float16", "e2m1", "added", "multiplied")
WORDS += ("relu", "states", "1", "wrong", "each", "softmax", "linear", "average-hard", "leftmost", "none", "causal", "no")
ODD: tuple[Any, ...] = (True, False, None, [], {}, ["0"], 1, [[]])
NAMES = (*FORMATS, "exact", "int8", "int8:1/4", *(f"fixed:{p}{scale}" for p in (1, 2, 3, 4, 6, 8) for scale in ("", ":1", ":1/4", ":1/64")))
NAMES += tuple(f"float:{t}:{e}" for t in (1, 2, 3, 5) for e in (1, 2, 3))


@cache
def _sources() -> list[str]:
    """Good certificates of every kind, small enough for the second reader."""
    other = put("cases", 0, "network", "output", "function", 0, value="!=")(good("pairs in two blocks"))
    other["cases"][0]["evidence"] = {"kind": "wrong", "input": {"y": ["0"] * 3, "z": ["0"] * 3}}
    kinds = ["pairs in one block", "pairs in two blocks", "pairs token by token", "table by prefixes, with N", "table in floats"]
    made = [
        good(kind) for kind in (*kinds, "length", "length in floats", "one sum", "one sum of two bits", "one column", "a small fooling set")
    ]
    made += [of_network("first", 3, "e4m3", STATES), of_network("parity", 2, "float16", STATES), sealed(other)]
    made += [of_network("lookup-hash", 2, "e4m3", STATES), of_network("dyck-1", 2, "float16", INPUTS)]
    made += [of_network("first-layer-norm", 2, "float16", INPUTS), of_network("predecessor", 2, "float32", STATES)]
    return [json.dumps(each) for each in (*made, *MADE.values(), *MADE.values())]


def places(data: Any, path: Path = ()) -> Iterator[Path]:
    """Every place in the data."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, each in items:
        yield from places(each, (*path, key))


def at(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


def chosen(certificate: Any, rng: Random, *within: str, holds: Callable[[Any], bool] = lambda _: True) -> tuple[Any, Any]:
    """What holds a place, and its key there; a place below one of these keys if there is one, which holds what is asked for."""
    every = [path for path in places(certificate) if path and path[0] != "digest" and holds(at(certificate, path[:-1]))]
    *above, key = rng.choice([path for path in every if {*within}.intersection(path)] or every)
    return at(certificate, tuple(above)), key


def _value(certificate: Any, rng: Random) -> None:
    here, key = chosen(certificate, rng, *(["arithmetic", "output", "evidence"] if rng.random() < 0.4 else []))
    here[key] = rng.choice(NUMBERS if rng.random() < 0.6 else WORDS) if rng.random() < 0.75 else copy.deepcopy(rng.choice(ODD))


def _entry(certificate: Any, rng: Random, *within: str) -> None:
    """An entry more, twice, or taken away."""
    here, key = chosen(certificate, rng, *within)
    if rng.random() < 0.5:
        del here[key]
    elif isinstance(here, list):
        here.insert(key, copy.deepcopy(rng.choice(here)))
    else:
        here[rng.choice(WORDS)] = copy.deepcopy(here[key])


def _order(certificate: Any, rng: Random) -> None:
    here, key = chosen(certificate, rng, holds=lambda each: isinstance(each, list) and len(each) > 1)
    other = rng.randrange(len(here))
    here[key], here[other] = here[other], here[key]


def _piece(certificate: Any, rng: Random) -> None:
    """A piece of the certificate put elsewhere."""
    here, key = chosen(certificate, rng)
    here[key] = copy.deepcopy(at(certificate, rng.choice([*places(certificate)])))


def _evidence(certificate: Any, rng: Random) -> None:
    """States and inputs of the evidence, more, fewer or others; where to cut; evidence of another kind."""
    case = rng.choice(certificate.get("cases", [certificate]))
    if rng.random() < 0.5 or case is certificate:
        _entry(certificate, rng, "evidence", "barriers")
        return
    strings = {name: [rng.choice("01") for _ in range(int(length))] for name, length in case["network"]["strings"].items()}
    kinds = [{"kind": "states", "cut": rng.choice([*"0123", "each"])}, {"kind": "wrong", "input": strings}]
    case["evidence"] = rng.choice([*kinds, *({"kind": kind} for kind in ("inputs", "induction"))])


def _parameters(certificate: Any, rng: Random) -> None:
    for each in certificate.get("cases", [certificate]):
        each["parameters"] = {rng.choice("nmpx"): rng.choice([*NUMBERS, *LARGE]) for _ in range(rng.randrange(3))}


def _format(certificate: Any, rng: Random) -> None:
    """Another format, with settings that it has, or one other setting."""
    arithmetic = certificate.setdefault("arithmetic", {})
    if rng.random() < 0.3:
        knob = rng.choice([*KNOBS])
        arithmetic[knob] = rng.choice(KNOBS[knob])
        return
    name = rng.choice(NAMES)
    kind = FORMATS[name][4] if name in FORMATS else {"float": "digits", "exact": "exact"}.get(name.split(":")[0], "fixed")
    arithmetic |= {"format": name, "overflow": rng.choice(OVERFLOWS[kind])}
    if name == "exact" or rng.random() < 0.5:
        arithmetic |= {knob: KNOBS[knob][0] if name == "exact" else rng.choice(KNOBS[knob]) for knob in KNOBS}


def _hint(certificate: Any, rng: Random) -> None:
    here, key = chosen(certificate, rng, "cut", "barriers", "input", "kind")
    here[key] = rng.choice([str(rng.randrange(8)), *NUMBERS])


def _length(certificate: Any, rng: Random) -> None:
    """Another length of the strings, with tokens and formulas as they are, or with a token more or fewer."""
    here, key = chosen(certificate, rng, "strings", "length", "letters", "symbols")
    if isinstance(here[key], str):
        here[key] = str(rng.randrange(9))
    if rng.random() < 0.3 and "cases" in certificate:
        _entry(certificate, rng, "tokens", "function")


def _twice(certificate: Any, rng: Random) -> None:
    """A key that occurs twice, as a file may have it."""
    here, key = chosen(certificate, rng, holds=lambda each: isinstance(each, dict))
    here[Again(key)] = copy.deepcopy(here[key] if rng.random() < 0.5 else rng.choice([*NUMBERS, *ODD]))


class Again(str):
    """A key that equals no other."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


def _large(certificate: Any, rng: Random) -> None:
    here, key = chosen(certificate, rng, holds=lambda each: isinstance(each, list | dict))
    here[key] = rng.choice(LARGE)


def _depth(certificate: Any, rng: Random) -> None:
    """A piece within lists, or a condition that is denied, up to 70 times."""
    here, key = chosen(certificate, rng, *rng.choice([[], ["function", "promise", "yes", "no"]]))
    word: list[Any] = rng.choice([[], ["not"], ["+"], ["abs"]])
    for _ in range(rng.choice([1, 2, 4, 40, 70])):
        here[key] = [*word, here[key]]


KINDS: dict[str, Callable[[Any, Random], None]] = {
    "values": _value,
    "entries": _entry,
    "order": _order,
    "pieces": _piece,
    "states": _evidence,
    "parameters": _parameters,
    "formats": _format,
    "hints": _hint,
    "lengths": _length,
    "keys twice": _twice,
    "large numbers": _large,
    "depth": _depth,
}


def kind_of(case: int) -> str:
    return [*KINDS][case % len(KINDS)]


def forged(case: int) -> Any:
    """A certificate with one to three changes, one of the case's kind, mostly with a fresh digest."""
    rng, original, changed = Random(case), None, None
    while changed == original:
        original = json.loads(rng.choice(_sources()))
        changed = copy.deepcopy(original)
        try:
            for other in range(rng.choice([1, 1, 2, 3])):
                KINDS[rng.choice([*KINDS]) if other else kind_of(case)](changed, rng)
        except (LookupError, TypeError, AttributeError, ValueError):
            changed = original  # it has no place for such a change
    try:
        return sealed(changed) if rng.random() < 0.9 else changed
    except (AttributeError, TypeError):
        return changed


def tried(case: int) -> str:
    """Whether a forgery is refused, accepted and so, accepted and not so, or accepted and beyond the second reader."""
    with tempfile.TemporaryDirectory() as folder:
        (File(folder) / "forgery.json").write_text(json.dumps(forged(case)))
        status, line, certificate = recheck.examine(f"{folder}/forgery.json", Limits(work=1 << 22), recheck.recheck)
    if status:
        return "refused"
    told = [int(number.replace(",", "")) for number in re.findall(r"right on all ([0-9,]+) inputs", line)]
    try:
        return "accepted" if true(certificate) and sum(told) == counted(certificate) else "FALSE"
    except Beyond:
        return "beyond"


if __name__ == "__main__":
    count, first = ([int(x) for x in sys.argv[1:]] + [5000, 0][len(sys.argv) - 1 :])[:2]
    seen = {kind: Counter[str]() for kind in KINDS}
    for number in range(first, first + count):
        found = tried(number)
        seen[kind_of(number)][found] += 1
        if found in ("FALSE", "beyond"):
            print(f"case {number}, {kind_of(number)}: accepted, and {'not so' if found == 'FALSE' else found}", flush=True)
    for kind, by_kind in seen.items():
        print(f"{kind}: {dict(by_kind)}")
    everything = sum(seen.values(), Counter[str]())
    print(dict(everything))
    sys.exit(1 if everything["FALSE"] or everything["beyond"] else 0)
