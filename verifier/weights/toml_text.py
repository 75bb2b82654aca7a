"""Write a network file as text, with its tables in the order of the reader. A table with many formulas has one on each line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

WIDE = 110
"""An entry is written in one line up to here."""

EMPTY: tuple[Any, ...] = ({}, [], None, "")
REQUIRED = ("layer", "value", "printed", "repaired")
"""Fields of network files and errata that stand there even where they are empty."""


def toml_text(file: Mapping[str, Any], comment: str = "") -> str:
    """The text of a TOML file. Empty tables and lists are left out."""
    lines = [*(f"# {line}" for line in comment.splitlines()), *_table((), file)]
    return "\n".join(lines).strip("\n") + "\n"


def _table(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[str]:
    """The entries of a table, then the tables in it."""
    tables = {}
    for key, value in table.items():
        if value in EMPTY and key not in REQUIRED:
            continue
        if (line := _entry(path, key, value)) is None:
            tables[key] = value
        else:
            yield from line
    for key, value in tables.items():
        name = ".".join(map(_key, (*path, key)))
        if isinstance(value, Mapping):
            yield from ("", f"[{name}]", *_table((*path, key), value))
        else:
            for each in value:
                yield from ("", f"[[{name}]]", *_table((*path, key), each))


def _entry(path: tuple[str, ...], key: str, value: Any) -> Sequence[str] | None:
    """The lines of an entry, or None if the entry needs a separate header."""
    if isinstance(value, Mapping):
        inline = path and not any(isinstance(each, Mapping | list) for each in value.values())
        entries = ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items() if v not in EMPTY)
        text = f"{_key(key)} = {{ {entries} }}" if inline else ""
        return [text] if text and len(text) <= WIDE else None
    if isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
        return None
    text = f"{_key(key)} = {_value(value)}"
    if isinstance(value, list) and len(text) > WIDE:
        return [f"{_key(key)} = [", *(f"    {_value(each)}," for each in value), "]"]
    return [text]


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "a").replace("-", "a").isalnum()
    return key if bare else json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
