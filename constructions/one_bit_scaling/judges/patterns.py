"""Judges of patterns: when no weights near the first ones change a neuron's pattern or an entry's sign (Appendix E), and what patterns
leave of the kernel (G.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from constructions.one_bit_scaling.judges.dynamics import METHOD, ONE
from constructions.one_bit_scaling.mathematics.quantization import Quantized, inner, weights
from constructions.one_bit_scaling.mathematics.training import units
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over, refuted
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Rational, judge

HALF = Fraction(1, 2)
Vector = tuple[Fraction, ...]


def _moved(w: tuple[int, ...]) -> Iterator[tuple[Vector, Vector]]:
    """The weights with entries moved by −1/2, 0 or 1/2, and the moves, none of them 0."""
    for move in product((-HALF, Fraction(0), HALF), repeat=len(w)):
        if any(move):
            yield tuple(v + h for v, h in zip(w, move, strict=True)), move


@judge
def kept(query: Query, *, spread: Rational = ONE, slope: Rational = ONE) -> Cases:
    """No weights within R have another pattern (E.1): within R no entry passes the mean, and with these signs dq has this slope.

    spread: times R, what \\|w_k − E(w)\\| exceeds for all k; slope: times R²(⟨q, x⟩² + ⟨1, x⟩²)/d, what dq² exceeds.
    """
    d = query["d"]
    query.within(5**d * 3**d)
    yield Over("all integer weights up to 2 in magnitude, entries moved by 1/2, R the length of the move", METHOD)
    for w in weights(d, 2):
        q = Quantized.of(w)
        nearest = min(map(abs, q.centred))
        for v, move in _moved(w):
            square = sum(h * h for h in move)
            if nearest * nearest <= square * spread * spread:
                continue
            then = Quantized.of(v)
            for x in units(d):
                before = q.dequantized(x)
                steep = (inner(q.signs, x).rational ** 2 + sum(x) ** 2) / d
                if before * before > square * slope * steep:
                    same = (before.sign < 0) == (then.dequantized(x).sign < 0)
                    yield same or {"x": x, "w(0)": w, "w": v, "dq at w(0)": before, "R^2": square}


@judge
def sign_kept(query: Query, *, times: Rational = ONE) -> Cases:
    """No weights whose entries are within R have another sign at k (E.3).

    times: 2(1 − 1/d)R, what \\|w_k − E(w)\\| exceeds.
    """
    d = query["d"]
    query.within(5**d * 3**d)
    far = 2 * (1 - Fraction(1, d)) * HALF * times
    yield Over("all integer weights up to 2 in magnitude, entries moved by R = 1/2")
    for w in weights(d, 2):
        q = Quantized.of(w)
        for v, _ in _moved(w):
            then = Quantized.of(v)
            for k, (c, one, other) in enumerate(zip(q.centred, q.signs, then.signs, strict=True)):
                if abs(c) > far:
                    yield one == other or {"w(0)": w, "w": v, "k": k + 1, "w_k - E(w) at w(0)": c, "R": HALF}


def leading_minors(inputs: Sequence[Sequence[int]], every: Iterable[tuple[int, ...]]) -> list[int]:
    """Of the sum of the kernels of single neurons, without κ² and the inputs' lengths: all these weights that are not constant.

    At inputs with ⟨1, x⟩ = 0 the pattern depends on the weights' signs alone. If these weights have all signs, the expected kernel there is
    positive definite where the minors are positive, and the kernels of all networks are singular where their sum is.
    """
    n = len(inputs)
    together = [[0] * n for _ in range(n)]
    for w in every:
        q = Quantized.of(w)
        if not q.defined:
            continue
        active = [q.dequantized(x).sign >= 0 for x in inputs]
        for i, j in product(range(n), repeat=2):
            together[i][j] += active[i] and active[j]
    gram = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in inputs] for x in inputs]
    kernel = [[g * k for g, k in zip(*rows, strict=True)] for rows in zip(gram, together, strict=True)]
    return [determinant([row[:size] for row in kernel[:size]]) for size in range(1, n + 1)]


@judge
def positive_definite(query: Query, *, inputs: list[list[int]]) -> Outcome:
    """Whether some weights have a positive definite kernel (G.4): then so has the sum over all, of which each kernel is a part.

    inputs: directions of the data, filled up with zeros; lengths do not matter to whether a kernel is positive definite.
    """
    d = query["d"]
    query.within(5**d)
    filled = [(*x, *(0,) * (d - len(x))) for x in inputs]
    minors = leading_minors(filled, weights(d, 2))
    what = f"inputs in the directions {', '.join(map(str, filled))}, integer weights up to 2 in magnitude"
    if all(minor > 0 for minor in minors):
        witness = f"one neuron of each weights: leading minors {minors}"
        return Outcome(Verdict.VERIFIED, Scope(f"{what} {query.at}", 5**d, "enumeration"), witness=witness)
    return refuted(f"{what} {query.at}", {"x": filled, "leading minors of the kernels' sum": minors}, "enumeration")


def determinant(rows: list[list[int]]) -> int:
    """By the first row."""
    if not rows:
        return 1
    first, *rest = rows
    return sum((-1) ** k * e * determinant([row[:k] + row[k + 1 :] for row in rest]) for k, e in enumerate(first))
