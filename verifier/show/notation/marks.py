"""The nodes of mathematics on a page: numbers, names, operators, scripts, fractions, roots and brackets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Word:
    """kind: ``number``, ``name``, ``operator`` or ``text``."""

    kind: str
    text: str


@dataclass(frozen=True)
class Run:
    """Parts in a row."""

    parts: tuple[Notation, ...]


@dataclass(frozen=True)
class Script:
    """A base with what stands below and above it."""

    base: Notation
    below: Notation | None = None
    above: Notation | None = None


@dataclass(frozen=True)
class Fraction:
    above: Notation
    below: Notation


@dataclass(frozen=True)
class Root:
    inside: Notation


@dataclass(frozen=True)
class Bracketed:
    """Parts between two brackets, with commas."""

    opens: str
    parts: tuple[Notation, ...]
    closes: str


Notation: TypeAlias = Word | Run | Script | Fraction | Root | Bracketed

GREEK = {
    name: sign
    for names, signs in (
        ("alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu", "αβγδεζηθκλμν"),
        ("xi pi rho sigma tau phi chi psi omega", "ξπρστφχψω"),
        ("Gamma Delta Lambda Sigma Phi Omega", "ΓΔΛΣΦΩ"),
    )
    for name, sign in zip(names.split(), signs, strict=True)
}
SIGNS = {
    "<=": "≤", ">=": "≥", "!=": "≠", "==": "=", "-": "−", "*": "·", "->": "→", "...": "…", "..": "..", "+-": "±", "**": "^",
    "*^": "·\u0302", "/^": "÷\u0302",
}  # fmt: skip
"""Operators as they are typed and as they are shown."""


def run(parts: list[Notation]) -> Notation:
    """Parts in a row; a single one is itself."""
    return parts[0] if len(parts) == 1 else Run(tuple(parts))


def product(left: Notation, right: Notation) -> Notation:
    """``4p`` where a number stands before a name, with a dot otherwise."""
    head = right.base if isinstance(right, Script) else right
    close = isinstance(left, Word) and left.kind == "number" and isinstance(head, Word) and head.kind == "name" and len(head.text) == 1
    return run([left, right] if close else [left, operator("*"), right])


def operator(text: str) -> Word:
    return Word("text" if text == ".." else "operator", SIGNS.get(text, text))


def name(text: str) -> Word:
    return Word("name", GREEK.get(text, text))
