"""Certificates by position-only weights: what is accepted is so on every input, in every order of sums, and forged ends are refused."""

from __future__ import annotations

import json
import random
import tomllib
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
import pytest

from tests.verifier.certificates.mutations import at
from tests.verifier.certificates.samples import titled
from tests.verifier.certificates.test_network_certificates import Certificate, accepted, brute_force, mutants, sealed
from tests.verifier.certificates.test_network_prefixes import certificate_of, refusal
from tests.verifier.transformers.random_networks import random_arithmetic, random_network
from verifier.arithmetic.numbers import Special
from verifier.certificates import recheck_network
from verifier.certificates.network_evidence import certify_network, evidence_by_position_sums
from verifier.certificates.recheck_box_conditions import truth_on
from verifier.certificates.recheck_formulas import Formula
from verifier.certificates.recheck_reading import Limits, Rejected, Unknown, digest_of
from verifier.transformers.arithmetic import Arithmetic, arithmetic
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import run
from verifier.transformers.files import find_network
from verifier.transformers.network import Network, network
from verifier.transformers.outputs import place
from verifier.transformers.precision import first_wrong
from verifier.transformers.records import NetworkFile
from verifier.transformers.template import first_network


def file_of(name: str) -> NetworkFile:
    return msgspec.convert(tomllib.loads(first_network("mine")), NetworkFile) if name == "majority" else find_network(f"gallery/{name}")


@cache
def kept(name: str, n: int, how: str) -> str:
    found = certificate_of(network(file_of(name), {"n": n}), arithmetic(how), evidence_by_position_sums)
    assert not isinstance(found, str), found
    return json.dumps(found)


def good(name: str, n: int, how: str) -> Certificate:
    found: Certificate = json.loads(kept(name, n, how))
    return found


PROVED = [
    ("majority", 100, "bfloat16+sums=numpy+division=output", f"right on all {2**100:,} inputs with n = 100; in bfloat16+sums=numpy+"),
    ("tracr-frac-prevs", 15, "float32+sums=pairwise", "right on all 32,768 inputs with n = 15; in float32+sums=pairwise, "),
    ("lookup-hash", 20, "float32+sums=split:4", f"right on all {2**20:,} inputs with n = 20, k = 20; in float32+sums=split:4, "),
]


@pytest.mark.parametrize(("name", "n", "how", "fact"), PROVED, ids=titled)
def test_what_ends_of_sums_prove(name: str, n: int, how: str, fact: str) -> None:
    assert recheck_network.recheck(good(name, n, how), Limits()).startswith(fact)


def test_the_command_takes_them_where_no_other_evidence_does() -> None:
    """Ties of the majority are answered rightly, as ones are added exactly; with rounded weights they are not."""
    file, lengths = file_of("majority"), range(40, 41)
    cell = first_wrong("mine", file, arithmetic("float16+sums=pairwise+division=output"), lengths)
    (case,) = certify_network(file, cell, lengths)["cases"]
    assert (cell.method, cell.cases, case["evidence"]["kind"]) == ("position-only weights", 2**40, "sums")
    assert refusal(good("majority", 40, "float16+sums=pairwise")).endswith("is not certainly right")


GROUPS = ("cases", 0, "evidence", "groups")
FORGED: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("a group too few", (*GROUPS, 0), None, "8 groups of inputs were expected"),
    ("no groups", GROUPS, [], "8 groups of inputs were expected"),
    ("another number of ones", (*GROUPS, 0, 0, 1), "9", "8 groups of inputs were expected"),
    ("a larger least sum", (*GROUPS, 0, 1), "1", "a sum may be beyond its box"),
    ("a smaller largest sum", (*GROUPS, 0, 2), "-1", "a sum may be beyond its box"),
    ("an endless box", (*GROUPS, 0, 2), "inf", "a sum may be beyond its box"),
    ("a box that is too wide", (*GROUPS, 0, 2), "3/4", "is not certainly right"),
    ("an end between values", (*GROUPS, 0, 1), "-1/3", "where a value of the format was expected"),
    ("an end too few", (*GROUPS, 0), [["1", "0"], "0"], "2 entries where 3 were expected"),
]


@pytest.mark.parametrize(("title", "path", "value", "why"), FORGED, ids=titled)
def test_forged_ends_are_refused(title: str, path: tuple[Any, ...], value: Any, why: str) -> None:
    certificate = good("tracr-frac-prevs", 4, "float16+sums=pairwise")
    if value is None:
        del at(certificate, path[:-1])[path[-1]]
    else:
        at(certificate, path[:-1])[path[-1]] = value
    with pytest.raises((Rejected, Unknown)) as refused:
        recheck_network.recheck(certificate, Limits())
    assert why in str(refused.value)


SEALED: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("another right answer", ("output", "function"), "2*popcount(w) > n - 1", "is not certainly right"),
    ("a promise", ("output", "promise"), "w == 3", "a network without a promise was expected"),
    ("a call", ("output", "yes"), "abs(answer) > 0", "numbers, names, + - * / were expected, for boxes"),
]


