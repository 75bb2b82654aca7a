"""A claim of a paper's judge for every value of its parameters: by conditions that it follows from, which symbols prove."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.claims.model import Claim
from verifier.claims.verdicts import SYMBOLIC, Outcome, Scope, Verdict
from verifier.judges.declaring import Reduction
from verifier.language.definitions import inlined_text
from verifier.language.tree import Node
from verifier.running.errors import InputError, LimitError


def reduced(claim: Claim, fixed: Mapping[str, int], reduction: Reduction | None) -> Outcome:
    """Verified where the conditions are proved, else open: that they fail says nothing of the claim, which is asked at its points then."""
    from verifier.proofs.for_all import Disproof, Proof, decide_for_all

    texts = _limits(claim, fixed)
    scope = Scope(f"every {', '.join(texts)}")
    if reduction is None:
        return Outcome(Verdict.OPEN, scope, reason="what it would follow from for every parameter is not known")
    conditions, domain, where = _asked(claim, fixed, reduction)
    try:
        found = decide_for_all(conditions, domain, None, where)
    except (InputError, LimitError) as error:
        return Outcome(Verdict.OPEN, scope, reason=f"not decided by symbols: {error}")
    if isinstance(found, Proof):
        proof = (f"follows from {' and '.join(reduction.conditions)}: {reduction.because}", *found.certificate.split("\n"))
        return Outcome(
            Verdict.VERIFIED,
            Scope(f"every {', '.join(texts)} with {found.domain}", None, SYMBOLIC),
            f"symbolic proof, {found.summary}",
            reason=f"{reduction.because}; exact values agree at the first {found.compared} points",
            proof=proof,
        )
    why = f"fails at {found.point}" if isinstance(found, Disproof) else found.reason
    return Outcome(Verdict.OPEN, scope, reason=f"what it would follow from is not proved: {why}")


def _limits(claim: Claim, fixed: Mapping[str, int]) -> dict[str, str]:
    """The condition of each parameter."""
    return {p.name: f"{p.name} == {fixed[p.name]} and ({p.where})" if p.name in fixed else p.where for p in claim.parameters}


def _asked(claim: Claim, fixed: Mapping[str, int], reduction: Reduction) -> tuple[list[Node], dict[str, Node], Node | None]:
    """The conditions, the condition of each integer that is gone through, and the claim's own restriction."""
    conditions = [inlined_text(text, claim.lets) for text in reduction.conditions]
    domain = {name: inlined_text(text, claim.lets) for name, text in (_limits(claim, fixed) | dict(reduction.over)).items()}
    return conditions, domain, inlined_text(claim.where, claim.lets) if claim.where else None
