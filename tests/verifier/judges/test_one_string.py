"""What rows make of one string, against the tokens added up by hand."""

from __future__ import annotations

import pytest

from tests.verifier.judges.by_hand import M, agrees, along, asked, bits, execution, holds
from verifier.arithmetic.numbers import ZERO, show
from verifier.arithmetic.rationals import Fraction as F
from verifier.claims.verdicts import Verdict
from verifier.judges.fields import OneString
from verifier.judges.one_string import judge
from verifier.running.errors import LimitError
from verifier.running.limits import Limits


@pytest.mark.one_in(2)
@pytest.mark.parametrize("semantics", ["a4", "narrative", "order=values"])
@pytest.mark.parametrize(
    ("of", "first", "last", "string", "condition", "when"),
    [
        ("denominator", 1, 3, "y", "v < 2", None),
        ("denominator", 1, 5, "y", "v <= 3 - y[1]", "y[2] == 0"),
        ("denominator", 6, 12, "z", "v != 1", "z[1:2] > 0"),
        ("numerator", 4, 5, "y", "v != 0", None),
        ("numerator", 9, 11, "z", "v < 1/4 or z[3:5] == 0", None),
        ("numerator", 1, 1, "z", "v == 0", None),
        ("column", 4, 5, "y", "v < 1/2", "y < 31"),
        ("running", 4, 5, "y", "v < 0", None),
        ("running", 9, 12, "z", "v != 1/4 and v != 1/2", "z > 3"),
        ("weights", 1, 5, "y", "v <= 1 or y == 0", None),
        ("weights", 6, 12, "z", "v == 0 or v == 1/4", None),
    ],
)
def test_every_promised_string_by_hand(
    of: str, first: int, last: int, string: str, condition: str, when: str | None, semantics: str
) -> None:
    made = []
    for x in range(1 << M):
        if holds(when, x, x):
            every = [({"token": str(token.index)}, value) for token, value in along(of, range(first, last + 1), x, x, semantics)]
            made += [(x, *each) for each in every] if of in ("running", "weights") else [(x, {}, every[-1][1])]
    wrong = [(x, place, value) for x, place, value in made if not holds(condition, x, x, value)]
    steps = f"{first}..{last}" if last > first else str(first)
    found = asked(judge, OneString(of=of, steps=steps, string=string, holds=condition, when=when), semantics)
    shown = {string: bits(wrong[0][0]), **wrong[0][1], "found": show(wrong[0][2]), "claimed": condition} if wrong else {}
    assert agrees(found, len(made), len(wrong), shown | {"p": "3", "n": "14"} if wrong else {})
    assert found.scope.statement.endswith(f"promised {string}{f' with {when}' if when else ''} at p = 3, n = 14, m = {M}: {condition}")


def test_values_are_added_without_rounding() -> None:
    exact = {
        x: sum((t.vectors[t.pattern(x, x, M)][2] for t in execution().instance.tokens if t.step in (4, 5)), ZERO) for x in range(1 << M)
    }
    for k in sorted(set(exact.values())):
        found = asked(judge, OneString(of="values", steps="4..5", string="y", holds=f"v != {k}"))
        assert agrees(found, 1 << M, sum(v == k for v in exact.values()), {"y": bits(min(x for x, v in exact.items() if v == k))})


def test_what_is_declined_and_what_is_too_much() -> None:
    """Six tokens of the steps 4 and 5 and the first hold 32 strings each."""
    fields = OneString(of="weights", steps="4..5", string="y", is_="1/4")
    tokens = sum(t.step in (4, 5) for t in execution().instance.tokens)
    assert asked(judge, fields, limits=Limits(tokens * 32 * 1000)).scope.cases == tokens * 32
    with pytest.raises(LimitError, match="tokens times strings of 5 bits"):
        asked(judge, fields, limits=Limits(tokens * 32 * 1000 - 1))
    one = asked(judge, OneString(of="numerator", steps="12", string="y", is_="0"), limits=Limits(32 * 1000))
    assert (one.verdict, one.scope.cases) == (Verdict.VERIFIED, 32)
    for steps, token in (("5..8", 6), ("9", 10)):  # step 9 is one token
        both = asked(judge, OneString(of="weights", steps=steps, string="y", is_="1"))
        assert (both.verdict, f"token {token} of steps {steps} reads more than y" in str(both.reason)) == (Verdict.DECLINED, True)
    none = asked(judge, OneString(of="weights", steps="4..5", string="y", is_="1", when="y > 99"))
    assert (none.verdict, "no promised y with y > 99" in str(none.reason)) == (Verdict.DECLINED, True)


@pytest.mark.parametrize("semantics", ["a4", "a4+columns=all"])
def test_what_a_value_is_said_to_be_is_what_was_claimed(semantics: str) -> None:
    found = asked(judge, OneString(of="numerator", steps="4", string="y", is_="1/4"), semantics)
    values = [[v for _, v in along("numerator", range(4, 5), x, x, semantics)][-1] for x in range(1 << M)]
    wrong = [x for x, v in enumerate(values) if v != F(1, 4)]
    assert agrees(found, 1 << M, len(wrong), {"y": bits(wrong[0]), "found": show(values[wrong[0]]), "claimed": "1/4"})
