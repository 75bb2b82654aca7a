"""Quantities against a parameter: means with intervals, and lines of closed forms beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log2, log10

from verifier.arithmetic.rationals import Fraction
from verifier.show.pictures.drawing import Drawing, Place

LEFT, TOP, WIDTH, HEIGHT = 64.0, 40.0, 520.0, 240.0
Number = int | Fraction


@dataclass(frozen=True)
class Mean:
    """A mean at a value of the parameter, with the ends of its interval."""

    x: Number
    low: float
    mean: float
    high: float


@dataclass(frozen=True)
class Series:
    """Means, x ascending, or a line (no width); kind: the class of its line in the style sheet; name: its text in the legend."""

    name: str
    means: tuple[Mean, ...]
    kind: str = "line"


def line(name: str, xs: Sequence[Number], value: Callable[[Number], float]) -> Series:
    """A line of a closed form."""
    return points(name, ((x, value(x)) for x in xs), "said")


def points(name: str, values: Iterable[tuple[Number, float]], kind: str = "line") -> Series:
    """Values without intervals."""
    return Series(name, tuple(Mean(x, y, y, y) for x, y in values), kind)


def picture(title: str, across: str, up: str, series: Sequence[Series], logarithmic: bool = True, even: bool = False) -> Drawing:
    """The series in one frame; both scales are logarithmic.

    logarithmic: otherwise the vertical scale is even and has 0; on a logarithmic scale, values that are not positive are cut at the lower
    edge.
    even: whether the horizontal scale is even.
    """
    said = "; ".join(f"{s.name}: {', '.join(f'{m.x}: {m.mean:.3g}' for m in s.means)}" for s in series)
    drawing = Drawing(LEFT + WIDTH + 20, TOP + HEIGHT + 48 + 18 * len(series), title, said)
    drawing.text((8, 16), title)
    xs = sorted({m.x for s in series for m in s.means})
    place, levels = _frame(series, xs, logarithmic, even)
    drawing.rectangle((LEFT, TOP), (WIDTH, HEIGHT), "frame")
    for level in levels:
        y = place(xs[0], level)[1]
        drawing.line([(LEFT, y), (LEFT + WIDTH, y)], "grid")
        drawing.text((LEFT - 6, y + 4), f"{level:g}", "small end")
    for x in xs:
        drawing.text((place(x, levels[0])[0], TOP + HEIGHT + 14), str(x), "small middle")
    drawing.text((LEFT + WIDTH / 2, TOP + HEIGHT + 30), across, "small middle faint")
    drawing.text((LEFT, TOP - 8), up, "small faint")
    for number, each in enumerate(series):
        _draw(drawing, each, place)
        y = TOP + HEIGHT + 50 + 18 * number
        drawing.line([(LEFT, y - 4), (LEFT + 28, y - 4)], each.kind)
        drawing.text((LEFT + 36, y), each.name, "small")
    return drawing


def _frame(
    series: Sequence[Series], xs: list[Number], logarithmic: bool, even: bool
) -> tuple[Callable[[Number, float], Place], list[float]]:
    """The function from values to places in the frame, and the marked levels."""
    values = [v for s in series for m in s.means for v in (m.low, m.mean, m.high)]
    if logarithmic:
        positive = [v for v in values if v > 0]
        low = floor(log10(min(positive)))
        high = max(low + 1, ceil(log10(max(positive))))
        levels = [10.0**k for k in range(low, high + 1, max(1, (high - low) // 6))]

        def height(v: float) -> float:
            return (log10(v) - low) / (high - low) if v > 0 else 0.0
    else:
        least, most = min(0.0, *values), max(0.0, *values)
        step = 10.0 ** floor(log10(most - least or 1.0))
        first, last = floor(least / step), ceil(most / step)
        levels = [round(k * step, 12) for k in range(first, last + 1)]

        def height(v: float) -> float:
            return (v / step - first) / (last - first)

    def along(x: Number) -> float:
        return float(x) if even else log2(x)

    span = along(xs[-1]) - along(xs[0]) or 1.0

    def place(x: Number, v: float) -> Place:
        return LEFT + WIDTH * (along(x) - along(xs[0])) / span, TOP + HEIGHT * (1 - min(1.0, max(0.0, height(v))))

    return place, levels


def _draw(drawing: Drawing, each: Series, place: Callable[[Number, float], Place]) -> None:
    drawing.line([place(m.x, m.mean) for m in each.means], each.kind)
    if each.kind == "said":
        return
    for m in each.means:
        drawing.line([place(m.x, m.low), place(m.x, m.high)], each.kind)
        says = f"{each.name}, {m.x}: {m.mean:.4g} in [{m.low:.4g}, {m.high:.4g}]"
        drawing.circle(place(m.x, m.mean), 3, f"dot{each.kind.removeprefix('line')}", says)
