"""The shape of construction files and errata files (TOML), and reading them.

Everything that depends on the parameters is a formula (:mod:`verifier.formulas`); an index range is written as the
papers write it: ``-1``, ``{0, 1}``, ``[7 : h]``, ``{2, 4, ..., 2*t - 8}``. Rows stand in printed order.
"""

from __future__ import annotations

import keyword
import re
import stat
import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from verifier.errors import InputError
from verifier.formulas import syntax
from verifier.formulas.syntax import LARGEST
from verifier.semantics import Point

Expression = str | int
CONSTRUCTION = "bitreferee/construction/1"
ERRATA = "bitreferee/errata/1"
RESERVED = ("N", "i", *sorted(syntax.RESERVED))
"""Names that formulas and entries give a meaning of their own."""

OPTIONS = (
    *("certificate", "errata", "files", "format", "form", "help", "limit", "method", "output", "papers", "semantics", "states"),
    *("symbols", "y", "z"),
)
"""Options of the commands on construction files; parameters are options beside them."""

SEMANTICS = "semantics"
"""Beside parameters, what ``[check]`` may name."""

MOST_BYTES = 1 << 22
"""The size of the largest file that is read."""

_PARAMETER = re.compile(r"[a-z][a-z0-9_]*")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of the records below: unknown keys are errors."""


class ParameterEntry(Strict, frozen=True):
    """A parameter's domain, and its default where it has one."""

    where: str
    meaning: str = ""
    default: Expression | None = None


class PrecisionEntry(Strict, frozen=True):
    """Fixed point: ``bits``. Floating point: ``t`` digits of the mantissa and ``e`` of the exponent, each with its sign."""

    bits: Expression | None = None
    t: Expression | None = None
    e: Expression | None = None

    @property
    def point(self) -> Point:
        """The kind of format."""
        return "fixed" if self.bits is not None else "floating"


class ProblemEntry(Strict, frozen=True):
    """``promise``: ``none``, ``y <= z``, or conditions such as ``y <= z and y[2 : e+1] > 0`` (:mod:`verifier.problems`)."""

    function: str
    promise: str
    length: Expression


class TokensEntry(Strict, frozen=True):
    """First and last token index; the last token is the one that asks (its row gives the query)."""

    first: Expression
    last: Expression


class InputEntry(Strict, frozen=True):
    """What the tokens ``i`` hold: ``0``, a bit ``y[i]``, or a list of fields such as ``["y[1]", "y[2 : e+1]", "~y[m]"]``."""

    i: Expression
    reads: Expression | list[Expression]


def _named(name: str) -> None:
    """Raises ValueError where a formula cannot use this name for a quantity of the file."""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name) or name in RESERVED:
        raise ValueError(f"{name!r} names no quantity; a word such as half, other than {', '.join(RESERVED)}, was expected")


class RepeatedEntry(Strict, frozen=True, rename={"for_": "for", "in_": "in"}):
    """One entry for each index of a range, for vectors whose length depends on the parameters:
    ``{ for = "k", in = "[1 : 2*m]", entry = "1 if k == i else 0" }``.
    """

    for_: str
    in_: Expression
    entry: Expression

    def __post_init__(self) -> None:
        _named(self.for_)


class RepeatedRow(Strict, frozen=True, rename={"for_": "for", "in_": "in"}):
    """One row of a matrix for each index of a range, as :class:`RepeatedEntry`."""

    for_: str
    in_: Expression
    row: list[Expression]

    def __post_init__(self) -> None:
        _named(self.for_)


Entries = list[Expression | RepeatedEntry]


class RowEntry(Strict, frozen=True):
    """One printed row: the vectors for a (last) field of 0 and of 1; no ``one`` where the page prints NA."""

    step: int
    i: Expression
    zero: Entries
    one: Entries | None = None


class MatrixEntry(Strict, frozen=True):
    """A weight matrix, row by row; ``times = "ln2"`` where the page has the factor ln 2."""

    matrix: list[list[Expression] | RepeatedRow]
    times: str = "1"


class WeightsEntry(Strict, frozen=True):
    query: MatrixEntry
    key: MatrixEntry
    value: MatrixEntry


class NodeEntry(Strict, frozen=True):
    weights: list[Expression]
    bias: Expression


class MlpEntry(Strict, frozen=True):
    hidden: list[NodeEntry]
    output: NodeEntry


