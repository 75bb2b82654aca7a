"""Judges of patterns: what patterns leave of the kernel (G.4), and training to a small loss (Theorems 4.2 and I.1, Lemma I.2, Claim
I.5): data that no weights fit, with a positive definite kernel. Fact B.5 bounds eigenvalues, here of two-by-two integer matrices.

At inputs with ⟨1, x⟩ = 0 a neuron is √V(w)·ReLU(⟨w̃, x⟩): it depends on its weights' directions only through their signs. If Σ cᵢ ReLU(⟨q,
xᵢ⟩) = 0 for every sign vector q, the outputs have Σ cᵢ f(xᵢ) = 0 for all weights, and the loss keeps the distance of the targets from that
plane. The kernel does not show this, because it contains the full-precision inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpz_mat

from constructions.one_bit_scaling.mathematics.training import Quantized, exact, weights
from verifier.arithmetic.rationals import Fraction, rational
from verifier.arithmetic.reals import Real, root
from verifier.claims.finite_cases import Cases, Over, refuted
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Rational, judge

METHOD = "enumeration, in sums of square roots"
ONE = Fraction(1)


def leading_minors(inputs: Sequence[Sequence[int]], every: Iterable[tuple[int, ...]]) -> list[int]:
    """The leading minors of the sum of the kernels of single neurons, without κ² and the inputs' lengths: over all these non-constant
    weights.

    At inputs with ⟨1, x⟩ = 0 the pattern depends on the weights' signs alone. If these weights have all signs, the expected kernel there is
    positive definite if the minors are positive, and the kernels of all networks are singular if their sum is.
    """
    q = Quantized(exact(list(every)))
    active = (q.dequantized(exact(inputs))[q.variance[:, 0] != 0] >= 0).astype(object)
    kernel = inner_products(inputs) * (active.T @ active)
    return [determinant(kernel[:size, :size]) for size in range(1, len(inputs) + 1)]


def inner_products(vectors: Sequence[Sequence[int]]) -> npt.NDArray[Any]:
    x = np.array(vectors, dtype=object)
    return np.asarray(x @ x.T)


@judge
def positive_definite(query: Query, *, inputs: list[list[int]]) -> Outcome:
    """Whether some weights have a positive definite kernel (G.4): then the sum over all weights, of which each kernel is a part, has one as
    well.

    inputs: directions of the data, extended by zeros; lengths do not affect whether a kernel is positive definite.
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


def determinant(rows: npt.NDArray[Any]) -> int:
    """The determinant of a matrix of integers."""
    return int(fmpz_mat(rows.tolist()).det())


Direction = tuple[int, ...]


@dataclass(frozen=True)
class Unfit:
    """Data whose outputs have the relation Σ cᵢ‖xᵢ‖f(xᵢ) = 0 for all weights; missed: Σ cᵢ‖xᵢ‖yᵢ."""

    data: list[Direction]
    every: list[Direction]
    values: list[Fraction]
    missed: Real
    what: str


CLASSICAL = (
    "in two dimensions dequantized weights are the weights themselves, so this is classical training without quantization; "
    "our counterexample needs three dimensions, and a proof needs the constant in m >= Omega(...), which the paper does not give"
)


def _unfit(query: Query, inputs: list[list[int]], relation: list[int], targets: list[str]) -> Unfit | Outcome:
    """The data, extended by zeros, at all sign vectors, or else the outcome that says why no such relation exists."""
    d = query["d"]
    if d == 2:
        return Outcome(Verdict.OPEN, Scope("data in two dimensions"), reason=CLASSICAL)
    query.within(2**d)
    every = list(product((-1, 1), repeat=d))
    data = [(*x, *(0,) * (d - len(x))) for x in inputs]
    values = [rational(y) for y in targets]
    what = f"data in the directions {', '.join(map(str, data))}, y = ({', '.join(targets)})"
    values_of_neurons = Quantized(exact(every)).dequantized(exact(data))
    for w, outputs in zip(every, values_of_neurons * (values_of_neurons >= 0), strict=True):
        total = exact(relation) @ outputs
        if total != 0:
            scope = Scope(f"{what} {query.at}", None, METHOD)
            return Outcome(Verdict.OPEN, scope, reason=f"the outputs have no such relation: at w = {w} it is {total}")
    missed = sum((c * root(_square(x)) * y for c, x, y in zip(relation, data, values, strict=True)), Real())
    return Unfit(data, every, values, missed, what)


