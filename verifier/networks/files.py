"""Reading construction files and errata files (TOML) as the records of :mod:`verifier.networks.records`."""

from __future__ import annotations

import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from verifier.language.syntax import LARGEST
from verifier.networks.line_numbers import Lines
from verifier.networks.shapes import misfits
from verifier.running.errors import FileDefect, FileDefects, InputError
from verifier.running.input_files import check_regular

Shape = TypeVar("Shape", bound=msgspec.Struct)


MOST_VALUES = 50_000
"""Values of a file, those inside of others too, that a person wrote; a network's weights may be more."""


class TooManyValuesError(Exception):
    """A file has more values than it may have."""


def read_toml(path: Path | Traversable) -> dict[str, Any]:
    """The raw content of a TOML file, as :func:`read_toml_text`."""
    return read_toml_text(path)[0]


def read_toml_text(path: Path | Traversable, most: int | None = MOST_VALUES) -> tuple[dict[str, Any], str]:
    """The raw content of a TOML file, and its text.

    Raises:
        InputError: the file is missing, is not a regular file, is larger than 4 MiB, is not text, or is not TOML; it has more values.
    """
    try:
        text = _content(path).decode()
        return _bounded(tomllib.loads(text), most), text
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
    except TooManyValuesError as error:
        raise InputError(f"{path}: {error}") from None
    except ValueError as error:
        raise InputError(f"{path}: a value that cannot be read: {error}") from None


def _content(path: Path | Traversable) -> bytes:
    if isinstance(path, Path):
        check_regular(path)
    return path.read_bytes()


def _bounded(raw: dict[str, Any], most: int | None) -> dict[str, Any]:
    """``raw``, where no integer is too large to be written in a message, and not more values than ``most``."""
    values: list[Any] = [raw]
    for value in values:
        if isinstance(value, int) and value.bit_length() > LARGEST:
            raise ValueError(f"an integer of more than {LARGEST} bits")
        values += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if most is not None and len(values) > most:
        raise TooManyValuesError(f"{len(values):,} values; at most {most:,} were expected")
    return raw


def shaped(raw: dict[str, Any], shape: type[Shape], version: str, name: str, text: str | None = None) -> Shape:
    """``raw`` as a record of the given shape; ``text`` is the file's, for the lines of its mistakes.

    Raises:
        Mistakes: wrong version, missing or unknown keys, wrong types: all of them, each with its place.
    """
    if raw.get("format") != version:
        found = f"format is {raw['format']!r}" if "format" in raw else "no format is given"
        raise InputError(f'{name}: {found}, format = "{version}" was expected as the file\'s first line')
    try:
        return msgspec.convert(raw, shape)
    except msgspec.ValidationError as error:
        defects = FileDefects(tuple(misfits(raw, shape)) or [FileDefect((), str(error))], name)
        raise (defects.located(name, Lines(text).of) if text is not None else defects) from None
