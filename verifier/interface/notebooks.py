"""The form of results in Python. They are a few lines at the prompt, an HTML table in a notebook, and a pandas table with types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from verifier.running.errors import MissingExtraError
from verifier.running.printable import assignment

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")
COLOURS = {"verified": "#1a7f37", "conditional": "#9a6700", "open": "#0969da", "declined": "#8250df", "refuted": "#cf222e"}
CATEGORIES = ("edition", "verdict", "semantics", "class")
"""Columns of few words."""
ROWS, COLUMNS = 8, 100
"""The most rows that a representation shows, and the width of a line."""


class Shown:
    """Base of results that are rows: a representation of at most ten lines, an HTML table, and a pandas table."""

    def caption(self) -> str:
        """The caption of the rows."""
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        """A dictionary for each row; a key that a row lacks is an empty cell."""
        raise NotImplementedError

    def outline(self) -> list[dict[str, Any]]:
        """The rows of the representation and of the HTML table."""
        return self.rows()

    def __repr__(self) -> str:
        listed = self.outline()
        head = _head(listed)
        cells = [head, *([_text(row.get(key)) for key in head] for row in listed[:ROWS])] if listed else []
        width = [max(len(row[k]) for row in cells) for k in range(len(head))]
        lines = ["  ".join(f"{text:<{size}}" for text, size in zip(row, width, strict=True)).rstrip() for row in cells]
        more = f" (the first {ROWS} of {len(listed)})" if len(listed) > ROWS else ""
        return "\n".join(line if len(line) <= COLUMNS else f"{line[: COLUMNS - 1]}…" for line in (f"{self.caption()}{more}", *lines))

    def _repr_html_(self) -> str:
        listed = self.outline()
        head = _head(listed)
        return table(self.caption(), head, [[_text(row.get(key)) for key in head] for row in listed])

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a table whose columns have types: integers, texts and categories; exact numbers stay objects, never floats.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ImportError:
            raise MissingExtraError("a pandas table needs pandas", "pandas") from None
        found = DataFrame(self.rows(), dtype=object)
        return found.astype({name: kind for name in found.columns if (kind := _kind(name, found[name]))})


class Listed(Shown, Generic[T]):
    """Base of results that are also a sequence."""

    listed: tuple[T, ...]

    def __iter__(self) -> Iterator[T]:
        return iter(self.listed)

    def __len__(self) -> int:
        return len(self.listed)

    def __getitem__(self, at: int) -> T:
        return self.listed[at]


def _kind(name: str, column: pandas.Series[Any]) -> str:
    """The type of a column, or empty if it remains a column of objects."""
    values = [value for value in column if value is not None and value == value]  # what a row lacks is NaN
    if name in CATEGORIES:
        return "category"
    if values and all(isinstance(value, int) and abs(value) < 1 << 63 for value in values):
        return "Int64"
    return "string" if values and all(isinstance(value, str) for value in values) else ""


def _head(rows: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return assignment(value)
    return "" if value is None else str(value)


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """An HTML table; a cell that is a verdict is coloured."""
    from html import escape  # reads the names of all characters

    lines = [f"<table><caption>{escape(caption)}</caption>", f"<thead><tr>{''.join(f'<th>{escape(h)}</th>' for h in head)}</tr></thead>"]
    lines += ["<tbody>", *(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows), "</tbody></table>"]
    return "\n".join(lines)


def _cell(text: str) -> str:
    from html import escape

    colour = f' style="color: {COLOURS[text]}"' if text in COLOURS else ""
    return f"<td{colour}>{escape(text)}</td>"
