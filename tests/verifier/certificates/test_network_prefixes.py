"""Certificates by prefix states: what they prove is so, forged guesses are refused, and a threshold may not be passed by any input."""

from __future__ import annotations

import copy
import json
import random
from functools import cache
from typing import Any

import msgspec
import pytest

from tests.verifier.certificates.mutations import at
from tests.verifier.certificates.samples import titled
from tests.verifier.certificates.test_network_certificates import Certificate, accepted, brute_force, mutants, sealed
from tests.verifier.transformers.test_prefixes import of_seed
from verifier.arithmetic.numbers import Special
from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.certificates import recheck_network
from verifier.certificates.network_evidence import evidence_by_prefixes, said, sealed_certificate
from verifier.certificates.recheck_reading import Limits, Rejected, Unknown, digest_of
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import run
from verifier.transformers.files import find_network
from verifier.transformers.network import Network, complete, network
from verifier.transformers.outputs import place
from verifier.transformers.records import NetworkFile


def certificate_of(built: Network, how: Arithmetic, kind: Any = evidence_by_prefixes) -> Certificate | str:
    evidence = kind(built, how)
    if isinstance(evidence, str):
        return evidence
    case = {**said(built, complete(built.file, built.parameters), how), "evidence": evidence}
    found: Certificate = json.loads(json.dumps(sealed_certificate("", how, [case])))
    return found


@cache
def kept(name: str, n: int, how: str) -> str:
    found = certificate_of(network(find_network(f"gallery/{name}"), {"n": n}), arithmetic(how))
    assert not isinstance(found, str), found
    return json.dumps(found)


def good(name: str, n: int, how: str = "float16") -> Certificate:
    found: Certificate = json.loads(kept(name, n, how))
    return found


PROVED = [
    (
        "lookup-quadratic",
        40,
        "float16",
        f"right on all {2**40:,} inputs with n = 40, k = 40; in float16, where the right answer is 'w[k] == 1'",
    ),
    ("ngram", 60, "bfloat16", f"right on all {2**60:,} inputs with n = 60; in bfloat16, where the right answer is "),
    ("tracr-frac-prevs", 12, "float64", "right on all 4,096 inputs with n = 12; in float64, where the right answer is '2*popcount(w) > n'"),
    ("first", 50, "e4m3", f"right on all {2**50:,} inputs with n = 50; in e4m3, where the right answer is 'w[1] == 1'"),
    ("parity-layer-norm", 5, "float16", "right on all 32 inputs with n = 5, inverse = 0; in float16, where the right answer is "),
]


@pytest.mark.parametrize(("name", "n", "how", "fact"), PROVED, ids=titled)
def test_what_prefixes_prove(name: str, n: int, how: str, fact: str) -> None:
    assert recheck_network.recheck(good(name, n, how), Limits()).startswith(fact)


GUESSES = ("cases", 0, "evidence", "guesses")
FORGED: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("no guesses", GUESSES, [], "the guesses hold 0 of 16 inputs"),
    ("a guess too few", (*GUESSES, 0), None, "of 16 inputs"),
    ("a count too large", (*GUESSES, 0, "count"), "15", "inputs fulfil this guess"),
    ("a largest score that no input has", (*GUESSES, 0, "heads", 0, 0), "1/2", "no input fulfils this guess"),
    ("another sum of exponentials", (*GUESSES, 0, "heads", 0, 1), "7", "no input fulfils this guess"),
    ("a sum of the first layer that no input has", (*GUESSES, 0, "sums"), ["1/2"] * 2, "no input leads to these sums"),
    ("a sum too few", (*GUESSES, 0, "sums"), [], "no input leads to these sums"),
    ("no divisor", (*GUESSES, 0, "heads", 0), ["0"], "the largest score and the divisor of each head were expected"),
    ("a head too few", (*GUESSES, 0, "heads"), [], "the largest score and the divisor of each head were expected"),
    ("another word", (*GUESSES, 0, "query"), "1", "the token that reads has another word"),
    ("a number between values", (*GUESSES, 0, "heads", 0, 1), "1/3", "where a value of the format was expected"),
    ("an unknown key", (*GUESSES, 0, "note"), "1", '"note" is not known here'),
]


@pytest.mark.parametrize(("title", "path", "value", "why"), FORGED, ids=titled)
def test_a_forged_guess_is_refused(title: str, path: tuple[Any, ...], value: Any, why: str) -> None:
    certificate = good("parity-layer-norm", 4)
    if value is None:
        del at(certificate, path[:-1])[path[-1]]
    else:
        at(certificate, path[:-1])[path[-1]] = value
    with pytest.raises((Rejected, Unknown)) as refused:
        recheck_network.recheck(certificate, Limits())
    assert why in str(refused.value)


