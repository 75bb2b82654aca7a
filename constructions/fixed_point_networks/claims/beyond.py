"""Whether the other statements that assume 1 ∈ Q_{p,s} need it: each claim is judged where it assumes it not, s ≥ 2^p.

S°, N and their kin are roundings of groups of multiples of 1/s² for every s, so most judges need no change: they are asked outside the
claim's domain (:class:`Outside`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.claims.catalogue import find_claim
from verifier.claims.chapter import Chapter
from verifier.claims.model import Limits, Parameter, Question

from constructions.fixed_point_networks.claims.naive import ones, quantized
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, beyond
from constructions.fixed_point_networks.mathematics.rounded_activations import has_unit_gap, rounded
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, within_limit
from verifier.semantics import Semantics
from verifier.verdicts import Edition, Finding, Verdict

chapter = Chapter(PAPER_ID)
claim = chapter.claim


@dataclass(frozen=True)
class Outside:
    """Judges claims at points outside their domains, and what those ask, too."""

    limits: Limits

    def ask(self, claim: str, edition: Edition, parameters: Mapping[str, int], semantics: Semantics) -> Finding:
        found = find_claim(claim)
        assert found.judge is not None
        known = {p.name for p in found.parameters}
        values = {k: v for k, v in parameters.items() if k in known}
        return found.judge(Question(found, edition, values, semantics, self, self.limits))


@dataclass(frozen=True)
class Record:
    """A statement, the claims that decide it, the edition judged, the p run by default, and what to say of the outcome."""

    name: str
    place: str
    claims: tuple[str, ...]
    where_p: str
    typical_p: str
    note: str
    edition: Edition = Edition.STATEMENT
    work: int = 4
    """About ``work`` ** p cases."""


GROUP = "the sets are roundings of multiples of one step whatever s is"
LEVELS = "counted in levels, the case split and the gcd do not contain s"
SIGNED = (
    "not needed where +-1 is a weight whatever Q_(p,s) is (Section 3.3 says w in {-1, 1}); where weights are to be in Q_(p,s) as well, "
    "no weight is left at s = 2^p, and every network is constant"
)
UNSTATED = "it is not stated with it either; the paper assumes it throughout"
RECORDS = (
    Record("theorem-1", "Section 3.1, Theorem 1", ("theorem-1",), "p >= 1", "1..3", UNSTATED),
    Record("lemma-4", "Section 3.2.1, Lemma 4", ("lemma-4",), "p >= 1", "1..2", UNSTATED),
    Record("theorem-11", "Section 3.3, Theorem 11", ("theorem-11",), "p >= 1", "1..3", UNSTATED),
    Record("lemma-10", "Section 3.2.4, Lemma 10", ("lemma-10", "lemma-10:zero"), "p >= 1", "1..2", GROUP),
    Record("lemma-18", "Section 3.3, Lemma 18", ("lemma-18", "lemma-18:zero"), "p >= 1", "1..2", GROUP),
    Record("lemma-19", "Section 4.2, Lemma 19", ("lemma-19",), "p >= 1", "1..3", GROUP),
    Record("lemma-25", "Section 5.15, Lemma 25", ("lemma-25",), "p >= 1", "1..2", GROUP),
    Record("lemma-14", "Section 3.3, Lemma 14", ("lemma-14",), "p >= 1", "1", SIGNED, work=64),
    Record(
        "theorem-15",
        "Section 3.3, Theorem 15 (networks with weights +-1)",
        ("theorem-15",),
        "p >= 1",
        "1..2",
        f"{SIGNED}. As printed, of networks with weights in Q_(p,s), it is needed as for Theorem 6: theorem-6:one-in-q",
        Edition.REPAIRED,
        work=32,
    ),
    Record(
        "corollary-17",
        "Section 3.3, Corollary 17 (networks with weights +-1)",
        ("corollary-17", "theorem-15"),
        "p >= 1",
        "1..2",
        SIGNED,
        Edition.REPAIRED,
        work=32,
    ),
)


def furthest(p: int) -> int:
    """The last s run: 2^(p+1) + 1, so that q_max falls below 1/2."""
    return (2 << p) + 1


def holds_beyond(question: Question, record: Record) -> Iterator[Failure]:
    asker = Outside(question.limits)
    for grid in beyond(question["p"], furthest(question["p"])):
        for name in record.claims:
            point = {"p": grid.p, "s": grid.s, "d": 1}
            found = asker.ask(f"{PAPER_ID}/{name}", record.edition, point, question.semantics)
            yield None if found.verdict is Verdict.VERIFIED else {"s": grid.s, "claim": name, **(found.counterexample or {})}


def _claim(record: Record) -> None:
    text = record.name.replace("-", " ").capitalize()

    @claim(
        f"{record.name}:one-in-q",
        statement=f"{text} does not need 1 in Q_(p,s): it holds for s >= 2^p too",
        place=record.place,
        checks=f"the judge of {', '.join(record.claims)} at every s from 2^p to 2^(p+1) + 1",
        parameters=(Parameter("p", "magnitude bits", record.where_p, record.typical_p),),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        within_limit(question, record.work ** question["p"])
        return decide(
            f"every s from 2^p to 2^(p+1) + 1 {at(question)}, as {', '.join(record.claims)}",
            holds_beyond(question, record),
            witness=record.note if record.note.startswith("not needed") else f"not needed: {record.note}",
        )

    del judge


for _record in RECORDS:
    _claim(_record)

@claim(
    "section-4.1:one-in-q",
    statement="without 1 in Q_(p,s) the quantized network of Section 4.1 has the values q_max and -q_max, not 1 and -1: the signs "
    "are reversed all the same",
    place="Section 4.1",
    checks="the network with weights rounded (+-1 to +-q_max), run at +-(1, ..., 1), which are no inputs then, unrounded",
    parameters=(Parameter("p", "magnitude bits", "p >= 1", "1..4"),),
    bounded=False,
)
def section_4_1(question: Question) -> Finding:
    p = question["p"]
    within_limit(question, 16**p)

    def trials() -> Iterator[Failure]:
        for grid in beyond(p, furthest(p)):
            for sign in (-1, 1):
                value = quantized(grid, ones(grid.s, sign), "away")
                yield None if value == -sign * grid.largest != Fraction(-sign) else {"s": grid.s, "x": f"{sign}, ...", "quantized f": value}

    return decide(
        f"every s from 2^p to 2^(p+1) + 1 {at(question)}",
        trials(),
        witness=f"needed for the values printed, from p = {p}, s = {2**p} on: q_max < 1; not for the reversal of the signs",
    )
