"""First wrong inputs: counted by states, enumerated by arrays and by the definition; they agree, and their replay is wrong again."""

from __future__ import annotations

import msgspec
import pytest

from verifier.running.limits import Limits
from verifier.show.precision_screen import right_up_to
from verifier.transformers import interned
from verifier.transformers.answers import wrong_by_arrays, wrong_by_definition
from verifier.transformers.arithmetic import Arithmetic, arithmetic
from verifier.transformers.contexts import context
from verifier.transformers.expectations import judged_expectations
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.outputs import judged
from verifier.transformers.precision import COUNTED, document, first_wrong


@pytest.mark.parametrize("form", ["e2m1", "e2m3", "e3m2", "e4m3", "e5m2", "int8:1/64", "bfloat16", "float16"])
def test_states_are_wrong_where_inputs_are(form: str) -> None:
    """Every input of up to 7 bits: each is in one state, and is answered as the smallest input of its state."""
    for n in range(1, 8):
        built, how = network(find_network("gallery/parity"), {"n": n}), arithmetic(form)
        assert not interned.not_applicable(built, how)
        states = interned.states(built, how)
        assert sum(state.count for state in states) == 2**n
        wrong = wrong_by_arrays(built, how, list(built.input.every()))
        by_state = wrong_by_arrays(built, how, [state.smallest for state in states])
        assert [strings for strings, _ in wrong[:1]] == [strings for strings, _ in by_state[:1]]
        counts = {state.smallest["w"]: state.count for state in states}
        assert len(wrong) == sum(counts[strings["w"]] for strings, _ in by_state)


def test_parity_has_as_many_states_as_numbers_of_ones() -> None:
    assert len(interned.states(network(find_network("gallery/parity"), {"n": 40}), arithmetic("float32"))) == 41


@pytest.mark.parametrize("form", ["e3m2", "e4m3", "e2m1+overflow=saturate", "e5m2+sums=pairwise"])
def test_the_definition_finds_the_same_wrong_inputs(form: str) -> None:
    for n in range(1, 5):
        built, how = network(find_network("gallery/parity"), {"n": n}), arithmetic(form)
        slow = list(wrong_by_definition(built, how, built.input.every()))
        assert [strings for strings, _ in slow] == [strings for strings, _ in wrong_by_arrays(built, how, list(built.input.every()))]


@pytest.mark.parametrize(
    ("part", "entry", "why"),
    [
        ("value", {"even": "at_k + one"}, "one of single symbols reach the output"),
        ("key", ["sign + zero"], "zero of single symbols reach the output"),
        ("mask", "causal", ""),
    ],
)
def test_a_network_that_reads_symbols_later_has_no_states(part: str, entry: object, why: str) -> None:
    raw = msgspec.to_builtins(find_network("gallery/parity"))
    raw["layer"][1]["head"][0][part] = entry
    assert interned.not_applicable(network(msgspec.convert(raw, type(find_network("gallery/parity"))), {"n": 3}), arithmetic("e4m3")) == why


@pytest.mark.parametrize("form", ["exact", "e4m3+sums=pairwise", "e4m3+rounding=dot-product"])
def test_arithmetics_without_states(form: str) -> None:
    assert interned.not_applicable(network(find_network("gallery/parity"), {"n": 3}), arithmetic(form))


def test_the_first_wrong_input_is_wrong_again() -> None:
    file, how = find_network("gallery/parity"), Arithmetic("e4m3")
    cell = first_wrong("gallery/parity", file, how, range(1, 12))
    assert cell.method == COUNTED
    assert cell.first_wrong is not None
    wrong = cell.first_wrong
    built = network(file, {"n": wrong.length})
    again = judged(built, {"w": built.input.read("w", wrong.strings["w"])}, context(how))
    assert again.answer.found == wrong.answer.found != again.answer.expected
    assert document("gallery/parity", range(1, 12), [cell])["cells"][0]["first_wrong"]["length"] == wrong.length
    assert cell.replay == f"verify trace gallery/parity --arithmetic e4m3 --n {wrong.length} --w {wrong.strings['w']}"


def test_exact_arithmetic_is_right_and_work_is_limited() -> None:
    file = find_network("gallery/parity")
    assert first_wrong("gallery/parity", file, Arithmetic("exact"), range(1, 5)).decided_to == 4
    stopped = first_wrong("gallery/parity", file, Arithmetic("float32", sums="pairwise"), range(1, 40), limits=Limits(1 << 20))
    assert stopped.decided_to is not None
    assert stopped.decided_to < 39
    assert "--limit" in stopped.stopped


@pytest.mark.parametrize(
    ("lengths", "where", "said"),
    [
        (range(9, 10), "n >= 1", "none"),
        (range(8, 10), "n >= 1", "8"),
        (range(1, 10), "n >= 1 and n != 8", "7"),
        (range(1, 8), "n >= 1", "7"),
    ],
)
def test_only_lengths_that_were_tried_are_said_to_be_right(lengths: range, where: str, said: str) -> None:
    raw = msgspec.to_builtins(find_network("gallery/parity"))
    raw["parameters"]["n"]["where"] = where
    file = msgspec.convert(raw, type(find_network("gallery/parity")))
    cell = first_wrong("gallery/parity", file, Arithmetic("e4m3"), lengths)
    assert (cell.first_wrong is None) == (9 not in lengths)
    assert right_up_to(file, lengths, cell) == said


def test_expectations_are_judged_as_far_as_the_counted_work_allows() -> None:
    """Inputs times tokens squared, at 1,000 each: 2·2² + 4·3² + 8·4² for PARITY up to length 3, and no clock."""
    file = find_network("gallery/parity")
    judged_to = [judged_expectations(file, range(1, 6), limits=Limits(work * 1000)) for work in (171, 172)]
    assert [{each.decided_to for each in found} for found in judged_to] == [{2}, {3}]
    assert all(each.stopped == "length 4 needs a larger --limit" for each in judged_to[1])
