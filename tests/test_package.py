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


PAIRS = f"all {2**14 * (2**15 + 1):,} pairs y <= z at p = 8,"
WITNESS = "y = 1" + "0" * 14

PRINTS: dict[str, tuple[int, list[str]]] = {
    "precision gallery/parity --n 1..12 --arithmetic float32,e4m3": (1, ["n = 9, w = 001111111", "replay:"]),
    "theorem-2.4 --p 5": (1, ["Theorem 2.4, p = 5, n = 22: false in one order only\n", "5 bits suffice: true (kernel, all inputs)"]),
    "theorem-2.4 --p 1..5": (1, ["every-bit-counts/theorem-2.4", "statement", "printed", "repaired"]),
    "'Lemma 2.6' --p 8 --steps": (
        1,
        [PAIRS, "statement, repaired  verified", WITNESS, "lemma-2.6:table-6"],
    ),
    "every-bit-counts/equation-1 --h all": (
        1,
        ["every-bit-counts/equation-1  h = all\n", "every h with h >= 1", "counterexample: h = 1, "],
    ),
    "show lemma-10 --questions": (0, ["Is this hypothesis needed", "smallest case where it applies", "hold outside the domain"]),
    "lemma-2.6 --p 8 --arithmetic all": (1, [" a4 ", " narrative ", " a4+point=grid ", " a4+ties=even ", " statement ", " printed "]),
    "lemma-2.6 --p 8 --arithmetic a4+ties=even": (1, ["a4+ties=even\n", PAIRS, "--arithmetic a4+ties=even --y"]),
    "show lemma-2.6:table-6": (0, ["every-bit-counts/lemma-2.6:table-6", "Appendix B.2, Table 6", "errata for p ≥ 7"]),
    f"trace lemma-2.6 --edition printed --p 8 --y {WITNESS[4:]} --z {WITNESS[4:]}": (
        1,
        ["answer       0, EQ(y, z) = 1: WRONG"],
    ),
    "plot lemma-2.6:table-6 --p 8 --output failures.svg": (0, ["failures.svg written: ", "16,384 of 536,887,296 promised pairs fail"]),
    "plot FILE.toml --p 8 --output failures.svg": (0, ["failures.svg written: ", "16,384 of 536,887,296 promised pairs fail"]),
    "convert gallery/parity parity.onnx --n 6": (0, ["parity.onnx is written; compared on 64 of 64 inputs in float64"]),
    "precision gallery/parity --arithmetic float32 --certificate parity.json": (3, ["right up to", " none"]),
    "constructions/every_bit_counts/tables/table-6.toml --p 8": (1, [PAIRS, WITNESS, "replay: verify trace"]),
    "tool noise w_q.npy w_k.npy --heads 12 --search --write new.npz": (0, ["new.npz"]),
    "tool represent --activation gelu --p 3 --s 2 --target random --network net.json": (
        0,
        ["written: net.json", "equal to the target on all 15 "],
    ),
    "tool simulate one-bit --quick --kappa 1/40": (0, ["quick: width 1024 of 4096", "loss, one bit", "C3/(C1 + C2)"]),
    "tool sets --activation gelu --p 3 --s 2": (0, [f" {kind}  " for kind in ("N", "S", "BN", "BS")] + ["all of Q at"]),
    "lemma-2.6:table-6 --p 8 --edition repaired --certificate table-6.json": (0, ["repaired  verified", PAIRS]),
    "repair constructions/every_bit_counts/tables/table-6.toml --p 8 --symbols 1": (1, ["wrong: p = 8", "no repair: all 868 edited forms"]),
    "recheck table-6.json": (
        0,
        ["accepted: right on all 536,887,296 inputs of y of 15 symbols", "\nentry for entry every-bit-counts/lemma-2.6:table-6"],
    ),
    "theorem-2.4:one-sum --q 3 --m 7 --edition statement --certificate one-sum.json": (0, ["verified", "0 go on"]),
    "trace --protocol lemma-2.6:denominator-first --p 5": (0, ["512 different ones for Alice's 512 strings", "collision: none"]),
    "sweep lemma-2.6 --p 2..8": (1, [f"p = {p}, n = {4 * p + 2}  a4  {e}  " for p in range(2, 9) for e in ("statement", "printed")]),
    "list": (0, ["every-bit-counts: Every Bit Counts", "\n  theorem-2.4 ", "fixed-point-networks: On Expressive Power"]),
    "list lemma-2.6": (0, ["lemma-2.6", ":table-6"]),
    "list --verdict refuted slope": (0, ["slope"]),
    "theorem-2.4 --p 5 --format json": (1, ['"schema": "bitreferee/run/1"', '"claim": "every-bit-counts/theorem-2.4"']),
}
"""What each command of docs/commands.md prints, and its exit status; ``lemma-2.6:denominator-first`` has 2^9 strings at p = 5."""


def test_every_command_of_the_page_is_known() -> None:
    assert {line.removeprefix("verify ") for line in commands()} == PRINTS.keys() - {"list lemma-2.6"}
    assert "of one: verify list lemma-2.6" in COMMANDS


@pytest.mark.long(
    "tool noise w_q.npy w_k.npy --heads 12 --search --write new.npz",
    "plot FILE.toml --p 8 --output failures.svg",
    "theorem-2.4 --p 1..5",
    "lemma-2.6 --p 8 --arithmetic all",
    "sweep lemma-2.6 --p 2..8",
    "'Lemma 2.6' --p 8 --steps",
    "repair constructions/every_bit_counts/tables/table-6.toml --p 8 --symbols 1",
)
@pytest.mark.parametrize("line", PRINTS)
def test_a_command_prints_what_it_says(verify: CommandLine, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "constructions").symlink_to(ROOT / "constructions")
    for name in ("w_q.npy", "w_k.npy"):
        np.save(tmp_path / name, np.random.default_rng(len(name)).normal(size=(24, 24)))
    (tmp_path / "FILE.toml").write_text((ROOT / "constructions/every_bit_counts/tables/table-6.toml").read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    if line.startswith("recheck"):
        verify(next(each for each in PRINTS if each.endswith("--certificate table-6.json")))
    done = verify(line)
    status, words = PRINTS[line]
    assert done.status == status, done.err
    assert [each for each in words if each not in done.out] == []


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
