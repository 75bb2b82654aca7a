"""The words of a Coq source: comments stripped as Coq nests them, sentences split at their full stops."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from verifier.running.errors import InputError

_WORD = re.compile(
    r"""(?P<space>\s+)
    |(?P<name>[A-Za-z_][A-Za-z0-9_']*(?:\.[A-Za-z_][A-Za-z0-9_']*)*)
    |(?P<number>[0-9]+(?![A-Za-z0-9_']|\.[0-9]))
    |(?P<stop>\.(?=\s|\Z))
    |(?P<symbol>:=|::|=>|->|<->|<-|<=\?|<\?|=\?|>=|<=|<>|/\\|\\/|\|\||\|-|&&|\+\+|<<:|<:|[-+*/=<>(){}\[\],:;|!?~^&%@])""",
    re.VERBOSE,
)
_MARK = re.compile(r'\(\*|\*\)|"')


class Word(NamedTuple):
    """A name, a number or a symbol, and its line from 1."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class Sentence:
    """The words up to a full stop, which is left out. ``line`` is that of the first one."""

    words: tuple[Word, ...]

    @property
    def line(self) -> int:
        return self.words[0].line

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(word.text for word in self.words)


def without_comments(source: str, name: str) -> str:
    """The source with each comment replaced by a space and its line breaks.

    Raises:
        InputError: a comment or a string that does not end, a string outside a comment, or a comment in which a string holds a mark.
    """
    kept, depth, start, quoted = [], 0, 0, -1
    for mark in _MARK.finditer(source):
        line = source.count("\n", 0, mark.start()) + 1
        if mark.group() == '"':
            if not depth:
                raise InputError(f"{name}:{line}: a string, by which plugins, notations and files are named; the fragment has none")
            quoted = -1 if quoted >= 0 else line
        elif quoted >= 0:
            raise InputError(f"{name}:{line}: {mark.group()} inside a string of a comment")
        elif mark.group() == "(*":
            if not depth:
                kept.append(source[start : mark.start()])
                start = mark.start()
            depth += 1
        else:
            if not depth:
                raise InputError(f"{name}:{line}: *) ends no comment")
            depth -= 1
            if not depth:
                kept.append(" " + "\n" * source.count("\n", start, mark.end()))
                start = mark.end()
    if depth:
        raise InputError(f"{name}: a comment does not end")
    return "".join([*kept, source[start:]])


def words(source: str, name: str) -> Iterator[Word]:
    """The words of a source.

    Raises:
        InputError: as :func:`without_comments`; also a character that the fragment does not have.
    """
    text, place, line = without_comments(source, name), 0, 1
    while place < len(text):
        found = _WORD.match(text, place)
        if found is None or not found.group().isascii():
            raise InputError(f"{name}:{line}: the fragment has no {text[place]!r}")
        assert found.lastgroup is not None
        if found.lastgroup != "space":
            yield Word(found.lastgroup, found.group(), line)
        line += found.group().count("\n")
        place = found.end()


def sentences(source: str, name: str) -> Iterator[Sentence]:
    """The sentences of a source.

    Raises:
        InputError: as :func:`words`; also a last sentence without its full stop.
    """
    held: list[Word] = []
    for word in words(source, name):
        if word.kind != "stop":
            held.append(word)
        elif held:
            yield Sentence(tuple(held))
            held = []
        else:
            raise InputError(f"{name}:{word.line}: a full stop ends no sentence")
    if any(word.text != "}" for word in held):
        raise InputError(f"{name}:{held[0].line}: a sentence without a full stop")
