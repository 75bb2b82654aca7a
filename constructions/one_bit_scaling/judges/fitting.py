"""Judges of training to a small loss (Theorems 4.2 and I.1, Lemma I.2): data that no weights fit, with a positive definite kernel.

At inputs with ⟨1, x⟩ = 0 a neuron is √V(w)·ReLU(⟨w̃, x⟩): it knows its weights by their signs alone. Where Σ cᵢ ReLU(⟨q, xᵢ⟩) = 0 for every
sign vector q, the outputs have Σ cᵢ f(xᵢ) = 0 for all weights, and the loss keeps the distance of the targets from that plane. The
kernel does not see it: it has the full-precision inputs in it.
"""

from __future__ import annotations

from itertools import product

from constructions.one_bit_scaling.judges.patterns import leading_minors
from constructions.one_bit_scaling.mathematics.quantization import Quantized
from verifier.arithmetic.rationals import rational
from verifier.arithmetic.square_roots import RootSum, root
from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import judge

METHOD = "enumeration, in sums of square roots"


@judge
def floor(query: Query, *, inputs: list[list[int]], relation: list[int], targets: list[str]) -> Outcome:
    """Whether the loss of these data stays above a positive number, whatever the weights, while their kernel is positive definite.

    inputs: directions of the data, filled up with zeros, to be divided by their lengths; relation: cᵢ, of the directions; targets: y.
    """
    d = query["d"]
    if d == 2:
        return declined("in two dimensions quantization is exact, and the theorem is the classical one, whose constants have no names")
    query.within(2**d)
    every = list(product((-1, 1), repeat=d))
    data = [(*x, *(0,) * (d - len(x))) for x in inputs]
    lengths = [root(sum(v * v for v in x)) for x in data]
    values = [rational(y) for y in targets]
    what = f"data in the directions {', '.join(map(str, data))}, y = ({', '.join(targets)})"
    for w in every:
        q = Quantized.of(w)
        outputs = (max(q.dequantized(x), RootSum()) for x in data)
        total = sum((c * f for c, f in zip(relation, outputs, strict=True)), RootSum())
        if total != 0:
            scope = Scope(f"{what} {query.at}", None, METHOD)
            return Outcome(Verdict.OPEN, scope, reason=f"the outputs have no such relation: at w = {w} it is {total}")
    missed = sum((c * n * y for c, n, y in zip(relation, lengths, values, strict=True)), RootSum())
    least = missed * missed / (2 * sum(c * c * sum(v * v for v in x) for c, x in zip(relation, data, strict=True)))
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
