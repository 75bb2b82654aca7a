"""Read arguments from Python. Exact numbers are accepted, and others are refused in one line."""

from __future__ import annotations

import fractions
import re
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from numbers import Integral
from typing import Any, ParamSpec, TypeAlias, TypeVar

from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import FileDefects, InputError, LimitError
from verifier.running.identifiers import meant

Given = ParamSpec("Given")
Returned = TypeVar("Returned")

Exact: TypeAlias = int | Fraction | str
"""A rational: an integer, a fraction, or a text such as ``"-3"``, ``"1/3"`` or ``"0.625"``."""

Values: TypeAlias = int | str | range
"""Values of a parameter: one, or several as ``"4..6"``, ``"3,5..7"``, ``"all"`` or ``range(4, 7)``."""


def standard(number: Number) -> Number:
    """The same number; a fraction becomes one of the standard library, which sympy and type checks recognise."""
    return fractions.Fraction(number.numerator, number.denominator) if isinstance(number, Fraction) else number


def integer(value: Any, name: str) -> int:
    """An integer; True and False are refused.

    Raises:
        TypeError: anything else.
    """
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    raise TypeError(f"{name} is {shown(value)}; an int was expected")


def texts(parameters: Mapping[str, Values]) -> dict[str, str]:
    """Parameters in the form of the command line.

    Raises:
        TypeError: a value that is neither an integer nor a text nor a range.
        InputError: an empty range, or one with steps.
    """
    found = {}
    for name, value in parameters.items():
        if isinstance(value, range):
            if not value or value.step != 1:
                raise InputError(f"{name} is {value}; a range of at least one value, in steps of 1, was expected")
            found[name] = f"{value[0]}..{value[-1]}"
        elif isinstance(value, str):
            found[name] = value
        elif isinstance(value, Integral) and not isinstance(value, bool):
            found[name] = str(int(value))
        else:
            raise TypeError(f"{name} is {shown(value)}; an int, a range or a text such as '4..6' was expected")
    return found


def of_arguments(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """Wrap the function, so that its errors name arguments (``p``) instead of options (``--p``)."""

    takes = signature(function).parameters
    own, free = list(takes), any(each.kind is Parameter.VAR_KEYWORD for each in takes.values())

    @wraps(function)
    def called(*words: Given.args, **named: Given.kwargs) -> Returned:
        if unknown := [] if free else [name for name in named if name not in own]:
            raise TypeError(f"{function.__name__} has no argument {unknown[0]!r}; {meant(unknown[0], own, 'it has ' + ', '.join(own))}")
        try:
            return function(*words, **named)
        except FileDefects as error:
            error.lines = tuple(map(_argument, error.lines))
            error.args = (_argument(str(error)),)
            if not getattr(error, "__notes__", ()):
                for line in error.lines[1:]:
                    error.add_note(line)
            raise
        except InputError as error:
            error.args = (_argument(str(error)),)
            raise
        except LimitError as error:
            error.flag = _argument(error.flag)
            raise

    return called


def _argument(message: str) -> str:
    """A message with ``m is 'x'; `` for ``--m x: ``, ``m=3`` for ``--m 3``, and ``the argument m`` for any other ``--m``."""
    message = re.sub(r"^((?:\S+: )?)--([a-z]\w*) (\S+): ", r"\1\2 is '\3'; ", message)
    message = re.sub(r"write --([a-z]\w*) (\S+)", r"write \1='\2'", message)
    message = re.sub(r"(?<![\w-])--([a-z]\w*) (-?\d+)\b( (?=--))?", lambda found: f"{found[1]}={found[2]}{', ' * bool(found[3])}", message)
    return re.sub(r"(?<![\w-])--([a-z][\w-]*)", lambda found: f"the argument {found[1].replace('-', '_')}", message)


def shown(value: object) -> str:
    """``0.1, a float``."""
    return f"{repr(value)[:60]}, {kind_of(value)}"


def kind_of(value: object) -> str:
    """``a float``."""
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeioAEIO' else 'a'} {kind}"