def test_a_guess_twice() -> None:
    certificate = good("parity-layer-norm", 4)
    guesses = at(certificate, GUESSES)
    guesses[1] = copy.deepcopy(guesses[0])
    with pytest.raises(Rejected, match="this guess is listed twice"):
        recheck_network.recheck(certificate, Limits())


SEALED: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("another right answer", ("output", "function"), "w[1] == 1", "are answered with"),
    ("a right answer of more", ("output", "function"), "w == 3", "reads the number of ones or single symbols was expected"),
    ("a promise", ("output", "promise"), "w == 3", "a network without a promise was expected"),
    ("another threshold", ("output", "no"), "found == 2", "are answered with neither, no was expected"),
]


@pytest.mark.parametrize(("title", "path", "value", "why"), SEALED, ids=titled)
def test_another_network_needs_other_guesses(title: str, path: tuple[Any, ...], value: Any, why: str) -> None:
    certificate = good("lookup-quadratic", 4)
    at(certificate["cases"][0]["network"], path[:-1])[path[-1]] = value
    with pytest.raises((Rejected, Unknown)) as refused:
        recheck_network.recheck(sealed(certificate), Limits())
    assert why in str(refused.value)


def test_another_scale_has_other_largest_scores() -> None:
    certificate = good("parity-layer-norm", 4)
    at(certificate, ("cases", 0, "network", "layers", 1, "heads", 0))["scale"] = "1/16"
    with pytest.raises(Rejected, match="no input fulfils this guess"):
        recheck_network.recheck(sealed(certificate), Limits())


@pytest.mark.parametrize("part", [1, *(pytest.param(k, marks=pytest.mark.campaign) for k in range(2, 20))])
@pytest.mark.parametrize(
    ("name", "how"), [("lookup-quadratic", "float16"), ("ngram", "e4m3"), ("parity-layer-norm", "float32")], ids=titled
)
def test_any_change_is_refused_or_proves_what_is_so(name: str, how: str, part: int) -> None:
    certificate = good(name, 3, how)
    said_of_it = digest_of(certificate)
    for changed in mutants(certificate, random.Random(part), 20):
        if accepted(changed):
            guesses = changed["cases"][0]["evidence"]["guesses"]
            assert digest_of(changed) == said_of_it or sorted(map(str, guesses)) == sorted(map(str, at(certificate, GUESSES)))
        if isinstance(changed.get("cases"), list) and accepted(sealed(changed)):
            assert all(brute_force(changed))


def refusal(certificate: Certificate) -> str:
    """Why a certificate is refused; empty where it is accepted."""
    try:
        recheck_network.recheck(certificate, Limits())
    except (Rejected, Unknown) as reason:
        return str(reason)
    return ""


def compare(seed: int, network_of: Any = of_seed, kind: Any = evidence_by_prefixes) -> bool:
    """The least and the largest value of a coordinate over all inputs, as thresholds: reached is proved, passed is refused."""
    built, how = network_of(seed)
    definition = context(how)
    at_token = place(built, "CLS", len(built.input.layout))
    values = [run(built, built.input.tokens(strings), definition).last[at_token]["a"] for strings in built.input.every()]
    if any(isinstance(x, Special) for x in values):
        return False
    raw = msgspec.to_builtins(built.file)
    refusals = []
    for condition in (f"a >= 0 + ({min(values)})", f"a <= 0 + ({max(values)})", f"a > 0 + ({min(values)})", f"a < 0 + ({max(values)})"):
        raw["accept"] |= {"function": "popcount(w) >= 0", "yes": condition}
        certificate = certificate_of(network(msgspec.convert(raw, NetworkFile), built.parameters), how, kind)
        if isinstance(certificate, str):
            return False
        refusals.append(refusal(certificate))
    if "is not finite" in refusals[0]:
        return False
    assert refusals[:2] == ["", ""], (seed, str(how))
    assert all("are answered with no, yes was expected" in why for why in refusals[2:]), (seed, str(how))
    return True


@pytest.mark.parametrize("seed", [3, 9, 14, 20])
def test_thresholds_of_random_networks(seed: int) -> None:
    assert compare(seed)


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(20))
def test_thresholds_of_many_random_networks(block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        compare(seed)
