"""The steps that each part of the check asks for before it spends them; one step over the limit is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from tests.verifier.certificates.decoders import MADE
from tests.verifier.certificates.samples import good
from tests.verifier.certificates.test_rules import answered
from verifier.certificates import recheck
from verifier.certificates.recheck_answers import Answers
from verifier.certificates.recheck_induction import Induction
from verifier.certificates.recheck_maps import RunningSums, check_tokens
from verifier.certificates.recheck_network import Attention, Map, Network
from verifier.certificates.recheck_numbers import Numbers
from verifier.certificates.recheck_reading import At, Limits, Rejected, TooMuch, closed
from verifier.certificates.recheck_states import Heads, OneHead, Walk, check_positions, check_quotients, denominators, of_any_position
from verifier.certificates.statement import arithmetic_record


def numbers(name: str) -> Numbers:
    return Numbers(At(arithmetic_record({"format": name, "overflow": "" if name == "exact" else "infinity"})), Limits())


def answers(certificate: Any) -> Answers:
    return Answers(At(certificate["cases"][0]["network"]), Numbers(At(certificate["arithmetic"]), Limits()))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The steps that are asked for, one request after another."""
    found: list[int] = []
    monkeypatch.setattr(Limits, "spend", lambda _, steps: found.append(steps))
    return found


@pytest.mark.parametrize("kind", ["pairs in two blocks", "prefixes alike", "inputs", "exact", "length", "one sum of two bits"])
def test_a_file_is_refused_one_step_below_what_it_takes(kind: str) -> None:
    limits = Limits()
    recheck.recheck(good(kind), limits)
    assert answered(good(kind), work=limits.spent).startswith("accepted")
    most = limits.spent - 1
    assert answered(good(kind), work=most) == f"TooMuch: more than {most} work; --work {16 * most}, for example, allows more"


def test_a_limit_is_the_most_that_is_allowed() -> None:
    limits = Limits(work=5, states=3)
    limits.spend(5)
    assert closed({0}, lambda x: {(x + 1) % 3}, limits) == {0, 1, 2}
    for more in (lambda: limits.spend(1), lambda: closed({0}, lambda x: {(x + 1) % 4}, limits)):
        with pytest.raises(TooMuch):
            more()


