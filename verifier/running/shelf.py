"""The folders of papers that the user named, and the start of a command on a paper in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verifier.running.errors import TRUST
from verifier.running.printable import shell_line


class Shelf:
    """The papers at hand besides the installed ones.

    folders: as the user named them, each a paper or a folder of papers; trusted: whether their Python may run; ids: of the papers there;
    on_pages: whether commands are written on pages, which do not depend on the working directory.
    """

    def __init__(self) -> None:
        self.folders: list[Path] = []
        self.trusted = False
        self.ids: frozenset[str] = frozenset()
        self.on_pages = False

    @contextmanager
    def pages(self) -> Iterator[None]:
        """Within, commands are those of pages."""
        self.on_pages = True
        try:
            yield
        finally:
            self.on_pages = False

    def program(self, claim: str) -> str:
        """The start of a command on a claim or paper of this id: ``verify``, with ``--papers DIR`` if its paper is in one of the folders.

        Then every folder is named, because a claim may have parts in another paper.
        """
        if not self.folders or claim.partition("/")[0] not in self.ids:
            return "verify"
        shown = _from_the_root if self.on_pages else str
        words = [word for folder in dict.fromkeys(self.folders) for word in ("--papers", shown(folder))]
        return shell_line(["verify", *words, *([TRUST] if self.trusted else [])])


def repository() -> Path | None:
    """The root of the repository around the working directory, or None without one."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)


def _from_the_root(folder: Path) -> str:
    """The folder by its path from the root of the repository, or by its name."""
    path, root = folder.resolve(), repository()
    return path.relative_to(root).as_posix() if root is not None and path.is_relative_to(root) else path.name


SHELF = Shelf()
