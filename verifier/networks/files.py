"""Read TOML files as records, and report every difference between a file and its record, with its line.

The lines are found with the TOML reader itself, one header or assignment at a time.
"""

from __future__ import annotations

import pickle
import tomllib
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from verifier.language.syntax import LARGEST
from verifier.networks.record_base import unfit
from verifier.running.errors import FileDefect, FileDefects, InputError, unusable, words
from verifier.running.errors import Path as Place
from verifier.running.identifiers import meant
from verifier.running.input_files import check_regular
from verifier.running.printable import joined

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

OF_NETWORK_FILES = "bitreferee/network/1"
"""The first line of the other kind of files that have answers."""
LONGEST_VALUE = 1000
"""Lines of one value; what stands behind a longer one has no line."""


class Lines:
    """The lines of a valid TOML file."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines(keepends=True)

    def of(self, path: Place) -> int | None:
        """The line, from 1, of the value at this path, or of the longest existing part of the path, or None if no part exists."""
        return next((self._first[path[:k]] for k in range(len(path), 0, -1) if path[:k] in self._first), None)

    def exactly(self, path: Place) -> int | None:
        """The line of the value at this path, or None if no such value exists."""
        return self._first.get(path)

    @cached_property
    def _first(self) -> dict[Place, int]:
        """The line of each value, or of its first part."""
        found: dict[Place, int] = {}
        items: dict[Place, int] = {}  # how many tables an array of tables has so far
        table: Place = ()
        for number, written, content in self._pieces():
            if written.startswith("["):
                table = _header(content, written.startswith("[["), items)
                places: Iterator[Place] = iter([table])
            else:
                places = _inside(content, table)
            for place in places:
                for length in range(1, len(place) + 1):
                    found.setdefault(place[:length], number)
        return found

    def _pieces(self) -> Iterator[tuple[int, str, dict[str, Any]]]:
        """Each header and assignment: its first line, its text, and its content."""
        first = 0
        for end in range(1, len(self.lines) + 1):
            text = "".join(self.lines[first:end])
            try:
                content = tomllib.loads(text)
            except (tomllib.TOMLDecodeError, RecursionError, ValueError):
                if end - first > LONGEST_VALUE:
                    return
                continue
            if content:
                yield first + 1, text.lstrip(), content
            first = end


def _header(content: Any, item: bool, items: dict[Place, int]) -> Place:
    """The table of a header, ``[a.b]`` or ``[[a.b]]``, in the last item of each array of tables on the way."""
    path: Place = ()
    while content:
        ((key, content),) = content.items() if isinstance(content, dict) else ((None, content[0]),)
        if key is None:  # the new item of [[…]]
            continue
        path = (*path, key)
        last = item and content == [{}]
        if last:
            items[path] = items.get(path, 0) + 1
        if path in items:
            path = (*path, items[path] - 1)
    return path


def _inside(content: Any, path: Place) -> Iterator[Place]:
    """The places of all values inside a value."""
    yield path
    for key, each in content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ():
        yield from _inside(each, (*path, key))


NAMES = {str: "a text", int: "an integer", bool: "true or false", type(None): "nothing"}


BEYOND = (
    "a construction has one layer and one head, a ReLU network and no mask, residual connection or norm; "
    "network files have more (docs/transformers.md)"
)
_OF_NETWORKS = ("layer", "head", "mask", "residual", "norm", "causal", "decoder", "position", "embedding", "activation", "dropout")
WORDS = (
    "a construction has strings of bits and answers yes or no; write other letters, numbers and words as bitreferee/network/1 "
    "(docs/format.md, Answers)"
)
OF_CONSTRUCTIONS = "verifier.networks.records"
"""The module of the records whose fields have these hints."""
_OF_WORDS = ("alphabet", "vocabulary", "choose", "decode", "logit", "argmax", "symbol", "word", "label", "classe")


def misfits(value: Any, wanted: Any, path: Place = (), others: Iterable[str] = ()) -> list[FileDefect]:
    """The defects of a value that should have this type, also inside it; others: further fields that the author may have meant."""
    found: list[FileDefect] = []
    _fitted(value, wanted, path, others, found)
    return found


def fitted(value: Any, wanted: Any) -> Any:
    """The value if it has this type, else its valid part, with the number 1 for the rest."""
    return _fitted(value, wanted, (), (), [])


def _fitted(value: Any, wanted: Any, path: Place, others: Iterable[str], found: list[FileDefect]) -> Any:
    """Do the same as :func:`fitted`; every defect is added to those found."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        return _fitted(value, inner[0], path, others, found)
    try:
        msgspec.convert(value, wanted)
        return value
    except (msgspec.ValidationError, TypeError):  # the library names the first defect only, and does not know every union
        pass
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        return _fitted_table(value, wanted, path, others, found)
    if origin is dict and isinstance(value, dict):
        return {key: _fitted(each, inner[1], (*path, key), (), found) for key, each in value.items()}
    if origin is list and isinstance(value, list):
        return [_fitted(each, inner[0], (*path, k), (), found) for k, each in enumerate(value)]
    if origin in (Union, types.UnionType):
        return _fitted_choice(value, inner, path, found)
    hint = f"; {near}" if origin is Literal and isinstance(value, str) and (near := meant(value, filter(None, inner))) else ""
    found.append(FileDefect(path, f"{described(wanted)} was expected, not {shown(value)}{hint}"))
    return {dict: {}, list: []}.get(origin, {int: 1, bool: False}.get(wanted, inner[0] if origin is Literal else "1"))


