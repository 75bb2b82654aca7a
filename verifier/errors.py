"""Errors that a user can mend. Each says what, where, and what was expected, in one line; the command line shows it with exit status 2.

A refuted claim is a value (:mod:`verifier.verdicts`), never an exception.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class InputError(Exception):
    """A command line, construction file, errata file or parameter that cannot be used.

    The message is one printable line whatever the input holds: other characters are shown as escapes.
    """

    def __init__(self, message: str) -> None:
        super().__init__("".join(c if c.isprintable() else ascii(c)[1:-1] for c in message))


class MissingExtraError(InputError):
    """A judge needs a package of the optional dependencies ``extra``, which is not installed. The claim is declined, and not compared.

    It is no limit: a judge that says *open* where a search grows too large does not say so for want of a package.
    """

    def __init__(self, message: str, extra: str) -> None:
        super().__init__(f"{message}: pip install 'bitreferee[{extra}]'")
        self.message = message
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str]]:
        return MissingExtraError, (self.message, self.extra)


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Puts ``place`` before the message of an input error, or of a limit, raised inside."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except LimitError as error:
        raise LimitError(f"{place}: {error.message}", error.flag) from None


def amount(number: int) -> str:
    """A number of things in a message: in full, or as a power of two below it."""
    return f"{number:,}" if number.bit_length() <= 64 else f"more than 2^{number.bit_length() - 1}"


class LimitError(Exception):
    """More work than the limits allow. The engine's caller turns it into ``declined``; ``flag`` lifts the limit.

    What is too large before anything can be judged (a range, a picture) declines the command: its line, and exit status 3.

    The arguments are those of the constructor, so that it comes whole out of another process.
    """

    def __init__(self, message: str, flag: str) -> None:
        super().__init__(message, flag)
        self.message = message
        self.flag = flag

    def __str__(self) -> str:
        return f"{self.message}; {self.flag} lifts the limit"
