"""Parameter points as text: ``p=1..3 s=1,4`` is the product, the first parameter slowest; ``; `` stands between products.

Text and points, in their order, determine each other: :func:`from_text` refuses what :func:`as_text` would write otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, product
from math import prod

Point = tuple[tuple[str, str], ...]
"""Names and values as they are shown, in the claim's order."""

Box = tuple[tuple[str, ...], ...]
"""The values of each parameter of a product."""

NO_PARAMETERS = "-"
MOST_POINTS = 10_000
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_WORD = re.compile(r"[A-Za-z0-9_/+*-]+(\.[A-Za-z0-9_/+*-]+)*", re.ASCII)


def boxes_as_text(points: Sequence[Point]) -> tuple[str, ...]:
    """The points in their order, a text for each product; none where the points have no parameters.

    Raises:
        ValueError: no points, points of different parameters, or a point, name or value that the text cannot hold.
    """
    names = [name for name, _ in points[0]] if points else []
    if not points or any([name for name, _ in point] != names for point in points):
        raise ValueError(f"points of the same parameters were expected, not {list(points)}")
    texts = tuple(_box_text(names, box) for box in _boxes([tuple(value for _, value in point) for point in points]))
    if _expanded("; ".join(texts)) != tuple(points):
        raise ValueError(f"{'; '.join(texts)!r} does not say {list(points)}")
    return texts if names else ()


def as_text(points: Sequence[Point]) -> str:
    """The points in their order, ``-`` where they have no parameters.

    Raises:
        ValueError: as for :func:`boxes_as_text`.
    """
    return "; ".join(boxes_as_text(points)) or NO_PARAMETERS


def from_text(text: str) -> tuple[Point, ...]:
    """The points in their order.

    Raises:
        ValueError: the text is not as :func:`as_text` writes it, or has more than ``MOST_POINTS`` points.
    """
    points = _expanded(text)
    if as_text(points) != text:
        raise ValueError(f"{text!r}: {as_text(points)!r} is how this is written")
    return points


def _boxes(points: Sequence[tuple[str, ...]]) -> list[Box]:
    """Values cut into products: values of the first parameter that follow one another, and have one product after them, share it."""
    if not points[0]:
        return [()]
    found: list[Box] = []
    for first, run in groupby(points, lambda values: values[0]):
        rest = _boxes([values[1:] for values in run])
        if found and len(rest) == 1 and found[-1][1:] == rest[0]:
            found[-1] = ((*found[-1][0], first), *rest[0])
        else:
            found += [((first,), *box) for box in rest]
    return found


def _box_text(names: Sequence[str], box: Box) -> str:
    return " ".join(f"{name}={_values_text(column)}" for name, column in zip(names, box, strict=True)) or NO_PARAMETERS


def _values_text(values: Sequence[str]) -> str:
    """``1..3,7,every``: integers that follow one another as a range."""
    numbered = enumerate(values)
    runs = [[v for _, v in run] for _, run in groupby(numbered, lambda nv: int(nv[1]) - nv[0] if _INTEGER.fullmatch(nv[1]) else nv[1])]
    return ",".join(run[0] if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in runs)


def _expanded(text: str) -> tuple[Point, ...]:
    """The points of any text of this kind.

    Raises:
        ValueError: it is none.
    """
    points: list[Point] = []
    for box in text.split("; "):
        pairs = [] if box == NO_PARAMETERS else [pair.partition("=") for pair in box.split(" ")]
        names = [name for name, _, _ in pairs]
        columns = [_values(values) for _, _, values in pairs]
        if not all(_NAME.fullmatch(name) for name in names) or len(set(names)) < len(names):
            raise ValueError(f"{box!r}: NAME=VALUES, each name once, was expected")
        if prod(map(len, columns)) + len(points) > MOST_POINTS:
            raise ValueError(f"more than {MOST_POINTS:,} points")
        points += [tuple(zip(names, map(str, values), strict=True)) for values in product(*columns)]
    if len(set(points)) < len(points):
        raise ValueError(f"{text!r} has a point twice")
    return tuple(points)


def _values(text: str) -> Sequence[object]:
    """The values of ``1..3,7,every``, at most ``MOST_POINTS`` at a time."""
    values: list[object] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        if not dots and _WORD.fullmatch(first):
            values.append(first)
        elif _INTEGER.fullmatch(first) and _INTEGER.fullmatch(last) and int(first) < int(last) < int(first) + MOST_POINTS:
            values += range(int(first), int(last) + 1)
        else:
            raise ValueError(f"{part!r}: a value or a range such as 2..8, of at most {MOST_POINTS:,} values, was expected")
        if len(values) > MOST_POINTS:
            raise ValueError(f"more than {MOST_POINTS:,} values")
    return values
