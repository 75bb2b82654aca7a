"""The operations as functions that formulas in statement files use: of a number's fields, one name each (``paper.toml``).

A number is (−1)^S · 2^E · (1 + k/n): its mantissa is a multiple k of 1/n. Exact values come from :mod:`.exact`, which reads S, E and M off
the number itself; the formulas beside them, which the symbols read, are Equations (5) to (17) over the fields.
"""

from __future__ import annotations

from constructions.piecewise_affine.mathematics import exact
from verifier.arithmetic.rationals import Fraction
from verifier.language.formula_functions import written
from verifier.running.errors import InputError


def _number(n: Fraction, S: Fraction, E: Fraction, k: Fraction) -> Fraction:
    if not 0 <= k < n:
        raise InputError(f"{k}/{n} is not a mantissa; 0 <= M < 1 was expected")
    return exact.Parts(int(S) % 2, int(E), k / n).value


@written("(-1)**(S + T)*(2**(E + F)*(n + k + l)/n if k + l < n else 2**(E + F + 1)*(k + l)/n)")
def product(n: Fraction, S: Fraction, E: Fraction, k: Fraction, T: Fraction, F: Fraction, l: Fraction) -> Fraction:  # noqa: E741
    """A ·̂ B for A = (−1)^S 2^E (1 + k/n), B = (−1)^T 2^F (1 + l/n)."""
    return exact.product(_number(n, S, E, k), _number(n, T, F, l))


@written("(-1)**(S + T)*(2**(E - F)*(n + k - l)/n if k >= l else 2**(E - F - 1)*(2*n + k - l)/n)")
def quotient(n: Fraction, S: Fraction, E: Fraction, k: Fraction, T: Fraction, F: Fraction, l: Fraction) -> Fraction:  # noqa: E741
    """A ÷̂ B, the inverse of the product, for the same A and B."""
    return exact.quotient(_number(n, S, E, k), _number(n, T, F, l))


@written("2**floor(x)*(1 + x - floor(x))")
def paexp2(x: Fraction) -> Fraction:
    """paexp₂(x) (Eq. 9)."""
    return exact.exp2(x)


@written("E + k/n")
def palog2(n: Fraction, E: Fraction, k: Fraction) -> Fraction:
    """palog₂ of 2^E (1 + k/n) (Eq. 10)."""
    return exact.log2(_number(n, Fraction(0), E, k))


def pam(x: Fraction, y: Fraction) -> Fraction:
    """x ·̂ y of any two rationals."""
    return exact.product(x, y)


def pad(x: Fraction, y: Fraction) -> Fraction:
    """x ÷̂ y of any two rationals, y not 0."""
    return exact.quotient(x, y)


def palog(x: Fraction) -> Fraction:
    """palog₂(x) of any positive rational."""
    return exact.log2(x)


def pasqrt(x: Fraction) -> Fraction:
    """pasqrt(x) of any positive rational (Eq. 20)."""
    return exact.sqrt(x)


@written("2**floor((E + k/n)/2)*(1 + (E + k/n)/2 - floor((E + k/n)/2))")
def pasqrt_of(n: Fraction, E: Fraction, k: Fraction) -> Fraction:
    """pasqrt of 2^E (1 + k/n) (Eq. 20); a quotient by 2 is exact."""
    return exact.sqrt(_number(n, Fraction(0), E, k))


@written("(-1)**S*(2**E*(n + k - c)/n if k >= c else 2**(E - 1)*(2*n + k - c)/n)")
def palog_of_power(n: Fraction, S: Fraction, E: Fraction, k: Fraction, c: Fraction) -> Fraction:
    """palog of paexp₂(t), t = (−1)^S 2^E (1 + k/n), with 1 + c/n in place of log₂ e (Eq. 19): t ÷̂ (1 + c/n), as palog₂ undoes paexp₂."""
    return exact.log(exact.exp2(_number(n, S, E, k)), 1 + c / n)
