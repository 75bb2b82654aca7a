"""Write the names of claims for readers: ``Lemma 2.6`` for lemma-2.6, also inside the sentence of a judge."""

from __future__ import annotations

import re

from verifier.claims.verdicts import Verdict

MARK = {Verdict.VERIFIED: "✓", Verdict.REFUTED: "✗", Verdict.CONDITIONAL: "~", Verdict.OPEN: "?", Verdict.DECLINED: "–"}
_KINDS = "theorem|lemma|corollary|proposition|definition|example|equation|table|condition|section|fact|claim|assumption"
NAME = re.compile(rf"(?<![\w/.:-])(?:{_KINDS})-(?:(?:[a-z]\.?)?\d[\d.]*(?<!\.)|[a-z])(?::[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)?(?![\w-])")
"""The name of a claim of a paper in a sentence: ``lemma-2.6``, ``definition-e.1:kernel``."""
BETWEEN = re.compile(rf"(?<=[a-z0-9]),(?= {NAME.pattern})")
"""A comma before a name. It becomes a semicolon, because the title of a step also has a comma."""
OF_PARTS = re.compile(rf"(refuted|open|declined): ({NAME.pattern}(?:, {NAME.pattern})*)")


def titled(name: str) -> str:
    """``Lemma 2.6`` for lemma-2.6, ``Theorem C.1`` for theorem-c.1; of a step ``Lemma 2.5, step two-numbers``, or ``Table 6``."""
    statement, _, step = name.partition(":")
    if NAME.fullmatch(step):
        return titled(step)
    kind, _, number = statement.partition("-")
    return f"{kind.capitalize()} {number[:1].upper()}{number[1:]}{f', step {step}' if step else ''}"


def spelled(text: str) -> str:
    """Rewrite a sentence of a judge for readers: ``Lemma 2.6 fails`` for ``refuted: lemma-2.6``."""
    if (found := OF_PARTS.match(text)) and text[found.end() : found.end() + 1] in ("", ";"):
        names = [titled(name) for name in found[2].split(", ")]
        are = "are" if len(names) > 1 else "is"
        verb = {"refuted": "fail" if len(names) > 1 else "fails", "open": f"{are} open", "declined": f"{are} not decided"}[found[1]]
        return f"{' and '.join(filter(None, ['; '.join(names[:-1]), names[-1]]))} {verb}{spelled(text[found.end() :])}"
    return NAME.sub(lambda found: titled(found[0]), BETWEEN.sub(";", text))
