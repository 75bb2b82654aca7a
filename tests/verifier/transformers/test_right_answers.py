"""Right answers that are remembered are the right answers: of this formula, at these parameters, to this input."""

from __future__ import annotations

import msgspec
import pytest

from tests.rows import titled
from verifier.transformers.answers import _right_answers
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.outputs import expected


def test_another_formula_has_other_answers() -> None:
    file = find_network("gallery/orthogonal-vectors")
    assert file.accept is not None
    other = msgspec.structs.replace(file, accept=msgspec.structs.replace(file.accept, function=f"not ({file.accept.function})"))
    first, second = (network(each, {"n": 2}) for each in (file, other))
    for strings in first.input.every():
        assert {_right_answers(first)(strings), _right_answers(second)(strings)} == {"yes", "no"}


READ = [
    "w[2] == 1",
    "w(2) == 1",
    "w(k) + w[1] == 1",
    "popcount(w) > w(1)",
    "k == 3",
    "all(w(j) == 0 for j in (1, 3))",
    "sum(w[k] for k in (1, 2)) == 1",
    "sum(w(k) for k in (1, 2)) == 1",
    "w[1 : 2] == 3",
    "w % 3 == 0",
]


@pytest.mark.parametrize("function", READ, ids=titled)
def test_a_right_answer_is_remembered_by_what_it_reads(function: str) -> None:
    file = find_network("gallery/lookup-quadratic")
    assert file.accept is not None
    other = msgspec.structs.replace(file, accept=msgspec.structs.replace(file.accept, function=function))
    built = network(other, {"n": 4, "k": 3})
    right = _right_answers(built)
    assert [right(strings) for strings in built.input.every()] == [expected(built, strings) for strings in built.input.every()]
