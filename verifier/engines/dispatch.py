"""Choosing an engine: reachable sets where they can handle the construction, enumeration elsewhere, or the one asked for."""

from __future__ import annotations

from collections.abc import Callable

from verifier.attention.terms import Reading
from verifier.engines.census import Census
from verifier.engines.enumerate import DEFAULT_LIMIT, enumerate_pairs
from verifier.engines.reachable import reachable_sets
from verifier.engines.stages import NotStaged
from verifier.errors import InputError

METHODS = ("auto", "enumerate", "reachable")


def decide(
    reading: Reading, method: str = "auto", limit: int = DEFAULT_LIMIT, advance: Callable[[int, int], None] = lambda done, total: None
) -> Census:
    """The census of a well-formed instance by the engine named; ``auto`` takes reachable sets, else enumeration.

    Raises:
        InputError: an unknown method, or reachable sets on a construction that they cannot handle.
        LimitError: more work than ``limit``.
    """
    if method not in METHODS:
        raise InputError(f"--method {method}: one of {', '.join(METHODS)} was expected")
    if method != "enumerate":
        try:
            return reachable_sets(reading, limit, advance)
        except NotStaged as reason:
            if method == "reachable":
                raise InputError(f"--method reachable: {reason}") from None
    return enumerate_pairs(reading, limit, advance)
