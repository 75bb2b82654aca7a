"""Group items by a common key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The second item of each pair, grouped by the first, both in their order, wherever equal keys stand.

    >>> grouped([("odd", 1), ("even", 2), ("odd", 3)])
    {'odd': [1, 3], 'even': [2]}
    """
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
