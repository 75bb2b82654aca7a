"""The runs of equal answers, found by bounds over intervals, against the answer to every value of the format."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from tests.artificial import KINDS, random_instance
from verifier.arithmetic.arrays import Codes
from verifier.arithmetic.formats import Digits, Precision
from verifier.arithmetic.numbers import INF, NAN, NEG_INF
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_arithmetic, read_semantics
from verifier.engines import answer_runs as answers_of_runs
from verifier.engines.answer_runs import answer_runs, every_state
from verifier.engines.program import INVALID, NEITHER, NO, YES, Program
from verifier.engines.search import NotApplicableError
from verifier.networks.acceptance import USUAL, Acceptance
from verifier.networks.instance import Node
from verifier.transformers.tables import Execution

READINGS = ["a4", "a4+scale=1/4", "overflow=saturate", "order=values+scale=2/3", "a4+overflow=before+ties=away", "rounding=truncate"]


def answer_by_value(program: Program) -> dict[int, int]:
    states = every_state(program.lattice)
    return dict(zip(states.tolist(), program.answers(states).tolist(), strict=True))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("semantics", READINGS)
@pytest.mark.parametrize(("short", "parts"), [(256, 16), (2, 3)], ids=["value by value", "by bounds"])
def test_runs_are_the_answers_to_every_value(semantics: str, short: int, parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_of_runs, "SHORT", short)
    monkeypatch.setattr(answers_of_runs, "PARTS", parts)
    several = 0
    for seed in range(30 if short > 2 else 12):
        program = Program(Execution(random_instance(KINDS[seed % len(KINDS)], Random(seed)), read_semantics(semantics)))
        answers = answer_by_value(program)
        runs = answer_runs(program)
        found = {state: run.answer for run in runs for state in answers if run.first <= state <= run.last}
        assert found == {state: answer for state, answer in answers.items() if answer != NO}, seed
        assert all(a.last < b.first and (a.answer, a.last) != (b.answer, b.first) for a, b in pairwise(runs))
        several += len(runs) > 1
    assert several > 1


CONDITIONS = [("out > 1/3", ""), ("out > 1", "out < 1/4"), ("1/3 <= out < 100", "out == 0"), ("out == 1/2 or out == 2", "out <= 0"), USUAL]


@pytest.mark.parametrize("precision", [5, Digits(3, 3), Digits(2, 7)], ids=["units", "units of floats", "codes"])
def test_runs_of_what_a_file_accepts_are_the_answers_to_every_value(precision: Precision, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_of_runs, "SHORT", 2)
    said = set()
    for seed in range(20):
        condition = CONDITIONS[seed % len(CONDITIONS)]
        accept = condition if isinstance(condition, Acceptance) else Acceptance(*condition, rectified=seed % 2 == 0)
        instance = replace(random_instance(KINDS[seed % len(KINDS)], Random(seed)), precision=precision, accept=accept)
        program = Program(Execution(instance, read_semantics("a4+entries=rounded")))
        assert isinstance(program.lattice, Codes) == (precision == Digits(2, 7))
        answers = answer_by_value(program)
        found = {state: run.answer for run in answer_runs(program) for state in answers if run.first <= state <= run.last}
        assert found == {state: answer for state, answer in answers.items() if answer != NO}, seed
        said |= {*answers.values()}
    assert {NO, YES, NEITHER} <= said


def node(weights: list[int], bias: int) -> Node:
    return Node(tuple(map(Fraction, weights)), Fraction(bias))


@pytest.mark.parametrize(
    ("hidden", "output"),
    [
        ([node([1], 0)], node([-2], 1 << 40)),
        ([node([15], 15), node([1], 0)], node([1, -15], 0)),
        ([node([1], 0), node([0], 1 << 40)], node([-3, 1], 0)),
        ([node([15], 15)], node([0], 2)),
        ([node([15], 15), node([0], 2)], node([0, 1], 0)),
    ],
    ids=[
        "a bias that overflows",
        "the first of two terms is infinite throughout",
        "the second is",
        "a weight 0",
        "a weight 0 beside another",
    ],
)
@pytest.mark.parametrize("semantics", ["a4+entries=rounded", "scale=2/3"])
def test_an_infinity_that_may_meet_the_other_settles_nothing(hidden: list[Node], output: Node, semantics: str) -> None:
    """If x is small the node's number is not accepted; if it is large, −inf meets inf, or 0 is multiplied by inf, which is NaN."""
    instance = replace(random_instance("ordered", Random(9)), hidden=tuple(hidden), output=output)
    program = Program(Execution(instance, read_semantics(semantics)))
    answers = answer_by_value(program)
    assert {NEITHER, INVALID} <= set(answers.values())
    for run in answer_runs(program):
        assert {answer for state, answer in answers.items() if run.first <= state <= run.last} == {run.answer}


def test_more_runs_than_the_limit_are_left_to_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(Execution(random_instance("ordered", Random(9)), read_semantics("a4")))
    changes = 1 + sum(a != b for a, b in pairwise(answer_by_value(program).values()))
    monkeypatch.setattr(answers_of_runs, "MOST_RUNS", changes)
    assert answer_runs(program)
    monkeypatch.setattr(answers_of_runs, "MOST_RUNS", changes - 1)
    with pytest.raises(NotApplicableError, match=f"more than {changes - 1} times"):
        answer_runs(program)


FORMATS = ["a4", "scale=2/3", "a4+format=float16+underflow=flush", "overflow=saturate+format=e4m3+underflow=nearest", "a4+format=bfloat16"]


@pytest.mark.long("a4+format=bfloat16")
@pytest.mark.parametrize("semantics", FORMATS)
def test_values_are_numbered_in_their_order(semantics: str) -> None:
    lattice = Program(Execution(random_instance("ordered", Random(9)), read_arithmetic(semantics))).lattice
    assert every_state(lattice).tolist() == [int(lattice.encode(x)) for x in (NEG_INF, *lattice.machine.form.values(), INF, NAN)]
