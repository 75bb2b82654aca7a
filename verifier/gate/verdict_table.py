"""``reports/verdicts.tsv``: the rows as text, a line each, tab separated, and back.

Where the three editions have the same cell it stands once, else ``statement | printed | repaired``; ``-`` is nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from verifier.claims.verdicts import Edition, Verdict
from verifier.gate.point_sets import as_text, from_text
from verifier.gate.rows import Row
from verifier.running.errors import InputError
from verifier.running.input_files import MOST_RESULT_BYTES, check_regular

Cell = TypeVar("Cell")

FORMAT = "bitreferee/verdicts/1"
COLUMNS = ("claim", "semantics", "parameters", *(e.value for e in Edition), "assumptions", "blocked by", "cases", f"digest of {FORMAT}")
NOTHING = "-"
_CLAIM = re.compile(r"([a-z0-9-]+/[a-z0-9.-]+|(?:construction|network)/[\w.~%/-]+)(:[a-z0-9.-]+)?", re.ASCII)
"""The id of a claim, or what :func:`verifier.judges.own_files.path_names` calls a construction file."""
_SEMANTICS = re.compile(r"-|[a-z][a-z0-9+=.-]*")
_ASSUMPTIONS = re.compile(r"[a-z0-9][a-z0-9-]*(,[a-z0-9][a-z0-9-]*)*")
_COUNT = re.compile(r"0|[1-9][0-9]{0,999}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{16}")


def as_table(rows: Iterable[Row]) -> str:
    """The table of these rows, in their order.

    Raises:
        ValueError: a row that could not be read back.
    """
    lines = ["\t".join(COLUMNS)]
    for row in rows:
        line = as_line(row)
        if from_line(line) != row:
            raise ValueError(f"the line {line!r} does not say {row}")
        lines.append(line)
    return "\n".join(lines) + "\n"


def as_line(row: Row) -> str:
    """``CLAIM ⇥ a4 ⇥ p=2..8 ⇥ verified ⇥ refuted ⇥ verified ⇥ - ⇥ - ⇥ 131328 | 1 | 131328 ⇥ 0123456789abcdef``."""
    return "\t".join(
        (
            row.claim,
            row.semantics,
            as_text(row.points),
            *(v.value for v in row.verdicts),
            _by_edition([",".join(names) for names in row.assumptions]),
            _by_edition([name or "" for name in row.blocked_by]),
            _by_edition(["" if n is None else str(n) for n in row.cases]),
            row.digest,
        )
    )


def _by_edition(cells: Sequence[str]) -> str:
    filled = [cell or NOTHING for cell in cells]
    return filled[0] if len(set(filled)) == 1 else " | ".join(filled)


def read_table(path: Path) -> list[Row]:
    """The rows of a table.

    Raises:
        InputError: no such file, or a line that :func:`as_table` would not write; the message names the file and the line.
    """
    lines = _lines(path)
    if lines[0] != "\t".join(COLUMNS):
        raise InputError(f"{path}:1: not a table of verdicts; the columns {', '.join(COLUMNS)} were expected, tabs between them")
    found: list[Row] = []
    seen: set[tuple[object, ...]] = set()
    for number, line in enumerate(lines[1:], 2):
        try:
            row = from_line(line)
            for point in row.points:
                if (row.claim, row.semantics, point) in seen:
                    raise ValueError(f"{row.claim} has {as_text([point])} twice")
                seen.add((row.claim, row.semantics, point))
        except ValueError as error:
            raise InputError(f"{path}:{number}: {error}") from None
        found.append(row)
    return found


def claims_with(path: Path, verdict: str) -> set[str]:
    """The claims of a table whose statement has this verdict, or which have it as printed, at some point.

    Raises:
        InputError: as :func:`read_table`.
    """
    return {row.claim for row in read_table(path) if Verdict(verdict) in row.verdicts[:2]}


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        raise InputError(f"{path}: no such table of verdicts; --table FILE names one, `verify gate --update` writes it")
    check_regular(path, MOST_RESULT_BYTES)
    try:
        raw = path.read_bytes()
        text = raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}: byte {raw[error.start]:#04x} is not UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    lines = text.split("\n")
    if lines.pop():
        raise InputError(f"{path}:{len(lines) + 1}: the last line has no end")
    return lines or [""]


def from_line(line: str) -> Row:
    """The row of a line.

    Raises:
        ValueError: what is wrong with it.
    """
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        raise ValueError(f"{len(cells)} columns, {len(COLUMNS)} were expected")
    claim, semantics, points, *verdicts, assumptions, blocked_by, cases, digest = cells
    row = Row(
        claim=_matching(_CLAIM, claim, "a claim"),
        semantics=_matching(_SEMANTICS, semantics, "a semantics"),
        points=from_text(points),
        verdicts=tuple(map(_verdict, verdicts)),
        assumptions=_editions(assumptions, lambda cell: tuple(_matching(_ASSUMPTIONS, cell, "assumptions").split(",")), ()),
        blocked_by=_editions(blocked_by, lambda cell: _matching(_CLAIM, cell, "a claim"), None),
        cases=_editions(cases, lambda cell: int(_matching(_COUNT, cell, "a number of cases")), None),
        digest=_matching(_DIGEST, digest, "a digest"),
    )
    if as_line(row) != line:
        raise ValueError(f"{line!r} is written as {as_line(row)!r}")
    return row


def _editions(cell: str, read: Callable[[str], Cell], nothing: Cell) -> tuple[Cell, ...]:
    cells = cell.split(" | ")
    if len(cells) not in (1, len(Edition)):
        raise ValueError(f"{cell!r}: one entry, or one for each edition, was expected")
    found = [nothing if each == NOTHING else read(each) for each in cells]
    return tuple(found * len(Edition) if len(found) == 1 else found)


def _verdict(cell: str) -> Verdict:
    if cell not in [v.value for v in Verdict]:
        raise ValueError(f"{cell!r} is not a verdict; {', '.join(v.value for v in Verdict)} are")
    return Verdict(cell)


def _matching(pattern: re.Pattern[str], cell: str, what: str) -> str:
    if not pattern.fullmatch(cell):
        raise ValueError(f"{cell!r} is not {what}")
    return cell
