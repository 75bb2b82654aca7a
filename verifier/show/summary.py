"""How a paper stands, in five sentences."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.findings import MEANING, SERIOUS
from verifier.errata.listings import Listing
from verifier.gate.run import MAIN, Run
from verifier.show.verdict_words import of_edition, refuted_claims, titled, worst_in


def main_statements(paper: Paper) -> list[Claim]:
    """The theorems and corollaries."""
    return [claim for claim in paper.statements() if claim.name.partition("-")[0] in MAIN]


def summary(paper: Paper, run: Run, listed: Sequence[Listing]) -> list[str]:
    """Five sentences: what was judged, how the theorems stand, what is wrong, what the errata make of it, what is left open."""
    steps = sum(1 for claim in paper if claim.role is not None and not claim.ours)
    claims = {claim.id: claim for claim in paper}
    refuted = [c for c in refuted_claims(run.results) if not claims[c].ours]
    mended = [c for c in refuted if all(r.verdict is not Verdict.REFUTED for r in of_edition(run.results[c], Edition.REPAIRED))]
    counts = {kind: sum(1 for o in listed if o.finding.kind == kind) for kind in MEANING}
    first = [o.finding.entry.title for o in listed if o.finding.kind in SERIOUS][:2]
    serious = ", ".join(f"{counts[k]} {k}" for k in SERIOUS if counts[k])
    lesser = ", ".join(_many(counts[k], k) for k in MEANING if k not in SERIOUS and counts[k])
    open_ = sum(1 for c in paper if worst_in(run.results[c.id], Edition.STATEMENT) is Verdict.OPEN)
    left = [c for c in refuted if c not in mended]
    return [
        f"We judged {_many(len(paper.order), 'statement')} and {_many(steps, 'sentence')} of their proofs, exactly, at the parameters "
        "named below.",
        _standing(paper, run),
        (f"{_many(sum(counts[k] for k in SERIOUS), 'serious finding')} ({serious})" if serious else "No serious finding")
        + (f"; first: {'; '.join(first)}." if first else "."),
        f"{_many(len(refuted), 'claim')} fail{'s' if len(refuted) == 1 else ''} as printed, and with our errata, on the domain that they "
        f"state, {len(mended)} of them no longer do" + (f" (all but {_names([claims[c] for c in left][:3])})." if left else "."),
        f"The rest is small ({lesser or 'nothing'}), and {_many(open_, 'claim') if open_ else 'nothing'} is left open."
        if open_ < 2
        else f"The rest is small ({lesser or 'nothing'}), and {open_} claims are left open.",
    ]


def _standing(paper: Paper, run: Run) -> str:
    """How many theorems are false, undecided and not established, by name; where a paper has none, how many statements are."""
    main = main_statements(paper)
    asked = main or list(paper.statements())
    false = [c for c in asked if worst_in(run.results[c.id], Edition.STATEMENT) is Verdict.REFUTED]
    undecided = [c for c in asked if worst_in(run.results[c.id], Edition.STATEMENT) in (Verdict.OPEN, Verdict.CONDITIONAL)]
    printed = [c for c in asked if worst_in(run.results[c.id], Edition.PRINTED) is Verdict.REFUTED]

    def named(claims: list[Claim]) -> str:
        text = (_names(claims) if main else str(len(claims))) if claims else "none"
        return f"{text} {'is' if len(claims) < 2 else 'are'}"

    whole = _many(len(main), "theorem and corollary", "theorems and corollaries") if main else _many(len(asked), "statement")
    return (
        f"Of {whole}, {named(false)} false somewhere in what is stated, {named(undecided)} undecided, and {named(printed)} not "
        "established by what is printed."
    )


def _many(count: int, one: str, more: str | None = None) -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"


def _names(claims: Sequence[Claim]) -> str:
    """``Theorems 2.1, 2.4``, by kind."""
    kinds: dict[str, list[str]] = {}
    for claim in claims:
        kind, _, number = titled(claim.name).partition(" ")
        kinds.setdefault(kind, []).append(number)
    plural = {kind: kind if len(n) == 1 else "Corollaries" if kind == "Corollary" else f"{kind}s" for kind, n in kinds.items()}
    return ", ".join(f"{plural[kind]} {', '.join(numbers)}" for kind, numbers in kinds.items())