def _square(x: Direction) -> int:
    return sum(v * v for v in x)


@judge
def floor(query: Query, *, inputs: list[list[int]], relation: list[int], targets: list[str]) -> Outcome:
    """Whether the loss of these data stays above a positive number for all weights, while their kernel is positive definite.

    inputs: directions of the data, extended by zeros, to be divided by their lengths; relation: cᵢ, of the directions; targets: y.
    """
    found = _unfit(query, inputs, relation, targets)
    if isinstance(found, Outcome):
        return found
    data, every, values, missed, what = found.data, found.every, found.values, found.missed, found.what
    d = query["d"]
    least = missed * missed / (2 * sum(c * c * _square(x) for c, x in zip(relation, data, strict=True)))
    minors = leading_minors(data, every)
    scope = Scope(f"{what}, every width, all weights, by their signs {query.at}", 2**d, METHOD)
    if least == 0 or any(minor <= 0 for minor in minors):
        return Outcome(
            Verdict.OPEN, scope, reason=f"at these data the loss is at least {least}, leading minors of the kernels' sum {minors}"
        )
    terms = " ".join(f"{c:+d}*f({x})" for c, x in zip(relation, inputs, strict=True))
    shown = {
        "x, to be divided by their lengths": str(tuple(map(tuple, inputs))),
        "y": f"({', '.join(targets)})",
        terms: "0 for all weights",
        "L(t) is at least": str(least),
        "L(t) at F = 0": str(sum(y * y for y in values) / 2),
        "leading minors of the kernels' sum": str(tuple(minors)),
    }
    reason = "the kernel is positive definite with probability tending to 1 in the width, and no weights at all fit the data"
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=shown)


@judge
def movement(query: Query, *, inputs: list[list[int]], relation: list[int], targets: list[str]) -> Outcome:
    """Whether the weights stay within 4√n/(λ√m)·‖F(0) − y‖ of the first ones, which tends to 0 with the width (I.5).

    With the relation, Σ cᵢ‖xᵢ‖eᵢ = −Σ cᵢ‖xᵢ‖yᵢ = γ at every step, so that Σ cᵢ‖xᵢ‖Eᵢ = γt for the sums Eᵢ of eᵢ over t steps. Suppose that
    no weights move farther than R, any number. For each pattern some neuron keeps it within R, with probability tending to 1 in the width.
    It moves by ηκ/√m·‖Σ_{i ∈ P} Eᵢxᵢ‖, P being the inputs at which it is active. If some of these P are disjoint, have independent inputs
    and cover all i with cᵢ ≠ 0, one of these neurons moves by at least s·ηκt/√m, s = \\|γ\\|/Σ_P √(bᵀG⁻¹b), where G has the inner products
    of the directions in P and bᵢ = cᵢ‖xᵢ‖². For large t this exceeds R.

    inputs, relation, targets: as for :func:`floor`.
    """
    found = _unfit(query, inputs, relation, targets)
    if isinstance(found, Outcome):
        return found
    scope = Scope(f"{found.what}, m -> infinity, T -> infinity {query.at}", len(found.every), f"{METHOD}, law of large numbers")
    minors = leading_minors(found.data, found.every)
    cover = _cover(found, relation)
    if found.missed == 0 or not cover or any(minor <= 0 for minor in minors):
        why = f"sum of c_i |x_i| y_i = {found.missed}, patterns of independent inputs {cover}, leading minors of the kernels' sum {minors}"
        return Outcome(Verdict.OPEN, scope, reason=f"these data do not make some weights move on: {why}")
    spread = sum((root(_dual(found, relation, pattern)) for pattern in cover), Real())
    shown = {
        "x, to be divided by their lengths": str(tuple(map(tuple, inputs))),
        "y": f"({', '.join(targets)})",
        "sum of c_i |x_i| (f(x_i) - y_i)": f"{-found.missed} at every step",
        "inputs at which some neurons are active": str(tuple(tuple(i + 1 for i in pattern) for pattern in cover)),
        "weights that keep these patterns move in t steps by at least": f"eta kappa t/sqrt(m) times ({abs(found.missed)})/({spread})",
        "claimed": "4 sqrt(n)/(lambda sqrt(m)) |F(0) - y| for every t, which tends to 0 as m grows",
    }
    reason = "the errors do not tend to 0, so that in training that is long enough some weights move farther than any number"
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=shown)


