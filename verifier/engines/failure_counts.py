"""The report of an engine: the numbers of inputs covered and of failures, and the smallest failure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Census:
    """The basis of a verdict: counts over all pairs of the promise.

    cases:    the number of pairs that keep the promise; failures: the number of pairs whose answer is not the function's value.
    nans:     the number of pairs on which a NaN reaches the output node (it is answered with 0).
    smallest: the first failing input, its strings as integers in their order, y before z, or None without failures, or unless asked for.
    method:   such as enumeration or reachable-sets.
    yes:      the number of pairs whose answer should be 1; missed: the number of these whose answer is wrong.
    work:     the states visited, if the engine reports them: any limit of at least this number gives the same result.
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

    @property
    def constant(self) -> str:
        """A sentence if the function has one value on every promised input, so that a table without tokens could compute it."""
        return f"the function is {int(self.yes > 0)} on every promised input" if self.yes in (0, self.cases) else ""


@dataclass(frozen=True)
class Solved:
    """A report that counts no failures: the number of pairs that keep the promise, and the first that fails, or None if none does."""

    cases: int
    smallest: tuple[int, ...] | None
    method: str

    @property
    def fails(self) -> bool:
        """Whether some input fails."""
        return self.smallest is not None
