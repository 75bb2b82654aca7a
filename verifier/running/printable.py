"""Text from files before it is printed: characters that could control a terminal or reverse a line are shown as escapes."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from shlex import quote

_HIDDEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and end of line
    "\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # signs without a shape, changes of direction
    "\ud800-\udfff\U000e0000-\U000e0fff]"  # halves of a character, such as a file name may hold; tags
)


QUOTING = "\\'"


def visible(text: str) -> str:
    r"""The text with an escape such as ``\u001b`` for each invisible control character.

    Ends of lines and tabs stay. JSON, TOML and Python read the escape as the character.
    """
    return _HIDDEN.sub(_escape, text)


def has_styles() -> bool:
    """Whether standard output is a terminal that shows styles."""
    terminal = sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))
    return terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_styled(text: str) -> None:
    """Print text that has our own codes of styles, and no other control characters."""
    getattr(sys.stdout, "write_styled", sys.stdout.write)(text)


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[k : k + 2].hex()}" for k in range(0, len(units), 2))


def one_line(text: str) -> str:
    """The text as one line."""
    return visible(" ".join(text.split()))


def assignment(values: Mapping[str, object]) -> str:
    """Names with their values, as sentences have them: ``p = 3, n = 10``."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def joined(words: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def many(count: int, noun: str) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def json_text(document: object) -> str:
    """A document as the program prints and writes it."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def shell_line(words: Iterable[str]) -> str:
    """The words as a line to copy into bash; characters that would act are written as escapes."""
    return " ".join(_escaped_word(word) if _acts(word) else quote(word) for word in words)


def _acts(text: str) -> bool:
    return visible(text) != text or "\n" in text or "\t" in text


def _escaped_word(word: str) -> str:
    return f"$'{''.join(_bytes(c) if _acts(c) or c in QUOTING else c for c in word)}'"


def _bytes(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode(errors="surrogateescape"))
