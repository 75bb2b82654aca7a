"""Values of formulas, the values that a caller may give for a name, and the messages that every reading shares."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, TypeVar

from verifier.arithmetic.numbers import Number, Special
from verifier.arithmetic.rationals import Fraction
from verifier.language.operations import bounded, whole
from verifier.language.syntax import WORDS, calls_in, names_in, quoted
from verifier.language.tree import Node
from verifier.running.errors import InputError, UnknownNameError
from verifier.running.identifiers import meant

T = TypeVar("T")


@dataclass(frozen=True)
class Bits:
    """A bit string as the number that it spells, y₁ most significant. Arithmetic uses this number."""

    number: int
    length: int

    def __post_init__(self) -> None:
        if not 0 <= self.number < 1 << self.length:
            raise ValueError(f"{self.number} is not a string of {self.length} bits")

    def part(self, first: int, last: int) -> Fraction:
        """The number spelled by bits first … last, 0 for no bits (last = first − 1)."""
        if not 1 <= first <= last + 1 <= self.length + 1:
            raise InputError(f"bits {first} to {last} were asked for; the string has bits 1 … {self.length}")
        return Fraction(self.number >> (self.length - last) & (1 << last - first + 1) - 1)


Value: TypeAlias = Number | bool | Bits
Given: TypeAlias = Value | int
"""The values that a caller may give for a name."""
Functions: TypeAlias = Mapping[str, Callable[..., Given]]
"""A function that a caller may add to the language, from exact values to one exact value."""


def unknown_name(unknown: Collection[str], names: Sequence[str]) -> UnknownNameError:
    """The error of the first unknown name, with the nearest of the others."""
    name = min(unknown)
    return UnknownNameError(name, names, meant(name, names))


def check_given(tree: Node, names: Mapping[str, object], functions: Mapping[str, Callable[..., object]]) -> None:
    """Check that every name and function of a formula is given.

    Raises:
        InputError: naming the first that was not, and those that were.
    """
    if unknown := names_in(tree) - names.keys():
        raise unknown_name(unknown, list(names))
    for name, count in sorted(calls_in(tree)):
        if name not in functions:
            hint = meant(name, [*WORDS.split(", "), *functions], f"the functions are {', '.join((WORDS, *functions))}")
            raise InputError(f"no function {name!r} here; {hint}")
        if not _takes(functions[name], count):
            raise InputError(f"{name} was given {count} arguments")


@lru_cache(maxsize=256)
def _takes(function: Callable[..., object], count: int) -> bool:
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    return True


def exact_value(given: object) -> Value:
    """Convert a value to the form of the readings, where an int becomes a fraction.

    Raises:
        TypeError: a float, or anything else that no reading knows.
    """
    if isinstance(given, (Fraction, bool)):
        return given
    if isinstance(given, int):
        return bounded(Fraction(given))
    if isinstance(given, (Special, Bits)):
        return given
    raise TypeError(f"{given!r} is not an exact value of a formula")


def named(node: Node, compute: Callable[..., T], *values: object) -> T:
    """The value of a part of a formula; an error message begins with the part."""
    try:
        return bounded(compute(*values))
    except InputError as error:
        raise refused(node, error) from None


def refused(node: Node, error: InputError) -> InputError:
    error.args = InputError(f"{quoted(node)}: {error}").args
    return error


def part(string: Given, first: Number, last: Number | None = None) -> Fraction:
    """The bits first … last of a string, as a number; one bit if ``last`` is missing."""
    if not isinstance(string, Bits):
        raise InputError("bits of a string were expected, but this is not a string")
    return string.part(whole(first), whole(first if last is None else last))


def number(node: Node, found: Value) -> Number:
    """The value of a part as a number. A string has the number that it spells."""
    if isinstance(found, bool):
        raise InputError(f"{quoted(node)} is a condition, a number was expected")
    return Fraction(found.number) if isinstance(found, Bits) else found
