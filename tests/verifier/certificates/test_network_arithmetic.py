"""The checker's arithmetic and transformers, held against the definition: other code, the same numbers."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from random import Random
from typing import Any

import flint
import pytest

from tests.verifier.transformers import random_networks
from tests.verifier.transformers.random_networks import random_adder, random_arithmetic, random_network
from verifier.arithmetic.enclosure import ball_around
from verifier.arithmetic.numbers import INF, NAN, NEG_INF
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Arithmetic
from verifier.certificates import recheck_floats, recheck_rounding
from verifier.certificates.network_statement import Statement, arithmetic_data
from verifier.certificates.recheck_answers import Answers
from verifier.certificates.recheck_between import Between
from verifier.certificates.recheck_exact import floats_of
from verifier.certificates.recheck_floats import Floats
from verifier.certificates.recheck_formulas import Text
from verifier.certificates.recheck_reading import At, Limits, Unknown
from verifier.running.errors import InputError
from verifier.transformers.contexts import Rounded, context
from verifier.transformers.evaluate import run
from verifier.transformers.network import network
from verifier.transformers.outputs import judged
from verifier.transformers.reals import enclosure

FORMATS = (*recheck_floats.FORMATS, "int8", "int8:1/4", "fixed:12:1/32", "fixed:6", "fixed:10")


def floats(arithmetic: Arithmetic) -> Floats:
    return Floats(At(arithmetic_data(arithmetic)), Limits(work=1 << 60))


def arithmetics(random: Random, formats: tuple[str, ...] = FORMATS) -> Arithmetic:
    """Any; one in five rounds dot products as a whole."""
    found = random_arithmetic(random, formats)
    return replace(found, rounding="dot-product") if random.random() < 0.2 else found


def plain_arithmetics(random: Random) -> Arithmetic:
    """One with which the checker reads induction: sums of rounded products from left to right, in binary formats."""
    while True:
        found = random_arithmetic(random, tuple(recheck_floats.FORMATS))
        if floats(found).plain:
            return found


def state(known: Floats, x: Any) -> int:
    return {INF: recheck_rounding.INF, NEG_INF: -recheck_rounding.INF, NAN: recheck_rounding.NAN}.get(x) or int(x * (1 << known.unit))


@pytest.mark.parametrize("form", FORMATS)
def test_every_operation_is_that_of_the_definition(form: str) -> None:
    random = Random(form)
    for how in (Arithmetic(form), *(arithmetics(random, (form,)) for _ in range(12))):
        mine, context = floats(how), Rounded(how)
        largest = how.machine().form.largest
        numbers = [
            context.constant(Fraction(random.randint(-999, 999), random.randint(1, 99)) * Fraction(2) ** random.randint(-9, 9))
            for _ in range(9)
        ]
        numbers += [context.constant(x) for x in (Fraction(0), largest, -largest, Fraction(1), largest / 3)]
        numbers += [INF, NEG_INF, NAN, context.divide(Fraction(1), largest)]
        for x in numbers:
            assert mine.exp(state(mine, x)) == state(mine, context.exp(x))
            assert mine.root(state(mine, x), False) == state(mine, context.root(x))
            assert mine.root(state(mine, x), True) == state(mine, context.inverse_root(x))
            y, z = random.choice(numbers), random.choice(numbers)
            a, b, c = (state(mine, each) for each in (x, y, z))
            for name in ("add", "subtract", "multiply", "divide"):
                assert getattr(mine, name)(a, b) == state(mine, getattr(context, name)(x, y)), (how, name, x, y)
            assert mine.dot([(a, b), None, (b, c), (c, c)]) == state(mine, context.dot([(x, y), None, (y, z), (z, z)]))
            many = [random.choice([None, *numbers]) for _ in range(random.choice([0, 5, 20, 300]))]
            assert mine.total([None if v is None else state(mine, v) for v in many]) == state(mine, context.total(many))
            assert mine.count(len(many)) == state(mine, context.constant(Fraction(len(many))))
            assert mine.less(a, b) == context.less(x, y)


def checked(built: Any, how: Arithmetic) -> Answers:
    point = dict(built.parameters)
    return Answers(At(Statement(built, how).data()), floats(how), point)


@pytest.mark.parametrize("seed", range(40))
def test_random_networks_answer_as_the_definition_says(seed: int) -> None:
    random = Random(seed)
    how = arithmetics(random)
    built = network(random_network(random), {"n": 3}) if seed % 4 else network(random_adder(random), {"n": 2})
    answers = checked(built, how)
    for _ in range(2):
        strings = built.input.nth(random.randrange(built.input.count))
        base = len(built.input.letters)
        texts = {name: Text.whole(string, base) for name, string in strings.items()}
        found = judged(built, strings, Rounded(how))
        assert (answers.expected(texts), answers.found(texts)) == (found.answer.expected, found.answer.found)
        if built.file.decode is None:
            tokens = built.input.tokens(strings)
            for at in range(len(tokens)):
                last = answers.transformer.run(tokens, at)
                assert last == [state(answers.floats, x) for x in found.runs[0].last[at].values()]


def test_real_numbers_are_those_of_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of random networks: the same fractions, and ends that hold the definition's balls; other comparisons stay open."""
    monkeypatch.setattr(random_networks, "_coefficient", lambda rng: rng.choice(["1", "-1", "2", "1/3", "-5/4", "10"]))
    random, same, held, unknown = Random(1), 0, 0, 0
    for _ in range(25):
        built = network(random_network(random), {"n": 2})
        try:
            floats = floats_of(At(arithmetic_data(Arithmetic("exact"))), Limits())
            answers = Answers(At(Statement(built, Arithmetic("exact")).data()), floats, {"n": 2})
            strings = built.input.nth(random.randrange(4))
            tokens = built.input.tokens(strings)
            mine = [answers.transformer.run(tokens, at) for at in range(3)]
        except (Unknown, InputError):
            unknown += 1
            continue
        theirs = run(built, tokens, context(Arithmetic("exact"))).last
        for x, y in zip(chain(*mine), chain(*(vector.values() for vector in theirs)), strict=True):
            if isinstance(x, Between):
                with flint.ctx.workprec(1000):
                    ball = enclosure(y)
                    assert ball_around(flint, x.low) <= ball <= ball_around(flint, x.high)
                held += 1
            else:
                assert answers.floats.value(x) == ("nan" if y is NAN else y)
                same += 1
    assert (same > 30, held > 30, unknown < 10) == (True, True, True)


