"""The parameters of a claim and their ranges. A value is an integer, perhaps with a name, or *all* integers at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from verifier.running.errors import InputError, LimitError, amount
from verifier.running.identifiers import meant

MOST_VALUES = 1 << 16
"""The most values that one option may name, and the most points of a run."""

SHORTER = "a shorter range"
"""The way to lift these limits."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,1000}")


class Named(int):
    """A value with a name, such as an activation. Formulas use its number, and screens show its name."""

    name: str

    def __new__(cls, number: int, name: str) -> Named:
        made = super().__new__(cls, number)
        made.name = name
        return made

    def __reduce__(self) -> tuple[type[Named], tuple[int, str]]:
        return Named, (int(self), self.name)

    def __str__(self) -> str:
        return self.name


class _All(Named):
    """A value that stands for all integers and equals only itself."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return hash("all")

    def __reduce__(self) -> str:  # type: ignore[override]  # the one there is, in another process too
        return "ALL"


ALL = _All(-1, "all")
"""The value of a parameter that stands for its whole domain."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a claim.

    where:   its domain, as the claim states it; outside it the claim is declined.
    typical: the values (``a..b``, ``a,b``) that are run when the user names none; or
    default: an expression in the parameters before it.
    names:   the names of the values 0, 1, …, if they have names.
    family:  whether the parameter selects one of our cases only, while the sentence is about all cases.
    meant:   the part of the domain that the authors intend, if it is smaller: a failure outside it is an edge.
    """

    name: str
    meaning: str
    where: str
    typical: str | None = None
    default: str | None = None
    names: tuple[str, ...] = ()
    meant: str | None = None
    family: bool = False

    @property
    def described(self) -> str:
        """The meaning and domain of a parameter, and the value that stands for a missing one."""
        left_out, names = f"{self.typical} if left out", ", ".join(self.names)
        if self.default is not None:
            left_out = f"{self.names[int(self.default)] if self.names else self.default} by default"
        return f"{self.meaning}; {self.where}; {f'or {names}; ' if self.names else ''}{left_out}"

    def value(self, number: int) -> int:
        """The value with its name, if it has one."""
        if isinstance(number, Named):
            return number
        return Named(number, self.names[number]) if 0 <= number < len(self.names) else int(number)


def read_integer(name: str, text: str) -> int:
    """An integer in the digits 0 to 9.

    Raises:
        InputError: anything else.
    """
    if not _INTEGER.fullmatch(text):
        raise InputError(f"--{name} {_brief(text)}: an integer was expected")
    return int(text)


def _brief(text: str) -> str:
    """The given text, or its beginning."""
    return text if len(text) <= 60 else f"{text[:60]}… ({len(text):,} characters)"


def parse_values(text: str, parameter: Parameter, of_option: bool = True, of_claim: bool = True) -> list[int]:
    """Read ``5``, ``2..12``, ``all``, a name of a value, or several of these with commas between, in increasing order and each once.

    of_option: whether errors name the parameter's option; otherwise the caller adds the place of the text. of_claim: whether errors
    mention ``all``, which says of a file only why it is refused.

    Raises:
        InputError: anything else, or an empty range.
        LimitError: more than :data:`MOST_VALUES`.
    """
    if text == "all":
        return [ALL]
    values: set[int] = set()
    for part in text.split(","):
        values.update(_parse_range(part, parameter.names, f"--{parameter.name} " if of_option else "", ["all"] * of_claim))
        if len(values) > MOST_VALUES:
            raise LimitError(f"--{parameter.name}: more than {MOST_VALUES:,} values, the limit for one option", SHORTER)
    return sorted(values)


def _parse_range(text: str, names: Sequence[str], option: str, others: Sequence[str]) -> range:
    if text in names:
        return range(names.index(text), names.index(text) + 1)
    first, dots, last = text.partition("..")
    *kinds, last_kind = ("an integer", "a range such as 2..12", "a list such as 5,8..9", *names, *others)
    expected = meant(text, [*names, *others], f"{', '.join(kinds)} or {last_kind} was expected")
    if not _INTEGER.fullmatch(first) or (dots and not _INTEGER.fullmatch(last)):
        other = re.fullmatch(r"\s*[(\[]?(-?[0-9]+)\s*(?::|-|–|…|\.\.\.|,|\.\.)\s*(-?[0-9]+)[)\]]?\s*", text, re.ASCII)
        raise InputError(f"{option}{_brief(text)}: {f'write {option}{other[1]}..{other[2]}' if other else expected}")
    start = int(first)
    end = int(last) if dots else start
    if end < start:
        raise InputError(f"{option}{_brief(text)}: the range is empty, its end lies before its start")
    if end - start >= MOST_VALUES:
        raise LimitError(f"{option}{_brief(text)}: {amount(end - start + 1)} values, the limit for one option is {MOST_VALUES:,}", SHORTER)
    return range(start, end + 1)
