"""Print mathematics as a line of text with Unicode signs (2ʰ⁻¹, y₁, ≤, ⟨Q, K⟩). Parts for which no sign exists stay as they are typed."""

from __future__ import annotations

import re
import sys
from functools import lru_cache

from verifier.show.notation.marks import GREEK, Bracketed, Fraction, Notation, Root, Run, Script, Word
from verifier.show.notation.sentences import pieces, text_signs

ABOVE = dict(zip("0123456789+−()=abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
                 "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾⁼ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ", strict=True))  # fmt: skip
BELOW = dict(zip("0123456789+−()=aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₍₎₌ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
APART = re.compile(r"\w \w")
"""Two factors side by side, which small signs without a space would make one: ``e^(k ln 2)``."""


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """A sentence with its mathematics in Unicode."""
    return "".join(text_signs(piece) if isinstance(piece, str) else notation(piece) for piece in pieces(text))


def shown(text: str) -> str:
    """Print a sentence for the terminal: :func:`plain` if its encoding has the signs, else the sentence as it is typed."""
    return encodable(plain(text), text)


def encodable(made: str, typed: str) -> str:
    """The typeset text if the terminal's encoding has its signs, else the typed text."""
    try:
        made.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return typed
    return made


def notation(node: Notation) -> str:
    """Write one piece of mathematics."""
    match node:
        case Word(_, text):
            return text
        case Run(parts):
            return _row(parts)
        case Script(base, below, above):
            return notation(base) + _script(below, BELOW, "_") + _script(above, ABOVE, "^")
        case Fraction(above, below):
            return f"{_factor(above)}/{_factor(below)}"
        case Root(inside):
            return f"√{_factor(inside)}"
        case Bracketed(opens, parts, closes):
            return f"{opens}{', '.join(map(notation, parts))}{closes}"


def _row(parts: tuple[Notation, ...]) -> str:
    said = ""
    for k, part in enumerate(parts):
        text = notation(part)
        binary = isinstance(part, Word) and part.kind == "operator" and k > 0 and text not in ("..", "…", "/", "·", ",", "∑")
        said += f" {text} " if binary else f"{text} " if text == "," else text
    return said


def _factor(node: Notation) -> str:
    text = notation(node)
    return f"({text})" if isinstance(node, Run) and len(node.parts) > 1 else text


def _script(node: Notation | None, signs: dict[str, str], typed: str) -> str:
    """Write a script in small signs. If one of them does not exist, the script stays as it is typed."""
    if node is None:
        return ""
    if APART.search(text := notation(node)):
        return f"{typed}({text})"
    text = text.replace(" ", "")
    if all(letter in signs for letter in text) and not (len(text) > 1 and text.isalpha() and isinstance(node, Word)):
        return "".join(signs[letter] for letter in text)
    back = {sign: name for name, sign in GREEK.items()}
    words = len(text) > 1 and not text.isalnum() and not isinstance(node, Bracketed)
    return f"{typed}({text})" if words and text not in back else f"{typed}{text}"
