"""The operations and functions of formulas on symbols: each gives one expression for all slacks, or says what would help.

All raise :class:`~verifier.proofs.nonnegative.Unread` if the value has no single form for all slacks, or is undefined for some of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from verifier.arithmetic.rationals import Fraction
from verifier.language.operations import APPLIED
from verifier.proofs.nonnegative import LARGEST, MOST_DEGREE, Expr, Quantities, Symbol, Unread
from verifier.proofs.rational_numbers import sympy
from verifier.proofs.signs import borders, signs_of
from verifier.running.errors import InputError


def opaque_power(quantities: Quantities, base: Expr, exponent: Expr) -> Expr:
    """base^exponent for an integer base ≥ 1 of any form and exponent ≥ 0: a new integer P + 1, between powers of 2 if the base is."""
    key = (base, exponent)
    if key not in quantities.opaque:
        quantities.whole(base)
        if not signs_of(base - 1, quantities) <= {0, 1} or not signs_of(exponent, quantities) <= {0, 1}:
            raise Unread(f"{quantities.shown(base)} to a power that varies", borders(base, quantities))
        found = quantities.slack(f"({quantities.shown(base)})**({quantities.shown(exponent)}) - 1", base + exponent, "P")
        quantities.opaque[key] = found
        for suggested in suggested_exponents(quantities, base):
            side = quantities.power(sympy.Integer(2), suggested)
            signs = signs_of(side - base, quantities)
            between = quantities.power(sympy.Integer(2), quantities.expand(suggested * exponent)) - found - 1
            if signs <= {0, 1}:
                quantities.assume(between)
            elif signs <= {-1, 0}:
                quantities.assume(-between)
    return quantities.opaque[key] + 1


def opaque_quotient(quantities: Quantities, above: Expr, below: Expr, unread: Unread) -> Expr:
    """⌊n/d⌋ for integers n ≥ 0 and d ≥ 1: a new integer Q ≥ 0 with d·Q ≤ n < d·(Q + 1), and so Q·(the least d) ≤ n.

    Raises:
        Unread: n or d is not shown to be an integer, or d not shown to be positive.
    """
    n, d = (quantities.whole(quantities.expand(side)) for side in (above, below))
    if signs_of(d, quantities) != {1}:
        raise unread
    if (n, 1 / d) not in quantities.opaque:
        found = quantities.slack(f"floor(({quantities.shown(n)})/({quantities.shown(d)}))", n + d, "Q")
        quantities.opaque[n, 1 / d] = found
        for fact in (n - d * found, d * (found + 1) - n - 1):
            quantities.assume(fact)
        least = d.subs(dict.fromkeys(d.free_symbols, 0))
        if least >= 1 and signs_of(d - least, quantities) <= {0, 1}:
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
    """c and E with x = c·2^E; E is None if x has another form."""
    coefficient, factors = x.as_coeff_Mul()
    exponent = sympy.Integer(0)
    for symbol, degree in factors.as_powers_dict().items():
        base, inner = quantities.powers.get(symbol, (0, None))
        if base != 2 and symbol != 1:
            return coefficient, None
        exponent += degree * inner if base == 2 else 0
    return coefficient, exponent


def power(quantities: Quantities, base: Expr, exponent: Expr) -> Expr:
    """base^exponent for an integer polynomial as the exponent: of any base to a number, and of numbers and powers to what varies."""
    quantities.whole(exponent)
    if exponent.is_Integer:
        return _constant_power(quantities, base, exponent)
    if base == 0:
        if signs_of(exponent, quantities) == {1}:
            return sympy.Integer(0)
        raise Unread("a power of 0", borders(exponent, quantities))
    coefficient, factors = base.as_coeff_Mul()
    found = quantities.power(abs(coefficient), exponent) * (_alternating(quantities, exponent) if coefficient < 0 else 1)
    for symbol, degree in factors.as_powers_dict().items():
        if symbol in quantities.powers:
            prime, inner = quantities.powers[symbol]
            found *= quantities.power(sympy.Integer(prime), quantities.expand(inner * degree * exponent))
        elif symbol != 1:
            return opaque_power(quantities, base, exponent)
    return found


def _constant_power(quantities: Quantities, base: Expr, exponent: Expr) -> Expr:
    if base.is_Rational and abs(exponent) * max(abs(int(base.p)), int(base.q)).bit_length() > LARGEST:
        raise Unread(f"a power has more than {LARGEST} bits")
    if not base.is_Rational and abs(exponent) * max(map(sympy.total_degree, sympy.fraction(quantities.cancel(base)))) > MOST_DEGREE:
        raise Unread(f"{quantities.shown(base)} to the power {exponent}")
    if exponent >= 0:
        return quantities.expand(base**exponent)
    if 0 in signs_of(base, quantities):
        raise Unread(f"{quantities.shown(base)} may be 0", borders(base, quantities))
    return quantities.cancel(base**exponent)


def _alternating(quantities: Quantities, exponent: Expr) -> Expr:
    """(−1)^exponent, if the exponent is even for all slacks, or odd for all."""
    remainder = exponent.subs(dict.fromkeys(exponent.free_symbols, 0)) % 2
    quantities.whole((exponent - remainder) / 2)
    return sympy.Integer(-1) ** remainder


def floor(quantities: Quantities, x: Expr) -> Expr:
    """⌊x⌋: the terms with integer coefficients, and the integer part of the rest if it is one of −2 … 1 for all slacks.

    For a quotient of two varying integers, each of one sign for all slacks: a new integer.
    """
    numerator, denominator = sympy.fraction(quantities.cancel(x))
    quotient, remainder = sympy.div(numerator, denominator, *sorted(x.free_symbols, key=str), domain="QQ") if x.free_symbols else (x, 0)
    whole, rest = sympy.Integer(0), remainder / denominator
    for monomial, coefficient in quantities.expand(quotient).as_coefficients_dict().items():
        whole += sympy.floor(coefficient) * monomial
        rest += (coefficient - sympy.floor(coefficient)) * monomial
    for d in (0, -1, 1, -2):
        if signs_of(rest - d, quantities) <= {0, 1} and signs_of(d + 1 - rest, quantities) == {1}:
            return quantities.expand(whole + d)
    unread = quantities.split(f"floor({quantities.shown(x)})", rest)
    if any(modulus > 1 for _, modulus in unread.wants) or not denominator.free_symbols:
        raise unread
    signs = signs_of(x, quantities)
    if signs <= {0, 1}:
        return opaque_quotient(quantities, numerator, denominator, unread)
    if signs <= {-1, 0}:
        return -opaque_quotient(quantities, quantities.expand(denominator - numerator - 1), denominator, unread)  # −⌈−x⌉
    raise unread


def ceil(quantities: Quantities, x: Expr) -> Expr:
    """⌈x⌉ = −⌊−x⌋."""
    return quantities.expand(-floor(quantities, -x))


def rounded_log2(quantities: Quantities, x: Expr, up: bool) -> Expr:
    """⌈log₂ x⌉ or ⌊log₂ x⌋.

    It is exact for c·2^E, and if x lies between neighbouring powers that one of its terms suggests; else, for an integer x ≥ 1, it is a new
    integer L ≥ 0 with x ≤ 2^L < 2x, or 2^L ≤ x < 2^(L+1).
    """
    coefficient, exponent = scaled_power(quantities, x)
    if exponent is not None and coefficient > 0:
        k = int(coefficient.p).bit_length() - int(coefficient.q).bit_length() - 1
        while sympy.Integer(2) ** (k + 1) <= coefficient:
            k += 1
        return quantities.expand(exponent + (k + 1 if up and sympy.Integer(2) ** k != coefficient else k))
    quantities.whole(x)
    if not signs_of(x - 1, quantities) <= {0, 1}:
        raise Unread(f"log2({quantities.shown(x)}) of a number that may be less than 1", borders(x, quantities))
    for suggested in suggested_exponents(quantities, x):
        below, above = (quantities.power(sympy.Integer(2), e) for e in (suggested, suggested + 1))
        if up and signs_of(x - below, quantities) == {1} and signs_of(above - x, quantities) <= {0, 1}:
            return suggested + 1
        if not up and signs_of(x - below, quantities) <= {0, 1} and signs_of(above - x, quantities) == {1}:
            return suggested
    if (x, up) not in quantities.logarithms:
        found = quantities.slack(f"{'ceil' if up else 'floor'}(log2({quantities.shown(x)}))", x, "L")
        nearest = quantities.power(sympy.Integer(2), found)
        for fact in (nearest - x, 2 * x - nearest - 1) if up else (x - nearest, 2 * nearest - x - 1):
            quantities.assume(quantities.expand(fact))
        quantities.logarithms[x, up] = found
    return quantities.logarithms[x, up]


def log2(quantities: Quantities, x: Expr) -> Expr:
    """log₂ of 2^E."""
    coefficient, exponent = scaled_power(quantities, x)
    primes = sympy.factorrat(coefficient) if coefficient > 0 else {}
    if exponent is None or coefficient <= 0 or set(primes) - {2}:
        raise Unread(f"log2({quantities.shown(x)}) is not shown to be an integer")
    return quantities.expand(exponent + primes.get(2, 0))


def extreme(quantities: Quantities, *numbers: Expr, wanted: int) -> Expr:
    """The greatest (``wanted`` 1) or least (−1) of several numbers, if their order is the same for all slacks."""
    best, *others = numbers
    for other in others:
        signs = {wanted * s for s in signs_of(best - other, quantities)}
        if not signs <= {0, 1} and not signs <= {-1, 0}:
            which = " and ".join(map(quantities.shown, (best, other)))
            raise Unread(f"{which}: either may be larger", borders(best - other, quantities))
        best = best if signs <= {0, 1} else other
    return best


def absolute(quantities: Quantities, x: Expr) -> Expr:
    return extreme(quantities, x, -x, wanted=1)


def gcd(quantities: Quantities, *numbers: Expr) -> Expr:
    """The greatest common divisor of integers, if it reduces to numbers: gcd(a, n) by the remainder of a, gcd(c·b + n, b)."""
    first, *others = map(quantities.whole, numbers)
    for other in others:
        a, b = (first, other) if other.is_Integer else (other, first)
        if not b.is_Integer:
            a, b = b, quantities.expand(a - _leading(a) // _leading(b) * b)
        if not b.is_Integer or b == 0:
            raise Unread("a greatest common divisor of two numbers that vary")
        remainder = quantities.expand(a - b * sympy.Add(*(c // b * m for m, c in a.as_coefficients_dict().items())))
        if not remainder.is_Integer:
            raise quantities.split(f"gcd({quantities.shown(a)}, {b})", quantities.expand(a / b))
        first = sympy.gcd(remainder, b)
    return first


def _leading(x: Expr) -> int:
    """The coefficient of a monomial of the highest degree."""
    return int(max(x.as_coefficients_dict().items(), key=lambda term: (sympy.total_degree(term[0]), str(term[0])))[1])


def binom(quantities: Quantities, top: Expr, bottom: Expr) -> Expr:
    """C(n, k) = n·(n − 1)⋯(n − k + 1)/k! for n ≥ 0 and a number k ≥ 0, or C(n, n − k) if n − k is a number."""
    n, k = quantities.whole(top), quantities.whole(bottom)
    if not signs_of(n, quantities) <= {0, 1}:
        raise Unread(f"binom of {quantities.shown(n)}, which may be negative", borders(n, quantities))
    for few in (k, quantities.expand(n - k)):
        if few.is_Integer and 0 <= few <= MOST_DEGREE:
            return quantities.expand(sympy.ff(n, few) / sympy.factorial(few))
    raise Unread("a binomial coefficient of two numbers that vary")


FUNCTIONS: dict[str, Callable[..., Expr]] = {
    "floor": floor,
    "ceil": ceil,
    "abs": absolute,
    "min": partial(extreme, wanted=-1),
    "max": partial(extreme, wanted=1),
    "log2": log2,
    "gcd": gcd,
    "binom": binom,
    "value": lambda quantities, x: x,
}
"""The functions that have a reading as symbols."""
EXACT = ("exp", "log", "erf", "tanh", "sqrt", "popcount")
"""Those that are read at numbers only, where their values are rational."""


def at_number(name: str, x: Expr) -> Expr:
    """The rational value of a function at a number."""
    if not x.is_Rational:
        raise Unread(f"{name} of a number that varies")
    try:
        value = APPLIED[name](Fraction(int(x.p), int(x.q)))
    except InputError as error:
        raise Unread(str(error)) from None
    assert isinstance(value, Fraction)
    return sympy.Rational(value.numerator, value.denominator)


MOST_SUMMED = 12
"""The degree of a term of a sum in the bound name."""


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

    None if the term has another form, or a divisor that may be 0.
    """
    powers = quantities.powers_with(index, term)
    if any(quantities.powers[s][1] != index for s in powers):
        return None  # 2^(i·k): the ratio of neighbouring terms is not a number
    numerator, denominator = sympy.fraction(quantities.cancel(term))
    below = sympy.Poly(denominator, index, *powers)
    if len(below.terms()) != 1 or below.degree(index) > 0:
        return None
    shift, divisor = below.terms()[0]
    if 0 in signs_of(divisor, quantities):
        return None
    total = sympy.Integer(0)
    for degrees, coefficient in sympy.Poly(numerator, index, *powers).terms():
        if degrees[0] > MOST_SUMMED:
            return None
        exponents = [up - down for up, down in zip(degrees[1:], shift[1:], strict=True)]
        bases = [sympy.Integer(quantities.powers[s][0]) for s in powers]
        ratio = sympy.Mul(*(b**e for b, e in zip(bases, exponents, strict=True)))
        found = antidifference(degrees[0], ratio, index)
        last = sympy.Mul(*(quantities.power(b, e * count) for b, e in zip(bases, exponents, strict=True)))
        total += coefficient / divisor * (last * found.subs(index, count) - found.subs(index, 0))
    return quantities.cancel(total)
