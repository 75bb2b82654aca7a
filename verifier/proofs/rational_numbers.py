"""sympy, which takes a fraction as the rational number that it is: without the line below it would take a float near it."""

from __future__ import annotations

import sympy
from sympy.core.sympify import converter

from verifier.arithmetic.rationals import Fraction

__all__ = ["sympy"]

converter[Fraction] = lambda x: sympy.Rational(x.numerator, x.denominator)
