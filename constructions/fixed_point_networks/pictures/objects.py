"""Drawings of the objects of this paper's findings: networks neuron by neuron, sums term by term, functions beside printed intervals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby
from math import ceil, floor

from constructions.fixed_point_networks.mathematics.activations import NAMED, Activation, Table, normal_form, rounded
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import Layer, held, indicator_network
from verifier.arithmetic.rationals import Fraction, rational
from verifier.language.real_functions import RealFunction
from verifier.show.pictures.drawing import Drawing, DrawnTable
from verifier.show.pictures.number_line import Mark, Span, picture

Values = Mapping[str, str]
NEURONS = ("layer", "neuron", "inputs", "weights", "bias")
LEFT, TOP, WIDTH, HEIGHT, POINTS = 52.0, 24.0, 440.0, 220.0, 64


def partial_sums(values: Values) -> DrawnTable:
    """Draw for Lemma 26 the coefficients that its proof allows, and the sums from each term on."""
    xs, cs = _integers(values["x"]), _integers(values["c"])
    bound = xs[0] * xs[-1]
    rows = []
    for j, (x, c) in enumerate(zip(xs, cs, strict=True), 1):
        total = sum(b * a for a, b in zip(xs[j - 1 :], cs[j - 1 :], strict=True))
        rows.append((str(j), str(x), str(c), str(c * x), f"{total}{' (exceeds the bound)' if j > 1 and abs(total) > bound else ''}"))
    heads = ("j", "x_j", "c_j", "c_j x_j", "sum of the terms from j on")
    return DrawnTable("The coefficients, term by term", "The proof chooses c_j from the last term to the first.", heads, tuple(rows), (
        ("the proof's bound from j = 2 on", f"x_1 x_n = {bound}"),
    ))  # fmt: skip


def network_of_the_proof(values: Values) -> DrawnTable:
    """Lemma 14: the network f that its proof builds for the point 0, at the counterexample's size."""
    grid = FixedPoint(int(values["p"]), int(values["s"]))
    table = Table(grid, tuple(int(rational(x) * grid.s) for x in values["activation"].strip("()").split(", ")))
    normal = normal_form(table)
    assert normal is not None, "the counterexample's activation satisfies Condition 1"
    layers = indicator_network(normal, ((0, 0),) * int(values["d"]), [()], binary=True).layers[:-1]
    title = (
        f"The network f of Eq. (29) for the cube of the point 0, with weights 1 and -1. The lemma states {values['layers stated']} layers."
    )
    return DrawnTable("The network of the proof, neuron by neuron", title, NEURONS, tuple(_neurons(layers, grid)))


def four_layers(values: Values) -> DrawnTable:
    """Theorem 21, first case: the smallest network of four layers."""
    grid = FixedPoint(1, 1)
    ends = (("parameters", f"{values['left']}: a weight and a bias in each layer"), ("the theorem states", values["right"]))
    title = "One neuron in each layer, with one weight (Eq. (3) asks for at least one) and a bias."
    return DrawnTable("The smallest network of four layers", title, NEURONS, tuple(_neurons(((held(0),),) * 4, grid)), ends)


def sigmoid_at_minus_one(values: Values) -> Drawing:
    """Section 5.7: the value of Sigmoid at -1 between its two neighbours on the grid."""
    step = Fraction(1, int(values["s"]))
    low, high = NAMED["sigmoid"].real.at(0, Fraction(-1))
    value = (low + high) / 2
    marks = [
        Mark(Fraction(0), "0", "grid"),
        Mark(step, str(step), "grid"),
        Mark(value, f"Sigmoid(-1) ≈ {float(value):.4f}, rounds to {values['left']}"),
    ]
    border = Mark(step / 2, f"{step / 2}: from here on values round to {step}", "line second")
    return picture("Sigmoid at -1 on the grid", [*marks, border, Mark(Fraction(0), f"the paper states {values['right']}", "line third")])


def cubes(values: Values) -> Drawing:
    """Section 4.3: one side of the cube of all inputs, cut into intervals of length delta."""
    grid, delta = FixedPoint(int(values["p"]), int(values["s"])), rational(values["delta"])
    end = Fraction(grid.top, grid.s)
    count = ceil(2 * end / delta)
    spans = [Span(-end + k * delta, min(end, -end + (k + 1) * delta), f"interval {k + 1}, length at most {delta}") for k in range(count)]
    marks = [Mark(Fraction(k, grid.s), grid.show(k), "grid") for k in grid.levels()]
    allowed = f"the side has the length 2 q_max = {2 * end}; the paper allows 2 q_max/delta = {2 * end / delta} intervals"
    return picture("One side cut into intervals", [*marks, Mark(end, allowed, "line third")], spans)


