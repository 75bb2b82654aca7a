"""Numbers of construction files: formulas (:mod:`verifier.language.exact`), and the papers' "large enough" N as an entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from verifier.arithmetic.rationals import Fraction
from verifier.language import exact
from verifier.language.exact import Given
from verifier.language.syntax import names_in, parse
from verifier.language.tree import Name, Signed
from verifier.running.errors import InputError


@dataclass(frozen=True)
class Large:
    """±N: a number so large that e^−N is 0. Only its sign is known."""

    positive: bool = True

    def __str__(self) -> str:
        return "N" if self.positive else "-N"


Entry: TypeAlias = Fraction | Large
Names: TypeAlias = Mapping[str, Fraction]
GivenNames: TypeAlias = Mapping[str, Given]
"""Names in an entry: numbers, and strings that the token holds."""


def rational(text: str | int, names: GivenNames) -> Fraction:
    """A number of a construction file.

    Raises:
        InputError: as :func:`verifier.language.exact.rational`; also for N, which combines with nothing.
    """
    return exact.rational(_without_n(text), names)


def integer(text: str | int, names: Names) -> int:
    """A number of a construction file that must be an integer."""
    return exact.integer(_without_n(text), names)


def entry(text: str | int, names: GivenNames) -> Entry:
    """A table entry: a rational, or ±N."""
    if isinstance(text, str):
        match parse(text):
            case Name("N"):
                return Large()
            case Signed("-", Name("N")):
                return Large(positive=False)
    return rational(text, names)


def _without_n(text: str | int) -> str | int:
    if "N" in names_in(text):
        raise InputError("N and -N may only stand alone, as an entry of a row; a number was expected")
    return text
