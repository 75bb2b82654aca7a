"""Python of a folder of ``--papers`` runs with ``--trust`` only; what needs none is judged without."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.papers_of_tests import FOLDER, shelved, the_paper
from verifier.errata.listings import Listing
from verifier.running.shelf import SHELF
from verifier.show.site.finding_pages import object_of

WORD = "which only --trust runs"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The toy paper, whose judges leave a file behind when they are imported."""
    shutil.copytree(FOLDER, tmp_path / "mine")
    for path in (tmp_path / "mine" / "judges").glob("*.py"):
        trap = f"from pathlib import Path\nPath({str(tmp_path / 'ran')!r}).touch()\n"
        path.write_text(path.read_text().replace("from __future__ import annotations\n", "") + trap)
    return tmp_path / "mine"


def test_a_finding_whose_drawing_is_python_of_the_folder_is_not_drawn(folder: Path) -> None:
    """No module of the folder is imported, and the page is written without the drawing."""
    finding = SimpleNamespace(entry=SimpleNamespace(draws="judges.numbers:double"))
    listing = SimpleNamespace(finding=finding, counterexample={"y": "1", "z": "0"}, smallest=SimpleNamespace(parameters={}))
    with shelved(folder):
        SHELF.trusted = False
        paper = the_paper("toy")
        assert object_of(paper, cast(Listing, listing)) is None
    assert not (folder.parent / "ran").exists()
