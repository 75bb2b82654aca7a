"""Long exact numbers in a few digits for a reader; the exact one stays at hand."""

from __future__ import annotations

import re
from decimal import Context, Decimal

from verifier.show.notation.plain import ABOVE

LONG = 14
NUMBER = re.compile(r"(-?\d+)(?:/(\d+))?")
BITS = re.compile(r"[01]+")


def rounded(text: str) -> str | None:
    """``7.73·10⁻⁴`` for a fraction or integer of many digits; None where it is short, no number, or a string of bits."""
    found = NUMBER.fullmatch(text)
    if found is None or len(text) < LONG or BITS.fullmatch(text):
        return None
    three = Context(prec=3)
    value = three.divide(Decimal(found[1]), Decimal(found[2] or 1))
    sign, digits, _ = value.as_tuple()
    power = value.adjusted()
    first, *rest = (*digits, 0, 0)[:3]
    mantissa = f"{'−' if sign else ''}{first}.{''.join(map(str, rest))}"
    return f"{mantissa}·10{''.join(ABOVE[c] for c in str(power).replace('-', '−'))}"
