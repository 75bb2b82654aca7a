"""A reader that stops reading: what is left to say goes nowhere, and the exit status is that of the verdicts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unread() -> Iterator[None]:
    """Whatever is printed inside may meet a closed pipe; from then on standard output is the null device."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
