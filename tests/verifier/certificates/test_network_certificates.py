"""Certificates of networks: what they prove is so, and a change of any part is refused, or proves what is so of the changed network."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.verifier.certificates.mutations import NUMBERS, ODD, WORDS, at, places
from tests.verifier.certificates.samples import titled
from verifier.arithmetic.semantics import arithmetic
from verifier.certificates import recheck_network
from verifier.certificates.network_evidence import attribution, certify_network
from verifier.certificates.recheck_answers import Answers
from verifier.certificates.recheck_exact import floats_of
from verifier.certificates.recheck_formulas import Text
from verifier.certificates.recheck_reading import At, Limits, Rejected, TooMuch, Unknown, digest_of
from verifier.running.errors import InputError
from verifier.transformers.files import find_network
from verifier.transformers.precision import first_wrong

Certificate = dict[str, Any]
SAID = ("format", "claim", "arithmetic")


@cache
def kept(name: str, lengths: range, how: str) -> str:
    file = find_network(f"gallery/{name}")
    return json.dumps(certify_network(file, first_wrong(f"gallery/{name}", file, arithmetic(how), lengths), lengths))


def good(name: str, first: int, last: int, how: str = "float16") -> Certificate:
    """The certificate of a network of the gallery."""
    found: Certificate = json.loads(kept(name, range(first, last + 1), how))
    return found


def sealed(certificate: Certificate) -> Certificate:
    statement = {key: certificate[key] for key in SAID}
    statement["cases"] = [{key: case[key] for key in ("parameters", "network")} for case in certificate["cases"]]
    return {**certificate, "digest": digest_of(statement)}


PROVED = [
    (
        "turing-flip",
        1,
        1,
        "float32",
        "inputs",
        "right on all 2 inputs with n = 1; in float32, where the right answer is '(run0R if w(k) == 1 else run1R) ",
    ),
    (
        "parity",
        1,
        5,
        "float32",
        "states",
        "right on all 62 inputs with n = 1 .. 5; in float32, where the right answer is 'popcount(w) % 2 == 1'; ",
    ),
    ("parity", 30, 30, "float16", "states", "right on all 1,073,741,824 inputs with n = 30; in float16, where "),
    ("first", 8, 8, "bfloat16", "prefixes", "right on all 256 inputs with n = 8; in bfloat16, where the right answer is 'w[1] == 1'; "),
    (
        "predecessor",
        2,
        3,
        "float32",
        "prefixes",
        "right on all 12 inputs with n = 2, k = 1; n = 3, k = 2; in float32, where the right answer is 'w[k + 1] == 1'",
    ),
    (
        "dyck-1",
        5,
        6,
        "float32",
        "wrong",
        "right on all 32 inputs with n = 5; wrong with n = 6: the input w = 0 0 0 1 1 1 is answered with no, ",
    ),
    ("dyck-1", 1, 6, "exact", "inputs", "right on all 126 inputs with n = 1 .. 6; in exact arithmetic, where the right answer is "),
    ("parity", 6, 6, "fixed:8", "inputs", "right on all 64 inputs with n = 6; in fixed:8, where the right answer is "),
    ("parity", 4, 4, "int8:1/64", "wrong", "wrong with n = 4: the input w = "),
    ("parity", 4, 5, "float16+sums=pairwise", "inputs", "right on all 48 inputs with n = 4 .. 5; in float16+sums=pairwise, where "),
    ("parity", 4, 5, "bfloat16+sums=split:2+products=fused", "inputs", "right on all 48 inputs with n = 4 .. 5; in bfloat16+sums=split:2+"),
    ("parity", 30, 30, "float16+subnormals=flushed", "states", "right on all 1,073,741,824 inputs with n = 30; in float16+subnormals="),
    ("parity-no-positions", 2, 2, "float64", "wrong", "wrong with n = 2: the input w = 1 1 is answered with no, not yes; in float64, wh"),
]


@pytest.mark.parametrize(("name", "first", "last", "how", "kind", "fact"), PROVED, ids=titled)
def test_what_a_certificate_proves(name: str, first: int, last: int, how: str, kind: str, fact: str) -> None:
    certificate = good(name, first, last, how)
    assert certificate["cases"][-1]["evidence"]["kind"] == kind
    assert recheck_network.recheck(certificate, Limits()).startswith(fact)


def test_the_checker_stands_alone(tmp_path: Path) -> None:
    """Copied elsewhere, with nothing of the project beside it, and by the command, which compares it with the file."""
    for path in Path(recheck_network.__file__).parent.glob("recheck*.py"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "parity.json").write_text(json.dumps(good("parity", 1, 3)))
    command = [sys.executable, "-I", "-S", str(tmp_path / "recheck_network.py"), str(tmp_path / "parity.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("accepted: right on all 14 inputs with n = 1 .. 3; ")
    (tmp_path / "recheck_states.py").unlink()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (70, "recheck_network.py needs recheck_states.py beside it\n")


def test_the_commands(verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "first.json.gz"
    words = f"precision gallery/first --n 1..4 --arithmetic float16 --certificate {path}"
    assert verify(words).status == 0
    done = verify(f"recheck {path}")
    assert (done.status, done.out.splitlines()[1]) == (0, "of this network: entry for entry gallery/first")
    done = verify(f"recheck {path} --construction gallery/parity")
    assert (done.status, done.out.splitlines()[1]) == (3, "of another network than gallery/parity")
    for more in ("--arithmetic float16,float32", "--arithmetic float16 --vary sums"):
        done = verify(f"precision gallery/first {more} --certificate {path}")
        assert (done.status, "one arithmetic was expected" in done.err) == (2, True)


def test_a_name_of_no_network_of_ours() -> None:
    certificate = good("parity", 1, 3)
    assert attribution({**certificate, "claim": "/etc/passwd"}, None) == (
        False,
        "of a file, '/etc/passwd'; --construction FILE compares it with that file",
    )
    assert attribution({**certificate, "claim": "gallery/none"}, None)[0] is False


DECLINED = [
    (
        "parity-no-positions",
        "exact",
        range(2, 3),
        "inputs: a comparison of real numbers that their ends, of 256 digits, leave open",
    ),
    ("first", "int8:1/3", range(1, 3), 'arithmetic, format: "int8:1/3" where one of float64, '),
    (
        "parity",
        "float16+sums=pairwise",
        range(11, 12),
        "sums of rounded products from left to right were expected; inputs: 2,048",
    ),
    (
        "dyck-1",
        "float16",
        range(11, 12),
        "prefixes: heads of the first layer whose scores are all equal were expected; inputs: 2,048 inputs, ",
    ),
]


@pytest.mark.parametrize(("name", "how", "lengths", "why"), DECLINED, ids=titled)
def test_what_has_no_certificate(name: str, how: str, lengths: range, why: str) -> None:
    file = find_network(f"gallery/{name}")
    cell = first_wrong(name, file, arithmetic(how), lengths)
    with pytest.raises(InputError) as told:
        certify_network(file, cell, lengths)
    assert why in str(told.value)


STATE = ("cases", 0, "evidence", "states", 1)
FORGED: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("a count too large", (*STATE, "count"), "3", "2 inputs lead to this state"),
    ("a sum that no input has", (*STATE, "sums", 0), "1/2", "no input leads to this state"),
    ("a sum between values", (*STATE, "sums", 0), "1/3", "where a value of the format was expected"),
    ("a sum more", (*STATE, "sums"), ["0", "0", "0"], "no input leads to this state"),
    ("another number of ones", (*STATE, "ones"), "2", "no input leads to this state"),
    ("a symbol that nothing reads", (*STATE, "symbols"), ["1"], "no input leads to this state"),
    ("no states", ("cases", 0, "evidence", "states"), [], "0 states, 3 were expected"),
    ("another kind", ("cases", 0, "evidence", "kind"), "inputs", "no count"),
    (
        "a kind that is none",
        ("cases", 0, "evidence", "kind"),
        "belief",
        "where inputs or wrong or states or prefixes or local or induction was",
    ),
    ("an unknown key", ("cases", 0, "evidence", "note"), "1", '"note" is not known here'),
    ("no cases", ("cases",), [], "no case"),
    ("another format", ("format",), "bitreferee/certificate/1", "where bitreferee/network-certificate/1 was expected"),
    ("another claim", ("claim",), "x", "the digest is not that of the statement"),
    ("another parameter", ("cases", 0, "parameters", "n"), "3", "the digest is not that of the statement"),
]


@pytest.mark.parametrize(("title", "path", "value", "why"), FORGED, ids=titled)
def test_a_forgery_is_refused(title: str, path: tuple[Any, ...], value: Any, why: str) -> None:
    certificate = good("parity", 2, 2)
    at(certificate, path[:-1])[path[-1]] = value
    with pytest.raises((Rejected, Unknown)) as refused:
        recheck_network.recheck(certificate, Limits())
    assert why in str(refused.value)


def test_a_state_twice() -> None:
    certificate = good("parity", 2, 2)
    states = at(certificate, STATE[:-1])
    states[2] = states[1]
    with pytest.raises(Rejected, match="this state is listed twice"):
        recheck_network.recheck(certificate, Limits())


SEALED: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("another right answer", ("output", "function"), "popcount(w) % 2 == 0", "is answered with no, yes was expected"),
    ("a right answer of more", ("output", "function"), "w == 3", "reads the number of ones or single symbols was expected"),
    ("a promise", ("output", "promise"), "w == 3", "a network without a promise was expected"),
    ("another position", ("output", "at"), "0", "an answer at a special token was expected"),
    ("a symbol that later heads read", ("layers", 1, "heads", 0, "value", 0), [[["0", "1"]], []], "depends on the symbol"),
    ("scores in the first layer", ("layers", 0, "heads", 0, "kind"), "linear", "heads of the first layer that attend uniformly"),
    ("another number of positions", ("strings", "w"), "3", "a string that is read once, in its order, was expected"),
    ("a call", ("output", "yes"), "print(answer) == 1", "is not known here"),
    ("an attribute", ("output", "yes"), "answer.__class__ == 1", "is not known here"),
    ("a great power", ("output", "function"), "9**9**9**9 == popcount(w)", "a power too large"),
    ("deep brackets", ("output", "function"), "(" * 300 + "1" + ")" * 300, "too long"),
    ("a division by 0", ("output", "function"), "popcount(w)/0 == 1", "a division by 0"),
    ("a name with two meanings", ("output", "names"), {"w": "1"}, "no other meaning"),
]


@pytest.mark.parametrize(("title", "path", "value", "why"), SEALED, ids=titled)
def test_another_network_needs_other_evidence(title: str, path: tuple[Any, ...], value: Any, why: str) -> None:
    certificate = good("parity", 2, 2)
    at(certificate["cases"][0]["network"], path[:-1])[path[-1]] = value
    with pytest.raises((Rejected, Unknown)) as refused:
        recheck_network.recheck(sealed(certificate), Limits())
    assert why in str(refused.value)


def brute_force(certificate: Certificate) -> Iterator[bool]:
    """Whether each input of each case that is said to be right is answered rightly."""
    floats = floats_of(At(certificate["arithmetic"]), Limits(work=1 << 40))
    for case in certificate["cases"]:
        answers = Answers(At(case["network"]), floats, {name: int(value) for name, value in case["parameters"].items()})
        ((name, length),) = answers.transformer.strings.items()
        for string in product((0, 1), repeat=length):
            texts = {name: Text.whole(string, 2)}
            if case["evidence"]["kind"] != "wrong" and answers.promised(texts):
                yield answers.found(texts) == answers.expected(texts)


def mutants(certificate: Certificate, random: Random, count: int) -> Iterator[Certificate]:
    """Some of the certificates in which a text, a flag or a list is another one."""
    for path, value in random.sample(list(changes(certificate)), count):
        changed = copy.deepcopy(certificate)
        at(changed, path[:-1])[path[-1]] = value
        yield changed


def changes(certificate: Certificate) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every place with every other content."""
    for path in places(certificate):
        old = at(certificate, path)
        if not path or isinstance(old, dict):
            continue
        values: list[Any] = (
            [*NUMBERS[:8], *WORDS[:4], *ODD[:4]]
            if isinstance(old, str)
            else [[], old + old[:1], old[1:], old[::-1]]
            if isinstance(old, list)
            else [not old]
        )
        for value in values:
            if value != old:
                yield path, value