@pytest.mark.parametrize(
    ("knob", "value"),
    [
        ("sums", "random"),
        ("sums", "split:0"),
        ("sums", "split:99999"),
        ("products", "sloppy"),
        ("rounding", "never"),
        ("subnormals", "doubled"),
        ("format", "int9"),
        ("format", "int8:1/3"),
        ("format", "int8:2/64"),
        ("format", "fixed:0"),
        ("format", "fixed:1"),
        ("format", "fixed:999"),
        ("format", "fixed:8:1/64:1"),
        ("accumulate", "exact"),
        ("overflow", "nap"),
    ],
)
def test_what_it_does_not_compute_it_does_not_read(knob: str, value: str) -> None:
    data = arithmetic_data(Arithmetic("float16"))
    Floats(At(data), Limits())
    with pytest.raises(Unknown, match=f"^{knob}: "):
        Floats(At({**data, knob: value}), Limits())


@pytest.mark.parametrize(
    ("between", "known"),
    [(["1/3", "1/3"], True), (["0.33333", "0.33334"], True), (["0.3333", "0.4"], False), (["1/3"], False), (["1/3", "nan"], False)],
)
def test_a_real_number_has_to_round_in_one_way(between: list[str], known: bool) -> None:
    mine = floats(Arithmetic("bfloat16"))
    if known:
        assert mine.constant(At(between)) == mine.constant(At("1/3"))
    else:
        with pytest.raises(Unknown):
            mine.constant(At(between))
