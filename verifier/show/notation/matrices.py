"""The matrices and vectors of a counterexample, drawn as such: ``((2, 1), (1, 1))``, ``1 0; 0 -1``, ``(1, -1, 1)``, ``Q(1, 1)``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from verifier.show.notation.mathml import formula

ENTRY = re.compile(r"(\w+)\((\d+), (\d+)\)")
NUMBER = r"-?\d+(?:/\d+)?"
ROWS = re.compile(rf"{NUMBER}(?: {NUMBER})*(?:; {NUMBER}(?: {NUMBER})*)*")
TUPLE = re.compile(rf"\(({NUMBER}(?:, {NUMBER})*)\)")
MOST = 12


@dataclass(frozen=True)
class Matrix:
    """rows: of entries as they are typed, each row of the same length."""

    name: str
    rows: tuple[tuple[str, ...], ...]

    @property
    def html(self) -> str:
        """The matrix as MathML between brackets, behind its name."""
        listed = "".join(f"<mtr>{''.join(f'<mtd>{_entry(x)}</mtd>' for x in row)}</mtr>" for row in self.rows)
        said = "; ".join(" ".join(row) for row in self.rows)
        table = f"<math><mtable>{listed}</mtable></math>"
        return f'{formula(self.name)} = <span class="math" role="math" aria-label="({said})">{table}</span>'


def matrices(values: Mapping[str, str]) -> list[Matrix]:
    """Those among the values of a counterexample, in their order; a pair of numbers is an interval, and none."""
    found = [Matrix(name, rows) for name, text in values.items() if "range" not in name and name != "claimed" and (rows := _rows(text))]
    entries: dict[str, dict[tuple[int, int], str]] = {}
    for name, text in values.items():
        if match := ENTRY.fullmatch(name):
            entries.setdefault(match[1], {})[int(match[2]), int(match[3])] = text
    return found + [Matrix(name, _filled(listed)) for name, listed in entries.items()]


def _rows(text: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a matrix; none if the text is not a matrix or is too large."""
    rows: list[tuple[str, ...]] = []
    if text.startswith("((") and text.endswith("))"):
        parts = TUPLE.findall(text[1:-1])
        rows = [tuple(part.split(", ")) for part in parts] if ", ".join(f"({p})" for p in parts) == text[1:-1] else []
    elif match := TUPLE.fullmatch(text):
        rows = [tuple(match[1].split(", "))]
    elif ROWS.fullmatch(text) and " " in text:
        rows = [tuple(row.split(" ")) for row in text.split("; ")]
    even = len({len(row) for row in rows}) == 1 and max(len(rows), len(rows[0])) <= MOST
    return tuple(rows) if even and sum(map(len, rows)) > 1 else ()


def _filled(entries: Mapping[tuple[int, int], str]) -> tuple[tuple[str, ...], ...]:
    high, wide = max(i for i, _ in entries), max(j for _, j in entries)
    return tuple(tuple(entries.get((i, j), "·") for j in range(1, wide + 1)) for i in range(1, high + 1))


def _entry(text: str) -> str:
    sign, rest = ("<mo>−</mo>", text[1:]) if text.startswith("-") else ("", text)
    over, slash, under = rest.partition("/")
    return f"{sign}<mfrac><mn>{over}</mn><mn>{under}</mn></mfrac>" if slash else f"{sign}<mn>{over}</mn>"