def accepted(certificate: Certificate, limits: Limits | None = None) -> bool:
    try:
        recheck_network.recheck(certificate, limits or Limits())
    except (Rejected, Unknown, TooMuch):
        return False
    return True


@pytest.mark.parametrize("part", [1, *(pytest.param(k, marks=pytest.mark.campaign) for k in range(2, 30))])
@pytest.mark.parametrize(
    ("name", "length", "how"),
    [
        ("parity", 2, "float16"),
        ("first", 2, "float16"),
        ("predecessor", 2, "float16"),
        ("dyck-1", 3, "exact"),
        ("parity", 2, "exact"),
        ("tracr-frac-prevs", 2, "exact"),
        ("parity", 3, "fixed:10"),
        ("first", 3, "bfloat16+sums=numpy"),
    ],
    ids=titled,
)
def test_any_change_is_refused_or_proves_what_is_so(name: str, length: int, how: str, part: int) -> None:
    """Without a new seal it is refused, or says the same; with one, what it proves of the changed network is so."""
    certificate = good(name, length, length, how)
    said = digest_of(certificate)
    proved = 0
    for changed in mutants(certificate, Random(part), 20):
        if accepted(changed):
            assert digest_of(changed) == said or sorted_states(changed) == sorted_states(certificate)
        if accepted(sealed(changed) if isinstance(changed.get("cases"), list) else changed):
            proved += 1
            assert all(brute_force(changed))
    assert proved < 20


