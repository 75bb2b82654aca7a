"""What bounds a command and its outcomes: the states that an engine visits, the time (``--timeout SECONDS``), and the memory, that of a
job or what the machine has free, so that the system kills no process. And the receiver of its progress.
"""

from __future__ import annotations

import gc
import re
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Protocol

from verifier.running.errors import InputError


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
"""Why a claim is declined whose judge was refused memory (:func:`keep_within`)."""


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


DEFAULT_MEMORY = 2 << 30
"""Bytes that a command may take, its processes together, unless ``--memory`` says otherwise."""

NOT_MAPPED = (
    "failed to map segment",
    "cannot allocate memory",
    "Cannot allocate memory",
    "can't start new thread",
    "error return without exception set",
    "returned NULL without setting an exception",
)
"""The messages of the loader, the system and Python if memory is short. The last two are a SystemError, if even the error found no room."""


def for_want_of_memory(error: Exception) -> bool:
    """Whether an error says that a library cannot be mapped, or a thread cannot be started."""
    return isinstance(error, (ImportError, OSError, RuntimeError, SystemError)) and any(words in str(error) for words in NOT_MAPPED)


@contextmanager
def bounded(memory: int | None) -> Iterator[None]:
    """Allocations beyond ``memory`` bytes more than now raise MemoryError; the bound is lifted at the end.

    The bound applies to the address space (RLIMIT_AS), so that it takes effect before the system kills a process. A library that cannot be
    mapped exceeds it.
    """
    if memory is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _address_space() + memory
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    try:
        yield
    except (ImportError, OSError, RuntimeError, SystemError) as error:
        if for_want_of_memory(error):
            raise MemoryError(str(error)) from error
        raise
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
MOST_BYTES = 1 << 60


@dataclass
class Allowance:
    """The memory that a command may use; its processes share it. ``binding``: whether this process belongs to a command."""

    bytes: int = DEFAULT_MEMORY
    binding: bool = False


ALLOWANCE = Allowance()


def read_bytes(text: str) -> int:
    """The number of bytes that ``--memory`` names, such as ``2000000``, ``500M`` or ``6G`` (binary units).

    Raises:
        InputError: for any other text.
    """
    match = re.fullmatch(r"([0-9]{1,18})([KMG]?)", text)
    if not match or not int(match[1]) or int(match[1]) * UNITS[match[2]] > MOST_BYTES:
        raise InputError(f"--memory {text[:60]!r}: a number of bytes such as 500M or 6G was expected")
    return int(match[1]) * UNITS[match[2]]


def keep_within(memory: int | None, processes: int = 1) -> None:
    """Make allocations raise MemoryError beyond this process's share of ``memory`` bytes and of the free memory.

    If memory has no bound, the system ends some process, which need not be the one that used too much. If the free memory is unknown,
    nothing is bounded.
    """
    bounds = [each // processes for each in (memory, _free()) if each is not None]
    if not bounds:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limits = [each for each in (soft, hard) if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([_address_space() + min(bounds), *limits]), hard))


def fewer_collections() -> None:
    """Trees of formulas and statements live as long as the process: make the garbage collector examine them less often."""
    gc.set_threshold(100_000, 50, 50)


def _free() -> int | None:
    """Bytes that are available without swapping (Linux)."""
    try:
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def _address_space() -> int:
    """The mapped memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
