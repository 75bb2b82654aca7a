"""Places in an author's file: the physical locations of SARIF and the ``file`` and ``line`` of JUnit.

The TOML reader of the standard library tells no lines; headers and ``key = value`` lines are found here by their first word.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from verifier.claims.verdicts import Result

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?")
_LINE = re.compile(r"ill-formed: line (\d+)")
_STEP = re.compile(r"step (\d+)")
_CLAUSE = re.compile(r"input clause (\d+)")


@dataclass(frozen=True)
class Fix:
    """A suggested change: in a line, the text from ``column`` to before ``end``, counted from 1, becomes ``text``. says: the change."""

    line: int
    column: int
    end: int
    text: str
    says: str


@dataclass(frozen=True)
class Place:
    """A line of a file, counted from 1. ``says``: in a line, what the file says is so; ``fix``: a change that makes the file right."""

    path: Path
    line: int
    says: str
    fix: Fix | None = None

    @property
    def uri(self) -> str:
        """Relative to the repository, as code-scanning views expect, also from a folder inside it; of a file elsewhere, absolute."""
        return quote(self.file) if self.path.resolve().is_relative_to(repository()) else self.path.resolve().as_uri()

    @property
    def file(self) -> str:
        """The path below the repository; of a file elsewhere, the whole path."""
        path, root = self.path.resolve(), repository()
        return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


def repository() -> Path:
    """The root of the repository around the working directory; without one, the working directory."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


Placed = Callable[[Result], Place | None]
"""Where a result belongs; None where nobody knows."""


def line_in(text: str, header: str, number: int = 1, key: str | None = None, value: str | None = None) -> int | None:
    """The line of a table's header, or of a key in it: the ``number``-th table of this name in which ``key`` is ``value``, if given.

    >>> line_in('id = "t"\\n[[row]]\\nstep = 1\\n[[row]]\\nstep = 2\\n', "row", key="step", value="2")
    5
    """
    counted, name = 0, ""
    for at, line in enumerate(text.splitlines(), 1):
        if found := _HEADER.fullmatch(line):
            name = found[2]
            counted += name == header
            if name == header and key is None and counted == number:
                return at
        elif name == header and key is not None:
            word, _, rest = line.partition("=")
            if word.strip().strip("\"'") == key and (value is None or rest.partition("#")[0].strip().strip("\"'") == value):
                return at
    return None


def replacement(text: str, printed: str, repaired: str, wanted: Mapping[str, Any], says: str) -> Fix | None:
    """The one replacement of a printed expression in a TOML text after which it says what is wanted; None where there is none."""
    for line, content in enumerate(text.splitlines(keepends=True)):
        for found in re.finditer(rf"(?<![\w.]){re.escape(printed)}(?![\w.])", content):
            changed = content[: found.start()] + repaired + content[found.end() :]
            lines = text.splitlines(keepends=True)
            try:
                if tomllib.loads("".join([*lines[:line], changed, *lines[line + 1 :]])) == wanted:
                    return Fix(line + 1, found.start() + 1, found.end() + 1, repaired, says)
            except tomllib.TOMLDecodeError:
                continue
    return None


def in_construction(path: Path, says: str, result: Result) -> Place:
    """The line that the reason names, or the row or clause of a defect; else the line that says which function is to be computed."""
    text = _text(path)
    if named := _LINE.match(result.outcome.reason or ""):
        return Place(path, int(named[1]), says)
    where = (result.outcome.counterexample or {}).get("place", "")
    line = None
    if step := _STEP.match(where):
        line = line_in(text, "row", key="step", value=step[1])
    elif clause := _CLAUSE.match(where):
        line = line_in(text, "input", int(clause[1]))
    return Place(path, line or line_in(text, "problem", key="function") or 1, says)


def in_paper(result: Result) -> Place | None:
    """The statement's file, at the step if it is one."""
    from verifier.claims.papers import find_claim, find_paper

    paper = find_paper(result.claim.partition("/")[0])
    if paper is None:
        return None
    claim = find_claim(result.claim)
    path = paper.folder / "statements" / f"{claim.owner}.toml"
    step = claim.name.partition(":")[2]
    text = _text(path)
    line = line_in(text, "step", key="id", value=step) if step else line_in(text, "", key="says")
    return Place(path, line or 1, claim.statement)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
