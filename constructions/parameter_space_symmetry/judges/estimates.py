"""Judges of the printed estimate of the noise. They judge the quantity that it bounds, whether its minimisers lower the true noise,
transformations that are not orthogonal, and maps from values to codes.

Judges of the search's domain: O(m) by QR decompositions, and whether a minimum is attained on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Literal

import numpy as np

from constructions.parameter_space_symmetry.mathematics.noise import (
    NOISES,
    Noise,
    Rows,
    enclosed_sums,
    every_turn,
    least_spread,
    rational_turns,
    signed_permutations,
    sums,
    true_noise,
)
from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.finite_cases import Cases, Over, proved, side_by_side
from verifier.claims.model import Claim, Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Formula, Rational, Reduction, judge
from verifier.judges.expectation import Sides
from verifier.judges.fields import Expectation
from verifier.language.definitions import inlined_text
from verifier.language.polynomials import Unknown, value
from verifier.language.printer import printed
from verifier.language.syntax import names_in, quoted
from verifier.language.tree import Call, Name, Node, Numeral, Operation, Ranged, Signed, walk
from verifier.running.errors import LimitError


@judge
def bound(query: Query, *, printed: str, true: str, signs: str = "1, -1") -> Outcome:
    """The side of the true noise on which the printed expression lies, at weights of small integers, rq = rk = 1.

    printed, true: formulas in the entries of Q and K, and in rq, rk; signs: the signs of the entries' values 0, 1, 2.
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
def minimiser(query: Query, *, objective: Literal["printed", "true"]) -> Cases:
    """Whether every minimiser of the objective over O(m) has at most the noise of the original weights, for m of 1 and 2.

    A counterexample has a g' with a smaller objective than every orthogonal g whose noise is at most that of the weights; so no minimiser,
    whichever it is, has so little noise. For m = 1 O(m) is 1 and −1. For m = 2 balls of angles enclose both quantities at every g. Weights
    with a range of 0, which need no quantization, are left out, and so are those for which W g' has one.

    objective: the expression that is minimised.

    Raises:
        LimitError: m is above 2.
    """
    m, bits = query["m"], query["b"]
    if m > 2:
        raise LimitError("the minimisers over O(m) are enclosed for m = 1 and 2", "--m 2 or less")
    quantized = ((q, k) for q, k in pairs(query["n"], m) if sums(q).spread and sums(k).spread)
    if m == 1:
        yield Over("all real weights: -1 keeps squares and ranges, of which the noise is made; compared up to 1,", "algebra")
        for q, k in quantized:
            noises = [true_noise(sums(q @ g), sums(k @ g), bits) for g in signed_permutations(1)]
            yield noises[0] == noises[1] or {"W_q": shown(q), "W_k": shown(k), "noise": noises}
        return
    tried = f"the best of {len(list(rational_turns()))} rotations and reflections against every orthogonal g"
    yield Over(f"weights up to 1 in magnitude, {tried},", "enumeration, balls of angles", sample_of="all real weights")
    for q, k in quantized:
        yield _better_and_noisier(q, k, NOISES[objective], bits) or True


def _better_and_noisier(q: Rows, k: Rows, objective: Noise, bits: int) -> dict[str, str] | None:
    """The rotation or reflection with small fractions that has the least objective, if each g of O(2) with at most the noise of the weights
    certainly has a larger one."""
    before = true_noise(sums(q), sums(k), bits)
    tried = [(turn, sums(q @ turn), sums(k @ turn)) for turn in rational_turns()]
    best, a, b = min(tried, key=lambda each: objective(each[1], each[2], bits))
    least, noise = objective(a, b, bits), true_noise(a, b, bits)
    if noise <= before or 0 in (a.spread, b.spread):
        return None

    def worse(angle: Any, reflected: int) -> bool:
        x, y = enclosed_sums(q, angle, reflected), enclosed_sums(k, angle, reflected)
        return _above(true_noise(x, y, bits), before) or _above(objective(x, y, bits), least)

    if not every_turn(worse):
        return None
    objectives = f"{objective(sums(q), sums(k), bits)} to {least}"
    return {"W_q": shown(q), "W_k": shown(k), "g": shown(best), "objective": objectives, "noise": f"{before} to {noise}"}


def _above(ball: Any, x: Fraction) -> bool:
    """Whether every real of the ball is above x."""
    return bool(ball * x.denominator > x.numerator)