def sorted_states(certificate: Certificate) -> list[str]:
    """The states in any order."""
    return sorted(json.dumps(state) for state in certificate["cases"][0]["evidence"].get("states", []))


HOSTILE = [
    ("many inputs", "predecessor", ("evidence", "count"), str(1 << 3000)),
    ("a long formula", "parity", ("network", "output", "yes"), "+".join(["answer"] * 500) + " > 0"),
    ("a sum over a sum", "parity", ("network", "output", "function"), "sum(sum(popcount(w) for i in (1, 4000)) for j in (1, 4000)) == 1"),
    ("a product of products", "parity", ("network", "output", "function"), "*".join(["9**1000"] * 200) + " == 1"),
    ("many words", "parity", ("network", "words"), str(10**9)),
    ("a long string", "parity", ("network", "strings", "w"), str(10**9)),
    ("many steps", "parity", ("network", "output", "at"), str(10**9)),
]


@pytest.mark.parametrize(("title", "name", "path", "value"), HOSTILE, ids=titled)
def test_hostile_certificates_end_soon(title: str, name: str, path: tuple[Any, ...], value: str) -> None:
    certificate = good(name, 2, 2)
    at(certificate["cases"][0], path[:-1])[path[-1]] = value
    assert not accepted(sealed(certificate), Limits(work=1 << 18))


def test_work_is_counted() -> None:
    certificate = good("parity", 1, 3)
    with pytest.raises(TooMuch, match="--work N raises this limit"):
        recheck_network.recheck(certificate, Limits(work=1000))
    limits = Limits()
    recheck_network.recheck(certificate, limits)
    assert 1000 < limits.spent < 100_000


FREE = {"kind": "softmax", "query": [], "key": [], "value": [], "bias": [], "listed": [], "mask": "strictly-causal"}


@pytest.mark.parametrize("kind", ["states", "inputs"])
def test_work_that_computes_nothing_is_counted(kind: str) -> None:
    """A thousand heads without maps and values, at every position, for every input or state."""
    certificate = good("parity", 5, 5)
    if kind == "inputs":
        certificate["cases"][0]["evidence"] = {"kind": "inputs", "count": "32"}
    inner = certificate["cases"][0]["network"]
    (idle,) = copy.deepcopy(inner["layers"][1]["heads"][:1])
    inner["layers"].insert(1, {**copy.deepcopy(inner["layers"][1]), "heads": [{**idle, **FREE}] * 1000, "combine": [], "network": []})
    limits = Limits(work=1 << 17)
    with pytest.raises(TooMuch):
        recheck_network.recheck(sealed(certificate), limits)
