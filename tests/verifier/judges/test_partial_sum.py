"""Partial sums: the limit counts pairs of halves, and the scope counts what a loop of its own counts."""

import re
from types import SimpleNamespace
from typing import cast

import pytest

from tests.tables import table
from tests.verifier.judges import by_hand
from verifier.arithmetic.numbers import INF, show
from verifier.attention.terms import Reading
from verifier.construction.instantiate import instantiate
from verifier.judges.fields import PartialSum
from verifier.judges.partial_sum import applied, judge
from verifier.semantics import read_semantics
from verifier.statements.model import DEFAULT_SEMANTICS
from verifier.statements.papers import find_claim
from verifier.statements.session import Session
from verifier.statements.work import Limits
from verifier.verdicts import Edition, Finding, Verdict

STEP_6 = find_claim("every-bit-counts/lemma-2.3:numerator-step-6")
"""It speaks of the second halves, h + 1 … m."""
P, M, H = 8, 13, 7
WIDTH = M - H


def judged(states: int) -> Finding:
    return Session(Limits(states)).own(STEP_6, Edition.REPAIRED, {"p": P, "n": STEP_6.complete({"p": P})["n"]}, DEFAULT_SEMANTICS)[0]


def test_as_many_pairs_as_the_limit_and_no_more() -> None:
    assert judged(4**WIDTH).verdict is Verdict.VERIFIED
    declined = judged(4**WIDTH - 1)
    assert declined.verdict is Verdict.DECLINED
    assert f"{4**WIDTH:,} pairs of halves" in str(declined.reason)


def test_cases_are_the_second_halves_of_promised_pairs() -> None:
    """Behind y' < z' the second halves are any."""
    seen = {(y % 2**WIDTH, z % 2**WIDTH) for y in range(2 ** (WIDTH + 1)) for z in range(y, 2 ** (WIDTH + 1))}
    assert judged(1 << 31).scope.cases == len(seen)


def test_a_counterexample_names_every_parameter_and_both_strings() -> None:
    (wrong,) = (n.claim for n in STEP_6.neighbours)
    point = STEP_6.complete({"p": P})
    found = Session().own(wrong, Edition.REPAIRED, point, DEFAULT_SEMANTICS)[0]
    assert found.verdict is Verdict.REFUTED
    shown = found.counterexample or {}
    assert shown.keys() == {*point, "y", "z", "found", "claimed"}
    assert (len(shown["y"]), len(shown["z"])) == (M, M)
    assert found.replay is not None
    assert found.replay[-4:] == ("--y", shown["y"], "--z", shown["z"])


@pytest.mark.parametrize(("semantics", "expected"), [("a4", 1), ("narrative", 2 ** (P - 2))])
def test_the_weight_of_the_column_is_in_its_sum_where_products_are_summed(semantics: str, expected: int) -> None:
    """W^V of Table 6 is 2^(p-2)."""
    assert applied(Reading(instantiate(table("table-6").source.repaired(), {"p": P}), read_semantics(semantics))) == expected


@pytest.mark.parametrize("semantics", ["a4", "narrative", "order=values"])
@pytest.mark.parametrize(
    ("of", "first", "last", "over", "condition", "when"),
    [
        ("denominator", 1, 3, (1, 2), "v <= 3/2", None),
        ("denominator", 1, 8, (1, 2), "v <= 3 + y[1] - z[2]", None),
        ("denominator", 1, 12, (1, 2), "v == 3 or y[1:2] < z[1:2]", "y[1] == z[1]"),
        ("numerator", 4, 10, (3, 5), "v == 0", None),
        ("numerator", 4, 12, (3, 5), "v >= 1/4", "y[3:5] >= z[3:5]"),
        ("numerator", 5, 5, (3, 5), "v != 1/4", None),
        ("column", 4, 10, (2, 5), "v <= 1/2 or z[2] == 1", "y[2] == 0"),
        ("columns", 4, 10, (3, 5), "v < 3/4", None),
        ("numerator", 4, 12, (3, 5), "v <= 99", "y[3] > z[3]"),
    ],
)
def test_every_pair_of_contents_by_hand(
    of: str, first: int, last: int, over: tuple[int, int], condition: str, when: str | None, semantics: str
) -> None:
    behind, size = by_hand.M - over[1], 1 << over[1] - over[0] + 1
    seen: dict[tuple[int, int], tuple[int, int]] = {}
    wrong: dict[tuple[int, int], tuple[int, int]] = {}
    values: dict[tuple[int, int], str] = {}
    for y, z in by_hand.PAIRS:
        contents = (y >> behind) % size, (z >> behind) % size
        if contents not in seen and by_hand.holds(when, y, z):
            seen[contents] = y, z
            value = [v for _, v in by_hand.along(of, range(first, last + 1), y, z, semantics)][-1]
            if not by_hand.holds(condition, y, z, value):
                wrong[contents] = y, z
                values[y, z] = show(value)
    fields = PartialSum(
        of=of, steps=f"{first}..{last}" if last > first else str(first), over=f"{over[0]} : {over[1]}", holds=condition, when=when
    )
    found = by_hand.asked(judge, fields, semantics)
    shown = {}
    if wrong:
        y, z = min(wrong.values())
        shown = {"y": by_hand.bits(y), "z": by_hand.bits(z), "found": values[y, z], "claimed": condition}
    assert by_hand.agrees(found, len(seen), len(wrong), shown)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (PartialSum(of="denominator", steps="1..8", over="1 : 1", is_="1"), r"positions \[2\] too; it is judged on 1 … 1 only"),
        (PartialSum(of="denominator", steps="1..3", over="3 : 2", is_="1"), "there are no positions 3 : 2"),
        (PartialSum(of="denominator", steps="1..3", over="1 : 2", is_="1", when="y[1] > 1"), r"no pairs of y\[1 : 2\] and z\[1 : 2\] with"),
    ],
)
def test_what_it_does_not_speak_of_is_declined(fields: PartialSum, reason: str) -> None:
    found = by_hand.asked(judge, fields)
    assert found.verdict is Verdict.DECLINED
    assert re.search(reason, str(found.reason))


def test_where_all_columns_are_summed_the_numerator_has_several_and_no_column_is_the_one() -> None:
    one, whole = (PartialSum(of=of, steps="5", over="3 : 5", holds="v < 3/4") for of in ("column", "numerator"))
    declined, found = (by_hand.asked(judge, fields, "a4+columns=all") for fields in (one, whole))
    assert (declined.verdict, declined.reason) == (Verdict.DECLINED, "W^V uses 3 columns; of = column is about one")
    wrong = {
        y % 4
        for y in range(1 << by_hand.M)
        if not by_hand.holds("v < 3/4", y, y, [*by_hand.along("numerator", range(5, 6), y, y, "a4")][-1][1])
    }
    assert by_hand.agrees(found, 64, 16 * len(wrong), {})


def test_a_weight_that_is_no_number_is_taken_as_1() -> None:
    reading = SimpleNamespace(semantics=read_semantics("narrative"), columns=[0], value_weights=[INF])
    assert applied(cast(Reading, reading)) == 1