def _cover(found: Unfit, relation: list[int]) -> list[tuple[int, ...]]:
    """Disjoint patterns of independent inputs that contain every input of the relation, or empty without any."""
    indices = range(len(found.data))
    patterns = Quantized(exact(found.every)).dequantized(exact(found.data)) >= 0
    active = (tuple(i for i in indices if row[i]) for row in patterns)
    independent = sorted({p for p in active if p and determinant(_products(found, p)) != 0})
    needed = {i for i in indices if relation[i]}
    for count in range(1, len(needed) + 1):
        for chosen in combinations(independent, count):
            joined = [i for pattern in chosen for i in pattern]
            if len(joined) == len(set(joined)) and needed <= set(joined):
                return list(chosen)
    return []


def _products(found: Unfit, pattern: tuple[int, ...]) -> npt.NDArray[Any]:
    return inner_products([found.data[i] for i in pattern])


def _dual(found: Unfit, relation: list[int], pattern: tuple[int, ...]) -> Fraction:
    """bᵀG⁻¹b, by the determinant of G bordered with b: −det((G, b), (bᵀ, 0))/det G."""
    products = _products(found, pattern)
    b = np.array([[relation[i] * _square(found.data[i]) for i in pattern]], dtype=object)
    bordered = np.block([[products, b.T], [b, 0]])
    return Fraction(-determinant(bordered), determinant(products))


MOST = 2
Matrix = tuple[int, int, int, int]


def least_eigenvalue_of(matrix: Matrix) -> Real | None:
    """The smaller eigenvalue of ((a, b), (c, d)), if both are real."""
    a, b, c, d = matrix
    discriminant = (a - d) ** 2 + 4 * b * c
    return None if discriminant < 0 else (Real.of(a + d) - root(discriminant)) / 2


@judge
def least_eigenvalue(query: Query, *, symmetric: bool, times: Rational = ONE) -> Cases:
    """λ_min of one is at least λ_min of the other minus the Frobenius norm of the difference.

    symmetric: whether the matrices are symmetric; times: the factor of the Frobenius norm that is subtracted.
    """
    entries = sorted(range(-MOST, MOST + 1), key=lambda x: (abs(x), -x))
    every = [(a, b, c, d) for a, b, c, d in product(entries, repeat=4) if b == c or not symmetric]
    known = [(m, least) for m in every if (least := least_eigenvalue_of(m)) is not None]
    which = "symmetric " if symmetric else ""
    yield Over(f"all pairs of {which}2 x 2 matrices with entries up to {MOST} and real eigenvalues", "sums of square roots")
    for (one, least), (other, found) in product(known, repeat=2):
        far = root(sum((x - y) ** 2 for x, y in zip(one, other, strict=True))) * times
        shown = {"H": one, "the other": other, "lambda_min(H)": least, "norm of the difference": far, "lambda_min of the other": found}
        yield found >= least - far or shown


@judge
def sharp_error(query: Query, *, most: int) -> Cases:
    """‖u(w)‖² <= 2(d − √(2d))·V(w), with equality at (1, −1, 0, …): the largest error for a given variance."""
    d = query["d"]
    largest = Real.of(2 * d) - root(8 * d)
    query.within((2 * most + 1) ** d)
    yield Over(f"all integer weights up to {most} in magnitude", METHOD)
    extreme = (1, -1) + (0,) * (d - 2)
    for number, w in enumerate((extreme, *weights(d, most))):
        q = Quantized(exact(w))
        found, allowed = q.error @ q.error, largest * q.variance[0]
        if number == 0:
            yield found == allowed or {"w": w, "||u(w)||^2": found}
        else:
            yield found <= allowed or {"w": w, "||u(w)||^2": found, "bound": allowed}
    return f"at most {largest} times V(w), attained at (1, -1, 0, ...)"
