"""Certificates changed at random, as accidents and forgers do; what is still accepted is asked of a second reader.

    python -m tests.verifier.certificates.forgeries [COUNT [FIRST]]

prints how many were accepted and refused, and each false acceptance; the exit status is 1 where there was one.
"""

from __future__ import annotations

import copy
import json
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from tests.verifier.certificates.decoders import MADE
from tests.verifier.certificates.oracle import Beyond, true
from tests.verifier.certificates.samples import STATES, good, of_network, put
from verifier.certificates import recheck
from verifier.certificates.recheck_reading import Limits, Rejected, TooMuch, Unknown
from verifier.certificates.statement import sealed

Path = tuple[Any, ...]
NUMBERS = ("0", "1", "-1", "2", "1/2", "-1/4", "3", "8", "-7", "100000", str(1 << 200), "1/3", "007", "0.5", "+2", "9" * 701)
WORDS = ("inf", "-inf", "nan", "N", "-N", "", "1e3", "y", "z", "w", "true", "false", "out", "==", "!=", "<=", "+", "popcount", "bits")
WORDS += ("e", "exact", "rounded", "kept", "subtracted", "weights", "output", "inputs", "values", "products", "even", "zero", "truncate")
WORDS += (
    "before",
    "saturate",
    "infinity",
    "fixed:2",
    "fixed:3:1",
    "fixed:4",
    "float:3:2",
    "float16",
    "e2m1",
    "added",
    "multiplied",
    "relu",
)
WORDS += ("states", "1", "wrong", "length", "softmax", "linear", "average-hard", "leftmost", "none", "causal", "no")
ODD: tuple[Any, ...] = (True, False, None, [], {}, ["0"], 1, [[]])


@cache
def _sources() -> list[str]:
    """Good certificates of every kind, small enough for the second reader."""
    other = put("cases", 0, "network", "output", "function", 0, value="!=")(good("pairs in two blocks"))
    other["cases"][0]["evidence"] = {"kind": "wrong", "input": {"y": ["0"] * 3, "z": ["0"] * 3}}
    kinds = ["pairs in one block", "pairs in two blocks", "pairs token by token", "table by prefixes, with N", "table in floats"]
    made = [good(kind) for kind in (*kinds, "length", "length in floats", "one sum", "one sum of two bits", "a small fooling set")]
    made += [of_network("first", 3, "e4m3", STATES), of_network("parity", 2, "float16", STATES), sealed(other)]
    made += [of_network("lookup-hash", 2, "e4m3", STATES), of_network("dyck-1", 2, "float16", {"kind": "inputs"})]
    return [json.dumps(each) for each in (*made, *MADE.values(), *MADE.values())]


def places(data: Any, path: Path = ()) -> Iterator[Path]:
    """Every place in the data."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, each in items:
        yield from places(each, (*path, key))


def forged(case: int) -> Any:
    """A certificate with one to three changes, mostly with a fresh digest."""
    rng = Random(case)
    original = json.loads(rng.choice(_sources()))
    changed = copy.deepcopy(original)
    while changed == original:
        for _ in range(rng.choice([1, 1, 2, 3])):
            _change(changed, rng)
    try:
        return sealed(changed) if rng.random() < 0.9 else changed
    except (AttributeError, TypeError):
        return changed


def _change(certificate: Any, rng: Random) -> None:
    """One change: a value, an entry more or less or twice, two entries exchanged, a piece put elsewhere, evidence of another kind."""
    paths = [path for path in places(certificate) if path and path[0] != "digest"]
    if rng.random() < 0.4:
        inside = [path for path in paths if path[0] == "arithmetic" or "output" in path or "evidence" in path]
        paths = inside or paths
    *above, key = rng.choice(paths)
    here = certificate
    for step in above:
        here = here[step]
    kind = rng.randrange(8)
    if kind < 3:
        here[key] = rng.choice(NUMBERS if rng.random() < 0.6 else WORDS)
    elif kind == 3:
        here[key] = copy.deepcopy(rng.choice(ODD))
    elif kind == 4 and isinstance(here, list):
        here.insert(key, copy.deepcopy(here[rng.randrange(len(here))]))
    elif kind == 4:
        here[rng.choice(WORDS)] = copy.deepcopy(here[key])
    elif kind == 5:
        del here[key]
    elif kind == 6 and isinstance(here, list) and len(here) > 1:
        other = rng.randrange(len(here))
        here[key], here[other] = here[other], here[key]
    else:
        other = certificate
        for step in rng.choice(paths):
            other = other[step] if (isinstance(other, dict) and step in other) or (isinstance(other, list) and step < len(other)) else other
        here[key] = copy.deepcopy(other)


def tried(case: int) -> str:
    """Whether a forgery is refused, accepted and so, accepted and not so, or accepted and beyond the second reader."""
    certificate = forged(case)
    try:
        recheck.recheck(json.loads(json.dumps(certificate)), Limits(work=1 << 22))
    except (Rejected, Unknown, TooMuch):
        return "refused"
    try:
        return "accepted" if true(certificate) else "FALSE"
    except Beyond:
        return "beyond"


if __name__ == "__main__":
    count, first = ([int(x) for x in sys.argv[1:]] + [5000, 0][len(sys.argv) - 1 :])[:2]
    seen: Counter[str] = Counter()
    for number in range(first, first + count):
        found = tried(number)
        seen[found] += 1
        if found == "FALSE":
            print(f"case {number}: accepted, and not so")
    print(dict(seen))
    sys.exit(1 if seen["FALSE"] else 0)
