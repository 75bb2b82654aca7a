"""Exit statuses and one-line errors of the command line, as a table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import CommandLine

STATUSES = [
    ("everything verified", "definition-a.5 --m 3", 0),
    ("one edition verified", "lemma-2.6 --p 8 --edition repaired", 0),
    ("printed refuted, statement verified", "lemma-2.6 --p 8", 1),
    ("a part refuted", "theorem-2.4 --p 5", 1),
    ("an edition refuted", "lemma-2.6:table-6 --p 8 --edition printed", 1),
    ("conditional", "lemma-2.3:mlp-infinite --p 7 --edition printed", 3),
    ("open", "lemma-2.6 --p 8 --edition statement --semantics columns=all", 3),
    ("outside the errata's domain", "lemma-2.6:table-6 --p 5 --edition repaired", 3),
    ("outside the claim's domain", "theorem-2.4 --p 0", 3),
    ("outside the claim's domain, negative", "theorem-2.4 --p -4", 3),
    ("over a limit", "lemma-2.6 --p 8 --edition repaired --limit 10 --method enumerate", 3),
    ("a list", "list", 0),
    ("a list of one paper", "list every-bit-counts", 0),
    ("a claim shown", "show lemma-2.6", 0),
    ("help", "--help", 0),
    ("help of a claim", "lemma-2.6 --help", 0),
    ("the version", "--version", 0),
    ("a right answer traced", "trace lemma-2.6 --edition repaired --p 8 --y 000000000000001 --z 000000000000001", 0),
    ("a wrong answer traced", "trace lemma-2.6 --p 8 --y 100000000000000 --z 100000000000000", 1),
    ("an ill-formed table traced", "trace lemma-2.6 --p 5 --y 000000000 --z 000000000", 1),
    ("a broken promise traced", "trace lemma-2.6 --edition repaired --p 8 --y 000000000000001 --z 000000000000000", 3),
]


@pytest.mark.parametrize(("words", "status"), [row[1:] for row in STATUSES], ids=[row[0] for row in STATUSES])
def test_status(verify: CommandLine, words: str, status: int) -> None:
    done = verify(words)
    assert done.status == status, done.err
    assert done.out.strip()


REFUSED = [
    ("no such claim", "lemma-99.9 --p 5", "no claim 'lemma-99.9'"),
    ("a near miss names the claim", "lemma-2.66 --p 5", "did you mean"),
    ("not a number", "theorem-2.4 --p five", "--p five: an integer, a range"),
    ("an empty range", "theorem-2.4 --p 9..2", "the range is empty"),
    ("no such parameter", "theorem-2.4 --r 5", "--r"),
    ("a parameter of its steps alone", "theorem-2.4 --q 5", "--q"),
    ("results kept in a device", "tool simulate one-bit --output /dev/null", "/dev/null: no regular file"),
    ("a report into no folder", "report --folder /dev/null", "/dev/null: a folder was expected"),
    ("a report that is not there", "report --check --folder no-such", "no-such: a folder was expected"),
    ("no such reading", "theorem-2.4 --semantics no-such-reading", "no reading 'no-such-reading'"),
    ("no such knob", "theorem-2.4 --semantics a4+colour=red", "no knob 'colour'"),
    ("no such setting", "theorem-2.4 --semantics ties=up", "ties=up is not a setting"),
    ("no such edition", "theorem-2.4 --edition draft", "draft"),
    ("no such format", "theorem-2.4 --p 5 --format xml", "xml"),
    ("no such method", "theorem-2.4 --p 5 --method magic", "magic"),
    ("no such file", "construction no-such-file.toml --p 5", "no-such-file.toml: no such file"),
    ("no such paper", "list no-such-paper", "no claim with 'no-such-paper'"),
    ("nothing to trace", "trace lemma-b.1 --y 0 --z 0", "no construction to run"),
    ("a string of the wrong length", "trace lemma-2.6 --p 8 --y 01 --z 01", "a string of 15 binary digits"),
    ("not a string of bits", "trace lemma-2.6 --p 8 --y 00000000000000x --z 000000000000000", "binary digits"),
    ("output without a format", "lemma-b.1 --m 2 --output x.txt", "--output needs a --format"),
    ("a table of verdicts that is missing", "gate --table no-such.tsv", "no such table of verdicts"),
    ("no claim matches", "gate --claims nothing-*", "no claim matches"),
    ("a missing argument", "show", "Missing argument"),
]


@pytest.mark.parametrize(("words", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused_with_one_line(verify: CommandLine, words: str, message: str) -> None:
    done = verify(words)
    assert done.status == 2
    assert message in done.err
    assert len(done.err.strip().splitlines()) <= 2, "one line, and where to find help"
    assert "Traceback" not in done.err
    assert not done.out


def test_a_fault_of_the_program_is_70(verify: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*words: object, **more: object) -> None:
        raise RuntimeError("a wheel came off")

    monkeypatch.setattr("verifier.commands.judge.Session", broken)
    done = verify("lemma-b.1 --m 2")
    assert done.status == 70
    assert "a fault of this program: RuntimeError: a wheel came off" in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_as_a_process_with_a_closed_pipe(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from verifier.commands.main import main; main()", "list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
