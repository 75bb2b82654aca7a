"""Good certificates, and beside each its corrupted neighbours with the reason that the checker has to give.

A neighbour is the certificate with one place changed. ``sealed`` neighbours got a fresh digest, as a forger would give them.
"""

from __future__ import annotations

import copy
import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tests.tables import table
from verifier import recheck
from verifier.attention.terms import Reading
from verifier.certificates.files import certify, write_certificate
from verifier.certificates.fooling import fooling_certificate
from verifier.certificates.statement import Certificate, Subject, sealed
from verifier.construction.instantiate import instantiate
from verifier.errors import InputError
from verifier.problems import Problem
from verifier.semantics import read_semantics, readings

TABLES = {name: table(name) for name in ("table-5", "table-6")}


def reading(name: str, semantics: str, without: tuple[str, ...] = ()) -> Reading:
    return Reading(instantiate(TABLES[name].source.repaired(without), {"p": 8}), read_semantics(semantics))


@lru_cache(maxsize=64)
def _good(kind: str) -> str:
    lemma = Subject("every-bit-counts/lemma-2.6", "repaired", {"p": 8, "n": 34})
    if kind == "verified":
        return json.dumps(certify(lemma, reading("table-6", "a4")))
    if kind == "refuted":
        return json.dumps(certify(lemma, reading("table-6", "a4", ("step-1-key",))))
    return json.dumps(fooling_certificate(Subject("every-bit-counts/lemma-b.1", "statement", {"m": 15}), Problem("EQ", "y <= z", 15)))


def good(kind: str) -> Any:
    """A fresh copy of a good certificate, as JSON gives it back."""
    return json.loads(_good(kind))


def put(*path: Any, value: Any) -> Callable[[Any], Any]:
    """The change that puts ``value`` (or what it makes of the old one) at a path."""

    def change(certificate: Any) -> Any:
        changed = copy.deepcopy(certificate)
        here = changed
        for key in path[:-1]:
            here = here[key]
        here[path[-1]] = value(here[path[-1]]) if callable(value) else value
        return changed

    return change


def drop_a_state(runs: list[Any]) -> list[Any]:
    """One state fewer in the longest run."""
    longest = max(runs, key=lambda run: int(run[2]))
    longest[2] = str(int(longest[2]) - 1)
    return runs


def add_a_state(runs: list[Any]) -> list[Any]:
    return [*runs, [["1"], ["0"], "1"]]


LESS = ("blocks", 0, "stages", 3, "less")
EVERY = ("blocks", 1, "stages", 2, "every")

UNSEALED = [
    ("verified", "a claim renamed", put("claim", value="every-bit-counts/lemma-2.3"), "digest"),
    ("verified", "another edition", put("edition", value="printed"), "digest"),
    ("verified", "another parameter", put("parameters", "p", value="9"), "digest"),
    ("verified", "a semantics swapped", put("semantics", "ties", value="even"), "digest"),
    ("verified", "a digest changed", put("digest", value=lambda d: d[:-1] + ("0" if d[-1] != "0" else "1")), "digest"),
    ("verified", "an entry of the table changed", put("construction", "tokens", 0, "vectors", 0, 1, value="-5"), "digest"),
    ("verified", "a state dropped", put(*LESS, value=drop_a_state), "is reached, but not listed"),
    ("verified", "a state added", put(*LESS, value=add_a_state), "nothing leads to it"),
    ("verified", "a state dropped in the second block", put(*EVERY, value=drop_a_state), "is reached, but not listed"),
    ("verified", "a state added in the second block", put(*EVERY, value=add_a_state), "nothing leads to it"),
    ("verified", "a count off by one", put("cases", value="536887297"), "cases is 536887297"),
    ("verified", "no cases", put("cases", value="0"), "cases is 0"),
    ("verified", "a stage left out", put("blocks", 0, "stages", value=lambda s: s[:-1]), "leave out positions"),
    ("verified", "a stage twice", put("blocks", 0, "stages", value=lambda s: [*s, s[-1]]), "a stage of 8 to 8 behind 8"),
    ("verified", "a block left out", put("blocks", value=lambda b: b[:1]), "leave out positions"),
    ("verified", "no blocks", put("blocks", value=[]), "one block or two"),
    ("verified", "a block twice", put("blocks", value=lambda b: [b[1], b[1]]), "leave out positions"),
    ("verified", "a sum left out", put("blocks", 0, "sums", value=[]), "one entry for each sum"),
    ("verified", "sums exchanged", put("blocks", 0, "sums", value=["denominator"]), "outside its positions"),
    ("verified", "a sum twice", put("blocks", 0, "sums", value=["sum 1", "sum 1"]), "one entry for each sum"),
    ("verified", "an assumption invented", put("assumptions", value=["exact-entries"]), "assumptions has another shape"),
    ("verified", "a run of no states", put(*LESS, value=lambda r: [*r, [["1"], ["1"], "0"]]), "a run of 0 states"),
    ("verified", "a run of too many states", put(*LESS, value=lambda r: [*r, [["1"], ["1"], "99999999999"]]), "a run of 99999999999"),
    ("refuted", "another input", put("input", "y", value="100000000000000"), "breaks the promise"),
    ("refuted", "an input that is answered rightly", put("input", "z", value="111111111111111"), "trace"),
    ("refuted", "an input too short", put("input", "y", value="0"), "no string of 15 bits"),
    ("refuted", "a weight changed", put("trace", "steps", 0, "weight", value="1/2"), "weight is 1/2"),
    ("refuted", "a sum changed", put("trace", "steps", 5, "sums", 0, value="0"), "number 6, sums, number 1 is 0"),
    ("refuted", "a denominator changed", put("trace", "denominator", value="1"), "denominator is 1"),
    ("refuted", "the output changed", put("trace", "attention", value="1/64"), "attention is 1/64"),
    ("refuted", "the answer changed", put("trace", "answer", value="1"), "answer is 1, but 0"),
    ("refuted", "a step left out", put("trace", "steps", value=lambda s: s[:-1]), "steps has another shape"),
    ("refuted", "an order of evaluation swapped", put("semantics", "order", value="products"), "digest"),
    ("fooling-set", "a member more", put("size", value="32769"), "size is 32769"),
    ("fooling-set", "a pair fewer", put("pairs", value="536854527"), "pairs is 536854527"),
    ("fooling-set", "a bit more", put("bits", value="16"), "bits is 16"),
    ("fooling-set", "another length", put("problem", "length", value="16"), "digest"),
]

