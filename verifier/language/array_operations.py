"""Operations and functions on whole arrays of quantities, by their signs and names."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce

import numpy as np

from verifier.language.integer_arrays import Truths
from verifier.language.rational_arrays import NOT_A_NUMBER, Quantity

ARITHMETIC: dict[str, Callable[[Quantity, Quantity], Quantity]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
APPLIED_TO_ALL: dict[str, Callable[..., Quantity]] = {
    "floor": Quantity.floor,
    "ceil": lambda x: -(-x).floor(),
    "abs": abs,
    "popcount": Quantity.popcount,
    "value": lambda x: x,
    "min": lambda *xs: reduce(Quantity.least, xs),
    "max": lambda *xs: -reduce(Quantity.least, [-x for x in xs]),
}
PREDICATES: dict[str, Callable[[Quantity], Truths]] = {
    "finite": lambda x: np.asarray(x.codes == 0),
    "nan": lambda x: np.asarray(x.codes == NOT_A_NUMBER),
}
