"""Files that a user names for reading: only regular ones of a bounded size, so that the program waits for no device and no endless file."""

from __future__ import annotations

import stat
from pathlib import Path

from verifier.running.errors import InputError, unusable

MOST_BYTES = 1 << 22
"""The size of the largest file that is read, unless its reader knows larger ones."""

MOST_RESULT_BYTES = 1 << 28
"""The size of the largest file of results of our own that is read again."""


def check_regular(path: Path, most: int | None = MOST_BYTES) -> None:
    """Refuse a directory, a device, a pipe, and more bytes than ``most``.

    Raises:
        InputError: which of them it is.
        OSError: the file does not exist.
    """
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise unusable(str(path), "a directory, a file was expected")
    if not stat.S_ISREG(found.st_mode):
        raise unusable(str(path), "no regular file")
    if most is not None and found.st_size > most:
        raise unusable(str(path), f"{found.st_size:,} bytes, the limit for a file is {most:,}")


def read_regular(path: Path, most: int = MOST_BYTES) -> str:
    """The text of a regular file.

    Raises:
        InputError: it is none, is too large, cannot be read, or is not UTF-8.
    """
    try:
        check_regular(path, most)
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file in UTF-8") from None
