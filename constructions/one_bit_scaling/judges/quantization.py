"""Judges of what is said of one weight vector (Sections 3.1, C, D, I.6): exhaustive over small integer weights.

All that is said is unchanged when w is multiplied by a positive number, so that integer weights stand for rational ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from constructions.one_bit_scaling.mathematics.quantization import Quantized, inner, weights
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.judges.declaring import Formula, Rational, judge

MOST = 2
ONE = Fraction(1)
METHOD = "enumeration, in sums of square roots"


def every_weight(query: Query, most: int = MOST) -> Iterator[Quantized]:
    """All integer weights up to ``most`` in magnitude.

    Raises:
        LimitError: too many.
    """
    d = query["d"]
    query.within((2 * most + 1) ** d)
    return (Quantized.of(w) for w in weights(d, most))


def up_to(most: int = MOST) -> str:
    return f"all integer weights up to {most} in magnitude"


@judge
def defined(query: Query) -> Cases:
    """Ln(w) is defined: V(w) is not 0."""
    yield Over(up_to(), METHOD)
    for q in every_weight(query):
        yield q.defined or {"w": q.w, "V(w)": 0, "Ln(w)": "0/0"}


@judge
def signs_without_division(query: Query) -> Cases:
    """Sign(w − E(w)1) is Sign(Ln(w)) wherever that is defined, and where it is not, u(w) = 0 with it."""
    yield Over(up_to(), METHOD)
    for q in every_weight(query):
        if q.defined:
            by_ln = tuple(-1 if (RootSum.of(z) / q.scale).sign < 0 else 1 for z in q.centred)
            yield by_ln == q.signs or {"w": q.w, "Sign(Ln(w))": by_ln, "Sign(w - E(w)1)": q.signs}
        else:
            yield all(u == 0 for u in q.error) or {"w": q.w, "u(w)": q.error}


def _over_all(proved: bool) -> Over:
    """All w where the bound, of the second degree in w, is one that the docstring proves; else a sample of them."""
    if proved:
        return Over(f"all real weights, by the algebra of V; compared at {up_to()},", "algebra of V and E; enumeration")
    return Over(up_to(), METHOD, sample_of="every real vector of weights")


@judge
def error_bound(query: Query, *, bound: Formula) -> Cases:
    """‖u(w)‖² is at most the bound, a formula in d, V (the variance) and top (the largest entry of w in magnitude).

    For all w it is at most 2dV: with z = w − E(w)1 and u = √V w̃ − z, ‖u‖² = dV + ‖z‖² − 2√V·Σ\\|z_k\\|, and ‖z‖² = dV. And V is at most
    top², since V + E² is the mean square of w.
    """
    none, half, one = (bound(V=v, top=ONE) for v in (ONE * 0, ONE / 2, ONE))
    linear = none + one == 2 * half and bound(V=ONE * 9, top=ONE * 3) == 9 * one
    yield _over_all(linear and none >= 0 and one >= 2 * query["d"])
    for q in every_weight(query):
        found = inner(q.error, q.error)
        most = bound(V=q.variance, top=max(map(abs, q.w)))
        yield found <= most or {"w": q.w, "||u(w)||^2": found, "bound": most}


@judge
def sharp_error(query: Query, *, most: int = MOST) -> Cases:
    """‖u(w)‖² <= 2(d − √(2d))·V(w), with equality at (1, −1, 0, …): the largest error for a given variance."""
    d = query["d"]
    largest = RootSum.of(2 * d) - root(8 * d)
    extreme = Quantized.of((1, -1) + (0,) * (d - 2))
    yield Over(up_to(most), METHOD)
    attained = inner(extreme.error, extreme.error)
    yield attained == largest * extreme.variance or {"w": extreme.w, "||u(w)||^2": attained}
    for q in every_weight(query, most):
        found, allowed = inner(q.error, q.error), largest * q.variance
        yield found <= allowed or {"w": q.w, "||u(w)||^2": found, "bound": allowed}
    return f"at most {largest} times V(w), attained at (1, -1, 0, ...)"


@judge
def sizes(query: Query, *, bound: Formula) -> Cases:
    """\\|E(w)\\|, √V(w) and ‖w‖/√d are at most the largest entry in magnitude: V + E² is the mean square of w, for all w."""
    checks: dict[str, Callable[[Quantized], object]] = {
        "|E(w)|^2": lambda q: q.mean**2,
        "V(w)": lambda q: q.variance,
        "||w||^2/d": lambda q: sum(x * x for x in q.w) / len(q.w),
    }
    yield _over_all(bound(top=ONE) >= 1 and bound(top=ONE * 3) == 9 * bound(top=ONE))
    for q in every_weight(query):
        most = bound(top=max(map(abs, q.w)))
        for name, of in checks.items():
            found = RootSum.of(of(q))  # type: ignore[arg-type]
            yield found <= most or {"w": q.w, name: found, "bound": most}


@judge
def variance_is_lipschitz(query: Query, *, bound: Rational, most: int = MOST) -> Cases:
    """\\|√V(v) − √V(w)\\|² is at most ‖v − w‖² times the bound."""
    query.within((2 * most + 1) ** (2 * query["d"]))
    every = list(every_weight(query, most))
    yield Over(f"all pairs of integer weights up to {most} in magnitude", METHOD)
    for v, w in product(every, repeat=2):
        change = v.scale - w.scale
        far = bound * sum((a - b) ** 2 for a, b in zip(v.w, w.w, strict=True))
        yield (change * change <= far or {"w(t)": v.w, "w(t+1)": w.w, "squared change of sqrt(V)": change * change, "bound": far})
