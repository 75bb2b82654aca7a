"""Inequalities that follow from others: the cases are in ``tests/cases/combinations.toml``; here, the net below them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import empty_shelf
from verifier.judges import reals

PAPER = 'id = "mine"\ntitle = "t"\nauthors = "a"\n[[section]]\ntitle = "s"\nstatements = ["lemma-1"]\n'
LEMMA = 'id = "lemma-1"\nplace = "here"\nsays = "u is at least 1"\njudge = "combination"\nfrom = {}\npositive = [["u - 1", "1"]]\n'


def test_what_is_shown_and_false_at_the_point_is_a_fault(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "statements").mkdir()
    (tmp_path / "paper.toml").write_text(PAPER)
    (tmp_path / "statements" / "lemma-1.toml").write_text(LEMMA + 'given = []\nat = { u = "1/3" }\n')
    monkeypatch.setattr(reals, "_same", lambda left, right: True)
    with empty_shelf():
        done = verify(f"--papers {tmp_path} mine/lemma-1")
    assert (done.status, "u - 1 is shown, and false" in done.err) == (70, True), done.err