@judge
def alike(query: Query, *, objective: Literal["printed", "true"]) -> Cases:
    """Whether the two components of O(m) have the same values of the objective: each g and the g with its first two columns exchanged."""
    noise, bits, m = NOISES[objective], query["b"], query["m"]
    yield Over("weights up to 1 in magnitude, every signed permutation,")
    for q, k in pairs(query["n"], m):
        for g in signed_permutations(m):
            other = g[:, [1, 0, *range(2, m)]] if m > 1 else -g
            values = [noise(sums(q @ h), sums(k @ h), bits) for h in (g, other)]
            yield values[0] == values[1] or {"W_q": shown(q), "W_k": shown(k), "g": shown(g), "other": shown(other), "values": values}
    return "nothing"


MOST_ENTRIES = 1000


def pairs(n: int, m: int, keys: bool = True) -> Iterator[tuple[Rows, Rows]]:
    """Pairs of n × m matrices of 0, 1 and −1, not all of them 0.

    keys: whether the second matrix also has rows.

    Raises:
        LimitError: more than :data:`MOST_ENTRIES` entries.
    """
    if 2 * n * m > MOST_ENTRIES:
        raise LimitError(f"{2 * n * m:,} entries; the limit is {MOST_ENTRIES:,}", "smaller --n and --m")
    for entries in product(map(Fraction, (0, 1, -1)), repeat=(1 + keys) * n * m):
        if any(entries):
            rows = np.array(entries, dtype=object).reshape(-1, m)
            yield rows[:n], rows[n:]


def shown(matrix: Rows) -> str:
    """A matrix in a line, its rows with semicolons between."""
    return "; ".join(" ".join(map(str, row)) for row in matrix)


Matrix = list[list[Rational]]


@judge
def unattained(query: Query, *, q: list[int], k: list[int], g: list[Matrix], inverse: list[Matrix], noise: Rational) -> Cases:
    """Whether the noise of W_q g(s), W_k g(s)^(−T) is noise·s² for every real s > 0, and so falls to 0 with s, while no invertible g has
    the noise 0.

    W_q g is the same for every s, and W_k g^(−T) is s times a matrix: the noise has the factor s² in each of its three terms. The noise is
    0 only if both ranges are (or all weights): then W_q g = a and W_k g^(−T) = c in every entry, so an entry of the product is m a c. If
    W_q W_kᵀ = 0, a or c is 0, and so are the weights W_q or W_k.

    q, k: a row of weights each, taken n times; g: the matrices of g(s) = g₀ + g₁/s; inverse: those of its inverse h₀ + h₁ s.
    """
    rows, bits = query["n"], query["b"]
    weights_q, weights_k = (np.array([list(map(Fraction, row))] * rows, dtype=object) for row in (q, k))
    product = side_by_side("W_q W_k^T where no noise is to be 0", "0", str(sum(x * y for x, y in zip(q, k, strict=True))))
    if product.verdict is Verdict.REFUTED or not any(q) or not any(k):
        return product
    yield Over("every real s > 0, by the coefficients of 1/s, 1 and s,", "algebra")
    (g0, g1), (h0, h1) = (np.array(each, dtype=object) for each in (g, inverse))
    whole = g0 @ h0 + g1 @ h1
    yield bool((whole == np.eye(len(q), dtype=int)).all()) or {"wrong": "g times its inverse is not 1", "found": shown(whole)}
    for factor, power in ((g1 @ h0, "1/s"), (g0 @ h1, "s")):
        yield not factor.any() or {"wrong": f"g times its inverse has a term in {power}", "found": shown(factor)}
    grows, stays = weights_q @ g1, weights_k @ h0.T
    yield not grows.any() or {"wrong": "W_q g changes with s", "factor of 1/s": shown(grows)}
    yield not stays.any() or {"wrong": "the noise does not fall to 0 with s", "W_k g^-T at s = 0": shown(stays)}
    new_q, new_k = weights_q @ g0, weights_k @ h1.T
    found = true_noise(sums(new_q), sums(new_k), bits)
    yield found == noise > 0 or {"W_q g": shown(new_q), "W_k g^-T / s": shown(new_k), "noise / s^2": found, "claimed": noise}


