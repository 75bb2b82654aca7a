"""Small edits of a construction file's printed expressions: one symbol of one expression at a time.

A symbol is an integer (changed by 1 or 2), a sign (reversed, or put before the whole expression), a name (by 1 more or less: a bound ``h``
that should be ``h - 1``), the value of a function (by 1 more or less) or, in an input clause, the string of a bit. The entries that state
the claim are never edited: parameters, derived quantities, precision, function and promise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from verifier.networks.errata import TableErratum
from verifier.networks.record_base import Expression

EDITED = ("input", "row", "weights", "mlp")
"""The parts of a file that are edited."""
ENDS = ("tokens.first", "tokens.last", "problem.length", "problem.strings")
"""Places of the last token and of the lengths of the strings, which are edited if no edit of those parts is enough."""

KEPT = ("step", "times", "for")
"""Keys whose values are not expressions that an author computes with."""

RANGES = ("i", "in")
OTHER_STRING = "the string that is read"
EXCHANGED = "exchanged"
FARTHEST = 2
ADDED = " | "
"""Between two ranges of tokens."""
CALLS = ("min", "max", "sum", "ceil", "floor", "log2", "for", "in", "if", "else", "and", "or", "not", "N")
_INNERMOST = re.compile(r"\([^()]*\)")
_FUNCTION = re.compile(r"-?(min|max|ceil|floor|log2)\((?:[^()]|\([^()]*\))*\)")
_SYMBOL = re.compile(r"(?P<integer>\d+)|(?P<name>[A-Za-z_]\w*)|(?P<operator>\*\*|//|[<>=!]=|[-+*/<>])|(?P<other>\S)")


@dataclass(frozen=True)
class Edit:
    """One printed expression with changed symbols, as in an erratum.

    symbols: the number of changed symbols; change: the total change (an integer by 2 is 2, a sign is 1).
    """

    at: str
    printed: Expression
    repaired: Expression
    what: str
    symbols: int = 1
    change: int = 1

    @property
    def part(self) -> str:
        """``row``, ``input``, ``weights`` or ``mlp``; of an end ``tokens`` or ``problem``."""
        return self.at.partition(".")[0]

    @property
    def ranges(self) -> bool:
        """Whether it changes only the tokens of a row or clause, or the bits that they hold."""
        return self.part == "input" or self.at.startswith(ENDS) or self.at.rpartition(".")[2] in RANGES

    @property
    def slip(self) -> tuple[str, str]:
        """The printed and the intended text, in the innermost brackets that differ: ``(h - 1)`` for ``(h - 2)``."""
        texts = str(self.printed), str(self.repaired)
        brackets = [_INNERMOST.findall(text) for text in texts]
        outside = {_INNERMOST.sub("()", text) for text in texts}
        differing = [each for each in zip(*brackets, strict=False) if each[0] != each[1]]
        return differing[0] if len(outside) == 1 and len(differing) == 1 else texts

    def erratum(self, why: str) -> TableErratum:
        """The edit as an entry of an errata file; its name is its place."""
        name = re.sub(r"[^a-z0-9]+", "-", self.at.lower()).strip("-")
        return TableErratum(name=name, at=self.at, printed=self.printed, repaired=self.repaired, why=why, ranges=self.ranges)

    def entry(self, why: str) -> dict[str, Any]:
        """The erratum in the notation of the file."""
        made = self.erratum(why)
        written = {"name": made.name, "at": made.at, "printed": made.printed, "repaired": made.repaired, "why": why}
        return written | ({"ranges": True} if made.ranges else {})

    @property
    def longer(self) -> int:
        """The number of characters by which the text grows."""
        return len(str(self.repaired)) - len(str(self.printed))

    @property
    def adds(self) -> bool:
        """Whether it adds a range of tokens to the printed ones."""
        return ADDED in str(self.repaired) and ADDED not in str(self.printed)

    def __str__(self) -> str:
        return f"{self.at}: {self.printed} → {self.repaired}"


@dataclass(frozen=True)
class Clause:
    """An input clause that is added: the content of the tokens ``i``."""

    i: Expression
    reads: Expression
    symbols = change = 1
    adds = True

    @property
    def at(self) -> str:
        return str(self)

    @property
    def slip(self) -> tuple[str, str]:
        return "", str(self)

    @property
    def longer(self) -> int:
        return len(str(self))

    @property
    def added(self) -> dict[str, Expression]:
        """The added entry in the notation of the file."""
        return {"i": self.i, "reads": self.reads}

    def __str__(self) -> str:
        return f'add [[input]] i = "{self.i}", reads = "{self.reads}"'


Change = Edit | Clause
"""One candidate: an edited expression or an added clause."""
Changes = tuple[Change, ...]
"""Changes that are made together, each of what stands there before them."""


def together(made: Sequence[Change]) -> Changes:
    """Combine successive edits into edits of the first text: those of one place become one, or none if they cancel."""
    found: dict[str, Change] = {}
    for edit in made:
        first = found.get(edit.at)
        if isinstance(edit, Edit) and isinstance(first, Edit):
            what = f"{first.what} and {edit.what}"
            edit = replace(edit, printed=first.printed, what=what, symbols=first.symbols + edit.symbols, change=first.change + edit.change)
        found[edit.at] = edit
    return tuple(edit for edit in found.values() if not isinstance(edit, Edit) or edit.printed != edit.repaired)


def printed_expressions(raw: Mapping[str, Any]) -> Iterator[tuple[str, Expression]]:
    """Every expression of a construction file that may be edited, with its place in the notation of errata, in the file's order."""
    for part in EDITED:
        if part == "row":
            steps: set[int] = set()
            for row in raw[part]:
                if row["step"] not in steps:  # a place names a row by its step: the first one
                    steps.add(row["step"])
                    yield from entries(row, f"row.{row['step']}", KEPT)
        else:
            yield from entries(raw[part], part, KEPT)


