"""Standard output that stops being read, is full, closed or narrow; an interrupt at any moment."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command_line import CommandLine

VERIFY = [sys.executable, "-m", "verifier"]
COMMANDS = [
    ("definition-a.5 --m 3", 0),
    ("definition-a.5 --m 3 --format json", 0),
    ("lemma-2.3:table-5 --p 3", 1),
    ("theorem-2.4 --p 0", 3),
    ("list lemma-2.6", 0),
    ("show lemma-2.6", 0),
    ("--help", 0),
    ("lemma-2.6 --help", 0),
]


@pytest.fixture(params=COMMANDS, ids=[words for words, _ in COMMANDS])
def command(request: pytest.FixtureRequest) -> tuple[list[str], int]:
    words, status = request.param
    return [*VERIFY, *words.split()], status


@pytest.mark.long("definition-a.5 --m 3")
@pytest.mark.one_in(4)
def test_a_reader_that_stops_reading_changes_no_status(command: tuple[list[str], int]) -> None:
    words, status = command
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, said = process.communicate()
    assert (process.returncode, said) == (status, b"")


@pytest.mark.long("definition-a.5 --m 3->/dev/full-No space left on device")
@pytest.mark.one_in(10)
@pytest.mark.parametrize(("stream", "reason"), [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")])
def test_output_that_cannot_be_written_is_one_line(command: tuple[list[str], int], stream: str, reason: str) -> None:
    words, _ = command
    done = subprocess.run(["sh", "-c", f'exec "$@" {stream}', "sh", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"verify: standard output cannot be written: {reason}\n")


def test_what_prints_nothing_needs_no_output(tmp_path: Path) -> None:
    words = [*VERIFY, "definition-a.5", "--m", "3", "--format", "json", "--output", str(tmp_path / "made.json")]
    done = subprocess.run(["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *words], check=False)
    assert (done.returncode, (tmp_path / "made.json").exists()) == (0, True)


@pytest.mark.long("definition-a.5 --m 3")
@pytest.mark.one_in(4)
def test_an_ascii_terminal_changes_no_status_and_no_document(command: tuple[list[str], int]) -> None:
    words, status = command
    narrow = subprocess.run(words, capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (narrow.returncode, narrow.stderr) == (status, b"")
    if "json" in words:
        wide = subprocess.run(words, capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": "utf-8"})
        assert [line for line in narrow.stdout.splitlines() if b"seconds" not in line] == [
            line for line in wide.stdout.splitlines() if b"seconds" not in line
        ]


BEGINNING = "import sys; from verifier.__main__ import main; print('read', file=sys.stderr, flush=True); main()"


LIBRARY = """
import signal
from verifier.commands import main as program
def library(**_):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise ImportError("a module that was being read")
program.verify.main = library
from verifier.__main__ import main
main()
"""


def test_an_interrupt_of_which_a_library_makes_an_error_of_its_own_is_one() -> None:
    done = subprocess.run([sys.executable, "-c", LIBRARY], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (130, "verify: stopped")


@pytest.mark.long("6")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(8))
def test_an_interrupt_at_any_moment_is_130(seed: int) -> None:
    """From the moment that the program, and not the interpreter, is read: while it reads its modules, and later."""
    words = [sys.executable, "-c", BEGINNING, "lemma-2.6", "--p", "2..16", "--method", "enumerate"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "read\n"
        time.sleep(0.01 + random.Random(seed).uniform(0, 0.25 * seed))
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert (process.returncode, said.strip()) == (130, "verify: stopped")


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
