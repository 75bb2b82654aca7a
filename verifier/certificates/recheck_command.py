"""The checker's command line: one file, one line of answer, an exit status."""

import argparse
import os
import re
import sys
from collections.abc import Callable
from typing import Any, TextIO

from .recheck_reading import LIMITS, Limits, Rejected, TooMuch, Unknown, read

Check = Callable[[Any, Limits], str]  # what a certificate proves


def examine(path: str, limits: Limits, check: Check, claim: str | None = None) -> tuple[int, str, Any]:
    """The exit status, the line that says why, and the certificate where it is accepted, of the statement ``claim`` where that is given."""
    try:
        certificate = read(path, limits)
        line = f"accepted: {check(certificate, limits)}"
        if claim not in (None, certificate["digest"]):
            return 3, f"{line}; another statement was asked for, {claim}", None
        return 0, line, certificate
    except Rejected as reason:
        return 1, f"rejected: {reason}", None
    except Unknown as reason:
        return 2, f"not a certificate known here: {reason}", None
    except TooMuch as reason:
        return 3, f"not rechecked: {reason}", None
    except MemoryError:
        return 3, "not rechecked: out of memory, which lower limits would have said before", None


def say(line: str, status: int) -> int:
    """Print the line; the exit status, which is 2 where the line cannot be written and the same where nobody reads on."""
    fault = written(sys.stdout, line)
    if fault:
        written(sys.stderr, f"the answer cannot be written: {fault}")
    return 2 if fault else status


def written(stream: TextIO | None, line: str) -> str:
    """Write the line; why it cannot be, or nothing. What is then still buffered goes nowhere, silently."""
    if stream is None:
        return "the stream is closed"
    try:
        print(line, file=stream, flush=True)
    except (OSError, ValueError) as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return "" if isinstance(error, BrokenPipeError) else str(error)
    return ""


class Parser(argparse.ArgumentParser):
    """A command line whose help can be piped like an answer."""

    def print_help(self, file: Any = None) -> None:
        sys.exit(say(self.format_help()[:-1], 0))


def positive(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,17}", text):
        raise ValueError
    return int(text)


def statement(text: str) -> str:
    if not re.fullmatch("sha256:[0-9a-f]{64}", text):
        raise ValueError
    return text


def main(arguments: list[str], check: Check, name: str) -> int:
    parser = Parser(prog=name, description="Recheck a Bitreferee certificate.", allow_abbrev=False)
    parser.add_argument("file")
    of_claim = "accept only a certificate of this statement; give its digest, because this program does not know the names of claims"
    parser.add_argument("--claim", type=statement, metavar="DIGEST", help=of_claim)
    for name, (most, what) in LIMITS.items():
        parser.add_argument(f"--{name}", type=positive, default=most, metavar="N", help=f"{what}, {most} by default")
    asked = vars(parser.parse_args(arguments))
    try:
        file, claim = asked.pop("file"), asked.pop("claim")
        status, line, _ = examine(file, Limits(**asked), check, claim)
        return say(line, status)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        return say(f"a fault of this program: {type(error).__name__}: {str(error)!a}", 70)
