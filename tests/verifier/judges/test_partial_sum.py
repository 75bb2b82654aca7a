"""Partial sums: the limit counts classes of pairs of halves, and the scope counts what a loop of its own counts."""

from pathlib import Path

import pytest

from tests.tables import table
from tests.verifier.judges import by_hand
from verifier.arithmetic.numbers import show
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.judges import partial_sum
from verifier.judges.fields import PartialSum
from verifier.judges.partial_sum import applied, judge
from verifier.networks.instantiate import instantiate
from verifier.running.errors import LimitError
from verifier.running.limits import Limits
from verifier.transformers.tables import Execution

STEP_6 = find_claim("every-bit-counts/lemma-2.3:numerator-step-6")
"""It speaks of the second halves, h + 1 … m."""
P, M, H = 8, 13, 7
WIDTH = M - H


def judged() -> Outcome:
    return Session().own(STEP_6, Edition.REPAIRED, {"p": P, "n": STEP_6.complete({"p": P})["n"]}, DEFAULT_SEMANTICS)


def test_cases_are_the_second_halves_of_promised_pairs() -> None:
    """Behind y' < z' the second halves are any."""
    seen = {(y % 2**WIDTH, z % 2**WIDTH) for y in range(2 ** (WIDTH + 1)) for z in range(y, 2 ** (WIDTH + 1))}
    assert judged().scope.cases == len(seen)


@pytest.mark.parametrize("semantics", ["a4", "narrative"])
def test_a_counterexample_names_every_parameter_and_both_strings(semantics: str) -> None:
    (wrong,) = (n.claim for n in STEP_6.neighbours)
    point = STEP_6.complete({"p": P})
    found = Session().own(wrong, Edition.REPAIRED, point, read_semantics(semantics))
    assert found.verdict is Verdict.REFUTED
    shown = found.counterexample or {}
    assert shown.keys() == {*point, "y", "z", "found", "claimed"}
    assert (len(shown["y"]), len(shown["z"])) == (M, M)
    parameters = [word for name, value in point.items() for word in (f"--{name}", str(value))]
    words = ["trace", STEP_6.id, "--edition", "repaired", *parameters, *(["--arithmetic", semantics] if semantics != "a4" else [])]
    assert list(found.replay or ()) == [*words, "--y", shown["y"], "--z", shown["z"]]


@pytest.mark.parametrize(("semantics", "expected"), [("a4", 1), ("narrative", 2 ** (P - 2))])
def test_the_weight_of_the_column_is_in_its_sum_where_products_are_summed(semantics: str, expected: int) -> None:
    """W^V of Table 6 is 2^(p-2)."""
    assert applied(Execution(instantiate(table("table-6").source.repaired(), {"p": P}), read_semantics(semantics))) == expected