OPERATIONS: list[tuple[str, str, Callable[[Numbers], Any], int]] = [
    ("a sum of two terms in units of 2^-1074", "float64", lambda m: m.total([1, None]), 2 * 3),
    ("a sum of two terms in units of 2^-24", "float16", lambda m: m.total([1, None]), 2),
    ("a root", "float64", lambda m: m.root(5, False), 4 * 3),
    ("a power of e to 64 digits", "float16", lambda m: m.power(Fraction(1, 3), False), 64 * 64 // 32),
    ("a real power of e", "exact", lambda m: m.power(Fraction(1, 3), False), 64),
    ("a fraction of 127 digits over one of 2", "exact", lambda m: m.settle(Fraction(1 << 126, 3)), 1 + 129 // 64),
]


@pytest.mark.parametrize(("title", "name", "operation", "steps"), OPERATIONS, ids=[title for title, *_ in OPERATIONS])
def test_an_operation_asks_for_its_steps(title: str, name: str, operation: Callable[[Numbers], Any], steps: int, asked: list[int]) -> None:
    made = numbers(name)
    asked.clear()
    operation(made)
    assert asked == [steps]


def test_a_network_asks_by_tokens_and_layers(asked: list[int]) -> None:
    holder, layer = Network.__new__(Network), SimpleNamespace(heads=[], combine={}, units=[], residual=False, before=[], after=[])
    holder.numbers, holder.layers = numbers("float64"), [layer] * 2
    holder.limits = holder.numbers.limits
    holder.run([[0]] * 5, 0)
    head: Any = SimpleNamespace(kind="linear", value=[None], columns=[0], power=False)
    Attention(holder, head, [[(1, [0])]] * 5).of_one_input()
    assert asked == [2 * 5 * 3, 4 * 5 * 3]


def test_a_map_of_a_box_asks_by_its_terms(asked: list[int]) -> None:
    boxes, form = Induction(answers(MADE["adder"]), "here").boxes, Map([(0, 1), (1, 1)], [])
    asked.clear()
    boxes.together([(1, form), (1, form)], [0, 0])
    boxes.error(form, [0, 0])
    boxes.numbers.cost = 3
    boxes.together([(1, form)], [0, 0])
    boxes.error(form, [0, 0])
    assert asked == [4 * 2] * 3 + [4 * 2 * 3] * 2


def test_induction_asks_by_words_states_and_cases(asked: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    induction = Induction(answers(MADE["adder"]), "here")
    asked.clear()
    induction.summed(0, 2, 0)
    assert asked[0] == 8 * (2 + 2 + 1)
    asked.clear()
    induction.digits.groups(0, 0, [[[(0, 0)] * 2] * 2 + [[(0, 0)]]] * 3)
    assert asked == [3 * 2 * 3, 2 * (1 + 3), 2 * (2 + 3)]
    asked.clear()
    monkeypatch.setattr(induction.boxes, "certain", lambda whole, right: whole[0][0] == whole[0][1])
    induction.cases = {0: {((k, 0, 0), ((0, 0),)): (1, 0, 0) for k in range(2)}}
    induction.check()
    assert asked == [2 * 3, 16 * 2, 16, 16]


def test_running_sums_ask_by_moves_states_and_maps(asked: list[int]) -> None:
    sums = RunningSums(At(arithmetic_record({"format": "fixed:3", "ties": "zero", "overflow": "infinity"})), At("any"), Limits())
    moves, states = len(sums.moves), len(sums.states)
    assert asked[0] == 8 * len(sums.numerators) ** 2
    assert asked[-1] == moves * states
    assert {*asked[1:-1]} == {moves}
    asked.clear()
    maps = [(0, 1, -1, -1), (2, 1, -1, -1)]
    made: Any = SimpleNamespace(maps=maps, states=range(130), limits=Limits(), coupling="any", numbers=SimpleNamespace(label="bits"))
    check_tokens(At([]), made, 2)
    assert asked == [2 * 3, 1 * 3]
    made.maps[1] = (2, 3, -1, -1)
    asked.clear()
    with pytest.raises(Rejected, match="have no barrier"):
        check_tokens(At([]), made, 2)
    assert asked == [2 * 3, 8 * 130]


def test_states_ask_by_rows_and_moves(asked: list[int]) -> None:
    given = answers(good("prefixes alike"))
    t = given.network
    asked.clear()
    walk = Walk(given, "here", given.functions)
    walk.closure([])
    expected, ones = [6 * (len(t.tokens) + 1) // 16], 0
    for token in t.tokens:
        expected.append(2 * 2 ** len(token.reads) * (ones + 1))
        ones += len(token.reads)
    assert asked == [*expected, 2 * (ones + 1)]


def test_heads_of_all_contents_ask_by_vectors_and_answers(asked: list[int]) -> None:
    given = answers(good("prefixes alike"))
    t = given.network
    asked.clear()
    heads = Heads(given, "here", t.layers, t.embedding, 0)
    assert 16 * len(t.layers[0].heads) * sum(map(len, t.embedding)) in asked
    asked.clear()
    heads.after(t.layers[0], t.embedding, [[0] * head.width for head in heads.heads])
    assert asked[0] == 8 * len(t.embedding)
    asked.clear()
    t.numbers.cost = 3
    heads.known[((0, 0),)] = "yes"
    assert heads.answer([[0]]) == "yes"
    assert asked == []
    heads.answer([[1] * head.width for head in heads.heads])
    assert asked[0] == 64 * 3


def test_strings_of_every_length_ask_by_rows_weights_and_quotients(asked: list[int]) -> None:
    given = answers(good("length"))
    t, cost = OneHead(given, "here"), 3
    given.numbers.cost = cost
    rows = sum(map(len, of_any_position(t).values()))
    asked.clear()
    denominators(t)
    assert {*asked} == {len({x for each in t.sums[-1].adds for x in each}) * cost}
    wanted = given.expected({t.pair: 0})
    asked.clear()
    check_quotients(t, [0], [given.numbers.one], wanted)
    assert asked[0] == 16 * cost
    asked.clear()
    assert "9 states" in check_positions(given, "here")
    assert asked.count(rows * cost * t.columns) == 9
