"""The checker's run of a network, its sums and its norms beside the program's definition, which shares no code with it."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.rows import tables
from tests.verifier.certificates.samples import INPUTS, of_network
from tests.verifier.certificates.test_numbers import text
from verifier.arithmetic.numbers import Special, show
from verifier.arithmetic.rationals import rational
from verifier.arithmetic.semantics import arithmetic
from verifier.certificates.networks import arithmetic_of_network
from verifier.certificates.recheck_answers import Answers
from verifier.certificates.recheck_network import Attention, Map, Network, finite
from verifier.certificates.recheck_numbers import INF, NAN, Numbers
from verifier.certificates.recheck_reading import At, Limits, Rejected
from verifier.certificates.statement import arithmetic_record
from verifier.networks.record_base import complete
from verifier.transformers import evaluate
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import run
from verifier.transformers.files import find_network
from verifier.transformers.network import network

ROWS = tables(__file__, "runs.toml")


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("name", "length", "how"), ROWS["run"])
def test_a_network_runs_as_it_is_defined(name: str, length: int, how: str) -> None:
    """Every coordinate at the end, for some inputs."""
    file, reading, rng = find_network(f"gallery/{name}"), arithmetic(how), Random(name)
    built = network(file, complete(file, {file.length: length}))
    certificate = of_network(name, length, how, INPUTS)
    numbers = Numbers(At(certificate["arithmetic"]), Limits(work=1 << 40))
    answers = Answers(At(certificate["cases"][0]["network"]), numbers)
    at = answers.at if answers.kind != "decode" else len(built.input.layout) - 1
    for _ in range(1 if name.startswith("adder") else 2):
        words = {k: rng.randrange(answers.network.letters) for k in range(len(built.input.layout))}
        tokens = [entry if isinstance(entry, int) else words[k] for k, entry in enumerate(built.input.layout)]
        vectors = [token.vectors[words[k] if token.reads else 0] for k, token in enumerate(answers.network.tokens)]
        found = answers.network.run(vectors, at)
        expected = run(built, tokens, context(reading)).last[at]
        assert [text(numbers, x) for x in found] == [show(expected[coordinate]) for coordinate in built.coordinates]


SPECIAL = {INF: Special.INF, -INF: Special.NEG_INF, NAN: Special.NAN}
KNOBS = ["root=divide", "root=multiply"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("knobs", KNOBS)
@pytest.mark.parametrize("name", ["float16", "e4m3", "e5m2", "bfloat16", "int8:1/4"])
def test_sums_and_roots_are_those_of_the_definition(name: str, knobs: str) -> None:
    """Also of infinities, NaN, and numbers far apart, and where a term has no place in the sum."""
    reading, rng = arithmetic(f"{name}+{knobs}"), Random(f"{name} {knobs}")
    ours: Any = Numbers(At(arithmetic_of_network(reading)), Limits(work=1 << 40))
    theirs: Any = context(reading)
    for _ in range(40):
        count = rng.choice([0, 1, 2, 3, 5, 8, 9, 17])
        pairs = [(drawn(ours, rng), drawn(ours, rng)) for _ in range(count)]
        given = [tuple(value(ours, theirs, x) for x in pair) for pair in pairs]
        assert text(ours, ours.dot(pairs)) == show(theirs.dot(given)), given
        terms = [x if rng.random() < 0.9 else None for x, _ in pairs]
        expected = [None if term is None else x for term, (x, _) in zip(terms, given, strict=True)]
        assert text(ours, ours.total(terms)) == show(theirs.total(expected)), given
        x = drawn(ours, rng)
        for kind in ("relu", "clipped-relu", "step", "silu"):
            assert text(ours, activated(ours, kind, x)) == show(evaluate.activated(kind, value(ours, theirs, x), theirs))
        assert text(ours, ours.root(x, False)) == show(theirs.root(value(ours, theirs, x)))
        assert text(ours, ours.root(x, True)) == show(theirs.inverse_root(value(ours, theirs, x)))
        size = rng.randrange(1, 100)
        assert text(ours, ours.fraction(size)) == show(theirs.count(size))


def drawn(ours: Numbers, rng: Random) -> Any:
    """A number of the format: small, large, or none."""
    kind = rng.random()
    if kind < 0.06:
        return rng.choice([INF, -INF, NAN] if ours.overflow == "infinity" else [0])
    size = Fraction(rng.randint(-99, 99), 16) if kind < 0.8 else Fraction(rng.randint(-9, 9)) * Fraction(2) ** rng.randint(-12, 12)
    return ours.fraction(size)


def value(ours: Numbers, theirs: Any, x: Any) -> Any:
    """The same number in the definition's context."""
    return SPECIAL[x] if x in SPECIAL else theirs.constant(rational(text(ours, x)))


