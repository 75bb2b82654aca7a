"""Python of a folder of ``--papers`` runs with ``--trust`` only; what needs none is judged without."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import FOLDER, shelved
from verifier.claims.papers import find_paper
from verifier.errata.listings import Listing
from verifier.running.shelf import SHELF
from verifier.show.site.objects import object_of

WORD = "which only --trust runs"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The toy paper, whose judges leave a file behind when they are imported."""
    shutil.copytree(FOLDER, tmp_path / "mine")
    for path in (tmp_path / "mine" / "judges").glob("*.py"):
        trap = f"from pathlib import Path\nPath({str(tmp_path / 'ran')!r}).touch()\n"
        path.write_text(path.read_text().replace("from __future__ import annotations\n", "") + trap)
    return tmp_path / "mine"


@pytest.mark.parametrize(
    "words", ["toy", "toy/lemma-2 --p 2", "toy/theorem-3 --p all", "findings toy", "gate --jobs 1 --update", "list toy"]
)
def test_nothing_of_the_folder_runs_without_trust(verify: CommandLine, folder: Path, words: str) -> None:
    assert verify(f"--papers {folder} {words}").status in (0, 1, 2, 3)
    assert not (folder.parent / "ran").exists()


def test_a_claim_that_needs_python_is_declined_with_the_word(verify: CommandLine, folder: Path) -> None:
    for claim in ("toy/lemma-2", "toy/lemma-1:count", "toy/lemma-2:first"):
        results = verify(f"--papers {folder} {claim} --p 2 --format json").document["results"]
        assert {r["verdict"] for r in results} == {"declined"}
        assert all(WORD in r["reason"] for r in results)
    assert verify(f"--papers {folder} toy/lemma-1 --p 2").status == 0
    assert verify(f"--papers {folder} --trust toy/lemma-2 --p 2 --edition statement").status == 0
    assert (folder.parent / "ran").exists()


def test_what_was_left_out_is_not_compared(verify: CommandLine, folder: Path) -> None:
    assert verify(f"gate --jobs 1 --papers {folder} --trust --update").status == 0
    done = verify(f"gate --jobs 1 --papers {folder}")
    assert done.status == 3
    assert f"toy/lemma-2: not compared, it needs Python of its own folder, {WORD}" in done.out
    assert verify(f"gate --jobs 1 --papers {folder} --update").status == 2


def test_trust_alone_trusts_nothing(verify: CommandLine) -> None:
    done = verify("--trust list")
    assert (done.status, "--trust goes with --papers DIR" in done.err) == (2, True)


def test_two_folders_of_one_name_have_their_own_modules(verify: CommandLine, tmp_path: Path) -> None:
    for place, name in (("one", "toy"), ("two", "other")):
        shutil.copytree(FOLDER, tmp_path / place / "paper")
        about = tmp_path / place / "paper" / "paper.toml"
        about.write_text(about.read_text().replace('id = "toy"', f'id = "{name}"'))
    own = tmp_path / "two" / "paper" / "judges" / "numbers.py"
    own.write_text(own.read_text().replace("def double", "def doubled"))
    words = f"--papers {tmp_path / 'one'} --papers {tmp_path / 'two'} --trust"
    assert verify(f"{words} toy/lemma-1:count --p 2 --edition repaired").status == 0
    assert verify(f"{words} other/lemma-1:count --p 2 --edition repaired").status == 2


def test_a_finding_whose_drawing_is_python_of_the_folder_is_not_drawn(folder: Path) -> None:
    """No module of the folder is imported, and the page is written without the drawing."""
    finding = SimpleNamespace(entry=SimpleNamespace(draws="judges.numbers:double"))
    listing = SimpleNamespace(finding=finding, counterexample={"y": "1", "z": "0"}, smallest=SimpleNamespace(parameters={}))
    with shelved(folder):
        SHELF.trusted = False
        paper = find_paper("toy")
        assert paper is not None
        assert object_of(paper, cast(Listing, listing)) is None
    assert not (folder.parent / "ran").exists()