class ConstructionFile(Strict, frozen=True):
    """A construction file as written.

    ``check`` is what is run where the command line does not say: values or ranges of parameters, and the semantics.
    ``quantities`` names substrings as numbers, such as ``e_y = "y[2 : e+1]"``, for the entries of rows whose tokens hold those bits.
    """

    format: str
    id: str
    title: str
    source: str
    parameters: dict[str, ParameterEntry]
    precision: PrecisionEntry
    problem: ProblemEntry
    tokens: TokensEntry
    input: list[InputEntry]
    row: list[RowEntry]
    weights: WeightsEntry
    mlp: MlpEntry
    derived: dict[str, Expression] = {}
    quantities: dict[str, str] = {}
    attention: str = "softmax"
    note: str = ""
    check: dict[str, str | int] = {}

    def __post_init__(self) -> None:
        for name in (*self.parameters, *self.derived):
            _named(name)
        for name in self.parameters:
            if not _PARAMETER.fullmatch(name) or name in OPTIONS:
                expected = f"small letters, other than {', '.join(OPTIONS)}, were expected"
                raise ValueError(f"the parameter {name!r} cannot be an option; {expected}")
        if twice := self.parameters.keys() & self.derived.keys():
            raise ValueError(f"{min(twice)!r} is both a parameter and a derived quantity")
        _checkable(self)


def _checkable(file: ConstructionFile) -> None:
    """Raises ValueError where ``[check]`` says what nothing reads."""
    for name, value in file.check.items():
        if name not in file.parameters and name != SEMANTICS:
            raise ValueError(f"check.{name}: {', '.join(file.parameters)} or {SEMANTICS} was expected")
        if name == SEMANTICS and not isinstance(value, str):
            raise ValueError(f"check.{name} is {value!r}, the name of a reading was expected")


class ErratumEntry(Strict, frozen=True):
    """One change. ``at`` walks the construction file: ``row.5.i`` (by step), ``mlp.hidden.1.bias``; lists count from 1. Several places
    where one expression is printed at all of them.

    keeps: a step of the proof that it keeps true, where the table would compute its function without it.
    ranges: whether it changes nothing but indices, so that every reader takes it for granted: which tokens a clause or a row is about,
    which bits they hold, or which of the table's quantities, by its indices, an entry means.
    """

    name: str
    at: str | list[str]
    printed: Expression
    repaired: Expression
    why: str
    ranges: bool = False
    keeps: str = ""

    @property
    def places(self) -> list[str]:
        return [self.at] if isinstance(self.at, str) else self.at

    @property
    def place(self) -> str:
        """Every place, as text."""
        return ", ".join(self.places)


class PromiseEntry(Strict, frozen=True):
    """A condition that is added to the promise: not a repair of the table but a restriction of what it is asked to do."""

    name: str
    condition: str
    why: str


class ErrataFile(Strict, frozen=True):
    """Errata of one construction: together they verify it on ``domain`` under ``semantics``."""

    format: str
    construction: str
    domain: str
    why_domain: str
    semantics: str
    erratum: list[ErratumEntry]
    promise: list[PromiseEntry] = []


Shape = TypeVar("Shape", ConstructionFile, ErrataFile)


def read_toml(path: Path | Traversable) -> dict[str, Any]:
    """The raw content of a TOML file.

    Raises:
        InputError: the file is missing, is no regular file, is larger than 4 MiB, is not text, or is not TOML.
    """
    try:
        return _bounded(tomllib.loads(_content(path).decode()))
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise InputError(f"{path}: no such file") from None
    except PermissionError:
        raise InputError(f"{path}: not readable") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file; a construction file is TOML in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from None
    except RecursionError:
        raise InputError(f"{path}: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{path}: a value that cannot be read: {error}") from None


def _content(path: Path | Traversable) -> bytes:
    if isinstance(path, Path):
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise InputError(f"{path}: a directory, a file was expected")
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{path}: no regular file")
        if found.st_size > MOST_BYTES:
            raise InputError(f"{path}: {found.st_size:,} bytes, the limit for a file is {MOST_BYTES:,}")
    return path.read_bytes()


def _bounded(raw: dict[str, Any]) -> dict[str, Any]:
    """``raw``, where no integer is too large to be written in a message."""
    values: list[Any] = [raw]
    for value in values:
        if isinstance(value, int) and value.bit_length() > LARGEST:
            raise ValueError(f"an integer of more than {LARGEST} bits")
        values += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return raw


def shaped(raw: dict[str, Any], shape: type[Shape], version: str, name: str) -> Shape:
    """``raw`` as a record of the given shape.

    Raises:
        InputError: wrong version, missing or unknown keys, wrong types; the message names the place.
    """
    if raw.get("format") != version:
        raise InputError(f"{name}: format is {raw.get('format')!r}, {version!r} was expected as the file's first line")
    try:
        return msgspec.convert(raw, shape)
    except msgspec.ValidationError as error:
        raise InputError(f"{name}: {str(error).replace('`', '')}") from None