def activated(ours: Any, kind: str, x: Any) -> Any:
    """An activation of a network with this arithmetic."""
    holder = Network.__new__(Network)
    holder.numbers = ours
    return holder.activation(kind, x)


def plain_numbers() -> Numbers:
    return Numbers(At(arithmetic_record({"format": "float16", "overflow": "infinity"})), Limits())


def test_each_pair_of_entries_is_turned_by_its_own_angle() -> None:
    """By a quarter to the left, and by one to the right."""
    holder, numbers = Network.__new__(Network), plain_numbers()
    holder.numbers, one = numbers, numbers.one
    head: Any = SimpleNamespace(norm=[], turns=[[(0, one)], [(0, -one)], [(0, one)]])
    assert holder.turned(head, [one, 0, 2 * one, 0, 3 * one, 0], 0) == (0, one, 0, -2 * one, 0, 3 * one)


@pytest.mark.parametrize("kind", ["leftmost", "rightmost", "average-hard", "linear"])
def test_a_score_of_no_number_leaves_no_choice(kind: str) -> None:
    """What the head gives is then no number; of linear attention with the value 0, too."""
    numbers = plain_numbers()
    head: Any = SimpleNamespace(kind=kind, value=[None], columns=[0], power=False)
    for scores in ([NAN, numbers.one, None], [numbers.one, None, NAN]):
        told: Any = [[(score, [0])] for score in scores]
        holder: Any = SimpleNamespace(numbers=numbers)
        assert Attention(holder, head, told).of_one_input() == [NAN]


@pytest.mark.parametrize(("constants", "units"), [("added", (1 << 24) + (1 << 14)), ("multiplied", 1 << 24)])
def test_an_exact_constant_is_rounded_alone_where_it_is_multiplied(constants: str, units: int) -> None:
    """2^-11 and a bit more: 1 + 2^-11 is a tie, which goes to 1, and a bit more goes up."""
    holder = Network.__new__(Network)
    knobs = {"format": "float16", "overflow": "infinity", "entries": "exact", "constants": constants}
    holder.numbers = Numbers(At(arithmetic_record(knobs)), Limits())
    constant = holder.numbers.constant(At(f"{2**40 + 1}/{2**51}"))
    assert holder.applied(Map([(0, holder.numbers.one)], [constant]), [holder.numbers.one]) == units


def test_a_score_of_no_query_is_0() -> None:
    holder = Network.__new__(Network)
    holder.numbers = plain_numbers()
    head: Any = SimpleNamespace(scale=[holder.numbers.one], score="product")
    assert holder.matched(head, (), ()) == 0


@pytest.mark.parametrize("x", [INF, -INF, NAN], ids=["inf", "-inf", "nan"])
def test_an_infinity_and_no_number_are_not_finite(x: Any) -> None:
    finite([0, 1 - INF, INF - 1], "no number")
    with pytest.raises(Rejected, match="no number"):
        finite([0, x], "no number")


@pytest.mark.parametrize(
    ("value", "symbol"), [("0", "0"), ("1", "1"), ("2", "no symbol: 2"), ("-1", "no symbol: -1"), ("1/2", "no symbol: 1/2")]
)
def test_a_right_answer_is_a_symbol_only_if_it_is_the_number_of_one(value: str, symbol: str) -> None:
    answers: Any = SimpleNamespace(network=SimpleNamespace(symbols=["0", "1"]))
    assert Answers.symbol(answers, Fraction(value)) == symbol


def test_a_head_that_chooses_among_no_tokens_gives_0() -> None:
    of_head = {"kind": "leftmost", "columns": [0, 1], "value": [Map([(0, 1)], []), Map([(1, 1)], [])]}
    knobs = {"attention": "values", "maximum": "kept", "division": "output"}
    numbers: Any = SimpleNamespace(knobs=knobs, limits=Limits(), cost=1)
    told: Any = [[(None, [])], [(None, [])]]
    t: Any = SimpleNamespace(numbers=numbers)
    assert Attention(t, SimpleNamespace(**of_head), told).of_one_input() == [0, 0]
