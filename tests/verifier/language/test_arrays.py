"""Formulas over arrays of cases agree with the exact reading, case by case; and overflow, laziness and shapes where they are hardest."""

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.verifier.language import meanings
from tests.verifier.language.meanings import CASE, CONDITIONS, NO_VALUE, SPECIAL, VALUES
from tests.verifier.language.random_formulas import FUNCTIONS, Cases, cases, formulas
from verifier.arithmetic.numbers import INF, NAN, NEG_INF
from verifier.arithmetic.rationals import Fraction as F
from verifier.language import arrays, exact
from verifier.language.array_values import WORD, Whole, whole
from verifier.language.arrays import Quantity, Strings
from verifier.language.operands import number
from verifier.language.syntax import tree_of
from verifier.running.errors import InputError

Found = list[Any] | InputError


def one_by_one(formula: str, every: Cases) -> Found:
    """The exact values, or the refusal of a case."""
    try:
        found = [exact.value(formula, names, FUNCTIONS) for names in every.each]
    except InputError as refusal:
        return refusal
    return [F(x.number) if isinstance(x, exact.Bits) else x for x in found]


def all_at_once(formula: str, every: Cases) -> Found:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = arrays.value(formula, every.arrays, FUNCTIONS)
    except InputError as refusal:
        return refusal
    return found.numbers() if isinstance(found, Quantity) else [bool(x) for x in found]


@pytest.mark.campaign
@settings(max_examples=500)
@given(formulas(), cases())
def test_agreement(formula: str, every: Cases) -> None:
    expected, found = one_by_one(formula, every), all_at_once(formula, every)
    event("refused" if isinstance(expected, InputError) else type(expected[0]).__name__)
    if isinstance(expected, InputError):
        assert isinstance(found, InputError), found
        assert str(found).isprintable()
    else:
        assert found == expected


CODES = {INF: 1, NEG_INF: -1, NAN: 2}


def column(given: Any) -> Any:
    """A value as it is in two cases."""
    if isinstance(given, exact.Bits):
        return Strings.of(np.array([given.number] * 2), given.length)
    if isinstance(given, bool):
        return np.array([given] * 2)
    return Quantity.of([0, 0], special=[CODES[given]] * 2) if given in CODES else Quantity.of([1, 1], F(given))


COLUMNS = {name: column(given) for name, given in CASE.items()}


@pytest.mark.parametrize(("text", "expected"), [*VALUES, *SPECIAL])
def test_the_meaning_of_numbers(text: str | int, expected: Any) -> None:
    found = arrays.value(text, COLUMNS, meanings.FUNCTIONS)
    assert isinstance(found, Quantity)
    assert found.numbers() == [expected] * 2


@pytest.mark.parametrize(("text", "expected"), CONDITIONS)
def test_the_meaning_of_conditions(text: str, expected: bool) -> None:
    assert arrays.truth(text, COLUMNS, meanings.FUNCTIONS).tolist() == [expected] * 2


