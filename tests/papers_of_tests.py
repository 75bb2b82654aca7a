"""The paper of three statements in ``tests/papers/toy``, found as a user's folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verifier.claims.papers import Paper, add_papers, find_paper, papers
from verifier.gate.run import Run, run_papers
from verifier.running.shelf import SHELF
from verifier.show.pages import letter_files

FOLDER = Path(__file__).parent / "papers" / "toy"


def the_paper(name: str) -> Paper:
    """The paper of this id, which is at hand."""
    found = find_paper(name)
    assert found is not None
    return found


def run_paper(paper: Paper) -> Run:
    """Everything that the findings and pages of a paper are made of."""
    return run_papers([paper])[1][paper.id]


@contextmanager
def shelved(folder: Path = FOLDER) -> Iterator[None]:
    """The folder's papers are at hand, and gone afterwards."""
    with _restored():
        add_papers(folder)
        SHELF.trusted = True
        yield


@contextmanager
def empty_shelf() -> Iterator[None]:
    """No papers of a user's are at hand, and what is added is gone afterwards."""
    with _restored():
        SHELF.folders = []
        _forget()
        yield


@contextmanager
def _restored() -> Iterator[None]:
    """What is done to the shelf is undone afterwards."""
    before, trusted = list(SHELF.folders), SHELF.trusted
    try:
        yield
    finally:
        SHELF.folders, SHELF.trusted = before, trusted
        _forget()


def _forget() -> None:
    papers.cache_clear()


def page(paper: Paper, run: Run) -> str:
    """The letter on a paper."""
    return letter_files(paper, run)[f"{paper.id}.md"]
