"""Reading network files: every mistake at once, each with its line and what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files as resources
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from verifier.arithmetic.rationals import Fraction
from verifier.language.exact import truth
from verifier.networks.files import read_toml_text
from verifier.networks.line_numbers import Lines
from verifier.networks.shapes import misfits
from verifier.running.errors import FileDefect, FileDefects, InputError
from verifier.running.identifiers import identifier
from verifier.transformers.network import network
from verifier.transformers.records import FORMAT, NetworkFile

LARGEST_TRIED = 64
"""Of the length, when the mistakes of a file are looked for."""


def read_network(path: Path | Traversable) -> NetworkFile:
    """A network file.

    Raises:
        FileDefects: all its mistakes, at the smallest length that it admits.
        InputError: it cannot be read at all.
    """
    raw, text = read_toml_text(path)
    if raw.get("format") != FORMAT:
        found = f"format is {raw['format']!r}" if "format" in raw else "no format is given"
        raise InputError(f'{path}: {found}, format = "{FORMAT}" was expected as the file\'s first line')
    lines = Lines(text)
    try:
        file = msgspec.convert(raw, NetworkFile)
    except msgspec.ValidationError as error:
        defects = list(misfits(raw, NetworkFile)) or [FileDefect((), str(error))]
        raise FileDefects(defects, str(path)).located(str(path), lines.of) from None
    try:
        network(file, smallest(file), str(path))
    except FileDefects as defects:
        raise defects.located(str(path), lines.of) from None
    return file


def is_network(word: str) -> bool:
    """Whether a word of a command line means a network: one of the gallery, or a file whose format says so."""
    if word.startswith("gallery/") and not word.endswith(".toml"):
        return True
    if not word.endswith(".toml") or not Path(word).is_file():
        return False
    try:
        return read_toml_text(Path(word))[0].get("format") == FORMAT
    except InputError:
        return False


def smallest(file: NetworkFile) -> dict[str, int]:
    """The smallest value from 0 that each parameter without a default may have."""
    values: dict[str, int] = {}
    for name, entry in file.parameters.items():
        if entry.default is None:
            known = {key: Fraction(value) for key, value in values.items()}
            values[name] = next((v for v in range(LARGEST_TRIED) if truth(entry.where, {**known, name: Fraction(v)})), LARGEST_TRIED)
    return values


def gallery() -> Iterator[tuple[str, Traversable]]:
    """The networks that come with the program, by id."""
    folder = resources("constructions") / "gallery"
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.name.endswith(".toml"):
            yield entry.name.removesuffix(".toml"), entry


def find_network(name: str) -> NetworkFile:
    """The network of a file, or of the gallery: ``gallery/parity``.

    Raises:
        InputError: there is none.
    """
    group, _, entry = name.partition("/")
    if group == "gallery" and not name.endswith(".toml"):
        if not entry:
            raise InputError(f"gallery/NAME was expected, with one of {', '.join(key for key, _ in gallery())}")
        found = dict(gallery()).get(identifier(entry))
        if found is None:
            raise InputError(f"no network {name!r} in the gallery; it has {', '.join(key for key, _ in gallery())}")
        return read_network(found)
    return read_network(Path(name))
