"""A paper of one claim whose five points have every verdict, an assumption, and what blocks them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from verifier.claims.model import Claim, Query, by_edition, declined
from verifier.claims.papers import Paper
from verifier.claims.parameters import Parameter
from verifier.claims.records import Erratum, plain
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.gate.run import Run, run_claims


@by_edition
def bound(query: Query) -> Outcome:
    """n <= 2 as printed; as repaired n <= 9, from 4 on only if four is small; 5 is outside."""
    n = query["n"]
    if n == 5:
        return declined("the toy ends at 4")
    if n <= 2:
        return Outcome(Verdict.VERIFIED, Scope(f"n = {n}", n))
    if query.edition is not Edition.REPAIRED:
        return Outcome(Verdict.REFUTED, Scope(f"n = {n}"), counterexample={"n": str(n)})
    verdict, assumptions = (Verdict.VERIFIED, ()) if n == 3 else (Verdict.CONDITIONAL, ("four", "small"))
    return Outcome(verdict, Scope(f"n = {n}, repaired", n), assumptions=assumptions)


CLAIM = Claim(
    "toy/lemma-1.2:bound",
    "n is at most the bound",
    "Section 1",
    "n itself",
    (Parameter("n", "a number", "n >= 1", "1..5"), Parameter("t", "twice it, and one", "t >= 1", default="2*n + 1")),
    bound,
    errata=(Erratum(plain("n <= 2"), plain("n <= 9"), "of the misprint"),),
    bounded=False,
)


def paper_of(claim: Claim) -> Paper:
    """A paper of one claim, without files."""
    assumed = dict.fromkeys(("four", "small"), "a toy decides nothing")
    raw = {
        "id": "toy",
        "title": "A toy",
        "authors": "Nobody",
        "assumptions": assumed,
        "section": [{"title": "1", "statements": [claim.name]}],
    }
    return Paper(Path("no-folder"), "toy", raw, {claim.name: claim})


TOY = paper_of(CLAIM)


def blocked(result: Result) -> Result:
    """At n = 5 two editions are blocked."""
    stopped = result.parameters["n"] == 5 and result.edition is not Edition.REPAIRED
    return replace(result, outcome=replace(result.outcome, blocked_by="toy/lemma-1.1")) if stopped else result


def run() -> Run:
    """The claim's results."""
    return Run({CLAIM.id: [blocked(result) for result in run_claims(TOY).every_result]}, {})
