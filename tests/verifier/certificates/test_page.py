"""The page on the format: its example is accepted as it says, and what it counts is so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from verifier.certificates import recheck
from verifier.certificates.recheck_numbers import FORMATS, KNOBS
from verifier.certificates.recheck_reading import LIMITS
from verifier.certificates.recheck_states import check_states

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "certificate-format.md").read_text(encoding="utf-8")
FILES = sorted(Path(recheck.__file__).parent.glob("recheck*.py"))


def test_the_example_is_accepted_as_it_says(tmp_path: Path) -> None:
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "example.json"
    path.write_text(example, encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", str(recheck.__file__), str(path)], capture_output=True, text=True, check=True)
    assert f"`python recheck.py example.json` prints\n\n    {done.stdout}" in PAGE
    changed = json.loads(example)
    changed["cases"][0]["network"]["output"]["yes"] = [">", "x", "1"]
    path.write_text(json.dumps(changed), encoding="utf-8")
    assert subprocess.run([sys.executable, "-I", str(recheck.__file__), str(path)], check=False, capture_output=True).returncode == 1


def test_every_word_of_the_checker_stands_on_the_page() -> None:
    words = {word for settings in KNOBS.values() for word in settings} | {*KNOBS, *FORMATS, *recheck.EVIDENCE}
    assert [word for word in sorted(words) if f"`{word}`" not in PAGE] == []
    assert check_states.__doc__ is not None


def test_the_limits_are_those_of_the_page() -> None:
    assert "Limits: 16 MiB unpacked, 1,048,576 brackets, colons and commas, 2^24 steps of work, 2^20 states" in PAGE
    assert {name: most for name, (most, _) in LIMITS.items()} == {"bytes": 16 << 20, "entries": 1048576, "work": 1 << 24, "states": 1 << 20}


def test_the_lines_that_must_be_believed_are_counted() -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in FILES)
    (said,) = re.findall(r"and ([0-9,]+) lines in eight files", PAGE)
    assert int(said.replace(",", "")) == lines
    assert len(FILES) == 8
    assert len(PAGE.split()) <= 3000
