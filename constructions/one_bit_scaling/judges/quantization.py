"""Judges of weight vectors and their quantization (Definition D.6, Lemmas H.4 and H.5): exhaustive over small integer weights.

The claims do not change when w is multiplied by a positive number, so integer weights stand for rational ones.
"""

from __future__ import annotations

from itertools import product
from typing import Literal

from constructions.one_bit_scaling.mathematics.quantization import Quantized, inner, weights
from constructions.one_bit_scaling.mathematics.training import Problem, units
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.judges.declaring import Rational, judge

METHOD = "enumeration, in sums of square roots"
ONE = Fraction(1)


@judge
def sharp_error(query: Query, *, most: int) -> Cases:
    """‖u(w)‖² <= 2(d − √(2d))·V(w), with equality at (1, −1, 0, …): the largest error for a given variance."""
    d = query["d"]
    largest = RootSum.of(2 * d) - root(8 * d)
    extreme = Quantized.of((1, -1) + (0,) * (d - 2))
    query.within((2 * most + 1) ** d)
    yield Over(f"all integer weights up to {most} in magnitude", METHOD)
    attained = inner(extreme.error, extreme.error)
    yield attained == largest * extreme.variance or {"w": extreme.w, "||u(w)||^2": attained}
    for q in map(Quantized.of, weights(d, most)):
        found, allowed = inner(q.error, q.error), largest * q.variance
        yield found <= allowed or {"w": q.w, "||u(w)||^2": found, "bound": allowed}
    return f"at most {largest} times V(w), attained at (1, -1, 0, ...)"


@judge
def variance_is_lipschitz(query: Query, *, bound: Rational, most: int) -> Cases:
    """\\|√V(v) − √V(w)\\|² is at most ‖v − w‖² times the bound."""
    query.within((2 * most + 1) ** (2 * query["d"]))
    every = [Quantized.of(w) for w in weights(query["d"], most)]
    yield Over(f"all pairs of integer weights up to {most} in magnitude", METHOD)
    for v, w in product(every, repeat=2):
        change = v.scale - w.scale
        far = bound * sum((a - b) ** 2 for a, b in zip(v.w, w.w, strict=True))
        yield (change * change <= far or {"w(t)": v.w, "w(t+1)": w.w, "squared change of sqrt(V)": change * change, "bound": far})


@judge
def pattern_times_weight(query: Query, *, of: Literal["quantized", "full"]) -> Cases:
    """\\|1{·}⟨v, x⟩ − 1{·}⟨w, x⟩\\| <= \\|⟨v − w, x⟩\\| (H.4, third step); v is w with one entry moved.

    of: the condition for an active neuron: dq(⟨w̃, x⟩) ≥ 0 or ⟨w, x⟩ ≥ 0.
    """
    d = query["d"]
    yield Over("all weights up to 2 in magnitude, one entry moved by 1/2, 1/8, 1/32", METHOD)
    for x, w, k, j in product(units(d), weights(d, 2), (2, 8, 32), range(d)):
        problem = Problem([x], [1], Fraction(1))
        v = tuple(e + (Fraction(1, k) if i == j else 0) for i, e in enumerate(w))
        values, changes = [], []
        for each in (w, v):
            neuron = problem.neuron(each, x)
            on = neuron.active if of == "quantized" else neuron.full_active
            values.append(neuron.full * int(on))
            changes.append(neuron.full)
        left, right = abs(values[0] - values[1]), abs(changes[0] - changes[1])
        yield left <= right or {"x": x, "w(t)": w, "w(t+1)": v, "left": left, "right": right}
