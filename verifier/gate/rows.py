"""The rows of the table of verdicts: the compared parts of results, for runs of parameter points that share them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.gate.point_sets import Point

NO_SEMANTICS = "-"


@dataclass(frozen=True)
class Entry:
    """The compared parts of one result."""

    verdict: Verdict
    scope: str
    cases: int | None
    assumptions: tuple[str, ...]
    blocked_by: str | None


def entry(result: Result) -> Entry:
    """The one place that knows where a result keeps what is compared."""
    outcome = result.outcome
    return Entry(outcome.verdict, outcome.scope.statement, outcome.scope.cases, outcome.assumptions, outcome.blocked_by)


@dataclass(frozen=True)
class Judged:
    """A point with all its parameters, and its entries, one for each edition."""

    point: Point
    entries: tuple[Entry, ...]

    @property
    def said(self) -> tuple[tuple[object, ...], ...]:
        """The results that the points of a row have in common."""
        return tuple((e.verdict, e.assumptions, e.blocked_by) for e in self.entries)


@dataclass(frozen=True)
class Row:
    """Consecutive points of a claim under one semantics that agree in verdicts, assumptions and what blocks, edition by edition.

    points: without the parameters that have their default at every point of the claim; :func:`full_points` has them.
    cases:  added up over the points, for each edition; None where nothing was counted at any.
    digest: of :func:`digest`, over everything that is compared, at each full point.
    """

    claim: str
    semantics: str
    points: tuple[Point, ...]
    verdicts: tuple[Verdict, ...]
    assumptions: tuple[tuple[str, ...], ...]
    blocked_by: tuple[str | None, ...]
    cases: tuple[int | None, ...]
    digest: str


def rows(results: Iterable[Result], claims: Mapping[str, Claim]) -> Iterator[Row]:
    """The rows of these results, in their order.

    Raises:
        ValueError: a point lacks an edition, or has one twice.
    """
    found: dict[tuple[str, str], dict[Point, dict[Edition, Entry]]] = {}
    for result in results:
        point = tuple((k, str(v)) for k, v in result.parameters.items())
        editions = found.setdefault((result.claim, result.semantics or NO_SEMANTICS), {}).setdefault(point, {})
        if result.edition in editions:
            raise ValueError(f"{result.claim} at {point}: {result.edition.value} twice")
        editions[result.edition] = entry(result)
    for (claim, semantics), points in found.items():
        if any(len(editions) < len(Edition) for editions in points.values()):
            raise ValueError(f"{claim}: a point without a result for each edition")
        judged = [Judged(point, tuple(editions[e] for e in Edition)) for point, editions in points.items()]
        for _, run in groupby(judged, lambda j: j.said):
            yield row(claims[claim], semantics, list(run), list(points))


def row(claim: Claim, semantics: str, run: Sequence[Judged], among: Sequence[Point]) -> Row:
    """The row of points that say the same, of all points of the claim."""
    entries = run[0].entries
    counted = zip(*([e.cases for e in judged.entries] for judged in run), strict=True)
    return Row(
        claim=claim.id,
        semantics=semantics,
        points=shown_points(claim, [judged.point for judged in run], among),
        verdicts=tuple(e.verdict for e in entries),
        assumptions=tuple(e.assumptions for e in entries),
        blocked_by=tuple(e.blocked_by for e in entries),
        cases=tuple(sum(c for c in column if c is not None) if any(c is not None for c in column) else None for column in counted),
        digest=digest(run),
    )


def digest(run: Sequence[Judged]) -> str:
    """SHA-256, its first 16 hexadecimal digits, over the run as JSON: parameters, then for each edition everything that is compared."""

    def compared(e: Entry) -> list[object]:
        return [e.verdict.value, e.scope, None if e.cases is None else str(e.cases), e.assumptions, e.blocked_by]

    listed = [[judged.point, [compared(e) for e in judged.entries]] for judged in run]
    return hashlib.sha256(json.dumps(listed, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()[:16]


def shown_points(claim: Claim, points: Sequence[Point], among: Sequence[Point]) -> tuple[Point, ...]:
    """The points without the parameters that have the default that follows from the others at every point they stand ``among``."""
    every = [_numbers(claim, point) for point in among]

    def by_default(name: str) -> bool:
        return all(claim.complete({k: v for k, v in values.items() if k != name}) == values for values in every)

    left_out = {p.name for p in claim.parameters if p.default is not None and by_default(p.name)}
    return tuple(tuple((k, v) for k, v in point if k not in left_out) for point in points)


def full_points(row: Row, claim: Claim) -> list[dict[str, int]]:
    """The points of a row with all parameters of its claim.

    Raises:
        InputError: the claim has other parameters now.
    """
    return [claim.complete(_numbers(claim, point)) for point in row.points]


def _numbers(claim: Claim, point: Point) -> dict[str, int]:
    """The values that these texts show; one that has a name counts as its number."""
    names = {p.name: p.names for p in claim.parameters}
    return {k: names[k].index(text) if text in names.get(k, ()) else int(text) for k, text in point}
