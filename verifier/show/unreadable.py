"""Files that cannot be read: each of their defects as a value, for documents that programs read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_LINE = re.compile(r"(\d+): ")


@dataclass(frozen=True)
class Unreadable:
    """One defect of a file. ``line`` counts from 1; None where the defect has no line."""

    file: str
    line: int | None
    message: str


def unreadable(lines: Iterable[str], files: Iterable[str]) -> list[Unreadable]:
    """The defects behind error lines such as ``mine.toml:7: row 1: …``, each once.

    Args:
        lines: as the command line prints them.
        files: the paths that were named; a line that begins with none of them is about the first.
    """
    known = sorted(files, key=len, reverse=True)
    found = []
    for text in dict.fromkeys(lines):
        file = next((each for each in known if text.startswith(f"{each}:")), None)
        rest = text if file is None else text[len(file) + 1 :]
        number = _LINE.match(rest)
        message = rest[number.end() :] if number else rest.strip()
        found.append(Unreadable(file or (known[-1] if known else ""), int(number[1]) if number else None, message))
    return found
