"""Tables over tokens and positions as formulas: embeddings, masks, biases, rotary angles. What is found gives the table bit for bit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from verifier.arithmetic.floats import Array, to_float
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError, LimitError
from verifier.transformers import formulas
from verifier.transformers.contexts import round_number
from verifier.weights.families import angle
from verifier.weights.formula_text import choice, number
from verifier.weights.tensors import Row, exact

BASES = (10000, 500000, 1000000)
"""Bases of rotary positions that are in use."""
LARGEST_DENOMINATOR = 1000


def row_of(table: Array) -> Row:
    """Floats as fractions.

    Raises:
        InputError: an infinity or NaN.
    """
    found = table.tolist()
    if not all(map(math.isfinite, found)):
        raise InputError(f"a table holds {next(x for x in found if not math.isfinite(x))}; numbers were expected")
    return [exact(float(x)) for x in found]


def embedded(table: Array, first: int) -> str:
    """A coordinate from its values by token (rows) and position (columns): of one of them, a sum of both, or case by case."""
    rows = [row_of(row) for row in table]
    places = [str(first + i) for i in range(len(rows[0]))]
    if all(len(set(row)) == 1 for row in rows):
        return choice("token", [row[0] for row in rows])
    if all(row == rows[0] for row in rows):
        return choice("i", rows[0], places)
    moved = [x - rows[0][0] for x in rows[0]]
    if all(x - row[0] == step for row in rows for x, step in zip(row, moved, strict=True)):
        return f"({choice('token', [row[0] for row in rows])}) + ({choice('i', moved, places)})"
    cases = [f"({choice('i', row, places)}) if token == {k}" for k, row in enumerate(rows[:-1])]
    return " else ".join([*cases, f"({choice('i', rows[-1], places)})"])


def mask(seen: Array, first: int) -> dict[str, str]:
    """The positions j that each position i sees."""
    size = len(seen)
    shapes = {"none": np.ones((size, size), bool), "causal": np.tri(size, dtype=bool), "strictly-causal": np.tri(size, k=-1, dtype=bool)}
    for name, sees in shapes.items():
        if np.array_equal(seen, sees):
            return {} if name == "none" else {"mask": name}
    cases = []
    for i, row in enumerate(seen):
        if found := [str(first + j) for j in range(size) if row[j]]:
            cases.append(f"i == {first + i} and j in ({', '.join(found)}{',' if len(found) == 1 else ''})")
    return {"where": " or ".join(cases) or "i < j and j < i"}


def bias(table: Array, seen: Array, first: int) -> str:
    """What is added to scores, where it is seen: a multiple of j − i or of |j − i|, or row by row."""
    rows = [row_of(row) for row in table]
    shown = [(i, j) for i in range(len(rows)) for j in range(len(rows)) if seen[i, j]]
    apart = [(i, j) for i, j in shown if i != j]
    if apart:
        i, j = apart[0]
        slope = rows[i][j] / (j - i)
        if all(rows[a][b] == slope * (b - a) for a, b in shown):
            return f"{number(slope)}*(j - i)"
        slope = rows[i][j] / abs(j - i)
        if all(rows[a][b] == slope * abs(b - a) for a, b in shown):
            return f"{number(slope)}*abs(j - i)"
    texts = []
    for i, row in enumerate(rows):
        values = [x if seen[i, j] else row[next((k for k in range(len(row)) if seen[i, k]), j)] for j, x in enumerate(row)]
        texts.append(choice("j", values, [str(first + j) for j in range(len(row))]))
    if all(text == texts[0] for text in texts):
        return texts[0]
    return " else ".join([*(f"({text}) if i == {first + i}" for i, text in enumerate(texts[:-1])), f"({texts[-1]})"])


def rotary(cosines: Array, sines: Array, first: int, machine: Machine) -> list[str]:
    """The angles of tables of the shape (positions, entries).

    Raises:
        InputError: no angle of a known form gives them.
    """
    found = []
    for k in range(cosines.shape[1] // 2):
        given = list(zip(cosines[:, 2 * k].tolist(), sines[:, 2 * k].tolist(), strict=True))
        text = next((text for text in _angles(given, first) if _turns(text, given, first, machine)), None)
        if text is None:
            raise InputError(
                f"rotary angle {k + 1}: no fraction, fraction of pi or power of {', '.join(map(str, BASES))} gives these cosines"
            )
        found.append(text)
    return found


def _angles(given: Sequence[tuple[float, float]], first: int) -> Iterator[str]:
    """Angles that may be meant, from the cosine and sine at one position other than 0."""
    yield "0"
    at = next((i for i in range(len(given)) if i + first == 1), None)
    if at is None or not all(map(math.isfinite, given[at])):
        return
    turned = math.atan2(given[at][1], given[at][0])
    for theta in (turned, turned + 2 * math.pi, turned - 2 * math.pi):
        yield number(Fraction(*theta.as_integer_ratio()).limit_denominator(LARGEST_DENOMINATOR))
        of_pi = Fraction(*(theta / math.pi).as_integer_ratio()).limit_denominator(LARGEST_DENOMINATOR)
        yield f"{of_pi.numerator}*pi/{of_pi.denominator}"
    for base in BASES if 0 < turned <= 1 else ():
        power = Fraction(*(-math.log(turned) / math.log(base)).as_integer_ratio()).limit_denominator(128)
        yield angle(Fraction(base), power.numerator, power.denominator)


def _turns(text: str, given: Sequence[tuple[float, float]], first: int, machine: Machine) -> bool:
    try:
        theta = formulas.number(text, {})
        turns = (formulas.turn(theta, i + first) for i in range(len(given)))
        return all(tuple(to_float(round_number(machine, x)) for x in pair) == row for pair, row in zip(turns, given, strict=True))
    except (InputError, LimitError):
        return False
