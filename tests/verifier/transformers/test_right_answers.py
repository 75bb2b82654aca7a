"""Right answers that are remembered are the right answers: of this formula, at these parameters, to this input."""

from __future__ import annotations

import msgspec
import pytest

from verifier.transformers.answers import _right_answers
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.outputs import expected


@pytest.mark.parametrize("length", [2, 3])
def test_they_are_those_of_the_formula_the_second_time_too(length: int) -> None:
    built = network(find_network("gallery/orthogonal-vectors"), {"n": length})
    inputs = list(built.input.every())
    right = [expected(built, strings) for strings in inputs]
    assert {"yes", "no"} == set(right)
    for _ in range(2):
        answer = _right_answers(built)
        assert [answer(strings) for strings in inputs] == right


def test_another_formula_has_other_answers() -> None:
    file = find_network("gallery/orthogonal-vectors")
    assert file.accept is not None
    other = msgspec.structs.replace(file, accept=msgspec.structs.replace(file.accept, function=f"not ({file.accept.function})"))
    first, second = (network(each, {"n": 2}) for each in (file, other))
    for strings in first.input.every():
        assert {_right_answers(first)(strings), _right_answers(second)(strings)} == {"yes", "no"}
