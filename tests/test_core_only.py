"""The install without extras: everything is judged but what an extra is for, and that says which one, in one line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from tests.papers_of_tests import FOLDER

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXTRAS = ("bitwuzla", "dask", "distributed", "fpy2", "gfloat", "jax", "jaxlib", "matplotlib", "ml_dtypes", "onnx", "onnxruntime", "pandas")
EXTRAS += ("pysat", "safetensors", "scipy", "sklearn")
EXTRAS += ("quicktions",)  # no extra: where there is none, fractions are the standard library's
"""What only extras bring, by the names that are imported."""

WITHOUT = f"""
import json, os, sys
os.cpu_count = lambda: 1
for name in {EXTRAS}:
    sys.modules[name] = None
from verifier.__main__ import main
answer, found = os.dup(1), []
for words in json.load(sys.stdin):
    with open("told", "w+b") as told:
        os.dup2(told.fileno(), 1), os.dup2(told.fileno(), 2)
        sys.argv = ["verify", *words]
        try:
            status = main()
        except SystemExit as stopped:
            status = stopped.code
        sys.stdout.flush(), sys.stderr.flush()
        told.seek(0)
        found.append((status, told.read().decode()))
os.write(answer, json.dumps(found).encode())
"""
"""The program, where the modules of the extras cannot be imported: exit status and words of each of several commands."""

LISTED = re.findall(r"^\* `([a-z]+)`(?: \([^)]*\))?: (.*)$", README.partition("\n## Extras\n")[2].partition("\n## ")[0], re.MULTILINE)
"""The README's list: an extra, and what needs it."""
CLAIMS = {claim: extra for extra, what in LISTED for claim in re.findall(r"[a-z-]+/[a-z0-9.:-]+[a-z0-9]", what)}
GATE = f"gate --table {ROOT / 'reports' / 'verdicts.tsv'}"
LEMMA = "every-bit-counts/lemma-2.6:table-6 --p 7"
ASKED: list[tuple[str, int, str]] = [
    ("every-bit-counts/lemma-2.6 --p 8", 1, "✓ Lemma 2.6, p = 8, n = 34: true (kernel, all inputs)"),
    ("every-bit-counts/lemma-2.6 --p 8 --editions", 1, "statement, repaired  verified"),
    ("fixed-point-networks/corollary-9 --p 1 --s 1", 0, "for some bias: true (kernel, exact)"),
    ("every-bit-counts/equation-1 --h all", 1, "counterexample: h = 1"),
    ("list lemma-2.6", 0, "lemma-2.6 "),
    (f"{LEMMA} --format json", 1, '"verdict": "refuted"'),
    (f"{LEMMA} --format sarif", 1, "every-bit-counts"),
    (f"{LEMMA} --format junit", 1, "<testsuites "),
    ("every-bit-counts/theorem-2.1:one-column --m 2 --q 2", 3, "bitreferee[search]"),
    (f"--papers {FOLDER} --trust findings toy", 0, "findings"),
    ("sweep every-bit-counts/lemma-2.6 --p 2..3 --scheduler nowhere:1 --output jobs", 2, "bitreferee[cluster]"),
    ("tool represent --activation gelu --p 2 --s 1 --target random --onnx net.onnx", 2, "bitreferee[onnx]"),
    ("tool experiment every-bit-counts", 2, "bitreferee[experiments]"),
    ("tool train piecewise-affine", 2, "bitreferee[training]"),
    ("tool noise weights.safetensors", 2, "bitreferee[weights]"),
    *((f"{GATE} --claims {claim}", 3, f"{claim}: not compared, it needs the extra {extra}") for claim, extra in CLAIMS.items()),
]


def says(program: list[str], words: str, folder: Path) -> tuple[int, str]:
    """The exit status of a command and all that it prints."""
    done = subprocess.run([*program, *words.split()], capture_output=True, text=True, cwd=folder, check=False)
    return done.returncode, done.stdout + done.stderr


def test_without_the_extras(tmp_path: Path) -> None:
    """Every command in one process."""
    (tmp_path / "weights.safetensors").touch()
    asked = json.dumps([words.split() for words, _, _ in ASKED])
    done = subprocess.run([sys.executable, "-c", WITHOUT], input=asked, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    for (words, status, expected), (found, text) in zip(ASKED, json.loads(done.stdout), strict=True):
        assert (found, expected in text, "Traceback" in text) == (status, True, False), f"{words}: {found}, {text}"


def test_the_readme_names_every_extra() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {extra for extra, _ in LISTED} == extras.keys() - {"test", "dev", "docs", "oracles"}
    assert CLAIMS


@pytest.mark.campaign
def test_a_wheel_with_its_own_dependencies_only(tmp_path: Path) -> None:
    """A fresh environment from the package registry, and the whole gate there: minutes, and some hundred megabytes.

    What the gate cannot compare is what the README lists; everything else is as in the table.
    """
    venv.create(tmp_path / "environment", with_pip=True)
    binaries = tmp_path / "environment" / "bin"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", str(ROOT), "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([binaries / "python", "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    lacking = f"import importlib.util as u; print([n for n in {EXTRAS} if u.find_spec(n)])"
    assert says([str(binaries / "python"), "-c", lacking], "", tmp_path) == (0, "[]\n")
    (tmp_path / "weights.safetensors").touch()
    for words, status, expected in ASKED:
        found, text = says([str(binaries / "verify")], words, tmp_path)
        assert (found, expected in text) == (status, True), text
    found, text = says([str(binaries / "verify")], GATE, tmp_path)
    assert dict(re.findall(r"^(\S+): not compared, it needs the extra (\w+),", text, re.MULTILINE)) == CLAIMS, text
    assert (found, "differences" in text) == (3, False), text
