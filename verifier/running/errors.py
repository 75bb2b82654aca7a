"""Errors that a user can correct. Each message says what is wrong, where, and what was expected, in one line; the command line shows it
with exit status 2.

A refuted claim is a value (:mod:`verifier.claims.verdicts`), never an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

TRUST = "--trust"
"""The flag that lets a folder's Python run; it stands among the extras that were missing."""

LONGEST = 2000
"""The longest message in characters."""


class BitrefereeError(Exception):
    """Base of the errors that a user can correct: an input that cannot be used, or a request beyond a limit."""


class InputError(BitrefereeError):
    """A command line, construction file, errata file or parameter that cannot be used.

    The message is one printable line for any input: other characters are shown as escapes, and a long text is cut in its middle.
    """

    def __init__(self, message: str) -> None:
        if len(message) > LONGEST:
            message = f"{message[: LONGEST // 2]} … {message[-LONGEST // 4 :]}"
        super().__init__("".join(c if c.isprintable() else ascii(c)[1:-1] for c in message))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process with the message and all attributes, whatever the class is made from."""
        return Exception.__new__, (type(self), *self.args), self.__dict__


class UnknownNameError(InputError):
    """A formula reads a name that has no value. name: that name; names: those that have one; hint: a guess at what was meant."""

    def __init__(self, name: str, names: Sequence[str], hint: str = "") -> None:
        those = ", ".join(names) or "none"
        super().__init__(f"no name {name!r} here; {hint or f'the names are {those}'}")
        self.name, self.names = name, tuple(names)


MOST_MISTAKES = 100
"""Mistakes of one file that have a line."""

Path: TypeAlias = tuple[str | int, ...]
"""A place in a TOML file: keys, and places in lists from 0."""


@dataclass(frozen=True)
class FileDefect:
    """One mistake of a file: its place, and a description in words. ``place`` is the author's name for the place, if it differs from the
    path.

    file, line: the file and the line from 1; empty and None if unknown. unknown: the name without a value, and the names that have one.
    """

    path: Path
    message: str
    place: str | None = None
    file: str = ""
    line: int | None = None
    unknown: tuple[str, tuple[str, ...]] | None = None

    @classmethod
    def of(cls, error: InputError, path: Path, place: str | None = None) -> FileDefect:
        """An error as the mistake at a place."""
        return cls(path, str(error), place, unknown=(error.name, error.names) if isinstance(error, UnknownNameError) else None)

    def __str__(self) -> str:
        place = words(self.path) if self.place is None else self.place
        return f"{place}: {self.message}" if place else self.message

    @property
    def line_told(self) -> str:
        """The defect as a line of the screen: ``mine.toml:7: row 1: …``."""
        where = ":".join(filter(None, (self.file, str(self.line or ""))))
        return str(InputError(f"{where}: {self}" if where else str(self)))


def words(path: Path) -> str:
    """A path with numbers from 1: ``row 3, zero 2``, ``weights.key.matrix 1``."""
    text = ""
    for before, key in zip((None, *path), path, strict=False):
        if isinstance(key, int):
            text += f" {key + 1}"
        else:
            text += ", " * isinstance(before, int) + "." * isinstance(before, str) + key
    return text


class FileDefects(InputError):  # noqa: N818  # several of them
    """All mistakes of one file. ``lines`` has one line for each; as a text it is the first, with the number of the others."""

    def __init__(self, each: Sequence[FileDefect], within: str, lines: Sequence[str] = ()) -> None:
        self.each, self.within = tuple(each), within
        found = lines or [f"{within}: {defect}" for defect in each]
        self.lines = tuple(str(InputError(line)) for line in found)
        more = len(self.lines) - 1
        super().__init__(f"{self.lines[0]}{f' (and {more} more)' if more else ''}")

    def located(self, name: str, line_of: Callable[[Path], int | None]) -> FileDefects:
        """The same mistakes, each with its file and line, in the order of the file."""
        each = [replace(defect, file=name, line=line_of(defect.path)) for defect in self.each]
        each.sort(key=lambda defect: (defect.line is None, defect.line or 0))
        return FileDefects(each, name, [defect.line_told for defect in each])


def misplaced(message: str, *path: str | int) -> FileDefects:
    """The mistake of the value at a place of a file."""
    defect = FileDefect(path, message)
    return FileDefects([defect], "", [str(defect)])


def lines_of(error: InputError) -> tuple[str, ...]:
    """A line for each mistake; for very many, the last line gives the number of the others."""
    lines = error.lines if isinstance(error, FileDefects) else (str(error),)
    return lines if len(lines) <= MOST_MISTAKES else (*lines[:MOST_MISTAKES], f"{len(lines) - MOST_MISTAKES:,} more mistakes")


def unusable(file: str, message: str, line: int | None = None) -> FileDefects:
    """The mistake of a file as a whole, or of a line that ends its reading."""
    defect = FileDefect((), message, "", file, line)
    return FileDefects([defect], file, [defect.line_told])


def defects_of(error: InputError, file: str) -> list[FileDefect]:
    """The mistakes behind the lines of :func:`lines_of`, as values; a mistake without a file name belongs to ``file``."""
    each = error.each if isinstance(error, FileDefects) else (FileDefect((), str(error), ""),)
    found = [replace(defect, file=defect.file or file) for defect in each[:MOST_MISTAKES]]
    more = len(each) - MOST_MISTAKES
    return found if more <= 0 else [*found, FileDefect((), f"{more:,} more mistakes", "", file)]


class BeyondError(InputError):
    """A number, or a count, exceeds the limits of formulas: the formula is correct at smaller values."""


class TooLargeError(BeyondError):
    """A number of a formula is too large at these parameters, or names take too many values. The claim is then declined."""


class MissingExtraError(InputError):
    """A judge needs a package of the optional dependencies ``extra``, which is not installed. The claim is declined, and not compared.

    It is not a limit: a judge that answers *open* when a search grows too large does not do so when a package is missing.
    """

    def __init__(self, message: str, extra: str) -> None:
        super().__init__(message if extra == TRUST else f"{message}: pip install 'bitreferee[{extra}]'")
        self.extra = extra


@contextmanager
def placed(place: str | Callable[[], str], path: Path = ()) -> Iterator[None]:
    """Put ``place`` before the message of an input error or a limit that is raised inside.

    Args:
        place: a text, or a function that finds it when there is an error.
        path: the place in a file, if there is one.
    """
    try:
        yield
    except (InputError, LimitError) as error:
        at = place if isinstance(place, str) else place()
        match error:
            case FileDefects():
                raise FileDefects(error.each, at, [f"{at}: {line}" for line in error.lines]) from None
            case InputError():
                said = f"{at}: {error}"
                raise FileDefects([FileDefect.of(error, path, at)], at, [said]) if path else InputError(said) from None
            case LimitError():
                raise LimitError(f"{at}: {error.message}", error.flag) from None


def amount(number: int) -> str:
    """A number in a message: in full, as a power of two, or as more than one."""
    power = number.bit_length() - 1
    return f"{number:,}" if power < 64 else f"2^{power}" if number == 1 << power else f"more than 2^{power}"


class UntrustedError(MissingExtraError):
    """A judge needs Python of a folder that ``--papers`` named, and :data:`TRUST` was not given, the extra that it lacks."""


class LimitError(BitrefereeError):
    """More work than the limits allow. The engine's caller turns it into ``declined``; ``flag`` lifts the limit.

    If a request is too large before anything can be judged (a range, a picture), the command is declined: its line, and exit status 3.

    The arguments are those of the constructor, so that the error survives pickling.
    """

    def __init__(self, message: str, flag: str) -> None:
        super().__init__(message, flag)
        self.message = message
        self.flag = flag

    def __str__(self) -> str:
        return f"{self.message}; {self.flag} lifts the limit" if self.flag.startswith("-") else f"{self.message}; choose {self.flag}"
