"""The paper of three statements in ``tests/papers/toy``, found as a user's folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verifier.statements.papers import SHELF, catalogue, papers

FOLDER = Path(__file__).parents[2] / "papers" / "toy"


@contextmanager
def shelved(folder: Path = FOLDER) -> Iterator[None]:
    """The folder's papers are at hand, and gone afterwards."""
    before = list(SHELF.folders)
    SHELF.add(folder)
    catalogue.cache_clear()
    try:
        yield
    finally:
        SHELF.folders = before
        papers.cache_clear()
        catalogue.cache_clear()


@contextmanager
def empty_shelf() -> Iterator[None]:
    """No papers of a user's are at hand, and what is added is gone afterwards."""
    before = list(SHELF.folders)
    SHELF.folders = []
    papers.cache_clear()
    catalogue.cache_clear()
    try:
        yield
    finally:
        SHELF.folders = before
        papers.cache_clear()
        catalogue.cache_clear()
