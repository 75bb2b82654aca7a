"""Judging a condition on the strings themselves: every pair y, z (or every y) of a length that keeps a promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.evaluation import Reader
from verifier.judges.fields import Pairs
from verifier.language import arrays, exact
from verifier.language.definitions import inlined_text
from verifier.language.exact import Bits, Given, Irrational
from verifier.language.integer_arrays import Truths
from verifier.language.strings import Strings
from verifier.language.tree import Node
from verifier.networks.problems import bits_of

TOGETHER = 8
"""Strings are gone through together; so many of them count as one case that is gone through by itself."""


def judge(query: Query, fields: Pairs) -> Outcome:
    """All conditions on every string or pair, y first; the first that fails one is the counterexample."""
    lets, reader = query.claim.lets, Reader(query.claim.functions)
    length = exact.integer(inlined_text(fields.length, lets), query.names, reader.functions)
    if length < 1:
        return declined(f"there are no strings of {length} bits {query.at}")
    both = fields.strings == "y, z"
    query.within((4**length if both else 2**length) // TOGETHER, "pairs" if both else "strings")
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
    scope = Scope(f"all {cases:,} {what} {query.at}: {' and '.join(texts)}", cases, "enumeration")
    failures = int((~holds).sum())
    if not failures:
        return Outcome(Verdict.VERIFIED, scope, failures=0)
    first = {name: int(column[np.argmin(holds)]) for name, column in numbers.items()}
    names: dict[str, Given] = {**query.names, **{name: Bits(x, length) for name, x in first.items()}}
    found = {name: bits_of(x, length) for name, x in first.items()}
    found |= {name: reader.shown(inlined_text(name, lets), names) for name in fields.shows}
    point = {k: str(v) for k, v in query.parameters.items()}
    return Outcome(Verdict.REFUTED, scope, reason=f"fails on {failures:,} of {cases:,}", counterexample=point | found, failures=failures)


def _every(length: int, both: bool) -> dict[str, np.ndarray]:
    """All strings y, or all pairs, as numbers, ascending."""
    every = np.arange(1 << (2 * length if both else length), dtype=np.int64)
    return {"y": every >> length, "z": every & (1 << length) - 1} if both else {"y": every}


def _where(reader: Reader, query: Query, condition: Node, numbers: Mapping[str, np.ndarray], length: int) -> Truths:
    """Where a condition holds: over all strings together, or, where a value is irrational, one by one."""
    names: dict[str, Any] = {**query.names, **{name: Strings.of(column, length) for name, column in numbers.items()}}
    size = len(numbers["y"])
    try:
        return np.broadcast_to(arrays.truth(condition, names, reader.functions), size)
    except Irrational:
        rows = zip(*(column.tolist() for column in numbers.values()), strict=True)
        strings = (dict(zip(numbers, (Bits(x, length) for x in row), strict=True)) for row in rows)
        return np.asarray([reader.truth(condition, {**query.names, **case}) for case in strings])
