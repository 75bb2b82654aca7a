"""What formulas mean: the tables of ``formulas.toml``, and the names and functions that their formulas read."""

from typing import Any

from tests.rows import tables
from verifier.arithmetic.numbers import INF, NAN, NEG_INF
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.rationals import rational
from verifier.language.exact import Bits

NAMES = {"p": F(8), "m": F(15), "h": F(8), "i": F(-3), "q": F(1, 2), "e": 4}
CASE: dict[str, Any] = {**NAMES, "y": Bits(0b10110, 5), "v": INF, "u": NEG_INF, "w": NAN, "b": True}
FUNCTIONS: dict[str, Any] = {
    "double": lambda x: 2 * x,
    "length": lambda string: string.length,
    "even": lambda x: x % 2 == 0,
    "half": lambda x: 0.5,
}
FORMULAS = tables(__file__, "formulas.toml")
SPECIAL_NUMBERS = {"inf": INF, "-inf": NEG_INF, "nan": NAN}
VALUES, SPECIAL = (
    [(text, SPECIAL_NUMBERS[value] if value in SPECIAL_NUMBERS else rational(value)) for text, value in FORMULAS[of]]
    for of in ("numbers", "infinities")
)
CONDITIONS, NO_VALUE, IRRATIONAL = (FORMULAS[of] for of in ("conditions", "without_a_value", "irrational"))
