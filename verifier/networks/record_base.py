"""The base of the records that files are read as, and the names that their strings and quantities may have."""

from __future__ import annotations

import keyword
import re

import msgspec

from verifier.language import syntax
from verifier.running.errors import InputError
from verifier.running.identifiers import identifier

Expression = str | int

RESERVED = ("N", "i", *sorted(syntax.RESERVED))
"""Names that formulas and entries give a meaning of their own."""

OPTIONS = (
    *("against", "arithmetic", "certificate", "edition", "editions", "errata", "every", "form", "format", "help", "limit", "method"),
    *("output", "papers", "semantics", "states", "steps", "symbols", "verbose", "verdicts", "word", "words", "y", "z"),
)
"""Options of the commands on construction files; parameters are options beside them."""

PARAMETER = re.compile(r"[a-z][a-z0-9_]*")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of the records: unknown keys are errors."""


def identified(text: str, what: str) -> None:
    """Raises ValueError where the text is not an id: records turn it into a mistake of the file."""
    try:
        identifier(text, what)
    except InputError as error:
        raise ValueError(str(error)) from None


def quantity_named(name: str) -> None:
    """Raises ValueError where a formula cannot use this name for a quantity of the file."""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name) or name in RESERVED:
        raise ValueError(f"{name!r} names no quantity; a word such as half, other than {', '.join(RESERVED)}, was expected")
