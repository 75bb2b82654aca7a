"""Pages whose commands are run: blocks of ``$ command`` with what it prints, in order, in one folder.

A line ``...`` stands for any lines; seconds are any seconds. ``verify`` runs in this process, anything else in a shell.
"""

from __future__ import annotations

import glob
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from tests.command_line import CommandLine

_SECONDS = re.compile(r"\b(?:\d+\.\d\d s|\d\.\d ms)\b")
_SHELL = re.compile(r"[|<>();&]+")
MORE = "..."


@dataclass(frozen=True)
class Said:
    """A command of a page, its line there, and what the page says that it prints."""

    line: int
    command: str
    prints: tuple[str, ...]


def commands(text: str) -> Iterator[Said]:
    """The commands of a page's indented blocks."""
    found: list[tuple[int, str, list[str]]] = []
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("    $ "):
            found.append((number, line[6:], []))
            inside = True
        elif inside and (line.startswith("    ") or not line):
            found[-1][2].append(line[4:])
        else:
            inside = False
    return (Said(number, command, tuple("\n".join(prints).rstrip().splitlines())) for number, command, prints in found)


def _split(command: str) -> list[str]:
    """The words of a command, and the signs between them that a shell reads."""
    words = shlex.shlex(command, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    return list(words)


class Reader:
    """Somebody who pastes a page's commands, one after the other, into one terminal."""

    def __init__(self, verify: CommandLine, environment: dict[str, str]) -> None:
        self._verify, self._environment = verify, environment
        self._status = 0

    def run(self, command: str) -> str:
        """What it prints, on both streams."""
        if command == "echo $?":
            return f"{self._status}\n"
        words = _split(Template(command).safe_substitute(self._environment)) if command.startswith("verify ") else [">"]
        if not any(map(_SHELL.fullmatch, words)):
            done = self._verify(*(shlex.quote(each) for word in words[1:] for each in sorted(glob.glob(word)) or [word]))
            self._status = done.status
            return done.out + done.err
        shell = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=self._environment, check=False)
        self._status = shell.returncode
        return shell.stdout + shell.stderr


def same(said: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether the lines are these, ``...`` standing for any."""
    if not said or not printed:
        return all(line == MORE for line in said) and not printed
    if said[0] == MORE:
        return same(said[1:], printed) or same(said, printed[1:])
    first, found = (_SECONDS.sub("s", line).rstrip() for line in (said[0], printed[0]))
    return first == found and same(said[1:], printed[1:])


def differences(page: Path, reader: Reader) -> list[str]:
    """The commands that print something else than the page says, each with what it printed."""
    listed = []
    for said in commands(page.read_text(encoding="utf-8")):
        printed = reader.run(said.command)
        if not same(said.prints, printed.splitlines()):
            listed.append(f"{page.name}:{said.line}: $ {said.command}\n{printed}")
    return listed