@pytest.mark.parametrize(("title", "text", "message"), NO_VALUE, ids=[r[0] for r in NO_VALUE])
def test_what_has_no_value_has_none_in_an_array(title: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        arrays.truth(f"({text}) == 1", COLUMNS, meanings.FUNCTIONS)
    assert str(refusal.value).isprintable()


def test_a_function_is_asked_once_for_each_distinct_value_that_is_asked_for() -> None:
    asked: list[F] = []

    def small(x: F) -> bool:
        asked.append(x)
        return x < 4

    x = np.array([0, 5, 3, 3, 1, 5])
    assert arrays.truth("x > 2 and small(x)", {"x": x}, {"small": small}).tolist() == [False, False, True, True, False, False]
    assert sorted(asked) == [3, 5]


around_a_word = st.one_of(
    st.integers(-3, 3),
    st.builds(operator.add, st.sampled_from([2**62, -(2**62), 2**63, -(2**63), 2**31, 2**64, 3037000499]), st.integers(-2, 2)),
)
lists = st.lists(around_a_word, min_size=1, max_size=4)
OPERATIONS: list[Callable[[Any, Any], Any]] = [operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod]


@given(lists, around_a_word, st.sampled_from(OPERATIONS))
def test_whole_numbers_never_overflow(values: list[int], other: int, operation: Callable[[Any, Any], Any]) -> None:
    if other == 0 and operation in (operator.floordiv, operator.mod):
        other = -1
    found = operation(whole(values), Whole.of(other))
    assert found.values.tolist() == [operation(x, other) for x in values]
    assert all(abs(x) <= found.most for x in found.values.tolist())
    assert (found.values.dtype == np.int64) == (found.most < WORD)


@pytest.mark.parametrize(
    ("formula", "names", "expected"),
    [
        ("x + 1", {"x": [2**63 - 1, 5]}, [2**63, 6]),
        ("x - 1", {"x": [-(2**63), 5]}, [-(2**63) - 1, 4]),
        ("-x", {"x": [-(2**63)]}, [2**63]),
        ("abs(x)", {"x": [-(2**63)]}, [2**63]),
        ("x*x", {"x": [3037000500, -1]}, [3037000500**2, 1]),
        ("x**3 - x**3 + 7", {"x": [2**40]}, [7]),
        ("x // -1", {"x": [-(2**63)]}, [2**63]),
        ("x*x % 1000", {"x": [2**40 + 1]}, [(2**40 + 1) ** 2 % 1000]),
        ("x/3 + x/7 + x/11", {"x": [2**62, 1]}, [2**62 * F(131, 231), F(131, 231)]),
        ("1/x + 1/(x + 1)", {"x": [2**31, 2**40]}, [F(1, 2**31) + F(1, 2**31 + 1), F(1, 2**40) + F(1, 2**40 + 1)]),
        ("sum(x for j in (1, 4))", {"x": [2**62, -1]}, [2**64, -4]),
        ("sum(1/(x + j) for j in (1, 3))", {"x": [0, 10**6]}, [F(11, 6), sum(F(1, 10**6 + j) for j in (1, 2, 3))]),
        ("x if x > 0 else 2**70", {"x": [3, -3]}, [3, 2**70]),
        ("max(x, 2**63)", {"x": [2**63 - 1]}, [2**63]),
    ],
)
def test_beyond_64_bits(formula: str, names: dict[str, list[int]], expected: list[F]) -> None:
    given = {name: np.array(values, dtype=np.int64) for name, values in names.items()}
    found = arrays.value(formula, given)
    assert isinstance(found, Quantity)
    assert found.numbers() == expected


def test_strings_longer_than_a_word() -> None:
    words = [(1 << 99) + 5, (1 << 100) - 1]
    names = {"y": Strings.of(np.array(words, dtype=object), 100)}
    for formula in ("y", "y[1]", "y[2 : 99]", "y[40 : 41] + y[99]", "y*y - y"):
        found = arrays.value(formula, names)
        assert isinstance(found, Quantity)
        assert found.numbers() == [number(tree_of(formula), exact.value(formula, {"y": exact.Bits(w, 100)})) for w in words]


X = np.array([0, 1, 2, 3, 4])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("title", "formula", "expected"), meanings.FORMULAS["not_asked"])
def test_what_is_not_asked_is_not_evaluated(title: str, formula: str, expected: list[int]) -> None:
    def positive(x: F) -> bool:
        if x <= 0:
            raise InputError("a positive number was expected")
        return True

    found = arrays.truth(formula, {"x": X, "y": exact.Bits(0b101, 3)}, {"positive": positive})
    assert found.tolist() == [bool(e) for e in expected]


@pytest.mark.parametrize(("title", "formula", "message"), meanings.FORMULAS["refused_in_arrays"])
def test_refused(title: str, formula: str, message: str) -> None:
    names = {"x": X, "b": X > 2, "y": exact.Bits(0b101, 3)}
    with pytest.raises(InputError, match=message) as refusal:
        arrays.truth(formula, names, {"mixed": lambda x: x if x > 2 else x == 1})
    assert str(refusal.value).isprintable()


def test_arrays_broadcast() -> None:
    y, z = Strings.of(np.arange(8)[:, None], 3), Strings.of(np.arange(8)[None, :], 3)
    kept = arrays.truth("y <= z and y[1] == 0 and any(z[j] == 1 and 6 % z == 0 for j in (1, 3))", {"y": y, "z": z})
    assert kept.shape == (8, 8)
    assert {(a, b) for a, b in np.argwhere(kept).tolist()} == {(a, b) for a in range(4) for b in (1, 2, 3, 6) if a <= b}
    assert arrays.truth("y[1] == 0", {"y": y, "z": z}).shape == (8, 8), "the shape of all cases, though only y is asked for"
    assert arrays.truth("p > 3", {"p": 4, "x": X}).tolist() == [True] * 5


def test_numbers_with_infinities() -> None:
    v = Quantity.of(np.array([3, 7, 7, 7]), F(1, 2), np.array([0, 1, -1, 2]))
    found = arrays.value("2*v - 1", {"v": v})
    assert isinstance(found, Quantity)
    assert found.numbers() == [F(2), INF, NEG_INF, NAN]
    assert arrays.truth("v == inf or v*2 == 3", {"v": v}).tolist() == [True, True, False, False]


def test_short_ranges_far_apart_take_few_steps() -> None:
    assert arrays.value("sum(j for j in (x, x + 2))", {"x": np.array([0, 10**15])}).numbers() == [3, 3 * 10**15 + 3]


def test_an_endless_range(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_TERMS", 1 << 14)
    with pytest.raises(InputError, match="bound names such as j take more than 16,384 values"):
        arrays.truth("all(x < j for j in (10, 10**15))", {"x": X})
    assert not arrays.truth("all(x > j for j in (10, 10**15))", {"x": X}).any(), "decided by the first value"
