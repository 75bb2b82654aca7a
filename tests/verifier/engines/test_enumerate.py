"""The engines against the oracle and the scalar definition on everything small, both of its paths, every knob."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from tests.artificial import KINDS, brute_census, random_reading
from tests.oracle_reading import oracle_reading, single_knobs
from tests.tables import FOLDER
from tests.verifier.engines.random_constructions import nearly_right
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import enumerate_inputs, enumerate_pairs, first_failure
from verifier.engines.failure_counts import Census
from verifier.engines.position_blocks import split
from verifier.engines.program import Program
from verifier.errata.tables import read_with_errata
from verifier.networks.evaluate import evaluate
from verifier.networks.execution import Execution
from verifier.networks.instance import Instance, Node
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.running.errors import InputError, LimitError

A4 = read_semantics("a4")
PAPER = FOLDER
Summary = tuple[int, int, int, tuple[int, int] | None]


def summary(census: Census) -> Summary:
    return census.cases, census.failures, census.nans, census.smallest


def joint(execution: Execution) -> Summary:
    """Every pair on its own."""
    return summary(enumerate_inputs(execution))


def by_definition(execution: Execution) -> Summary:
    """The census by the scalar definition, one input at a time."""
    m = execution.instance.m
    traces = [evaluate(execution, y, z) for y in range(2**m) for z in range(2**m)]
    kept = [t for t in traces if t.promised]
    wrong = [t for t in kept if not t.correct]
    return len(kept), len(wrong), sum(t.meets_nan for t in kept), (wrong[0].y, wrong[0].z) if wrong else None


def table(name: str, p: int, without: tuple[str, ...] = ()) -> Instance:
    source = read_with_errata(PAPER / f"{name}.toml", PAPER / f"{name}.errata.toml")
    return instantiate(source.repaired(without), {"p": p})


@pytest.mark.parametrize(("attention", "floating"), [("softmax", True), ("linear", False), ("linear", True)])
@pytest.mark.parametrize("count", [5, pytest.param(100, marks=pytest.mark.campaign)])
def test_linear_attention_and_floating_point(attention: str, floating: bool, count: int) -> None:
    """Every pair by the oracle, which shares no term with the engines and the scalar definition."""
    rng = Random(f"census {attention} {floating}")
    seen: Counter[str] = Counter()
    for k in range(count):
        execution = random_reading(KINDS[k % len(KINDS)], rng, attention, floating)
        instance, semantics = execution.instance, execution.semantics
        census = enumerate_pairs(execution)
        expected = brute_census(instance, oracle_reading(semantics, instance.precision))
        assert summary(census) == by_definition(execution) == expected, f"{instance}\n{semantics.label}"
        of_first_string = census.smallest if census.smallest and census.smallest[0] == 0 else None
        assert [first_failure(execution, 1 << k * instance.m) for k in (2, 1)] == [census.smallest, of_first_string]
        seen["some fail"] += 0 < census.failures < census.cases
        seen["some NaN"] += 0 < census.nans < census.cases
        seen["right"] += not census.failures
    assert all(seen[each] for each in ("some fail", "some NaN", "right")) or count < 100


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [8, pytest.param(50, marks=pytest.mark.campaign)])
def test_artificial_constructions(kind: str, count: int) -> None:
    rng = Random(f"census {kind}")
    seen: Counter[str] = Counter()
    for _ in range(count):
        execution = random_reading(kind, rng)
        instance, semantics = execution.instance, execution.semantics
        census = enumerate_pairs(execution)
        expected = brute_census(instance, oracle_reading(semantics, instance.precision))
        assert summary(census) == joint(execution) == summary(decide(execution)) == expected, f"{instance}\n{semantics.label}"
        seen["reachable sets"] += decide(execution).method == "reachable-sets"
        seen["two blocks" if "two" in census.how else "together"] += 1
        seen["some fail"] += 0 < census.failures < census.cases
        seen["some NaN"] += 0 < census.nans < census.cases
        seen["first failure behind the first pair"] += census.smallest not in (None, (0, 0))
    if count < 50:
        return
    assert seen["together"]
    assert seen["reachable sets"]
    assert seen["some fail"] or kind == "constants"
    assert seen["two blocks"] or kind not in ("blocks", "constants")
    assert seen["some NaN"] or kind != "wild"
    assert seen["first failure behind the first pair"]


@pytest.mark.parametrize("kind", ["blocks", "joint", "wild"])
def test_the_scalar_definition_counts_the_same(kind: str) -> None:
    rng = Random(f"definition {kind}")
    for _ in range(25):
        execution = random_reading(kind, rng)
        assert summary(enumerate_pairs(execution)) == by_definition(execution)


@pytest.mark.parametrize("semantics", single_knobs(), ids=lambda s: s.label)
def test_both_paths_agree_on_the_repaired_table_6(semantics: Semantics) -> None:
    execution = Execution(_shortened(table("table-6", 8)), semantics)
    assert summary(enumerate_pairs(execution)) == joint(execution) == by_definition(execution)


def _shortened(instance: Instance) -> Instance:
    """Table 6 at p = 8 on strings of 3 bits: positions 1, 8 and 15 are read, the other tokens hold 0."""
    kept = {1: 1, 8: 2, 15: 3}
    tokens = []
    for token in instance.tokens:
        if token.reads and token.reads[0].index not in kept:
            tokens.append(replace(token, fields=((),), vectors=token.vectors[:1]))
        else:
            fields = tuple(tuple(replace(bit, index=kept[bit.index]) for bit in each) for each in token.fields)
            tokens.append(replace(token, fields=fields))
    return replace(instance, tokens=tuple(tokens), task=Problem("EQ", "y <= z", 3))


def test_the_tables_are_found_to_split() -> None:
    for name, p, high in (("table-6", 8, 8), ("table-5", 8, 7)):
        blocks = split(Program(Execution(table(name, p), A4)))
        assert [(b.first, b.last) for b in blocks] == [(1, high), (high + 1, blocks[1].last)]
        assert [s.name for b in blocks for s in b.sums] == ["sum 1", "denominator"]


def test_a_dependence_across_the_blocks_is_not_overlooked() -> None:
    """One key of the first half made to depend on its bit: the sums no longer separate."""
    instance = table("table-6", 8)
    tokens = list(instance.tokens)
    k = next(k for k, t in enumerate(tokens) if t.step == 7)
    zero, one = tokens[k].vectors
    assert zero is not None
    assert one is not None
    tokens[k] = replace(tokens[k], vectors=(zero, (one[0], F(-5), one[2])))
    assert len(split(Program(Execution(replace(instance, tokens=tuple(tokens)), A4)))) == 1


def test_one_changed_entry_fails_where_it_must() -> None:
    """Table 6 verifies at p = 8; with one content of one token changed exactly the pairs fail that the scalar definition refuses."""
    census = enumerate_pairs(Execution(table("table-6", 8), A4))
    assert (census.cases, census.failures, census.smallest) == (2**14 * (2**15 + 1), 0, None)
    instance = table("table-6", 8)
    k = next(k for k, t in enumerate(instance.tokens) if t.step == 18 and t.reads[0].index == 15)
    tokens = list(instance.tokens)
    tokens[k] = replace(tokens[k], vectors=(tokens[k].vectors[1], tokens[k].vectors[1]))
    execution = Execution(replace(instance, tokens=tuple(tokens)), A4)
    census = enumerate_pairs(execution)
    assert census.smallest == (0, 0)
    assert not evaluate(execution, 0, 0).correct
    assert census.failures == 2**14, "z₁₅ = 0 is taken for 1: every equal pair that ends in 0"
    assert evaluate(execution, 1, 1).correct


@pytest.mark.parametrize(("function", "promise"), [("EQ", "none"), ("GT", "none"), ("GT", "y <= z")])
def test_other_problems_take_the_joint_path(function: str, promise: str) -> None:
    instance = replace(_shortened(table("table-6", 8)), task=Problem(function, promise, 3))
    execution = Execution(instance, A4)
    census = enumerate_pairs(execution)
    assert census.how == "every input on its own"
    assert census.cases == (2**6 if promise == "none" else 2**2 * (2**3 + 1))
    assert (census.failures, census.smallest) == _counted(execution)


def _counted(execution: Execution) -> tuple[int, tuple[int, int] | None]:
    found = by_definition(execution)
    return found[1], found[3]


def test_without_hidden_nodes_the_answer_is_the_bias() -> None:
    instance = replace(_shortened(table("table-6", 8)), hidden=(), output=Node((), F(1)))
    assert summary(enumerate_pairs(Execution(instance, A4))) == (36, 28, 0, (0, 1))


def test_a_chunk_boundary_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    execution = Execution(_shortened(table("table-6", 8, ("step-1-key",))), A4)
    whole = joint(execution)
    for bits in (0, 1, 3, 5):
        monkeypatch.setattr("verifier.engines.enumerate.CHUNK_BITS", bits)
        assert joint(execution) == whole
    assert whole[1] > 0


@pytest.mark.parametrize("enumerated", [enumerate_pairs, enumerate_inputs])
def test_what_is_to_be_answered_with_1_is_counted_and_progress_is_told(
    enumerated: Callable[..., Census], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In chunks of 8 pairs, by the definition."""
    monkeypatch.setattr("verifier.engines.enumerate.CHUNK_BITS", 3)
    rng, missed = Random("counted"), 0
    for function, promise in [("EQ", "none"), ("GT", "none"), ("EQ", "z[2:3] > 1"), ("GT", "y[1:1] == 1")]:
        execution = Execution(replace(nearly_right(rng, 1, 2), task=Problem(function, promise, 3)), A4)
        told: list[tuple[int, int]] = []
        census = enumerated(execution, advance=lambda done, total, told=told: told.append((done, total)))
        asked = [t for t in (evaluate(execution, y, z) for y in range(8) for z in range(8)) if t.promised and t.expected]
        assert (census.yes, census.missed) == (len(asked), sum(not t.correct for t in asked))
        assert told == [(k, 8) for k in range(1, 9)]
        missed += 0 < census.missed < census.yes
    assert missed


