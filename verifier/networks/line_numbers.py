"""On which line of a TOML file something stands, found with the TOML reader itself, one header or assignment at a time."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from verifier.running.errors import Path

LONGEST_VALUE = 1000
"""Lines of one value; what stands behind a longer one has no line."""


class Lines:
    """The lines of a file that is TOML."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines(keepends=True)

    def of(self, path: Path) -> int | None:
        """The line, from 1, on which the value at this path begins; of the longest part of the path that is there; None where none is."""
        return next((self._first[path[:k]] for k in range(len(path), 0, -1) if path[:k] in self._first), None)

    def exactly(self, path: Path) -> int | None:
        """The line on which the value at this path begins; None where there is no such value."""
        return self._first.get(path)

    @cached_property
    def _first(self) -> dict[Path, int]:
        """The line on which each value begins, or its first part."""
        found: dict[Path, int] = {}
        items: dict[Path, int] = {}  # how many tables an array of tables has so far
        table: Path = ()
        for number, written, content in self._pieces():
            if written.startswith("["):
                table = _header(content, written.startswith("[["), items)
                places: Iterator[Path] = iter([table])
            else:
                places = _inside(content, table)
            for place in places:
                for length in range(1, len(place) + 1):
                    found.setdefault(place[:length], number)
        return found

    def _pieces(self) -> Iterator[tuple[int, str, dict[str, Any]]]:
        """Each header and assignment: its first line, its text, and what it says by itself."""
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


def _header(content: Any, item: bool, items: dict[Path, int]) -> Path:
    """The table that a header begins, ``[a.b]`` or ``[[a.b]]``, in the last item of each array of tables on the way."""
    path: Path = ()
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


def _inside(content: Any, path: Path) -> Iterator[Path]:
    """The places of everything in a value."""
    yield path
    for key, each in content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ():
        yield from _inside(each, (*path, key))
