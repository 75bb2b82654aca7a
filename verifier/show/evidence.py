"""What each numbered statement of a paper rests on: for which parameters it is decided, and by what.

A kernel's theorem, a proof by symbols and a counterexample that the authors mean decide a statement for all its parameters. A statement
that is verified at some parameters and decided no further rests on finite checks only, and the table says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from verifier.claims.for_all import as_meant, is_formula
from verifier.claims.judge_names import NamedJudge
from verifier.claims.kernel_proofs import linked
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper, find_claim
from verifier.claims.parameters import ALL
from verifier.claims.rules import arguments
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.gate.run import Run
from verifier.running.errors import InputError, LimitError
from verifier.show.verdict_words import of_edition, points_text, standing

Rests = Literal["kernel", "symbols", "counterexample", "as it stands", "finite checks", "undecided"]
MEANINGS: dict[Rests, str] = {
    "kernel": "a theorem that Coq's kernel accepts, for every parameter from some on",
    "symbols": "a proof by symbols, for every parameter that is meant",
    "counterexample": "false for parameters that the authors mean, shown by a counterexample",
    "as it stands": "it has no parameters, and is decided",
    "finite checks": "verified at the parameters named, and no further",
    "undecided": "nothing decides it",
}
SECTIONS = ("section",)
"""Kinds of statements that are not numbered by their paper."""


@dataclass(frozen=True)
class Evidence:
    """A statement, what it rests on, its evidence in words, and why there is no more of it."""

    claim: Claim
    rests: Rests
    evidence: tuple[str, ...]
    why: str = ""


def evidence(paper: Paper, run: Run) -> Iterator[Evidence]:
    """The evidence for every numbered statement, in the paper's order."""
    session = Session()
    for claim in paper.statements():
        if not claim.name.startswith(SECTIONS):
            yield _of(claim, run, session)


def _of(claim: Claim, run: Run, session: Session) -> Evidence:
    results = of_edition(run.results[claim.id], Edition.STATEMENT)
    theorems = tuple(dict.fromkeys(_theorems(claim)))
    checked = standing(claim, results, methods=True)
    if theorems:
        return Evidence(claim, "kernel", (*theorems, f"at the parameters run: {checked}"))
    if by_symbols(claim, session):
        return Evidence(claim, "symbols", ("for every parameter, by symbols",))
    if meant_by_symbols(claim):
        domain = " and ".join(p.meant for p in claim.parameters if p.meant)
        return Evidence(claim, "symbols", (f"for every parameter that is meant ({domain}), by symbols", checked))
    meant = [r for r in results if r.verdict is Verdict.REFUTED and not claim.not_meant(r.parameters)]
    if meant:
        return Evidence(claim, "counterexample", (checked,))
    verified = [r for r in results if r.verdict is Verdict.VERIFIED]
    if verified and not claim.parameters:
        return Evidence(claim, "as it stands", (checked,))
    if verified:
        return Evidence(claim, "finite checks", (checked,), _why(claim, verified))
    return Evidence(claim, "undecided", (checked,), _reason(results))


def _theorems(claim: Claim) -> Iterator[str]:
    """The theorems that a statement, its parts and our results beside it name, where the kernel accepts them."""
    for each in (claim, *map(find_claim, (part.claim for part in claim.parts)), *(step for step in claim.steps if step.ours)):
        for proof in each.proofs:
            found = linked(each, proof)
            if found.word.accepted:
                says = "false" if proof.refutes else "true"
                under = f" under {', '.join(found.theorem.readings)}" if found.theorem.readings else ""
                of = "" if each is claim else f"{each.name}: "
                yield f"{of}{says} for {found.sentence}{under}"


def by_symbols(claim: Claim, session: Session) -> bool:
    """Whether a statement, or each argument step that it is made of, is proved for all parameters by what it says."""
    if claim.parts:
        return all(by_symbols(find_claim(part.claim), session) for part in claim.parts)
    if claim.judge is None:
        steps = list(arguments(claim))
        return bool(steps) and all(step.judge is not None and by_symbols(step, session) for step in steps)
    if not is_formula(claim) or not claim.parameters:
        return False
    try:
        everywhere = dict.fromkeys((p.name for p in claim.parameters), ALL)
        found, _ = session.outcome(claim, Edition.STATEMENT, everywhere, DEFAULT_SEMANTICS)
    except (InputError, LimitError):
        return False
    return found.verdict is Verdict.VERIFIED


def meant_by_symbols(claim: Claim) -> bool:
    """Whether a statement whose authors mean less than its domain is proved on all that they mean."""
    if not is_formula(claim) or all(p.meant is None for p in claim.parameters):
        return False
    assert isinstance(claim.judge, NamedJudge)
    assert claim.judge.every is not None
    try:
        return claim.judge.every(as_meant(claim), {}).verdict is Verdict.VERIFIED
    except (InputError, LimitError):
        return False


def _why(claim: Claim, verified: Sequence[Result]) -> str:
    """Why there is no more than finite checks: what decides it goes through cases."""
    methods = list(dict.fromkeys(r.outcome.scope.method or "its parts" for r in verified))
    names = ", ".join(p.name for p in claim.parameters)
    return f"{' and '.join(methods[:3])} at {points_text(claim, verified)}; no theorem, invariant or formula holds it for every {names}"


def _reason(results: Sequence[Result]) -> str:
    return next((r.outcome.reason for r in results if r.outcome.reason), "no evidence")


def counts(listed: Sequence[Evidence]) -> list[tuple[Rests, int]]:
    """How many statements rest on what, the strongest first."""
    return [(rests, sum(each.rests == rests for each in listed)) for rests in MEANINGS]
