"""The rules by which outcomes become verdicts: editions, composition, assumptions, support by steps, slips, the meant domain.

Every rule is a function of records, without a cache and without a judge; its inputs arrive as an iterable, so that a caller judges only
what a rule reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.parameters import ALL
from verifier.claims.points import Point
from verifier.claims.verdicts import IN_WORDS, KERNEL, SYMBOLIC, Edition, Outcome, Scope, Verdict, declined, worst

Words = tuple[str, ...]
"""The words after ``verify`` that show a counterexample again."""


def alike(claim: Claim, edition: Edition, by_edition: bool) -> tuple[Edition, ...]:
    """The editions that share one outcome: those with the same fields, unless the judge declares that it depends on the edition."""
    if by_edition:
        return (edition,)
    if claim.repaired is None:
        return tuple(Edition)
    return (edition,) if edition is Edition.REPAIRED else (Edition.STATEMENT, Edition.PRINTED)


def outside(point: Point, edition: Edition) -> str | None:
    """Decline a claim outside its domain, and as repaired also outside the domain of the repair."""
    if point.outside:
        return point.outside
    return point.of_edition(edition).outside


def composed(parts: Sequence[tuple[Claim, Outcome]], silent: Sequence[Claim] = ()) -> Outcome:
    """A claim with parts has the worst verdict of the parts that apply here, and is declined if none applies.

    It has the assumptions of all parts; the reason names the parts that decide, and the first of them gives the replay and the block. The
    scope names the parts that are left out.

    silent: the parts that are outside their own domains here.
    """
    if not parts:
        return declined("none of its parts says anything here")
    verdict = worst(outcome.verdict for _, outcome in parts)
    ids = tuple(dict.fromkeys(part.id for part, _ in parts))
    left_out = "".join(f"; {part.name} says nothing here" for part in silent)
    scope = Scope(f"its parts: {', '.join(i.partition('/')[2] for i in ids)}{left_out}")
    common, at_odds = speaking_of_one_thing(parts)
    if at_odds is not None and verdict in (Verdict.VERIFIED, Verdict.CONDITIONAL):
        return Outcome(Verdict.OPEN, scope, reason=at_odds, parts=ids)
    deciding = [(part, outcome) for part, outcome in parts if outcome.verdict is verdict]
    names = ", ".join(dict.fromkeys(part.name for part, _ in deciding))
    assumptions = dict.fromkeys(name for _, outcome in parts for name in outcome.assumptions)
    return Outcome(
        verdict=verdict,
        scope=scope,
        assumptions=tuple(assumptions) if verdict is Verdict.CONDITIONAL else (),
        reason=None if verdict is Verdict.VERIFIED else f"{verdict.value}: {names}",
        replay=deciding[0][1].replay if verdict is Verdict.REFUTED else None,
        parts=ids,
        blocked_by=next((outcome.blocked_by for _, outcome in deciding if outcome.blocked_by), None),
        out_of_reach=any(outcome.out_of_reach for _, outcome in deciding),
        undecided="a claim that it rests on is open" if verdict is Verdict.OPEN else "",
        speaks_of=speaking_of_one_thing(deciding, of_each=True)[0] if verdict is Verdict.REFUTED else common,
    )


def speaking_of_one_thing(parts: Sequence[tuple[Claim, Outcome]], *, of_each: bool = False) -> tuple[dict[str, str], str | None]:
    """The common subject of all parts (a promise, a representation, a format), or a sentence about two parts with different ones.

    of_each: whether a part without a stated subject, which covers all, removes the common one.
    """
    common: dict[str, str] = {}
    of: dict[str, Claim] = {}
    for part, outcome in parts:
        for what, value in outcome.speaks_of.items():
            if common.setdefault(what, value) != value:
                return {}, f"its parts do not share a {what}: that of {of[what].name} is not that of {part.name}"
            of.setdefault(what, part)
    if of_each:
        common = {what: value for what, value in common.items() if all(what in outcome.speaks_of for _, outcome in parts)}
    return common, None


def on_sample(made: Outcome, point: Point, edition: Edition) -> Outcome:
    """A sample of a sentence's cases refutes it and never verifies it: if no case of the sample refutes it, it is open.

    The claim, the judge of its cases, or a parameter that selects one of our cases says that the cases are a sample.
    """
    claim = point.of_edition(edition).claim
    if made.verdict is not Verdict.VERIFIED or _of_the_sentence(made, claim):
        return made
    ours = [p.name for p in claim.parameters if p.family and point.values[p.name] is not ALL]
    sample_of = claim.sample or made.scope.sample_of or (f"every {' and '.join(ours)}" if ours else "")
    if not sample_of:
        return made
    found = "we checked a sample and found no counterexample"
    decides = "a proof for every case, or one counterexample, would decide it"
    return _open(made, f"{found}: the sentence is about {sample_of}", f"{found}; {decides}")


def on_words(made: Outcome, claim: Claim) -> Outcome:
    """Make what rests on an argument in words conditional; no program reads the argument. A kernel's theorem proves the sentence itself."""
    if not claim.words or made.verdict is not Verdict.VERIFIED or made.scope.method == KERNEL:
        return made
    return replace(made, verdict=Verdict.CONDITIONAL, assumptions=(IN_WORDS,))


