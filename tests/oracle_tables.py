"""Tables 5 and 6 of *Every Bit Counts*, typed in a second time, with each repair as an option by the name of its erratum."""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction as F

from tests.oracle import Transformer, Value

Row = tuple[range, Callable[[int], Value], Callable[[int], Value], Callable[[int], Value], Callable[[int], Value]]
"""Index range, then key and value entry for bit 0, key and value entry for bit 1 (the first entry is always 1)."""

REPAIRS_5 = frozenset(
    [
        "step-2-key-0",
        "step-2-key-1",
        "step-5-range",
        "step-5-key-0",
        "step-5-key-1",
        "step-6-key",
        "step-7-value",
        "step-8-range",
        "mlp-bias-1",
        "mlp-bias-2",
        "mlp-output-1",
        "mlp-output-2",
    ]
)
REPAIRS_6 = frozenset(
    [
        "step-1-key",
        "step-11-key",
        "step-19-key",
        "key-at-7",
        "value-at-7",
        "negative-value-at-7",
        "mlp-weight-2",
        "mlp-bias-2",
        "mlp-output-1",
        "mlp-output-2",
    ]
)


def minus_n(_: int) -> Value:
    return "-N"


def const(x: int | F) -> Callable[[int], Value]:
    return lambda _: F(x)


def table_5(p: int, fixed: Collection[str] = REPAIRS_5) -> tuple[list[Row], Transformer]:
    """Rows and weights; h = ⌈m/2⌉ = p − 1, n = 4p + 1, tokens 1 … n+1."""
    m, h, n = 2 * p - 3, p - 1, 4 * p + 1

    def pick(name: str, repaired: int, printed: int) -> int:
        return repaired if name in fixed else printed

    two0, two1 = pick("step-2-key-0", 1, 2), pick("step-2-key-1", 1, 2)
    five0, five1, six = pick("step-5-key-0", 1, 4), pick("step-5-key-1", 1, 4), pick("step-6-key", -1, 1)
    rows: list[Row] = [
        (range(1, 7), const(-6), const(0), const(-6), lambda i: -(F(2) ** (7 - i))),
        (range(7, h + 1), lambda i: F(-(i - two0)), const(0), lambda i: F(-(i - two1)), const(-1)),
        (range(h + 1, m + 1), lambda i: F(2 * h - i - 1), const(0), minus_n, const(0)),
        (range(m + 1, m + 7), const(-6), const(0), const(-6), lambda i: F(2) ** (7 + m - i)),
        (
            range(m + 7, m + h + pick("step-5-range", 1, 2)),
            lambda i: F(-(i - m - five0)),
            const(0),
            lambda i: F(-(i - m - five1)),
            const(1),
        ),
        (range(m + h + 1, 2 * m + 1), minus_n, const(0), lambda i: F(m + 2 * h - i + six), const(0)),
        (range(2 * m + 1, 2 * m + 2), const(-1), const(pick("step-7-value", 4, 2) - F(2) ** (2 - h)), minus_n, const(0)),
        (range(2 * m + 2, n + pick("step-8-range", 2, 0)), minus_n, const(0), minus_n, const(0)),
    ]
    bias = [F(2) if "mlp-bias-1" in fixed else F(1, 2), -F(2) if "mlp-bias-2" in fixed else -F(1, 2)]
    out = [-(F(2) ** (h - 1 if f"mlp-output-{k}" in fixed else h)) for k in (1, 2)]
    return rows, _weights(h - 1, [(F(-1), bias[0]), (F(1), bias[1])], out)


def table_6(p: int, fixed: Collection[str] = REPAIRS_6) -> tuple[list[Row], Transformer]:
    """Rows and weights; h = p, n = 4p + 2, tokens −1 … n−1."""
    m, h, n = 2 * p - 1, p, 4 * p + 2
    shift = F(2) ** (h - 1) - 1
    one, eleven, nineteen = (h - (2 if f"step-{step}-key" in fixed else 1) for step in (1, 11, 19))
    least = min(6, h - 2)
    key = -least if "key-at-7" in fixed else -6
    rows: list[Row] = [(range(-1, 0), const(-one), const(-shift), minus_n, const(0))]
    for first, side in ((0, 1), (m + 1, -1)):
        largest = 2**least if ("value-at-7" if side > 0 else "negative-value-at-7") in fixed else 64
        rows.append((range(first, first + 2), const(key), const(0), const(key), const(side * largest)))
        offset = 2 if side > 0 else m + 4
        for k, (at, weight) in enumerate([(key, largest), (-6, 32), (-6, 16), (-6, 8), (-6, 4)]):
            rows.append((range(offset + k, offset + k + 1), const(at), const(0), const(at), const(side * weight)))
    rows += [
        (range(7, h + 1), lambda i: F(-(i - 2)), const(0), lambda i: F(-(i - 2)), const(1)),
        (range(h + 1, m + 1), lambda i: F(2 * h - i - 1), const(0), minus_n, const(0)),
        (range(m + 3, m + 4), const(-eleven), const(shift), minus_n, const(0)),
        (range(m + 9, m + h + 3), lambda i: F(-(i - m - 4)), const(0), lambda i: F(-(i - m - 4)), const(-1)),
        (range(m + h + 3, 2 * m + 3), minus_n, const(0), lambda i: F(m + 2 * h - i + 1), const(0)),
        (range(2 * m + 3, 2 * m + 4), const(-nineteen), const(1), minus_n, const(0)),
        (range(2 * m + 4, n), minus_n, const(0), minus_n, const(0)),
    ]
    small = F(1, 2 ** (h - 1))
    second = F(-1 if "mlp-weight-2" in fixed else 1), small if "mlp-bias-2" in fixed else -small
    hidden = [(F(-1), small), second]
    out = [-(F(2) ** (h - 2 if f"mlp-output-{k}" in fixed else h - 1)) for k in (1, 2)]
    return rows, _weights(h - 2, hidden, out)


def _weights(exponent: int, hidden: list[tuple[F, F]], out: list[F]) -> Transformer:
    zero, one = F(0), F(1)
    value = [zero, zero, F(2) ** exponent]
    return Transformer([[one], [zero], [zero]], [[zero], [one], [zero]], value, hidden, out, one)


def tokens_5(p: int, y: str, z: str) -> dict[int, int]:
    """T⁰ of Section 2.1 with the asking token behind: y₁ … y_m, z₁ … z_m, zeros."""
    n = 4 * p + 1
    held = [int(b) for b in y + z]
    return dict(enumerate(held + [0] * (n + 1 - len(held)), 1))


def tokens_6(p: int, y: str, z: str) -> dict[int, int]:
    """T¹ of Section 2.2: 0, y₁, y₁ … y_m, z₁, z₁, 0, z₂ … z_m, zeros."""
    n = 4 * p + 2
    held = [int(b) for b in "0" + y[0] + y + z[0] + z[0] + "0" + z[1:]]
    return dict(enumerate(held + [0] * (n + 1 - len(held)), -1))


def embedded(rows: list[Row], tokens: dict[int, int]) -> list[list[Value]]:
    """One vector for each token; the ranges must cover every token once."""
    result = []
    for i, bit in tokens.items():
        (row,) = [r for r in rows if i in r[0]]
        _, key0, value0, key1, value1 = row
        result.append([F(1), key1(i) if bit else key0(i), value1(i) if bit else value0(i)])
    return result
