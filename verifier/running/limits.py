"""The limits of work of an outcome, and the receiver of its progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Limits:
    """The limits of work of one outcome. ``states``: the states that an engine may visit (``--limit``); ``memory``: a job's bytes, if
    bounded.

    A case that is checked one by one counts as :data:`INTERPRETED` states. smallest: whether to look for the smallest input on which a
    construction fails, if counting the failures does not find it. counts: whether to count failures, or only to find the verdict, for which
    one failure is enough.
    """

    states: int = 1 << 31
    memory: int | None = None
    smallest: bool = True
    counts: bool = True

    @property
    def cases(self) -> int:
        """The number of cases that may be checked one by one."""
        return self.states // INTERPRETED


DEFAULT_LIMITS = Limits()

SHORT_OF_MEMORY = "needs more memory than --memory allows (2G unless given) or than is free; choose smaller parameters or raise --memory"
"""Why a claim is declined whose judge was refused memory (:func:`verifier.running.memory.keep_within`)."""


LONGEST_COUNTED = 1 << 16


def strings_of(bits: int) -> int:
    """The number of strings of this many bits; beyond 65,536 bits a smaller number that still exceeds every limit."""
    return 1 << min(bits, LONGEST_COUNTED)


INTERPRETED = 1000
"""The cost of a case that Python judges, counted in elements that an engine visits."""


class Advance(Protocol):
    """A receiver of progress on long work: the current task, steps done, steps in all (0: unknown; then 0 steps begin it and 1 ends it)."""

    def __call__(self, label: str, done: int, total: int) -> None: ...


def silent(label: str, done: int, total: int) -> None:
    del label, done, total
