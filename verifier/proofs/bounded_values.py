"""Values of which only bounds are known: new integers for powers and quotients that vary, and the exponents that may lie near a number."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.proofs.nonnegative import Expr, Quantities, Unread
from verifier.proofs.rational_numbers import sympy
from verifier.proofs.signs import borders, sign


def opaque_power(quantities: Quantities, base: Expr, exponent: Expr) -> Expr:
    """base^exponent for an integer base ≥ 1 of any form and exponent ≥ 0: one more integer P + 1, between powers of 2 if the base is."""
    key = (base, exponent)
    if key not in quantities.opaque:
        quantities.whole(base)
        if not sign(base - 1, quantities).signs <= {0, 1} or not sign(exponent, quantities).signs <= {0, 1}:
            raise Unread(f"{quantities.shown(base)} to a power that varies", borders(base, quantities))
        found = quantities.slack(f"({quantities.shown(base)})**({quantities.shown(exponent)}) - 1", base + exponent, "P")
        quantities.opaque[key] = found
        for suggested in suggested_exponents(quantities, base):
            side = quantities.power(sympy.Integer(2), suggested)
            signs = sign(side - base, quantities).signs
            between = quantities.power(sympy.Integer(2), quantities.expand(suggested * exponent)) - found - 1
            if signs <= {0, 1}:
                quantities.assume(between)
            elif signs <= {-1, 0}:
                quantities.assume(-between)
    return quantities.opaque[key] + 1


def opaque_quotient(quantities: Quantities, above: Expr, below: Expr, unread: Unread) -> Expr:
    """⌊n/d⌋ for integers n ≥ 0 and d ≥ 1: a new integer Q ≥ 0 with d·Q ≤ n < d·(Q + 1), and so Q·(the least d) ≤ n.

    Raises:
        Unread: n or d is not seen to be an integer, or d to be positive.
    """
    n, d = (quantities.whole(quantities.expand(side)) for side in (above, below))
    if sign(d, quantities).signs != {1}:
        raise unread
    if (n, 1 / d) not in quantities.opaque:
        found = quantities.slack(f"floor(({quantities.shown(n)})/({quantities.shown(d)}))", n + d, "Q")
        quantities.opaque[n, 1 / d] = found
        for fact in (n - d * found, d * (found + 1) - n - 1):
            quantities.assume(fact)
        least = d.subs(dict.fromkeys(d.free_symbols, 0))
        if least >= 1 and sign(d - least, quantities).signs <= {0, 1}:
            quantities.assume(n - least * found)
    return quantities.opaque[n, 1 / d]


def suggested_exponents(quantities: Quantities, x: Expr) -> Iterator[Expr]:
    """Exponents e for which x may lie between 2^e and 2^(e + 1), by the terms of x with powers of 2."""
    for monomial, coefficient in quantities.expand(x).as_coefficients_dict().items():
        _, exponent = scaled_power(quantities, monomial)
        if exponent is not None and not exponent.is_Rational and coefficient >= 1:
            least = int(sympy.floor(coefficient)).bit_length() - 1
            yield from (quantities.expand(exponent + e) for e in (least, least - 1, least + 1))


def scaled_power(quantities: Quantities, x: Expr) -> tuple[Expr, Expr | None]:
    """c and E with x = c·2^E; E is None where x has another form."""
    coefficient, factors = x.as_coeff_Mul()
    exponent = sympy.Integer(0)
    for symbol, degree in factors.as_powers_dict().items():
        base, inner = quantities.powers.get(symbol, (0, None))
        if base != 2 and symbol != 1:
            return coefficient, None
        exponent += degree * inner if base == 2 else 0
    return coefficient, exponent
