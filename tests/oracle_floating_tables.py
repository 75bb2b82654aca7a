"""Tables 7 and 8 of *Every Bit Counts* with T² and T³, typed in a second time: the vectors of one input, row by row of the paper.

Each repair is an option by the name of its erratum; those without which the printed ranges leave tokens out or name them twice, or a row
reads bits that its token lacks, are made throughout.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction as F
from math import ceil, log2

from tests.oracle import Transformer, Value

Vectors = list[list[Value]]

REPAIRS_7 = frozenset(
    ["query-factor", "step-1-value-0", "step-3-value-0", "step-6-value-0", "step-6-value-1"]
    + [f"step-{name}" for name in ("1-key-0", "1-key-1", "2-key", "3-key-0", "3-key-1", "4-key-0", "4-key-1", "6-key-0", "6-key-1")]
    + ["step-7-key-0", "step-7-key-1", "step-8-key"]
)
REPAIRS_8 = frozenset(
    ["step-7-value", "step-10-value", "value-weight", "mlp-bias-1", "mlp-bias-2"]
    + [f"step-{name}" for name in ("1-key", "2-key", "2-key-1", "6-key", "7-key", "7-key-1", "10-key")]
)
ONE = F(1)


def table_7(t: int, e: int, n: int, y: str, z: str, fixed: Collection[str] = REPAIRS_7) -> tuple[Vectors, Transformer]:
    """Linear attention in the precision (t, e), m = t + e: the vectors of T²'s tokens 0 … n, and the one that asks."""
    q = 2 ** (e - 1) - 1
    minus_y, minus_z = (-1) ** int(y[0]), (-1) ** int(z[0])
    e_y, e_z = int(y[1 : e + 1], 2), int(z[1 : e + 1], 2)

    def key(exponent: int, name: str) -> F:
        return F(2) ** (exponent - q) if name in fixed else F(exponent - q)

    def bit(string: str, k: int) -> bool:
        return string[k - 1] == "1"

    vectors: dict[int, list[Value]] = {}
    if bit(y, e + 3):
        vectors[0] = [ONE, key(e_y, "step-1-key-1"), minus_y * (1 + F(1, 2) + F(1, 4))]
    else:
        vectors[0] = [ONE, key(e_y, "step-1-key-0"), minus_y * F(3, 2) if "step-1-value-0" in fixed else F(0)]
    for i in range(1, 2 * t - 6, 2):
        vectors[i] = [ONE, key(e_y, "step-2-key"), F(-minus_y)]
    for i in range(2, 2 * t - 5, 2):
        if bit(y, e + 3 + i // 2):
            vectors[i] = [ONE, key(e_y, "step-3-key-1"), minus_y * (1 + F(1, 2 ** (i // 2 + 2)))]
        else:
            vectors[i] = [ONE, key(e_y, "step-3-key-0"), F(minus_y) if "step-3-value-0" in fixed else F(0)]
    held = bit(y, e + 2)
    vectors[2 * t - 5] = [ONE, key(e_y, f"step-4-key-{int(held)}"), F(0) if held else F(-minus_y, 2)]
    for i in (*range(2 * t - 4, 2 * t), *range(4 * t - 4, n + 2)):
        vectors[i] = [ONE, F(0), F(0)]
    last = F(1, 2 ** (t - 1))
    if bit(z, e + t):
        vectors[2 * t] = [ONE, key(e_z, "step-6-key-1"), minus_z * (-last if "step-6-value-1" in fixed else 1 + last)]
    else:
        vectors[2 * t] = [ONE, key(e_z, "step-6-key-0"), F(0) if "step-6-value-0" in fixed else F(minus_z)]
    for k in range(t - 2):
        held = bit(z, e + 2 + k)
        vectors[2 * t + 1 + 2 * k] = [ONE, key(e_z, f"step-7-key-{int(held)}"), -minus_z * (1 + (F(1, 2 ** (k + 1)) if held else 0))]
    for i in range(2 * t + 2, 4 * t - 5, 2):
        vectors[i] = [ONE, key(e_z, "step-8-key"), F(minus_z)]
    hidden, out = [(F(-1), F(0)), (F(1), F(0))], [-(F(2) ** q)] * 2
    made = Transformer(*_weights(ONE), hidden, out, ONE, ln2="query-factor" not in fixed, attention="linear")
    return [vectors[i] for i in range(n + 2)], made


def table_8(m: int, e: int, n: int, y: str, z: str, fixed: Collection[str] = REPAIRS_8) -> tuple[Vectors, Transformer]:
    """Softmax attention in the precision (t, e), t + e = ⌈m/2⌉ + log ⌈m/2⌉: the vectors of T³'s tokens 0 … n, and the one that asks."""
    half = (m + 1) // 2
    t = half + ceil(log2(half)) - e
    y_1, z_1 = int(y[: e - 1], 2), int(z[: e - 1], 2)
    y_2, z_2 = (int(string[t + e - 2 : m - t + 1], 2) for string in (y, z))
    nothing: list[Value] = [ONE, "-N", F(0)]

    def key(name: str) -> F:
        return F(-(2 ** (e - 2)) if name in fixed else -(2 ** (e - 1) - 1))

    vectors: dict[int, list[Value]] = dict.fromkeys(range(2 * m + 2, n + 2), nothing)
    vectors |= dict.fromkeys((*range(2 * t, m), *range(m + 2 * t - 1, 2 * m + 1)), nothing)
    vectors[0] = [ONE, key("step-1-key"), F(2) ** y_1]
    vectors[m] = [ONE, key("step-6-key"), -(F(2) ** z_1)]
    for j in range(1, t):
        held_y, held_z = (string[e + j - 2] == "1" for string in (y, z))
        vectors[j] = [ONE, key("step-2-key-1"), F(2) ** (y_1 - j)] if held_y else [ONE, key("step-2-key"), F(0)]
        side = -1 if "step-7-value" in fixed else 1
        vectors[m + j] = [ONE, key("step-7-key-1"), side * F(2) ** (z_1 - j)] if held_z else [ONE, key("step-7-key"), F(0)]
        late_y, late_z = (string[m - t + j] == "1" for string in (y, z))
        vectors[t - 1 + j] = nothing if late_y else [ONE, F(-j - y_2), F(0)]
        vectors[m + t - 1 + j] = [ONE, F(-j - z_2), F(0)] if late_z else nothing
    vectors[2 * t - 1] = [ONE, F(-y_2), F(0)]
    shift = t - 1 if "step-10-value" in fixed else 0
    vectors[2 * m + 1] = [ONE, key("step-10-key"), F(2) ** (-z_2 - shift)]
    sought = [(F(1, 2) + F(1, 2**t)) / 2 ** (t - 1) if f"mlp-bias-{k}" in fixed else 1 / (2 - F(1, 2 ** (t - 1))) for k in (1, 2)]
    value = F(2) ** (2 ** (e - 2) if "value-weight" in fixed else 2 ** (e - 1) - 1)
    hidden, out = [(F(-1), sought[0]), (F(1), -sought[1])], [-(F(2) ** (2 ** (e - 1) - 1))] * 2
    return [vectors[i] for i in range(n + 2)], Transformer(*_weights(value), hidden, out, ONE)


def _weights(value: F) -> tuple[list[list[F]], list[list[F]], list[F]]:
    """W^Q reads the first entry, W^K the second, W^V the third."""
    zero = F(0)
    return [[ONE], [zero], [zero]], [[zero], [ONE], [zero]], [zero, zero, value]
