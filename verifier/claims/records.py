"""The records of a claim besides its sentence: errata, parts, its table, and the overview below its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from verifier.running.identifiers import below
from verifier.running.printable import assignment

if TYPE_CHECKING:
    from verifier.errata.tables import Source


Fields: TypeAlias = tuple[tuple[str, str], ...]
"""Formulas and sentences by the name of their field; a text that is all there is has an empty name."""


@dataclass(frozen=True)
class Erratum:
    """One erratum: what is printed, what to read instead, and why.

    in_words: the change that an author would make. places: the entries of a table that it changes.
    """

    before: Fields
    after: Fields
    why: str
    in_words: str = ""
    places: tuple[str, ...] = ()

    @property
    def printed(self) -> str:
        """The printed text in a line; for an entry of a table, with its place before it."""
        return f"{', '.join(self.places)}: {_line(self.before)}" if self.places else _line(self.before)

    @property
    def repaired(self) -> str:
        """The corrected text in a line."""
        return _line(self.after)


def plain(text: str) -> Fields:
    """A side of an erratum that consists of one text."""
    return (("", text),)


def _line(fields: Fields) -> str:
    return "; ".join(f"{name}: {text}" if name else text for name, text in fields)


def erratum(printed: Mapping[str, Any], fields: Mapping[str, Any], why: str, in_words: str = "") -> Erratum:
    """The erratum of a claim from its printed fields and the fields of its repair: the formulas and sentences that differ."""
    shown = [k for k in fields if k != "says"] or list(fields)
    before = {k: _replaced(printed.get(k), fields[k]) for k in shown}
    return Erratum(_side(before), _side({k: fields[k] for k in shown}), why, in_words)


def _replaced(printed: Any, repaired: Any) -> Any:
    """The part of a field that a repair replaces. Of a table, such as ``let``, these are only single entries."""
    if isinstance(repaired, Mapping):
        return {k: v for k, v in (printed or {}).items() if k in repaired}
    return printed


def _side(fields: Mapping[str, Any]) -> Fields:
    listed = {k: _text(v) for k, v in fields.items() if v not in (None, {})}
    if len(fields) == 1:
        (name,) = fields
        return plain("".join(listed.values()) or ("every value in the domain" if name == "where" else f"no {name}"))
    return tuple(listed.items()) or plain("nothing")


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "; ".join(map(_text, value))
    return assignment(value) if isinstance(value, Mapping) else str(value)


@dataclass(frozen=True)
class Part:
    """A claim on which another is built, with its parameters as expressions in those of the whole (same names by default)."""

    claim: str
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """A construction file of a paper with its errata file, read when first needed.

    folder: the folder of the files; claim: the id of the claim that the table computes its function, which also says whether it is
    well-formed.
    without: errata and promises, by name, that the repaired edition of this claim does not use.
    partial: whether only some of its errata are applied (:mod:`verifier.errata.by_name`); domain: whether the errata's domain bounds the
    repair.
    """

    folder: str
    name: str
    errata: bool = True
    claim: str | None = None
    without: tuple[str, ...] = ()
    partial: bool = False
    domain: bool = True

    @property
    def source(self) -> Source:
        return _load(self.folder, self.name, self.errata)

    @property
    def file_name(self) -> str:
        return f"{self.name}.toml"

    @property
    def path(self) -> str:
        """The file, with its folder."""
        return str(below(Path(self.folder), self.file_name))


@lru_cache(maxsize=64)
def _load(folder: str, name: str, errata: bool) -> Source:
    from verifier.errata.tables import read_construction, read_with_errata

    path = below(Path(folder), f"{name}.toml")
    return read_with_errata(path, below(path.parent, f"{name}.errata.toml")) if errata else read_construction(path)


KINDS = {
    "definition": "nothing is asserted but that it defines something",
    "identity": "two exact expressions are equal",
    "inequality": "a bound with all its constants",
    "tail bound": "a bound on a probability, with all its constants",
    "order": "a bound up to a constant that nobody names",
    "in probability": "something happens with at least some probability, or in a limit",
}
"""The kinds of assertions that a statement can make, and how each kind is judged."""
