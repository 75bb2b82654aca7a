"""The folders of papers that the user named, and the start of a command on a paper in them."""

from __future__ import annotations

from pathlib import Path

from verifier.running.errors import TRUST
from verifier.running.printable import shell_line


class Shelf:
    """The papers at hand besides the installed ones.

    folders: as the user named them, each a paper or a folder of papers; trusted: whether their Python may run; ids: of the papers there.
    """

    def __init__(self) -> None:
        self.folders: list[Path] = []
        self.trusted = False
        self.ids: frozenset[str] = frozenset()

    def program(self, claim: str) -> str:
        """The start of a command on a claim or paper of this id: ``verify``, with ``--papers DIR`` if its paper is in one of the folders.

        Then every folder is named, because a claim may have parts in another paper.
        """
        if not self.folders or claim.partition("/")[0] not in self.ids:
            return "verify"
        words = [word for folder in dict.fromkeys(self.folders) for word in ("--papers", str(folder))]
        return shell_line(["verify", *words, *([TRUST] if self.trusted else [])])


SHELF = Shelf()
