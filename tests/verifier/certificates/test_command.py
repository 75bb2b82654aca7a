"""``verify … --certificate FILE`` and ``verify recheck FILE``: what is written, what is not, and which claim a certificate is of."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import replace
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.verifier.certificates.samples import Change, plain, put, source, table, titled
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.semantics import NAMED
from verifier.certificates import recheck
from verifier.certificates.files import certify, write_certificate
from verifier.certificates.recheck_reading import Rejected
from verifier.certificates.refuted import refuted_certificate
from verifier.certificates.statement import Certificate, Subject, sealed
from verifier.engines.enumerate import enumerate_pairs
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution

OURS = "lemma-2.3:denominator-first"

WRITTEN = [
    (f"{OURS} --p 8 --edition printed", "verified: EQ of two strings of 13 bits"),
    (f"{OURS} --p 8 --edition statement", "verified: EQ of two strings of 13 bits"),
    ("lemma-2.3:table-5 --p 8 --edition repaired --semantics a4+ties=away", "refuted: EQ of two strings of 13 bits"),
    ("lemma-b.1 --m 5 --edition statement", "fooling set: the 32 pairs (x, x)"),
]

NOT_WRITTEN = [
    ("two points", f"{OURS} --p 8..9 --edition printed", "one claim, one point"),
    ("no edition", f"{OURS} --p 8", "one claim, one point"),
    ("every reading", f"{OURS} --p 8 --edition printed --semantics all", "one claim, one point"),
    ("an example", "example-a.8 --edition statement", "no construction or fooling set of its own"),
    ("a lemma that a table proves", "lemma-2.3 --p 8 --edition printed", "that is every-bit-counts/lemma-2.3:table-5"),
    ("a step about a table", "lemma-2.3:numerator-yes --p 8 --edition repaired", "that is every-bit-counts/lemma-2.3:table-5"),
    ("an edition that declines", "lemma-2.3:table-5 --p 5 --edition repaired", "(repaired) is declined: outside the errata's domain"),
    ("parameters outside the domain", f"{OURS} --p 2 --edition printed", "is declined: p = 2 is outside"),
    ("an ill-formed table", "lemma-2.3:table-5 --p 8 --edition printed", "nothing was written: "),
    ("a limit", f"{OURS} --p 8 --edition printed --limit 10", "--limit"),
]


@pytest.mark.parametrize(("words", "fact"), WRITTEN)
def test_a_verdict_is_written_and_rechecked(words: str, fact: str, verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json.gz"
    verify(f"{words} --certificate {path}")
    done = verify(f"recheck {path}")
    assert done.status == 0
    proved, attributed = done.out.splitlines()
    assert proved.startswith(f"accepted: {fact}")
    assert attributed.startswith(f"of this claim: entry for entry the catalogue's every-bit-counts/{words.split()[0]} (")


@pytest.mark.parametrize("knob", ["ties=even", "order=products"])
def test_another_reading_is_named_beside_the_claim(knob: str, verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    verify(f"lemma-2.6:table-6 --p 8 --edition repaired --semantics a4+{knob} --certificate {path}")
    assert verify(f"recheck {path}").out.endswith(f" at p = 8, n = 34; not under a4, but with {knob}\n")


@pytest.mark.parametrize(("title", "words", "reason"), NOT_WRITTEN, ids=titled)
def test_nothing_is_written_and_it_says_why(title: str, words: str, reason: str, verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    done = verify(f"{words} --certificate {path}")
    assert done.status == (3 if title == "a limit" else 2)
    assert reason in done.err
    assert list(tmp_path.iterdir()) == []


def certificate(verify: CommandLine, tmp_path: Path) -> Any:
    path = tmp_path / "original.json"
    verify(f"{OURS} --p 4 --edition printed --certificate {path}")
    return json.loads(path.read_text())


ANOTHER = "every-bit-counts/lemma-2.3:table-5"

MIDDLE = ("construction", "tokens", 12)

PASSED_OFF = [
    ("a claim that there is not", put("claim", value="every-bit-counts/lemma-9.9"), "no claim"),
    ("a claim of another table", put("claim", value=ANOTHER), "(printed) is ill-formed there|construction, id is"),
    ("a claim of no table", put("claim", value="every-bit-counts/example-a.8"), "no construction or fooling set|has no parameter"),
    ("a step about a table", put("claim", value="every-bit-counts/lemma-2.3:numerator-yes"), "is not the claim that its table computes"),
    ("a name without its paper", put("claim", value=OURS), "the catalogue's name is every-bit-counts/lemma-2.3:denominator-first"),
    ("a fooling set's claim", put("claim", value="every-bit-counts/lemma-b.1"), "has no parameter"),
    ("a constant that changes nothing", put(*MIDDLE, "step", value="99"), 'tokens, number 13, step is "99", the catalogue'),
    ("another table's id", put("construction", "id", value="table-5"), 'id is "table-5", the catalogue\'s is "witness-t0-simple"'),
    ("no parameters", put("parameters", value={}), "needs --p"),
    ("a parameter left out", put("parameters", value={"p": "4"}), "is at p = 4, n = 17"),
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
    assert proved.startswith("accepted: verified: EQ of two strings of 5 bits under y <= z, in 4 bits")
    assert attributed.startswith("of a table of that name only: ")
    assert any(words in attributed for words in reason.split("|")), attributed
    assert done.status == 3


def test_a_witness_for_three_bits_is_not_table_6_at_eight(verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "changed.json"
    named = put("claim", value="every-bit-counts/lemma-2.6:table-6")(put("parameters", value={"p": "8"})(certificate(verify, tmp_path)))
    write_certificate(sealed(named), path)
    done = verify(f"recheck {path}")
    assert (done.status, done.out) == (1, "rejected: parameters: p is 8, but 4 was found\n")


def test_a_rejected_and_an_unreadable_one_are_not_compared(verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "changed.json"
    write_certificate(put("cases", value="1")(certificate(verify, tmp_path)), path)
    assert verify(f"recheck {path}").status == 1
    path.write_bytes(b"{}")
    done = verify(f"recheck {path}")
    assert (done.status, done.out.count("\n")) == (2, 1)


def test_a_limit_is_an_option(verify: CommandLine, tmp_path: Path) -> None:
    certificate(verify, tmp_path)
    done = verify(f"recheck --work 10 {tmp_path / 'original.json'}")
    assert (done.status, done.out) == (3, "not rechecked: more than 10 work; --work N raises this limit\n")


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


READING = NAMED["a4"]


def certificate_of(instance: Instance) -> Certificate:
    return certify(Subject("x", "printed", {}), Execution(instance, READING))


def compared_in_the_denominator() -> Instance:
    """EQ of one bit: z is read before y, so that y is still needed while z is being read, and the weight of the pair is 0 or not."""

    def token(index: int, reads: tuple[Bit, ...], keys: tuple[int, ...]) -> Token:
        return Token(index, index, (reads,), tuple((F(1), F(key), F(0)) for key in keys))

    pair = (Bit("z", 1), Bit("y", 1))
    asking = Token(3, 3, ((),), ((F(1), F(0), F(1)),))
    return Instance(
        id="z before y",
        parameters={},
        names={},
        precision=4,
        task=Problem("EQ", "y <= z", 1),
        tokens=(token(1, pair, (0, 2, 2, 0)), token(2, (), (0,)), asking),
        query=Matrix(((F(1),), (F(0),), (F(0),)), ln2=True),
        key=Matrix(((F(0),), (F(1),), (F(0),))),
        value=Matrix(((F(0),), (F(0),), (F(1),))),
        hidden=(Node((F(-4),), F(1)),),
        output=Node((F(-8),), F(1)),
    )


def test_bits_of_y_that_are_read_late_are_kept() -> None:
    """A right table whose only token reads z and y together: its states carry the bit of y, and the certificate is accepted."""
    instance = compared_in_the_denominator()
    assert enumerate_pairs(Execution(instance, READING)).failures == 0
    certificate = plain(certificate_of(instance))
    assert certificate["kind"] == "verified"
    runs = certificate["blocks"][0]["stages"][0]["less"]
    assert all(len(start) == len(certificate["blocks"][0]["sums"]) + 1 for start, _, _ in runs)
    assert recheck.recheck(certificate).startswith("verified: EQ of two strings of 1 bits")
    for start, _, _ in runs:
        start[-1] = str(1 - int(start[-1]))
    with pytest.raises(Rejected, match="is listed, but nothing leads to it"):
        recheck.recheck(certificate)


KINDS = [
    ("linear attention", {"attention": "linear"}),
    ("floating point", {"precision": Digits(3, 3)}),
    ("another function", {"task": Problem("GT", "y <= z", 1)}),
    ("no promise", {"task": Problem("EQ", "none", 1)}),
]


@pytest.mark.parametrize(("title", "change"), KINDS, ids=[line[0] for line in KINDS])
def test_constructions_of_another_kind_have_those_of_any_table(title: str, change: dict[str, object]) -> None:
    made = plain(certificate_of(replace(compared_in_the_denominator(), **change)))  # type: ignore[arg-type]
    assert made["kind"] in recheck.TABLES
    assert recheck.recheck(made).startswith(f"{made['kind']}: ")


def test_an_ill_formed_construction_has_none() -> None:
    printed = Execution(instantiate(source("table-5").file, {"p": 8}), READING)
    with pytest.raises(InputError, match="ill-formed"):
        certify(Subject("x/table-5", "printed", {"p": 8}), printed)


def test_parameters_that_do_not_agree_have_none() -> None:
    execution = table("table-6")
    for parameters, reason in (({"p": 9}, "p is 9, but 8 was found"), ({"t": 8}, '"t" was expected to be one of m, p, n')):
        with pytest.raises(InputError, match=reason):
            certify(Subject("x", "repaired", parameters), execution)


def test_an_input_that_is_answered_rightly_refutes_nothing() -> None:
    execution = Execution(compared_in_the_denominator(), READING)
    for y, z in ((0, 0), (0, 1), (1, 0)):
        with pytest.raises(ValueError, match="refutes nothing"):
            refuted_certificate(Subject("x", "printed", {}), execution, y, z)
