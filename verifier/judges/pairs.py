"""Judging a condition on the strings themselves: every pair y, z (or every y) of a length that keeps a promise."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.formulas import exact
from verifier.formulas.definitions import inlined
from verifier.formulas.exact import Bits, Given
from verifier.formulas.syntax import parse
from verifier.judges.fields import Pairs
from verifier.judges.formula import Reader
from verifier.problems import bits_of
from verifier.statements.model import Question, declined
from verifier.verdicts import Finding, Scope, Verdict


def judge(question: Question, fields: Pairs) -> Finding:
    """All conditions on every string or pair, y first; the first that fails one is the counterexample."""
    lets, reader = question.claim.lets, Reader(question.claim.functions)
    length = exact.integer(inlined(parse(fields.length), lets), question.names, reader.functions)
    if length < 1:
        return declined(f"there are no strings of {length} bits {question.at}")
    both = fields.strings == "y, z"
    question.within(4**length if both else 2**length, "strings" if not both else "pairs")
    promise = inlined(parse(fields.promise), lets)
    texts = [fields.holds] if isinstance(fields.holds, str) else fields.holds
    conditions = [inlined(parse(text), lets) for text in texts]
    cases = failures = 0
    first: dict[str, str] = {}
    for strings in _strings(length, both):
        names: dict[str, Given] = {**question.names, **strings}
        if not reader.truth(promise, names):
            continue
        cases += 1
        if not all(reader.truth(c, names) for c in conditions):
            failures += 1
            shown = {name: bits_of(s.number, length) for name, s in strings.items()}
            first = first or shown | {name: reader.shown(inlined(parse(name), lets), names) for name in fields.shows}
    what = f"{'pairs' if both else 'strings'} of {length} bits with {fields.promise}"
    if cases == 0:
        return declined(f"there are no {what}")
    scope = Scope(f"all {cases:,} {what} {question.at}: {' and '.join(texts)}", cases, "enumeration")
    if not failures:
        return Finding(Verdict.VERIFIED, scope, failures=0)
    point = {k: str(v) for k, v in question.parameters.items()}
    return Finding(Verdict.REFUTED, scope, reason=f"fails on {failures:,} of {cases:,}", counterexample=point | first, failures=failures)


def _strings(length: int, both: bool) -> Iterator[dict[str, Bits]]:
    for y in range(1 << length):
        if not both:
            yield {"y": Bits(y, length)}
        for z in range(1 << length) if both else ():
            yield {"y": Bits(y, length), "z": Bits(z, length)}
