"""Judges of the printed estimate: what it bounds, and what its minimisers do to the true noise."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from constructions.parameter_space_symmetry.mathematics.noise import Rows, printed_estimate, sums, true_noise
from constructions.parameter_space_symmetry.mathematics.signed_permutations import SignedPermutation, signed_permutations
from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import judge
from verifier.judges.expectation_sides import Sides
from verifier.judges.fields import Expectation
from verifier.language.polynomials import Unknown, value
from verifier.running.errors import LimitError

NOISES = {"printed": printed_estimate, "true": true_noise}


@judge
def bound(query: Query, *, printed: str, true: str, signs: str = "1, -1") -> Outcome:
    """On which side of the true noise the printed expression lies, at weights of small integers, rq = rk = 1.

    printed, true: formulas in the entries of Q and K, and in rq, rk; signs: those that the entries' values 0, 1, 2 are given.
    """
    sides = Sides(query.claim, Expectation(printed, true), query.names)
    one, other = sides.at({})
    entries = [u for u in sides.ring.unknowns if u in sides.ring.asked and u.place is not None]
    ends = {Unknown(name): Fraction(1) for name in ("rq", "rk")}
    values = sorted({rational(sign.strip()) * k for sign in signs.split(",") for k in (0, 1, 2)}, key=lambda x: (abs(x), -x))
    query.within(len(values) ** len(entries))
    found: dict[str, str] = {}
    cases = 0
    for chosen in product(values, repeat=len(entries)):
        at = ends | dict(zip(entries, chosen, strict=True))
        left, right = value(sides.ring, one, at), value(sides.ring, other, at)
        cases += 1
        if left != right:
            shown = ", ".join(f"{u} = {x}" for u, x in zip(entries, chosen, strict=True) if x)
            found.setdefault("above" if left > right else "below", f"{left} for {right} at {shown or 'weights 0'}")
    said = {frozenset(): "equal", frozenset({"above"}): "never below", frozenset({"below"}): "never above"}
    witness = "; ".join([said.get(frozenset(found), "neither"), *(f"{side}: {text}" for side, text in sorted(found.items()))])
    scope = Scope(f"weights in ({', '.join(map(str, values))}), rq = rk = 1, {query.at}", cases, "enumeration")
    return Outcome(Verdict.VERIFIED, scope, witness=witness)


@judge
def minimiser(query: Query, *, objective: Literal["printed", "true"], entries: int = 1) -> Cases:
    """Whether every minimiser of the objective has at most the noise of the weights as they are.

    objective: what is minimised over the signed permutations; entries: the largest magnitude of a weight.
    """
    noise, bits = NOISES[objective], query["b"]
    yield Over(f"weights up to {entries} in magnitude, every signed permutation,")
    for q, k in pairs(query["n"], query["m"], entries):
        before = true_noise(sums(q), sums(k), bits)
        tried = [(g, sums(g(q)), sums(g(k))) for g in signed_permutations(query["m"])]
        least = min(noise(a, b, bits) for _, a, b in tried)
        for g, a, b in tried:
            if noise(a, b, bits) == least and true_noise(a, b, bits) > before:
                yield {"W_q": shown(q), "W_k": shown(k), "g": str(g), "W_q g": shown(g(q)), "W_k g": shown(g(k))} | {
                    "objective": f"{noise(sums(q), sums(k), bits)} to {least}",
                    "noise": f"{before} to {true_noise(a, b, bits)}",
                }
        yield True


@judge
def alike(query: Query, *, objective: Literal["printed", "true"], entries: int = 1) -> Cases:
    """Whether the two components of O(m) have the same values of the objective: each g and the g with its first two columns exchanged.

    entries: the largest magnitude of a weight.
    """
    noise, bits, m = NOISES[objective], query["b"], query["m"]
    yield Over(f"weights up to {entries} in magnitude, every signed permutation,")
    for q, k in pairs(query["n"], m, entries):
        for g in signed_permutations(m):
            other = SignedPermutation((*g.order[:2][::-1], *g.order[2:]), (*g.signs[:2][::-1], *g.signs[2:]))
            other = other if m > 1 else SignedPermutation(g.order, (-g.signs[0],))
            assert other.determinant == -g.determinant
            values = [noise(sums(h(q)), sums(h(k)), bits) for h in (g, other)]
            yield (values[0] == values[1] or {"W_q": shown(q), "W_k": shown(k), "g": str(g), "other": str(other)} | {"values": values})
    return "nothing"


MOST_ENTRIES = 1000


def pairs(n: int, m: int, most: int, keys: bool = True) -> Iterator[tuple[Rows, Rows]]:
    """Pairs of n × m matrices of integers, those with the smallest greatest magnitude first; each with the entry 1 before −1.

    keys: whether the second matrix has rows as well.

    Raises:
        LimitError: more than :data:`MOST_ENTRIES` entries.
    """
    if 2 * n * m > MOST_ENTRIES:
        raise LimitError(f"{2 * n * m:,} entries, matrices of at most {MOST_ENTRIES:,} are gone through", "smaller --n and --m")
    for size in range(1, most + 1):
        values = sorted(range(-size, size + 1), key=lambda x: (abs(x), -x))
        for entries in product(map(Fraction, values), repeat=(1 + keys) * n * m):
            if max(map(abs, entries)) == size:
                rows = [list(entries[r * m : (r + 1) * m]) for r in range((1 + keys) * n)]
                yield rows[:n], rows[n:]


def shown(matrix: Rows) -> str:
    """A matrix in a line, its rows with semicolons between."""
    return "; ".join(" ".join(map(str, row)) for row in matrix)
