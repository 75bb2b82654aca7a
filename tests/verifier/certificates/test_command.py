"""``verify … --certificate FILE`` and ``verify recheck FILE``: what is written, what is not, and which claim a certificate is of."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.rows import titled
from tests.verifier.certificates.samples import Change, good, put
from verifier.certificates.files import write_certificate
from verifier.certificates.statement import sealed

OURS = "lemma-2.3:denominator-first"

WRITTEN: list[str] = []
"""The certificate that tests change, once it is made."""


def certificate(verify: CommandLine, tmp_path: Path) -> Any:
    path = tmp_path / "original.json"
    if not WRITTEN:
        verify(f"{OURS} --p 4 --edition printed --certificate {path}")
        WRITTEN.append(path.read_text())
    path.write_text(WRITTEN[0])
    return json.loads(WRITTEN[0])


ANOTHER = "every-bit-counts/lemma-2.3:table-5"

PASSED_OFF = [
    ("a claim that there is not", put("claim", value="every-bit-counts/lemma-9.9"), "no claim"),
    ("a claim of another table", put("claim", value=ANOTHER), "ill-formed at these parameters|statement, "),
    ("a claim of no table", put("claim", value="every-bit-counts/example-a.8"), "no construction or fooling set|has no parameter"),
    ("a step about a table", put("claim", value="every-bit-counts/lemma-2.3:numerator-yes"), "is not the claim that its table computes"),
    ("a name without its paper", put("claim", value=OURS), "the catalogue's name is every-bit-counts/lemma-2.3:denominator-first"),
    ("a fooling set's claim", put("claim", value="every-bit-counts/lemma-b.1"), "has no parameter"),
    (
        "a coordinate of another name",
        put("cases", 0, "network", "coordinates", 0, value="X"),
        'coordinates, number 1 is "X"; "X 1" was expected',
    ),
    ("no parameters", put("cases", 0, "parameters", value={}), "needs --p"),
    ("a parameter left out", put("cases", 0, "parameters", value={"p": "4"}), "belongs to p = 4, n = 17"),
]


@pytest.mark.parametrize(("title", "change", "reason"), PASSED_OFF, ids=titled)
def test_a_right_table_of_another_name_is_not_of_the_claim(
    title: str, change: Change, reason: str, verify: CommandLine, tmp_path: Path
) -> None:
    """The certificate is accepted, as what it proves is true; what it is called is not what it is."""
    path = tmp_path / "changed.json"
    write_certificate(sealed(change(certificate(verify, tmp_path))), path)
    done = verify(f"recheck {path}")
    proved, attributed = done.out.splitlines()
    assert proved.startswith("accepted: right on all 528 inputs of y of 5 symbols, z of 5 symbols")
    assert attributed.startswith("the certificate is right, but of no claim: ")
    assert any(words in attributed for words in reason.split("|")), attributed
    assert done.status == 3


def test_parameters_of_an_author_are_never_printed(verify: CommandLine, tmp_path: Path) -> None:
    """An adder of one digit stays one, whatever n is said to be."""
    path = tmp_path / "changed.json"
    changed = put("cases", 0, "parameters", value={"n": "1000000"})(good("inputs"))
    write_certificate(sealed(changed), path)
    done = verify(f"recheck {path}")
    assert done.out.splitlines()[0].startswith("accepted: right on all 16 inputs of w of 4 symbols, where the right answer is ")
    assert "1000000" not in done.out.splitlines()[0]
    assert done.status == 3


ANEW = "write it anew: give the command that wrote it, verify SUBJECT ... --certificate FILE, to this version"
OLD = [*((f"certificate/{k}", ANEW) for k in (1, 2, 3, 4)), ("network-certificate/1", ANEW)]
OLD += [("symbols-certificate/1", "proofs by symbols are no longer written to files; verify SUBJECT ... --p all prints them")]


@pytest.mark.parametrize(("old", "anew"), OLD)
def test_an_older_format_is_named_with_the_way_to_write_it_anew(old: str, anew: str, verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    write_certificate({**good("pairs in one block"), "format": f"bitreferee/{old}"}, path)
    done = verify(f"recheck {path}")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert f"bitreferee/{old}, which Bitreferee 0.1.0 wrote before bitreferee/certificate/5; {anew}" in done.err


def test_a_rejected_and_an_unreadable_one_are_not_compared(verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "changed.json"
    write_certificate(put("cases", value=[])(certificate(verify, tmp_path)), path)
    assert verify(f"recheck {path}").status == 1
    path.write_bytes(b"{}")
    done = verify(f"recheck {path}")
    assert (done.status, done.err.count("\n")) == (2, 1)


def test_a_limit_is_an_option(verify: CommandLine, tmp_path: Path) -> None:
    certificate(verify, tmp_path)
    done = verify(f"recheck --work 10 {tmp_path / 'original.json'}")
    assert (done.status, done.out) == (3, "not rechecked: more than 10 work; --work 160, for example, allows more\n")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "certificate.json"
    path.write_text("the one before")

    def fails(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(Exception, match=r"--certificate .*certificate\.json: No space left on device"):
        write_certificate({"kind": "none"}, path)
    assert path.read_text() == "the one before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed_and_a_device_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "certificate.json", tmp_path / "link"
    link.symlink_to(path)
    write_certificate({"kind": "none"}, link)
    assert link.is_symlink()
    assert json.loads(path.read_text()) == {"kind": "none"}
    with pytest.raises(Exception, match="/dev/full: No space left"):
        write_certificate({"kind": "none"}, Path("/dev/full"))
    assert Path("/dev/full").is_char_device()
    with pytest.raises(Exception, match="Is a directory"):
        write_certificate({"kind": "none"}, tmp_path)


def test_the_same_certificate_is_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.json.gz", "two.json.gz"):
        write_certificate({"kind": "none"}, tmp_path / name)
    assert (tmp_path / "one.json.gz").read_bytes() == (tmp_path / "two.json.gz").read_bytes()
    assert json.loads(gzip.decompress((tmp_path / "one.json.gz").read_bytes())) == {"kind": "none"}