@judge
def least_range(query: Query) -> Cases:
    """The least range of W g: R² is at least 4 (mean square − square of the largest mean), and the cases of equality."""
    n, m = query["n"], query["m"]
    met: list[str] = []
    yield Over("weights up to 1 in magnitude, every signed permutation,")
    for q, _ in pairs(n, m, keys=False):
        least = least_spread(sums(q), (q.sum(0) ** 2).sum())
        for g in signed_permutations(m):
            new = q @ g
            spread = sums(new).spread
            if spread**2 == least and least > 0 and not met:
                met.append(f"met at W g = {shown(new)}")
            yield spread**2 >= least or {"W": shown(q), "g": shown(g), "R^2": spread**2, "bound": least}
    said = "R^2 >= 4 (sum w^2/(n m) - sum_j (sum_i w_ij)^2/(n^2 m)), as a range is at least twice the standard deviation"
    return "; ".join([said, *(met or ["met nowhere here"])])


def _of_every_size(claim: Claim, fixed: Mapping[str, int], *, objective: str) -> Reduction | None:
    """The expression is defined at every size: its operations are allowed, and it has no division by 0 and no negative power."""
    del fixed
    tree = inlined_text(objective, claim.lets)
    if _discontinuous(tree, frozenset(p.name for p in claim.parameters)) is not None:
        return None
    conditions = dict.fromkeys(_conditions(tree))
    return Reduction(tuple(conditions), "made of continuous operations at every size, on a closed and bounded set")


def _conditions(tree: Node) -> Iterator[str]:
    """For each divisor the condition that it is positive, for each exponent that it is not negative."""
    for part in walk(tree):
        match part:
            case Operation(_, "/", right):
                yield f"({printed(right)}) > 0"
            case Operation(_, "**", right):
                yield f"({printed(right)}) >= 0"


@judge(for_every=_of_every_size)
def attained(query: Query, *, objective: Formula) -> Outcome:
    """A continuous function has a minimum on O(m), which is closed (gᵀg = 1) and bounded (a column's squares add up to 1).

    Entries, sums, products, powers, absolute values, least and greatest values, and quotients by a non-zero constant are continuous.

    objective: in entries of matrices.
    """
    tree = inlined_text(objective.text, query.claim.lets)
    scope = f"the expression as a function of g in O(m) {query.at}"
    broken = _discontinuous(tree, frozenset(query.parameters))
    if broken is not None:
        return Outcome(Verdict.OPEN, Scope(scope), reason=f"{quoted(broken)} is not known to be continuous")
    return proved(scope, "continuity", witness="made of continuous operations, on a closed and bounded set")


def _discontinuous(node: Node, sizes: frozenset[str]) -> Node | None:
    """The first part that is not a continuous operation."""
    match node:
        case Numeral() | Name():
            return None
        case Signed("-" | "+", operand):
            return _discontinuous(operand, sizes)
        case Operation(left, "+" | "-" | "*", right):
            return _discontinuous(left, sizes) or _discontinuous(right, sizes)
        case Operation(left, "/", right) if names_in(right) <= sizes and not _has_entries(right):
            return _discontinuous(left, sizes)
        case Operation(left, "**", right) if names_in(right) <= sizes and not _has_entries(right):
            return _discontinuous(left, sizes)
        case Ranged("sum" | "min" | "max", body):
            return _discontinuous(body, sizes)
        case Call("abs" | "min" | "max", args):
            return next((found for a in args if (found := _discontinuous(a, sizes)) is not None), None)
        case Call("Q" | "K", (Name(), Name())):
            return None
    return node


def _has_entries(node: Node) -> bool:
    return any(isinstance(part, Call | Ranged) for part in walk(node))


DRAWN = 200


@judge
def components(query: Query) -> Outcome:
    """The determinants of Q for drawn M: by LAPACK (Householder reflections), and with a positive diagonal of R. This is a measurement."""
    m = query["m"]
    drawn = np.random.default_rng(m).standard_normal((DRAWN, m, m))
    q, r = np.linalg.qr(drawn)
    lapack = _signs(q)
    positive = _signs(q * np.sign(np.diagonal(r, axis1=1, axis2=2))[:, None, :])
    witness = f"by Householder reflections (LAPACK) det {lapack}; with the diagonal of R made positive det {positive}"
    return Outcome(Verdict.VERIFIED, Scope(f"{DRAWN} drawn matrices {query.at}", DRAWN, "sampling"), witness=witness)


def _signs(matrices: np.ndarray) -> str:
    """``1`` or ``-1``, or both."""
    found = sorted({int(sign) for sign in np.rint(np.linalg.det(matrices))}, reverse=True)
    return " and ".join(map(str, found))
