"""Any task and any number of value columns: the definition against the oracle, and the engine against the definition, on every input."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tests.artificial import ENTRIES, KINDS, combines, embedding, random_instance, transformer
from tests.oracle import several
from tests.oracle_reading import oracle_reading, plain, random_semantics
from tests.tables import table
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import read_semantics
from verifier.engines.by_states import by_states
from verifier.engines.enumerate import CHUNK_BITS, chunks, enumerate_inputs
from verifier.engines.failure_counts import Census
from verifier.networks.instance import Instance, Matrix, Node
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Task
from verifier.running.errors import InputError, LimitError
from verifier.transformers.table_traces import evaluate, evaluate_at
from verifier.transformers.tables import Execution

PARITY = Task("popcount(y) % 2 == z[1]", "none", (("y", 3), ("z", 3)))


def widened(instance: Instance, rng: Random) -> Instance:
    """With two columns in W^V, and an MLP that reads both."""
    value = Matrix(tuple((*row, rng.choice([F(0), F(1), F(2), F(-1, 2)])) for row in instance.value.rows))
    hidden = tuple(Node((*node.weights, rng.choice(ENTRIES)), node.bias) for node in instance.hidden)
    return replace(instance, value=value, hidden=hidden)


def readings(count: int, seed: str) -> list[Execution]:
    """Random constructions with one or two columns, asked a random condition on strings of unequal lengths, under random readings."""
    rng, found = Random(seed), []
    while len(found) < count:
        instance = random_instance(rng.choice(KINDS), rng)
        m = instance.m
        function = rng.choice(["popcount(y) % 2 == 1", "y[1] == z[1]", "value(y) < value(z)", "2*popcount(z) > 3"])
        promise = rng.choice(["none", "y != 1", "popcount(z) <= 2"])
        task = Task(function, promise, (("z", m), ("y", m + rng.choice([0, 1]))))
        instance = replace(instance, task=task)
        try:
            execution = Execution(widened(instance, rng) if rng.random() < 0.6 else instance, random_semantics(rng))
        except InputError:
            continue
        if combines(execution):
            found.append(execution)
    return found


def each_input(execution: Execution) -> list[dict[str, int]]:
    strings = execution.instance.task.strings
    return [dict(zip(strings, values, strict=True)) for values in product(*(range(2**n) for n in strings.values()))]


def by_definition(execution: Execution) -> Census:
    traces = [evaluate_at(execution, each) for each in each_input(execution)]
    asked = [t for t in traces if t.promised]
    wrong = [tuple(t.inputs.values()) for t in asked if not t.correct]
    nans, yes = sum(t.meets_nan for t in asked), [t for t in asked if t.expected]
    return Census(
        len(asked),
        len(wrong),
        nans,
        wrong[0] if wrong else None,
        "enumeration",
        yes=len(yes),
        missed=sum(not t.correct for t in yes),
    )


def test_two_columns_against_the_oracle() -> None:
    seen = set()
    for execution in readings(48, "oracle"):
        instance = execution.instance
        columns = [replace(instance, value=Matrix(tuple((row[k],) for row in instance.value.rows))) for k in range(instance.outputs)]
        heads, knobs = [transformer(each) for each in columns], oracle_reading(execution.semantics, instance.bits)
        for each in each_input(execution)[::17]:
            words = {name: f"{x:0{instance.task.strings[name]}b}" for name, x in each.items()}
            made = several(heads, [(n.weights, n.bias) for n in instance.hidden], embedding(instance, words["y"], words["z"]), knobs)
            found = evaluate_at(execution, each)
            assert [plain(x) for x in (*found.attentions, found.decision.output)] == made, (
                f"{instance}\n{execution.semantics.label}, {words}"
            )
            seen.add((instance.outputs, made[-1]))
    assert {(k, x) for k in (1, 2) for x in (0, 1, "nan")} <= seen


def test_what_other_engines_cannot_decide() -> None:
    execution = next(r for r in readings(5, "limits") if r.instance.outputs == 2)
    with pytest.raises(InputError, match=r"EQ or GT of two strings y, z of one length was expected, not"):
        _ = execution.instance.problem
    with pytest.raises(InputError, match="one value column was expected, W\\^V has 2"):
        _ = execution.value_weights
    with pytest.raises(InputError, match="EQ or GT"):
        _ = execution.instance.m
    assert enumerate_inputs(execution, limit=1 << execution.instance.task.bits) == by_definition(execution)
    with pytest.raises(LimitError):
        enumerate_inputs(execution, limit=(1 << execution.instance.task.bits) - 1)
    with pytest.raises(LimitError, match=rf"visits {1 << execution.instance.task.bits} inputs .*, the limit is 3; --limit lifts the limit"):
        enumerate_inputs(execution, limit=3)
    none = Execution(replace(execution.instance, task=replace(PARITY, promise="y > 7")), execution.semantics)
    with pytest.raises(InputError, match="no input keeps y > 7"):
        enumerate_inputs(none)


def test_a_scale_that_no_64_bits_hold() -> None:
    execution = Execution(random_instance("ordered", Random(5)), read_semantics(f"scale=1/{10**25}"))
    assert enumerate_inputs(execution) == by_definition(execution)


@pytest.mark.parametrize("enumerated", [enumerate_inputs, by_states])
def test_an_ill_formed_table_is_refused(enumerated: Callable[[Execution], Census]) -> None:
    instance = instantiate(table("table-5", errata=False).source.file, {"p": 8})
    with pytest.raises(ValueError, match="table-5 is ill-formed"):
        enumerated(Execution(instance, read_semantics("a4")))


def test_inputs_are_counted_in_machine_words() -> None:
    """2^60 of them at most, however many are allowed."""
    longest = Task("y == z", "none", (("y", 29), ("z", 31)))
    assert next(chunks(longest, 1 << 60))[:2] == (0, 1 << 60 - CHUNK_BITS)
    with pytest.raises(LimitError, match=f"visits {1 << 60:,} inputs"):
        next(chunks(longest, (1 << 60) - 1))
    with pytest.raises(LimitError, match=r"visits 2\^61 inputs"):
        next(chunks(replace(longest, lengths=(("y", 30), ("z", 31))), 1 << 61))


def test_a_formula_is_asked_of_promised_inputs_only() -> None:
    execution = readings(1, "promised")[0]
    task = replace(execution.instance.task, function="1/z == 1", promise="z != 0")
    asked = Execution(replace(execution.instance, task=task), execution.semantics)
    assert enumerate_inputs(asked) == by_definition(asked)
    assert evaluate_at(asked, {"z": 0, "y": 0}).expected is None
    unpromised = Execution(replace(execution.instance, task=replace(task, promise="none")), execution.semantics)
    with pytest.raises(InputError, match=r"problem.function: '1 / z': .*divi"):
        enumerate_inputs(unpromised)
    with pytest.raises(InputError, match=r"problem.function: '1 / z': 1/0 divides by zero"):
        evaluate(unpromised, 0, 0)
