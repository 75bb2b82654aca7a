"""Notations of others: a range as index sets write it is understood, and for the rest an error says what to write."""

from __future__ import annotations

import re

_RANGE = re.compile(r"\bin\s*(\[)")
_IF_THEN = re.compile(r"\s*if\b(.+)\bthen\b(.+)\belse\b(.+)", re.DOTALL)
_OTHERS = (
    (r"(?<![=<>!:])=(?!=)", "write == for equality"),
    (r"&&", "write and"),
    (r"\|\|", "write or"),
    (r"!(?!=)", "write not, or != for inequality"),
    (r"\^", "write ** for a power"),
    ("[≤≥≠]", "write <=, >= or !="),
    ("[·×−÷]", "write *, - or /"),
    (r"\bin\b.*(\.\.|:)", "write [1 : m] for a range, such as sum(j for j in [1 : m])"),
    (r"\d(?!(and|else|if|in|not|or)\b)[A-Za-z(]", "write * for a product"),
)
"""Parts of texts that are not formulas, and what their author probably meant."""


def with_ranges(text: str) -> str:
    """The text with ``in (a, b)`` for ``in [a : b]``; every other character stays where it is.

    >>> with_ranges("sum(x[j] for j in [1 : x[2 : 3]])")
    'sum(x[j] for j in (1 , x[2 : 3]))'
    """
    letters = list(text)
    for found in _RANGE.finditer(text):
        depth, colons = 0, []
        for at in range(found.start(1), len(text)):
            depth += (text[at] in "([{") - (text[at] in ")]}")
            if text[at] == ":" and depth == 1:
                colons.append(at)
            if depth == 0:
                if text[at] == "]" and len(colons) == 1:
                    letters[found.start(1)], letters[colons[0]], letters[at] = "(", ",", ")"
                break
    return "".join(letters)


def instead(text: str) -> str:
    """``; write … `` for a text that is not a formula, where one of the notations of others is recognised; else nothing."""
    if found := _IF_THEN.fullmatch(text):
        condition, chosen, other = (part.strip() for part in found.groups())
        return f"; write {chosen} if {condition} else {other}"
    return next((f"; {write}" for pattern, write in _OTHERS if re.search(pattern, text)), "")
