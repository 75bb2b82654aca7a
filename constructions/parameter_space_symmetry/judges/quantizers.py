"""Judges of maps from values to codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from msgspec import Struct

from verifier.claims.finite_cases import Failure, decide
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome

MOST = 3
Map = tuple[int, ...]

PROPERTIES: dict[str, Callable[[Map, int], bool]] = {
    "surjective": lambda codes, size: len(set(codes)) == size,
    "injective": lambda codes, size: len(set(codes)) == len(codes),
    "not injective": lambda codes, size: len(set(codes)) < len(codes),
}
"""Properties of a map of values 0, 1, … onto codes below ``size``, by name."""


class Quantizers(Struct, frozen=True, forbid_unknown_fields=True):
    """property: that of which it is said that a map with it has errors."""

    property: str


def errs(query: Query, given: Quantizers) -> Outcome:
    """Whether every map of up to three values into up to three codes that has the property has a value that no reconstruction returns."""

    def trials() -> Iterator[Failure]:
        for values, size in product(range(1, MOST + 1), repeat=2):
            for codes in product(range(size), repeat=values):
                if not PROPERTIES[given.property](codes, size):
                    continue
                exact = any(all(back[code] == value for value, code in enumerate(codes)) for back in product(range(values), repeat=size))
                yield {"values": values, "codes": list(codes), "of": size} if exact else None

    return decide(query, f"every map of up to {MOST} values into up to {MOST} codes that is {given.property}", trials())
