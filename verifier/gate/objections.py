"""The gate's objections besides verdicts: assumptions that we refute, neighbours that are not refused, theorems that the kernel refuses.

An assumption is decided by the claims that statements name in ``supports``; or nothing decides it, and :data:`UNDECIDED` or the paper's
``[assumptions]`` says why. A session makes a conditional result open where the claim's own ``supports`` is refuted at its point. This
module checks every result, also those of claims that name no support, and results at points at which the deciding claim does not apply but
is refuted elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from verifier.arithmetic.semantics import read_semantics
from verifier.claims import rules
from verifier.claims.kernel_proofs import linked
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Neighbour
from verifier.claims.papers import Paper
from verifier.claims.points import Point, parameter_words, part_points, points
from verifier.claims.records import Part
from verifier.claims.session import Session, in_its_file
from verifier.claims.verdicts import IN_WORDS, Edition, Result, Verdict
from verifier.running.errors import InputError
from verifier.running.grouping import grouped
from verifier.running.printable import assignment

UNDECIDED = {
    IN_WORDS: "no program reads the words of `checks` that lead from the claim's sentence to its formulas",
    "exact-entries": "a machine is imagined that holds the entries which its format lacks",
    "ideal-ln2": "a machine is imagined that holds ln 2",
    "sampling": "what was drawn stands for what was not, at the level that the scope names",
}
"""Assumptions on the machine or on chance, which no claim of a paper decides."""


def conditional_on_refuted(paper: Paper, results: Mapping[str, Sequence[Result]]) -> Iterator[str]:
    """A line for each conditional result whose assumption is refuted by a claim of ours, or decided by nothing.

    Args:
        results: of the paper's claims, under any semantics.
    """
    session = Session()
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
    """The objections to an assumption at a result's point, from claims that refute the assumption at this point or else at another."""
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


CHANGED = ("fields", "lets", "parts", "where", "parameters", "table")
"""The fields of a claim that a neighbour may change."""


def neighbour_faults(claim: Claim) -> Iterator[str]:
    """A line for each neighbour of the claim that the machine does not refuse as the file says."""
    for number, neighbour in enumerate(claim.neighbours, 1):
        try:
            fault = neighbour_fault(claim, neighbour)
        except InputError as error:
            fault = str(error)
        if fault is not None:
            yield str(in_its_file(InputError(f"neighbour {number} ({neighbour.why}): {fault}"), claim, "neighbour", number - 1))


def neighbour_fault(claim: Claim, neighbour: Neighbour) -> str | None:
    """Why a neighbour shows nothing, or None if its verdict agrees with the file, and its reason contains the words that the file names.

    Raises:
        InputError: it has no such parameter, or no point.
    """
    changed = neighbour.claim
    if neighbour.verdict is Verdict.REFUTED:
        original = claim.of_edition(neighbour.edition)
        if all(getattr(original, part) == getattr(changed, part) for part in CHANGED):
            return "it changes nothing of the claim"
    point = changed.complete(neighbour.at) if neighbour.at else next(points(changed, {}))
    session = Session()
    made = session.own(changed, neighbour.edition, point, DEFAULT_SEMANTICS)
    found = rules.on_assumptions(made, session.deciding(made, changed, point, DEFAULT_SEMANTICS))
    shown = assignment(found.counterexample or {})
    said = f"{found.reason or ''} {shown}".strip()
    if found.verdict is not neighbour.verdict:
        why = f": {said}" if said else ""
        return f"{found.verdict.value}, {neighbour.verdict.value} was expected{why}"
    if neighbour.because is not None and neighbour.because not in f"{said} {found.counterexample or ''}":
        return f"{neighbour.because!r} was expected in the program's own words: {said}"
    return None


class Theorems(NamedTuple):
    """The kernel's answers. accepted: claims with only accepted theorems; lines: its other answers; refused: whether it refuses one."""

    accepted: list[str]
    lines: list[str]
    refused: bool


def theorems_of(claims: Iterable[Claim]) -> Theorems:
    """Collect the kernel's answers on the theorems of these claims."""
    asked = [(claim.id, [linked(claim, proof).word for proof in claim.proofs]) for claim in claims]
    accepted = [claim for claim, words in asked if words and all(word.accepted for word in words)]
    others = grouped(((word.accepted is None, word.said), claim) for claim, words in asked for word in words if not word.accepted)
    lines = [
        f"{', '.join(dict.fromkeys(claims))}: {'not compared for every parameter: ' if unasked else ''}{said}"
        for (unasked, said), claims in sorted(others.items(), key=lambda each: each[0][0])
    ]
    return Theorems(accepted, lines, any(not unasked for unasked, _ in others))
