"""Files that are written: whole or not at all, behind a link where there is one, and never in place of a device."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from verifier.running.errors import InputError


def write_whole(path: Path, data: bytes) -> None:
    """A regular file takes the place of the old one when all of it is written; what is not a regular file is written to.

    Raises:
        InputError: it cannot be written; there is then no file, or the one that was there before, and no part of a new one.
    """
    try:
        if _is_special(path):
            _write_to(path, data)
        else:
            _replace(path.resolve(), data)
    except BrokenPipeError:
        return  # the reader has enough
    except (OSError, RuntimeError) as error:
        reason = "nothing reads this pipe" if getattr(error, "errno", None) == errno.ENXIO else getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be written: {reason}") from None


def _is_special(path: Path) -> bool:
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False


def _write_to(path: Path, data: bytes) -> None:
    """Into a device, or into a pipe that somebody reads; it does not wait for a reader."""
    opened = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    os.set_blocking(opened, True)
    with open(opened, "wb") as file:
        file.write(data)


def _replace(target: Path, data: bytes) -> None:
    part = target.with_name(f".{os.getpid()}.part")
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            part.chmod(mode)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
