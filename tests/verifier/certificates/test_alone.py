"""The checker away from the project: its exit statuses, and one line of plain text whatever happens to it."""

from __future__ import annotations

import ast
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

from tests.rows import titled
from tests.verifier.certificates.samples import good, put
from verifier.certificates import recheck, recheck_reading
from verifier.certificates.files import write_certificate
from verifier.certificates.recheck_reading import Limits, Rejected, TooMuch, Unknown
from verifier.certificates.statement import sealed

FILES = sorted(Path(recheck.__file__).parent.glob("recheck*.py"))


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """A copy of the checker, with nothing of the project beside it."""
    for path in FILES:
        shutil.copy(path, tmp_path)
    return tmp_path / "recheck.py"


def checked(words: list[str]) -> int:
    """The exit status of the checker's own command line."""
    return recheck.main(words)


def run(alone: Path, *words: str, stdout: Any = subprocess.PIPE) -> tuple[int, str, str]:
    """Exit status, output and complaints of the copy, isolated from the environment."""
    command = [sys.executable, "-I", "-S", str(alone), *words]
    done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False, timeout=600)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done.returncode, done.stdout or "", done.stderr


STATUSES: list[tuple[str, Callable[[Any], bytes], int, str]] = [
    ("a good certificate", lambda c: json.dumps(c).encode(), 0, "accepted: right on all 36 inputs of y of 3 symbols, z of 3 symbols"),
    (
        "a good one, packed",
        lambda c: gzip.compress(json.dumps(c).encode()),
        0,
        "accepted: right on all 36 inputs of y of 3 symbols, z of 3 symbols",
    ),
    ("no case", lambda c: json.dumps({**c, "cases": []}).encode(), 1, "rejected: cases: no case"),
    ("a claim changed", lambda c: json.dumps({**c, "claim": "another"}).encode(), 1, "rejected: the digest is not "),
    ("a lone surrogate as a key", lambda c: json.dumps({**c, "\ud800": 1}).encode(), 2, r"not a certificate known here: the cert"),
    (
        "a lone surrogate as a word",
        lambda c: json.dumps({**c, "edition": "\udfff"}).encode(),
        2,
        r'not a certificate known here: edition: "\udf',
    ),
    ("too large", lambda c: b" " * (1 << 24) + b"{}", 3, "not rechecked: more than 16777216 bytes; --bytes 268435456, for example, allows"),
]


@pytest.mark.parametrize(("title", "data", "status", "beginning"), STATUSES, ids=titled)
def test_exit_status_and_line(title: str, data: Callable[[Any], bytes], status: int, beginning: str, alone: Path) -> None:
    path = alone.with_name("certificate")
    path.write_bytes(data(good("pairs in two blocks")))
    found, out, err = run(alone, str(path))
    assert (found, err) == (status, "")
    assert out.startswith(beginning)
    assert out.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["a", "b"], ["--work", "0", "a"], ["--bytes", "1_0", "a"], ["--memory", "9", "a"]], ids=" ".join)
def test_a_wrong_command_line(words: list[str], tmp_path: Path) -> None:
    """The file itself is a good one."""
    path = tmp_path / "certificate.json"
    write_certificate(good("fooling set"), path)
    assert checked([str(path)]) == 0
    with pytest.raises(SystemExit, match=r"^2$"):
        checked([str(path) if word == "a" else word for word in words])


NO_FILES = [
    ("missing", "No such file"),
    (".", "no regular file"),
    ("pipe", "no regular file"),
    ("/dev/null", "no regular file"),
    ("/dev/zero", "no regular file"),
]


