"""Claims that rest on themselves, or on others without end: one line with the way round."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import FOLDER

P = '[parameters.p]\nmeaning = "bits"\nwhere = "p >= 1"\ntypical = "1..2"\n'
THEOREM = f'id = "theorem-3"\nplace = "here"\nsays = "all of it"\nparts = [PARTS]\n{P}'
LEMMA = f'id = "lemma-1"\nplace = "here"\nsays = "all of it"\nparts = ["theorem-3"]\n{P}'
CIRCLES = [
    ("itself", '"theorem-3"', "toy/theorem-3 -> toy/theorem-3: a claim rests on itself"),
    ("another that rests on it", '"lemma-1"', "toy/theorem-3 -> toy/lemma-1 -> toy/theorem-3: a claim rests on itself"),
    ("itself at other points", '{ claim = "theorem-3", p = "p + 1" }', "claims that rest on others more than 20 deep"),
]


@pytest.mark.parametrize("words", ["toy/theorem-3 --p 1", "toy", "findings toy"])
@pytest.mark.parametrize(("title", "parts", "line"), CIRCLES, ids=[each[0] for each in CIRCLES])
def test_a_circle_is_one_line(verify: CommandLine, tmp_path: Path, title: str, parts: str, line: str, words: str) -> None:
    paper = tmp_path / "mine"
    shutil.copytree(FOLDER, paper)
    (paper / "statements" / "theorem-3.toml").write_text(THEOREM.replace("PARTS", parts))
    if "lemma-1" in parts:
        (paper / "statements" / "lemma-1.toml").write_text(LEMMA)
        (paper / "findings.toml").unlink()
    done = verify(f"--papers {paper} {words}")
    assert done.status == 2
    assert done.err.count("\n") == 1
    assert "rest" in done.err
    assert words != "toy/theorem-3 --p 1" or line in done.err
