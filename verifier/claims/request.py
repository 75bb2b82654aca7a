"""A user's request on the command line or in Python, with ranges of parameters, readings, editions, and whether steps are judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from verifier.arithmetic.semantics import Semantics, chosen_semantics, read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import find_claim, find_paper
from verifier.claims.points import Point, asked_points, step_points
from verifier.claims.session import Proof, Session
from verifier.claims.verdicts import Edition, Outcome, Result, Verdict

ALL_READINGS = "all"
LN2_ROUNDED = "a4+ln2=rounded"
"""The default without the assumption ideal-ln2."""
STATES_OF_A_REMARK = 1 << 24
"""The work that the line on another reading may take (``--limit`` if that is less). The option ``--semantics`` asks for that reading
itself.
"""


def rests_on_ln2(claim: Claim) -> bool:
    """Whether the claim's table has the factor ln 2, and so needs the assumption that e^(k ln 2) is 2^k."""
    weights = claim.table.source.file.weights if claim.table is not None else None
    return weights is not None and "ln2" in (weights.query.times, weights.key.times)


@dataclass(frozen=True)
class Elsewhere:
    """A reading, by its id and its name for readers, and the editions whose verdict differs under it."""

    reading: str
    called: str
    outcomes: Mapping[Edition, Outcome]


@dataclass(frozen=True)
class Request:
    """Claims at ranges of their parameters.

    ranges: of parameters, by name; missing parameters take their typical values.
    semantics: the name of a reading, or ``all``: then the claims' own results under each, without their parts.
    edition: the one asked for; None for all three. If it is None, claims at several points show their overviews.
    """

    claims: tuple[Claim, ...]
    ranges: Mapping[str, str] = field(default_factory=dict)
    semantics: str = DEFAULT_SEMANTICS.label
    edition: Edition | None = None
    steps: bool = False

    @property
    def editions(self) -> tuple[Edition, ...]:
        return tuple(Edition) if self.edition is None else (self.edition,)

    @cached_property
    def points(self) -> list[list[Point]]:
        """The points of each claim."""
        return [list(asked_points(claim, self._own(claim))) for claim in self.claims]

    @property
    def is_range(self) -> bool:
        """Whether a claim is asked for at several points, none of them as a whole."""
        return any(len(each) > 1 for each in self.points) and not any(point.of_all for each in self.points for point in each)

    def readings(self, claim: Claim) -> list[Semantics]:
        """The readings under which a claim is judged; only one if the claim uses no bounded arithmetic."""
        chosen = chosen_semantics(self.semantics, claim.point)
        return chosen if claim.bounded else chosen[:1]

    def results(self, session: Session) -> Iterator[Result]:
        """The results of every claim, point and reading, those of its parts, and, if requested, those of its steps."""
        several = self.semantics == ALL_READINGS
        for claim, points in zip(self.claims, self.points, strict=True):
            for point in points:
                for reading in self.readings(claim):
                    for result in session.results(point, self.editions, reading):
                        if not several or result.claim == claim.id:
                            yield result
                for step in claim.steps if self.steps and point.outside is None else ():
                    for at in step_points(step, point.values):
                        yield from session.results(at, self.editions, chosen_semantics(self.semantics, claim.point)[0])

    def overviews(self, session: Session) -> Iterator[Result]:
        """The rows of the claims' overviews, for claims at several points."""
        for claim, points in zip(self.claims, self.points, strict=True):
            if self.edition is not None or claim.overview is None or len(points) < 2:
                continue
            row = find_claim(claim.overview.claim)
            known = {p.name for p in row.parameters}
            for point in points:
                at = Point.of(row, {k: v for k, v in point.values.items() if k in known})
                for name in claim.overview.readings:
                    yield from session.results(at, (Edition.STATEMENT,), read_semantics(name))

    def proofs(self, session: Session) -> Iterator[Proof]:
        """The state of the steps of each statement, at each point inside its domain."""
        for claim, points in zip(self.claims, self.points, strict=True):
            for point in points if claim.role is None and claim.steps else ():
                if point.outside is None and not point.of_all:
                    yield session.proof(point, chosen_semantics(self.semantics, claim.point)[0])

    def elsewhere(self, session: Session) -> Iterator[Elsewhere]:
        """The other readings under which a verdict on a single claim differs: those that the paper's text supports, and the one without the
        assumption ideal-ln2 if the claim's table uses it.
        """
        single = len(self.claims) == 1 and len(self.points[0]) == 1
        for point in self.points[0] if single else ():
            paper = find_paper(point.claim.paper)
            if paper is None or not point.claim.bounded or point.of_all or point.outside is not None:
                continue
            if self.semantics != next(iter(paper.readings)):
                continue
            usual = read_semantics(self.semantics)
            remark = replace(session.limits, smallest=False, states=min(session.limits.states, STATES_OF_A_REMARK))
            others, counted = (Session(each, session.advance, session.method) for each in (replace(remark, counts=False), remark))
            tried = [(name, paper.called[name]) for name in list(paper.readings)[1:]]
            for name, called in [*tried, *([(LN2_ROUNDED, "if ln 2 is rounded (without ideal-ln2)")] if rests_on_ln2(point.claim) else [])]:
                reading = read_semantics(name)
                before = {e: session.at(point, e, usual).verdict for e in self.editions}
                other = {e: made for e in self.editions if (made := others.at(point, e, reading)).verdict is not before[e]}
                known = {e: counted.at(point, e, reading) for e in other}
                other |= {e: made for e, made in known.items() if made.verdict is not Verdict.DECLINED}
                if other:
                    yield Elsewhere(name, called, other)

    def _own(self, claim: Claim) -> dict[str, str]:
        """The ranges of the claim's own parameters; an unknown parameter is an error if neither another claim nor a step has it."""
        known = {p.name for p in claim.parameters}
        steps = {p.name for step in claim.steps for p in step.parameters}
        return {k: v for k, v in self.ranges.items() if k in known or (len(self.claims) == 1 and k not in steps)}
