"""Where a statement first says something: the smallest p, then s, at which its hypotheses can be met and its conclusion is not empty.

A :class:`Record` for each statement names its cases, and for each case a search at one (p, s); :func:`first_claim` makes it a claim
``NAME:first``. Nothing is written down: each instance is found, and the conclusion is checked at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question

from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.trials import Failure, decide, within_limit
from verifier.verdicts import Finding, Scope, Verdict


@dataclass(frozen=True)
class Instance:
    """What meets the hypotheses, in words, and whether the conclusion holds there."""

    witness: str
    holds: bool


Search = Callable[[FixedPoint], Iterator[Instance]]
"""The instances at one (p, s), simplest first; none where the hypotheses cannot be met (or only with an empty conclusion)."""


@dataclass(frozen=True)
class Record:
    """A statement: its claim's name, its place, its cases, and the largest p tried by default."""

    name: str
    place: str
    cases: Mapping[str, Search]
    typical: str = "3"
    subject: str = ""
    """What of the statement is meant, where it is not all of it."""


def first_instance(search: Search, p: int) -> tuple[FixedPoint, Instance] | None:
    """The first instance at q ≤ p and s ≤ 2^q − 1, q and then s ascending."""
    for grid in (g for q in range(1, p + 1) for g in fixed_points(q)):
        found = next(search(grid), None)
        if found is not None:
            return grid, found
    return None


def first_claim(chapter: Chapter, record: Record) -> None:
    """Register ``NAME:first``."""
    text = record.subject or record.name.replace("-", " ").capitalize()

    @chapter.claim(
        f"{record.name}:first",
        statement=f"the smallest p, then s, at which {text} says something, and that it is true there",
        place=record.place,
        checks=f"a search for hypotheses met and a conclusion that is not empty; cases: {'; '.join(record.cases)}",
        parameters=(Parameter("p", "the largest p tried", "p >= 1", record.typical),),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        within_limit(question, 16 ** question["p"])
        return _judged(record, question["p"])

    del judge


def _judged(record: Record, p: int) -> Finding:
    found = {case: first_instance(search, p) for case, search in record.cases.items()}
    scope = f"p <= {p} and s <= 2^p - 1, ascending, until an instance is found, for {len(found)} case{'s' if len(found) > 1 else ''}"
    missing = [case for case, instance in found.items() if instance is None]

    def trials() -> Iterator[Failure]:
        for case, instance in found.items():
            if instance is not None:
                grid, at = instance
                yield None if at.holds else {"case": case, "p": grid.p, "s": grid.s, "instance": at.witness}

    made = decide(scope, trials())
    shown = "; ".join(f"{case}: p = {g.p}, s = {g.s} ({i.witness})" for case, (g, i) in ((c, v) for c, v in found.items() if v))
    if missing and made.verdict is not Verdict.REFUTED:
        return Finding(Verdict.OPEN, Scope(scope), reason=f"none up to p = {p}: {', '.join(missing)}", witness=shown or None)
    return Finding(made.verdict, made.scope, witness=shown or None, counterexample=made.counterexample)
