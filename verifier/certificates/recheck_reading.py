"""Reading, for all files of the checker: the pieces of a certificate with their places, its digest, the limits, and closed sets.

If this file is right, you may believe: later files receive exactly what stands in the file; no key is read twice, and nothing is left
unread; two certificates with one digest make the same statement; the program spends no more than the limits allow.
"""

import gzip
import hashlib
import io
import json
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NoReturn

DEEPEST = 64  # lists and records within each other
LIMITS = {
    "bytes": (1 << 24, "bytes of the file when unpacked"),
    "entries": (1 << 20, "brackets, colons and commas of the file"),
    "work": (1 << 24, "steps, of at most some two microseconds each"),
    "states": (1 << 20, "states held at once"),
}
NUMBER = re.compile(r"[+-]?[0-9]{1,700}(/0{0,700}[1-9][0-9]{0,699}|\.[0-9]{1,700})?")


class Rejected(Exception):  # noqa: N818
    """The certificate makes a claim that does not follow."""


class Unknown(Exception):  # noqa: N818
    """This program cannot read the certificate."""


class Open(Unknown):
    """The ends of a number leave something open."""


class TooMuch(Exception):  # noqa: N818
    """A certificate that takes more than a limit; the message names the limit."""


def demand(holds: object, reason: str) -> None:
    if not holds:
        raise Rejected(reason)


class Limits:
    """The limits; each step asks for its cost before it spends it."""

    def __init__(self, **raised: int) -> None:
        self.most, self.spent = {name: most for name, (most, _) in LIMITS.items()} | raised, 0

    def keep(self, name: str, amount: int) -> None:
        if amount > self.most[name]:
            raise TooMuch(f"more than {self.most[name]} {name}; --{name} {16 * self.most[name]}, for example, allows more")

    def spend(self, operations: int) -> None:
        self.spent += operations
        self.keep("work", self.spent)


def closed(states: Iterable[Any], further: Callable[[Any], Iterable[Any]], limits: Limits) -> set[Any]:
    """The states with all that are reached from them, as far as the limits allow."""
    found, waiting = {*states}, [*states]
    while waiting:
        fresh = {*further(waiting.pop())} - found
        found |= fresh
        waiting += fresh
        limits.keep("states", len(found))
    return found


def shown(data: Any) -> str:
    """A piece of the file in ASCII and on one line, whatever it contains."""
    if isinstance(data, dict | list):
        return "a record" if isinstance(data, dict) else "a list"
    return json.dumps(data if not isinstance(data, str) or len(data) <= 80 else data[:77] + "...")


class At:
    """A piece of the file and where it stands. Unexpected content raises Unknown with the place."""

    __slots__ = ("data", "key", "parent")

    def __init__(self, data: Any, key: str = "", parent: "At | None" = None) -> None:
        self.data, self.key, self.parent = data, key, parent

    @property
    def place(self) -> str:
        above = self.parent.place if self.parent and self.parent.key else ""
        return f"{above}, {self.key}" if above else self.key or "the certificate"

    def refuse(self, expected: str) -> NoReturn:
        raise Unknown(f"{self.place}: {shown(self.data)} where {expected} was expected")

    def record(self, *keys: str) -> "dict[str, At]":
        """A record with these keys and no others."""
        names = self.names()
        for key in (*keys, *names):
            if key not in names:
                raise Unknown(f"{self.place}: no {key}")
            if key not in keys:
                raise Unknown(f"{self.place}: {shown(key)} is not known here; {', '.join(keys)} were expected")
        return names

    def fields(self, **read: "Callable[[At], Any]") -> Any:
        """A record with these keys and no others, each read as it is said here."""
        parts = self.record(*read)
        return SimpleNamespace(**{key: of_part(parts[key]) for key, of_part in read.items()})

    def names(self) -> "dict[str, At]":
        if not isinstance(self.data, dict):
            self.refuse("a record")
        return {key: At(each, key, self) for key, each in self.data.items()}

    def items(self, count: int | None = None) -> "list[At]":
        """A list; ``count`` gives its length, if that is fixed."""
        if not isinstance(self.data, list):
            self.refuse("a list")
        if count is not None and len(self.data) != count:
            raise Unknown(f"{self.place}: {len(self.data)} entries where {count} were expected")
        return [At(each, f"number {k}", self) for k, each in enumerate(self.data, 1)]

    def text(self) -> str:
        return self.data if isinstance(self.data, str) else self.refuse("a text")

    def one_of(self, *words: str) -> str:
        return self.data if isinstance(self.data, str) and self.data in words else self.refuse(" or ".join(words))

    def flag(self) -> bool:
        return self.data if isinstance(self.data, bool) else self.refuse("true or false")

    def number(self) -> Fraction:
        if not isinstance(self.data, str) or not NUMBER.fullmatch(self.data):
            self.refuse("an exact number")
        return Fraction(self.data)

    def integer(self, low: int | None = None, high: int | None = None) -> int:
        value = self.number()
        if value.denominator != 1 or (low is not None and value < low) or (high is not None and value > high):
            limits = "" if low is None else f" from {low} on" if high is None else f" from {low} to {high}"
            self.refuse(f"an integer{limits}")
        return value.numerator


# ---- how fields are read


def word(*words: str) -> Callable[[At], str]:
    return lambda given: given.one_of(*words)


def list_of(of_entry: Callable[[At], Any]) -> Callable[[At], list[Any]]:
    return lambda given: [of_entry(x) for x in given.items()]


def one_or_none(of_entry: Callable[[At], Any]) -> Callable[[At], list[Any]]:
    """A list of one entry, or of none."""
    return lambda given: [of_entry(x) for x in given.items(len(given.items()[:1]))]


def read(path: str, limits: Limits) -> Any:
    """The file as JSON: numbers as text, no key twice. Refuse a device or a pipe before reading from it."""
    most = limits.most["bytes"]
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Unknown(f"{json.dumps(path)} is no regular file")
        with open(path, "rb") as file:
            data = file.read(most + 1)
        if data[:2] == b"\x1f\x8b":
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(most + 1)
        limits.keep("bytes", len(data))
        limits.keep("entries", sum(map(data.count, (b"[", b"{", b",", b":"))))  # before they are built
        return json.loads(
            data.decode(), parse_int=str, parse_float=str, parse_constant=lambda word: At(word).refuse("JSON"), object_pairs_hook=once
        )
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise Unknown(f"{json.dumps(path)} is not readable: {error.strerror}") from None
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise Unknown(f"{json.dumps(path)} is not readable as JSON: {ascii(str(error))[1:-1]}") from None


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A record, in which no key repeats."""
    found: dict[str, Any] = {}
    for key, each in pairs:
        if key in found:
            raise ValueError(f"{shown(key)} occurs twice")
        found[key] = each
    return found


def canonical(value: Any, depth: int = 1) -> Any:
    """The same content with every number in lowest terms, as the digest covers it; refused where it is nested too deep."""
    if isinstance(value, dict | list) and depth > DEEPEST:
        raise Unknown(f"lists and records stand within each other more than {DEEPEST} deep")
    if isinstance(value, dict):
        return {key: canonical(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [canonical(each, depth + 1) for each in value]
    return str(Fraction(value)) if isinstance(value, str) and NUMBER.fullmatch(value) else value


def digest_of(statement: Mapping[str, Any]) -> str:
    text = json.dumps(canonical(dict(statement)), sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
