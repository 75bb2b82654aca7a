"""The wheel, installed into a fresh environment, runs from another directory; the page of commands does what it says."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
import tomllib
import venv
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from tests.command_line import CommandLine
from tests.documented import same

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; its dependencies are those of the running environment (no network)."""
    folder = tmp_path_factory.mktemp("wheel")
    environment = folder / "environment"
    venv.create(environment, with_pip=False)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{Path(np.__file__).parent.parent}\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--python", str(environment / "bin" / "python")]
    subprocess.run(
        [*pip, "install", "--no-deps", "--no-index", "--no-build-isolation", "--no-compile", "--ignore-installed", str(ROOT)], check=True
    )
    return environment


def test_wheel_runs_elsewhere(installed: Path, tmp_path: Path) -> None:
    program = str(installed / "bin" / "verify")
    where = [str(installed / "bin" / "python"), "-c", "import verifier, constructions; print(verifier.__file__)"]
    assert str(installed) in subprocess.run(where, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    done = subprocess.run([program, "lemma-2.6", "--p", "8", "--format", "json"], capture_output=True, text=True, cwd=tmp_path, check=False)
    verdicts = {r["edition"]: r["verdict"] for r in json.loads(done.stdout)["results"]}
    assert verdicts == {"statement": "verified", "printed": "refuted", "repaired": "verified"}
    assert done.returncode == 1
    shown = subprocess.run([program, "show", "lemma-2.6:table-6"], capture_output=True, text=True, cwd=tmp_path, check=True).stdout
    assert "step-11-key" in shown, "errata travel with the package"


WHOLE_PAPERS = re.compile(r"verify (every-bit-counts|findings .*|report .*|--papers .*)")
"""A whole paper takes a minute or two; these are tried with a paper of three statements."""


def commands() -> list[str]:
    """Every `verify …` line of the page's blocks, comments cut."""
    lines = re.findall(r"^    (verify .*)$", COMMANDS, re.MULTILINE)
    return [words for line in lines if not WHOLE_PAPERS.fullmatch(words := re.split(r"\s+#", line)[0].strip())]


TOLD = [
    step[1]
    for each in tomllib.loads((ROOT / "tests/sessions/docs_commands.toml").read_text(encoding="utf-8"))["session"]
    for step in each["steps"]
]
NOISE = "tool noise w_q.npy w_k.npy --heads 12 --search --write new.npz"


def test_every_command_of_the_page_is_tried() -> None:
    assert {line.removeprefix("verify ") for line in commands()} == {*TOLD, NOISE} - {"list lemma-2.6"}
    assert "of one: verify list lemma-2.6" in COMMANDS


@pytest.mark.campaign
def test_the_command_on_weights(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("w_q.npy", "w_k.npy"):
        np.save(tmp_path / name, np.random.default_rng(len(name)).normal(size=(24, 24)))
    monkeypatch.chdir(tmp_path)
    done = verify(NOISE)
    assert (done.status, "new.npz" in done.out) == (0, True), done.err


def test_first_result_is_at_the_top(verify: CommandLine) -> None:
    """Its output, which is a success, is what the README shows."""
    head = README.splitlines()[:60]
    at = next(k for k, line in enumerate(head) if "pip install -e . &&" in line) + 1
    assert at < 36
    words = head[at].partition("    verify ")[2]
    done = verify(words)
    assert done.status == 0
    shown = list(itertools.takewhile(lambda line: line.startswith("    "), head[at + 2 :]))
    assert same([line[4:] for line in shown], [line for line in done.out.splitlines() if line])


def test_the_licence_is_what_the_package_says(installed: Path) -> None:
    (found,) = installed.glob("lib/python*/site-packages/bitreferee-*.dist-info/METADATA")
    text = found.read_text(encoding="utf-8")
    assert "License-Expression: MIT\n" in text
    assert "# Bitreferee" in text, "the readme travels with the package"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License\n")


FORBID = re.compile(r"(?<![A-Z])A?GPL")
"""Licences that ours could not go with; python-flint's LGPL is of a library that it carries, which is replaceable."""


def test_no_dependency_forbids_the_licence() -> None:
    """As the packages themselves say it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in project["dependencies"]:
        said = metadata.metadata(re.split(r"[<>=\[]", requirement)[0])
        words = [said.get("License-Expression") or "", *(c for c in said.get_all("Classifier") or [] if c.startswith("License"))]
        assert any(words) or said.get("License"), requirement
        assert not FORBID.search(" ".join(words)), requirement


def test_ci_runs_the_readmes_test_command() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "python -m pytest -n 2" in README
    assert "python -m pytest -n 2" in ci
    assert "'.[test,dev]'" in README
    assert "'.[test,dev]'" in ci