def entries(here: Any, at: str, kept: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Every text and number below a place of a file, with its own place, in the file's order; ``kept``: keys that are not edited."""
    if isinstance(here, Mapping):
        for key, each in here.items():
            if key not in kept:
                yield from entries(each, f"{at}.{key}", kept)
    elif isinstance(here, list):
        for number, each in enumerate(here, 1):
            yield from entries(each, f"{at}.{number}", kept)
    elif isinstance(here, str | int):
        yield at, here


def edits(raw: Mapping[str, Any], symbols: int = 1) -> list[Edit]:
    """The edits of ``symbols`` (1 or 2) symbols of one expression, in the file's order; all give different texts."""
    return [edit for at, printed in printed_expressions(raw) for edit in edits_of(at, printed, symbols)]


def edits_of_ends(raw: Mapping[str, Any]) -> list[Edit]:
    """The edits of one symbol of the ends of the tokens and of the lengths of the strings."""
    found = (each for part in ("tokens", "problem") for each in entries(raw[part], part, KEPT) if each[0].startswith(ENDS))
    return [edit for at, printed in found for edit in edits_of(at, printed)]


def exchanges(raw: Mapping[str, Any]) -> Iterator[tuple[Edit, Edit]]:
    """Two numbers that stand in each other's place: in one row or column of a matrix, in one vector, or in one place of two nodes; or two
    strings that the tokens of a clause read."""
    listed = [(at, at.split("."), text) for at, text in printed_expressions(raw)]
    for (at, place, text), (other, there, its) in combinations(listed, 2):
        apart = [here.isdecimal() and its_own.isdecimal() for here, its_own in zip(place, there, strict=False) if here != its_own]
        if text != its and len(place) == len(there) and apart == [True] and (place[0] not in ("row", "input") or place[1] == there[1]):
            yield Edit(at, text, its, EXCHANGED), Edit(other, its, text, EXCHANGED)


def edits_of(at: str, printed: Expression, symbols: int = 1) -> list[Edit]:
    """The edits of one expression, the smallest change first."""
    text = str(printed)
    single = list(_changes(text, at))
    if symbols == 1:
        made = [([change], change.far) for change in single]
    else:
        made = [([a, b], a.far + b.far) for a, b in combinations(single, 2) if a.end <= b.start or b.end <= a.start]
    found: dict[str, Edit] = {}
    for changes, far in sorted(made, key=lambda each: each[1]):
        result = text
        for change in sorted(changes, key=lambda c: (c.start, c.end), reverse=True):
            result = result[: change.start] + change.by + result[change.end :]
        tidy = _tidy(result)
        if tidy not in (text, *found):
            value = int(tidy) if re.fullmatch(r"-?\d+", tidy) and isinstance(printed, int) else tidy
            found[tidy] = Edit(at, printed, value, " and ".join(c.what for c in changes), symbols, far)
    return list(found.values())


@dataclass(frozen=True)
class _Change:
    """``text[start:end]`` is replaced by ``by``."""

    start: int
    end: int
    by: str
    what: str
    far: int = 1


def _changes(text: str, at: str) -> Iterator[_Change]:
    matches = list(_SYMBOL.finditer(text))
    reads, ranged = "reads" in at.split("."), at.rpartition(".")[2] in RANGES
    for k, match in enumerate(matches):
        before = matches[k - 1].group() if k else ""
        after = matches[k + 1].group() if k + 1 < len(matches) else ""
        if match["integer"] is not None:
            yield from _integers(match, alone=len(matches) == 1)
        elif match["operator"] in ("+", "-"):
            turned = {"+": "-", "-": "+"}[match.group()]
            if k and (matches[k - 1]["integer"] or matches[k - 1]["name"] or before in ")]"):
                yield _Change(match.start(), match.end(), turned, f"{match.group()} for {turned}")
            elif match.group() == "-":
                yield _Change(match.start(), match.end(), "", "a sign")
        elif match["name"] is not None and match.group() in "yz" and reads:
            yield _Change(match.start(), match.end(), {"y": "z", "z": "y"}[match.group()], OTHER_STRING)
        elif match["name"] is not None and match.group() not in CALLS and after != "(" and not _beside_integer(matches, k):
            for by in (-1, 1):
                shifted = f"{match.group()} {'+' if by > 0 else '-'} 1"
                whole = before in ("", "[", ":", ",", "{", "(", "+") and after in ("", ":", "]", "}", ",", ")", "+", "-")
                yield _Change(match.start(), match.end(), shifted if whole else f"({shifted})", f"{match.group()} by {by:+}")
                if before == "*" and after in ("", ":", "]", "}", ",", ")"):
                    yield _Change(match.start(), match.end(), shifted, f"the product by {by:+}")
    if matches and not ranged and not reads and not text.startswith("-") and text not in ("0", "N"):
        plain = not re.search(r"[-+]", re.sub(r"\([^()]*\)", "", text))
        yield _Change(0, 0, "-", "a sign") if plain else _Change(0, len(text), f"-({text})", "a sign")
    if text == "N":
        yield _Change(0, 0, "-", "a sign")
    if not ranged and not reads and _FUNCTION.fullmatch(text):
        yield from (_Change(len(text), len(text), f" {sign} 1", f"the number by {sign}1") for sign in "+-")


def _integers(match: re.Match[str], alone: bool) -> Iterator[_Change]:
    value = int(match.group())
    for far in range(1, FARTHEST + 1):
        for new in (value + far, value - far):
            if new >= 0 or alone:
                yield _Change(match.start(), match.end(), str(new), f"{value} for {new}", far)


def _beside_integer(matches: list[re.Match[str]], k: int) -> bool:
    """Whether an integer is added to the sum that contains the name: then that integer is changed instead."""
    for step in (1, -1):
        here, depth = k + step, 0
        while 0 <= here < len(matches):
            word = matches[here].group()
            depth += step if word in "([{" else -step if word in ")]}" else 0
            if depth < 0 or (not depth and word in (":", ",")):
                break
            following = matches[here + 1].group() if here + 1 < len(matches) else ""
            if not depth and matches[here]["integer"] and matches[here - 1].group() in "+-" and following not in ("*", "/", "**", "//"):
                return True
            here += step
    return False


def _tidy(text: str) -> str:
    """The text without double signs, ``+ 0`` and brackets around one word, as an author would write it."""
    text = re.sub(r"^--", "", text.strip())
    text = re.sub(r"(?<=[\w)])\s*[-+]\s*0(?=\s*(?:$|[]:),}+-]))", "", text)
    return re.sub(r"(?<!\w)\((\w+)\)", r"\1", text)
