"""The exact reading of formulas: one case at a time, in fractions. It defines what a formula means; the other readings agree with it.

What every part means stands in :mod:`verifier.language.evaluator`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from verifier.arithmetic.numbers import Special, show
from verifier.arithmetic.rationals import Fraction
from verifier.language.evaluator import MOST_TERMS, Case, Part, part_of
from verifier.language.operands import Bits, Functions, Given, Value, check_given, exact_value, no_condition, number
from verifier.language.operations import Irrational
from verifier.language.syntax import Formula, calls_in, names_in, quoted, tree_of
from verifier.running.errors import InputError

__all__ = ["Bits", "Given", "Irrational", "Value", "integer", "rational", "truth", "value"]


def value(formula: Formula, names: Mapping[str, Given], functions: Functions | None = None) -> Value:
    """The value of a formula.

    Raises:
        InputError: outside the language, an unknown name or function, a division by zero, a number of more than 4096 bits.
        Irrational: (an InputError) a value that only balls can enclose.
    """
    if isinstance(formula, int):
        return exact_value(formula)
    of, read, calls = _whole(formula)
    if calls or not read <= names.keys():
        check_given(tree_of(formula), names, functions or {})
    return of(Case(names, functions or {}, iter(range(MOST_TERMS))))


def truth(formula: Formula, names: Mapping[str, Given], functions: Functions | None = None) -> bool:
    """Whether a condition such as ``p >= 8 and n > 4*p`` holds."""
    found = value(formula, names, functions)
    return found if isinstance(found, bool) else no_condition(tree_of(formula))


def rational(formula: Formula, names: Mapping[str, Given], functions: Functions | None = None) -> Fraction:
    """The value of a formula that must be a finite number."""
    found = value(formula, names, functions)
    if not isinstance(found, Fraction):
        found = number(tree_of(formula), found)
    if isinstance(found, Special):
        raise InputError(f"{quoted(formula)} is {show(found)}, a finite number was expected")
    return found


def integer(formula: Formula, names: Mapping[str, Given], functions: Functions | None = None) -> int:
    """The value of a formula that must be an integer."""
    found = rational(formula, names, functions)
    if found.denominator != 1:
        raise InputError(f"{quoted(formula)} is {found}, an integer was expected")
    return found.numerator


@lru_cache(maxsize=1 << 14)
def _whole(formula: Formula) -> tuple[Part[Value], frozenset[str], frozenset[tuple[str, int]]]:
    """A formula looked through, the names that it reads and the caller's functions that it asks for."""
    tree = tree_of(formula)
    return part_of(tree), names_in(tree), calls_in(tree)
