"""Certificates by one-hot attention: what they prove is so, forged lists of tokens are refused, thresholds may not be passed."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest

from tests.verifier.certificates.mutations import at
from tests.verifier.certificates.samples import titled
from tests.verifier.certificates.test_network_certificates import Certificate, accepted, brute_force, mutants, sealed
from tests.verifier.certificates.test_network_prefixes import certificate_of, compare
from tests.verifier.transformers.test_local_states import of_seed, two_layers
from verifier.arithmetic.semantics import arithmetic
from verifier.certificates import recheck_network
from verifier.certificates.network_evidence import certify_network, evidence_by_local_states
from verifier.certificates.recheck_reading import Limits, Rejected, Unknown, digest_of
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.precision import first_wrong


@cache
def kept(name: str, n: int, how: str) -> str:
    file = two_layers("softmax", "20") if name == "pointer" else find_network(f"gallery/{name}")
    found = certificate_of(network(file, {"n": n}), arithmetic(how), evidence_by_local_states)
    assert not isinstance(found, str), found
    return json.dumps(found)


def good(name: str, n: int, how: str = "float16") -> Certificate:
    found: Certificate = json.loads(kept(name, n, how))
    return found


PROVED = [
    ("lookup-quadratic", 40, "float16+sums=pairwise", f"right on all {2**40:,} inputs with n = 40, k = 40; in float16+sums=pairwise, "),
    ("lookup-quadratic", 30, "exact", f"right on all {2**30:,} inputs with n = 30, k = 30; in exact arithmetic, "),
    ("predecessor", 20, "float64+sums=numpy", f"right on all {2**20:,} inputs with n = 20, k = 19; in float64+sums=numpy, "),
    ("ngram", 30, "float16+rounding=dot-product", f"right on all {2**30:,} inputs with n = 30; in float16+rounding=dot-product, "),
    ("pointer", 6, "float16", "right on all 729 inputs with n = 6; in float16, "),
]


@pytest.mark.parametrize(("name", "n", "how", "fact"), PROVED, ids=titled)
def test_what_few_symbols_prove(name: str, n: int, how: str, fact: str) -> None:
    assert recheck_network.recheck(good(name, n, how), Limits()).startswith(fact)


def test_the_command_takes_it_where_no_other_evidence_does() -> None:
    file, lengths = find_network("gallery/lookup-quadratic"), range(30, 31)
    cell = first_wrong("gallery/lookup-quadratic", file, arithmetic("float16+sums=pairwise"), lengths)
    (case,) = certify_network(file, cell, lengths)["cases"]
    assert (cell.method, case["evidence"]["kind"]) == ("one-hot attention", "local")


READS = ("cases", 0, "evidence", "reads")
FORGED: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("a token that is not read", (*READS, 0, 1, 0, 0), [], "token 0 may have a weight"),
    ("another token", (*READS, 0, 2, 1, 0), ["0"], "token 1 may have a weight"),
    ("a token that the mask hides", (*READS, 0, 1, 0, 0), ["0", "2"], "tokens that take part were expected, in order"),
    ("tokens out of order", (*READS, 1, 4, 0, 0), ["2", "0"], "tokens that take part were expected, in order"),
    ("a token twice", (*READS, 1, 4, 0, 0), ["0", "0"], "tokens that take part were expected, in order"),
    ("no token of the last layer", (*READS, 1, 4, 1, 0), [], "token 0 may have a weight"),
    ("a token beyond the input", (*READS, 0, 1, 0, 0), ["9"], "where an integer from 0 to 4 was expected"),
    ("a head too few", (*READS, 0, 1, 0), [], "0 entries where 1 were expected"),
    ("a case too few", (*READS, 1, 4), [[["0"]]], "1 entries where 3 were expected"),
    ("a token that nothing asks for", (*READS, 1, 0), [[["0"]]], "1 entries where 0 were expected"),
    ("a layer too few", READS, [], "0 entries where 2 were expected"),
]


@pytest.mark.parametrize(("title", "path", "value", "why"), FORGED, ids=titled)
def test_a_forged_list_of_tokens_is_refused(title: str, path: tuple[Any, ...], value: Any, why: str) -> None:
    certificate = good("pointer", 4)
    at(certificate, path[:-1])[path[-1]] = value
    with pytest.raises((Rejected, Unknown)) as refused:
        recheck_network.recheck(certificate, Limits())
    assert why in str(refused.value)


SEALED: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("another right answer", ("output", "function"), "w(2)", "are answered with"),
    ("a promise", ("output", "promise"), "w(1) == 1", "a network without a promise was expected"),
    ("a smaller scale", ("layers", 1, "heads", 0, "scale"), "10", "may have a weight"),
    ("averages", ("layers", 0, "heads", 0, "query", 0), [[], []], "token 0 may have a weight"),
    ("another unembedding", ("output", "logits", 1), [[], ["-2"]], "are answered with"),
]


@pytest.mark.parametrize(("title", "path", "value", "why"), SEALED, ids=titled)
def test_another_network_reads_other_tokens(title: str, path: tuple[Any, ...], value: Any, why: str) -> None:
    certificate = good("pointer", 4)
    at(certificate["cases"][0]["network"], path[:-1])[path[-1]] = value
    with pytest.raises((Rejected, Unknown)) as refused:
        recheck_network.recheck(sealed(certificate), Limits())
    assert why in str(refused.value)


def test_more_tokens_may_be_listed() -> None:
    """A token without weight may be read: its cases are cut, and nothing changes."""
    certificate = good("lookup-quadratic", 4)
    at(certificate, (*READS, 0, 4, 0))[0] = ["0", "3"]
    assert accepted(certificate)


@pytest.mark.parametrize("part", [1, *(pytest.param(k, marks=pytest.mark.campaign) for k in range(2, 20))])
@pytest.mark.parametrize(("name", "how"), [("lookup-quadratic", "exact"), ("predecessor", "float64+sums=pairwise")], ids=titled)
def test_any_change_is_refused_or_proves_what_is_so(name: str, how: str, part: int) -> None:
    certificate = good(name, 3, how)
    said = digest_of({key: certificate[key] for key in ("format", "claim", "arithmetic", "digest")})
    for changed in mutants(certificate, random.Random(part), 20):
        if accepted(changed):
            assert digest_of({key: changed[key] for key in ("format", "claim", "arithmetic", "digest")}) == said
        if isinstance(changed.get("cases"), list) and accepted(sealed(changed)):
            assert all(brute_force(changed))


@pytest.mark.parametrize("seed", [2, 8, 10, 17])
def test_thresholds_of_random_networks(seed: int) -> None:
    assert compare(seed, of_seed, evidence_by_local_states)


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(20))
def test_thresholds_of_many_random_networks(block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        compare(seed, of_seed, evidence_by_local_states)
