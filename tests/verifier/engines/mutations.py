"""Every single-symbol change of a construction file: an integer one up or down, a sign turned, one name for another."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

SYMBOL = re.compile(r"\d+|[A-Za-z_]\w*|\*\*|[-+*/]")
OTHER_NAMES = {"h": ("m",), "m": ("h",), "i": (), "N": ()}
PLACES = ("row", "weights", "mlp", "input")


def mutants(raw: Any) -> Iterator[tuple[str, Any]]:
    """(name, changed file) for every change of one symbol in the rows, the input representation, the weights and the MLP.

    The name is ``place: before → after``, the place as errata files write it.
    """
    for words, text in _expressions({key: raw[key] for key in PLACES}, ()):
        for after in changes(text):
            changed = copy.deepcopy(raw)
            here = changed
            for word in words[:-1]:
                here = here[word]
            here[words[-1]] = after
            yield f"{_place(raw, words)}: {text} → {after}", changed


def changes(text: str | int) -> list[str | int]:
    """The expression with one symbol changed, in every way."""
    if isinstance(text, int):
        return list(dict.fromkeys([text + 1, text - 1, -text])) if text else [1, -1]
    found: dict[str | int, None] = {}
    for match in SYMBOL.finditer(text):
        for symbol in _symbols(match[0]):
            found[text[: match.start()] + symbol + text[match.end() :]] = None
    found.pop(text, None)
    return list(found)


def _symbols(symbol: str) -> list[str]:
    if symbol.isdigit():
        return [str(int(symbol) + 1), *([str(int(symbol) - 1)] if int(symbol) else [])]
    if symbol in "+-":
        return ["-" if symbol == "+" else "+"]
    return list(OTHER_NAMES.get(symbol, ()))


def _expressions(value: Any, words: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str | int]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in items:
        if isinstance(each, dict | list):
            yield from _expressions(each, (*words, key))
        elif key not in ("step", "times"):
            yield (*words, key), each


def _place(raw: Any, words: tuple[Any, ...]) -> str:
    """Rows by their step, other lists from 1."""
    shown = [str(w + 1) if isinstance(w, int) else w for w in words]
    if words[0] == "row":
        shown[1] = str(raw["row"][words[1]]["step"])
    return ".".join(shown)
