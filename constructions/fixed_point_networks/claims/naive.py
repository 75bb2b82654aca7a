"""Section 4.1: a two-layer ReLU network whose rounded weights reverse its signs, evaluated exactly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import get_args

from verifier.claims.chapter import Chapter
from verifier.claims.model import Question

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s
from verifier.arithmetic.machine import Machine, Ties
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

ZERO, ONE = Fraction(0), Fraction(1)
Weights = list[list[Fraction]]
OUTER = (2, 1, -3, -2)
"""Σ₂ ReLU(w₁x) + ReLU(w₂x) + Σ₃(−ReLU(w₃x)) + Σ₂(−ReLU(w₄x))."""


def weights(s: int) -> Weights:
    """w₁ … w₄ as printed."""
    small, large = Fraction(1, 4 * s), Fraction(1, 2 * s)
    return [[ONE, *[-small] * (2 * s)], [-ONE, *[small] * (4 * s)], [-ONE, *[large] * (2 * s)], [-ONE, *[large] * s]]


def rounded_weights(s: int) -> Weights:
    """⌈w₁⌉ … ⌈w₄⌉ as printed."""
    unit = Fraction(1, s)
    return [[ONE, *[ZERO] * (2 * s)], [-ONE, *[ZERO] * (4 * s)], [-ONE, *[unit] * (2 * s)], [-ONE, *[unit] * s]]


def round_all(machine: Machine, rows: Weights) -> Weights:
    return [[_value(machine, w) for w in row] for row in rows]


def _value(machine: Machine, x: Fraction) -> Fraction:
    value = machine.round(x)
    assert isinstance(value, Fraction)
    return value


def real(s: int, x: list[Fraction]) -> Fraction:
    """f(x) with real parameters."""
    return sum((c * max(ZERO, _dot(w, x)) for c, w in zip(OUTER, weights(s), strict=True)), ZERO)


def quantized(grid: FixedPoint, x: list[Fraction], ties: Ties) -> Fraction:
    """⌈f⌉(x): weights rounded, one rounding after each affine map and each ReLU."""
    machine = grid.machine(ties)
    hidden = [_value(machine, max(ZERO, _value(machine, _dot(w, x)))) for w in round_all(machine, weights(grid.s))]
    return _value(machine, sum((c * h for c, h in zip(OUTER, hidden, strict=True)), ZERO))


def _dot(w: list[Fraction], x: list[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(w, x, strict=False)), ZERO)


def ones(s: int, sign: int) -> list[Fraction]:
    return [Fraction(sign)] * (4 * s + 1)


@claim(
    "section-4.1:real",
    statement="f(-1, ..., -1) = -1 and f(1, ..., 1) = 1 with real parameters",
    place="Section 4.1",
    checks="f in fractions at both inputs",
    parameters=p_and_s("4", "1..3"),
    bounded=False,
)
def real_values(question: Question) -> Finding:
    s = question["s"]
    trials = (None if real(s, ones(s, sign)) == sign else {"x": f"{sign}, ...", "f": real(s, ones(s, sign))} for sign in (-1, 1))
    return decide(f"both inputs {at(question)}", trials)


@claim(
    "section-4.1:weights",
    statement="the weights round to (1, 0, ...), (-1, 0, ...), (-1, 1/s, ...), (-1, 1/s, ...)",
    place="Section 4.1",
    checks="every weight, ties away from zero",
    parameters=p_and_s("4", "1..3"),
    bounded=False,
)
def weight_values(question: Question) -> Finding:
    grid = grid_of(question, 1)
    found = round_all(grid.machine(), weights(grid.s))

    def trials() -> Iterator[Failure]:
        for i, (got, want) in enumerate(zip(found, rounded_weights(grid.s), strict=True), 1):
            yield None if got == want else {"w": i, "rounded": got}

    return decide(f"all four rows {at(question)}", trials())


@claim(
    "section-4.1",
    statement="the quantized f is 1 at (-1, ..., -1) and -1 at (1, ..., 1)",
    place="Section 4.1",
    checks="the network with rounded weights and one rounding after each map, at both inputs",
    parameters=p_and_s("4", "1..15"),
    bounded=False,
)
def section_4_1(question: Question) -> Finding:
    grid = grid_of(question, 1)
    values = {sign: quantized(grid, ones(grid.s, sign), "away") for sign in (-1, 1)}
    return decide(
        f"both inputs {at(question)}",
        (None if value == -sign else {"x": f"{sign}, ...", "quantized f": value} for sign, value in values.items()),
        witness="no number in the computation but the weights depends on s, as long as s <= 2^p - 1",
    )


@claim(
    "section-4.1:ties",
    statement="what the quantized f is under other tie rules, where 1/(2s) rounds to 0",
    place="Section 4.1",
    checks="ties towards zero and to even: the values at both inputs are those of weights (1, 0..), (-1, 0..), "
    "(-1, 0..), (-1, 0..), clamped",
    parameters=p_and_s("4", "1..3"),
    bounded=False,
)
def ties(question: Question) -> Finding:
    grid = grid_of(question, 1)
    expected = {-1: max(Fraction(-4), -grid.largest), 1: min(Fraction(2), grid.largest)}

    def trials() -> Iterator[Failure]:
        for rule in get_args(Ties):
            for sign in (-1, 1):
                value = quantized(grid, ones(grid.s, sign), rule)
                want = Fraction(-sign) if rule == "away" else expected[sign]
                yield None if value == want else {"ties": rule, "x": f"{sign}, ...", "quantized f": value}

    return decide(
        f"three tie rules and both inputs {at(question)}",
        trials(),
        witness=f"with ties to zero or to even f(-1) = {expected[-1]} and f(1) = {expected[1]}: the signs are "
        f"right, and the printed values need ties away",
    )
