"""How much work a decision for all parameters may take: what is not decided within it is open, and the reason names the limit."""

from __future__ import annotations

import time

from verifier.errors import InputError


class Exhausted(InputError):  # noqa: N818  # as a number that is too large
    """The work allowed is done."""


class Effort:
    """Seconds of this process's time from its making on."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self._start = seconds, time.process_time()

    def spend(self) -> None:
        """Asked wherever work may be long.

        Raises:
            Exhausted: the time is over.
        """
        if time.process_time() - self._start > self.seconds:
            raise Exhausted(f"more than {self.seconds:.3g} s of work")
