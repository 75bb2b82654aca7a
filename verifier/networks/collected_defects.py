"""Gathering every mistake of a file, where the first one would end the reading."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from verifier.running.errors import FileDefect, FileDefects, InputError, Path

T = TypeVar("T")
_SPELT = re.compile(r"[a-z]+(\.\w+)*")


class Checked:
    """Values that may have a mistake. ``missing``: names without a value for a mistake of their own, on which no other is blamed."""

    def __init__(self) -> None:
        self.found: dict[Path, FileDefect] = {}
        self.missing: set[str] = set()

    def __call__(self, path: Path, compute: Callable[[], T], place: str | None = None) -> T | None:
        """A value; None where it has a mistake, which is kept."""
        try:
            return compute()
        except InputError as error:
            self.add(path, str(error), place)
            return None

    def add(self, path: Path, message: str, place: str | None = None) -> None:
        """A mistake; of several at one place the first is kept. With an empty place the message begins with it: ``problem.length``."""
        if place == "" and (spelt := _SPELT.match(message)) is not None:
            path = tuple(spelt[0].split("."))
        if not any(f"no name {name!r} here" in message for name in self.missing):
            self.found.setdefault(path, FileDefect(path, message, place))

    def done(self, name: str) -> None:
        """The end of what can be checked so far.

        Raises:
            Mistakes: those of the file of this name, where there are any.
        """
        if self.found:
            raise FileDefects(tuple(self.found.values()), name)
