"""Fooling sets and one-way communication: Definition A.5, Lemmas A.6 and B.1."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import comb

from msgspec import Struct

from constructions.every_bit_counts.mathematics import fooling_sets
from lowerbounds.communication import on_strings
from lowerbounds.fooling import FoolingSet, check_fooling_set, counted_diagonal
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Trial, decide
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.language.exact import integer
from verifier.networks.problems import Problem
from verifier.running.errors import LimitError

PAIR_BY_PAIR = 1 << 26
"""Fooling sets with more pairs than this are checked by exact counting."""


class Members(Struct, frozen=True, forbid_unknown_fields=True):
    """The members (x, bob) for every string x of m bits, as a fooling set of a function under a promise.

    bob: Bob's string, a formula in x and m; size, bits: what the claim says of its size, and of the bits that it forces.
    """

    promise: str
    bob: str
    function: str = "EQ"
    size: str | None = None
    bits: str | None = None


def fooling_set(query: Query, given: Members) -> Outcome:
    """Whether the members are a fooling set, of the size claimed, that forces at least the bits claimed."""
    m = query["m"]
    found, method = checked(Problem(given.function, given.promise, m), given.bob)
    cases = max(found.pairs, 1)
    what = f"the {found.size:,} pairs (x, {given.bob}) {query.at}: all {cases:,} pairs of members"
    scope = Scope(what, cases, method)
    if found.bad is not None:
        return Outcome(Verdict.REFUTED, scope, reason=str(found.bad), counterexample={"m": str(m), "pair": str(found.bad)})
    for name, claimed, holds in (("size", given.size, int.__eq__), ("bits", given.bits, int.__ge__)):
        of_the_set = int(getattr(found, name))
        if claimed is not None and not holds(of_the_set, integer(claimed, query.names)):
            says = f"{name} {claimed} was claimed, the set has {name} {of_the_set}"
            return Outcome(Verdict.REFUTED, scope, reason=says, counterexample={"m": str(m), "claimed": claimed, "found": str(of_the_set)})
    reason = f"{found.first:,} pairs are separated by f(x, x′), {found.second:,} by f(x′, x) only; at least {found.bits} bits"
    return Outcome(Verdict.VERIFIED, scope, witness=f"fooling set of size {found.size:,}", reason=reason, failures=0)


def checked(problem: Problem, bob: str = "x") -> tuple[FoolingSet, str]:
    """The set of all (x, bob), and by which method: pair by pair, or, where there are too many, by counting.

    Raises:
        LimitError: too many pairs where bob is not x or the promise has conditions on bits.
    """
    size = 1 << problem.length
    if size * (size - 1) // 2 <= PAIR_BY_PAIR:
        return _pair_by_pair(problem, bob), "enumeration"
    if bob != "x" or problem.conditions.parts:
        raise LimitError(f"pairs of {size:,} members, at most {PAIR_BY_PAIR:,} pairs are gone through", "a smaller --m")
    return counted_diagonal(problem), "counting"


@lru_cache(maxsize=64)
def _pair_by_pair(problem: Problem, bob: str) -> FoolingSet:
    """Several claims ask the same."""
    names = {"m": problem.length}
    members = [(x, x if bob == "x" else integer(bob, {**names, "x": Fraction(x)})) for x in range(1 << problem.length)]
    return check_fooling_set(on_strings(problem), members)


class Bound(Struct, frozen=True, forbid_unknown_fields=True):
    """bound: the bits that a fooling set forces, a formula in its ``size``."""

    bound: str


def fooling_bound(query: Query, given: Bound) -> Outcome:
    """No Boolean function on k × k inputs is computed with fewer bits than its largest fooling set forces."""
    k = query["k"]
    query.within(2 ** (k * k) * comb(k * k, k), "sets of members")
    forced = {size: integer(given.bound, {"size": size}) for size in range(1, k + 1)}

    def trial(f: fooling_sets.Matrix) -> Trial:
        size, bits = fooling_sets.largest_fooling_set(f), fooling_sets.fewest_bits(f)
        if forced[size] <= bits:
            return None
        return {"function": " ".join("".join(map(str, row)) for row in f), "fooling set": size, "forced": forced[size], "bits": bits}

    functions = product(product((0, 1), repeat=k), repeat=k)
    return decide(query, f"every Boolean function on {k} × {k} inputs", map(trial, functions))