@pytest.mark.parametrize(("title", "path", "value", "why"), SEALED, ids=titled)
def test_another_network_has_other_ends(title: str, path: tuple[Any, ...], value: Any, why: str) -> None:
    certificate = good("tracr-frac-prevs", 4, "float16+sums=pairwise")
    at(certificate["cases"][0]["network"], path[:-1])[path[-1]] = value
    assert why in refusal(sealed(certificate))


def test_scores_that_read_symbols() -> None:
    certificate = good("lookup-hash", 4, "float32+sums=split:4")
    head = at(certificate, ("cases", 0, "network", "layers", 0, "heads", 0))
    head["key"][0] = [[["0", "1"]], []]
    assert "a score that depends on the symbol at position" in refusal(sealed(certificate))


@pytest.mark.parametrize("part", [1, *(pytest.param(k, marks=pytest.mark.campaign) for k in range(2, 20))])
def test_any_change_is_refused_or_proves_what_is_so(part: int) -> None:
    certificate = good("majority", 4, "float16+sums=pairwise+division=output")
    for changed in mutants(certificate, random.Random(part), 20):
        if accepted(changed):
            assert digest_of({**changed, "cases": []}) == digest_of({**certificate, "cases": []})
        if isinstance(changed.get("cases"), list) and accepted(sealed(changed)):
            assert all(brute_force(changed))


def of_seed(seed: int) -> tuple[Network, Arithmetic]:
    """A random network whose heads, in one layer, have scores by position only."""
    rng = random.Random(seed)
    raw = msgspec.to_builtins(random_network(rng))
    with_heads = [layer for layer in raw["layer"] if layer["head"]]
    for layer in with_heads[1:]:
        raw["layer"].remove(layer)
    raw["embedding"]["c"] = "sqrt(i + 1)"
    for head in with_heads[0]["head"] if with_heads else []:
        head |= {"query": ["1"], "key": [rng.choice(["b", "2*b - c", "0"])], "rotary": [], "normed": None}
        head["scale"] = rng.choice(["1", "1/10"])
    return network(msgspec.convert(raw, NetworkFile), {"n": rng.choice([2, 3, 4])}), random_arithmetic(rng)


def compare(seed: int) -> int:
    """How many thresholds below the least and above the largest value of a coordinate are proved; one that an input passes is not."""
    built, how = of_seed(seed)
    definition, at_token = context(how), place(built, "CLS", len(built.input.layout))
    values = [run(built, built.input.tokens(strings), definition).last[at_token]["a"] for strings in built.input.every()]
    if any(isinstance(x, Special) for x in values):
        return 0
    least, most = min(values), max(values)
    size = 1 + abs(least) + abs(most)
    raw, proved = msgspec.to_builtins(built.file), 0
    for margin in (0, size / 1000, size / 8, size):
        raw["accept"] |= {"function": "popcount(w) >= 0", "yes": f"a >= {least - margin} and a <= {most + margin}".replace("= -", "= 0-")}
        certificate = certificate_of(network(msgspec.convert(raw, NetworkFile), built.parameters), how, evidence_by_position_sums)
        proved += not isinstance(certificate, str) and accepted(certificate)
    for condition in (f"a > 0 + ({least})", f"a < 0 + ({most})"):
        raw["accept"]["yes"] = condition
        certificate = certificate_of(network(msgspec.convert(raw, NetworkFile), built.parameters), how, evidence_by_position_sums)
        assert isinstance(certificate, str) or not accepted(certificate), (seed, str(how))
    return proved


@pytest.mark.parametrize("seed", [0, 2, 12, 23])
def test_thresholds_of_random_networks(seed: int) -> None:
    assert compare(seed) == 4


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(20))
def test_thresholds_of_many_random_networks(block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        compare(seed)


CONDITIONS = [
    ("x > 0", True),
    ("x > 1", None),
    ("x < 1", False),
    ("x >= 1", True),
    ("x == 1", None),
    ("x != 3", True),
    ("y == 2", True),
    ("y != 2", False),
    ("not x < 1", True),
    ("x > 1 or y > 1", True),
    ("x > 1 and y > 2", False),
    ("x > 1 and y > 1", None),
    ("0 < x <= 2", True),
    ("-x < y - 2", True),
    ("x*y >= 2", True),
    ("x/2 + y**2 > 4", True),
    ("2*x - x > 0", None),
]


@pytest.mark.parametrize(("text", "truth"), CONDITIONS, ids=titled)
def test_conditions_on_boxes(text: str, truth: bool | None) -> None:
    """1 <= x <= 2 and y = 2. Both x in 2*x - x are taken to be independent."""
    formula = Formula(text, "here", Limits())
    names = {"x": (Fraction(1), Fraction(2)), "y": (Fraction(2), Fraction(2))}
    assert truth_on(formula, formula.tree, names) is truth
