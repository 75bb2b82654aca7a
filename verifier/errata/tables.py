"""Errata of a construction: applied to the raw file, one printed expression at a time."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.language.exact import truth
from verifier.language.syntax import parse
from verifier.networks.entries import rational
from verifier.networks.errata import ERRATA, ClauseEntry, TableErrata, TableErratum, changed, replace_in, writes
from verifier.networks.files import Lines, read_toml_text, shaped
from verifier.networks.record_base import conditions_of, promise_of
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.running.errors import FileDefect, FileDefects, InputError, placed

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@dataclass(frozen=True, eq=False)
class Source:
    """A construction file with its raw content and, where there are any, its errata. Two sources are equal only if they are the same
    object.

    errata_path: the file of the errata, if it is a file of the user's; lines, errata_lines: the lines of entries in the files.
    """

    file: ConstructionFile
    raw: Mapping[str, Any]
    errata: TableErrata | None = None
    errata_path: str = ""
    lines: Lines | None = None
    errata_lines: Lines | None = None

    def located(self, error: FileDefects, name: str) -> FileDefects:
        """The mistakes with their lines in the file called ``name``; an unknown name that an erratum writes stands in the errata."""
        found = error.located(name, self.lines.of if self.lines else lambda path: None).each
        each = [self._in_errata(defect) or defect for defect in found]
        return FileDefects(each, name, [defect.line_told for defect in each])

    def _in_errata(self, defect: FileDefect) -> FileDefect | None:
        """An unknown name that an erratum writes, at its line."""
        if self.errata is None or self.errata_lines is None or defect.unknown is None or not defect.path:
            return None
        for k, erratum in enumerate(self.errata.erratum):
            before, after = (re.findall(r"\w+", str(text)) for text in (erratum.printed, erratum.repaired))
            if defect.unknown[0] in after and defect.unknown[0] not in before and writes(self.raw, erratum, defect.path):
                line = self.errata_lines.of(("erratum", k, "repaired"))
                return replace(defect, file=self.errata_path, line=line, place=f"erratum {erratum.name}")
        return None

    @property
    def names(self) -> frozenset[str]:
        """The names of its errata, and of the promises and clauses that they add."""
        if self.errata is None:
            return frozenset()
        return frozenset(self.errata.names)

    @property
    def ranges(self) -> frozenset[str]:
        """The names of the errata that change only the tokens of the clauses and rows."""
        return frozenset(e.name for e in self.errata.erratum if e.ranges) if self.errata else frozenset()

    def repaired(self, without: Iterable[str] = ()) -> ConstructionFile:
        """The construction with all errata applied and all clauses and promises added, except those named in ``without``."""
        left_out = set(without)
        if self.errata is None:
            return apply(self.raw, (), self.file.id)
        raw = with_clauses(self.raw, (c for c in self.errata.clause if c.name not in left_out))
        repaired = apply(raw, (e for e in self.errata.erratum if e.name not in left_out), self.file.id)
        extra = [p.condition for p in self.errata.promise if p.name not in left_out]
        if not extra:
            return repaired
        with placed(f"{self.file.id}: promise"):
            conditions = [each for promise in (repaired.problem.promise, *extra) for each in conditions_of(parse(promise))]
            problem = msgspec.structs.replace(repaired.problem, promise=promise_of(conditions))
        return msgspec.structs.replace(repaired, problem=problem)

    def with_ranges(self) -> ConstructionFile | None:
        """The printed construction with only its indices repaired, or None without such errata."""
        ranges = [e for e in self.errata.erratum if e.ranges] if self.errata else []
        return apply(self.raw, ranges, self.file.id) if ranges else None

    def outside_errata(self, names: Mapping[str, int]) -> str | None:
        """A sentence if the parameters lie outside the domain that the errata file states, or else None."""
        if self.errata is None:
            return f"{self.file.id} has no errata file"
        values = {k: Fraction(v) for k, v in names.items()}
        for name, spec in self.file.parameters.items():
            if name not in values and spec.default is not None:
                values[name] = rational(spec.default, values)
        if truth(self.errata.domain, values):
            return None
        return f"outside the errata's domain {self.errata.domain}: {self.errata.why_domain}"


def read_construction(path: Path | Traversable) -> Source:
    """A construction file without errata.

    Raises:
        InputError: in one line, what is wrong with the file and where.
        Mistakes: if the shape is wrong, all mistakes of the shape.
    """
    raw, text = read_toml_text(path)
    lines = Lines(text)
    try:
        return Source(shaped(raw, ConstructionFile, CONSTRUCTION, str(path)), raw, lines=lines)
    except FileDefects as error:
        from verifier.networks.instantiate import further_mistakes

        raise FileDefects([*error.each, *further_mistakes(raw, error)], str(path)).located(str(path), lines.of) from None


def read_with_errata(path: Path | Traversable, errata: Path | Traversable) -> Source:
    """A construction file and the errata that belong to it; every erratum is applied once to see that it fits.

    Raises:
        InputError: as :func:`read_construction`; also if the errata file is for another construction, an erratum's printed expression
            differs from the file's, or two errata have one name.
    """
    return with_errata(read_construction(path), errata)


def with_errata(source: Source, errata: Path | Traversable) -> Source:
    """A construction that was read, with its errata; errors as of :func:`read_with_errata`."""
    raw, text = read_toml_text(errata)
    record = shaped(raw, TableErrata, ERRATA, str(errata), text)
    combined = Source(source.file, source.raw, record, str(errata) if isinstance(errata, Path) else "", source.lines, Lines(text))
    if defects := list(_unfit(combined, record)):
        raise FileDefects(defects, str(errata)).located(str(errata), Lines(text).of)
    combined.repaired()
    return combined


def _unfit(source: Source, record: TableErrata) -> Iterator[FileDefect]:
    """The entries of an errata file that do not fit the construction, each with its place."""
    if record.construction != source.file.id:
        yield FileDefect(("construction",), f"errata of {record.construction!r}, {source.file.id!r} was expected", "")
        return
    own = [(("erratum", k, "semantics"), e.semantics) for k, e in enumerate(record.erratum) if e.semantics]
    for path, name in [(("semantics",), record.semantics), *own]:
        try:
            read_semantics(name)
        except InputError as error:
            yield FileDefect(path, str(error), "")
    content = copy.deepcopy(dict(with_clauses(source.raw, record.clause)))
    for k, erratum in enumerate(record.erratum):
        if erratum.name in [other.name for other in record.erratum[:k]]:
            yield FileDefect(("erratum", k, "name"), f"two errata have one name, {erratum.name!r}", "")
        try:
            replace_in(content, erratum, source.file.id)
        except InputError as error:
            yield FileDefect(("erratum", k), str(error), "")
    if len(set(record.names)) != len(record.names) and len({e.name for e in record.erratum}) == len(record.erratum):
        yield FileDefect((), "two errata have one name", "")


def with_clauses(raw: Mapping[str, Any], clauses: Iterable[ClauseEntry]) -> Mapping[str, Any]:
    """The raw file with input clauses added behind its own."""
    added = [{"i": each.i, "reads": each.reads} for each in clauses]
    return {**raw, "input": [*raw["input"], *added]} if added else raw


def apply(raw: Mapping[str, Any], errata: Iterable[TableErratum], name: str) -> ConstructionFile:
    """The construction with each erratum's printed expression replaced by the repaired one."""
    return shaped(changed(raw, errata, name), ConstructionFile, CONSTRUCTION, name)
