"""On which line of a TOML file something stands, found with the TOML reader itself: by which line on it is there."""

from __future__ import annotations

import tomllib
from functools import cached_property
from typing import Any

from verifier.errors import Path

MOST_LINES = 3000
"""Of a longer file no line is named: every beginning of the file is read."""


class Lines:
    """The lines of a file, and the beginnings of it that are TOML."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines(keepends=True)

    @cached_property
    def _beginnings(self) -> list[tuple[int, Any]]:
        """How many lines, and what they say, for every beginning that is TOML."""
        found: list[tuple[int, Any]] = []
        if len(self.lines) <= MOST_LINES:
            for count in range(len(self.lines) + 1):
                try:
                    found.append((count, tomllib.loads("".join(self.lines[:count]))))
                except (tomllib.TOMLDecodeError, RecursionError, ValueError):
                    continue
        return found

    def of(self, path: Path) -> int | None:
        """The line, from 1, on which the value at this path begins; of the longest part of the path that is there; None where none is."""
        for length in range(len(path), 0, -1):
            before = 0
            for count, content in self._beginnings:
                if _has(content, path[:length]):
                    return self._first_of(before, count)
                before = count
        return None

    def _first_of(self, before: int, count: int) -> int:
        """The first line behind ``before`` that is neither empty nor a comment."""
        written = (k for k in range(before, count) if self.lines[k].strip() and not self.lines[k].lstrip().startswith("#"))
        return next(written, before) + 1


def _has(content: Any, path: Path) -> bool:
    for key in path:
        inside = key < len(content) if isinstance(content, list) and isinstance(key, int) else isinstance(content, dict) and key in content
        if not inside:
            return False
        content = content[key]
    return True
