"""Certificates by induction: adders, forgeries, and what boxes enclose."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from tests.verifier.certificates.mutations import at
from tests.verifier.certificates.samples import titled
from tests.verifier.certificates.test_network_arithmetic import checked, plain_arithmetics, state
from tests.verifier.certificates.test_network_certificates import Certificate, accepted, mutants, sealed
from tests.verifier.transformers.random_networks import named, random_adder, random_network
from verifier.arithmetic.semantics import arithmetic
from verifier.certificates import recheck_network
from verifier.certificates.network_evidence import certify_network, evidence_by_induction, said, sealed_certificate
from verifier.certificates.recheck_answers import Answers
from verifier.certificates.recheck_boxes import Boxes, Open
from verifier.certificates.recheck_floats import Floats
from verifier.certificates.recheck_formulas import Text
from verifier.certificates.recheck_reading import At, Limits, Rejected, Unknown
from verifier.transformers.contexts import Rounded
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.precision import first_wrong
from verifier.transformers.records import NetworkFile

SUMMED = [  # both digits of a column have the same weight; where there are none, the separator has all
    {"where": "(j == i - 2*n and j < n) or j == i - n", "value": {"here": "2*digit"}},
    {"where": "(i > 2*n and (j == i - 2*n - 1 or j == i - n - 1)) or (i <= 2*n and j == 2*n)", "value": {"before": "2*digit"}},
]
COPIED = [
    {"where": "(j == i - 2*n and j < n) or (i == 3*n and j == 2*n)", "value": {"here": "digit"}},
    {"where": "j == i - n", "value": {"here": "digit"}},
    {"where": "(i > 2*n and j == i - 2*n - 1) or (i <= 2*n and j == 2*n)", "value": {"before": "digit"}},
    {"where": "(i > 2*n and j == i - n - 1) or (i <= 2*n and j == 2*n)", "value": {"before": "digit"}},
]


@cache
def adder(kind: str) -> NetworkFile:
    """Adds numbers of n bits: a carry is where the digits before sum up to more than the output before."""
    return msgspec.convert(
        {
            **named("small-adder"),
            "input": {"strings": {"a": "n", "b": "n"}, "tokens": ["reversed(a)", "reversed(b)", "SEP"]},
            "coordinates": ["digit", "here", "before", "carry", "two"],
            "embedding": {"digit": "0 if token == SEP else token"},
            "layer": [
                {
                    "head": SUMMED if kind == "summed" else COPIED,
                    "network": {"activation": "step", "hidden": {"c": "before - digit - 1/2"}, "into": {"carry": "c"}},
                },
                {"network": {"hidden": {"u": "here + carry - 1", "v": "here + carry - 2"}, "into": {"two": "u - v"}}},
            ],
            "decode": {
                "steps": "n + 1",
                "function": "(a + b)//2**(k - 1) % 2",
                "logits": {"0": "two", "1": "here + carry - two - 1/2"},
            },
        },
        NetworkFile,
    )


@cache
def kept(kind: str, length: int, how: str) -> str:
    lengths = range(length, length + 1)
    return json.dumps(certify_network(adder(kind), first_wrong("small", adder(kind), arithmetic(how), lengths), lengths))


def good(kind: str, length: int = 2, how: str = "float16") -> Certificate:
    found: Certificate = json.loads(kept(kind, length, how))
    return found


@pytest.mark.parametrize("how", ["float16", "bfloat16+products=narrow+accumulate=float32", "float32+division=output"])
@pytest.mark.parametrize("kind", ["summed", "copied"])
def test_small_adders(kind: str, how: str) -> None:
    for length in (2, 5):
        certificate = good(kind, length, how)
        evidence = certificate["cases"][0]["evidence"]
        assert evidence["kind"] == "induction"
        assert all((head == []) is (kind == "summed") for step in evidence["steps"][1:-1] for head in step["heads"])
        fact = f"right on all {4**length:,} inputs with n = {length}; in {how}, where the right answer is '(a + b)//2**(k - 1) % 2'; "
        assert recheck_network.recheck(certificate, Limits()).startswith(fact)


ADDERS = [("adder-27", "float32"), ("adder-28", "float32"), ("adder-20", "float32+root=multiply")]


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "how"), ADDERS, ids=titled)
def test_adders_of_the_gallery(name: str, how: str) -> None:
    file = find_network(f"gallery/{name}")
    certificate = certify_network(file, first_wrong(name, file, arithmetic(how), range(10, 11)), range(10, 11))
    limits = Limits()
    assert recheck_network.recheck(certificate, limits).startswith(f"right on all {10**20:,} inputs with n = 10; in {how}, where ")
    assert limits.spent < 1 << 22


STEP = ("cases", 0, "evidence", "steps", 1)
FORGED: list[tuple[str, str, tuple[Any, ...], Any, str]] = [
    ("too few groups", "summed", (*STEP, "groups"), "7", "groups were expected"),
    ("no boxes", "summed", (*STEP, "boxes"), [], "a group is not listed"),
    ("a box too low", "summed", (*STEP, "boxes", 2, 2), "-5", "a sum may be beyond its box"),
    ("a box too high", "summed", (*STEP, "boxes", 2, 1), "5", "a sum may be beyond its box"),
    ("a box without end", "summed", (*STEP, "boxes", 2, 2), "inf", "a sum may be beyond its box"),
    ("a box that is too wide", "summed", (*STEP, "boxes", 2, 2), "60000", "is not certainly chosen"),
    ("an end between values", "summed", (*STEP, "boxes", 2, 2), "1/3", "where a value of the format was expected"),
    ("a group that no input leads to", "summed", (*STEP, "boxes", 2, 0), ["0", "3", "0"], "no input leads to this group"),
    ("a head that does not copy", "summed", (*STEP, "heads", 0), ["1", "1"], "head 1 does not copy token 1"),
    ("another token", "copied", (*STEP, "heads", 0), ["2", "2"], "head 1 does not copy token 2"),
    ("a token that is none", "copied", (*STEP, "heads", 0), ["9", "9"], "an integer from 0 to 5 was expected"),
    ("boxes that nothing needs", "copied", (*STEP, "boxes"), [["0"]], "1 entries where 0 were expected"),
    ("a head too few", "copied", (*STEP, "heads"), [], "0 entries where 4 were expected"),
    ("a step too few", "copied", ("cases", 0, "evidence", "steps"), [], "0 entries where 3 were expected"),
]


@pytest.mark.parametrize(("title", "kind", "path", "value", "why"), FORGED, ids=titled)
def test_a_forgery_is_refused(title: str, kind: str, path: tuple[Any, ...], value: Any, why: str) -> None:
    certificate = good(kind)
    at(certificate, path[:-1])[path[-1]] = value
    with pytest.raises((Rejected, Unknown)) as refused:
        recheck_network.recheck(certificate, Limits())
    assert why in str(refused.value)


def test_a_group_twice() -> None:
    certificate = good("summed")
    boxes = at(certificate, (*STEP, "boxes"))
    boxes[1] = copy.deepcopy(boxes[0])
    with pytest.raises(Rejected, match="this group is listed twice"):
        recheck_network.recheck(certificate, Limits())


SEALED: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("another sum", ("output", "function"), "(a + b + 1)//2**(k - 1) % 2", "no input leads to this group"),
    ("another base", ("output", "function"), "(a + b)//3**(k - 1) % 2", "were expected, where S is a sum of the strings"),
    ("digits from the first on", ("output", "function"), "(a + b)//2**(k + 1) % 2", "were expected, where S is a sum of the strings"),
    ("a product", ("output", "function"), "(a*b)//2**(k - 1) % 2", "a sum of strings was expected"),
    ("a half", ("output", "function"), "(a*h + b)//2**(k - 1) % 2", "S is a sum of the strings"),
    ("a step that is a name", ("output", "names"), {"k": "1"}, "no other meaning"),
    ("an end", ("output", "until"), "1", "outputs up to a length were expected"),
    ("a promise", ("output", "promise"), "a == b", "outputs up to a length were expected"),
    ("a mask", ("layers", 0, "heads", 0, "mask"), "causal", "entries where 0 were expected"),
    ("symbols that strings lack", ("letters",), "1", "an integer from 2 to 2 was expected"),
    ("no logits", ("output", "logits"), [], "where a map for each symbol was expected"),
    ("symbols that differ by nothing", ("output", "logits"), [[[], []], [[], []]], "is not certainly chosen"),
]


@pytest.mark.parametrize(("title", "path", "value", "why"), SEALED, ids=titled)
def test_another_network_needs_other_evidence(title: str, path: tuple[Any, ...], value: Any, why: str) -> None:
    certificate = good("summed")
    inner = certificate["cases"][0]["network"]
    inner["output"]["names"] = {"h": "1/2"}
    at(inner, path[:-1])[path[-1]] = value
    with pytest.raises((Rejected, Unknown)) as refused:
        recheck_network.recheck(sealed(certificate), Limits())
    assert why in str(refused.value)


def brute_force(answers: Answers) -> Iterator[bool]:
    """Whether each input is answered rightly."""
    strings, base = answers.transformer.strings, answers.transformer.letters
    for each in product(*(product(range(base), repeat=length) for length in strings.values())):
        texts = {name: Text.whole(string, base) for name, string in zip(strings, each, strict=True)}
        yield answers.found(texts) == answers.expected(texts)


@pytest.mark.parametrize("part", [1, *(pytest.param(k, marks=pytest.mark.campaign) for k in range(2, 60))])
@pytest.mark.parametrize("kind", ["summed", "copied"])
def test_any_change_is_refused_or_proves_what_is_so(kind: str, part: int) -> None:
    proved = 0
    for changed in mutants(good(kind), Random(part), 8):
        if isinstance(changed.get("cases"), list) and accepted(sealed(changed)):
            proved += 1
            case = changed["cases"][0]
            floats = Floats(At(changed["arithmetic"]), Limits(work=1 << 40))
            assert all(brute_force(Answers(At(case["network"]), floats, {"n": int(case["parameters"]["n"])})))
    assert proved < 8


@pytest.mark.parametrize("seeds", [range(16), *(pytest.param(range(k, k + 100), marks=pytest.mark.campaign) for k in range(16, 1000, 100))])
def test_what_is_accepted_of_random_networks_is_so(seeds: range) -> None:
    """The right outputs are all 0: some networks are right, and the engine's evidence of the others is refused."""
    proved, refused = 0, 0
    for seed in seeds:
        random = Random(seed)
        file = random_adder(random)
        zero = msgspec.structs.replace(file.decode, function="(0*a + 0*b)//3**(k - 1) % 3")
        how, built = plain_arithmetics(random), network(msgspec.structs.replace(file, decode=zero), {"n": 1})
        evidence = evidence_by_induction(built, how)
        if isinstance(evidence, str):
            continue
        certificate = sealed_certificate("", how, [{**said(built, {"n": 1}, how), "evidence": evidence}])
        if accepted(certificate, Limits(work=1 << 20)):
            proved += 1
            assert all(brute_force(checked(built, how)))
        else:
            refused += 1
    assert min(proved, refused) > 0


@pytest.mark.parametrize("seed", range(12))
def test_boxes_hold_every_value_between_their_ends(seed: int) -> None:
    random = Random(seed)
    how = plain_arithmetics(random)
    built = network(random_network(random), {"n": 2})
    answers = checked(built, how)
    t, context = answers.transformer, Rounded(how)
    boxes, form = Boxes(t), how.machine()
    for layer in t.layers:
        alone = layer._replace(heads=[])
        ends = [
            sorted(state(t.floats, context.constant(form.form.largest / random.choice([1000, -300, 10**6]))) for _ in "ab")
            for _ in t.coordinates
        ]
        try:
            found = boxes.network(alone, [(low, high) for low, high in ends])
        except Open:
            continue
        for _ in range(20):
            inside = t.after(alone, [t.floats.settle(random.randint(low, high)) for low, high in ends], [])
            assert all(low <= x <= high for x, (low, high) in zip(inside, found, strict=True))
