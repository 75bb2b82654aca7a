"""Tables for notebooks: what ``_repr_html_`` returns, escaped, without styles of its own but a verdict's colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

COLOURS = {"verified": "#1a7f37", "conditional": "#9a6700", "open": "#0969da", "declined": "#8250df", "refuted": "#cf222e"}


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """An HTML table; a cell that is a verdict is coloured."""
    lines = [f"<table><caption>{escape(caption)}</caption>", f"<thead><tr>{''.join(f'<th>{escape(h)}</th>' for h in head)}</tr></thead>"]
    lines += ["<tbody>", *(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows), "</tbody></table>"]
    return "\n".join(lines)


def _cell(text: str) -> str:
    colour = f' style="color: {COLOURS[text]}"' if text in COLOURS else ""
    return f"<td{colour}>{escape(text)}</td>"