def gelu_in_table_1(values: Values) -> Drawing:
    """Table 1: GELU on (3/2, 5/2) beside the printed interval of its values."""
    return _beside("GELU", NAMED["gelu"].real, (Fraction(3, 2), Fraction(5, 2)), values)


def sigmoid_in_table_2(values: Values) -> Drawing:
    """Draw for Table 2 the derivative of Sigmoid on (-1, 1) beside the printed interval."""
    return _beside("Sigmoid'", RealFunction("exp(-x) / (1 + exp(-x))**2"), (Fraction(-1), Fraction(1)), values)


def _beside(name: str, function: RealFunction, ends: tuple[Fraction, Fraction], values: Values) -> Drawing:
    """A function on an interval, the printed interval for its values as a band, and the true range as lines."""
    low, high = _pair(values["claimed"])
    true_low, true_high = _pair(values["true range"])
    bottom, top = float(min(low, true_low)), float(max(high, true_high))
    room = (top - bottom) or 1.0
    says = f"its values reach from {values['true range'].strip('()').replace(', ', ' to ')}"
    drawing = Drawing(LEFT + WIDTH + 120, TOP + HEIGHT + 40, f"{name} beside the printed interval {values['claimed']}", says)

    def up(value: float) -> float:
        return TOP + HEIGHT * (1 - (value - bottom) / room)

    drawing.text((8, 14), f"{name} on ({ends[0]}, {ends[1]})")
    drawing.rectangle(
        (LEFT, up(float(high))), (WIDTH, up(float(low)) - up(float(high))), "declined", f"printed interval {values['claimed']}"
    )
    xs = [ends[0] + (ends[1] - ends[0]) * k / POINTS for k in range(POINTS + 1)]
    places = [(LEFT + WIDTH * k / POINTS, up(float(function.enclosed(x).mid()))) for k, x in enumerate(xs)]
    drawing.line(places, "line")
    drawing.rectangle((LEFT, TOP), (WIDTH, HEIGHT), "frame")
    for x, at in ((LEFT, ends[0]), (LEFT + WIDTH, ends[1])):
        drawing.text((x, TOP + HEIGHT + 16), str(at), "small middle")
    for value in sorted({float(low), float(high)}):
        drawing.text((LEFT - 6, up(value) + 1), f"{value:g}", "small end")
    for true_end in (true_low, true_high):
        drawing.text((LEFT + WIDTH + 6, up(float(true_end)) + 4), f"{float(true_end):g} (computed)", "small")
    drawing.text(
        (LEFT, TOP + HEIGHT + 34), f"Band: the printed interval {values['claimed']}. Line: {name}; it leaves the band.", "small faint"
    )
    return drawing


def _neurons(layers: tuple[Layer, ...], grid: FixedPoint) -> list[tuple[str, ...]]:
    """A row for each neuron; equal neighbours of a layer as one row."""
    rows: list[tuple[str, ...]] = []
    for number, layer in enumerate(layers, 1):
        for neuron, alike in groupby(enumerate(layer, 1), lambda each: each[1]):
            places = [str(place) for place, _ in alike]
            place = places[0] if len(places) == 1 else f"{places[0]} to {places[-1]}, all alike"
            named = ", ".join(f"{'x' if number == 1 else 'neuron '}{i + 1}" for i in neuron.inputs)
            rows.append((str(number), place, named, grid.show_all(neuron.weights), grid.show(neuron.bias)))
    return rows


def _integers(text: str) -> list[int]:
    return [int(x) for x in re.findall(r"-?\d+", text)]


def _pair(text: str) -> tuple[Fraction, Fraction]:
    low, high = text.strip("()").split(", ")
    return rational(low), rational(high)


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


def _panel(drawing: Drawing, activation: Activation, grid: FixedPoint, corner: tuple[float, float]) -> None:
    left, top = corner
    table, levels = rounded(activation, grid), list(grid.levels())
    found = [(low * grid.s, high * grid.s) for low, high in (activation.real.at(0, grid.value(k)) for k in levels)]
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
