"""The adders of the gallery: ten digits, 10^20 inputs, in the arithmetic of each entry and in others; and what a published page says."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files as resources

import msgspec

from verifier.arithmetic.semantics import arithmetic
from verifier.networks.record_base import Strict
from verifier.transformers.files import find_network

DIGITS = 10
UNFUSED = "float64"
"""The format in which no engine computes fused products."""
ALSO = ("float16", "bfloat16")
"""Formats in which every adder is tried, beside its own."""


class Listed(Strict, frozen=True):
    """A file of the gallery, the entries of the list that it stands for, and what the published page says of each.

    readings: arithmetics in which its operations may also run, beside the one that the file assumes.
    """

    file: str
    entries: str
    status: list[str]
    readings: list[str]


class Board(Strict, frozen=True):
    """The published page. source: where it stands. orders: knobs of other orders of a matrix product, tried for each entry."""

    source: str
    orders: list[str]
    adder: list[Listed]


@cache
def board() -> Board:
    """The entries of ``constructions/gallery/published/adderboard.toml``."""
    path = resources("constructions") / "gallery" / "published" / "adderboard.toml"
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Board)


def listed(name: str) -> Listed | None:
    """The line of a network of the gallery; None if it is not an adder."""
    return next((each for each in board().adder if each.file == name), None)


def arithmetics(name: str) -> list[str]:
    """Those in which an adder is judged: its own first, then other orders of its products and its other readings, then narrow formats."""
    entry = listed(name)
    assert entry is not None
    own = find_network(f"gallery/{name}").assumes
    orders = [f"{own}+{order}" for order in board().orders if not (own == UNFUSED and "products=fused" in order)]
    return [str(arithmetic(text)) for text in dict.fromkeys((own, *orders, *entry.readings, *ALSO))]


def compared(statuses: list[str], right: bool | None) -> str:
    """What the published page and a verdict here say of the same entry. right: None where it is open here."""
    proven = set(statuses) == {"proven"}
    if right is None:
        return "open here; " + ("proven over real numbers there" if proven else "open there")
    if right:
        return "agrees: proven over real numbers there" if proven else f"decided here only: {', '.join(dict.fromkeys(statuses))} there"
    return "differs: right over real numbers there, rounding loses it here" if proven else "refuted here only"
