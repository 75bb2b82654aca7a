"""Pictures as files: of a claim, of a range, and of a construction file; each says what its axes are and what to see."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import CommandLine

GOOD = "tests/good.toml"


def test_a_range_is_drawn_with_what_its_parameters_and_marks_are(verify: CommandLine, tmp_path: Path) -> None:
    output = tmp_path / "range.svg"
    done = verify(f"plot lemma-2.5 --p 2..3 --output {output}")
    assert done.status == 0
    text = output.read_text(encoding="utf-8")
    assert "Lemma 2.5: verdicts by parameter" in text
    assert "p: bits of precision" in text
    assert "p ≥ 2" in text
    assert "Is it true? true for p = 2 (exact); false for p = 3 (counterexample)." in text
    assert text.count('class="refuted"') == 2


def test_the_parameters_given_are_those_that_are_drawn(verify: CommandLine, tmp_path: Path) -> None:
    output = tmp_path / "points.svg"
    verify(f"plot lemma-2.5 --p 3 --output {output}")
    assert "Is it true? false for p = 3 (counterexample)." in output.read_text(encoding="utf-8")
    assert "p = 2" not in output.read_text(encoding="utf-8")


def test_a_file_is_drawn_at_one_point(verify: CommandLine, tmp_path: Path) -> None:
    output = tmp_path / "file.svg"
    done = verify(f"plot {GOOD} --p 3 --output {output}")
    assert done.status == 0, done.err
    text = output.read_text(encoding="utf-8")
    assert "Down: y, Alice" in text
    assert "promised pairs fail" in text


@pytest.mark.parametrize("file", ["docs/examples/exactly-one.toml --m 4", "docs/examples/exactly-one.toml", "none.toml"])
def test_what_cannot_be_drawn_is_an_error_and_no_file(verify: CommandLine, tmp_path: Path, file: str) -> None:
    output = tmp_path / "none.svg"
    assert verify(f"plot {file} --output {output}").status == 2
    assert not output.exists()