SEALED = [
    ("verified", "a constant as printed", put("construction", "tokens", 0, "vectors", 0, 1, value="-7"), "not listed|nothing leads"),
    ("verified", "the MLP's threshold moved", put("construction", "mlp", "hidden", 0, "bias", value="1/32"), "is not answered with 1"),
    ("verified", "an MLP that accepts", put("construction", "mlp", "output", "weights", value=["0", "0"]), "is not answered with 0"),
    ("verified", "an MLP that rejects everything", put("construction", "mlp", "output", "bias", value="0"), "is not answered with 1"),
    ("verified", "a weight that 8 bits lack", put("construction", "mlp", "hidden", 0, "weights", 0, value="-2049/1024"), "assumptions has"),
    ("verified", "ties to even", put("semantics", "ties", value="even"), "is reached, but not listed|nothing leads"),
    ("verified", "one bit fewer", put("construction", "bits", value="7"), "nothing leads|not listed|assumptions"),
    ("verified", "one bit of the strings more", put("construction", "problem", "length", value="16"), "cases is 536887296"),
    ("verified", "a token reads another bit", put("construction", "tokens", 10, "reads", value=["y[1]"]), "depends on y_1"),
    ("verified", "a token that asks and reads", put("construction", "tokens", -1, "reads", value=["y[1]"]), "a vector for each content"),
    ("refuted", "the construction repaired", put("construction", "tokens", 0, "vectors", 0, 1, value="-6"), "trace"),
    ("refuted", "a row of another width", put("construction", "tokens", 0, "vectors", 0, value=["1", "-7"]), "vectors of dimension 3"),
    ("refuted", "one fixed grid", put("semantics", "point", value="grid"), "trace"),
    ("refuted", "no bits", put("construction", "bits", value="0"), "0 bits"),
    ("fooling-set", "another length", put("problem", "length", value="16"), "size is 32768"),
]

UNREADABLE = [
    ("verified", "a format of the future", put("format", value="bitreferee/certificate/2"), "format is not"),
    ("verified", "another kind", put("kind", value="believed"), "kind 'believed'"),
    ("verified", "a decimal with an exponent", put("cases", value="1e3"), "no exact number"),
    ("verified", "a number divided by zero", put("construction", "bits", value="8/0"), "digest"),
    ("verified", "a knob unknown", put("semantics", "ties", value="random"), "ties=random"),
    ("verified", "no construction", lambda c: {k: v for k, v in c.items() if k != "construction"}, "malformed"),
    ("verified", "a block that is no record", put("blocks", 0, value="all"), "malformed"),
    ("verified", "a sum of another name", put("blocks", 0, "sums", value=["total"]), "malformed"),
    ("fooling-set", "another problem", put("problem", "promise", value="none"), "the problem EQ under none"),
    ("fooling-set", "another rule", put("rule", value="antidiagonal"), "the rule 'antidiagonal'"),
]

