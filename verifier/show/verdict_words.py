"""How a claim stands, in a few words: ``false p=1,3..8; true p=2 (enumeration)``. Pages and the screen of a paper are written with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition, Result, Verdict, worst
from verifier.gate.point_sets import NO_PARAMETERS, as_text
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


def standing(claim: Claim, results: Sequence[Result], methods: bool = False) -> str:
    """The words for results of one edition, each with its parameters; those outside the domain only where there are no others.

    methods: whether to say how what is verified was decided.
    """
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(word(claim, result), []).append(result)
    if len(groups) > 1:
        groups.pop(OUTSIDE, None)
    return "; ".join(_group(claim, text, listed, methods) for text, listed in groups.items()) or "not judged"


def _group(claim: Claim, text: str, results: Sequence[Result], methods: bool) -> str:
    at = points_text(claim, results)
    how = dict.fromkeys(r.outcome.scope.method for r in results if r.verdict is Verdict.VERIFIED)
    named = [m.replace("-", " ") for m in how if m and len(m) <= LONGEST_METHOD] if methods else []
    return text + (f" {at}" if at else "") + (f" ({', '.join(named[:2])})" if named else "")


def points_text(claim: Claim, results: Sequence[Result]) -> str:
    """``p=1,3..8``; empty for a claim without parameters."""
    text = as_text(shown_points(claim, [tuple((k, str(v)) for k, v in r.parameters.items()) for r in results]))
    return "" if text == NO_PARAMETERS else text


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
