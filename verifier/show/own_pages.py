"""Pages of the report that a paper's folder brings: ``pages.toml`` names for each a file, a sentence, and the function that writes it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeVar

import msgspec

from verifier.claims.papers import Paper
from verifier.networks.files import read_toml
from verifier.running.errors import InputError, UntrustedError, placed

FILE = "pages.toml"
Made = TypeVar("Made", bound=msgspec.Struct)


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page as the file has it. write: ``module:function`` in the paper's package, which takes nothing and returns Markdown."""

    id: Annotated[str, msgspec.Meta(pattern=r"\A[a-z][a-z0-9-]*\Z")]
    says: str
    write: str


@dataclass(frozen=True)
class OwnPage:
    """A page that can be written."""

    paper: Paper
    entry: Entry

    @property
    def name(self) -> str:
        """Its file in the report's folder: ``every-bit-counts-thresholds.md``."""
        return f"{self.paper.id}-{self.entry.id}.md"

    def text(self) -> str | None:
        """The page; None where only ``--trust`` would run the Python that writes it."""
        module, _, name = self.entry.write.partition(":")
        try:
            function: Callable[[], str] = getattr(importlib.import_module(f"{self.paper.package}.{module}"), name)
        except UntrustedError:
            return None
        return function()


def own_entries(paper: Paper, name: str, key: str, kind: type[Made]) -> list[Made]:
    """The tables of one name in a file of a paper, as records; none where the paper has no such file.

    Raises:
        InputError: in one line, what is wrong with the file.
    """
    path = paper.folder / name
    if not path.is_file():
        return []
    with placed(name):
        try:
            return msgspec.convert(read_toml(path).get(key, []), list[kind])  # type: ignore[valid-type]
        except msgspec.ValidationError as error:
            raise InputError(str(error).replace("`", "")) from None


def own_pages(paper: Paper) -> list[OwnPage]:
    """The pages of a paper, in the file's order; none where it has no such file."""
    return [OwnPage(paper, entry) for entry in own_entries(paper, FILE, "page", Entry)]
