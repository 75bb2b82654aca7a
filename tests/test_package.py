"""The wheel, installed into a fresh environment, runs from another directory; the README's commands do what it says."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.command_line import CommandLine

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; its dependencies are those of the running environment (no network)."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", str(ROOT), "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)], check=True)
    (wheel,) = folder.glob("*.whl")
    environment = folder / "environment"
    venv.create(environment, with_pip=False)
    (packages,) = environment.glob("lib/python*/site-packages")
    subprocess.run([*pip, "--python", str(environment / "bin" / "python"), "install", "--no-deps", "--no-index", str(wheel)], check=True)
    import numpy

    (packages / "dependencies.pth").write_text(f"{Path(numpy.__file__).parent.parent}\n", encoding="utf-8")
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


NOT_HERE = ("verify every-bit-counts", "…")
"""A whole paper takes a minute or two, and a folder of the user's is none of ours; both are tried with a paper of three statements."""


def commands() -> list[str]:
    """Every `verify …` line of the README's blocks, comments cut."""
    lines = re.findall(r"^    (verify .*)$", README, re.MULTILINE)
    return [words for line in lines if not (words := re.split(r"\s{2,}", line)[0]).endswith(NOT_HERE)]


def test_readme_has_commands() -> None:
    assert len(commands()) >= 8


@pytest.mark.parametrize("line", commands())
def test_readme_commands_work(verify: CommandLine, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = ROOT / "constructions" / "every_bit_counts" / "tables" / "table-6.toml"
    (tmp_path / "my-table.toml").write_text(table.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    if line.startswith("verify recheck"):
        before = next(each for each in commands() if "--certificate" in each)
        verify(*shlex.split(before)[1:])
    done = verify(*shlex.split(line)[1:])
    assert done.status in (0, 1, 3), done.err
    assert done.out.strip()


def test_first_result_is_within_twenty_lines() -> None:
    head = README.splitlines()[:20]
    assert any("pip install -e . &&" in line and "verify lemma-2.6" in line for line in head)


def test_ci_runs_the_readmes_test_command() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "python -m pytest -n 2" in README
    assert "python -m pytest -n 2" in ci
    assert "'.[test,dev]'" in README
    assert "'.[test,dev]'" in ci
