"""How a run's rows differ from the committed ones, a line for each difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from verifier.claims.verdicts import Edition
from verifier.gate.point_sets import NO_PARAMETERS, Point, as_text
from verifier.gate.rows import NO_SEMANTICS, Row


def differences(expected: Sequence[Row], found: Sequence[Row]) -> list[str]:
    """One line for each verdict, assumption, blocking claim, number of cases or digest that differs, and for what is new or gone.

    Points that changed alike share a line. Nothing but equal rows of a claim, in the same order, makes no line for it.
    """
    before, now = _by_claim(expected), _by_claim(found)
    return [
        f"{' '.join(word for word in (claim, semantics) if word != NO_SEMANTICS)} {line}"
        for claim, semantics in dict.fromkeys([*now, *before])
        for line in _of_claim(before.get((claim, semantics), []), now.get((claim, semantics), []))
    ]


def _by_claim(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row.claim, row.semantics), []).append(row)
    return found


def _of_claim(before: Sequence[Row], now: Sequence[Row]) -> list[str]:
    if before == now:
        return []
    old = {point: row for row in before for point in row.points}
    new = {point: row for row in now for point in row.points}
    changes: dict[str, list[Point]] = {}
    for point in dict.fromkeys([*new, *old]):
        for text in _changes(old.get(point), new.get(point)):
            changes.setdefault(text, []).append(point)
    lines = [f"{_place(points)}: {text}" for text, points in changes.items()]
    lines += [line for row in now for other in before if other.points == row.points for line in _counted(other, row)]
    return lines or ["its rows are ordered or cut otherwise"]


def _place(points: Sequence[Point]) -> str:
    listed = [as_text(list(run)) for _, run in groupby(points, lambda point: [name for name, _ in point])]
    return "at its one point" if listed == [NO_PARAMETERS] else "; ".join(listed)


def _changes(old: Row | None, new: Row | None) -> Iterator[str]:
    """What is said otherwise of one point."""
    if old is None or new is None:
        row, how = (old, "gone, was") if old is not None else (new, "new,")
        assert row is not None
        yield f"{how} {' '.join(v.value for v in row.verdicts)}"
        return
    for i, edition in enumerate(Edition):
        if old.verdicts[i] is not new.verdicts[i]:
            yield f"{edition.value} was {old.verdicts[i].value}, is {new.verdicts[i].value}"
        if old.assumptions[i] != new.assumptions[i]:
            yield f"{edition.value} assumed {_names(old.assumptions[i])}, assumes {_names(new.assumptions[i])}"
        if old.blocked_by[i] != new.blocked_by[i]:
            yield f"{edition.value} was blocked by {old.blocked_by[i] or 'nothing'}, is by {new.blocked_by[i] or 'nothing'}"


def _names(assumptions: Sequence[str]) -> str:
    return ", ".join(assumptions) or "nothing"


def _counted(old: Row, new: Row) -> Iterator[str]:
    """What differs of rows of the same points beside what :func:`_changes` tells."""
    place = _place(new.points)
    for edition, before, now in zip(Edition, old.cases, new.cases, strict=True):
        if before != now:
            yield f"{place}: {edition.value} had {_count(before)} cases, has {_count(now)}"
    said = (old.verdicts, old.assumptions, old.blocked_by) == (new.verdicts, new.assumptions, new.blocked_by)
    if old.digest != new.digest and said and old.cases == new.cases:
        yield f"{place}: a scope, a point's number of cases, or a parameter by default, is another (digest {old.digest}, now {new.digest})"


def _count(cases: int | None) -> str:
    return "uncounted" if cases is None else f"{cases:,}"
