"""The table of verdicts, ``reports/verdicts.tsv``, with a line for each range of points that share their verdicts; and its folder.

Lines are compared as texts. A cell that is the same in the three editions stands once, else ``statement | printed | repaired``; ``-`` means
nothing. A digest covers every scope and every number of cases, point by point.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import verifier
from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition, Result
from verifier.gate.point_sets import points_texts
from verifier.running.errors import InputError
from verifier.running.grouping import grouped
from verifier.running.input_files import MOST_RESULT_BYTES, check_regular

FORMAT = "bitreferee/verdicts/1"
COLUMNS = ("claim", "semantics", "parameters", *(e.value for e in Edition), "assumptions", "blocked by", "cases", f"digest of {FORMAT}")
NOTHING = "-"
Editions = tuple[Result, ...]
"""The results of a claim at a point under a reading, one for each edition."""


def lines_of(results: Iterable[Result], claims: Mapping[str, Claim]) -> list[str]:
    """The lines of these results, in their order.

    Raises:
        ValueError: a point lacks an edition, or has one twice.
    """
    found = grouped(((result.claim, result.semantics or NOTHING), result) for result in results)
    return [line for (claim, reading), listed in found.items() for line in _of_claim(claims[claim], reading, listed)]


def _of_claim(claim: Claim, reading: str, results: Sequence[Result]) -> Iterator[str]:
    order = list(Edition)
    points = grouped((tuple((k, str(v)) for k, v in r.parameters.items()), r) for r in results).values()
    judged = [tuple(sorted(listed, key=lambda r: order.index(r.edition))) for listed in points]
    for each in judged:
        if [r.edition for r in each] != order:
            raise ValueError(f"{claim.id} at {dict(each[0].parameters)}: one result for each edition was expected")
    among = [each[0] for each in judged]
    for _, run in groupby(judged, _shared):
        yield _line(claim, reading, list(run), among)


def _shared(editions: Editions) -> tuple[object, ...]:
    """The values that all points of a line share."""
    return tuple((r.verdict, r.outcome.assumptions, r.outcome.blocked_by) for r in editions)


def _line(claim: Claim, reading: str, run: Sequence[Editions], among: Sequence[Result]) -> str:
    """``CLAIM ⇥ a4 ⇥ p=2..8 ⇥ verified ⇥ refuted ⇥ verified ⇥ - ⇥ - ⇥ 131328 | 1 | 131328 ⇥ 0123456789abcdef``."""
    first = run[0]
    counted = [[r.outcome.scope.cases for r in column if r.outcome.scope.cases is not None] for column in zip(*run, strict=True)]
    return "\t".join(
        (
            claim.id,
            reading,
            "; ".join(points_texts(claim, [each[0] for each in run], among)) or NOTHING,
            *(r.verdict.value for r in first),
            _by_edition([",".join(r.outcome.assumptions) for r in first]),
            _by_edition([r.outcome.blocked_by or "" for r in first]),
            _by_edition([str(sum(column)) if column else "" for column in counted]),
            digest(run),
        )
    )


def _by_edition(cells: Sequence[str]) -> str:
    filled = [cell or NOTHING for cell in cells]
    return filled[0] if len(set(filled)) == 1 else " | ".join(filled)


def digest(run: Sequence[Editions]) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of the run as JSON: parameters, then for each edition all compared data."""

    def compared(r: Result) -> list[object]:
        scope, cases = r.outcome.scope.statement, r.outcome.scope.cases
        return [r.verdict.value, scope, None if cases is None else str(cases), r.outcome.assumptions, r.outcome.blocked_by]

    listed = [[[[k, str(v)] for k, v in each[0].parameters.items()], [compared(r) for r in each]] for each in run]
    return hashlib.sha256(json.dumps(listed, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()[:16]


def as_table(lines: Iterable[str]) -> str:
    """The file of these lines."""
    return "\n".join(["\t".join(COLUMNS), *lines]) + "\n"


def claim_in(line: str) -> str:
    """The claim of a line."""
    return line.partition("\t")[0]


def read_table(path: Path) -> list[str]:
    """The lines of a table, without its header.

    Raises:
        InputError: no such file, or no table of verdicts.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such table of verdicts; --output FILE names one, the same command with --update writes it")
    check_regular(path, MOST_RESULT_BYTES)
    try:
        head, *lines = path.read_bytes().decode().split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8, from byte {error.start + 1} on") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if head != "\t".join(COLUMNS):
        raise InputError(f"{path}:1: not a table of verdicts; the columns {', '.join(COLUMNS)} were expected, tabs between them")
    return lines[:-1] if lines and not lines[-1] else lines


def claims_with(path: Path, verdict: str) -> set[str]:
    """The claims of a table whose statement has this verdict, or which have it as printed, at some point.

    Raises:
        InputError: as :func:`read_table`.
    """
    return {claim_in(line) for line in read_table(path) if verdict in line.split("\t")[3:5]}


def differences(expected: Sequence[str], found: Sequence[str]) -> list[str]:
    """The missing and the new lines, claim by claim: ``- …`` from the table, ``+ …`` from the run."""
    before, now = (grouped((claim_in(line), line) for line in lines) for lines in (expected, found))
    told = []
    for claim in dict.fromkeys([*now, *before]):
        old, new = before.get(claim, []), now.get(claim, [])
        gone, added = [line for line in old if line not in new], [line for line in new if line not in old]
        told += [*(f"- {line}" for line in gone), *(f"+ {line}" for line in added)]
        if old != new and not gone and not added:
            told.append(f"{claim}: its lines are in another order, or one stands twice")
    return [line.replace("\t", "  ") for line in told]


HERE = Path("reports")
TABLE = "verdicts.tsv"
BESIDE = Path(verifier.__file__).parents[1] / HERE
"""The folder of the source tree that the program runs from, if it runs from one."""


def checkout() -> Path | None:
    """The source tree that the program runs from, or None if it is installed."""
    return BESIDE.parent if (BESIDE / TABLE).is_file() else None


def pages_folder(shipped: bool) -> Path:
    """The folder for pages: ``reports`` in the working directory, or with ``shipped`` that of the checkout that the program runs from.

    Raises:
        InputError: the program runs from no checkout.
    """
    if shipped and checkout() is None:
        raise InputError("--shipped: the program runs from no checkout with reports")
    return BESIDE if shipped else HERE


def reports_folder() -> Path:
    """``reports`` in the working directory if it holds a table of verdicts, else that of the source tree if it does, else the former."""
    return BESIDE if not (HERE / TABLE).is_file() and checkout() else HERE
