"""The benchmarks import what there is."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

FILES = sorted(Path(__file__).parents[1].glob("benchmarks/*.py"))


@pytest.mark.long("experiments")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_benchmark_finds_what_it_imports(file: Path) -> None:
    assert "main" in runpy.run_path(str(file), run_name="benchmark")
