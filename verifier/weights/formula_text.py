"""Numbers, maps and tables as the formulas that a person would write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from verifier.arithmetic.rationals import Fraction
from verifier.language.syntax import LONGEST
from verifier.running.errors import LimitError

LARGEST_SHOWN = 1 << 14
"""A denominator is written out up to here, and above it as a power of 2."""
MOST_CHOICES = 24
"""So many cases stand one after the other; more are halved."""


def number(x: Fraction) -> str:
    """``3``, ``-5/8``, ``13421773/2**27``."""
    if x.denominator <= LARGEST_SHOWN or x.denominator & (x.denominator - 1):
        return str(x)
    return f"{x.numerator}/2**{x.denominator.bit_length() - 1}"


def linear(coefficients: Mapping[str, Fraction], constant: Fraction = Fraction(0)) -> str:
    """A map: the terms that are not 0, in their order; the constant last.

    Raises:
        LimitError: it is longer than a formula may be.
    """
    text = ""
    for name, c in (*coefficients.items(), ("", constant)):
        if c == 0:
            continue
        sign = (" - " if c < 0 else " + ") if text else ("-" if c < 0 else "")
        size = number(abs(c))
        text += sign + (size if not name else name if abs(c) == 1 else f"{size}*{name}")
    return _bounded(_grouped(text or "0"))


def _grouped(text: str) -> str:
    """A long sum in brackets: a formula is nested at most 60 deep."""
    terms = text.replace(" - ", " + -").split(" + ")
    if len(terms) <= 40:
        return text
    groups = [terms[k : k + 40] for k in range(0, len(terms), 40)]
    return " + ".join(f"({' + '.join(group)})".replace("+ -", "- ") for group in groups)


def choice(name: str, values: Sequence[Fraction], texts: Sequence[str] | None = None) -> str:
    """The value of ``name`` = 0, 1, … as one formula: ``1 if token == 2 else 0``.

    Raises:
        LimitError: it is longer than a formula may be.
    """
    written = [number(x) for x in values]
    most, times = Counter(written).most_common(1)[0]
    default = most if times > 1 else written[-1]
    cases: dict[str, list[str]] = {}
    for k, value in enumerate(written):
        if value != default:
            cases.setdefault(value, []).append(str(k) if texts is None else texts[k])
    if len(cases) <= MOST_CHOICES:
        text = "".join(f"{value} if {_among(name, keys)} else " for value, keys in cases.items()) + default
        return _bounded(text)
    return _bounded(_halved(name, written, 0))


def _among(name: str, keys: Sequence[str]) -> str:
    return f"{name} == {keys[0]}" if len(keys) == 1 else f"{name} in ({', '.join(keys)})"


def _halved(name: str, written: Sequence[str], first: int) -> str:
    if len(set(written)) == 1:
        return written[0]
    middle = len(written) // 2
    low, high = _halved(name, written[:middle], first), _halved(name, written[middle:], first + middle)
    return f"({low} if {name} < {first + middle} else {high})"


def _bounded(text: str) -> str:
    if len(text) > LONGEST:
        raise LimitError(f"a formula of {len(text):,} characters, more than {LONGEST:,}", "a narrower model, or a smaller vocabulary")
    return text
