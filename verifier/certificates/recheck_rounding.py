"""The checker's one rounding: an exact number to so many binary digits, all in integers.

A state is an integer, a value in units of its format, or one of the words INF, -INF, NAN. Zero has no sign.
"""

from typing import NamedTuple

INF, NAN = 1 << 5000, 1 << 5001  # states that are no numbers, beyond all that are; -INF is minus infinity
WORDS = {INF: "inf", -INF: "-inf", NAN: "nan"}
ANY_DIGITS = 1 << 60  # of a grid: no number has more


class Format(NamedTuple):
    """Significands of ``digits`` digits; neighbours are at least 2^step units apart; ``largest`` in units.

    overflow: what a number beyond becomes: infinity, saturate, nan. ties: even, zero, away; or truncate, which rounds towards zero.
    gap: where digits alone would have neighbours nearer than 2^step, they are 2^gap units apart; the same as step with subnormal numbers.
    flushed: what is smaller, when rounded to the digits, becomes 0; 0 where nothing does.
    """

    digits: int
    step: int
    gap: int
    largest: int
    overflow: str
    ties: str = "even"
    flushed: int = 0

    def beyond(self, negative: bool) -> int:
        """What an overflow becomes."""
        if self.overflow == "nan":
            return NAN
        size = INF if self.overflow == "infinity" else self.largest
        return -size if negative else size

    def shift(self, size: int, behind: int = 0) -> int:
        """How many digits of size * 2^-behind units are rounded away."""
        shift = size.bit_length() - self.digits
        return shift if shift >= self.step + behind else self.gap + behind

    def settle(self, number: int, behind: int = 0) -> int:
        """The state of number * 2^-behind units; a 1 in the last of three or more digits behind may stand for all that follows."""
        if not number:
            return 0
        digits, step, gap, largest, _, ties, flushed = self
        size = -number if number < 0 else number
        if flushed and size < flushed << behind:  # it is rounded up to the smallest number, a tie as well, or becomes 0
            whole = (1 << digits + 1) - 1
            reached = flushed if size << digits + 1 >= whole * flushed << behind else 0
            return -reached if number < 0 else reached
        shift = size.bit_length() - digits
        if shift < step + behind:
            shift = gap + behind
        if shift:  # half of 2^shift is added, and a bit less where a tie goes down
            if ties == "even":
                more = (1 << shift - 1) - 1 + (size >> shift & 1)
            else:
                more = 0 if ties == "truncate" else (1 << shift - 1) - 1 + (ties == "away")
            size = (size + more) >> shift << shift - behind
        if size > largest:
            return self.beyond(number < 0)
        return -size if number < 0 else size

    def ratio(self, top: int, bottom: int) -> int:
        """The state of top/bottom units, bottom > 0."""
        if bottom == 1:
            return self.settle(top)
        quotient, rest = divmod(abs(top) << 2, bottom)
        size = 2 * quotient + (rest > 0)
        return self.settle(-size if top < 0 else size, 3)


def exact_product(x: int, y: int) -> int:
    """Of which one is infinite or NaN; else any finite number."""
    if NAN in (x, y):
        return NAN
    if abs(x) != INF and abs(y) != INF:
        return 0
    return NAN if x == 0 or y == 0 else INF if (x < 0) == (y < 0) else -INF
