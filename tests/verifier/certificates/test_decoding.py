"""Decoding by induction, of small networks made by hand: what is proved is what running every input shows, and neighbours are refused."""

from __future__ import annotations

import copy
from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest

from tests.verifier.certificates.decoders import MADE, adder, decoder, form, head
from tests.verifier.certificates.samples import INPUTS, Change, put, refused
from tests.verifier.certificates.test_rules import answered
from verifier.certificates.recheck_answers import Answers
from verifier.certificates.recheck_induction import Boxes, largest, rounding_of_sum
from verifier.certificates.recheck_numbers import Numbers, between, ends
from verifier.certificates.recheck_reading import At, Limits, Open, Rejected
from verifier.certificates.statement import arithmetic_record, layer_record, sealed


@pytest.mark.parametrize("name", MADE)
def test_induction_and_every_input_agree(name: str) -> None:
    made = MADE[name]
    run = put("cases", 0, "evidence", value=INPUTS)(made)
    assert answered(made).startswith("accepted: right on all 4 inputs of ")
    assert answered(made) == answered(run)


NETWORK = ("cases", 0, "network")
HEAD, UNITS = (*NETWORK, "layers", 0, "heads", 0), (*NETWORK, "layers", 1, "units", 0)
DIGIT = [[["a", "0"]], [["0", "1", "0"], ["1", "1", "0"]]]


@pytest.mark.parametrize(("title", "name", "change", "reason"), refused("decoding"))
def test_a_neighbour_is_refused(title: str, name: str, change: Change, reason: str) -> None:
    said = answered(sealed(change(copy.deepcopy(MADE[name]))))
    assert not said.startswith("accepted"), said
    assert reason in said


def at_end(t: Any, x: list[Any], given: Any) -> list[Any]:
    """The last token at the end, where the head gives this to the third coordinate."""
    first, *behind = t.layers
    return list(t.behind(behind, t.after(first, x, {2: given})))


def hinges(rng: Random, activation: str, gated: bool) -> Any:
    """A layer behind the heads, with pairs of hidden units whose inside is nearly the same."""
    number = partial(rng.choice, ["1", "-1", "1/2", "3/2", "-5/4", "2", "-3"])
    near, gate = {"x": number(), "h": number()}, number()
    other = near if rng.random() < 0.7 else {"x": number(), "h": number()}
    hidden = [form(number(), **near), form(number(), **other), form("", h=number())]
    gates = [form("", x=gate), form("", x=rng.choice([gate, number()])), form("1", one=number())] if gated else []
    weight = number()
    into = [["x", [[["0", weight], ["1", str(-Fraction(weight))], ["2", number()]], []]], ["h", [[["0", "-1"], ["1", "1"]], []]]]
    units = {"activation": activation, "hidden": hidden, "gate": gates, "into": into, "factor": []}
    return [layer_record(units=[units], residual=rng.random() < 0.5)]


