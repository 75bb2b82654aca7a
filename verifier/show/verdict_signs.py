"""The signs of strips, lists and pictures: the verdict of an edition, where a failure that only misprints explain does not count.

The literal verdict stands in every table of verdicts. A sign is what a reader sees at a glance, and there only the serious classes count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition, Outcome, Result, Verdict
from verifier.errata.listings import Listing, slighter
from verifier.show.verdict_words import MARK, Group, groups, of_edition, standing, worst_of

MISPRINTS, SLIP = "misprints", "slip"
LESSER_MARK = {MISPRINTS: "✓*", SLIP: "s"}
LESSER_MEANING = {
    MISPRINTS: "holds, but for misprints or degenerate parameters; refuted if it is read literally",
    SLIP: "this step is wrong, and nothing rests on it",
}


@dataclass(frozen=True)
class Sign:
    """What a page shows of a verdict: its kind (a verdict, or one of :data:`LESSER_MARK`), its mark, and the words behind it."""

    kind: str
    mark: str
    says: str


def sign(claim: Claim, results: Sequence[Result], edition: Edition, listed: Sequence[Listing], repaired: Sequence[Result] = ()) -> Sign:
    """The worst verdict of an edition, and how it stands at each of its points.

    listed: the findings; repaired: the results after corrections, where ``results`` has none.
    """
    found = of_edition(results, edition)
    verdict, says = worst_of(found), standing(claim, found)
    lesser = slighter(claim.id, listed)
    if verdict is not Verdict.REFUTED or edition is Edition.REPAIRED or not lesser:
        return Sign(verdict.value, MARK[verdict], says)
    return _lesser(worst_of(of_edition(results, Edition.REPAIRED) or repaired), lesser, says)


@dataclass(frozen=True)
class Stand:
    """How an edition stands at each of its points. misprints: how many lesser findings alone explain failures, which do not count."""

    groups: tuple[Group, ...]
    misprints: int

    def __str__(self) -> str:
        but = f", but for misprints ({self.misprints})" if self.misprints else ""
        return ("; ".join(map(str, self.groups)) or "not judged") + but

    def agrees(self, other: Stand) -> bool:
        """Whether what is true of one holds of the other, and what is false fails, at the same points."""
        return [(g.answer, g.points, g.methods) for g in self.groups] == [(g.answer, g.points, g.methods) for g in other.groups]


def stands(claim: Claim, results: Sequence[Result], edition: Edition, listed: Sequence[Listing], methods: bool = False) -> Stand:
    """How an edition stands; failures that only lesser findings explain as they are after corrections."""
    found = of_edition(results, edition)
    mended = found if edition is Edition.REPAIRED else but_for_misprints(claim, found, of_edition(results, Edition.REPAIRED), listed)
    return Stand(tuple(groups(claim, mended, methods)), len(slighter(claim.id, listed)) if mended != found else 0)


def but_for_misprints(claim: Claim, results: Sequence[Result], repaired: Sequence[Result], listed: Sequence[Listing]) -> list[Result]:
    """The results, with what corrections make of each failure that only lesser findings explain."""
    if not slighter(claim.id, listed):
        return list(results)
    after = {tuple(r.parameters.items()): r.outcome for r in repaired}
    return [_after(r, after) for r in results]


def _after(result: Result, after: Mapping[tuple[tuple[str, int], ...], Outcome]) -> Result:
    mended = after.get(tuple(result.parameters.items()))
    return replace(result, outcome=mended) if result.verdict is Verdict.REFUTED and mended is not None else result


def signs_by_point(
    claim: Claim, results: Sequence[Result], listed: Sequence[Listing], repaired: Sequence[Result] = ()
) -> Mapping[tuple[Edition, tuple[tuple[str, int], ...]], Sign]:
    """The sign of each failure that only lesser findings explain, by edition and point."""
    lesser = slighter(claim.id, listed)
    after = {tuple(r.parameters.items()): r for r in (of_edition(results, Edition.REPAIRED) or repaired)}
    return {
        (r.edition, at): _lesser(after[at].verdict if at in after else Verdict.REFUTED, lesser, "")
        for r in results
        if lesser and r.verdict is Verdict.REFUTED and r.edition is not Edition.REPAIRED
        for at in (tuple(r.parameters.items()),)
    }


def _lesser(repaired: Verdict, lesser: Sequence[Listing], says: str) -> Sign:
    """A failure after what corrections make of it: one that they do not mend stays a failure."""
    if repaired is not Verdict.VERIFIED:
        return Sign(repaired.value, MARK[repaired], says)
    kind = SLIP if any(o.finding.kind == SLIP for o in lesser) else MISPRINTS
    words = "wrong, and nothing rests on it" if kind == SLIP else f"holds, but for misprints ({len(lesser)})"
    return Sign(kind, LESSER_MARK[kind], f"{words}; literally: {says}" if says else words)
