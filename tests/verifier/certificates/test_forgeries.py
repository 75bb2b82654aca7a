"""Certificates changed at random: what is accepted is so by a second reader; and files that are no JSON of one meaning."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.rows import titled
from tests.verifier.certificates.forgeries import tried
from tests.verifier.certificates.samples import good
from verifier.certificates.recheck_reading import Limits, TooMuch, Unknown, canonical, digest_of, read
from verifier.certificates.statement import sealed, statement

CHUNK = 25


@pytest.mark.long("3000")
@pytest.mark.one_in(144)
@pytest.mark.parametrize("first", range(0, 6000, CHUNK))
def test_nothing_false_is_accepted(first: int) -> None:
    assert "FALSE" not in [tried(case) for case in range(first, first + CHUNK)]


GOOD_TEXT = b'{"a": ["1", "2"]}'
BYTES: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("a key twice", lambda data: data[:-1] + b', "a": []}', "occurs twice"),
    ("no end", lambda data: data[:-1], "not readable as JSON"),
    ("a second value", lambda data: data * 2, "not readable as JSON"),
    ("other letters", lambda data: data.replace(b"1", b"\xff"), "not readable as JSON"),
    ("NaN", lambda data: data.replace(b'"1"', b"NaN"), '"NaN" where JSON was expected'),
    ("infinity", lambda data: data.replace(b'"1"', b"-Infinity"), '"-Infinity" where JSON was expected'),
    ("deep lists", lambda data: b"[" * 100000 + b"]" * 100000, "not readable as JSON"),
    ("a cut gzip", lambda data: gzip.compress(data)[:-9], "not readable as JSON"),
    ("a changed gzip", lambda data: gzip.compress(data)[:-8] + bytes(8), "not readable as JSON"),
]


@pytest.mark.parametrize(("title", "change", "reason"), BYTES, ids=titled)
def test_a_file_that_is_no_json_is_refused(title: str, change: Callable[[bytes], bytes], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(GOOD_TEXT)
    assert read(str(path), Limits()) == {"a": ["1", "2"]}
    path.write_bytes(change(GOOD_TEXT))
    with pytest.raises(Unknown, match=reason):
        read(str(path), Limits())


LARGE = [("bytes", b" " * 2000 + b"{}"), ("entries", b"[" + b"1," * 1000 + b"1]"), ("bytes", gzip.compress(b" " * 2000, mtime=0))]


@pytest.mark.parametrize(("limit", "data"), LARGE)
def test_a_file_is_measured_before_it_is_built(limit: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(TooMuch, match=f"more than 1000 {limit}"):
        read(str(tmp_path / "file"), Limits(**{limit: 1000}))


@pytest.mark.parametrize("kind", ["pairs in one block", "inputs", "fooling set", "one sum"])
def test_both_programs_make_one_digest(kind: str) -> None:
    """And numbers in other spellings have the same one."""
    certificate = good(kind)
    assert digest_of(statement(certificate)) == certificate["digest"] == sealed(certificate)["digest"]
    spelled: Any = json.loads(json.dumps(certificate).replace('"1"', '"2/2"').replace('"0"', '"+0.00"'))
    assert digest_of(statement(spelled)) == certificate["digest"] == sealed(spelled)["digest"]
    assert canonical({"a": ["4/2", "x", True]}) == {"a": ["2", "x", True]}
