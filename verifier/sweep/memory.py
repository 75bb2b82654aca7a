"""A bound on what this process may allocate in addition to what it has, while a job runs."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def bounded(memory: int | None) -> Iterator[None]:
    """Allocations beyond ``memory`` bytes more than now raise MemoryError; the bound is lifted at the end.

    The bound is on address space (RLIMIT_AS), so that it is met before anything is killed.
    """
    if memory is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _address_space() + memory
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int:
    """What this process has mapped, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
