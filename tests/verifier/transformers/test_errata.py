"""Errata of networks: what they change, what they cannot change, and both editions side by side."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from verifier.transformers.files import find_network

PARITY = (files("constructions") / "gallery" / "parity.toml").read_text()
WRONG = PARITY.replace('above = "-place + share + unit"', 'above = "-place + share - unit"')
ERRATUM = """format = "bitreferee/network-errata/1"
network = "mine.toml"

[[erratum]]
name = "a-sign"
at = "layer.1.network.hidden.above"
printed = "-place + share - unit"
repaired = "-place + share + unit"
why = "the three hinges surround i = k"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert WRONG != PARITY
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(WRONG)
    (tmp_path / "mine.errata.toml").write_text(ERRATUM)
    return tmp_path


def test_both_editions_are_judged(folder: Path, verify: CommandLine) -> None:
    done = verify("construction mine.toml --n 1..4")
    assert done.status == 1, "the status is that of the file as written"
    assert "as written, and repaired with 1 errata of mine.errata.toml: a-sign" in done.err
    printed, repaired = done.out.index("printed   refuted"), done.out.index("repaired  verified")
    assert printed < repaired
    assert "all 30 inputs with n = 1 .. 4" in done.out
    (folder / "mine.errata.toml").unlink()
    assert "repaired" not in verify("construction mine.toml --n 1..4").out


def test_errata_are_named_like_a_network(folder: Path, verify: CommandLine) -> None:
    assert find_network("mine.errata.toml") == find_network("gallery/parity")
    done = verify("construction mine.errata.toml --n 1..4")
    assert (done.status, "printed" in done.out) == (0, False)
    right, wrong = (verify(f"precision {name} --n 1..9 --arithmetic float32,e4m3") for name in ("mine.errata.toml", "mine.toml"))
    assert "float32               9  none" in right.out
    assert "float32            none  n = 1" in wrong.out
    assert "verify trace mine.errata.toml --arithmetic e4m3 --n 9 --w 001111111" in right.out
    replayed = verify("trace mine.errata.toml --arithmetic e4m3 --n 9 --w 001111111")
    assert replayed.status == 1
    assert verify("convert mine.errata.toml parity.py --n 3").status == 0


def test_another_repair_is_refuted(folder: Path, verify: CommandLine) -> None:
    (folder / "mine.errata.toml").write_text(ERRATUM.replace('"-place + share + unit"', '"-place + share"'))
    done = verify("construction mine.toml --n 1..4")
    assert "repaired  refuted" in done.out
    replay = next(line for line in done.out.splitlines() if "replay: verify trace mine.errata.toml" in line)
    assert verify(replay.partition("verify ")[2]).status == 1


def test_a_domain_restricts_what_is_judged(folder: Path, verify: CommandLine) -> None:
    (folder / "mine.errata.toml").write_text(ERRATUM.replace("[[", 'domain = "n <= 2"\nwhy_domain = "where it was checked"\n[[', 1))
    done = verify("construction mine.errata.toml --n 1..4")
    assert "all 6 inputs with n = 1 .. 2" in done.out


def test_the_schema_has_the_errata(verify: CommandLine) -> None:
    assert '"const": "bitreferee/network-errata/1"' in verify("new --schema network-errata").out
    assert "layers, heads and lists count from 1" in verify("new --schema network-errata --fields").out