@pytest.mark.one_in(12)
@pytest.mark.parametrize("few", [0, 1 << 18], ids=["compared", "class by class"])
@pytest.mark.parametrize("semantics", ["a4", "narrative", "order=values"])
@pytest.mark.parametrize(
    ("of", "first", "last", "over", "condition", "when"),
    [
        ("denominator", 1, 12, (1, 2), "v == 3", "y[1:2] == z[1:2]"),
        ("denominator", 1, 12, (1, 2), "v > 1", "y[1:2] < z[1:2]"),
        ("numerator", 4, 12, (3, 5), "v == 0", "y[3:5] != z[3:5]"),
        ("numerator", 4, 12, (3, 5), "v != 1/4", None),
        ("numerator", 4, 12, (3, 5), "v < 0", "y[3:5] > z[3:5]"),
        ("numerator", 4, 12, (3, 5), "v <= 1/4", "y[3:5] <= z[3:5]"),
        ("numerator", 4, 12, (1, 5), "v == 0", "y[1:5] <= z[1:5]"),
        ("denominator", 1, 3, (1, 2), "v <= 3/2", None),
        ("denominator", 1, 3, (1, 2), "v > 1", None),
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
    of: str,
    first: int,
    last: int,
    over: tuple[int, int],
    condition: str,
    when: str | None,
    semantics: str,
    few: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also by reachable sets, wherever these apply."""
    monkeypatch.setattr(partial_sum, "FEW_CLASSES", few)
    monkeypatch.setattr(partial_sum, "BLOCK_BITS", 2)
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
    where = f"pairs of y[{fields.over}] and z[{fields.over}]{f' with {when}' if when else ''} at p = 3, n = 14, m = 5: {condition}"
    assert found.scope.statement == f"all {len(seen)} {where}"


@pytest.mark.parametrize("promise", ["y <= z and y[1:5] > 10", "y <= z and y[1:5] > 10 and z[1:5] > 20"])
def test_the_bits_in_front_of_what_fails_are_those_of_the_promise(promise: str, tmp_path: Path) -> None:
    """Of step 4 and 5 the numerator is that of y's bits 3 to 5."""
    fields = PartialSum(of="numerator", steps="4..5", over="3 : 5", is_="1/4")
    found = by_hand.asked(judge, fields, table=by_hand.promising(promise, tmp_path))
    pairs = [(y, z) for y, z in by_hand.PAIRS if by_hand.holds(promise, y, z)]
    values = {y: [v for _, v in by_hand.along("numerator", range(4, 6), y, y, "a4")][-1] for y, _ in pairs}
    contents = {(y % 8, z % 8): values[y] for y, z in pairs}
    y, z = next((y, z) for y, z in pairs if values[y] != F(1, 4))
    shown = {"y": by_hand.bits(y), "z": by_hand.bits(z), "found": show(values[y]), "claimed": "1/4"}
    assert by_hand.agrees(found, len(contents), sum(v != F(1, 4) for v in contents.values()), shown)


def test_where_no_pair_keeps_the_promise_it_says_nothing(tmp_path: Path) -> None:
    table = by_hand.promising("y <= z and y[1] == 1 and z[1] == 0", tmp_path)
    found = by_hand.asked(judge, PartialSum(of="numerator", steps="1", over="2 : 4", is_="0", when="y[2] + y[3] == z[4]"), table=table)
    assert (found.verdict, "no pairs of y[2 : 4] and z[2 : 4] with" in str(found.reason)) == (Verdict.DECLINED, True)


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


def test_of_all_columns_the_largest_counts() -> None:
    along = [[*by_hand.along("columns", range(4, 6), y, y, "a4+columns=all")][-1][1] for y in range(8)]
    for bound in sorted({*along}):
        found = by_hand.asked(judge, PartialSum(of="columns", steps="4..5", over="3 : 5", holds=f"v < {bound}"), "a4+columns=all")
        assert by_hand.agrees(found, 64, 8 * sum(v >= bound for v in along), {})


@pytest.mark.parametrize(
    ("fields", "classes"),
    [
        (PartialSum(of="denominator", steps="1..8", over="1 : 2", holds="v <= 3 + y[1] - z[2]"), 16),
        (PartialSum(of="denominator", steps="1..3", over="1 : 2", holds="v <= 3/2"), 4),
        (PartialSum(of="denominator", steps="1..3", over="1 : 2", holds="v <= 3/2", when="z[2] == 1"), 8),
        (PartialSum(of="denominator", steps="1..3", over="1 : 2", holds="v <= 3/2 or z[1:2] > y[2]"), 16),
        (PartialSum(of="numerator", steps="1..3", over="1 : 5", holds="v == 0"), 1),
        (PartialSum(of="numerator", steps="1..3", over="1 : 5", holds="v == 0 or all(z[i] == 1 for i in (2, 3))"), 32),
        (PartialSum(of="numerator", steps="1..3", over="1 : 5", holds="v == 0 or y > 3"), 32),
    ],
)
def test_as_many_classes_as_the_limit_and_no_more(fields: PartialSum, classes: int) -> None:
    """Pairs that differ in bits that nobody reads are one class: steps 1 to 3 read y_1 and y_2 alone in the denominator."""
    assert by_hand.asked(judge, fields, limits=Limits(classes)).scope.cases
    with pytest.raises(LimitError, match=f"{classes} pairs of halves, the limit is {classes - 1}"):
        by_hand.asked(judge, fields, limits=Limits(classes - 1))
