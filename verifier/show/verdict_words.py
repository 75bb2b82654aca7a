"""How a claim stands: in a few words, ``false p=1,3..8; true p=2 (enumeration)``, and as a sign.

The literal verdict stands in every table of verdicts. A sign is what a reader sees at a glance, and there only the serious classes count: a
failure that only misprints explain does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition, Outcome, Result, Verdict, worst
from verifier.errata.listings import Listing, slighter
from verifier.gate.point_sets import boxes_as_text
from verifier.gate.rows import shown_points

TRUE = {Verdict.VERIFIED: "true", Verdict.REFUTED: "false", Verdict.CONDITIONAL: "conditional", Verdict.OPEN: "open"}
HOLDS = {Verdict.VERIFIED: "holds", Verdict.REFUTED: "fails", Verdict.CONDITIONAL: "conditional", Verdict.OPEN: "open"}
MARK = {Verdict.VERIFIED: "✓", Verdict.REFUTED: "✗", Verdict.CONDITIONAL: "~", Verdict.OPEN: "?", Verdict.DECLINED: "–"}
OUTSIDE, BLOCKED, DECLINED = "outside its domain", "blocked", "declined"
LONGEST_METHOD = 24
_KINDS = "theorem|lemma|corollary|proposition|definition|example|equation|table|condition|section|fact|claim|assumption"
NAME = re.compile(rf"(?<![\w/.:-])(?:{_KINDS})-(?:(?:[a-z]\.?)?\d[\d.]*(?<!\.)|[a-z])(?::[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)?(?![\w-])")
"""The name of a claim of a paper in a sentence: ``lemma-2.6``, ``definition-e.1:kernel``."""
BETWEEN = re.compile(rf"(?<=[a-z0-9]),(?= {NAME.pattern})")
"""A comma before a name: a step's title has one itself."""
OF_PARTS = re.compile(rf"(refuted|open): ({NAME.pattern}(?:, {NAME.pattern})*)")


def of_edition(results: Sequence[Result], edition: Edition) -> list[Result]:
    """The results of one edition, in their order."""
    return [r for r in results if r.edition is edition]


def word(claim: Claim, result: Result) -> str:
    """The word for one result: of a statement whether it is true, of what is printed or repaired whether it holds."""
    if result.verdict is Verdict.DECLINED:
        return BLOCKED if result.outcome.blocked_by else OUTSIDE if claim.outside(result.parameters) else DECLINED
    found = (TRUE if result.edition is Edition.STATEMENT else HOLDS)[result.verdict]
    return f"{found} on {', '.join(result.outcome.assumptions)}" if result.outcome.assumptions else found


@dataclass(frozen=True)
class Group:
    """The results of one edition that share a word.

    word: ``true``, ``fails``, ``conditional on exact-entries``; points: their parameters, product by product, such as ``p=1,3..8``, none
    for a claim without parameters; methods: how what is verified was decided.
    """

    word: str
    points: tuple[str, ...]
    methods: tuple[str, ...] = ()

    def __str__(self) -> str:
        """``false p=1,3..8``, ``true p=2 (enumeration)``."""
        at = "; ".join(self.points)
        return self.word + (f" {at}" if at else "") + self._how

    @property
    def at(self) -> tuple[str, ...]:
        """The parameters as a sentence has them, a text for each product: ``p = 1, 3..8 (enumeration)``."""
        texts = tuple(map(spoken, self.points))
        return (*texts[:-1], texts[-1] + self._how) if texts else ()

    @property
    def answer(self) -> str:
        """The word, the same for what is true and what holds, and for what is false and what fails."""
        return {"holds": TRUE[Verdict.VERIFIED], "fails": TRUE[Verdict.REFUTED]}.get(self.word, self.word)

    @property
    def _how(self) -> str:
        return f" ({', '.join(self.methods)})" if self.methods else ""


def groups(claim: Claim, results: Sequence[Result], methods: bool = False) -> list[Group]:
    """The results of one edition by their words; those outside the domain only where there are no others.

    methods: whether to say how what is verified was decided.
    """
    by_word: dict[str, list[Result]] = {}
    for result in results:
        by_word.setdefault(word(claim, result), []).append(result)
    if len(by_word) > 1:
        by_word.pop(OUTSIDE, None)
    return [Group(text, points_texts(claim, listed, results), _methods(listed) if methods else ()) for text, listed in by_word.items()]


def standing(claim: Claim, results: Sequence[Result], methods: bool = False) -> str:
    """The groups of results of one edition, in a line."""
    return "; ".join(map(str, groups(claim, results, methods))) or "not judged"


def _methods(results: Sequence[Result]) -> tuple[str, ...]:
    """The first two methods with short names of what is verified."""
    how = dict.fromkeys(r.outcome.scope.method for r in results if r.verdict is Verdict.VERIFIED)
    return tuple(m.replace("-", " ") for m in how if m and len(m) <= LONGEST_METHOD)[:2]


def points_texts(claim: Claim, results: Sequence[Result], among: Sequence[Result] = ()) -> tuple[str, ...]:
    """``p=1,3..8``, a text for each product of values; none for a claim without parameters.

    among: the results that these are some of. A parameter that has its default at all of them is left out.
    """
    points, every = ([tuple((k, str(v)) for k, v in r.parameters.items()) for r in listed] for listed in (results, among or results))
    return boxes_as_text(shown_points(claim, points, every))


def points_text(claim: Claim, results: Sequence[Result], among: Sequence[Result] = ()) -> str:
    """``p=1,3..8``; empty for a claim without parameters. among: as for :func:`points_texts`."""
    return "; ".join(points_texts(claim, results, among))


def spoken(points: str) -> str:
    """``p = 3..8`` for ``p=3..8``, ``t = 3..4, e = 2..4`` for ``t=3..4 e=2..4``."""
    return re.sub(r"(?<=\d) (?=\w+ = )", ", ", re.sub(r"(\w)=", r"\1 = ", points)).replace(",", ", ").replace(",  ", ", ")


def worst_of(results: Sequence[Result]) -> Verdict:
    """The worst verdict; declined points count only where there are no others."""
    said = [r.verdict for r in results if r.verdict is not Verdict.DECLINED]
    return worst(said) if said else Verdict.DECLINED


def last_said(results: Sequence[Result]) -> Verdict:
    """The verdict at the last point, that of the largest parameters, of those inside the domain."""
    said = [r.verdict for r in results if r.verdict is not Verdict.DECLINED]
    return said[-1] if said else Verdict.DECLINED


def titled(name: str) -> str:
    """``Lemma 2.6`` for lemma-2.6, ``Theorem C.1`` for theorem-c.1; of a step ``Lemma 2.6, numerator step 9``."""
    statement, _, step = name.partition(":")
    kind, _, number = statement.partition("-")
    return f"{kind.capitalize()} {number[:1].upper()}{number[1:]}{f', {step}'.replace('-', ' ') if step else ''}"


def spelled(text: str) -> str:
    """A sentence of a judge for a reader: ``Lemma 2.6 fails`` for ``refuted: lemma-2.6``, and claims by their titles."""
    if (found := OF_PARTS.match(text)) and text[found.end() : found.end() + 1] in ("", ";"):
        names = [titled(name) for name in found[2].split(", ")]
        verb = {"refuted": ("fails", "fail"), "open": ("is open", "are open")}[found[1]][len(names) > 1]
        return f"{' and '.join(filter(None, ['; '.join(names[:-1]), names[-1]]))} {verb}{spelled(text[found.end() :])}"
    return NAME.sub(lambda found: titled(found[0]), BETWEEN.sub(";", text))


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
