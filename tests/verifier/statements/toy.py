"""The paper of three statements in ``tests/papers/toy``, found as a user's folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verifier.statements.papers import SHELF, catalogue, papers

FOLDER = Path(__file__).parents[2] / "papers" / "toy"


@contextmanager
def shelved(folder: Path = FOLDER) -> Iterator[None]:
    """The folder's papers are at hand, and gone afterwards."""
    before = list(SHELF.folders), list(SHELF.given)
    SHELF.add(folder)
    catalogue.cache_clear()
    try:
        yield
    finally:
        SHELF.folders, SHELF.given = before
        papers.cache_clear()
        catalogue.cache_clear()
