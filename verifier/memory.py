"""Bounds on what this process may allocate: that of a job, and what the machine has free, so that nothing is killed for want of memory."""

from __future__ import annotations

import gc
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOT_MAPPED = ("failed to map segment", "cannot allocate memory", "Cannot allocate memory", "can't start new thread")
"""What the loader, the system and Python say where memory is short."""


@contextmanager
def bounded(memory: int | None) -> Iterator[None]:
    """Allocations beyond ``memory`` bytes more than now raise MemoryError; the bound is lifted at the end.

    The bound is on address space (RLIMIT_AS), so that it is met before anything is killed. A library that cannot be mapped counts, too.
    """
    if memory is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _address_space() + memory
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    try:
        yield
    except (ImportError, OSError, RuntimeError) as error:
        if any(words in str(error) for words in NOT_MAPPED):
            raise MemoryError(str(error)) from error
        raise
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def keep_to_what_is_free(processes: int = 1) -> None:
    """From now on allocations beyond this process's share of the memory that is free now raise MemoryError; where that is not known, none.

    Without it the system ends some process, not always the one that took too much.
    """
    free = _free()
    if free is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _address_space() + free // processes
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *(each for each in (soft, hard) if each != resource.RLIM_INFINITY)]), hard))


def fewer_collections() -> None:
    """Trees of formulas and statements stay as long as the process: the garbage collector looks at them less often than it would."""
    gc.set_threshold(100_000, 50, 50)


def _free() -> int | None:
    """Bytes that new work can take without swapping (Linux)."""
    try:
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def _address_space() -> int:
    """What this process has mapped, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
