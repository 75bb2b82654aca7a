"""Constructions as values, and a construction at one point."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Rational
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from verifier.arithmetic.semantics import ALL_READINGS, Semantics, read_arithmetic
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.parameters import read_integer
from verifier.claims.verdicts import Edition
from verifier.errata.tables import Source
from verifier.interface.arguments import Exact, integer, of_arguments
from verifier.judges.editions import readable_instance
from verifier.judges.own_files import file_points, file_semantics, in_file
from verifier.networks.files import shaped
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate, mistakes
from verifier.networks.record_base import complete
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.running.errors import FileDefects, InputError
from verifier.running.identifiers import meant
from verifier.running.notebooks import INTEGER, TEXT, Columns, Shown
from verifier.running.printable import assignment, many
from verifier.transformers.tables import Execution


@dataclass(frozen=True, repr=False)
class Construction(Shown):
    """A construction as written: tokens, embedding rows, weights, MLP, as formulas in its parameters.

    name: the file, or the claim about it; edition: ``printed`` or, with a claim's errata, ``repaired``; errata: the file of errata beside a
    file; edited: the entries that :meth:`with_entry` changed.
    """

    name: str
    edition: str
    file: ConstructionFile
    source: Source = field(compare=False)
    claim: Claim | None = field(compare=False, default=None)
    errata: Path | None = field(compare=False, default=None)
    edited: frozenset[tuple[str | int, ...]] = field(compare=False, default=frozenset())
    columns: ClassVar[Columns] = {"step": INTEGER, **dict.fromkeys(("tokens", "for_0", "for_1"), TEXT)}

    def caption(self) -> str:
        where = ", ".join(spec.where for spec in self.file.parameters.values())
        return f"{self.name} ({self._written}): {self.file.problem.function} for {where}"

    @property
    def _written(self) -> str:
        return f"{self.edition}, edited in {many(len(self.edited), 'place')}" if self.edited else self.edition

    @property
    def title(self) -> str:
        return self.file.title

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters' domains, by name."""
        return {name: spec.where for name, spec in self.file.parameters.items()}

    @of_arguments
    def at(self, **parameters: int) -> Instance:
        """The construction at these parameters, with all its vectors as exact numbers.

        Raises:
            TypeError: a parameter that is not an int.
            InputError: a parameter is missing, unknown or outside its domain, or the construction is ill-formed there.
        """
        given = {name: integer(value, name) for name, value in parameters.items()}
        if self.claim is None:
            instance = instantiate(self.file, complete(self.file, given))
        else:
            instance = readable_instance(self.claim, Edition(self.edition), self.claim.complete(given))
        return well_formed(instance, self.name)

    def to_dict(self) -> dict[str, Any]:
        """The file as a dictionary of the same shape; ``docs/format.md`` explains every field."""
        found: dict[str, Any] = msgspec.to_builtins(self.file)
        return found

    @classmethod
    @of_arguments
    def from_dict(cls, written: Mapping[str, Any], name: str | None = None) -> Construction:
        """A construction from the tables of a construction file as Python objects, such as :meth:`to_dict` returns.

        Args:
            written: ``docs/format.md`` has every field; exact numbers are ints, Fractions or texts. The first line may be left out.
            name: the construction's name in results; its id by default.

        Raises:
            TypeError: ``written`` is not a mapping.
            InputError: every defect, each with its place.

        >>> from bitreferee import load
        >>> table = load("lemma-2.6:table-6").to_dict()
        >>> Construction.from_dict(table).title == table["title"]
        True
        """
        raw = _written(dict(written))
        called = name or str(raw.get("id", "the construction"))
        file = shaped({"format": CONSTRUCTION, **raw}, ConstructionFile, CONSTRUCTION, called)
        if defects := mistakes(file):
            raise FileDefects(defects, called)
        return cls(called, Edition.PRINTED.value, file, Source(file, raw))

    @of_arguments
    def with_entry(self, path: str, value: Exact | Sequence[Exact]) -> Construction:
        """The same construction with one entry changed.

        Args:
            path: keys and numbers from 1, as defects name them: ``row 3, one 2``, ``weights.value.matrix 1, 1``, ``mlp.output.bias``.
            value: the entry.

        Raises:
            InputError: there is no such entry, or the construction has a defect with it.

        >>> from bitreferee import load
        >>> load("lemma-2.6:table-6").with_entry("row 1, zero 1", 0).file.row[0].zero[0]
        0
        """
        raw = self.to_dict()
        if not _keys(path):
            raise InputError(f"path is {path!r}; an entry such as 'row 3, one 2' was expected")
        *before, last = _keys(path)
        within: Any = raw
        for key in (*before, last):
            holder = within
            try:
                within = holder[key]
            except (KeyError, IndexError, TypeError):
                raise InputError(f"{self.name} has no entry {path!r}; {_instead(holder, key)}") from None
        holder[last] = value
        edited = self.edited | {(*before, last)}
        return replace(Construction.from_dict(raw, self.name), edition=self.edition, edited=edited)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each printed row: its step, its tokens, and its vectors for the bits 0 and 1, as formulas."""
        vectors = [(row, _vector(row.zero), None if row.one is None else _vector(row.one)) for row in self.file.row]
        return [self.row(row.step, str(row.i), zero, one) for row, zero, one in vectors]


def well_formed(instance: Instance, name: str) -> Instance:
    """Raise InputError if the construction, which ``name`` stands for, is ill-formed at its parameters."""
    if instance.defects:
        raise InputError(f"{name} is ill-formed at {assignment(instance.parameters)}: {instance.defects[0]}")
    return instance


@dataclass(frozen=True)
class AtPoint:
    """A construction at its parameters under a reading. edition: as in sentences; claim: the claim of the table, at this ``point``.

    Raises:
        InputError: all readings.
    """

    name: str
    instance: Instance
    edition: str
    reading: str
    claim: Claim | None = None
    point: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.reading == ALL_READINGS:
            raise InputError(f"--arithmetic {ALL_READINGS}: one reading was expected")

    @classmethod
    def of_claim(cls, claim: Claim, asked: Mapping[str, str], edition: Edition, reading: str | None) -> AtPoint:
        """Return the construction of a claim; the claim must have one.

        Raises:
            InputError: parameters outside the claim's domain.
        """
        point = claim.complete({name: read_integer(name, text) for name, text in asked.items()})
        if outside := claim.outside(point):
            raise InputError(outside)
        instance = readable_instance(claim, edition, point)
        return cls(instance.id, instance, edition.value, reading or DEFAULT_SEMANTICS.label, claim, point)

    @classmethod
    def of_file(cls, source: Source, name: str, asked: Mapping[str, str], reading: str | None) -> AtPoint:
        """A table file, as written or with errata, at the one point given by the request and its ``[check]``.

        Raises:
            InputError: several points, or a bad one.
        """
        with in_file(source, name):
            point, *more = file_points(source, asked)
            chosen = reading or file_semantics(source)
            if more:
                flags = " ".join(f"--{parameter} {value}" for parameter, value in point.items())
                raise InputError(f"{len(more) + 1} points were given; one was expected, such as {flags}")
            instance = instantiate(source.repaired() if source.errata else source.file, point)
        return cls(name, instance, "with its errata" if source.errata else "as written", chosen)

    def execution(self, read: Callable[[str], Semantics] = read_arithmetic) -> Execution:
        """The construction in the arithmetic that ``read`` derives from the reading.

        Raises:
            InputError: an ill-formed construction, or no such reading.
        """
        return Execution(well_formed(self.instance, f"{self.name} ({self.edition})"), read(self.reading))


def _keys(path: str) -> list[str | int]:
    """``row 3, one 2`` as keys: row, 2, one, 1."""
    words = re.findall(r"[^\s.,]+", path)
    return [int(word) - 1 if re.fullmatch(r"[1-9][0-9]*", word) else word for word in words]


def _instead(holder: object, key: str | int) -> str:
    """The entries of a part of a file, in which there is none of this key."""
    if isinstance(holder, dict):
        return meant(str(key), holder, f"there are {', '.join(holder)}")
    if isinstance(holder, list) and isinstance(key, int):
        return f"a number from 1 to {len(holder)} was expected"
    return "a place such as 'row 3, one 2' or 'mlp.output.bias' was expected"


def _written(value: Any) -> Any:
    """A value in the notation of a file: fractions as texts, tuples as lists."""
    if isinstance(value, Mapping):
        return {str(key): _written(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_written(each) for each in value]
    if isinstance(value, Rational) and not isinstance(value, (int, bool)):
        return str(value)
    return value


def _vector(entries: object) -> str:
    return f"({', '.join(str(x) for x in entries)})" if isinstance(entries, list) else str(entries)
