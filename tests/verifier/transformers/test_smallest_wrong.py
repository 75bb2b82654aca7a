"""The smallest wrong input of adders, held against every input of few digits; and columns that are shown to be right are right."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.running.errors import LimitError
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.decoded import Decided, decide, right_by_columns, smallest_wrong
from verifier.transformers.files import find_network
from verifier.transformers.induction import Induction
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network, network
from verifier.transformers.outputs import Answer

CELLS = [("adder-50", "float16"), ("adder-50", "bfloat16"), ("adder-33", "bfloat16"), ("adder-130-sines", "bfloat16"), ("adder-50", "e5m2")]


@cache
def adder(name: str) -> Network:
    return network(find_network(f"gallery/{name}"), {"n": 2})


@cache
def wrong(name: str, form: str) -> tuple[Strings, ...]:
    """Every wrong input of two digits, in their order."""
    built = adder(name)
    return tuple(strings for strings, _ in wrong_by_arrays(built, arithmetic(form), list(built.input.every())))


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "form"), CELLS)
def test_the_smallest_wrong_input_is_the_first_of_all(name: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also from a larger wrong input, and with classes of ten inputs left to induction."""
    monkeypatch.setattr("verifier.transformers.decoded.FEW", 10)
    known = wrong(name, form)
    for given in (known[0], known[len(known) // 2]):
        assert smallest_wrong(adder(name), arithmetic(form), given)[0] == known[0]


def test_a_class_whose_wrong_input_need_not_be_the_smallest_is_cut_and_a_right_one_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Induction is replaced by a list of all wrong inputs, of which it shows the last one of a class."""
    known, asked = wrong("adder-50", "float16"), list[int]()

    def shown(built: Network, how: Arithmetic, fixed: dict[tuple[str, int], int]) -> Decided:
        found = [each for each in known if all(each[name][1 - column] == digit for (name, column), digit in fixed.items())]
        asked.append(len(found))
        return Decided((found[-1], Answer("", "", "")), smallest=False) if found else Decided(None)

    monkeypatch.setattr("verifier.transformers.decoded.FEW", 1)
    monkeypatch.setattr("verifier.transformers.decoded.decide", shown)
    assert smallest_wrong(adder("adder-50"), arithmetic("float16"), known[-1])[0] == known[0]
    assert asked.count(0) == 1, "classes without a wrong input are not cut"
    assert max(asked) > 1


def test_a_class_is_not_cut_if_induction_shows_its_smallest_wrong_input(monkeypatch: pytest.MonkeyPatch) -> None:
    known, asked = wrong("adder-50", "float16"), list[int]()

    def shown(built: Network, how: Arithmetic, fixed: dict[tuple[str, int], int]) -> Decided:
        found = [each for each in known if all(each[name][1 - column] == digit for (name, column), digit in fixed.items())]
        asked.append(len(found))
        return Decided((found[0], Answer("", "", "")))

    monkeypatch.setattr("verifier.transformers.decoded.FEW", 1)
    monkeypatch.setattr("verifier.transformers.decoded.decide", shown)
    assert smallest_wrong(adder("adder-50"), arithmetic("float16"), known[-1])[0] == known[0]
    assert len(asked) == 1
    assert asked[0] > 1


def test_a_class_that_induction_leaves_open_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    def undecided(*asked: object, **fixed: object) -> Decided:
        raise LimitError("too many states", "another arithmetic")

    monkeypatch.setattr("verifier.transformers.decoded.FEW", 10)
    monkeypatch.setattr("verifier.transformers.decoded.decide", undecided)
    monkeypatch.setattr("verifier.transformers.decoded.right_by_columns", lambda induction: False)
    known = wrong("adder-50", "float16")
    assert smallest_wrong(adder("adder-50"), arithmetic("float16"), known[-1])[0] == known[0]


def test_columns_show_right_classes_and_no_wrong_one() -> None:
    """With a = 0 nothing is carried, and adder-50 is right in float16; 1 + 9 is wrong."""
    built, how = adder("adder-50"), arithmetic("float16")
    nothing = {("a", 0): 0, ("a", 1): 0}
    assert right_by_columns(Induction(built, how, nothing))
    assert not right_by_columns(Induction(built, how, {**nothing, ("a", 0): 1}))


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "form"), CELLS)
def test_what_is_shown_of_classes_is_true_of_their_inputs(name: str, form: str) -> None:
    built, how, shown = adder(name), arithmetic(form), 0
    inputs = {(*strings["a"], *strings["b"]) for strings in wrong(name, form)}
    for first in (*product(range(3), repeat=2), *product((0, 5), (0, 9), (0, 4)), (0, 1, 9)):
        digits = [("a", 1), ("a", 0), ("b", 1)]
        fixed = dict(zip(digits, first, strict=False))
        false = any(each[: len(first)] == first for each in inputs)
        right = right_by_columns(Induction(built, how, fixed))
        shown += right
        assert not (right and false), first
        try:
            decided = decide(built, how, fixed=fixed)
        except LimitError:
            continue
        assert (decided.wrong is None) == (not false)
        if decided.wrong is not None:
            least = next(each for each in sorted(inputs) if each[: len(first)] == first)
            found = (*decided.wrong[0]["a"], *decided.wrong[0]["b"])
            assert found == least or (not decided.smallest and found[: len(first)] == first)
    assert shown or form == "e5m2"


def test_too_many_classes_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.transformers.decoded.FEW", 1)
    monkeypatch.setattr("verifier.transformers.decoded.MOST_CLASSES", 0)
    with pytest.raises(LimitError, match="classes"):
        smallest_wrong(adder("adder-50"), arithmetic("float16"), wrong("adder-50", "float16")[-1])
