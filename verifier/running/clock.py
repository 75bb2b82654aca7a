"""The time that a command may take (``--timeout SECONDS``)."""

from __future__ import annotations

import signal
from types import FrameType

AGAIN = 0.2
"""Seconds after which the time is said to be over once more: a library may have swallowed the first word."""


class OutOfTime(BaseException):  # like KeyboardInterrupt, no error of anything
    """The time is over. ``except Exception`` does not catch it."""


class Clock:
    """The time of this process. seconds: the limit; over: whether it is used up."""

    def __init__(self) -> None:
        self.seconds: float | None = None
        self.over = self._told = False

    def start(self, seconds: float) -> None:
        """Raise :class:`OutOfTime` in the main thread when the time is over, until :meth:`told` is called."""
        self.seconds, self.over, self._told = seconds, False, False
        signal.signal(signal.SIGALRM, self._rang)
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)

    def stop(self) -> None:
        """Interrupt nothing any more."""
        self._told = True
        if self.seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def clear(self) -> None:
        """Remove the limit, as when the process began: one process may run several commands."""
        self.stop()
        self.seconds, self.over, self._told = None, False, False

    def told(self) -> str:
        """The message about what was not decided. After this call nothing is interrupted any more."""
        self.stop()
        return f"not decided in {self.seconds:g} s; a longer --timeout lifts the limit"

    def _rang(self, number: int, frame: FrameType | None) -> None:
        self.over = True
        if not self._told:
            raise OutOfTime


CLOCK = Clock()