def test_a_scale_that_no_64_bits_hold() -> None:
    execution = Execution(_shortened(table("table-6", 8)), read_semantics(f"scale=1/{10**25}"))
    assert summary(enumerate_pairs(execution)) == by_definition(execution)


def test_limits_and_ill_formed_instances() -> None:
    with pytest.raises(LimitError, match=r"visits 81,920 states \(8 positions together\), the limit is 1,000; --limit lifts"):
        enumerate_pairs(Execution(table("table-6", 8), A4), limit=1000)
    ill = instantiate(read_with_errata(PAPER / "table-5.toml", PAPER / "table-5.errata.toml").file, {"p": 8})
    for enumerated in (enumerate_pairs, enumerate_inputs):
        with pytest.raises(ValueError, match="table-5 is ill-formed"):
            enumerated(Execution(ill, A4))
    nobody = replace(_shortened(table("table-6", 8)), task=Problem("EQ", "y[1:1] > 1", 3))
    with pytest.raises(InputError, match="no input keeps"):
        enumerate_pairs(Execution(nobody, A4))


def test_the_limit_counts_pairs_not_strings() -> None:
    """Sums that do not separate are enumerated together: 4^m pairs."""
    instance = random_reading("joint", Random(1)).instance
    execution = Execution(replace(instance, task=replace(instance.problem, function="GT")), A4)
    pairs = 4**execution.instance.m
    enumerate_pairs(execution, limit=pairs)
    with pytest.raises(LimitError, match=rf"visits {pairs} states \({execution.instance.m} positions together\)"):
        enumerate_pairs(execution, limit=pairs - 1)
