"""How much work an outcome may take, and who is told of its progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Limits:
    """How much work one outcome may take. ``states``: what an engine visits (``--limit``); ``memory``: a job's bytes, if bounded.

    A case that is gone through one by one counts as :data:`INTERPRETED` of them. smallest: whether the smallest input on which a
    construction fails is looked for, where counting the failures does not find it. counts: whether failures are counted, or only the
    verdict is asked, for which one of them is enough.
    """

    states: int = 1 << 31
    memory: int | None = None
    smallest: bool = True
    counts: bool = True

    @property
    def cases(self) -> int:
        """How many cases may be gone through one by one."""
        return self.states // INTERPRETED


DEFAULT_LIMITS = Limits()

SHORT_OF_MEMORY = "needs more memory than --memory allows (2G unless given) or than is free; choose smaller parameters or raise --memory"
"""Why a claim is declined whose judge was refused memory (:func:`verifier.running.memory.keep_within`)."""


LONGEST_COUNTED = 1 << 16


def strings_of(bits: int) -> int:
    """How many strings of so many bits there are; of more than 65,536 bits too few, and still more than any limit."""
    return 1 << min(bits, LONGEST_COUNTED)


INTERPRETED = 1000
"""What a case that Python goes through costs, in elements that an engine visits."""


class Advance(Protocol):
    """Told of progress on long work: what is being done, steps done, steps in all (0: unknown; then 0 steps begin it and 1 ends it)."""

    def __call__(self, label: str, done: int, total: int) -> None: ...


def silent(label: str, done: int, total: int) -> None:
    del label, done, total
