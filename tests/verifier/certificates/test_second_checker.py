"""The checker in C, written from the specification: it accepts what the one in Python accepts, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.verifier.certificates import test_any_function as tables
from tests.verifier.certificates.mutations import mutant
from tests.verifier.certificates.samples import good
from tests.verifier.certificates.test_agreement import bases
from tests.verifier.certificates.two_checkers import compare, compiled, one_sums, try_case
from verifier.certificates.recheck_reading import digest

SAMPLE = 60
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("second"))


@pytest.mark.parametrize("kind", ["verified", "refuted", "fooling-set"])
def test_good_certificates(kind: str, program: Path, tmp_path: Path) -> None:
    assert compare(program, good(kind), tmp_path / "certificate.json") == "accepted"


def test_certificates_of_every_kind(program: Path, tmp_path: Path) -> None:
    said = [compare(program, text, tmp_path / "certificate.json") for text in (*bases(), *one_sums())]
    assert said == ["accepted"] * len(said)


SPELLINGS = [
    ("a name with letters of all kinds", {"claim": 'l\u0435mma \u202e \U0001f600 \x7f " \\ / \n\r\t\f\b\x01'}),
    ("a surrogate alone", {"claim": "\ud800 \udfff\ud800"}),
    ("a name that is a number", {"claim": "+006/4"}),
    ("a number in decimals", {"parameters": {"m": "15.000"}}),
    ("no parameters", {"parameters": {}}),
]


@pytest.mark.parametrize(("title", "change"), SPELLINGS, ids=[title for title, _ in SPELLINGS])
def test_the_digest_of_every_spelling(title: str, change: dict[str, Any], program: Path, tmp_path: Path) -> None:
    changed = {**good("fooling-set"), **change}
    sealed = {**changed, "digest": digest(changed)}
    assert compare(program, json.dumps(sealed), tmp_path / "certificate.json") == "accepted"


NO_JSON = [
    '{"a": 1',
    "[1, 2,]",
    '{"a": 1, "a": 1}',
    "NaN",
    "[01]",
    '"\x01"',
    "\ufeff{}",
    "[] []",
    "[" * 65 + "]" * 65,
    "",
    '{"\\u0061": 1, "a": 2}',
]


@pytest.mark.parametrize("text", NO_JSON)
def test_files_that_both_refuse(text: str, program: Path, tmp_path: Path) -> None:
    assert compare(program, text, tmp_path / "certificate.json") == "refused"


def test_a_sample_of_mutants_and_random_constructions(program: Path, tmp_path: Path) -> None:
    seen = Counter(try_case(program, case, tmp_path / "certificate.json") for case in range(SAMPLE))
    wanted = {f"{kind} {said}" for kind in ("construction", "one-sum") for said in ("accepted", "refused")} | {"random trace accepted"}
    assert wanted <= seen.keys(), seen


@pytest.mark.parametrize("entry", [None, ("mlp.output.weights 1", 3)], ids=["right", "wrong"])
@pytest.mark.parametrize("name", ["parity", "greater-than", "inner-product", "majority-by-sign"])
def test_tables_of_any_function(name: str, entry: tuple[str, Any] | None, program: Path, tmp_path: Path) -> None:
    assert compare(program, tables.certificate(name, entry=entry), tmp_path / "certificate.json") == "accepted"


@pytest.mark.parametrize("reading", [*tables.READINGS, "a4+underflow=flush", "a4+underflow=subnormals+ties=away", "a4+rounding=truncate"])
@pytest.mark.parametrize("precision", [{"t": 6, "e": 4}, {"t": 2, "e": 3}])
def test_tables_in_floating_point(precision: dict[str, int], reading: str, program: Path, tmp_path: Path) -> None:
    assert compare(program, tables.softmax(precision, reading), tmp_path / "certificate.json") == "accepted"


def test_forged_tables_are_refused_by_both(program: Path, tmp_path: Path) -> None:
    for title, name, change, _ in tables.CHANGES:
        assert compare(program, tables.resealed(change(tables.certificate(name))), tmp_path / "certificate.json") == "refused", title
    for title, change in tables.UNKNOWN:
        assert compare(program, tables.resealed(change(tables.certificate("parity"))), tmp_path / "certificate.json") == "refused", title


@pytest.mark.parametrize("count", [40, pytest.param(2000, marks=pytest.mark.campaign)])
def test_mutants_of_tables(count: int, program: Path, tmp_path: Path) -> None:
    rng, seen = Random(count), Counter[str]()
    bases_ = [tables.certificate(name, entry=entry) for name, entry in tables.BASES]
    bases_ += [tables.softmax({"t": 3, "e": 3}, reading) for reading in tables.READINGS]
    for _ in range(count):
        title, changed = mutant(rng.choice(bases_), bases_, rng)
        try:
            seen[compare(program, changed, tmp_path / "certificate.json")] += 1
        except AssertionError as difference:
            raise AssertionError(f"{title}: {difference}") from None
    assert seen["refused"] > count // 2


@pytest.mark.parametrize("version", ["bitreferee/network-certificate/1", "bitreferee/symbols-certificate/1", "bitreferee/certificate/2"])
def test_other_formats_are_declined_and_unknown_ones_refused(version: str, program: Path, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps({"format": version}))
    done = subprocess.run([program, path], capture_output=True, text=True)
    assert done.returncode == (4 if version.endswith("certificate/1") else 1)
    assert ("not checked" in done.stdout) == (done.returncode == 4)


@pytest.mark.parametrize("kind", ["a pipe", "a device", "a link to a device", "a folder"])
def test_only_regular_files_are_read(kind: str, program: Path, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a link to a device":
        path.symlink_to("/dev/zero")
    named = {"a device": Path("/dev/zero"), "a folder": tmp_path}.get(kind, path)
    done = subprocess.run([program, named], capture_output=True, text=True, timeout=10)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{named}: no regular file\n")
