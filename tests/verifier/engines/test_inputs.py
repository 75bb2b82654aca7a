"""Any task and any number of value columns: the definition against the oracle, and the engine against the definition, on every input."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tests.artificial import ENTRIES, KINDS, combines, embedding, random_instance, transformer
from tests.oracle import several
from tests.oracle_reading import oracle_reading, plain, random_semantics
from verifier.arithmetic.rationals import Fraction as F
from verifier.attention.evaluate import evaluate, evaluate_at
from verifier.attention.terms import Reading
from verifier.construction.instance import Instance, Matrix, Node
from verifier.engines import inputs
from verifier.engines.census import Census
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.inputs import CHUNK_BITS, chunks, enumerate_inputs
from verifier.errors import InputError, LimitError
from verifier.problems import Problem
from verifier.semantics import NAMED
from verifier.tasks import FormulaTask

PARITY = FormulaTask("popcount(y) % 2 == z[1]", "none", (("y", 3), ("z", 3)))


def widened(instance: Instance, rng: Random) -> Instance:
    """With two columns in W^V, and an MLP that reads both."""
    value = Matrix(tuple((*row, rng.choice([F(0), F(1), F(2), F(-1, 2)])) for row in instance.value.rows))
    hidden = tuple(Node((*node.weights, rng.choice(ENTRIES)), node.bias) for node in instance.hidden)
    return replace(instance, value=value, hidden=hidden)


def readings(count: int, seed: str) -> list[Reading]:
    """Random constructions with one or two columns, asked a random condition on strings of unequal lengths, under random readings."""
    rng, found = Random(seed), []
    while len(found) < count:
        instance = random_instance(rng.choice(KINDS), rng)
        m = instance.m
        function = rng.choice(["popcount(y) % 2 == 1", "y[1] == z[1]", "value(y) < value(z)", "2*popcount(z) > 3"])
        promise = rng.choice(["none", "y != 1", "popcount(z) <= 2"])
        task = FormulaTask(function, promise, (("z", m), ("y", m + rng.choice([0, 1]))))
        instance = replace(instance, task=task)
        try:
            reading = Reading(widened(instance, rng) if rng.random() < 0.6 else instance, random_semantics(rng))
        except InputError:
            continue
        if combines(reading):
            found.append(reading)
    return found


def each_input(reading: Reading) -> list[dict[str, int]]:
    strings = reading.instance.task.strings
    return [dict(zip(strings, values, strict=True)) for values in product(*(range(2**n) for n in strings.values()))]


def by_definition(reading: Reading) -> Census:
    traces = [evaluate_at(reading, each) for each in each_input(reading)]
    asked = [t for t in traces if t.promised]
    wrong = [tuple(t.inputs.values()) for t in asked if not t.correct]
    nans, yes = sum(t.meets_nan for t in asked), [t for t in asked if t.expected]
    return Census(
        len(asked),
        len(wrong),
        nans,
        wrong[0] if wrong else None,
        "enumeration",
        "every input on its own",
        yes=len(yes),
        missed=sum(not t.correct for t in yes),
    )


def test_two_columns_against_the_oracle() -> None:
    seen = set()
    for reading in readings(24, "oracle"):
        instance = reading.instance
        columns = [replace(instance, value=Matrix(tuple((row[k],) for row in instance.value.rows))) for k in range(instance.outputs)]
        heads, knobs = [transformer(each) for each in columns], oracle_reading(reading.semantics, instance.bits)
        for each in each_input(reading)[::11]:
            words = {name: f"{x:0{instance.task.strings[name]}b}" for name, x in each.items()}
            made = several(heads, [(n.weights, n.bias) for n in instance.hidden], embedding(instance, words["y"], words["z"]), knobs)
            found = evaluate_at(reading, each)
            assert [plain(x) for x in (*found.attentions, found.decision.output)] == made, f"{instance}\n{reading.semantics.label}, {words}"
            seen.add((instance.outputs, made[-1]))
    assert {(k, x) for k in (1, 2) for x in (0, 1, "nan")} <= seen


@pytest.mark.parametrize("chunk", [18, 2])
def test_the_engine_agrees_with_the_definition(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(inputs, "CHUNK_BITS", chunk)
    failing = 0
    for reading in readings(8, f"engine {chunk}"):
        found = enumerate_inputs(reading)
        assert found == by_definition(reading), f"{reading.instance}\n{reading.semantics.label}"
        failing += 0 < found.failures < found.cases
    assert failing > 2


def test_linear_attention_is_divided_by_nothing() -> None:
    outputs = set()
    for reading in readings(8, "linear"):
        linear = Reading(replace(reading.instance, attention="linear"), reading.semantics)
        assert enumerate_inputs(linear) == by_definition(linear), f"{reading.instance}\n{reading.semantics.label}"
        outputs.add(reading.instance.outputs)
    assert outputs == {1, 2}


def test_pairs_are_decided_alike_by_both_enumerations() -> None:
    rng = Random(3)
    for _ in range(20):
        reading = Reading(random_instance("joint", rng), NAMED["a4"])
        if combines(reading):
            one, other = enumerate_inputs(reading), enumerate_pairs(reading)
            assert (one.cases, one.failures, one.nans, one.smallest) == (other.cases, other.failures, other.nans, other.smallest)


def test_pairs_of_strings_with_two_columns_are_decided_input_by_input() -> None:
    reading = next(r for r in readings(9, "two columns") if r.instance.outputs == 2)
    m = min(reading.instance.task.strings.values())
    asked = Reading(replace(reading.instance, task=Problem("EQ", "y <= z", m)), reading.semantics)
    found, expected = decide(asked), by_definition(asked)
    assert (found.cases, found.failures, found.smallest) == (expected.cases, expected.failures, expected.smallest)


def test_what_other_engines_cannot_decide() -> None:
    reading = next(r for r in readings(5, "limits") if r.instance.outputs == 2)
    with pytest.raises(InputError, match="--method smt: it decides pairs of strings and one value column"):
        decide(reading, "smt")
    with pytest.raises(InputError, match=r"EQ or GT of two strings y, z of one length was expected, not"):
        _ = reading.instance.problem
    with pytest.raises(InputError, match="one value column was expected, W\\^V has 2"):
        _ = reading.value_weights
    with pytest.raises(InputError, match="EQ or GT"):
        _ = reading.instance.m
    assert enumerate_inputs(reading, limit=1 << reading.instance.task.bits) == by_definition(reading)
    with pytest.raises(LimitError):
        enumerate_inputs(reading, limit=(1 << reading.instance.task.bits) - 1)
    with pytest.raises(LimitError, match=rf"visits {1 << reading.instance.task.bits} inputs .*, the limit is 3; --limit lifts the limit"):
        enumerate_inputs(reading, limit=3)
    none = Reading(replace(reading.instance, task=replace(PARITY, promise="y > 7")), reading.semantics)
    with pytest.raises(InputError, match="no input keeps y > 7"):
        enumerate_inputs(none)


def test_inputs_are_counted_in_machine_words() -> None:
    """2^60 of them at most, however many are allowed."""
    longest = FormulaTask("y == z", "none", (("y", 29), ("z", 31)))
    assert next(chunks(longest, 1 << 60))[:2] == (0, 1 << 60 - CHUNK_BITS)
    with pytest.raises(LimitError, match=f"visits {1 << 60:,} inputs"):
        next(chunks(longest, (1 << 60) - 1))
    with pytest.raises(LimitError, match=r"visits 2\^61 inputs"):
        next(chunks(replace(longest, lengths=(("y", 30), ("z", 31))), 1 << 61))


def test_a_formula_is_asked_of_promised_inputs_only() -> None:
    reading = readings(1, "promised")[0]
    task = replace(reading.instance.task, function="1/z == 1", promise="z != 0")
    asked = Reading(replace(reading.instance, task=task), reading.semantics)
    assert enumerate_inputs(asked) == by_definition(asked)
    assert evaluate_at(asked, {"z": 0, "y": 0}).expected is None
    unpromised = Reading(replace(reading.instance, task=replace(task, promise="none")), reading.semantics)
    with pytest.raises(InputError, match=r"problem.function: '1 / z': .*divi"):
        enumerate_inputs(unpromised)
    with pytest.raises(InputError, match=r"problem.function: '1 / z': 1/0 divides by zero"):
        evaluate(unpromised, 0, 0)
