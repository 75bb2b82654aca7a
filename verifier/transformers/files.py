"""Reading network files: every mistake at once, each with its line and what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files as resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.networks.errata import NETWORK_ERRATA, NetworkErrata, repaired
from verifier.networks.files import Lines, read_toml_text, shaped
from verifier.networks.record_base import smallest
from verifier.running.errors import FileDefects, InputError, placed
from verifier.running.identifiers import below, nearest
from verifier.transformers.records import FORMAT, NetworkFile

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def read_network(path: Path | Traversable) -> NetworkFile:
    """A network file.

    Raises:
        FileDefects: all its mistakes, at the smallest length that it admits.
        InputError: it cannot be read at all.
    """
    raw, text = read_toml_text(path, None)
    return checked_network(raw, str(path), text)


def checked_network(raw: Mapping[str, Any], name: str, text: str | None = None) -> NetworkFile:
    """The network of a file's content, checked at the smallest length that it admits; text: the file's, for the lines of mistakes.

    Raises:
        FileDefects: its mistakes.
    """
    from verifier.transformers.network import network

    file = shaped(raw, NetworkFile, FORMAT, name, text)
    try:
        network(file, smallest(file, {}), name)
    except FileDefects as defects:
        raise (defects if text is None else defects.located(name, Lines(text).of)) from None
    return file


def read_repaired(path: Path) -> tuple[NetworkFile, NetworkErrata]:
    """The network that a file of errata names, after these errata.

    Raises:
        InputError: an erratum does not fit, or the network has mistakes after the errata.
    """
    raw, text = read_toml_text(path, None)
    errata = shaped(raw, NetworkErrata, NETWORK_ERRATA, str(path), text)
    base = path_of(errata.network) if errata.network.startswith("gallery/") else below(path.parent, errata.network)
    before = read_toml_text(base, None)[0]
    if before.get("format") != FORMAT:
        raise InputError(f"{path}: network: {errata.network} is not a network; a file of format {FORMAT} was expected")
    with placed(str(path)):
        return checked_network(repaired(before, errata), errata.network), errata


def is_network(word: str) -> bool:
    """Whether a word of a command line names a network: one of the gallery, or a file whose format says so."""
    if word.startswith("gallery/") and not word.endswith(".toml"):
        return True
    return word.endswith(".toml") and Path(word).is_file() and _format(Path(word)) in (FORMAT, NETWORK_ERRATA)


def _format(path: Path) -> object:
    """The format that a file states, or None if it cannot be read."""
    try:
        return read_toml_text(path, None)[0].get("format")
    except InputError:
        return None


def gallery() -> Iterator[tuple[str, Traversable]]:
    """The networks that come with the program, by id."""
    folder = resources("constructions") / "gallery"
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.name.endswith(".toml"):
            yield entry.name.removesuffix(".toml"), entry


def path_of(name: str) -> Path | Traversable:
    """The place of a network: a file, or a name of the gallery such as ``gallery/parity``.

    Raises:
        InputError: the gallery has none of this name.
    """
    group, _, entry = name.partition("/")
    if group != "gallery" or name.endswith(".toml"):
        return Path(name)
    if not entry:
        raise InputError(f"gallery/NAME was expected, with one of {', '.join(key for key, _ in gallery())}")
    found = dict(gallery()).get(entry)
    if found is None:
        near = nearest(entry, [key for key, _ in gallery()], most=2, cutoff=0.5)
        hint = f"did you mean {' or '.join(f'gallery/{key}' for key in near)}?" if near else "`verify list gallery` names them"
        raise InputError(f"no network {name!r} in the gallery; {hint}")
    return found


def find_network(name: str) -> NetworkFile:
    """The network of a file, of the gallery (``gallery/parity``), or the repaired network of a file of errata.

    Raises:
        InputError: there is none.
    """
    path = path_of(name)
    return read_repaired(path)[0] if isinstance(path, Path) and is_errata(path) else read_network(path)


def is_errata(path: Path) -> bool:
    """Whether a file says that it contains errata of a network."""
    return path.suffix == ".toml" and _format(path) == NETWORK_ERRATA
