"""Pictures that a paper's folder brings: ``pictures.toml`` names for each a title, a sentence, and the function that draws it."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from verifier.claims.named_functions import named_function
from verifier.claims.papers import Paper
from verifier.running.errors import InputError, UntrustedError, placed
from verifier.running.identifiers import identifier
from verifier.show.own_pages import own_entries
from verifier.show.pictures.drawing import Drawing

FILE = "pictures.toml"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture as the file has it. draw: ``module:function`` in the paper's package, without arguments."""

    id: str
    title: str
    says: str
    draw: str


@dataclass(frozen=True)
class OwnPicture:
    """A picture that can be drawn."""

    entry: Entry
    package: str

    def drawn(self) -> Drawing | None:
        """The picture; None where only ``--trust`` would run the Python that draws it.

        Raises:
            InputError: the entry names no function, or one that makes no drawing.
        """
        with placed(f"{FILE}, {self.entry.id}"):
            try:
                made = named_function(self.package, self.entry.draw)()
            except UntrustedError:
                return None
            if not isinstance(made, Drawing):
                raise InputError(f"{self.entry.draw} makes no Drawing")
            return made


def own_pictures(paper: Paper) -> list[OwnPicture]:
    """The pictures of a paper, in the file's order; none where it has no such file.

    Raises:
        InputError: in one line, what is wrong with the file.
    """
    entries = own_entries(paper, FILE, "picture", Entry)
    with placed(FILE):
        return [OwnPicture(entry, paper.package) for entry in entries if identifier(entry.id)]
