"""The SMT solver, a method with nothing in common, finds what the engines find: whether a pair fails, and the smallest."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tests.artificial import KINDS, random_instance, random_reading
from tests.command_line import CommandLine
from tests.oracle_reading import random_semantics
from tests.tables import table
from tests.verifier.engines.random_constructions import random_construction
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ZERO
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import NAMED, Semantics, read_semantics, readings
from verifier.engines.bitvectors import Term
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.smt import Answers, Formula, Run, Search, bounds, solve
from verifier.networks.evaluate import decide as answered
from verifier.networks.evaluate import evaluate
from verifier.networks.execution import Execution
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.running.errors import InputError, LimitError

pytest.importorskip("bitwuzla")
TABLE = table("table-6")
ILL_FORMED = Execution(instantiate(table("table-5").source.file, {"p": 8}), NAMED["a4"])
LEMMA = "every-bit-counts/lemma-2.6"


def agree(execution: Execution, label: object) -> bool:
    """Whether a pair fails; both methods must say so, and name the same smallest."""
    counted, solved = enumerate_pairs(execution), solve(execution)
    assert (solved.cases, solved.smallest) == (counted.cases, counted.smallest), f"{label}, {execution.semantics.label}"
    return solved.smallest is not None


@pytest.mark.long("0-120")
@pytest.mark.parametrize(("first", "last"), [(0, 10), (10, 20), (20, 30), (0, 120)])
def test_random_constructions_agree_with_enumeration(first: int, last: int) -> None:
    failing: Counter[bool] = Counter()
    for seed in range(first, last):
        execution = random_reading(KINDS[seed % len(KINDS)], Random(f"smt {seed}"))
        failing[agree(execution, seed)] += 1
    assert min(failing[True], failing[False]) >= 5 or last - first < 120, failing


@pytest.mark.one_in(3)
@pytest.mark.parametrize("semantics", list(readings()), ids=lambda s: s.label)
def test_small_constructions_agree_under_every_reading(semantics: Semantics) -> None:
    for seed in range(0, 60, 12):
        instance, _ = random_construction(seed)
        agree(Execution(instance, semantics), seed)


def test_an_infinite_numerator_keeps_its_sign() -> None:
    assert agree(random_reading("wild", Random("infinite 218")), "inf")


def test_linear_attention_agrees() -> None:
    outcomes = set()
    for seed in (*range(8, 16), 41):
        rng = Random(f"linear {seed}")
        outcomes.add(agree(random_reading("joint", rng, "linear"), seed))
    assert outcomes == {True, False}


@pytest.mark.parametrize("promise", ["y <= z and y[1:2] > 0 and z[2:3] != 2", "y[1:1] == 1 and z[2:3] < 3", "z[1:3] >= 5 and y[3:3] <= 0"])
def test_conditions_on_bits_are_encoded(promise: str) -> None:
    for seed in range(12):
        rng = Random(f"promise {seed}")
        instance = random_instance("joint", rng)
        if instance.m == 3:
            execution = Execution(replace(instance, task=Problem("EQ", promise, 3)), random_semantics(rng))
            agree(execution, seed)


def table(edition: str, p: int) -> Execution:
    file = TABLE.source.file if edition == "printed" else TABLE.source.repaired()
    return Execution(instantiate(file, {"p": p}), NAMED["a4"])


@pytest.mark.long("printed-7", "printed-8", "repaired-7", "repaired-8")
@pytest.mark.parametrize("p", [6, 7, 8])
@pytest.mark.parametrize("edition", ["printed", "repaired"])
def test_table_6_agrees_with_reachable_sets(edition: str, p: int) -> None:
    execution = table(edition, p)
    engine, solved = decide(execution, "reachable"), decide(execution, "smt")
    assert (solved.cases, solved.smallest) == (engine.cases, engine.smallest)
    assert (solved.smallest is None) == (edition == "repaired" and p > 6)


def test_one_symbol_changed_is_refuted() -> None:
    """The repaired table is right; with the output's bias 1/2 no input is answered with 1."""
    execution = table("repaired", 7)
    changed = replace(execution.instance, output=Node(execution.instance.output.weights, Fraction(1, 2)))
    assert solve(Execution(changed, NAMED["a4"])).smallest == (0, 0)


@pytest.mark.parametrize("text", ["a4", "ties=even", "ties=away", "rounding=truncate", "overflow=before", "overflow=saturate", "scale=2/3"])
def test_bounds_are_where_rounding_changes(text: str) -> None:
    """On a grid of quotients finer than every spacing, and at each bound itself, the number of bounds passed names the rounded value."""
    machine: Machine = read_semantics(text).machine(4)
    values = list(machine.form.values())
    between = bounds(machine, values)
    outcomes = [*values] if len(between) < len(values) else [NEG_INF, *values, INF]
    tried = [Fraction(k, 96) for k in range(-96 * 10, 96 * 10 + 1)] + [x for x, _ in between]
    for x in tried:
        passed = sum(x > bound or (x == bound and included) for bound, included in between)
        assert machine.round(x) == outcomes[passed], x


