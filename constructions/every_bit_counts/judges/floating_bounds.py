"""Appendix C's fooling sets, counts of promised inputs and the communication that they force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from constructions.every_bit_counts.mathematics.promised_strings import diagonal
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import at_point
from verifier.claims.model import Claim, Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Condition, Integer, Reduction, judge
from verifier.judges.editions import table_parameters
from verifier.language import arrays
from verifier.language.definitions import inlined_text
from verifier.language.rational_arrays import Quantity
from verifier.language.strings import Strings
from verifier.language.syntax import printed
from verifier.networks.instantiate import names_at, pair_length
from verifier.networks.problems import Problem, bits_of, promise_at
from verifier.running.errors import LimitError, amount

PAIR_BY_PAIR = 1 << 23
"""Fooling sets with more pairs than this are checked by their members."""
PAIRS_AT_ONCE = 64
"""How many pairs in arrays count as one case."""


def problem_of(query: Query, *, repaired: bool = False) -> Problem:
    """The function and the promise of the claim's table as printed (or repaired), whether the table is well-formed or not.

    Raises:
        LimitError: more strings than ``--limit``.
    """
    assert query.claim.table is not None
    source = query.claim.table.source
    file = source.repaired() if repaired else source.file
    names = names_at(file, table_parameters(query.claim, query.parameters))
    problem = Problem(file.problem.function, promise_at(file.problem.promise, names), pair_length(file, names))
    _listed(query, problem.length)
    return problem


def _listed(query: Query, length: int) -> None:
    """Asks whether all strings of this length may be listed, in arrays.

    Raises:
        LimitError: they are more than ``--limit``.
    """
    if 1 << length > query.limits.states:
        raise LimitError(f"{amount(1 << length)} strings, the limit is {query.limits.states:,}", "--limit")


def strings_with(query: Query, condition: str, length: int) -> list[int]:
    """The strings x of this length that keep the condition, ascending."""
    _listed(query, length)
    asked = inlined_text(condition, query.claim.lets)
    kept = arrays.truth(asked, {**query.names, "x": Strings.every(length)})
    return [int(x) for x in np.flatnonzero(np.broadcast_to(kept, (1 << length,)))]


def fooling_set(query: Query, problem: Problem, members: list[int], what: str, needed: int | None = None) -> Outcome:
    """Whether the pairs (x, x) are a fooling set, and, where ``needed`` is given, whether it forces that many bits.

    Pair by pair; where there are more than :data:`PAIR_BY_PAIR` pairs, member by member, which the order of the strings allows.
    """
    from lowerbounds.fooling import check_fooling_set, ordered_diagonal

    each_pair = len(members) ** 2 // 2 <= min(PAIR_BY_PAIR, query.limits.states)
    found = check_fooling_set(problem, [(x, x) for x in members]) if each_pair else ordered_diagonal(problem, members)
    method = "enumeration" if each_pair else "counting"
    scope = Scope(f"{what}: all {max(found.pairs, 1):,} pairs of {found.size:,} members", max(found.pairs, 1), method)
    if found.bad is not None:
        return Outcome(Verdict.REFUTED, scope, reason=str(found.bad), counterexample={"pair": str(found.bad)})
    if needed is None or found.bits >= needed:
        return Outcome(Verdict.VERIFIED, scope, f"fooling set of size {found.size:,}", reason=f"at least {found.bits} bits", failures=0)
    return Outcome(
        Verdict.REFUTED,
        scope,
        reason=f"Alice has {found.size:,} different y only: naming hers takes {found.bits} bits, {needed} were claimed",
        counterexample={"claimed": str(needed), "found": str(found.bits), "inputs of Alice": str(found.size)},
    )


@judge
def is_fooling_set(query: Query, *, members: str, bits: Integer | None = None) -> Outcome:
    """Whether the set is one under the table's promise, pair by pair (Definition A.5).

    members: the condition on x of its pairs (x, x); bits: what it is said to force.
    """
    problem = problem_of(query)
    return fooling_set(query, problem, strings_with(query, members, problem.length), f"the set {query.at}", bits)


@judge
def counted(query: Query, *, members: str, holds: Condition | list[Condition]) -> Outcome:
    """The members are counted one by one, and the conditions on their number are asked.

    holds: what is said of the number ``size`` of the strings x with ``members``.
    """
    size = len(strings_with(query, members, problem_of(query).length))
    conditions = holds if isinstance(holds, list) else [holds]
    wrong = [condition for condition in conditions if not condition(size=size)]
    scope = Scope(f"the {size:,} members {query.at}: {' and '.join(map(str, conditions))}", len(conditions), "counting")
    if not wrong:
        return Outcome(Verdict.VERIFIED, scope)
    point = at_point(query)
    reason = f"there are {size:,} members; {wrong[0]} was claimed"
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample={**point, "size": str(size), "claimed": wrong[0].text})


@judge
def two_members(query: Query, *, members: str, holds: str) -> Outcome:
    """The condition on every two members, the smaller one first; of the pairs that fail the smallest is the counterexample.

    holds: what is said of any two strings y < z with ``members``; ``promised`` is 1 where (y, z) keeps the table's promise, else 0.
    """
    problem = problem_of(query)
    listed = np.array(strings_with(query, members, problem.length), dtype=np.int64)
    query.within(len(listed) ** 2 // 2 // PAIRS_AT_ONCE, "pairs of members")
    first, second = (listed[k] for k in np.triu_indices(len(listed), 1))
    if not first.size:
        return declined(f"there are no two members {query.at}")
    known: dict[str, Any] = {**query.names, "y": Strings.of(first, problem.length), "z": Strings.of(second, problem.length)}
    promised = Quantity.listed((Fraction(0), Fraction(1))).picked((2,), problem.promises(first, second).astype(np.int64))
    kept = np.broadcast_to(arrays.truth(inlined_text(holds, query.claim.lets), {**known, "promised": promised}), first.shape)
    scope = Scope(f"all {first.size:,} pairs of {len(listed):,} members {query.at}: {holds}", int(first.size), "enumeration")
    if kept.all():
        return Outcome(Verdict.VERIFIED, scope, failures=0)
    k, failures = int(kept.argmin()), int((~kept).sum())
    pair = {"y": bits_of(int(first[k]), problem.length), "z": bits_of(int(second[k]), problem.length)}
    point = at_point(query)
    reason = f"fails on {failures:,} pairs of members"
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample={**point, **pair}, failures=failures)


def _every_length(claim: Claim, fixed: Mapping[str, int], *, bits: str) -> Reduction | None:
    """For every length: all (x, x) that keep the table's promise, counted by a formula, are more than fewer bits tell apart."""
    assert claim.table is not None
    file = claim.table.source.file
    found = diagonal(file.problem.promise, str(file.problem.length))
    if found is None or file.problem.function != "EQ":
        return None
    said = [f"{found.size} > 2**(({bits}) - 1)", *found.apart]
    because = (
        "the pairs (x, x) that keep the promise are a fooling set, since (x, x') keeps it for x < x': each condition is on one string, "
        "and both x and x' meet it"
    )
    derived = {name: str(value) for name, value in file.derived.items()}
    return Reduction(tuple(printed(inlined_text(text, derived)) for text in said), because)


@judge(for_every=_every_length)
def communication(query: Query, *, bits: Integer) -> Outcome:
    """At least so many bits: all (x, x) that keep the promise are the largest fooling set there is, since naming y is a protocol."""
    problem = problem_of(query)
    query.within(1 << problem.length, "strings")
    every = np.arange(1 << problem.length)
    members = np.flatnonzero(problem.promises(every, every)).tolist()
    alone = {int(y) for y in problem.occurring("y")}
    assert alone == set(members), "a promised y without (y, y) would need an argument of its own"
    found = fooling_set(query, problem, members, f"at least {bits} bits {query.at}, {problem.promise}", bits)
    return replace(found, speaks_of={"promise": problem.promise})
