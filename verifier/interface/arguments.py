"""Read arguments from Python. Exact numbers are accepted, and others are refused in one line."""

from __future__ import annotations

import fractions
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction
from verifier.running import printable
from verifier.running.errors import FileDefects, InputError, LimitError
from verifier.running.identifiers import meant
from verifier.running.notebooks import SPELLINGS, in_python
from verifier.running.shelf import SHELF

Given = ParamSpec("Given")
Returned = TypeVar("Returned")

Exact: TypeAlias = int | Fraction | str
"""A rational: an integer, a fraction, or a text such as ``"-3"``, ``"1/3"`` or ``"0.625"``."""

Values: TypeAlias = int | str | range | Sequence[int | str]
"""Values of a parameter: one, or several as ``"4..6"``, ``"3,5..7"``, ``"all"``, ``range(4, 7)`` or ``[3, 5]``."""


KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "str": (lambda value: isinstance(value, str), "a text"),
    "PathLike[str]": (lambda value: isinstance(value, PathLike), "a path"),
    "Sequence[str]": (lambda value: isinstance(value, list | tuple) and all(isinstance(each, str) for each in value), "a list of texts"),
    "int": (lambda value: isinstance(value, Integral) and not isinstance(value, bool), "an int"),
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "Mapping[str, Any]": (lambda value: isinstance(value, Mapping), "a dict"),
    "None": (lambda value: value is None, ""),
}
"""Parts of annotations that say what may be given: a test, and what it is in words."""
EXAMPLES = {
    "arithmetic": "'float16'",
    "claim": "'theorem-2.4'",
    "edition": "'printed'",
    "paper": "'every-bit-counts'",
    "path": "'row 3, one 2'",
}
"""An example for each argument that has one."""
LEAST = {"inputs": 0, "jobs": 1, "limit": 1}
"""The least value of arguments that are numbers."""


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
        elif isinstance(value, list | tuple) and value and not any(isinstance(each, list | tuple) for each in value):
            found[name] = ",".join(texts({name: each})[name] for each in value)
        else:
            several = isinstance(value, list | tuple)
            expected = "a list of at least one int or text" if several else "an int, a range or a text such as '4..6'"
            hint = f"; `list({name})` makes a list of it" if isinstance(value, Iterable) and not several else ""
            raise TypeError(f"{name} is {shown(value)}; {expected} was expected{hint}")
    return found


READ: dict[Path, dict[Path, tuple[int, int]]] = {}
"""The folders of the user's papers: the size and the time of each file when :func:`bitreferee.add_papers` added it."""


def remember(folder: Path) -> None:
    """Remember the files of a folder of papers, which are read once."""
    READ[folder] = {path: _state(path) for path in folder.resolve().rglob("*.toml")}


def _state(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_size, found.st_mtime_ns


def _refuse_changed() -> None:
    """Raise InputError if a file of a paper that was added is another now."""
    for path, state in (each for folder in SHELF.folders for each in READ.get(folder, {}).items()):
        if _state(path) != state:
            raise InputError(f"{path} changed after add_papers, and a paper is read once; start Python again to judge it as it is now")


def of_arguments(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """Wrap the function, so that texts and paths are checked, and its errors name arguments (``p``) instead of options (``--p``)."""

    takes = signature(function)
    own = [name for name in takes.parameters if name not in ("self", "cls")]
    first = [name for name, each in takes.parameters.items() if each.kind is Parameter.POSITIONAL_OR_KEYWORD]
    last = any(each.kind is Parameter.VAR_POSITIONAL for each in takes.parameters.values())
    free = any(each.kind is Parameter.VAR_KEYWORD for each in takes.parameters.values())

    @wraps(function)
    def called(*words: Given.args, **named: Given.kwargs) -> Returned:
        _refuse_changed()
        if unknown := [name for name in named if name not in own and (not free or SPELLINGS.get(name) in own)]:
            spelt = SPELLINGS.get(unknown[0])
            near = f"did you mean {spelt}?" if spelt in own else meant(unknown[0], own, f"it has {', '.join(own)}")
            raise TypeError(f"{function.__name__} has no argument {unknown[0]!r}; {near}")
        if (more := words[len(first) :]) and not last:
            hint = f"; write its name, such as p={more[0]}" if free and isinstance(more[0], Integral) else ""
            if "Sequence[" in str(takes.parameters[first[0]].annotation) and isinstance(more[0], str | PathLike):
                hint = "; write several as a list"
            said = f"{function.__name__} takes only {printable.joined(first)} without a name; the further argument is {shown(more[0])}"
            raise TypeError(f"{said}{hint}")
        given = takes.bind_partial(*words, **named).arguments
        if missing := [name for name in first if name not in given and takes.parameters[name].default is Parameter.empty]:
            raise TypeError(f"{function.__name__} needs {printable.joined(missing)}")
        for name, value in given.items():
            _check_kind(takes.parameters[name], value)
        try:
            return function(*words, **named)
        except FileDefects as error:
            if len(error.each) == 1 and not (error.each[0].path or error.each[0].line):
                raise InputError(in_python(str(error))) from None
            error.lines = tuple(map(in_python, error.lines))
            error.args = (in_python(str(error)),)
            if not getattr(error, "__notes__", ()):
                for line in error.lines[1:]:
                    error.add_note(line)
            raise
        except InputError as error:
            error.args = (in_python(str(error)),)
            raise
        except LimitError as error:
            error.message, error.flag = error.args = (in_python(error.message), in_python(error.flag))
            raise

    return called


def _check_kind(parameter: Parameter, value: Any) -> None:
    """Raise TypeError if an argument is not what its annotation says, as far as that is in :data:`KINDS`, and InputError if it is below
    :data:`LEAST`."""
    kinds = [KINDS.get(part) for part in str(parameter.annotation).split(" | ")]
    several = parameter.kind is Parameter.VAR_POSITIONAL
    for each in value if several else [value] if parameter.kind is not Parameter.VAR_KEYWORD else []:
        if all(kinds) and not any(kind[0](each) for kind in kinds if kind):
            example = f" such as {EXAMPLES[parameter.name]}" if parameter.name in EXAMPLES else ""
            expected = " or ".join(kind[1] + example * (kind[1] == "a text") for kind in kinds if kind and kind[1])
            raise TypeError(f"{parameter.name} is {shown(each)}; {expected} was expected")
        least = LEAST.get(parameter.name)
        if least is not None and each is not None and each < least:
            raise InputError(f"{parameter.name} is {each}; {f'at least {least}' if least else '0 or more'} was expected")


def one_of(name: str, value: str | None, names: Sequence[str]) -> None:
    """Raise InputError if a text is not one of these."""
    if value is not None and value not in names:
        raise InputError(f"{name} is {value!r}; there are {printable.joined(names)}")


def joined(given: str | Sequence[str]) -> str:
    """One text, as the command line has it, of several arithmetics.

    Raises:
        InputError: none is given.
    """
    if not (found := given if isinstance(given, str) else ",".join(given)):
        raise InputError(f"arithmetic is {given!r}; at least one was expected, such as {EXAMPLES['arithmetic']}")
    return found


def shown(value: object) -> str:
    """``0.1, a float``."""
    return f"{' '.join(repr(value).split())[:60]}, {kind_of(value)}"


def kind_of(value: object) -> str:
    """``a float``."""
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeioAEIO' else 'a'} {kind}"
