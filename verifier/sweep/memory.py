"""A bound on what this process may allocate in addition to what it has, while a job runs."""

from __future__ import annotations

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


def _address_space() -> int:
    """What this process has mapped, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