def lies_in(run: Run, x: Fraction) -> bool:
    above = [bound is not None and (x > bound[0] or (x == bound[0] and bound[1])) for bound in run]
    return (above[0] or run[0] is None) and not above[1]


ONE = Fraction(1)
ONE_SIDED = [([Node((ONE,), -ONE / 2)], Node((ONE,), Fraction(0))), ([Node((ONE,), Fraction(0))], Node((-ONE,), ONE))]
"""MLPs that answer the infinities differently: max{0, x - 1/2}, and 1 up to 0."""


@pytest.mark.parametrize("mlp", [0, 1])
@pytest.mark.parametrize("text", ["a4", "rounding=truncate", "overflow=saturate"])
def test_quotients_are_answered_as_what_they_round_to(text: str, mlp: int) -> None:
    """Also those that round to an infinity, by the definition."""
    hidden, output = ONE_SIDED[mlp]
    instance = replace(random_construction(0)[0], precision=4, hidden=tuple(hidden), output=output)
    execution = Execution(instance, read_semantics(text))
    tabulated, unit, answers = Answers(execution), execution.machine.form.unit, set()
    for x in (k * unit / 3 for k in (*range(-40, 41), -(10**4), 10**4)):
        answer = answered(execution, execution.machine.round(x)).answer
        for expected in (0, 1):
            assert any(lies_in(run, x) for run in tabulated.runs_without(expected)) == (answer != expected)
        answers.add((answer, x > 100, x < -100))
    assert {(None if mlp == 0 else 0, True, False), (mlp, False, True)} <= answers


@pytest.mark.parametrize("mlp", [0, 1])
@pytest.mark.parametrize("text", ["a4", "overflow=saturate+scale=1/2"])
def test_quotients_of_constants_are_answered_by_the_definition(text: str, mlp: int) -> None:
    """Every special numerator and denominator, and some numbers; none is negative that divides. Also without a denominator."""
    import bitwuzla

    rng, (hidden, output) = Random(text), ONE_SIDED[mlp]
    instance = replace(random_construction(0)[0], precision=4, hidden=tuple(hidden), output=output)
    formula = Formula(Execution(instance, read_semantics(text)))
    machine, constant = formula.execution.machine, formula.circuit.constant
    values, special = [*machine.form.values()], [NAN, INF, NEG_INF] if text == "a4" else [NAN]
    tops = [ZERO, *special, *rng.sample(values, 7)]
    bottoms = [ZERO, *(x for x in special if x is not NEG_INF), None, *rng.sample([x for x in values if x > 0], 4)]
    cases = list(product(tops, bottoms, (0, 1)))
    terms = [formula._wrong(constant(x), None if d is None else constant(d), expected) for x, d, expected in cases]
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    solver = bitwuzla.Bitwuzla(formula.terms.manager, options)
    solver.check_sat()
    for (x, d, expected), term in zip(cases, terms, strict=True):
        answer = answered(formula.execution, x if d is None else machine.divide(x, d)).answer
        assert solver.get_value(term).value() == (answer != expected), (x, d, expected)


def test_no_end_within_the_limit_declines() -> None:
    with pytest.raises(LimitError, match=r"within 100 turns of its search, one for each 64"):
        solve(table("repaired", 8), limit=6_400)


def test_the_search_finds_the_first_of_any_pairs() -> None:
    rng = Random("pairs")
    formula = Formula(next(r for r in iter(lambda: random_reading("constants", rng), None) if r.instance.m == 3))
    terms, every = formula.terms, list(product(range(8), repeat=2))

    def holds(name: str, number: int) -> Term:
        return terms.all(*(formula.bit(name, k) if number >> 3 - k & 1 else terms.none(formula.bit(name, k)) for k in (1, 2, 3)))

    for size in (0, 1, 1, 2, 2, 3, 3, 5, 9):
        pairs = rng.sample(every, size)
        formula.negation = terms.any(*(terms.all(holds("y", y), holds("z", z)) for y, z in pairs))
        assert Search(formula, 1 << 20).smallest(lambda done: None) == min(pairs, default=None)


def test_a_turn_of_the_search_is_64_states() -> None:
    formula = Formula(random_reading("joint", Random(6)))
    assert [[search._ends() for _ in range(4)] for search in (Search(formula, limit) for limit in (1, 127, 128, 192))] == [
        [k >= turns for k in range(4)] for turns in (1, 1, 2, 3)
    ]


