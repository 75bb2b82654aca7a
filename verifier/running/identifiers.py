"""Names in data: the one grammar of ids, and files that are opened only below their folder.

An id becomes a file name, a link and a key, so no id may contain a separator, a control character or the name of a parent folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from verifier.running.errors import InputError

LONGEST = 80
EXPECTED = f"small letters, digits, dots and dashes, a letter or digit first, at most {LONGEST} of them, were expected"
_ID = re.compile(r"[a-z0-9][a-z0-9.-]*")
_SHOWN = 100


def identifier(text: object, what: str = "id") -> str:
    """The text itself, if it is an id; what: the thing that it names, for the message.

    Raises:
        InputError: it is none.
    """
    if isinstance(text, str) and len(text) <= LONGEST and _ID.fullmatch(text):
        return text
    shown = repr(text)
    raise InputError(f"{what} is {shown if len(shown) <= _SHOWN else f'{shown[:_SHOWN]}…'}; {EXPECTED}")


def slug(name: str) -> str:
    """An id made from any name, such as that of a user's file."""
    return re.sub(r"[^a-z0-9.-]+", "-", name.lower()).strip("-.")[:LONGEST] or "file"


def nearest(word: str, names: Iterable[str], most: int = 1, cutoff: float = 0.6) -> list[str]:
    """The names that a user probably meant: those that resemble the word most, in any case, without the word itself."""
    from difflib import get_close_matches

    small = {name.lower(): name for name in names if name != word}
    return [small[found] for found in get_close_matches(word.lower(), small, most, cutoff)]


def meant(word: str, names: Iterable[str], otherwise: str = "", most: int = 1) -> str:
    """``did you mean parity?``; other words if no name resembles the word."""
    near = nearest(word, names, most)
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def below(folder: Path, name: str) -> Path:
    """The file of this name in the folder or in a folder below it.

    Raises:
        InputError: the name, or a symbolic link that it goes through, leads out of the folder.
    """
    path = folder / name
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as error:  # a link to itself, a name that no file has
        raise InputError(f"{folder}: {name!r} names no file: {error}") from None
    if not inside:
        raise InputError(f"{path} leads out of {folder}; a file below that folder was expected")
    return path
