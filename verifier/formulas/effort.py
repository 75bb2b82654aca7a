"""How much work a decision for all parameters may take: what is not decided within it is open, and the reason names the limit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from verifier.errors import InputError


class Exhausted(InputError):  # noqa: N818  # as a number that is too large
    """The work allowed is done."""


class Effort:
    """Seconds of this process's time from its making on."""

    def __init__(self, seconds: float) -> None:
        self.allowed = self.seconds = seconds
        self._start = time.process_time()

    @contextmanager
    def one_step(self) -> Iterator[None]:
        """A step that cannot be interrupted: no further one is begun after one that took more than a tenth of the time.

        Raises:
            Exhausted: before the step, where the time is over.
        """
        self.spend()
        start = time.process_time()
        yield
        if time.process_time() - start > self.seconds / 10:
            self.seconds = 0

    def spend(self) -> None:
        """Asked wherever work may be long.

        Raises:
            Exhausted: the time is over.
        """
        if time.process_time() - self._start > self.seconds:
            raise Exhausted(f"more than {self.allowed:.3g} s of work")
