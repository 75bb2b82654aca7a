"""Entries, index sets and the symbol N: how they are read, what N may meet in a projection and in ⟨Q, K⟩, and what is an error."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, negate, show
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import read_semantics
from verifier.networks.entries import Entry, Large, entry
from verifier.networks.indices import index_set
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.problems import Problem
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution

N, MINUS_N = Large(), Large(positive=False)

ALONE: list[tuple[str, tuple[Entry, ...], str]] = [
    ("N is infinitely heavy", (N, F(0), F(0)), "inf"),
    ("−N weighs nothing", (MINUS_N, F(0), F(0)), "0"),
    ("−N and numbers", (MINUS_N, F(2), F(-1)), "0"),
    ("numbers and −N", (F(2), F(-1), MINUS_N), "0"),
    ("−N and −N", (MINUS_N, MINUS_N, F(0)), "0"),
]
TOGETHER: list[tuple[str, tuple[Entry, ...], str]] = [
    ("N − N", (N, MINUS_N, F(0)), "N + (-N)"),
    ("−N + N, a number between", (MINUS_N, F(1), N), "-N + (N)"),
    ("N and an entry that overflows", (N, F(100), F(0)), "N + (inf)"),
    ("an entry that overflows and N", (F(100), MINUS_N, F(0)), "inf + (-N)"),
    ("a sum that overflows before N is met", (F(7), F(7), N), "inf + (N)"),
    ("a sum that is NaN before N is met", (F(100), F(-100), N), "nan + (N)"),
]


def execution(key: tuple[Entry, ...], weights: tuple[F, ...] = (F(1), F(1), F(1)), attention: str = "softmax") -> Execution:
    """Four bits; a token with this key, summed with these weights, and one that asks with 1."""
    asking = (F(0), F(0), F(0), F(1))
    instance = Instance(
        id="N",
        parameters={},
        names={},
        precision=4,
        task=Problem("EQ", "y <= z", 1),
        tokens=(Token(1, 1, (), ((*key, F(0)),)), Token(2, 2, (), (asking,))),
        query=Matrix(((F(0),), (F(0),), (F(0),), (F(1),)), ln2=True),
        key=Matrix((*((w,) for w in weights), (F(0),))),
        value=Matrix(((F(0),), (F(0),), (F(0),), (F(1),))),
        hidden=(),
        output=Node((), F(0)),
        attention=attention,
    )
    return Execution(instance, read_semantics("a4+entries=rounded"))


def weight(of: Execution) -> str:
    return show(of.term(of.instance.tokens[0], 0).weight)


@pytest.mark.parametrize(("title", "key", "expected"), ALONE, ids=lambda x: x if isinstance(x, str) else "")
def test_n_with_what_is_finite(title: str, key: tuple[Entry, ...], expected: str) -> None:
    assert weight(execution(key)) == expected


@pytest.mark.parametrize(("key", "expected"), [(N, "inf"), (MINUS_N, "-inf"), (F(100), "inf"), (F(-100), "-inf"), (F(3), "2")])
def test_linear_attention_weighs_by_the_score_itself(key: Entry, expected: str) -> None:
    """3 ln 2 = 2.08 is 2 in four bits; what overflows and N are as good as infinite."""
    assert weight(execution((key, F(0), F(0)), attention="linear")) == expected


def test_a_value_times_n() -> None:
    values: list[Number] = [F(2), F(-1, 2), F(0), INF, NEG_INF, NAN]
    products: list[Number] = [INF, NEG_INF, F(0), INF, NEG_INF, NAN]
    times = execution((F(0), F(0), F(0))).context.product
    assert [times(x, N) for x in values] == products
    assert [times(x, MINUS_N) for x in values] == [negate(x) for x in products]


@pytest.mark.parametrize(("title", "key", "words"), TOGETHER, ids=lambda x: x if isinstance(x, str) else "")
def test_n_combines_with_nothing(title: str, key: tuple[Entry, ...], words: str) -> None:
    with pytest.raises(InputError) as refused:
        weight(execution(key))
    assert words in str(refused.value)


def test_n_times_0_is_0_and_a_negative_weight_turns_it() -> None:
    assert weight(execution((N, MINUS_N, F(0)), (F(0), F(0), F(1)))) == "1"
    assert weight(execution((N, MINUS_N, F(0)), (F(-1), F(1), F(1)))) == "0"


@pytest.mark.parametrize(("key", "expected"), [(F(1), "inf"), (F(0), "1"), (F(-1), "0")])
def test_n_in_the_query(key: F, expected: str) -> None:
    assert weight(asked_with_n((key, F(0), F(0)))) == expected


def test_n_in_query_and_key() -> None:
    with pytest.raises(InputError, match="N meets other terms"):
        weight(asked_with_n((N, F(0), F(0))))


def asked_with_n(key: tuple[Entry, ...]) -> Execution:
    one = execution(key)
    asking = Token(2, 2, (), ((F(0), F(0), F(0), N),))
    return Execution(replace(one.instance, tokens=(one.instance.tokens[0], asking)), one.semantics)


def test_n_meets_one_product_in_the_score() -> None:
    one = execution((MINUS_N, F(0), F(0)))
    two = replace(one.instance, query=Matrix(tuple((F(0), row[0]) for row in one.instance.query.rows)), key=Matrix(((F(1), F(0)),) * 4))
    with pytest.raises(InputError, match="N meets other terms"):
        weight(Execution(two, one.semantics))


NAMES = {"p": F(8), "q": F(1, 2)}


@pytest.mark.parametrize(
    ("text", "value"), [("N", Large()), (" N ", Large()), ("-N", Large(positive=False)), ("-2**6", F(-64)), (3, F(3)), ("p*q", F(4))]
)
def test_entries(text: str | int, value: Entry) -> None:
    assert entry(text, NAMES) == value


def test_it_is_written_as_it_is_read() -> None:
    assert [str(entry(text, NAMES)) for text in ("N", "-N")] == ["N", "-N"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("{2, 4, ..., 8}", (2, 4, 6, 8)), ("{3, 5, ..., 1}", ()), ("[1 : 3] | {7, 9, ..., 11} | 5", (1, 2, 3, 7, 9, 11, 5)), ("[1 : 0]", ())],
)
def test_index_sets(text: str, wanted: tuple[int, ...]) -> None:
    assert index_set(text, {}) == wanted
