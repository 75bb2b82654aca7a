"""Index ranges and bit references as the papers write them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from verifier.arithmetic.rationals import Fraction
from verifier.networks.entries import Names, integer
from verifier.running.errors import InputError
from verifier.running.identifiers import meant

LONGEST_RANGE = 100_000

_OTHER = re.compile(
    r"\s*(?:\w+(?:\s*=|\s+in\b)\s*)?[(\[{]?(?P<first>[^.:;,()\[\]{}<]+?)\s*"
    r"(?:\.\.\.?|:|;|…|–|,\s*(?:(?:\.\.\.|…)\s*,)?|\bto\b|<=\s*\w+\s*<=|≤\s*\w+\s*≤)\s*"
    r"(?P<last>[^.:;,\[\]{}<]+?)[)\]}]?\s*"
)
"""Notations of a range that the file format does not have."""
_HALF_OPEN = re.compile(r"\s*range\(([^,]+),(.+)\)\s*")


def index_set(text: str | int, names: Names) -> tuple[int, ...]:
    """``-1``, ``{0, 1}``, ``[7 : h]``, ``{2, 4, ..., 2*t - 8}``, and unions of these with ``|``, in the order written.

    A range or progression whose end lies before its start is empty.

    Raises:
        InputError: the text has another form, or more than 100,000 indices, in a range or in all.
    """
    if isinstance(text, int):
        return (text,)
    found: list[int] = []
    for part in text.split("|"):
        found += _simple_set(part.strip(), names)
        if len(found) > LONGEST_RANGE:
            raise InputError(f"the union has more than {LONGEST_RANGE} indices, the limit for one row")
    return tuple(found)


def _simple_set(body: str, names: Names) -> tuple[int, ...]:
    if body.startswith("["):
        first, colon, last = body[1:-1].partition(":")
        if not body.endswith("]") or not colon:
            raise InputError(f"{body!r} is not a range such as [7 : h]{instead(body)}")
        return _progression(body, integer(first, names), integer(last, names), 1)
    if body.startswith("{"):
        if not body.endswith("}"):
            raise InputError(f"{body!r} is not a set such as {{0, 1}}")
        parts = [part.strip() for part in body[1:-1].split(",")]
        if "..." in parts:
            if len(parts) != 4 or parts[2] != "...":
                raise InputError(f"{body!r} is not a progression such as {{2, 4, ..., 2*t - 8}}{instead(body)}")
            start, following, end = (integer(parts[k], names) for k in (0, 1, 3))
            return _progression(body, start, end, following - start)
        if len(parts) == 1 and (hint := instead(body)):
            raise InputError(f"{body!r} is not a set such as {{0, 1}}{hint}")
        return tuple(integer(part, names) for part in parts)
    if hint := instead(body):
        raise InputError(f"{body!r} is not a range{hint}")
    return (integer(body, names),)


def instead(text: str) -> str:
    """``; write [1 : m]`` for a range in another notation, such as ``1..m``, ``1 to m`` or ``range(1, m + 1)``; else nothing."""
    if found := _HALF_OPEN.fullmatch(text):
        if re.search(r",(?![^()]*\))", found[2]):
            return "; write its first two indices and its last, such as {2, 4, ..., 2*t - 8}"
        return f"; write [{found[1].strip()} : ({found[2].strip()}) - 1], whose last index belongs to it"
    found = _OTHER.fullmatch(text)
    return f"; write [{found['first'].strip()} : {found['last'].strip()}]" if found else ""


def _progression(body: str, start: int, end: int, step: int) -> tuple[int, ...]:
    """start, start + step, … up to ``end``, which must be one of them unless it lies before the start."""
    if step < 1:
        raise InputError(f"{body!r} does not ascend")
    if end >= start and (end - start) % step:
        raise InputError(f"{body!r} ends at {end}, which steps of {step} from {start} do not reach")
    if (end - start) // step >= LONGEST_RANGE:
        raise InputError(f"{body!r} has {(end - start) // step + 1} indices; at most {LONGEST_RANGE} were expected")
    return tuple(range(start, end + 1, step))


@dataclass(frozen=True, order=True)
class Bit:
    """An input bit, by the name of its string and its index from 1. A bit is ``flipped`` if the token holds its complement."""

    string: str
    index: int
    flipped: bool = False

    def __str__(self) -> str:
        return f"{'~' if self.flipped else ''}{self.string}[{self.index}]"

    @property
    def plain(self) -> Bit:
        return Bit(self.string, self.index)


Field = tuple[Bit, ...]
"""The bits that a token holds in one field, the most significant first. Without bits the field is the constant 0."""

_REFERENCE = re.compile(r"^(~?)\s*([A-Za-z][A-Za-z0-9_]*)\s*\[([^\]]*)\]$")
PAIR = ("y", "z")


def field(text: str | int, names: Names, i: int, strings: Collection[str] = PAIR) -> Field:
    """``0``, ``y[i]``, ``~y[m]`` or ``y[2 : e+1]`` at token ``i``; ``strings`` are the names of the strings.

    Raises:
        InputError: for any other form.
    """
    body = str(text).strip()
    if body == "0":
        return ()
    match = _REFERENCE.match(body)
    if match and match[2] not in strings:
        hint = meant(match[2], strings, f"the strings are {', '.join(strings)}")
        raise InputError(f"reads {text!r}: no string {match[2]!r}; {hint}")
    if not match:
        of = "" if set(strings) == set(PAIR) else f" of {', '.join(strings)}"
        raise InputError(f"reads {text!r}: 0, a bit such as y[i] or ~z[m], or bits such as y[2 : e+1] were expected{of}")
    flipped, string, inside = match.groups()
    scope = {**names, "i": Fraction(i)}
    first, colon, last = inside.partition(":")
    start = integer(first, scope)
    end = integer(last, scope) if colon else start
    if end - start >= LONGEST_RANGE:
        raise InputError(f"reads {text!r}: {end - start + 1} bits; at most {LONGEST_RANGE} were expected")
    return tuple(Bit(string, k, bool(flipped)) for k in range(start, end + 1))
