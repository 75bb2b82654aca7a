"""A picture of an activation's values between the midpoints of the grid, which shows that each rounding is certain."""

from __future__ import annotations

from math import ceil, floor

from constructions.fixed_point_networks.mathematics.activations import NAMED, Activation
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.rounded_activations import rounded
from verifier.arithmetic.enclosure import decided, ends
from verifier.arithmetic.rationals import Fraction
from verifier.show.pictures.drawing import Drawing

SHOWN = ("elu", "silu", "mish", "gelu", "softplus", "sigmoid")
P, S = 3, 2
ACROSS, HIGH, WIDE, TOP = 2, 190.0, 330.0, 30.0


def enclosures() -> Drawing:
    """The enclosed value s sigma(k/s) at each level k, and the interval that rounds to the level chosen, at p = 3, s = 2."""
    grid = FixedPoint(P, S)
    rows = -(-len(SHOWN) // ACROSS)
    drawing = Drawing(ACROSS * WIDE, TOP + rows * (HIGH + 30), f"Enclosed activations on Q_(p,s), p = {P}, s = {S}")
    drawing.text((8, 16), drawing.title)
    for number, name in enumerate(SHOWN):
        _panel(drawing, NAMED[name], grid, (number % ACROSS * WIDE + 36, TOP + 18 + number // ACROSS * (HIGH + 30)))
    return drawing


def enclosed(activation: Activation, x: Fraction, digits: Fraction = Fraction(1, 1000)) -> tuple[Fraction, Fraction]:
    """The ends of a ball around sigma(x), no wider than ``digits``."""
    exact = activation.exact(x)
    if exact is not None:
        return exact, exact

    def narrow(ball: object) -> tuple[Fraction, Fraction] | None:
        low, high = ends(ball)
        return (low, high) if high - low <= digits else None

    found: tuple[Fraction, Fraction] = decided(lambda flint: activation.real.enclosed(x), narrow)
    return found


def _panel(drawing: Drawing, activation: Activation, grid: FixedPoint, corner: tuple[float, float]) -> None:
    left, top = corner
    table, levels = rounded(activation, grid), list(grid.levels())
    found = [(low * grid.s, high * grid.s) for low, high in (enclosed(activation, Fraction(k, grid.s)) for k in levels)]
    low = min(min(float(a) for a, _ in found), min(table.levels)) - 0.7
    high = max(max(float(b) for _, b in found), max(table.levels)) + 0.7
    width = (WIDE - 50) / len(levels)

    def up(value: Fraction | float) -> float:
        return top + (HIGH - 20) * (1 - (float(value) - low) / (high - low))

    drawing.text((left, top - 4), activation.name)
    drawing.rectangle((left, top), (width * len(levels), HIGH - 20), "frame")
    for level in range(ceil(low), floor(high) + 1):
        drawing.text((left - 4, up(level) + 3), str(level), "small end faint")
    for number, (k, (a, b)) in enumerate(zip(levels, found, strict=True)):
        x, level = left + width * number, table(k)
        drawing.rectangle(
            (x + 2, up(level + 0.5)), (width - 4, up(level - 0.5) - up(level + 0.5)), "declined", f"k = {k} rounds to {level}"
        )
        drawing.circle((x + width / 2, up((a + b) / 2)), 2.5, "dot", f"k = {k}: between {float(a):.4f} and {float(b):.4f} levels")
        if number % 2 == 0:
            drawing.text((x + width / 2, top + HIGH - 8), str(k), "small middle faint")
