"""Bounds on the memory of this process: that of a job, and the free memory of the machine, so that the system kills no process."""

from __future__ import annotations

import gc
import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from verifier.running.errors import InputError

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
