"""Parameter points as text: ``p=1..3 s=1,4`` is the product, the first parameter slowest; ``; `` stands between products."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from verifier.claims.model import Claim
from verifier.claims.verdicts import Result

Point = tuple[tuple[str, str], ...]
"""Names and values as they are shown, in the claim's order."""

Box = tuple[tuple[str, ...], ...]
"""The values of each parameter of a product."""

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)


def points_texts(claim: Claim, results: Sequence[Result], among: Sequence[Result] = ()) -> tuple[str, ...]:
    """``p=1,3..8``, a text for each product of values, the points in their order; none for a claim without parameters.

    among: the results from which these are taken. A parameter that has its default at all points is left out.
    """
    points, every = ([tuple((k, str(v)) for k, v in r.parameters.items()) for r in listed] for listed in (results, among or results))
    return products(_without_defaults(claim, points, every))


def products(shown: Sequence[Point]) -> tuple[str, ...]:
    """``p=1,3..8``, a text for each product of values at some points, in their order; none for points without parameters."""
    names = [name for name, _ in shown[0]] if shown else []
    if not shown or any([name for name, _ in point] != names for point in shown):
        raise ValueError(f"points of the same parameters were expected, not {shown}")
    boxes = _boxes([tuple(value for _, value in point) for point in shown])
    return tuple(" ".join(f"{n}={_values(column)}" for n, column in zip(names, box, strict=True)) for box in boxes) if names else ()


def _without_defaults(claim: Claim, points: Sequence[Point], among: Sequence[Point]) -> list[Point]:
    """Leave out the parameters that have their default value at every point of ``among``."""
    every = [_numbers(claim, point) for point in among]

    def by_default(name: str) -> bool:
        return all(claim.complete({k: v for k, v in values.items() if k != name}) == values for values in every)

    left_out = {p.name for p in claim.parameters if p.default is not None and by_default(p.name)}
    return [tuple((k, v) for k, v in point if k not in left_out) for point in points]


def _numbers(claim: Claim, point: Point) -> dict[str, int]:
    """The values that these texts show; a named value counts as its number."""
    names = {p.name: p.names for p in claim.parameters}
    return {k: names[k].index(text) if text in names.get(k, ()) else int(text) for k, text in point}


def _boxes(points: Sequence[tuple[str, ...]]) -> list[Box]:
    """Cut values into products: consecutive values of the first parameter share a product if the same product follows each."""
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


def _values(values: Sequence[str]) -> str:
    """``1..3,7,every``: consecutive integers form a range."""
    numbered = enumerate(values)
    runs = [[v for _, v in run] for _, run in groupby(numbered, lambda nv: int(nv[1]) - nv[0] if _INTEGER.fullmatch(nv[1]) else nv[1])]
    return ",".join(run[0] if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in runs)
