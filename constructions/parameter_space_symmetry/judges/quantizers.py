"""Judges of maps from values to codes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Literal

from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.judges.declaring import judge

MOST = 3
Map = tuple[int, ...]

PROPERTIES: dict[str, Callable[[Map, int], bool]] = {
    "surjective": lambda codes, size: len(set(codes)) == size,
    "injective": lambda codes, size: len(set(codes)) == len(codes),
    "not injective": lambda codes, size: len(set(codes)) < len(codes),
}
"""Properties of a map of values 0, 1, … onto codes below ``size``, by name."""


@judge
def errs(query: Query, *, property: Literal["surjective", "injective", "not injective"]) -> Cases:
    """Whether every map of up to three values into up to three codes that has the property has a value that no reconstruction returns.

    property: that of which it is said that a map with it has errors.
    """
    yield Over(f"every map of up to {MOST} values into up to {MOST} codes that is {property}")
    for values, size in product(range(1, MOST + 1), repeat=2):
        for codes in product(range(size), repeat=values):
            if not PROPERTIES[property](codes, size):
                continue
            exact = any(all(back[code] == value for value, code in enumerate(codes)) for back in product(range(values), repeat=size))
            yield not exact or {"values": values, "codes": list(codes), "of": size}