@pytest.mark.parametrize("seed", [0, 1, 6, 12])
def test_progress_is_told_bit_by_bit(seed: int) -> None:
    """Whether any pair fails, and then each bit of the two strings."""
    told, execution = [], random_reading("joint", Random(seed))
    solved, steps = solve(execution, advance=lambda *step: told.append(step)), 2 * execution.instance.m + 1
    assert told == [(k, steps) for k in range(2 if solved.smallest is None else steps + 1)]


def test_a_pair_that_is_answered_correctly_shows_a_wrong_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "smallest", lambda search, advance: (0, 0))
    with pytest.raises(AssertionError, match=r"pair \(0, 0\) is answered correctly"):
        solve(table("repaired", 7))


@pytest.mark.parametrize(
    ("promise", "fault", "words"), [("y[1:1] > 1", ValueError, "no pair of length 3"), ("z[1:17] > 0", LimitError, "2\\^17 contents")]
)
def test_promises_that_are_not_encoded(promise: str, fault: type[Exception], words: str) -> None:
    execution = random_reading("joint", Random(6))
    length = 17 if "17" in promise else 3
    with pytest.raises(fault, match=words):
        solve(Execution(replace(execution.instance, task=Problem("EQ", promise, length)), execution.semantics))


def test_a_condition_on_sixteen_bits_is_encoded() -> None:
    """Of z = 0…0 and z = 1…1 with any first bit, whichever fails first by the definition."""
    execution = random_reading("joint", Random(6))
    asked = Execution(replace(execution.instance, task=Problem("EQ", "z[2:17] in (0, 65535)", 17)), execution.semantics)
    solved, zs = solve(asked), (0, 0xFFFF, 0x10000, 0x1FFFF)
    y, z = solved.smallest
    assert solved.cases == 4 << 17
    assert (z, [evaluate(asked, y, each).correct for each in zs[: zs.index(z) + 1]]) == (z, [True] * zs.index(z) + [False])


def test_what_cannot_be_encoded_is_said() -> None:
    with pytest.raises(ValueError, match="table-5 is ill-formed"):
        solve(ILL_FORMED)
    with pytest.raises(InputError, match="fixed point only"):
        decide(Execution(replace(table("repaired", 7).instance, precision=Digits(5, 6)), NAMED["a4"]), "smt")
    with pytest.raises(LimitError, match="a smaller --p"):
        solve(table("repaired", 17))


def test_a_missing_solver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "bitwuzla", None)
    with pytest.raises(InputError, match=r"bitreferee\[smt\]"):
        solve(table("repaired", 7))


@pytest.mark.campaign
def test_findings_say_that_nothing_was_counted(capsys: pytest.CaptureFixture[str]) -> None:
    verify = CommandLine(capsys)
    right = verify(f"{LEMMA} --p 8 --edition repaired --method smt --format json")
    wrong = verify(f"{LEMMA} --p 7 --edition printed --method smt --format json")
    assert (right.status, wrong.status) == (0, 1)
    assert '"method": "smt"' in right.out
    assert '"failures": null' in wrong.out
    assert "how many was not counted" in wrong.out


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize(("ties", "first"), [("zero", (0, 0)), ("even", (0, 0)), ("away", (0, 1))])
def test_a_quotient_on_a_midpoint(ties: str, first: tuple[int, int], side: int) -> None:
    """Four bits: for y = 0 the output is ±(1/4)/4, half of the least value 1/8; the MLP accepts ±1/8 and rejects 0."""
    one, zero, quarter = Fraction(1), Fraction(0), Fraction(-2)
    heavy = Token(1, 1, (), ((one, Fraction(2), zero),))
    reads_y = Token(2, 2, ((Bit("y", 1),),), tuple((one, quarter, Fraction(side * (1 - y))) for y in range(2)))
    asks = Token(3, 3, (), ((one, -Fraction(7), zero),))
    instance = Instance(
        id="midpoint",
        parameters={},
        names={},
        precision=4,
        task=Problem("EQ", "y <= z", 1),
        tokens=(heavy, reads_y, asks),
        query=Matrix(((one,), (zero,), (zero,)), ln2=True),
        key=Matrix(((zero,), (one,), (zero,))),
        value=Matrix(((zero,), (zero,), (one,))),
        hidden=(Node((Fraction(side * 7),), zero), Node((Fraction(side),), zero)),
        output=Node((one, one), zero),
    )
    execution = Execution(instance, read_semantics(f"ties={ties}"))
    assert solve(execution).smallest == enumerate_pairs(execution).smallest == first
