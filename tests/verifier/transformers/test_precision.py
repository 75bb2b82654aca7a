"""First wrong inputs: counted by states, enumerated by arrays and by the definition; they agree, and their replay is wrong again."""

from __future__ import annotations

import msgspec
import pytest

from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.running.errors import LimitError
from verifier.running.limits import Limits
from verifier.show.precision_screen import right_up_to
from verifier.transformers.answers import wrong_by_arrays, wrong_by_definition
from verifier.transformers.causes import cause
from verifier.transformers.files import find_network
from verifier.transformers.network import MOST_LAYERS, network
from verifier.transformers.precision import first_wrong
from verifier.transformers.records import NetworkFile


def test_exact_arithmetic_is_right_and_work_is_limited() -> None:
    file = find_network("gallery/parity")
    assert first_wrong("gallery/parity", file, Arithmetic("exact"), range(1, 5)).decided_to == 4
    stopped = first_wrong("gallery/parity", file, Arithmetic("float32", sums="pairwise"), range(1, 40), limits=Limits(1 << 20))
    assert stopped.decided_to is not None
    assert stopped.decided_to < 39
    assert "--limit" in stopped.stopped


def test_a_condition_on_no_coordinate_is_answered_by_arrays_as_by_the_definition() -> None:
    raw = msgspec.to_builtins(find_network("gallery/parity"))
    built = network(msgspec.convert({**raw, "accept": {**raw["accept"], "yes": "1 > 0", "no": "1 < 0"}}, NetworkFile), {"n": 2})
    slow, fast = (list(find(built, arithmetic("float16"), built.input.every())) for find in (wrong_by_definition, wrong_by_arrays))
    assert [strings for strings, _ in slow] == [strings for strings, _ in fast]
    assert {answer.found for _, answer in fast} == {"yes"}


@pytest.mark.parametrize(
    ("lengths", "where", "said"),
    [
        (range(9, 10), "n >= 1", "–"),
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


def growing(layers: int, value: str) -> NetworkFile:
    """A network whose only coordinate is 1 for every token and then becomes ``value`` in each layer; it always says yes."""
    raw = {
        "format": "bitreferee/network/1",
        "id": "growing",
        "title": "Numbers beyond every format",
        "source": "made up",
        "assumes": "real numbers",
        "parameters": {"n": {"meaning": "length", "where": "n >= 1", "typical": "1..2"}},
        "input": {"strings": {"w": "n"}, "alphabet": ["0", "1"], "tokens": ["w", "END"]},
        "accept": {"function": "w[1] == 1", "at": "END", "yes": "a > 0", "no": "a <= 0"},
        "embedding": {"a": "1"},
        "layer": [{"head": [{"value": {"a": value}}]}] * layers,
    }
    return msgspec.convert(raw, NetworkFile)


def test_a_wrong_input_counts_although_real_numbers_are_too_large_to_explain_it() -> None:
    file = growing(4, "2**4000*a")
    found = first_wrong("growing", file, arithmetic("float16"), range(1, 3)).first_wrong
    assert found is not None
    assert (found.length, found.answer.found, found.answer.expected) == (1, "yes", "no")
    why = cause(network(file, {"n": 1}), {"w": (0,)}, arithmetic("float16"))
    assert (why.kind, why.answered) == ("", (found.answer.shown, ""))


def test_a_network_of_too_many_layers_is_declined_before_any_is_built() -> None:
    assert len(network(growing(MOST_LAYERS, "2*a"), {"n": 1}).layers) == MOST_LAYERS
    with pytest.raises(LimitError, match="growing: 1,025 layers, the limit is 1,024; choose fewer layers"):
        network(growing(MOST_LAYERS + 1, "a ? b"), {"n": 1})