def _fitted_choice(value: Any, choices: tuple[Any, ...], path: Place, found: list[FileDefect]) -> Any:
    """Fit a value to one of several types. A table or a list can only mean the type that is one."""
    for choice in choices:
        table = isinstance(choice, type) and issubclass(choice, msgspec.Struct)
        if (isinstance(value, dict) and table) or (isinstance(value, list) and get_origin(choice) is list):
            return _fitted(value, choice, path, (), found)
    made, none = list[Any](), True
    for choice in choices:
        defects: list[FileDefect] = []
        made.append(_fitted(value, choice, path, (), defects))
        none &= bool(defects)
    if none:
        found.append(FileDefect(path, f"{_choice(choices)} was expected, not {shown(value)}"))
    return next((each for each in made if type(each) is type(value)), made[0])


def _fitted_table(value: Any, wanted: type[msgspec.Struct], path: Place, others: Iterable[str], found: list[FileDefect]) -> dict[str, Any]:
    before = len(found)
    if not isinstance(value, dict):
        found.append(FileDefect(path, f"a table was expected, not {shown(value)}"))
        return _fitted_table({}, wanted, path, others, [])
    fields = {field.encode_name: field for field in msgspec.structs.fields(wanted)}
    hints = get_type_hints(wanted, include_extras=True)
    strict = wanted.__struct_config__.forbid_unknown_fields
    for key in sorted(value.keys() - fields.keys()) if strict else ():
        hint = meant(key, [*fields, *others], f"there are {', '.join(fields)}" if fields else "none was expected")
        if wanted.__module__ == OF_CONSTRUCTIONS:
            hint = BEYOND if key.removesuffix("s") in _OF_NETWORKS else WORDS if key.removesuffix("s") in _OF_WORDS else hint
        found.append(FileDefect((*path, key), f"unknown field {key!r}; {hint}"))
    made = {name: _fitted(value[name], hints[field.name], (*path, name), (), found) for name, field in fields.items() if name in value}
    if missing := {name: field for name, field in fields.items() if name not in value and field.required}:
        told = f"missing required {'fields' if len(missing) > 1 else 'field'} {joined(list(missing))}"
        found.append(FileDefect((*path, next(iter(missing))), told, words(path)))
        made |= {name: _fitted(None, hints[field.name], path, (), []) for name, field in missing.items()}
    if len(found) == before:
        try:
            msgspec.convert(value, wanted)
        except msgspec.ValidationError as error:
            found.append(unfit(error, path))
    return made


def _choice(choices: tuple[Any, ...]) -> str:
    """The choice that is a number or formula, and the other choices."""
    plain = [c for c in choices if c is not type(None)]
    formula = ["an integer or a formula in quotes"] if {str, int} <= set(plain) else []
    others = [described(c) for c in plain if not formula or c not in (str, int)]
    return " or ".join(dict.fromkeys(formula + others))


def described(wanted: Any) -> str:
    """A type in words."""
    if get_origin(wanted) is Annotated:
        return described(get_args(wanted)[0])
    if get_origin(wanted) is Literal:
        *others, last = (str(word) for word in get_args(wanted) if word != "")
        return f"{', '.join(others)} or {last}" if others else last
    if get_origin(wanted) in (list, tuple):
        return "a list"
    if get_origin(wanted) in (Union, types.UnionType):
        return _choice(get_args(wanted))
    return NAMES.get(wanted, "a table")