@pytest.mark.long("relu-True-12", "silu-False-12", "identity-False-12", "identity-True-12")
@pytest.mark.parametrize("runs", [12, pytest.param(100, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("activation", ["relu", "silu", "identity"])
def test_a_box_holds_what_every_number_in_it_comes_to(activation: str, gated: bool, runs: int) -> None:
    """Differences of hidden units, and of logits."""
    rng, narrower = Random(f"{activation} {gated}"), 0
    for _ in range(runs):
        logits = [form("", x=rng.choice(["1", "2"]), h="1"), form("", x="1", h=rng.choice(["1", "3/4"]))]
        made = decoder(
            {"a": "1"}, [head("softmax", [["0"] * 2] * 2)], hinges(rng, activation, gated), logits, [["%", ["//", "a", "1"], "2"]], []
        )
        name = rng.choice(["float:4:3", "e4m3"])
        knobs = {"format": name, "overflow": "nan" if name == "e4m3" else "infinity"}
        numbers = Numbers(At(arithmetic_record(knobs)), Limits())
        answers = Answers(At(made["cases"][0]["network"]), numbers)
        boxes = Boxes(answers, answers.network.layers)
        x = [numbers.constant(At(rng.choice(["0", "1", "-2", "1/2"]))) for _ in range(3)]
        values = sorted({numbers.fraction(Fraction(rng.randint(-64, 64), 16)) for _ in range(2)})
        held = [v for v in range(values[0], values[-1] + 1) if numbers.settle(v) == v]
        try:
            inside = at_end(boxes, x, between(values[0], values[-1]))
        except (Open, Rejected):
            continue
        for value in rng.sample(held, min(8, len(held))):
            found = at_end(answers.network, x, value)
            assert all(ends(box)[0] <= exact <= ends(box)[1] for box, exact in zip(inside, found, strict=True))
            for right in (0, 1):
                assert answers.chosen(found) == right or not boxes.certain(boxes.left(x, ((values[0], values[-1]),)), right)
        narrower += len(held) > 2
    assert narrower > runs * 3 // 10


@pytest.mark.parametrize(("logits", "chosen"), [(("1", "1"), 0), (("1", "2"), 1), (("2", "1"), 0)])
def test_of_equal_logits_the_first_is_certain(logits: tuple[str, str], chosen: int) -> None:
    """Also where another coordinate is known by its ends only."""
    made = decoder(
        {"a": "1"}, [head("softmax", [["0"] * 2] * 2)], [], [form("", one=c) for c in logits], [["%", ["//", "a", "1"], "2"]], []
    )
    numbers = Numbers(At(arithmetic_record({"format": "float16", "overflow": "infinity"})), Limits())
    answers = Answers(At(made["cases"][0]["network"]), numbers)
    boxes, box = Boxes(answers, answers.network.layers), (0, numbers.one)
    assert [boxes.certain(boxes.left([0, numbers.one, 0], (box,)), right) for right in (0, 1)] == [chosen == 0, chosen == 1]


@pytest.mark.parametrize("case", range(20))
def test_the_exact_difference_of_two_maps_has_its_ends(case: int) -> None:
    """Without rounding its ends are the least and the largest difference at the corners; with it they hold that of the computed maps."""
    rng, numbers = Random(case), Numbers(At(arithmetic_record({"format": "float:4:4", "overflow": "infinity"})), Limits())
    boxes = Boxes(Answers(At(adder()["cases"][0]["network"]), numbers), [])
    number = partial(rng.choice, ["1", "-1", "1/2", "3/2", "-5/4", "-3"])
    first, second = (boxes.map(At(form(rng.choice([number(), "112"]), x=number(), h=number()))) for _ in range(2))
    read = [between(*sorted(numbers.constant(At(number())) for _ in range(2))) for _ in range(3)]
    found = []
    for corner in product(*map(ends, read)):
        exact = [sum(c * corner[k] for k, c in each.terms) + (each.constant[0] << numbers.unit) for each in (first, second)]
        found.append(2 * (exact[0] - exact[1]))
        computed = [boxes.applied(each, list(corner)) << numbers.unit + 1 for each in (first, second)]
        low, high = boxes.together([(1, first), (-1, second)], read)
        error = sum(boxes.error(each, read) for each in (first, second))
        assert 2 * low - error <= computed[0] - computed[1] <= 2 * high + error
    assert (2 * low, 2 * high) == (min(found), max(found))


@pytest.mark.parametrize(("low", "high", "size"), [(-1, 3, 3), (-5, 2, 5), (-4, -2, 4), (3, 3, 3), (-3, -3, 3)])
def test_the_largest_size_in_a_box(low: int, high: int, size: int) -> None:
    assert largest(between(low, high)) == size


def test_a_map_that_may_leave_its_format_is_refused() -> None:
    numbers = Numbers(At(arithmetic_record({"format": "e4m3", "overflow": "nan"})), Limits())
    assert rounding_of_sum(numbers, [300 * int(numbers.per_one) << numbers.unit], numbers.unit, True) > 0
    with pytest.raises(Rejected, match="beyond the format"):
        rounding_of_sum(numbers, [500 * int(numbers.per_one) << numbers.unit], numbers.unit, True)


def test_a_map_that_just_stays_within_its_format_is_not_refused() -> None:
    """The largest number is 65504, and numbers below it are 32 apart, by which the product may be rounded up."""
    numbers = Numbers(At(arithmetic_record({"format": "float16", "overflow": "infinity"})), Limits())
    size = (65504 - 32) * int(numbers.per_one) << numbers.unit
    assert rounding_of_sum(numbers, [size], numbers.unit, True) == 32 * int(numbers.per_one) << numbers.unit
    with pytest.raises(Rejected, match="beyond the format"):
        rounding_of_sum(numbers, [size + 1], numbers.unit, True)


def of_hidden(t: Any, read: list[Any], units: Any) -> tuple[list[Any], list[Any]]:
    """Hidden units before their activation, and with their gates."""
    inside = [t.applied(each, read) for each in units.hidden]
    hidden = [t.activation(units.activation, value) for value in inside]
    return inside, [
        t.numbers.multiply(u, t.applied(gate, read)) for u, gate in zip(hidden, units.gate, strict=True)
    ] if units.gate else hidden


@pytest.mark.long("relu-True", "silu-False", "identity-False", "identity-True")
@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("activation", ["relu", "silu", "identity"])
def test_a_map_of_hidden_units_lies_between_its_ends(activation: str, gated: bool) -> None:
    """Which are nearer to each other than those of the units taken alone, where some units leave what is inside as it is."""
    rng, met, nearer = Random(f"{activation} {gated} map 11"), 0, 0
    for _ in range(60):
        logits, digits = [form("", x="1"), form("", h="1")], [["%", ["//", "a", "1"], "2"]]
        made = decoder({"a": "1"}, [head("softmax", [["0"] * 2] * 2)], hinges(rng, activation, gated), logits, digits, [])
        numbers = Numbers(At(arithmetic_record({"format": "float:6:5", "overflow": "infinity"})), Limits())
        boxes = Boxes(Answers(At(made["cases"][0]["network"]), numbers), [])
        (units,) = boxes.layers[1].units
        held = sorted({numbers.fraction(Fraction(k, 8)) for k in range(-64, 65)})
        first = rng.randrange(len(held) - 9)
        inside_of_box = held[first : first + 9]
        fixed = [numbers.constant(At(rng.choice(["1", "-2", "3/2", "7/2", "12"]))) for _ in range(2)]
        read = [*fixed, between(inside_of_box[0], inside_of_box[-1])]
        network = Answers(At(made["cases"][0]["network"]), numbers).network
        for into in units.into.values():
            try:
                inside, hidden = of_hidden(boxes, read, units)
                found, alone = boxes.of_units(units, into, read, inside, hidden), boxes.applied(into, hidden)
            except (Open, Rejected):
                continue
            (low, high), (least, most) = ends(found), ends(alone)
            assert least <= low <= high <= most
            nearer += (least, most) != (low, high)
            for value in inside_of_box:
                _, computed = of_hidden(network, [*fixed, value], units)
                assert low <= network.applied(into, computed) <= high
                met += network.applied(into, computed) in (low, high)
    assert met > 10
    assert nearer > 0


def test_the_rounding_inside_of_hidden_units_is_counted() -> None:
    """Where large terms inside cancel, what is computed is far from what the exact map comes to."""
    rng, narrower = Random("cancel"), 0
    numbers = Numbers(At(arithmetic_record({"format": "float:5:5", "overflow": "infinity"})), Limits())
    held = sorted({numbers.fraction(Fraction(k, 8)) for k in range(8, 33)})
    for _ in range(60):
        number = partial(rng.choice, ["33", "35", "21", "29", "13/3"])
        of_h = f"-{number()}"
        hidden = [form(constant, x=number(), h=of_h) for constant in ("1", "")]
        units = {"activation": "identity", "hidden": hidden, "gate": [], "into": [["x", form(first="1", second="-1")]], "factor": []}
        logits, digits = [form("", x="1"), form("", h="1")], [["%", ["//", "a", "1"], "2"]]
        layer = layer_record(units=[units], residual=False)
        made = decoder({"a": "1"}, [head("softmax", [["0"] * 2] * 2)], [layer], logits, digits, [])
        network = Answers(At(made["cases"][0]["network"]), numbers).network
        boxes = Boxes(Answers(At(made["cases"][0]["network"]), numbers), [])
        (of,), x, first = boxes.layers[1].units, rng.choice(held), rng.randrange(len(held) - 4)
        read = [x, numbers.one, between(held[first], held[first + 4])]
        inside, computed = of_hidden(boxes, read, of)
        (into,) = of.into.values()
        low, high = ends(boxes.of_units(of, into, read, inside, computed))
        narrower += (low, high) != ends(boxes.applied(into, computed))
        for value in held[first : first + 5]:
            _, computed = of_hidden(network, [x, numbers.one, value], of)
            assert low <= network.applied(into, computed) <= high
    assert narrower > 1


@pytest.mark.parametrize("gate", [form("-1", h="1"), form("-8", h="2")], ids=["from 0 on", "of both signs"])
def test_wider_ends_of_a_gate_hold_what_nearer_ones_come_to(gate: Any) -> None:
    """Each unit is nearly the other one, so that what is rounded inside matters, times the largest size of the gate."""
    rng, wider = Random("gates"), 0
    numbers = Numbers(At(arithmetic_record({"format": "float:5:5", "overflow": "infinity"})), Limits())
    held = sorted({numbers.fraction(Fraction(k, 8)) for k in range(8, 65)})
    for _ in range(60):
        hidden = [form(constant, x=rng.choice(["30", "34", "38"]), one=rng.choice(["-34", "-60"])) for constant in ("1", "")]
        units = {
            "activation": "identity",
            "hidden": hidden,
            "gate": [gate] * 2,
            "into": [["x", form(first="1", second="-1")]],
            "factor": [],
        }
        logits, layer = [form("", x="1"), form("", h="1")], layer_record(units=[units], residual=False)
        made = decoder({"a": "1"}, [head("softmax", [["0"] * 2] * 2)], [layer], logits, [["%", ["//", "a", "1"], "2"]], [])
        boxes = Boxes(Answers(At(made["cases"][0]["network"]), numbers), [])
        (of,), k = boxes.layers[1].units, rng.randrange(len(held) - 1)
        (into,), x = of.into.values(), between(held[k], held[k + 1])
        found = []
        for h in (between(held[0], held[-1]), held[0], held[-1]):
            inside, computed = of_hidden(boxes, [x, numbers.one, h], of)
            found.append(ends(boxes.of_units(of, into, [x, numbers.one, h], inside, computed)))
        assert found[0][0] <= min(found[1:])[0] <= max(high for _, high in found[1:]) <= found[0][1]
        wider += found[0] != found[2]
    assert wider


def test_an_output_ends_with_the_symbol_until_which_it_is_appended() -> None:
    """Also the right one: of the last bit and the first, the first is appended only behind 0."""
    stops = put(*NETWORK, "output", "until", value="1")(put("cases", 0, "evidence", value=INPUTS)(MADE["leftmost"]))
    assert answered(sealed(stops)).startswith("accepted: right on all 4 inputs of s")
    said = answered(sealed(put(*NETWORK, "output", "function", 0, value="0")(stops)))
    assert "s = 0 1 is answered with 1, 0 0 was expected" in said


@pytest.mark.parametrize("case", range(60))
def test_a_logit_above_the_others_is_above_them_for_every_number(case: int) -> None:
    """Of logits that are nearly alike, with as much rounding as their digits leave, in either or in both."""
    rng = Random(f"logits {case}")
    numbers = Numbers(At(arithmetic_record({"format": "float:4:5", "overflow": "infinity"})), Limits())
    number = partial(rng.choice, ["5", "7", "9", "11", "13", "15/4", "-5", "-7", "-9", "-11"])
    x, h, more = number(), number(), rng.choice(["1", "2", "4", "-1"])
    logits = [form(more, x=x, h=h), form("", x=x, h=h), form("", h="1/8")][:: rng.choice([1, -1])]
    made = decoder({"a": "1"}, [head("softmax", [["0"] * 2] * 2)], [], logits[:2], [["%", ["//", "a", "1"], "2"]], [])
    answers = Answers(At(made["cases"][0]["network"]), numbers)
    boxes = Boxes(answers, answers.network.layers)
    held = sorted({numbers.fraction(Fraction(k, 8)) for k in range(8, 33)})
    for _ in range(40):
        first, x = rng.randrange(len(held) - 4), rng.choice(held)
        certain = [boxes.above([x, numbers.one, between(held[first], held[first + 4])], right) for right in (0, 1)]
        chosen = {answers.chosen([x, numbers.one, value]) for value in held[first : first + 5]}
        assert all(chosen == {right} for right in (0, 1) if certain[right])


def test_units_are_straight_from_0_on() -> None:
    numbers = Numbers(At(arithmetic_record({"format": "float16", "overflow": "infinity"})), Limits())
    boxes = Boxes(Answers(At(adder()["cases"][0]["network"]), numbers), [])
    for activation, low, holds in (("relu", 0, True), ("relu", -1, False), ("identity", -1, True), ("step", 0, False), ("silu", 0, False)):
        assert boxes.straight(activation, low) is holds
