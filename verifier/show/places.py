"""Places in an author's file: the physical locations of SARIF and the ``file`` and ``line`` of JUnit."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.networks.files import Lines, read_toml_text
from verifier.running.errors import FileDefect
from verifier.running.grouping import grouped
from verifier.running.shelf import repository
from verifier.weights.toml_text import toml_text


@dataclass(frozen=True)
class Replacement:
    """In a line, the text from ``column`` to before ``end``, counted from 1, becomes ``text``."""

    line: int
    column: int
    end: int
    text: str


@dataclass(frozen=True)
class Fix:
    """A suggested change: its replacements in the file as it is, and in words."""

    made: tuple[Replacement, ...]
    says: str

    @property
    def told(self) -> str:
        """``repair: row.1.one.2: 0 → 1``."""
        return f"repair: {self.says}"


@dataclass(frozen=True)
class Place:
    """A line of a file, counted from 1. ``says``: in a line, the file's assertion; ``fix``: a change that makes the file right."""

    path: Path
    line: int
    says: str
    fix: Fix | None = None

    @property
    def uri(self) -> str:
        """The address of the file relative to the repository, as code-scanning views expect; of a file outside it, the absolute address."""
        return quote(self.file) if self.path.resolve().is_relative_to(repository() or Path.cwd()) else self.path.resolve().as_uri()

    @property
    def file(self) -> str:
        """The path below the repository; of a file outside it, the whole path."""
        path, root = self.path.resolve(), repository() or Path.cwd()
        return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


Placed = Callable[[Result], Place | None]
"""The place to which a result belongs, or None if it is not known."""


@dataclass(frozen=True)
class Document:
    """The content of documents for code reviews: results, their places, and the defects of files that cannot be read.

    beside: results under the default reading for files that name another: they are shown and do not change the status. mended: by file, the
    place that its first repair edits.
    """

    results: Sequence[Result]
    placed: Placed = lambda result: None
    defects: Sequence[FileDefect] = ()
    beside: Sequence[Result] = ()
    mended: Mapping[str, Place] = field(default_factory=dict)

    def is_beside(self, result: Result) -> bool:
        """Whether a result leaves the exit status unchanged."""
        return any(result is each for each in self.beside)

    def reason(self, result: Result) -> str:
        """Why a result is not verified. At the line of a repair, an ill-formed file's first defect is named without a line of its own."""
        place, seen = self.placed(result), result.outcome.counterexample or {}
        if place is not None and place.fix is not None and "defect" in seen:
            return f"ill-formed: {seen['place']}: {seen['defect']}"
        return result.outcome.reason or result.outcome.scope.statement

    @cached_property
    def _remarks(self) -> dict[tuple[str, Edition], str]:
        asked = grouped(((each.claim, each.edition), each) for each in self.results)
        return {question: remark_on(results) for question, results in asked.items()}

    def remark(self, result: Result) -> str:
        """A note on a construction file that is right at every point, if its function has the same value on every promised input."""
        return self._remarks.get((result.claim, result.edition), "")

    def repair(self, result: Result) -> str:
        """The first repair in words, or the command that searches beyond one symbol; empty for a result without a table to repair."""
        place = self.placed(result)
        if place is not None and place.fix is not None:
            return place.fix.told
        asked = result.verdict is Verdict.REFUTED and result.edition is Edition.PRINTED and not self.is_beside(result)
        if place is None or not asked or not result.claim.startswith("construction/"):
            return ""
        return f"no one-symbol repair is known; `verify repair {place.path}` searches further"

    def of_defect(self, defect: FileDefect) -> Place:
        """The place that the repair edits in a file that cannot be judged, or else the place of its defect."""
        return self.mended.get(defect.file) or Place(Path(defect.file), defect.line or 1, "")

    def names_reading(self, result: Result) -> bool:
        """Whether a result must name its reading, because its claim is shown under several."""
        alike = (each for each in (*self.results, *self.beside) if each.claim == result.claim)
        return len({each.semantics for each in alike}) > 1


def remark_on(results: Sequence[Result]) -> str:
    """The reason that all these results on a construction file share, if all are verified."""
    reasons = {each.outcome.reason or "" for each in results if each.verdict is Verdict.VERIFIED and each.claim.startswith("construction/")}
    alike = all(each.verdict is Verdict.VERIFIED for each in results) and len(reasons) == 1
    return reasons.pop() if alike else ""


def replacement(text: str, printed: str, repaired: str, wanted: Mapping[str, Any]) -> Replacement | None:
    """The one replacement of a printed expression in a TOML text that gives the wanted content, or None without one."""
    for found in re.finditer(rf"(?<![\w.]){re.escape(printed)}(?![\w.])", text):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(text[: found.start()] + repaired + text[found.end() :]) == wanted:
                column = found.start() - text.rfind("\n", 0, found.start())
                return Replacement(text.count("\n", 0, found.start()) + 1, column, column + len(printed), repaired)
    return None


def addition(text: str, clause: Mapping[str, Any]) -> Replacement | None:
    """The insertion of an input clause behind the last one in a TOML text, or None if it does not fit there."""
    raw, lines = tomllib.loads(text), text.splitlines(keepends=True)
    last = max(Lines(text).of(("input", len(raw["input"]) - 1, key)) or 0 for key in raw["input"][-1])
    added = f"\n{toml_text({'input': [clause]})}"
    with suppress(tomllib.TOMLDecodeError):
        if tomllib.loads("".join([*lines[:last], added, *lines[last:]])) == {**raw, "input": [*raw["input"], clause]}:
            return Replacement(last + 1, 1, 1, added)
    return None


def in_paper(result: Result) -> Place | None:
    """The place of a result in the statement's file, at the line of its step if it has one."""
    from verifier.claims.papers import find_claim, find_paper

    paper = find_paper(result.claim.partition("/")[0])
    if paper is None:
        return None
    claim = find_claim(result.claim)
    path = paper.folder / "statements" / f"{claim.owner}.toml"
    lines, steps = _statement(path)
    return Place(path, steps.get(claim.name.partition(":")[2]) or lines.of(("holds",)) or lines.of(("says",)) or 1, claim.statement)


@lru_cache(maxsize=256)
def _statement(path: Path) -> tuple[Lines, dict[str, int | None]]:
    """The lines of a statement's file, and the lines with the names of its steps."""
    raw, text = read_toml_text(path)
    lines = Lines(text)
    return lines, {step["id"]: lines.of(("step", k, "id")) for k, step in enumerate(raw.get("step", [])) if "id" in step}
