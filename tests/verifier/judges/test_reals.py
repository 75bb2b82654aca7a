"""Inequalities for every real: what is shown, what is refused and where, and what stays open."""

import pytest

from verifier.judges.reals import equal
from verifier.language.definitions import inlined_text


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("sqrt(2)*(1 + sqrt(2)) - sqrt(2)", "2", True),
        ("sqrt(2)*(1 + sqrt(2)) - sqrt(2)", "1", False),
        ("1/(1 + sqrt(2))", "sqrt(2) - 1", True),
        ("1/(1 + sqrt(2))", "sqrt(2) - 2", False),
        ("log(6)", "log(2) + log(3)", True),
        ("exp(1 + log(2))", "2*exp(1)", True),
        ("3/2", "1.5", True),
        ("3/2", "1/2", False),
    ],
)
def test_numbers_are_compared_as_symbols(left: str, right: str, same: bool) -> None:
    assert equal(inlined_text(left, {}), inlined_text(right, {}), {}) is same
