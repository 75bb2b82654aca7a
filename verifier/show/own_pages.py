"""Files of a paper's folder besides its statements: records, pages of the report, and pictures."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, TypeVar

import msgspec

from verifier.claims.judge_names import imported
from verifier.claims.papers import Paper
from verifier.networks.files import Lines, misfits, read_toml_text
from verifier.running.errors import FileDefects, InputError, UntrustedError, placed
from verifier.running.identifiers import identifier

if TYPE_CHECKING:
    from verifier.show.pictures.drawing import Drawing

FILE, PICTURES = "pages.toml", "pictures.toml"
Made = TypeVar("Made")


class Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of the file. write: ``module:function`` in the paper's package, a function without arguments that returns Markdown."""

    id: Annotated[str, msgspec.Meta(pattern=r"\A[a-z][a-z0-9-]*\Z")]
    says: str
    write: str

    def name(self, paper: Paper) -> str:
        """The page's file in the report's folder: ``every-bit-counts-thresholds.md``."""
        return f"{paper.id}-{self.id}.md"

    def text(self, paper: Paper) -> str | None:
        """Write the page, or None if its Python may run only with ``--trust``."""
        with suppress(UntrustedError):
            return str(imported(f"{paper.package}.{self.write}")())
        return None


class Picture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of the file. draw: ``module:function`` in the paper's package, a function without arguments that returns a drawing."""

    id: str
    title: str
    says: str
    draw: str

    def drawn(self, package: str) -> Drawing | None:
        """Draw the picture, or None if its Python may run only with ``--trust``.

        Raises:
            InputError: the entry names no function, or one that makes no drawing.
        """
        from verifier.show.pictures.drawing import Drawing

        with placed(f"{PICTURES}, {self.id}"), suppress(UntrustedError):
            made = imported(f"{package}.{self.draw}")()
            if not isinstance(made, Drawing):
                raise InputError(f"{self.draw} returns no Drawing")
            return made
        return None


def own_file(paper: Paper, name: str, kind: type[Made]) -> Made | None:
    """Read a file of a paper as a record. The result is None if the paper does not have the file.

    Raises:
        InputError: in one line, what is wrong with the file.
    """
    path = paper.folder / name
    if not path.is_file():
        return None
    raw, text = read_toml_text(path)
    if defects := misfits(raw, kind):
        raise FileDefects(defects, str(path)).located(str(path), lambda place: Lines(text).of(place) or 1)
    return msgspec.convert(raw, kind)


def own_pages(paper: Paper) -> list[Page]:
    """The pages of a paper, in the file's order, or none if it has no such file."""
    return (own_file(paper, FILE, dict[str, list[Page]]) or {}).get("page", [])


def own_pictures(paper: Paper) -> list[Picture]:
    """The pictures of a paper, in the file's order, or none if it has no such file.

    Raises:
        InputError: in one line, what is wrong with the file.
    """
    entries = (own_file(paper, PICTURES, dict[str, list[Picture]]) or {}).get("picture", [])
    with placed(PICTURES):
        return [entry for entry in entries if identifier(entry.id)]
