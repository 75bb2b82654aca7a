"""Certificates of at most a megabyte that ask for much: refused in one line, within 60 seconds and 1 GiB at the default limits."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.verifier.certificates import hostile
from tests.verifier.certificates.samples import good, titled
from tests.verifier.certificates.test_limits import bounded
from verifier.certificates import recheck, recheck_command, recheck_reading
from verifier.certificates.recheck_reading import Limits, TooMuch

WORK = "more than {work} work; --work N raises this limit"
Case = tuple[str, Callable[[], bytes], int, str]
COSTLY: list[Case] = [
    ("states and moves of six bits", lambda: hostile.one_sum(6, "independent", 9), 3, WORK),
    ("products of six bits", lambda: hostile.one_sum(6, "product", 13, knobs={"overflow": "saturate"}), 3, WORK),
    ("products of five bits", lambda: hostile.one_sum(5, "product", 11), 3, WORK),
    ("long products", lambda: hostile.one_sum(6, "product", 9, knobs={"point": "grid", "scale": hostile.LONG}), 3, WORK),
    ("answers of 24 bits", lambda: hostile.nodes(1, "1", 24), 3, WORK),
    ("answers of 64 bits", lambda: hostile.nodes(1, "1", 64), 3, WORK),
    ("nodes with long weights", lambda: hostile.nodes(20, hostile.LONG, 64), 3, WORK),
    ("sums and tokens", lambda: hostile.sums(120, 120), 3, WORK),
    ("multiples of ln 2 near a rounding", lambda: hostile.multiples_of_ln2(290, 300), 3, WORK),
    ("a state for every string", lambda: hostile.listed(hostile.adding(10, 24)), 3, WORK),
]
REFUSED: list[Case] = [
    ("many barriers of the same maps", lambda: hostile.entries("barriers", 2000), 1, "two entries, are the same"),
    ("a token with 15,000 reads", lambda: hostile.reads(15_000), 2, "a list of at most 16 bits was expected"),
    ("17 reads", lambda: hostile.reads(17), 2, "a list of at most 16 bits was expected"),
    ("five million lists", lambda: hostile.wide("[]", 5_000_000), 3, "more than 1048576 entries; --entries N raises this limit"),
    ("two million records", lambda: hostile.wide('{"":0}', 1 << 21), 3, "more than 1048576 entries"),
    ("records up to the limit", lambda: hostile.wide('{"a":{}}', (1 << 20) // 5), 2, "a list where a record was expected"),
    ("a megabyte of brackets", lambda: b"[" * 1_000_000, 2, "more than 64 deep"),
    ("a text without end", lambda: gzip.compress(b'["' + b'\\"' * 8_000_000), 2, "Unterminated string"),
    ("a number of 16,000,000 digits", lambda: gzip.compress(b"[" + b"1" * 16_000_000 + b"]"), 2, "a list where a record was expected"),
    ("fifty thousand empty streams", lambda: gzip.compress(b"") * 50_000, 2, "not readable as JSON"),
]
LOW = 1 << 17


def refused(make: Callable[[], bytes], path: Path, *words: str) -> tuple[int, str]:
    data = make()
    assert len(data) <= 1 << 20
    path.write_bytes(data)
    done = bounded(path, *words)
    assert (done.stderr, done.stdout.count("\n")) == ("", 1)
    return done.returncode, done.stdout


@pytest.mark.parametrize(("title", "make", "status", "words"), COSTLY, ids=titled)
def test_work_is_asked_for(title: str, make: Callable[[], bytes], status: int, words: str, tmp_path: Path) -> None:
    found, line = refused(make, tmp_path / "hostile", "--work", str(LOW))
    assert found == status
    assert words.format(work=LOW) in line


@pytest.mark.long("five million lists", "two million records", "records up to the limit")
@pytest.mark.parametrize(("title", "make", "status", "words"), REFUSED, ids=[title for title, *_ in REFUSED])
def test_refused_in_one_line(title: str, make: Callable[[], bytes], status: int, words: str, tmp_path: Path) -> None:
    found, line = refused(make, tmp_path / "hostile")
    assert found == status
    assert words in line


@pytest.mark.campaign
@pytest.mark.parametrize(("title", "make", "status", "words"), COSTLY, ids=titled)
def test_the_default_limits_hold(title: str, make: Callable[[], bytes], status: int, words: str, tmp_path: Path) -> None:
    """Within the minute and the gibibyte that ``bounded`` allows, by whatever line."""
    assert refused(make, tmp_path / "hostile")[0] in (1, 2, 3)


DEPTHS = [
    ("[" * 64 + "]" * 64, True),
    ("[" * 65 + "]" * 65, False),
    ('["' + "[" * 999 + '"]', True),
    ('{"a":' * 65 + "1" + "}" * 65, False),
]


@pytest.mark.parametrize(("text", "read"), DEPTHS, ids=["64", "65", "in a text", "records"])
def test_depth_is_that_of_brackets_outside_of_texts(text: str, read: bool, tmp_path: Path) -> None:
    path = tmp_path / "deep"
    path.write_text(text)
    status, line, _ = recheck_command.examine(str(path), Limits(), recheck.recheck)
    assert status == 2
    assert ("more than 64 deep" in line) != read


def test_entries_are_brackets_colons_and_commas(tmp_path: Path) -> None:
    path = tmp_path / "entries"
    path.write_text('{"a,[{:": [1, 2, {}], "b": "\\",,"}')
    assert recheck_reading.read(str(path), Limits(entries=8))
    with pytest.raises(TooMuch, match="more than 7 entries"):
        recheck_reading.read(str(path), Limits(entries=7))


def test_only_the_statement_asked_for_is_accepted(tmp_path: Path) -> None:
    certificate, path = good("verified"), tmp_path / "certificate.json"
    path.write_text(json.dumps(certificate))
    proved = bounded(path)
    asked = bounded(path, "--claim", certificate["digest"])
    assert (asked.returncode, asked.stdout) == (proved.returncode, proved.stdout) == (0, proved.stdout)
    other = bounded(path, "--claim", "sha256:" + "0" * 64)
    assert other.returncode == 3
    assert other.stdout.startswith(proved.stdout[:-1] + "; another statement was asked for, sha256:0")
    assert bounded(path, "--claim", certificate["claim"]).returncode == 2
    assert "semantics a4" in proved.stdout
    assert proved.stdout.endswith("the reading grants ideal-ln2, e^(k ln 2) = 2^k\n")
