"""Fooling sets and one-way communication: Definition A.5, Lemmas A.6 and B.1.

For total Boolean functions given by their matrix, both are found by trying everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb

from lowerbounds.fooling import FoolingSet, by_order, check_fooling_set
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Claim, Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Formula, Reduction, judge
from verifier.language.exact import integer
from verifier.networks.problems import Problem
from verifier.running.errors import LimitError

PAIR_BY_PAIR = 1 << 26
"""Fooling sets with more pairs than this are checked by the order of two strings."""


def _every_length(claim: Claim, fixed: Mapping[str, int], **fields: str | None) -> Reduction | None:
    """The diagonal of EQ under y <= z for every m: it has 2^m members, and the claims about its size or its bits remain to be shown."""
    if (fields["promise"], fields["bob"]) != ("y <= z", "x"):
        return None
    said = [f"({fields['size']}) == 2**m"] if fields["size"] else []
    said += [f"({fields['bits']}) <= m"] if fields["bits"] else []
    because = "EQ is 1 on the 2^m pairs (x, x); for x < x' the pair (x, x') keeps y <= z, and EQ is 0 on it"
    return Reduction(tuple(said), because)


@judge(for_every=_every_length)
def fooling_set(query: Query, *, promise: str, bob: str, size: Formula | None = None, bits: Formula | None = None) -> Outcome:
    """Whether the members (x, bob), for every string x of m bits, are a fooling set of EQ under a promise.

    bob: Bob's string, a formula in x and m; size, bits: the claimed size, and the claimed bits that it forces.
    """
    m = query["m"]
    found, method = checked(Problem("EQ", promise, m), bob)
    cases = max(found.pairs, 1)
    what = f"the {found.size:,} pairs (x, {bob}) {query.at}: all {cases:,} pairs of members"
    scope = Scope(what, cases, method)
    if found.bad is not None:
        return Outcome(Verdict.REFUTED, scope, reason=str(found.bad), counterexample={"m": str(m), "pair": str(found.bad)})
    for name, claimed, holds in (("size", size, int.__eq__), ("bits", bits, int.__ge__)):
        of_the_set = int(getattr(found, name))
        if claimed is not None and not holds(of_the_set, claimed.integer()):
            says = f"{name} {claimed} was claimed, the set has {name} {of_the_set}"
            shown = {"m": str(m), "claimed": claimed.text, "found": str(of_the_set)}
            return Outcome(Verdict.REFUTED, scope, reason=says, counterexample=shown)
    reason = f"{found.first:,} pairs are separated by f(x, x′), {found.second:,} by f(x′, x) only; at least {found.bits} bits"
    return Outcome(Verdict.VERIFIED, scope, witness=f"fooling set of size {found.size:,}", reason=reason, failures=0)


def checked(problem: Problem, bob: str = "x") -> tuple[FoolingSet, str]:
    """The set of all (x, bob), and the method: pair by pair, or, for too many pairs, by the order of two strings.

    Raises:
        LimitError: too many pairs where bob is not x or the promise has conditions on bits.
    """
    size = 1 << problem.length
    if size * (size - 1) // 2 <= PAIR_BY_PAIR:
        return _pair_by_pair(problem, bob), "enumeration"
    if bob != "x" or problem.conditions.parts:
        raise LimitError(f"{size:,} members have too many pairs; the limit is {PAIR_BY_PAIR:,} pairs", "a smaller --m")
    return by_order(problem), "counting"


@lru_cache(maxsize=64)
def _pair_by_pair(problem: Problem, bob: str) -> FoolingSet:
    """The result is cached, because several claims need it."""
    names = {"m": problem.length}
    members = [(x, x if bob == "x" else integer(bob, {**names, "x": Fraction(x)})) for x in range(1 << problem.length)]
    return check_fooling_set(problem, members)


def _every_function(claim: Claim, fixed: Mapping[str, int], **fields: str) -> Reduction:
    """Lemma A.6 for any number of inputs: with fewer bits, the messages are fewer than the members of a fooling set."""
    because = (
        "two members that share a message, (x, y) and (x', y'), have f(x, y') = f(x', y') and f(x', y) = f(x, y), the members' value: "
        "so each member has a message of its own, and c bits give 2^c of them"
    )
    return Reduction((f"2**(({fields['bound']}) - 1) < size",), because, {"size": "1 <= size <= k"})


@judge(for_every=_every_function)
def fooling_bound(query: Query, *, bound: Formula) -> Cases:
    """No Boolean function on k × k inputs is computed with fewer bits than its largest fooling set forces.

    bound: the bits that a fooling set forces, in its ``size``.
    """
    k = query["k"]
    query.within(2 ** (k * k) * comb(k * k, k), "sets of members")
    forced = {size: bound.integer(size=size) for size in range(1, k + 1)}
    yield Over(f"every Boolean function on {k} × {k} inputs")
    for f in product(product((0, 1), repeat=k), repeat=k):
        size, bits = largest_fooling_set(f), fewest_bits(f)
        shown = {"function": " ".join("".join(map(str, row)) for row in f), "fooling set": size, "forced": forced[size], "bits": bits}
        yield forced[size] <= bits or shown


Matrix = tuple[tuple[int, ...], ...]
"""f(x, y): Alice's inputs x down, Bob's y across."""


def largest_fooling_set(f: Matrix) -> int:
    """The size of the largest fooling set, a clique among the cells.

    A set {(x_i, y_i)} of one value v is fooling if for all i ≠ j f(x_i, y_j) ≠ v or f(x_j, y_i) ≠ v.
    """
    import networkx as nx

    together, cells = nx.Graph(), product(range(len(f)), range(len(f[0])))
    for one, other in combinations_with_replacement(cells, 2):
        (a, b), (c, d) = one, other
        if one == other or (f[a][b] == f[c][d] and {f[a][d], f[c][b]} != {f[a][b]}):
            together.add_edge(one, other)
    return max(map(len, nx.find_cliques(together)))


def fewest_bits(f: Matrix) -> int:
    """The one-way complexity ⌈log₂ r⌉, r the number of different rows: Alice's inputs may share a message if their rows agree."""
    return (len(set(f)) - 1).bit_length()