SPELLINGS = [
    ("verified", "a count with a plus sign", put("cases", value="+536887296")),
    ("verified", "a count as a fraction", put("cases", value="1073774592/2")),
    ("verified", "a count as a JSON number", put("cases", value=536887296)),
    ("verified", "a count with leading zeros", put("cases", value="000536887296")),
    ("verified", "an entry as a decimal", put("construction", "mlp", "hidden", 0, "bias", value="0.015625")),
    ("verified", "an entry not in lowest terms", put("construction", "mlp", "hidden", 0, "bias", value="2/128")),
    ("verified", "a parameter as a JSON number", put("parameters", "p", value=8)),
    ("verified", "a run cut in two", put(*LESS, value=lambda r: [*r, [r[0][0], r[0][1], "1"]])),
    ("refuted", "a weight as a decimal", put("trace", "steps", 0, "weight", value="0.0078125")),
    ("fooling-set", "a size as a fraction", put("size", value="65536/2")),
]


@pytest.mark.parametrize("kind", ["verified", "refuted", "fooling-set"])
def test_good_certificates_are_accepted(kind: str) -> None:
    assert recheck.recheck(good(kind)).startswith("every-bit-counts/lemma-")


@pytest.mark.parametrize(("kind", "title", "change", "reason"), UNSEALED, ids=lambda x: x if isinstance(x, str) else "")
def test_a_corrupted_neighbour_is_rejected(kind: str, title: str, change: Callable[[Any], Any], reason: str) -> None:
    with pytest.raises(recheck.Rejected, match=reason):
        recheck.recheck(change(good(kind)))


@pytest.mark.parametrize(("kind", "title", "change", "reason"), SEALED, ids=lambda x: x if isinstance(x, str) else "")
def test_a_forged_neighbour_is_rejected(kind: str, title: str, change: Callable[[Any], Any], reason: str) -> None:
    with pytest.raises(recheck.Rejected, match=reason):
        recheck.recheck(sealed(change(good(kind))))


@pytest.mark.parametrize(("kind", "title", "change", "reason"), UNREADABLE, ids=lambda x: x if isinstance(x, str) else "")
def test_what_is_no_certificate_is_not_known(kind: str, title: str, change: Callable[[Any], Any], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    changed = change(good(kind))
    path.write_text(json.dumps(changed if reason == "digest" else sealed(changed)))
    with pytest.raises(recheck.Rejected if reason == "digest" else recheck.Unknown, match=reason):
        recheck.recheck(recheck.read(str(path)))


@pytest.mark.parametrize(("kind", "title", "change"), SPELLINGS, ids=lambda x: x if isinstance(x, str) else "")
def test_another_spelling_is_accepted(kind: str, title: str, change: Callable[[Any], Any]) -> None:
    original = good(kind)
    changed = change(copy.deepcopy(original))
    assert changed != original
    recheck.recheck(changed)


def test_every_reading_is_rechecked() -> None:
    """Each reading's certificate, verified or refuted, passes; and the digest of one is not that of another."""
    digests = set()
    kinds = set()
    for semantics in readings():
        for name in TABLES:
            certificate = json.loads(json.dumps(certify(Subject(f"x/{name}", "repaired", {"p": 8}), reading(name, semantics.label))))
            recheck.recheck(certificate)
            kinds.add(certificate["kind"])
            digests.add(certificate["digest"])
    assert kinds == {"verified", "refuted"}
    assert len(digests) == 2 * len(list(readings()))


def test_an_ill_formed_construction_has_no_certificate() -> None:
    printed = Reading(instantiate(TABLES["table-5"].source.file, {"p": 8}), read_semantics("a4"))
    with pytest.raises(InputError, match="ill-formed"):
        certify(Subject("x/table-5", "printed", {"p": 8}), printed)


def run_alone(path: Path, *more: str) -> tuple[int, str]:
    """``python recheck.py FILE`` away from the project, isolated from it."""
    copied = path.parent / "recheck.py"
    copied.write_bytes(Path(recheck.__file__).read_bytes())
    done = subprocess.run([sys.executable, "-I", "-S", str(copied), str(path), *more], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


def test_it_runs_alone_with_its_exit_statuses(tmp_path: Path) -> None:
    path = tmp_path / "c.json.gz"
    certificate: Certificate = good("verified")
    write_certificate(certificate, path)
    assert run_alone(path) == (0, f"accepted: {recheck.recheck(certificate)}\n")
    write_certificate({**certificate, "cases": "1"}, path)
    assert run_alone(path)[0] == 1
    path.write_bytes(path.read_bytes()[:-20])
    assert run_alone(path)[0] == 2
    path.write_bytes(json.dumps(certificate).encode()[:-20])
    assert run_alone(path)[0] == 2
    assert run_alone(tmp_path / "missing.json")[0] == 2
    assert run_alone(path, "second")[0] == 2
    path.write_bytes(gzip.compress(b"[" * 100_000))
    assert run_alone(path)[0] == 2


def test_it_is_one_short_file_of_the_standard_library() -> None:
    source = Path(recheck.__file__).read_text()
    assert len(source.splitlines()) < 700
    assert "verifier." not in source.partition("import")[2]
    names = {line.split()[1].partition(".")[0] for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert names <= sys.stdlib_module_names
