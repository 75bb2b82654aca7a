"""Sums in closed form: Σ_{i=0}^{n−1} f(i) for a polynomial in i and powers of 2^i, 3^i, …, where n ≥ 0.

A term i^d·r^i has an antidifference F(i) = P(i)·r^i with F(i + 1) − F(i) = i^d·r^i, a triangular system for the coefficients of P
(for r = 1 the sums of powers, else arithmetic-geometric sums); the sum telescopes to F(n) − F(0). The difference is formed again
and compared, so the closed form does not rest on how P was found. Computer algebra at large extends a sum to n < 0 (Karr's
convention), where Σ is not what a formula means: callers show n ≥ 0 first.
"""

from __future__ import annotations

from verifier.proofs.nonnegative import Expr, Quantities, Symbol
from verifier.proofs.rational_numbers import sympy
from verifier.proofs.signs import sign

MOST_DEGREE = 12
"""The degree of a term in the bound name."""


def antidifference(degree: int, ratio: Expr, index: Symbol) -> Expr:
    """P with ratio·P(i + 1) − P(i) = i^degree, for a rational ratio ≠ 0."""
    same = ratio == 1
    top = degree + 1 if same else degree
    known: dict[int, Expr] = {0: sympy.Integer(0)} if same else {}
    for power in range(degree, -1, -1):
        # The coefficient of i^power: (ratio − 1)·p_power + ratio·Σ_{k > power} C(k, power)·p_k = [power = degree].
        rest = ratio * sympy.Add(*(sympy.binomial(k, power) * known[k] for k in known if k > power + same))
        wanted = sympy.Integer(int(power == degree)) - rest
        known[power + same] = wanted / (ratio * (power + 1)) if same else wanted / (ratio - 1)
    found = sympy.Add(*(known[k] * index**k for k in range(top + 1)))
    assert sympy.expand(ratio * found.subs(index, index + 1) - found - index**degree) == 0
    return found


def closed_sum(term: Expr, index: Symbol, count: Expr, quantities: Quantities) -> Expr | None:
    """Σ_{i=0}^{count−1} term, for count ≥ 0 an integer polynomial in slacks.

    None where the term has another form, or a divisor that may be 0.
    """
    powers = quantities.powers_with(index, term)
    if any(quantities.powers[s][1] != index for s in powers):
        return None  # 2^(i·k): the ratio of neighbouring terms is not a number
    numerator, denominator = sympy.fraction(quantities.cancel(term))
    below = sympy.Poly(denominator, index, *powers)
    if len(below.terms()) != 1 or below.degree(index) > 0:
        return None
    shift, divisor = below.terms()[0]
    if 0 in sign(divisor, quantities).signs:
        return None
    total = sympy.Integer(0)
    for degrees, coefficient in sympy.Poly(numerator, index, *powers).terms():
        if degrees[0] > MOST_DEGREE:
            return None
        exponents = [up - down for up, down in zip(degrees[1:], shift[1:], strict=True)]
        bases = [sympy.Integer(quantities.powers[s][0]) for s in powers]
        ratio = sympy.Mul(*(b**e for b, e in zip(bases, exponents, strict=True)))
        found = antidifference(degrees[0], ratio, index)
        last = sympy.Mul(*(quantities.power(b, e * count) for b, e in zip(bases, exponents, strict=True)))
        total += coefficient / divisor * (last * found.subs(index, count) - found.subs(index, 0))
    return quantities.cancel(total)
