"""``.ci/run`` itself, with everything that it calls replaced: whatever fails makes it fail."""

from __future__ import annotations

import os
import subprocess
from importlib import metadata
from pathlib import Path

import pytest
import yaml

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


@pytest.mark.parametrize("fails", ["verify check", "ruff check", "ruff format", "mypy", "lint-imports", "pytest -n 2"])
def test_what_fails_makes_it_fail(tmp_path: Path, fails: str) -> None:
    assert run(tmp_path, fails) != 0


def test_where_nothing_fails_it_passes(tmp_path: Path) -> None:
    assert run(tmp_path, "nothing") == 0


WORKFLOWS = Path(__file__).parents[1] / ".github" / "workflows"


@pytest.mark.parametrize("path", sorted(WORKFLOWS.glob("*.yml")), ids=lambda path: path.stem)
def test_a_workflow_runs_what_must_pass_and_may_no_more_than_it_needs(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    assert any(step.get("run") == ".ci/run" for job in workflow["jobs"].values() for step in job["steps"])
    granted = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
    assert granted == ({"publish": {"id-token": "write"}} if path.stem == "publish" else {})


@pytest.mark.parametrize(("tag", "status"), [("v0.1.0", 0), ("v0.1", 1), ("0.1.0", 1)])
def test_a_release_has_the_tag_of_its_version(tag: str, status: int) -> None:
    publish = yaml.safe_load((WORKFLOWS / "publish.yml").read_text(encoding="utf-8"))
    (step,) = [step for step in publish["jobs"]["build"]["steps"] if step.get("env")]
    environment = {**os.environ, "TAG": tag.replace("0.1.0", metadata.version("bitreferee"))}
    done = subprocess.run(["bash", "-c", step["run"]], env=environment, cwd=WORKFLOWS.parents[1], check=False)
    assert done.returncode == status
