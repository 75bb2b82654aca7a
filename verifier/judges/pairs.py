"""Judging a condition on the strings themselves: every pair y, z (or every y) of a length that keeps a promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.evaluation import Reader
from verifier.judges.fields import Pairs
from verifier.judges.strings import Partial, wholes
from verifier.language import arrays, exact
from verifier.language.array_values import WORD_BITS, Strings, Truths
from verifier.language.definitions import inlined_text
from verifier.language.exact import Bits, Given, Irrational
from verifier.language.tree import Node
from verifier.networks.problems import bits_of
from verifier.running.errors import InputError
from verifier.running.limits import strings_of

MOST_FIRST = 8
"""If pairs are too many, they are grouped by up to this many first bits of both strings."""
TOGETHER = 8
"""Strings are judged in arrays. For the limit of work, this many of them count as one case that is judged alone."""


def judge(query: Query, fields: Pairs) -> Outcome:
    """Judge all conditions on every string or pair, y first; the first that fails is the counterexample."""
    lets, reader = query.claim.lets, Reader(query.claim.functions)
    length = exact.integer(inlined_text(fields.length, lets), query.names, reader.functions)
    if length < 1:
        return declined(f"there are no strings of {length} bits {query.at}")
    both = fields.strings == "y, z"
    every = strings_of(2 * length if both else length)
    if both and query.limits.cases * TOGETHER < every and (counted := by_first_bits(reader, query, fields, length)) is not None:
        return counted
    query.within(every // TOGETHER, "pairs" if both else "strings")
    numbers = _every(length, both)
    asked = _where(reader, query, inlined_text(fields.promise, lets), numbers, length)
    numbers = {name: column[asked] for name, column in numbers.items()}
    cases = int(asked.sum())
    what = f"{'pairs' if both else 'strings'} of {length} bits with {fields.promise}"
    if cases == 0:
        return declined(f"there are no {what}")
    texts = [fields.holds] if isinstance(fields.holds, str) else fields.holds
    holds = np.ones(cases, dtype=bool)
    for text in texts:
        holds &= _where(reader, query, inlined_text(text, lets), numbers, length)
    scope = _scope(query, what, texts, cases, "enumeration")
    failures = int((~holds).sum())
    if not failures:
        return Outcome(Verdict.VERIFIED, scope, failures=0)
    first = {name: int(column[np.argmin(holds)]) for name, column in numbers.items()}
    names: dict[str, Given] = {**query.names, **{name: Bits(x, length) for name, x in first.items()}}
    found = {name: bits_of(x, length) for name, x in first.items()}
    found |= {name: reader.shown(inlined_text(name, lets), names) for name in fields.shows}
    return _refuted(query, scope, failures, found)


def by_first_bits(reader: Reader, query: Query, fields: Pairs, length: int) -> Outcome | None:
    """All pairs y <= z by the first few bits of both, if the conditions read no others and nothing else is shown, or else None.

    For first bits a < b, every rest of y goes with every rest of z; for a = b, rests in order; for a > b, none.
    """
    lets = query.claim.lets
    texts = [fields.holds] if isinstance(fields.holds, str) else fields.holds
    trees = [inlined_text(text, lets) for text in texts]
    if fields.promise.replace(" ", "") != "y<=z" or fields.shows or length > WORD_BITS or any(map(wholes, trees)):
        return None
    for width in range(1, min(length - 1, MOST_FIRST) + 1):
        contents = np.array([(a, b) for a in range(1 << width) for b in range(a, 1 << width)], dtype=np.int64).T
        known = {n: Partial(Strings.of(x << length - width, length).numbers, length, 1, width) for n, x in zip("yz", contents, strict=True)}
        try:
            holds = np.all([arrays.truth(tree, {**query.names, **known}, reader.functions) for tree in trees], axis=0)
        except Irrational:
            return None
        except InputError:  # other bits are read
            continue
        rest = 1 << length - width
        of_each = [rest * (rest + 1) // 2 if a == b else rest * rest for a, b in contents.T.tolist()]
        whole = 1 << length
        assert sum(of_each) == whole * (whole + 1) // 2, "pairs were lost or counted twice"
        failures = sum(many for many, held in zip(of_each, np.broadcast_to(holds, len(of_each)).tolist(), strict=True) if not held)
        scope = _scope(
            query, f"pairs of {length} bits with {fields.promise}", texts, sum(of_each), f"enumeration of the first {width} bits"
        )
        if not failures:
            return Outcome(Verdict.VERIFIED, scope, failures=0)
        first = {name: int(x[np.argmin(holds)]) << length - width for name, x in zip("yz", contents, strict=True)}
        return _refuted(query, scope, failures, {name: bits_of(x, length) for name, x in first.items()})
    return None


def _scope(query: Query, what: str, texts: list[str], cases: int, method: str) -> Scope:
    return Scope(f"all {cases:,} {what} {query.at}: {' and '.join(texts)}", cases, method)


def _refuted(query: Query, scope: Scope, failures: int, found: dict[str, str]) -> Outcome:
    point = {k: str(v) for k, v in query.parameters.items()}
    reason = f"fails on {failures:,} of {scope.cases:,}"
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=point | found, failures=failures)


def _every(length: int, both: bool) -> dict[str, np.ndarray]:
    """All strings y, or all pairs, as numbers, ascending."""
    every = np.arange(1 << (2 * length if both else length), dtype=np.int64)
    return {"y": every >> length, "z": every & (1 << length) - 1} if both else {"y": every}


def _where(reader: Reader, query: Query, condition: Node, numbers: Mapping[str, np.ndarray], length: int) -> Truths:
    """The strings or pairs for which a condition holds. They are judged in arrays, or one by one for irrational values."""
    names: dict[str, Any] = {**query.names, **{name: Strings.of(column, length) for name, column in numbers.items()}}
    size = len(numbers["y"])
    try:
        return np.broadcast_to(arrays.truth(condition, names, reader.functions), size)
    except Irrational:
        rows = zip(*(column.tolist() for column in numbers.values()), strict=True)
        strings = (dict(zip(numbers, (Bits(x, length) for x in row), strict=True)) for row in rows)
        return np.asarray([reader.truth(condition, {**query.names, **case}) for case in strings])
