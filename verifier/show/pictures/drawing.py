"""Drawing with plain SVG: texts, lines, marks, images and tables, measured in pixels. Positions are floats; this module decides no
verdict."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from importlib.resources import files

Place = tuple[float, float]


@lru_cache(maxsize=1)
def style() -> str:
    """The style sheet of every picture, in a separate file or in a page."""
    return (files("verifier.show.pictures") / "picture.css").read_text(encoding="utf-8")


_BLOCK = re.compile(r"svg\.picture \{([^}]*--ink[^}]*)\}")
_DARK = "@media (prefers-color-scheme: dark) {"


@lru_cache(maxsize=1)
def style_of_file() -> str:
    """The style sheet of a picture file, with its colours written out because many converters know no variables."""
    light, dark = (dict(re.findall(r"(--\w+): ([^;]+);", block)) for block in _BLOCK.findall(style()))
    rules = re.findall(r"^svg\.picture [^{]*\{ [^-].*\}$", style(), re.MULTILINE)
    coloured = [rule for rule in rules if "var(" in rule]
    return "\n".join(
        [*(_written(rule, light) for rule in [*rules, _PLATE]), _DARK, *(_written(rule, dark) for rule in [*coloured, _PLATE]), "}", ""]
    )


_PLATE = "svg.picture .plate { fill: var(--plate); }"


def _written(rule: str, colours: dict[str, str]) -> str:
    """A rule with its variables written out."""
    return re.sub(r"var\((--\w+)\)", lambda found: colours[found[1]], rule)


def _at(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".")


class Drawing:
    """A picture with a title and a description for people who do not see it."""

    def __init__(self, width: float, height: float, title: str, says: str = "") -> None:
        self.width, self.height, self.title, self.says = width, height, title, says
        self._elements: list[str] = []

    def text(self, at: Place, words: str, kind: str = "", turned: bool = False) -> None:
        turn = f' transform="rotate(-90 {_at(at[0])} {_at(at[1])})"' if turned else ""
        self._elements.append(f'<text x="{_at(at[0])}" y="{_at(at[1])}"{_kind(kind)}{turn}>{escape(words, quote=False)}</text>')

    def line(self, points: Sequence[Place], kind: str) -> None:
        """Draw straight lines from point to point."""
        listed = " ".join(f"{_at(x)},{_at(y)}" for x, y in points)
        self._elements.append(f'<polyline points="{listed}"{_kind(kind)}/>')

    def rectangle(self, corner: Place, size: Place, kind: str, says: str = "") -> None:
        inside = f"<title>{escape(says, quote=False)}</title>" if says else ""
        self._elements.append(
            f'<rect x="{_at(corner[0])}" y="{_at(corner[1])}" width="{_at(size[0])}" height="{_at(size[1])}"{_kind(kind)}>{inside}</rect>'
        )

    def circle(self, at: Place, radius: float, kind: str, says: str = "") -> None:
        inside = f"<title>{escape(says, quote=False)}</title>" if says else ""
        self._elements.append(f'<circle cx="{_at(at[0])}" cy="{_at(at[1])}" r="{_at(radius)}"{_kind(kind)}>{inside}</circle>')

    def image(self, corner: Place, size: Place, png: bytes) -> None:
        """Embed a raster image."""
        data = b64encode(png).decode()
        self._elements.append(
            f'<image x="{_at(corner[0])}" y="{_at(corner[1])}" width="{_at(size[0])}" height="{_at(size[1])}" '
            f'preserveAspectRatio="none" href="data:image/png;base64,{data}"/>'
        )

    def raw(self, element: str) -> None:
        """An SVG element written by the caller, who has escaped what is in it."""
        self._elements.append(element)

    @property
    def elements(self) -> str:
        """The drawn elements, for insertion into another picture."""
        return "".join(self._elements)

    @property
    def _size(self) -> str:
        return f'viewBox="0 0 {_at(self.width)} {_at(self.height)}" width="{_at(self.width)}" height="{_at(self.height)}"'

    def inside(self, kind: str = "", role: str = "img") -> str:
        """The SVG element for a page that has :func:`style`.

        role: ``img`` for a picture that is one thing, ``group`` for one with parts that can be chosen.
        """
        said = f'role="{role}" aria-label="{escape(self.title + (": " + self.says if self.says else ""))}"'
        return f'<svg class="picture{" " + kind if kind else ""}" {self._size} {said}>{self.elements}</svg>'

    def file(self) -> str:
        """The picture as a separate file, with colours for a light and a dark screen."""
        head = f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" {self._size} role="img">'
        words = f"<title>{escape(self.title, quote=False)}</title>" + (
            f"<desc>{escape(self.says, quote=False)}</desc>" if self.says else ""
        )
        plate = '<rect width="100%" height="100%" class="plate"/>'
        return f"{head}{words}<style>{style_of_file()}</style>{plate}{''.join(self._elements)}</svg>\n"


def _kind(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


@dataclass(frozen=True)
class DrawnTable:
    """heading: what it shows; title: its parameters; heads and rows; ends: the results, by name."""

    heading: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    ends: tuple[tuple[str, str], ...] = ()
