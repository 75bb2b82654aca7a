"""One input through a construction: numerator and denominator against the token, what was rounded, what the proof says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from verifier.arithmetic.numbers import INF, NEG_INF, Number, show
from verifier.arithmetic.rationals import Fraction
from verifier.networks.problems import bits_of
from verifier.show.pictures.drawing import Drawing
from verifier.show.pictures.proof_says import Said
from verifier.transformers.table_traces import Trace, numerator_of
from verifier.transformers.tables import Execution

LEFT, WIDTH, HEIGHT, TOP = 64.0, 620.0, 150.0, 66.0
BETWEEN = 44.0


@dataclass(frozen=True)
class Panel:
    """A sum after each token. rounded: what was rounded there; said: what the proof says it is, by the number of the token."""

    name: str
    kind: str
    values: tuple[Number, ...]
    rounded: tuple[tuple[str, ...], ...]
    said: tuple[tuple[int, Said], ...]


def panels(execution: Execution, trace: Trace, proof: Sequence[Said]) -> list[Panel]:
    """The numerator, and the denominator where there is one."""
    place = {s.token.index: k for k, s in enumerate(trace.steps)}

    def panel(name: str, kind: str, values: Sequence[Number], words: tuple[str, ...]) -> Panel:
        rounded = tuple(tuple(r for r in s.rounded if r.startswith(words)) for s in trace.steps)
        return Panel(name, kind, tuple(values), rounded, tuple((place[s.after], s) for s in proof if s.of == name))

    found = [panel("numerator", "", [numerator_of(execution, s.sums) for s in trace.steps], ("sum", "product"))]
    if execution.normalised:
        found.append(panel("denominator", " second", [s.denominator for s in trace.steps], ("denominator",)))
    return found


def picture(execution: Execution, trace: Trace, proof: Sequence[Said] = ()) -> Drawing:
    """The sums of one input, one panel for each."""
    instance = execution.instance
    listed = panels(execution, trace, proof)
    y, z = (bits_of(x, instance.m) for x in (trace.y, trace.z))
    title = f"{instance.id}: y = {y}, z = {z}"
    answer = "neither 0 nor 1" if trace.decision.answer is None else str(trace.decision.answer)
    says = f"quotient {show(trace.attention)}, answer {answer}, {instance.problem.function}(y, z) = {trace.expected}"
    drawing = Drawing(LEFT + WIDTH + 16, TOP + len(listed) * (HEIGHT + BETWEEN) + 18, title, says)
    drawing.text((8, 16), title)
    drawing.text((8, 34), says, "small faint")
    for number, panel in enumerate(listed):
        _draw(drawing, panel, TOP + number * (HEIGHT + BETWEEN), trace)
    return drawing


def across(trace: Trace, number: int) -> float:
    """The horizontal position of a token, by its number."""
    return LEFT + WIDTH * (number + 0.5) / len(trace.steps)


def _draw(drawing: Drawing, panel: Panel, top: float, trace: Trace) -> None:
    finite = [float(x) for x in (*panel.values, *(s.value for _, s in panel.said)) if isinstance(x, Fraction)]
    low, high = min([0.0, *finite]), max([0.0, *finite])
    room = (high - low) or 1.0

    def down(x: Number) -> float:
        """An infinite value stands on the edge of the panel, NaN in its middle."""
        if isinstance(x, Fraction):
            return top + HEIGHT - 8 - (HEIGHT - 16) * (float(x) - low) / room
        return top if x is INF else top + HEIGHT if x is NEG_INF else top + HEIGHT / 2

    drawing.rectangle((LEFT, top), (WIDTH, HEIGHT), "frame")
    drawing.line([(LEFT, down(Fraction(0))), (LEFT + WIDTH, down(Fraction(0)))], "grid")
    drawing.text((LEFT, top - 8), panel.name)
    for level in sorted({low, 0.0, high}):
        drawing.text((LEFT - 6, down(Fraction(level)) + 4), show(Fraction(level).limit_denominator(1 << 20)), "small end")
    points = [(across(trace, k), down(x)) for k, x in enumerate(panel.values)]
    drawing.line(_stairs(points), f"line{panel.kind}")
    shown = _shown(trace)
    for k, step in enumerate(trace.steps):
        if k in shown:
            drawing.text((across(trace, k), top + HEIGHT + 14), str(step.token.index), "small middle faint")
    drawing.text((LEFT - 6, top + HEIGHT + 14), "token", "small end faint")
    before: Said | None = None
    for place, each in panel.said:
        y = down(each.value)
        drawing.line([(LEFT if before is None else across(trace, place) - 24, y), (across(trace, place) + 4, y)], "said")
        before = each
        if each.departs:
            drawing.circle((across(trace, place), down(each.found)), 7, "ring", f"{each.claim.name}: the proof says {show(each.value)}")
    for k, x in enumerate(panel.values):
        if not isinstance(x, Fraction) and (k == 0 or panel.values[k - 1] != x):
            drawing.text((across(trace, k) + 4, down(x) + (12 if x is not NEG_INF else -4)), show(x), "small")
            drawing.circle((across(trace, k), down(x)), 5, "dot bad", f"token {trace.steps[k].token.index}: {show(x)}")
        elif panel.rounded[k]:
            says = f"token {trace.steps[k].token.index}: {'; '.join(panel.rounded[k])}"
            drawing.circle((across(trace, k), down(x)), 4, f"dot{panel.kind}", says)


def _stairs(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Draw each value as a level that lasts until the next token."""
    stairs = list(points[:1])
    for (_, y), (x, z) in pairwise(points):
        stairs += [(x, y), (x, z)]
    return stairs


def _shown(trace: Trace) -> set[int]:
    """The tokens whose numbers are written below the axis."""
    every = max(1, len(trace.steps) // 20)
    return set(range(0, len(trace.steps), every))
