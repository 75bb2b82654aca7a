"""The scalar definition against a second implementation written from the paper: every intermediate value, every knob."""

from collections import Counter
from random import Random

import pytest

from tests.artificial import KINDS, embedding, random_reading, transformer
from tests.oracle import Value
from tests.oracle_floating_tables import REPAIRS_7, REPAIRS_8, table_7, table_8
from tests.oracle_reading import KNOBS_OF_FLOATING_POINT, oracle_reading, plain, random_floating_semantics, random_semantics, single_knobs
from tests.oracle_tables import REPAIRS_5, REPAIRS_6, embedded, table_5, table_6, tokens_5, tokens_6
from tests.tables import FOLDER
from verifier.arithmetic.semantics import Semantics
from verifier.errata.tables import Source, read_with_errata
from verifier.networks.instantiate import instantiate
from verifier.transformers.table_traces import Trace, evaluate
from verifier.transformers.tables import Execution

PAPER = FOLDER
TABLES = {
    "table-5": (table_5, tokens_5, REPAIRS_5, {"step-5-range", "step-8-range"}),
    "table-6": (table_6, tokens_6, REPAIRS_6, set()),
}
FLOATING = {"table-7": (table_7, REPAIRS_7), "table-8": (table_8, REPAIRS_8)}


def source(name: str) -> Source:
    return read_with_errata(PAPER / f"{name}.toml", PAPER / f"{name}.errata.toml")


def found(trace: Trace) -> tuple[Value, ...]:
    return tuple(plain(x) for x in (trace.numerator, trace.denominator, trace.attention, trace.decision.output))


