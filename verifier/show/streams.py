"""The standard streams: text of files reaches a terminal as escapes, and a reader that stops, a full disk or a closed stream is told."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any, TextIO

from verifier.running.printable import visible

NOT_WRITTEN = (errno.ENOSPC, errno.EBADF, errno.EIO, errno.EFBIG, errno.EDQUOT)
"""What the system says where a stream cannot be written to."""

OUTPUT = 1


class Output(io.FileIO):
    """Standard output; where its reader stops reading, what is left to say goes nowhere, and the exit status is that of the verdicts."""

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
        """Text with colours of our own."""
        return super().write(text)


class Styled:
    """A stream for :class:`rich.console.Console`, which has made what it is given visible."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.write = stream.write_styled if isinstance(stream, Plain) else stream.write

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


REPLACED: list[TextIO] = []
"""Streams whose buffer another one uses now; they would close it when they are gone."""


def prepare() -> None:
    """Both streams are there, and characters that they cannot show are shown as escapes. A closed output is one that refuses all."""
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
    """Standard output goes nowhere from now on."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), OUTPUT)


def written(text: str) -> None:
    """Print a document, in UTF-8 whatever the terminal reads."""
    sys.stdout.flush()
    sys.stdout.buffer.write(visible(text).encode())


def is_of_a_stream(error: OSError) -> bool:
    """Whether a write to a stream failed, and not something about a file."""
    return error.filename is None and error.errno in NOT_WRITTEN
