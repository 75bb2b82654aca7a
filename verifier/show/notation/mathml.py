"""Mathematics as MathML, which browsers draw without a script; the typed form stays beside it for copying and for readers aloud."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from itertools import zip_longest

from verifier.language.syntax import parse
from verifier.running.errors import InputError
from verifier.show.notation.formulas import of_formula
from verifier.show.notation.marks import Bracketed, Fraction, Notation, Root, Run, Script, Word
from verifier.show.notation.plain import notation
from verifier.show.notation.sentences import pieces, text_signs

SHORT = 5
"""Parts that stay on one line."""
BREAKS = ("=", "≤", "≥", "<", ">", "≠", "+", "−")
CLOSING = re.compile(r"[,.;:?!)\u201d]+")
ELEMENTS = {"number": "mn", "name": "mi", "operator": "mo", "text": "mtext"}


@lru_cache(maxsize=8192)
def sentence(text: str) -> str:
    """Write a sentence as HTML: text escaped, backticks as code, mathematics as MathML."""
    made: list[str] = []
    closing = ""
    found = pieces(" ".join(text.split()))
    for piece, after in zip_longest(found, found[1:], fillvalue=""):
        if isinstance(piece, str):
            made.append(_text(piece[len(closing) :]))
            closing = ""
        else:
            closing = _closing(after) if isinstance(after, str) else ""
            made.append(math(piece, closing))
    return "".join(made)


def _closing(text: str) -> str:
    """The comma or bracket at the beginning of a text, which stays on the line of the formula before it."""
    found = CLOSING.match(text)
    return found[0] if found else ""


def _text(piece: str) -> str:
    parts = escape(text_signs(piece)).split("`")
    return "".join(f"<code>{part}</code>" if k % 2 and k + 1 < len(parts) else part for k, part in enumerate(parts))


def math(node: Notation, closing: str = "") -> str:
    """One piece of mathematics; a long one as several elements, so that a line can break before a relation, a sum or a difference.

    closing: a following sign without a space, which may not begin a line.
    """
    *before, last = [f"<math>{''.join(map(_element, part))}</math>" for part in _breakable(node)]
    if closing:
        last = f'<span class="nowrap">{last}{escape(closing)}</span>'
    return f'<span class="math" role="math" aria-label="{escape(notation(node))}">{"<wbr/>".join([*before, last])}</span>'


def _breakable(node: Notation) -> list[list[Notation]]:
    listed = _flat(node)
    if len(listed) <= SHORT:
        return [[node]]
    parts: list[list[Notation]] = [[]]
    for k, part in enumerate(listed):
        if k > 1 and isinstance(part, Word) and part.text in BREAKS and getattr(listed[k - 1], "kind", "") != "operator":
            parts.append([])
        parts[-1].append(part)
    return parts


def _flat(node: Notation) -> list[Notation]:
    """The parts of a row, with those of the rows in it."""
    return [part for each in node.parts for part in _flat(each)] if isinstance(node, Run) else [node]


def _element(node: Notation) -> str:
    match node:
        case Word("text", " "):
            return '<mspace width="0.2em"/>'
        case Word(kind, text):
            shown = escape(text).replace(" ", "\N{NO-BREAK SPACE}")
            infix = ' form="infix"' if text in BREAKS[:-1] else ""
            return f"<{ELEMENTS[kind]}{infix}>{shown}</{ELEMENTS[kind]}>"
        case Run(parts):
            return _row(parts)
        case Script(base, below, None) if below is not None:
            return f"<msub>{_element(base)}{_element(below)}</msub>"
        case Script(base, None, above) if above is not None:
            return f"<msup>{_element(base)}{_element(above)}</msup>"
        case Script(base, below, above) if below is not None and above is not None:
            kind = "munderover" if isinstance(base, Word) and base.text == "∑" else "msubsup"
            return f"<{kind}>{_element(base)}{_element(below)}{_element(above)}</{kind}>"
        case Script(base, _, _):
            return _element(base)
        case Fraction(above, below):
            return f"<mfrac>{_element(above)}{_element(below)}</mfrac>"
        case Root(inside):
            return f"<msqrt>{_element(inside)}</msqrt>"
        case Bracketed(opens, parts, closes):
            listed = "<mo>,</mo>".join(map(_element, parts))
            return f'<mrow><mo stretchy="false">{opens}</mo>{listed}<mo stretchy="false">{closes}</mo></mrow>'


def _row(parts: tuple[Notation, ...]) -> str:
    return f"<mrow>{''.join(map(_element, parts))}</mrow>"


def formula(text: str) -> str:
    """Write formulas, separated by semicolons, as HTML; write any other text as a sentence."""
    return '<span class="sep">; </span>'.join(_formula(part) for part in text.split("; "))


def _formula(text: str) -> str:
    try:
        return math(of_formula(parse(text)))
    except InputError:
        return sentence(text)
