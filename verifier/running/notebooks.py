"""The form of results in Python. A result prints a few lines at the prompt, an HTML table in a notebook, and a pandas table with types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from verifier.running.errors import MissingExtraError
from verifier.running.printable import assignment, many, one_line

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")
COLOURS = {"verified": "#1a7f37", "conditional": "#9a6700", "open": "#0969da", "declined": "#8250df", "refuted": "#cf222e"}
Columns: TypeAlias = Mapping[str, str | Sequence[str]]
"""The type of each column, or its categories."""
INTEGER, OBJECT, TEXT = "Int64", "object", "string"
"""Types of columns: integers of 64 bits; exact numbers of any size, and dictionaries; texts."""
ROWS, MOST, WIDTH, END = 8, 100, 100, 60
"""The most rows at the prompt and in a notebook, the width of a line, and how much of its end a long caption keeps."""
SPELLINGS = {"semantics": "arithmetic", "papers": "folder"}
"""Options of the command line that have another name here."""


class Facts:
    """Base of one thing of a result: at the prompt and in a notebook a caption, and a line for each fact."""

    def caption(self) -> str:
        """The name of the thing."""
        raise NotImplementedError

    def facts(self) -> dict[str, str | None]:
        """Known facts by name. Empty facts are not shown."""
        raise NotImplementedError

    def _told(self) -> list[tuple[str, str]]:
        return [(name, text if name == "replay" else in_python(one_line(text))) for name, text in self.facts().items() if text]

    def __repr__(self) -> str:
        lines = (f"  {name}: {text}" for name, text in self._told())
        return "\n".join(line if line.startswith("  replay") else _cut(line) for line in (self.caption(), *lines))

    def _repr_html_(self) -> str:
        return table(self.caption(), ("", ""), self._told())


class Shown:
    """Base of results that are rows: a representation of at most ten lines, an HTML table, a document, and a pandas table.

    The methods and ``status`` are the same for every result of Python. Results of a class with no rule of its own are equal if their
    captions and their documents are.
    """

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return (self.caption(), self.to_dict()) == (other.caption(), other.to_dict())

    __hash__ = None  # type: ignore[assignment]

    @property
    def columns(self) -> Columns:
        """The columns, which follow from the question, and are the same without rows."""
        raise NotImplementedError

    @property
    def status(self) -> int:
        """The exit status of the command line."""
        return 0

    def caption(self) -> str:
        """The caption of the rows."""
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        """A dictionary for each row; a key that a row lacks is an empty cell."""
        raise NotImplementedError

    def row(self, *values: Any) -> dict[str, Any]:
        """A row with these values of :attr:`columns`, in their order."""
        return dict(zip(self.columns, values, strict=True))

    def outline(self) -> list[dict[str, Any]]:
        """The rows of the representation and of the HTML table."""
        return self.rows()

    def to_dict(self) -> dict[str, Any]:
        """The document that ``--format json`` prints."""
        raise NotImplementedError

    def __repr__(self) -> str:
        head, rows, more = self._cells(ROWS)
        cells = [head, *rows] if rows else []
        width = [max((len(row[k]) for row in cells), default=0) for k in range(len(head))]
        lines = ["  ".join(f"{text:<{size}}" for text, size in zip(row, width, strict=True)).rstrip() for row in cells]
        return "\n".join((_cut(in_python(self.caption()), END), *map(_cut, (*lines, *more))))

    def _repr_html_(self) -> str:
        head, rows, more = self._cells(MOST)
        return table(", ".join([in_python(self.caption()), *more]), head, rows)

    def _cells(self, most: int) -> tuple[list[str], list[list[str]], list[str]]:
        """The names of the columns, so many rows with a line about the others, and that line if there are more."""
        listed = self.outline()
        first = listed if len(listed) <= most else listed[: most - 1]
        head = [name for name in self.columns if not listed or any(name in row for row in first)]
        more = [f"… and {many(len(listed) - len(first), 'more row')}"] if len(first) < len(listed) else []
        return head, [[_text(row.get(key)) for key in head] for row in first], more

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a table with the types of :attr:`columns`; exact numbers stay objects, never floats.

        What a column of integers cannot hold, such as ``all``, is missing there.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            from pandas import CategoricalDtype, DataFrame
        except ImportError:
            raise MissingExtraError("a pandas table needs pandas", "pandas") from None
        columns = self.columns
        listed = [{name: _fitting(row.get(name), kind) for name, kind in columns.items()} for row in self.rows()]
        types = {name: kind if isinstance(kind, str) else CategoricalDtype(list(kind)) for name, kind in columns.items()}
        return DataFrame(listed, columns=list(types), dtype=object).astype(types)


class Listed(Shown, Generic[T]):
    """Base of results that are also a sequence."""

    listed: tuple[T, ...]

    def __iter__(self) -> Iterator[T]:
        return iter(self.listed)

    def __len__(self) -> int:
        return len(self.listed)

    def __getitem__(self, at: int) -> T:
        return self.listed[at]


def in_python(message: str) -> str:
    """A message with ``m is 'x'; `` for ``--m x: ``, ``m=3`` for ``--m 3``, and ``the argument m`` for any other ``--m``.

    What stands in backticks is a command line and stays as it is, but for ``verify list`` of claims.
    """
    message = re.sub(r"`verify list(?: (?!gallery)([a-z][^` ]*))?( --steps)?`", _listing, message)
    return "".join(part if part.startswith("`") else _options_in(part) for part in re.split("(`[^`]*`)", message))


def _listing(found: re.Match[str]) -> str:
    given = [f'"{found[1]}"' if found[1] else "", "steps=True" if found[2] else ""]
    return f"`claims({', '.join(filter(None, given))})`"


def _options_in(message: str) -> str:
    message = re.sub(r"^((?:\S+: )?)--([a-z]\w*) ( *\S*): ", lambda x: f"{x[1]}{SPELLINGS.get(x[2], x[2])} is '{x[3]}'; ", message)
    message = re.sub(r"write --([a-z]\w*) (\S+)", r"write \1='\2'", message)
    message = re.sub(r"(?<![\w-])--([a-z]\w*) (-?\d+)\b( (?=--))?", lambda found: f"{found[1]}={found[2]}{', ' * bool(found[3])}", message)
    message = re.sub(r"(larger|longer) --([a-z]+)", r"\1 \2", message)
    return re.sub(r"(?<![\w-])--([a-z][\w-]*)", lambda found: f"the argument {found[1].replace('-', '_')}", message)


def _fitting(value: Any, kind: str | Sequence[str]) -> Any:
    """The value, or None if it is no integer of 64 bits in a column of such."""
    return value if kind != INTEGER or (isinstance(value, int) and abs(value) < 1 << 63) else None


def _cut(line: str, end: int = 0) -> str:
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1 - end]}…{line[len(line) - end :]}"


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
