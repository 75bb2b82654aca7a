"""The lines of the fields of a statement file, so that a mistake names the file, the line and the step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TypeAlias, TypeVar

from verifier.claims.overlays import Raw
from verifier.networks.files import Lines
from verifier.running.errors import FileDefect, FileDefects, InputError
from verifier.running.identifiers import LONGEST

Where: TypeAlias = tuple[str | int, ...]
"""A place in the file: keys, and places in lists from 0."""

Made = TypeVar("Made")


class Places:
    """The places of a statement file. of: of each step, where its fields stand: its own table, then that of the passage above it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.of: dict[str, list[Where]] = {}

    @contextmanager
    def inside(self, raw: Raw, *tables: Where) -> Iterator[None]:
        """Puts the file, the line of the field in question and the step before every mistake found inside.

        tables: those whose fields these are, in the order in which they are looked up; by default those of the statement or step.
        """
        try:
            yield
        except FileDefects as error:
            if error.within == self.path.name:
                raise
            lines = [f"{self._at(raw, tables, defect.path)}: {defect}" for defect in error.each]
            raise FileDefects(error.each, self.path.name, lines) from None
        except InputError as error:
            raise FileDefects([FileDefect((), str(error))], self.path.name, [f"{self._at(raw, tables)}: {error}"]) from None

    def _at(self, raw: Raw, tables: Sequence[Where], path: Where = ()) -> str:
        """``lemma-2.6.toml, line 31, step residue``."""
        name = str(raw.get("id", ""))
        owner = name == self.path.stem
        found = tables or ([()] if owner else self.of.get(name, [()]))
        own = (table for table in found if path and self._lines.exactly((*table, *path[:1])))
        line = next((self._lines.of((*table, *path)) for table in own), None) or self._lines.of((*found[0], "id"))
        return f"{self.path.name}{f', line {line}' if line else ''}" + ("" if owner or not name else f", step {name[:LONGEST]}")

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.path.read_text(encoding="utf-8"))


def each_of(kind: str, raw: Raw, read: Callable[[Raw], Made]) -> Iterator[Made]:
    """What is made of each table of this kind; its place is put before every mistake found inside."""
    for number, entry in enumerate(raw.get(kind, ())):
        try:
            made = read(entry)
        except FileDefects as error:
            raise FileDefects([replace(each, path=(kind, number, *each.path)) for each in error.each], error.within) from None
        except InputError as error:
            raise FileDefects([FileDefect((kind, number), str(error))], kind) from None
        yield made