def inputs(m: int, rng: Random) -> list[tuple[int, int]]:
    """Equal strings, strings one bit apart, the ends, and random pairs; y ≤ z and y > z both."""
    y = rng.randrange(2**m)
    apart = y ^ (1 << rng.randrange(m))
    half = (1 << m // 2) - 1
    return [(y, y), (y, apart), (apart, y), (0, 2**m - 1), (half, half), (0, 0), (rng.randrange(2**m), rng.randrange(2**m))]


def compare_table(name: str, p: int, semantics: Semantics, without: set[str], rng: Random) -> Counter[Value]:
    table, tokens, repairs, _ = TABLES[name]
    execution = Execution(instantiate(source(name).repaired(without), {"p": p}), semantics)
    rows, made = table(p, repairs - without)
    outputs: Counter[Value] = Counter()
    m = execution.instance.m
    for y, z in inputs(m, rng):
        expected = made.output(embedded(rows, tokens(p, f"{y:0{m}b}", f"{z:0{m}b}")), oracle_reading(semantics, p))
        assert found(evaluate(execution, y, z)) == expected, f"{name}, p = {p}, {semantics.label}, without {without}, y = {y}, z = {z}"
        outputs[expected[3]] += 1
    return outputs


@pytest.mark.one_in(3)
@pytest.mark.parametrize("semantics", single_knobs(), ids=lambda s: s.label)
@pytest.mark.parametrize("name", TABLES)
def test_repaired_tables_under_every_knob(name: str, semantics: Semantics) -> None:
    outputs = compare_table(name, 8, semantics, set(), Random(semantics.label))
    assert sum(outputs.values()) == 7


@pytest.mark.campaign
def test_partly_repaired_tables_under_random_readings() -> None:
    rng = Random(1)
    outputs: Counter[Value] = Counter()
    for _ in range(40):
        name = rng.choice(list(TABLES))
        _, _, repairs, needed = TABLES[name]
        without = set(rng.sample(sorted(repairs - needed), rng.choice([0, 1, 3])))
        outputs += compare_table(name, rng.choice([7, 8, 9] if name == "table-6" else [8, 9]), random_semantics(rng), without, rng)
    assert {0, 1, "nan"} <= set(outputs)


def test_table_6_as_printed_under_random_readings() -> None:
    rng = Random(2)
    for p in (8, 9, 10):
        compare_table("table-6", p, random_semantics(rng, grid=0), set(REPAIRS_6), rng)


def compare_floating_table(name: str, point: dict[str, int], semantics: Semantics, without: set[str], rng: Random) -> Counter[Value]:
    """Tables 7 and 8, on inputs inside their promise and outside."""
    table, repairs = FLOATING[name]
    instance = instantiate(source(name).repaired(without), point)
    execution, outputs, m = Execution(instance, semantics), Counter[Value](), instance.m
    sizes = (instance.precision.t, point["e"]) if name == "table-7" else (m, point["e"])  # type: ignore[union-attr]
    pairs = inputs(m, rng)
    for y, z in [*pairs, *((y, min(y + 1, 2**m - 1)) for y, _ in pairs[:2])]:
        vectors, made = table(*sizes, len(instance.tokens) - 2, f"{y:0{m}b}", f"{z:0{m}b}", repairs - without)
        expected = made.output(vectors, oracle_reading(semantics, instance.precision))
        assert found(evaluate(execution, y, z)) == expected, f"{name}, {point}, {semantics.label}, without {without}, y = {y}, z = {z}"
        outputs[expected[3]] += 1
    return outputs


@pytest.mark.one_in(3)
@pytest.mark.parametrize("semantics", single_knobs(KNOBS_OF_FLOATING_POINT), ids=lambda s: s.label)
@pytest.mark.parametrize(("name", "point"), [("table-7", {"t": 5, "e": 4}), ("table-8", {"m": 11, "e": 6})], ids=str)
def test_repaired_floating_tables_under_every_knob(name: str, point: dict[str, int], semantics: Semantics) -> None:
    outputs = compare_floating_table(name, point, semantics, set(), Random(semantics.label))
    assert {0, 1} <= set(outputs) or semantics.label != "a4"


@pytest.mark.campaign
def test_partly_repaired_floating_tables_under_random_readings() -> None:
    rng = Random(5)
    outputs: Counter[Value] = Counter()
    for _ in range(60):
        name = rng.choice(list(FLOATING))
        point = rng.choice(
            [{"t": 3, "e": 3}, {"t": 4, "e": 4}, {"t": 6, "e": 4}] if name == "table-7" else [{"m": 11, "e": 6}, {"m": 13, "e": 7}]
        )
        without = set(rng.sample(sorted(FLOATING[name][1]), rng.choice([1, 3, 6])))
        outputs += compare_floating_table(name, point, random_floating_semantics(rng), without, rng)
    assert {0, 1, "nan"} <= set(outputs)


@pytest.mark.campaign
@pytest.mark.parametrize(("attention", "floating"), [("softmax", True), ("linear", False), ("linear", True)])
def test_artificial_linear_attention_and_floating_point(attention: str, floating: bool) -> None:
    rng = Random(f"{attention} {floating}")
    outputs: Counter[Value] = Counter()
    for k in range(200):
        execution = random_reading(KINDS[k % len(KINDS)], rng, attention, floating)
        instance, semantics = execution.instance, execution.semantics
        made, m = transformer(instance), instance.m
        for y, z in inputs(m, rng):
            expected = made.output(embedding(instance, f"{y:0{m}b}", f"{z:0{m}b}"), oracle_reading(semantics, instance.precision))
            assert found(evaluate(execution, y, z)) == expected, f"{instance}\n{semantics.label}, y = {y}, z = {z}"
            outputs[expected[3]] += 1
    assert {0, 1, "nan"} < set(outputs)


@pytest.mark.long("constants", "blocks", "repeated", "wild")
@pytest.mark.parametrize("kind", KINDS)
def test_artificial_constructions_under_random_readings(kind: str) -> None:
    rng = Random(kind)
    outputs: Counter[Value] = Counter()
    for _ in range(60):
        execution = random_reading(kind, rng)
        instance, semantics = execution.instance, execution.semantics
        made, m = transformer(instance), instance.m
        for y, z in inputs(m, rng):
            expected = made.output(embedding(instance, f"{y:0{m}b}", f"{z:0{m}b}"), oracle_reading(semantics, instance.bits))
            assert found(evaluate(execution, y, z)) == expected, f"{instance}\n{semantics.label}, y = {y}, z = {z}"
            outputs[expected[3]] += 1
    assert len(outputs) > 3


def test_what_was_rounded_is_on_record() -> None:
    """Each line of a step names a value before and after, which differ; where nothing was rounded there is no line."""
    execution = Execution(instantiate(source("table-6").repaired(), {"p": 8}), single_knobs()[0])
    steps = [step for y, z in inputs(15, Random(4)) for step in evaluate(execution, y, z).steps]
    lines = [line.partition(": ")[2].split(" → ") for step in steps for line in step.rounded]
    assert lines
    assert all(before != after for before, after in lines)
    assert any(not step.rounded for step in steps)


def test_one_entry_changed_is_noticed() -> None:
    """The comparison can fail: the table without one repair against the oracle with all of them."""
    rng = Random(3)
    execution = Execution(instantiate(source("table-6").repaired({"step-1-key"}), {"p": 8}), single_knobs()[0])
    rows, made = table_6(8)
    pairs = inputs(15, rng)
    wanted = [made.output(embedded(rows, tokens_6(8, f"{y:015b}", f"{z:015b}")), oracle_reading(single_knobs()[0], 8)) for y, z in pairs]
    assert [found(evaluate(execution, y, z)) for y, z in pairs] != wanted