def shown(value: Any) -> str:
    """A value in a message."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f'the float {value} (an exact number is written in quotes, as "1/2" or "0.5")'
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


T = TypeVar("T")


class Checked:
    """Values that may have a mistake. ``missing``: names whose value is missing because of a reported mistake, so that no second mistake is
    reported."""

    def __init__(self) -> None:
        self.found: dict[Place, FileDefect] = {}
        self.missing: set[str] = set()

    def __call__(self, path: Place, compute: Callable[[], T], place: str | None = None) -> T | None:
        """A value, or None if it has a mistake, which is recorded."""
        try:
            return compute()
        except FileDefects as error:
            for defect in error.each:
                self._found(defect)
        except InputError as error:
            self._found(FileDefect.of(error, path, place))
        return None

    def add(self, path: Place, message: str, place: str | None = None) -> None:
        """Record a mistake; if a place has several, only the first is kept."""
        self._found(FileDefect(path, message, place))

    def _found(self, defect: FileDefect) -> None:
        if defect.unknown is None or defect.unknown[0] not in self.missing:
            self.found.setdefault(defect.path, defect)

    def done(self, name: str) -> None:
        """Raise the mistakes found so far.

        Raises:
            Mistakes: those of the file of this name, where there are any.
        """
        if self.found:
            raise FileDefects(tuple(self.found.values()), name)


Shape = TypeVar("Shape", bound=msgspec.Struct)


MOST_VALUES = 50_000
"""Values of a file, those inside of others too, that a person wrote; a network's weights may be more."""


MEANT_BY_TOML = {
    "Cannot declare": "one of several tables has two brackets, such as [[row]]",
    "Invalid value (at end of document)": "a bracket or a quote is not closed",
    "Invalid value": "a text stands in quotes",
    r"Illegal character '\n'": "a quote is not closed in its line",
}
"""Suggestions for a file that is not TOML, by the beginning of the parser's message."""


def read_toml(path: Path | Traversable) -> dict[str, Any]:
    """The raw content of a TOML file, as :func:`read_toml_text`."""
    return read_toml_text(path)[0]


def read_toml_text(path: Path | Traversable, most: int | None = MOST_VALUES) -> tuple[dict[str, Any], str]:
    """The raw content of a TOML file, and its text.

    Raises:
        InputError: the file is missing, not a regular file, larger than 4 MiB, not text, or not TOML; or it has too many values.
    """
    try:
        if isinstance(path, Path):
            check_regular(path)
        text = path.read_bytes().decode("utf-8-sig")
        content, values = _parsed(text)
        if most is not None and values > most:
            raise unusable(str(path), f"{values:,} values; at most {most:,} were expected")
        return pickle.loads(content), text
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        beside = sorted(each.name for each in path.parent.glob("*.toml")) if isinstance(path, Path) else []
        raise unusable(str(path), "; ".join(filter(None, ("no such file", meant(path.name, beside))))) from None
    except PermissionError:
        raise unusable(str(path), "not readable") from None
    except OSError as error:
        raise unusable(str(path), str(error.strerror)) from None
    except UnicodeDecodeError:
        raise unusable(str(path), "not a text file; a construction file is TOML in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        said, _, place = str(error).partition(" (at line ")
        line, _, column = place.rstrip(")").partition(", ")
        hint = next((f"; {hint}" for start, hint in MEANT_BY_TOML.items() if said.startswith(start)), "")
        raise unusable(
            str(path), f"not TOML: {said}{f' ({column})' if column else ''}{hint}", int(line) if line.isdigit() else None
        ) from None
    except RecursionError:
        raise unusable(str(path), "nested too deeply") from None
    except ValueError as error:
        raise unusable(str(path), f"a value that cannot be read: {error}") from None


@lru_cache(maxsize=64)
def _parsed(text: str) -> tuple[bytes, int]:
    """The content of a TOML file, pickled for several readers, and its number of values.

    Raises:
        ValueError: it is not TOML, or an integer is too large for a message.
    """
    raw = tomllib.loads(text)
    values: list[Any] = [raw]
    for value in values:
        if isinstance(value, int) and value.bit_length() > LARGEST:
            raise ValueError(f"an integer has more than {LARGEST} bits")
        values += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return pickle.dumps(raw), len(values)


def shaped(raw: Mapping[str, Any], shape: type[Shape], version: str, name: str, text: str | None = None) -> Shape:
    """``raw`` as a record of the given shape; ``text`` is the file's, for the lines of its mistakes.

    Raises:
        Mistakes: wrong version, missing or unknown keys, wrong types: all of them, each with its place.
    """
    if raw.get("format") != version:
        found = f"format is {raw['format']!r}" if "format" in raw else "no format is given"
        other = f' (or "{OF_NETWORK_FILES}" of a network)' if "/construction/" in version else ""
        raise unusable(name, f'{found}, format = "{version}"{other} was expected as the file\'s first line')
    try:
        return msgspec.convert(raw, shape)
    except msgspec.ValidationError as error:
        defects = FileDefects(tuple(misfits(raw, shape)) or [FileDefect((), str(error))], name)
        raise (defects.located(name, Lines(text).of) if text is not None else defects) from None
