"""Values of the checker that are no numbers: infinities, NaN, and N, of which nothing but the sign is known."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F

import pytest

from tests.verifier.certificates.test_differential import transformer
from tests.verifier.certificates.test_limits import small
from verifier.arithmetic.semantics import read_semantics
from verifier.certificates.recheck import INF, NAN, Unknown, Value
from verifier.networks.instance import Matrix

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


def test_products() -> None:
    t = transformer(small(3), READINGS["after"])
    for x, y, product in PRODUCTS:
        assert t.product(x, y) == t.product(y, x) == product, (x, y)


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


def test_sums() -> None:
    t = transformer(small(3), READINGS["after"])
    for x, y, total in SUMS + [(y, x, total) for x, y, total in SUMS]:
        if total is None:
            with pytest.raises(Unknown, match="N combines with nothing"):
                t.plus(x, y)
        else:
            assert t.plus(x, y) == total, (x, y)


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
def test_the_weight_of_one_column(overflow: str) -> None:
    """Whichever of query and key is N; e^-N is 0 also where the machine saturates, which holds no number as small as -N."""
    t = transformer(small(3), READINGS[overflow])
    for key, query, weight in WEIGHTS + [(y, x, weight) for x, y, weight in WEIGHTS]:
        t.query = [query]
        if weight is None:
            with pytest.raises(Unknown, match="N combines with nothing"):
                t.weight([key])
        else:
            assert t.weight([key]) == (3 * ONE if weight == INF and overflow == "saturate" else weight), (key, query)


def test_beside_other_terms_nothing_is_known() -> None:
    t = transformer(small(3, d=2), READINGS["after"])
    zero: list[Value] = [F(0), F(0)]
    given: list[tuple[list[Value], list[Value]]] = [(["N", F(0)], [F(1), F(1)]), (zero, ["N", F(1)]), (zero, [F(1), "N"])]
    for vector, t.query in given:
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


def test_a_bias() -> None:
    """Infinite where an entry that is too large was rounded; otherwise exact, of the format or not."""
    t = transformer(small(3), READINGS["after"])
    for total, bias, found in BIASES:
        assert t.biased(total, bias) == found, (total, bias)


@pytest.mark.parametrize(
    ("ln2", "semantics", "weight"), [(False, "a4", 12), (False, "ln2=rounded", 12), (True, "a4", 8), (True, "ln2=rounded", 8)]
)
def test_a_weight_of_score_1(ln2: bool, semantics: str, weight: int) -> None:
    """e rounds to 3 and 2 is itself; ln 2 rounds to 3/4, and e^(3/4) to 2."""
    whole = small(3)
    t = transformer(replace(whole, query=Matrix(((F(1),),), ln2=ln2)), read_semantics(semantics))
    assert t.weight([F(1)]) == weight
