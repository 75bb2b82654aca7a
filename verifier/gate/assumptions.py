"""Find results that are conditional on an assumption that we refute; the table of verdicts may have none.

An assumption is decided by the claims that statements name in ``supports``; or nothing decides it, and :data:`UNDECIDED` or the paper's
``[assumptions]`` says why. A session makes a conditional result open where the claim's own ``supports`` is refuted at its point. Here every
result is gone through, also those of claims that name no support, and at points where the deciding claim says nothing though it is
refuted at others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper
from verifier.claims.points import Point, parameter_words, part_points
from verifier.claims.records import Part
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.running.errors import InputError

UNDECIDED = {
    "exact-entries": "a machine is imagined that holds the entries which its format lacks",
    "ideal-ln2": "a machine is imagined that holds ln 2",
    "sampling": "what was drawn stands for what was not, at the level that the scope names",
}
"""Assumptions on the machine or on chance, which no claim of a paper decides."""


def conditional_on_refuted(paper: Paper, results: Mapping[str, Sequence[Result]], session: Session | None = None) -> Iterator[str]:
    """A line for each conditional result whose assumption a claim of ours refutes, or which nothing is known to decide.

    Args:
        results: of the paper's claims, under any semantics.
    """
    session = session or Session()
    claims = {claim.id: claim for claim in paper}
    named = {*UNDECIDED, *paper.raw.get("assumptions", {})}
    deciding: dict[str, list[Part]] = {}
    for claim in claims.values():
        for name, part in claim.supports.items():
            if part not in deciding.setdefault(name, []):
                deciding[name].append(part)
    for listed in results.values():
        for result in listed:
            of = claims.get(result.claim)
            if of is None or result.verdict is not Verdict.CONDITIONAL:
                continue
            for name in result.outcome.assumptions:
                if name not in named:
                    own = [of.supports[name]] if name in of.supports else deciding.get(name, [])
                    at = " ".join([result.claim, *parameter_words(result.parameters)])
                    for fault in _faults(name, own, result, results, session):
                        yield f"{at}: {result.edition.value} is conditional on {name}, {fault}"


def _faults(name: str, parts: Iterable[Part], result: Result, results: Mapping[str, Sequence[Result]], session: Session) -> Iterator[str]:
    """The objections to an assumption at a result's point, from claims that refute it there or else elsewhere."""
    silent: list[Claim] = []
    said = False
    for support in _decided_by(parts, result):
        semantics = read_semantics(result.semantics) if result.semantics else DEFAULT_SEMANTICS
        found = None if support.outside else session.at(support, Edition.STATEMENT, semantics).verdict
        if found is Verdict.REFUTED:
            yield f"which {support} refutes: it has to be open"
            return
        if found in (None, Verdict.DECLINED):
            silent.append(support.claim)
        said = True
    if not said:
        yield "and no claim decides it: supports, or the paper's [assumptions], has to say why"
    for decides in silent:
        for other in results.get(decides.id, ()):
            if other.edition is Edition.STATEMENT and other.verdict is Verdict.REFUTED and other.semantics in (None, result.semantics):
                where = " ".join([decides.name, *parameter_words(other.parameters)])
                yield f"which {where} refutes, and {decides.name} says nothing here: it has to be open, or decided"
                return


def _decided_by(parts: Iterable[Part], result: Result) -> Iterator[Point]:
    """The deciding claims at the result's point, without those whose parameters the result does not give."""
    for part in parts:
        try:
            yield from part_points((part,), dict(result.parameters))
        except InputError:
            continue
