"""The report of an engine: how many inputs it covered, how many fail, and the smallest that does."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Census:
    """The verdict's raw material, over all pairs of the promise.

    cases:    how many pairs keep the promise; failures: on how many the answer is not the function's value.
    nans:     on how many a NaN reaches the output node (it is answered with 0).
    smallest: the first failing input, its strings as integers in their order, y before z; None without failures, or unless asked for.
    method:   such as enumeration or reachable-sets.
    yes:      how many pairs are to be answered with 1, missed: on how many of these the answer is wrong.
    work:     states visited, where the engine says so: a limit that they keep finds the same.
    """

    cases: int
    failures: int
    nans: int
    smallest: tuple[int, ...] | None
    method: str
    yes: int
    missed: int
    work: int | None = None

    @property
    def fails(self) -> bool:
        """Whether some input fails."""
        return self.failures > 0


@dataclass(frozen=True)
class Solved:
    """A report that counts no failures: how many pairs keep the promise, and the first that fails; None where none does."""

    cases: int
    smallest: tuple[int, ...] | None
    method: str

    @property
    def fails(self) -> bool:
        """Whether some input fails."""
        return self.smallest is not None
