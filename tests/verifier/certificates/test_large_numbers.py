"""Values of the checker that are no numbers: infinities, NaN, and N, of which nothing but the sign is known."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from tests.verifier.certificates.test_differential import transformer
from tests.verifier.certificates.test_limits import small
from verifier.recheck import INF, NAN, Unknown, Value
from verifier.semantics import read_semantics

READINGS = {name: read_semantics(f"a4+overflow={name}") for name in ("after", "saturate")}
ONE = 1 << 2
"""The state of 1 in three bits; the largest is that of 3."""

PRODUCTS: list[tuple[Value, Value, Value]] = [
    ("N", F(2), "N"),
    ("-N", F(2), "-N"),
    ("N", F(-1, 3), "-N"),
    ("-N", "-N", "N"),
    ("N", "-N", "-N"),
    ("N", F(0), F(0)),
    ("inf", "-N", "-N"),
    ("inf", F(0), "nan"),
    ("nan", "N", "nan"),
    ("nan", F(0), "nan"),
    ("-inf", F(2), "-inf"),
    ("-inf", "-inf", "inf"),
    (F(1, 3), F(1), F(1, 4)),
    (F(-2), F(2), "-inf"),
]


@pytest.mark.parametrize(("x", "y", "product"), PRODUCTS)
def test_products(x: Value, y: Value, product: Value) -> None:
    t = transformer(small(3), READINGS["after"])
    assert t.product(x, y) == t.product(y, x) == product


SUMS: list[tuple[Value, Value, Value | None]] = [
    ("N", "N", "N"),
    ("-N", "-N", "-N"),
    ("N", F(-3), "N"),
    ("-N", F(3), "-N"),
    ("N", "-N", None),
    ("N", "inf", None),
    ("N", "-inf", None),
    ("-N", "nan", None),
    ("inf", F(-3), "inf"),
    ("inf", "-inf", "nan"),
    (F(1), F(1, 4), F(1)),
]


@pytest.mark.parametrize(("x", "y", "total"), SUMS)
def test_sums(x: Value, y: Value, total: Value | None) -> None:
    t = transformer(small(3), READINGS["after"])
    for a, b in ((x, y), (y, x)):
        if total is None:
            with pytest.raises(Unknown, match="N combines with nothing"):
                t.plus(a, b)
        else:
            assert t.plus(a, b) == total


WEIGHTS: list[tuple[Value, Value, int | None]] = [
    ("N", F(1), INF),
    ("N", F(-1), 0),
    ("-N", F(1), 0),
    ("-N", F(-1), INF),
    ("N", F(0), ONE),
    ("N", "N", None),
    ("-N", "N", None),
]


@pytest.mark.parametrize("overflow", READINGS)
@pytest.mark.parametrize(("x", "y", "weight"), WEIGHTS)
def test_the_weight_of_one_column(x: Value, y: Value, weight: int | None, overflow: str) -> None:
    """Whichever of query and key is N; e^-N is 0 also where the machine saturates, which holds no number as small as -N."""
    t = transformer(small(3), READINGS[overflow])
    for key, query in ((x, y), (y, x)):
        t.query = [query]
        if weight is None:
            with pytest.raises(Unknown, match="N combines with nothing"):
                t.weight([key])
        else:
            assert t.weight([key]) == (3 * ONE if weight == INF and overflow == "saturate" else weight)


@pytest.mark.parametrize(("vector", "query"), [(["N", F(0)], [F(1), F(1)]), ([F(0), F(0)], ["N", F(1)]), ([F(0), F(0)], [F(1), "N"])])
def test_beside_other_terms_nothing_is_known(vector: list[Value], query: list[Value]) -> None:
    t = transformer(small(3, d=2), READINGS["after"])
    t.query = query
    with pytest.raises(Unknown, match="N meets other terms"):
        t.weight(vector)


BIASES: list[tuple[int, Value, int]] = [
    (ONE, "inf", INF),
    (ONE, "-inf", -INF),
    (-INF, "inf", NAN),
    (INF, F(-3), INF),
    (NAN, F(1), NAN),
    (ONE, F(1, 3), 6),  # 4/3 lies between 1 and 3/2, and is rounded once
    (-ONE, F(1), 0),
]


@pytest.mark.parametrize(("total", "bias", "found"), BIASES)
def test_a_bias(total: int, bias: Value, found: int) -> None:
    """Infinite where an entry that is too large was rounded; otherwise exact, of the format or not."""
    assert transformer(small(3), READINGS["after"]).biased(total, bias) == found
