"""Write text to the standard streams, with control characters as escapes, and to files, completely or not at all.

A stopped reader, a full disk and a closed stream are reported. A link stays a link, and no device is replaced.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from pathlib import Path
from typing import Any, TextIO

from verifier.running.errors import InputError
from verifier.running.printable import visible


def write_whole(path: Path, data: bytes) -> None:
    """Replace a regular file once the new text is complete; write to anything else directly.

    Raises:
        InputError: it cannot be written; an earlier file stays as it was, and no partial file remains.
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
    """Write to a device or a pipe; fail at once if no process reads the pipe."""
    opened = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    os.set_blocking(opened, True)
    with open(opened, "wb") as file:
        file.write(data)


def _replace(target: Path, data: bytes) -> None:
    _tidy(target.parent)
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


def _tidy(folder: Path) -> None:
    """Remove the partial files of processes that were killed while they wrote in a folder."""
    for name in os.listdir(folder):
        found = re.fullmatch(r"\.([0-9]{1,9})\.part", name)
        if found is None:
            continue
        try:
            os.kill(int(found[1]), 0)
        except ProcessLookupError:
            (folder / name).unlink(missing_ok=True)
        except PermissionError:
            continue  # a process of another user


NOT_WRITTEN = (errno.ENOSPC, errno.EBADF, errno.EIO, errno.EFBIG, errno.EDQUOT)
"""Error numbers of a stream that cannot be written to."""

OUTPUT = 1


class Output(io.FileIO):
    """Standard output. After its reader stops, further text is dropped, and the exit status is still that of the verdicts."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            silence()
            return len(data)


class Plain(io.TextIOWrapper):
    """A stream that shows control characters as escapes, whoever prints them."""

    def write(self, text: str) -> int:
        super().write(visible(text))
        return len(text)

    def write_styled(self, text: str) -> int:
        """Write text that has our own colour codes."""
        return super().write(text)


class Styled:
    """A stream for :class:`rich.console.Console`, whose text has no control characters left."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.write = stream.write_styled if isinstance(stream, Plain) else stream.write

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


REPLACED: list[TextIO] = []
"""Replaced streams, kept alive because deleting one closes the buffer that its successor uses."""


def prepare() -> None:
    """Set up both standard streams: they show unknown characters as escapes, and a closed output refuses every write."""
    if sys.stdout is None:
        os.dup2(os.open(os.devnull, os.O_RDONLY), OUTPUT)
    encoding = sys.stdout.encoding if sys.stdout is not None else "utf-8"
    raw = Output(OUTPUT, "w", closefd=False)
    sys.stdout = Plain(io.BufferedWriter(raw), encoding=encoding, errors="backslashreplace", line_buffering=raw.isatty())
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # as long as the program runs
    else:
        REPLACED.append(sys.stderr)
        sys.stderr = Plain(sys.stderr.buffer, encoding=sys.stderr.encoding, errors="backslashreplace", line_buffering=True)


def silence() -> None:
    """Drop everything that is written to standard output from now on."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), OUTPUT)


def written(text: str) -> None:
    """Print a document in UTF-8, whatever the encoding of the terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(visible(text).encode())


def is_of_a_stream(error: OSError) -> bool:
    """Whether an error comes from a standard stream and not from a file."""
    return error.filename is None and error.errno in NOT_WRITTEN
