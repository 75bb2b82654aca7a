"""Exit statuses and one-line errors of the command line, as a table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import CommandLine


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