def of_every_family(point: Point, edition: Edition) -> Point | None:
    """The point with all values of the parameters that select our cases, if the sentence samples nothing else."""
    claim = point.of_edition(edition).claim
    ours = [p.name for p in claim.parameters if p.family and point.values[p.name] is not ALL]
    if not ours or claim.sample or not isinstance(claim.judge, NamedJudge) or claim.judge.every is None:
        return None
    return Point.of(point.claim, {**point.values, **dict.fromkeys(ours, ALL)})


def _of_the_sentence(made: Outcome, claim: Claim) -> bool:
    """Whether the outcome proves the whole sentence and not a list of cases: by a kernel's theorem, or by a proof for every parameter."""
    reduced = made.scope.method == SYMBOLIC and isinstance(claim.judge, NamedJudge) and claim.judge.kind is None
    return reduced or made.scope.method == KERNEL


def on_existence(made: Outcome, claim: Claim, edition: Edition, parts: Sequence[tuple[Claim, Outcome]]) -> Outcome:
    """An existence statement is not refuted by one example that fails: it is open, unless the refutation covers every example.

    parts: of the statement. Parts that are steps of the statement's own proof are about the proof's example.
    """
    if made.verdict is not Verdict.REFUTED or edition is not Edition.STATEMENT or not claim.exists:
        return made
    deciding = [(part, outcome) for part, outcome in parts if outcome.verdict is Verdict.REFUTED]
    if not all(part.id.startswith(f"{claim.id}:") or claim.exists in outcome.speaks_of for part, outcome in deciding):
        return made
    failing, only = f"it fails for the {claim.exists} of the proof", f"the statement claims only that some {claim.exists} works"
    said = f"{only}, and we judged no other"
    decides = f"a {claim.exists} that works, or a proof that none does, would decide it"
    return _open(made, f"{failing} ({made.reason}); {said}", f"{failing}; {said}; {decides}")


def on_assumptions(made: Outcome, decided: Iterable[tuple[str, Point, Outcome]]) -> Outcome:
    """A conditional outcome is open if we refute one of its assumptions, or if a limit prevents a decision on one.

    decided: its assumptions by name, each with the claim that decides it at this point and that claim's outcome.
    """
    if made.verdict is not Verdict.CONDITIONAL:
        return made
    not_established: str | None = None
    for name, support, found in decided:
        if found.verdict is Verdict.REFUTED:
            return _open(made, f"rests on {name}, which {support} refutes")
        if found.out_of_reach and not_established is None:
            not_established = f"rests on {name}, which {support} has to establish and does not: {found.reason}"
    return made if not_established is None else _open(made, not_established)


def _open(made: Outcome, reason: str, undecided: str = "") -> Outcome:
    scope, parts, values = made.scope, made.parts, made.values
    return Outcome(Verdict.OPEN, scope, reason=reason, parts=parts, values=values, undecided=undecided, speaks_of=made.speaks_of)


def rests_on_steps(made: Outcome, point: Point, edition: Edition) -> bool:
    """Whether a claim rests on its argument steps: as printed or as corrected, if its judge neither refutes nor declines it.

    A claim does not rest on them if its witness is checked directly, if it has no judge besides its steps, or if it is asked for all
    parameters.
    """
    claim = point.claim
    argued = claim.judge is not None or bool(claim.parts)
    decided = made.verdict in (Verdict.REFUTED, Verdict.DECLINED)
    return edition is not Edition.STATEMENT and argued and not claim.witness and not point.of_all and not decided


def on_steps(made: Outcome, judged: Iterable[tuple[Point, Outcome, Words]]) -> Outcome:
    """A claim is refuted by the first argument step that is refuted at this point.

    judged: the steps at their points, the outcome of each, and the words that judge it again.
    """
    for step, found, words in judged:
        if found.verdict is Verdict.REFUTED:
            return replace(
                made,
                verdict=Verdict.REFUTED,
                assumptions=(),
                reason=f"its argument fails: {step.claim.name}" + (f": {found.reason}" if found.reason else ""),
                counterexample=found.counterexample,
                failures=None,
                replay=found.replay or words,
                blocked_by=None,
                felled_by=step.claim.id,
                degenerate=found.degenerate,
            )
    return made


def slips(claim: Claim, refuted: Iterable[Claim]) -> int:
    """A refuted step is a slip if the claim holds without it: every aside, and every step beside a witness that is verified."""
    steps = list(refuted)
    witness = claim.table.claim if claim.table else None
    stands = claim.witness and all(step.id != witness for step in steps)
    return sum(1 for step in steps if step.role == "aside" or stands)


def on_meant_domain(made: Outcome, point: Point) -> Outcome:
    """A refutation outside the domain that the authors intend is an edge, and its reason says so."""
    if made.verdict is not Verdict.REFUTED or point.of_all or point.not_meant is None:
        return made
    if made.degenerate == point.not_meant:  # a step said so
        return made
    edge = f"degenerate case: {point.not_meant}"
    return replace(made, reason=f"{made.reason}; {edge}" if made.reason else edge, degenerate=point.not_meant)


def replayed(made: Outcome, words: Words) -> Outcome:
    """Give every refutation a command that shows it again. If it has no replay, the command judges the claim."""
    return made if made.verdict is not Verdict.REFUTED or made.replay is not None else replace(made, replay=words)