@pytest.mark.parametrize(("name", "words"), NO_FILES, ids=titled)
def test_files_that_are_none(name: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert checked([str(tmp_path / name)]) == 2
    out, err = capsys.readouterr()
    assert (out.count("\n"), err) == (1, "")
    assert words in out


FORGERIES = [
    ("a line break", 'lemma-2.6"\naccepted: verified: everything', r'"lemma-2.6\"\naccepted: verified: everything"'),
    ("a return", "lemma\raccepted", r'"lemma\raccepted"'),
    ("an escape sequence", "lemma\x1b[2K\x1b[1A", r'"lemma\u001b[2K\u001b[1A"'),
    ("text that runs backwards", "lemma\u202e6.2", r'"lemma\u202e6.2"'),
    ("letters that look like others", "lеmma", r'"l\u0435mma"'),
    ("a lone surrogate", "lemma\ud800", r'"lemma\ud800"'),
    ("a long name", "x" * 1000, f'"{"x" * 77}..."'),
]


@pytest.mark.parametrize(("title", "name", "shown"), FORGERIES, ids=titled)
def test_a_name_cannot_forge_a_line(title: str, name: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(sealed(put("claim", value=name)(good("fooling set")))))
    assert checked([str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("accepted: fooling set: the 2^15 pairs")
    assert name not in out
    assert shown not in out
    assert out[:-1].isprintable()
    assert out.isascii()


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("where", "lines"), [(">&-", 1), (">/dev/full", 1), (">/dev/full 2>/dev/full", 0), (">&- 2>&-", 0)])
def test_an_answer_that_cannot_be_written_is_an_error(where: str, lines: int, alone: Path) -> None:
    """Also where the complaint cannot be written either."""
    write_certificate(good("fooling set"), alone.with_name("certificate.json"))
    command = ["sh", "-c", f'exec "$@" {where}', "sh", sys.executable, "-I", "-S", str(alone), "certificate.json"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, cwd=alone.parent)
    assert (done.returncode, done.stderr.count("\n")) == (2, lines)
    assert not lines or "the answer cannot be written: " in done.stderr


@pytest.mark.parametrize(("length", "status"), [("15", 0), ("7", 1)])
def test_a_reader_that_went_away_changes_nothing(length: str, status: int, alone: Path) -> None:
    path = alone.with_name("certificate.json")
    write_certificate({**good("fooling set"), "length": length}, path)
    execution, writing = os.pipe()
    os.close(execution)
    assert run(alone, str(path), stdout=writing)[::2] == (status, "")
    os.close(writing)


def test_a_fault_of_its_own_is_neither_accepted_nor_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "certificate.json"
    write_certificate(good("pairs in two blocks"), path)
    monkeypatch.setitem(recheck.EVIDENCE, "states", (("cut",), lambda parts, answers, place: parts["none"].data))
    assert checked([str(path)]) == 70
    assert capsys.readouterr().out == "a fault of this program: KeyError: \"'none'\"\n"


def test_an_interrupt_has_a_status_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(path: str, limits: Limits, check: Any, claim: str | None) -> tuple[int, str, Any]:
        raise KeyboardInterrupt

    monkeypatch.setattr(recheck, "examine", stopped)
    assert checked(["certificate.json"]) == 130


def imports(path: Path) -> tuple[set[str], set[str]]:
    """The checker's own files that a file of it imports, and the other modules."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)]
    own = {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) and node.level}
    others = {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return own, others | {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}


def test_lists_beside_one_another_hide_no_depth() -> None:
    for beside in ("[" + "[]," * 200 + "[]]", "[" * 64 + "]" * 64, '{"a":' * 64 + "1" + "}" * 64):
        assert recheck_reading.canonical(json.loads(beside)) == json.loads(beside)
    for deep in ("[[]," * 64 + "[]" + "]" * 64, '{"a":' * 65 + "1" + "}" * 65):
        with pytest.raises(Unknown, match="more than 64 deep"):
            recheck_reading.canonical(json.loads(deep))


def test_it_is_files_of_the_standard_library() -> None:
    """None imports a thing of the project but its own files, and these in one direction. The first file names them all."""
    inside = {path.stem: imports(path) for path in FILES}
    assert all(others and {name.partition(".")[0] for name in others} <= sys.stdlib_module_names for _, others in inside.values())
    order = list(TopologicalSorter({name: own for name, (own, _) in inside.items()}).static_order())
    assert {*order} == {*inside}
    assert {*re.findall(r"recheck_\w+", str(recheck.__doc__))} == {*inside} - {"recheck"}
    assert all("If this file is right, you may believe" in path.read_text() for path in FILES)


def test_every_kind_is_checked_alone(alone: Path) -> None:
    """Also by a link to the file, and with files of the same names on the way."""
    for kind in ("pairs", "wrong", "fooling set", "one sum", "prefixes", "exact"):
        write_certificate(good(kind), alone.with_name(kind))
        assert run(alone, str(alone.with_name(kind)))[0] == 0
    link = alone.parent / "elsewhere" / "checker"
    link.parent.mkdir()
    (link.parent / "recheck_numbers.py").write_text("raise SystemExit(0)")
    link.symlink_to(alone)
    assert run(link, str(alone.with_name("wrong")))[1].startswith("accepted: the input y = ")


@pytest.mark.parametrize("name", ["recheck_numbers.py", "recheck_maps.py"])
def test_a_file_that_is_not_beside_it_is_named(name: str, alone: Path) -> None:
    alone.with_name(name).unlink()
    assert run(alone, "certificate.json") == (70, f"recheck.py needs {name} beside it\n", "")


class Stopped(io.StringIO):
    """A stream that cannot be written."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error, self.number = error, os.open(os.devnull, os.O_WRONLY)

    def write(self, text: str) -> int:
        raise self.error

    def fileno(self) -> int:
        return self.number


class Full(Stopped):
    """One that takes a line and fails as it hands it on."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        raise self.error


@pytest.mark.parametrize(
    ("stream", "status", "said"),
    [
        (Stopped(BrokenPipeError(32, "Broken pipe")), 0, ""),
        (Stopped(OSError(28, "No space left on device")), 2, "No space"),
        (Full(OSError(28, "No space left on device")), 2, "No space"),
        (None, 2, "the stream is closed"),
    ],
)
def test_a_reader_that_left_is_no_fault_and_a_full_disk_is_one(
    stream: Stopped | None, status: int, said: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout", stream)
    assert recheck.say("line", 0) == status
    assert said in capfd.readouterr().err


def test_the_help_names_every_limit_and_its_default(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        checked(["--help"])
    shown = capsys.readouterr().out
    assert all(f"--{name} N" in shown and f", {most} by default\n" in shown for name, (most, _) in recheck_reading.LIMITS.items())


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (Rejected("why"), 1, "rejected: why"),
        (Unknown("why"), 2, "not a certificate known here: why"),
        (TooMuch("why"), 3, "not rechecked: why"),
        (MemoryError(), 3, "not rechecked: out of memory, which lower limits would have said before"),
    ],
)
def test_each_reason_has_its_status(error: Exception, status: int, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(path: str, limits: Limits) -> object:
        raise error

    monkeypatch.setattr(recheck, "read", fails)
    assert recheck.examine("certificate.json", Limits(), recheck.recheck) == (status, line, None)


def test_options_are_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        checked(["certificate.json", "--byte", "9"])
    assert "unrecognized arguments: --byte 9" in capsys.readouterr().err
