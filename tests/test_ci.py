"""``.ci/run`` itself, with everything that it calls replaced: whatever fails makes it fail."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "run"
CALLED = ("verify", "ruff", "mypy", "lint-imports", "uv", "chromium", "chromedriver")
STUB = """#!/bin/sh
case "${0##*/} $*" in *"$FAILS"*) exit 1 ;; esac
"""
PYTHON = """#!/bin/sh
case "$*" in
  "-m venv"*) mkdir -p "$3/bin" ;;
  *"$FAILS"*) exit 1 ;;
esac
"""


def run(folder: Path, fails: str) -> int:
    stubs = folder / "stubs"
    stubs.mkdir()
    for name, text in [*((name, STUB) for name in CALLED), ("python", PYTHON), ("python3", PYTHON)]:
        (stubs / name).write_text(text)
        (stubs / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{stubs}{os.pathsep}{os.environ['PATH']}", "FAILS": fails, "CI_VENV": str(folder / "venv")}
    return subprocess.run(["bash", str(SCRIPT)], env=environment, capture_output=True, check=False).returncode


@pytest.mark.parametrize("fails", ["verify check", "ruff check", "ruff format", "mypy", "lint-imports", "pytest -n 2", "--collect-only"])
def test_what_fails_makes_it_fail(tmp_path: Path, fails: str) -> None:
    assert run(tmp_path, fails) != 0


def test_where_nothing_fails_it_passes(tmp_path: Path) -> None:
    assert run(tmp_path, "nothing") == 0
