"""Numbers against a parameter: a few series of points, each joined by a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verifier.show.pictures.drawing import Drawing

LEFT, TOP, WIDTH, HEIGHT = 56.0, 40.0, 520.0, 260.0


@dataclass(frozen=True)
class Series:
    """A name and its points, x ascending; kind: the class of its line in the style sheet."""

    name: str
    points: tuple[tuple[int, float], ...]
    kind: str = "line"


def picture(title: str, across: str, up: str, series: Sequence[Series]) -> Drawing:
    """The series in one frame, with a line of words under it for each."""
    xs = sorted({x for s in series for x, _ in s.points})
    most = max((y for s in series for _, y in s.points), default=1.0) or 1.0
    says = "; ".join(f"{s.name}: {', '.join(f'{x}: {y:.2f}' for x, y in s.points)}" for s in series)
    drawing = Drawing(LEFT + WIDTH + 20, TOP + HEIGHT + 44 + 18 * len(series), title, says)
    drawing.text((8, 16), title)

    def place(x: int, y: float) -> tuple[float, float]:
        return LEFT + WIDTH * (x - xs[0]) / max(1, xs[-1] - xs[0]), TOP + HEIGHT * (1 - y / most)

    drawing.rectangle((LEFT, TOP), (WIDTH, HEIGHT), "frame")
    step = max(1, round(most / 6))
    for level in range(0, int(most) + 1, step):
        y = place(xs[0], level)[1]
        drawing.line([(LEFT, y), (LEFT + WIDTH, y)], "grid")
        drawing.text((LEFT - 6, y + 4), str(level), "small end")
    for x in xs:
        drawing.text((place(x, 0)[0], TOP + HEIGHT + 14), str(x), "small middle")
    drawing.text((LEFT + WIDTH / 2, TOP + HEIGHT + 28), across, "small middle faint")
    drawing.text((LEFT, TOP - 8), up, "small faint")
    for number, each in enumerate(series):
        drawing.line([place(x, y) for x, y in each.points], each.kind)
        if each.kind != "said":
            for x, y in each.points:
                drawing.circle(place(x, y), 3, f"dot{each.kind.removeprefix('line')}", f"{each.name}, {x}: {y:.3f}")
        y = TOP + HEIGHT + 46 + 18 * number
        drawing.line([(LEFT, y - 4), (LEFT + 28, y - 4)], each.kind)
        drawing.text((LEFT + 36, y), each.name, "small")
    return drawing
