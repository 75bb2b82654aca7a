"""Common parts of the files of tables and of networks: the base of their records, names, and parameters with their values."""

from __future__ import annotations

import keyword
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Annotated, Protocol

import msgspec
from msgspec import Meta

from verifier.arithmetic.rationals import Fraction
from verifier.language import exact, syntax
from verifier.language.printer import printed
from verifier.language.tree import Choice, Logic, Node
from verifier.running.errors import FileDefect, InputError, Path, placed
from verifier.running.identifiers import EXPECTED, identifier

Expression = str | int

RESERVED = ("N", "i", *sorted(syntax.RESERVED))
"""Names that formulas and entries give a meaning of their own."""

OPTIONS = (
    *("against", "arithmetic", "certificate", "edition", "editions", "errata", "every", "form", "format", "help", "limit", "method"),
    *("output", "papers", "semantics", "states", "steps", "symbols", "verbose", "verdicts", "word", "words", "y", "z"),
)
"""Options of the commands on construction files. Each parameter is a further option."""

PARAMETER = re.compile(r"[a-z][a-z0-9_]*")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


NO_PROMISE = "none"


def conditions_of(promise: Node) -> Iterator[Node]:
    """The conditions that ``and`` joins in a promise; none of ``none``."""
    if isinstance(promise, Logic) and promise.operator == "and":
        for each in promise.parts:
            yield from conditions_of(each)
    elif printed(promise) != NO_PROMISE:
        yield promise


def promise_of(conditions: Iterable[Node]) -> str:
    """The promise that all these conditions hold."""
    written = []
    for each in conditions:
        brackets = isinstance(each, Choice) or (isinstance(each, Logic) and each.operator != "not")
        written.append(f"({printed(each)})" if brackets else printed(each))
    return " and ".join(written) or NO_PROMISE


class UnfitError(ValueError):
    """The mistake of a record that concerns one place inside it."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path = path


def unfit(error: msgspec.ValidationError, path: Path) -> FileDefect:
    """The mistake that a record at this place has found in itself."""
    message, inside = str(error).partition(" - at `$")[0], error.__cause__
    return FileDefect((*path, *inside.path), message) if isinstance(inside, UnfitError) else FileDefect(path, message)


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of the records: unknown keys are errors."""


def identified(text: str, *path: str | int) -> None:
    """Raise ValueError if the text at this place of a record is not an id; records turn it into a mistake of the file."""
    try:
        identifier(text)
    except InputError:
        raise UnfitError(f"{repr(text)[:100]}; {EXPECTED}", *path) from None


def quantity_named(name: str, *path: str) -> None:
    """Raise ValueError if a formula cannot use this name, at this place of a record, for a quantity of the file."""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name) or name in RESERVED:
        raise UnfitError(f"{name!r} names no quantity; a word such as half, other than {', '.join(RESERVED)}, was expected", *path)


def option_named(name: str, what: str, taken: Container[str], *path: str) -> None:
    """Raise ValueError if the name of a ``parameter`` or ``string``, at this place of a record, cannot be an option; some are taken."""
    if not PARAMETER.fullmatch(name):
        raise UnfitError(f"{name!r} is not a name of a {what}; small letters were expected, such as x, and digits after them", *path)
    if name in taken:
        raise UnfitError(f"{name!r} is an option of `verify`; another name of a {what} was expected", *path)


class Parameter(Strict, frozen=True):
    """A parameter: an option of the command line of the same name."""

    where: Annotated[str, Meta(description="The domain of the parameter, a condition such as `p >= 3`.")]
    meaning: Annotated[str, Meta(description="The meaning of the parameter, for the help text.")] = ""
    default: Annotated[
        Expression | None, Meta(description="The value of the parameter if none is given. The formula may use earlier parameters.")
    ] = None


class WithParameters(Protocol):
    """A file with parameters by name."""

    @property
    def id(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, Parameter]: ...


LARGEST_TRIED = 64
"""The largest value that is tried for a parameter if nothing names its value."""


def complete(file: WithParameters, given: Mapping[str, int]) -> dict[str, int]:
    """The given parameters with the defaults of the others.

    Raises:
        InputError: a parameter is unknown, or is missing and has no default.
    """
    unknown = set(given) - set(file.parameters)
    if unknown:
        raise InputError(f"{file.id} has no parameter {min(unknown)!r}; it takes {', '.join(file.parameters)}")
    values: dict[str, int] = {}
    for name, spec in file.parameters.items():
        if name in given:
            values[name] = given[name]
        elif spec.default is not None:
            with placed(f"{file.id}: parameters.{name}.default", ("parameters", name, "default")):
                values[name] = exact.integer(spec.default, {k: Fraction(v) for k, v in values.items()})
        else:
            raise InputError(f"{file.id} needs --{name} ({spec.meaning or spec.where})")
    return values


def outside_domain(file: WithParameters, values: Mapping[str, int]) -> str | None:
    """The first parameter condition that the values break, as a sentence; None inside the domain."""
    name = parameter_outside(file, values)
    return None if name is None else f"{name} = {values[name]} is outside {file.parameters[name].where}"


def parameter_outside(file: WithParameters, values: Mapping[str, int]) -> str | None:
    """The first parameter whose condition the values break; None inside the domain."""
    names = {k: Fraction(v) for k, v in values.items()}
    for name, spec in file.parameters.items():
        with placed(f"{file.id}: parameters.{name}.where", ("parameters", name, "where")):
            if not exact.truth(spec.where, names):
                return name
    return None


def inside(file: WithParameters, given: Mapping[str, int]) -> dict[str, int]:
    """The given parameters, completed.

    Raises:
        InputError: an unknown or missing parameter, or a value outside the domain.
    """
    values = complete(file, given)
    outside = outside_domain(file, values)
    if outside:
        raise InputError(f"{file.id}: {outside}")
    return values


def admits(file: WithParameters, given: Mapping[str, int]) -> bool:
    """Whether the parameters lie in the file's domain."""
    try:
        inside(file, given)
    except InputError:
        return False
    return True


def smallest(file: WithParameters, named: Mapping[str, int]) -> dict[str, int]:
    """The named parameters, and for others without a default the smallest admissible value from 0."""
    values: dict[str, int] = {}
    for name, spec in file.parameters.items():
        if name in named:
            values[name] = named[name]
        elif spec.default is None:
            known = {k: Fraction(v) for k, v in values.items()}
            tried = (v for v in range(LARGEST_TRIED) if exact.truth(spec.where, {**known, name: Fraction(v)}))
            values[name] = next(tried, LARGEST_TRIED)
    return values
