"""Each field of a network and of a formula: what stands just inside its bounds is read, and what stands just outside is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from tests.rows import tables, titled
from tests.verifier.certificates.decoders import MADE, form
from tests.verifier.certificates.samples import put, refused
from verifier.certificates.recheck_answers import Answers, Formula, shortened
from verifier.certificates.recheck_numbers import INF, NAN, Between, Numbers, between
from verifier.certificates.recheck_reading import At, Limits, Open, TooMuch, Unknown
from verifier.certificates.statement import arithmetic_record

Change = Callable[[Any], Any]
HEAD, UNITS, OUTPUT = ("layers", 0, "heads", 0), ("layers", 1, "units", 0), ("output",)
NORM = {"kind": "rms", "eps": "1", "only": [], "gain": [], "shift": []}
SOME = {"only": ["x", "h"], "gain": [["x", "2"]], "shift": [["h", "1"]]}
ACCEPT = {"kind": "accept", "function": "true", "promise": "true", "at": "0", "yes": "true", "no": "true", "nan": "nan"}
ROWS = ["111"] * 3


def read(change: Change, **knobs: str) -> Answers:
    """A network of three tokens that appends one bit, changed."""
    given = change(copy.deepcopy(MADE["adder"]["cases"][0]["network"]))
    return Answers(At(given), Numbers(At(arithmetic_record({"format": "float16", "overflow": "infinity", **knobs})), Limits()))


def both(*changes: Change) -> Change:
    def change(given: Any) -> Any:
        for each in changes:
            given = each(given)
        return given

    return change


READ: list[tuple[str, Change]] = [
    ("as it is", lambda x: x),
    (
        "256 coordinates",
        both(put("coordinates", value=lambda x: [*x, *(f"c{k}" for k in range(253))]), put("tokens", value=lambda x: widened(x, 253))),
    ),
    ("strings of 4,200 symbols", put("strings", "a", value="4200")),
    ("an empty string", put("strings", value=lambda x: {**x, "c": "0"})),
    ("a mask", put(*HEAD, "seen", value=ROWS)),
    (
        "a turn for two entries",
        both(*(put(*HEAD, key, value=lambda x: x * 2) for key in ("query", "key")), put(*HEAD, "turns", value=[[["1", "0"]] * 3])),
    ),
    ("two values", put("layers", 0, "combine", 0, 1, value=[["0", "0", "1"]] * 2)),
    ("gates", put(*UNITS, "gate", value=[form(one="1")] * 2)),
    (
        "a norm of some coordinates",
        put("layers", 1, "after", value=[{**NORM, **SOME}]),
    ),
    ("powers of 2", put(*HEAD, "base", value="2")),
    ("64 symbols, two letters", put("symbols", value=[str(k) for k in range(64)])),
]


def widened(tokens: Any, by: int) -> Any:
    return [[reads, [[*x, *["0"] * by] for x in vectors]] for reads, vectors in tokens]


@pytest.mark.parametrize(("title", "change"), READ, ids=[title for title, _ in READ])
def test_a_field_within_its_bounds_is_read(title: str, change: Change) -> None:
    if title.startswith("64"):
        change = both(change, put("output", "logits", value=lambda x: x * 32))
    assert read(change).steps == 1


REFUSED: list[tuple[str, Change, str]] = [
    *refused("fields"),
    ("257 coordinates", put("coordinates", value=lambda x: [*x, *(f"c{k}" for k in range(254))]), "up to 256 different names"),
    ("65 symbols", put("symbols", value=[str(k) for k in range(65)]), "2 to 64 different symbols"),
    ("too many tokens", put("tokens", value=lambda x: [*x, *[[[], [["0", "0", "0"]]]] * 4198]), "up to 4200 tokens"),
    (
        "as many tokens, and one output",
        both(put("tokens", value=lambda x: [*x, *[[[], [["0", "0", "0"]]]] * 4197]), put("outputs", value=[[["0", "1", "0"]] * 2])),
        "up to 4200 tokens",
    ),
    ("units beside heads", lambda x: put("layers", 0, "units", value=x["layers"][1]["units"])(x), "no units beside heads"),
]


@pytest.mark.parametrize(("title", "change", "reason"), REFUSED, ids=titled)
def test_a_field_outside_of_its_bounds_is_refused(title: str, change: Change, reason: str) -> None:
    with pytest.raises(Unknown) as refusal:
        read(change)
    assert reason in str(refusal.value)


@pytest.mark.parametrize(("attention", "read_there"), [("values", True), ("inputs", False), ("products", False)])
def test_values_have_constants_where_they_are_formed_first(attention: str, read_there: bool) -> None:
    change = put(*HEAD, "value", value=[form("1", x="1")])
    if read_there:
        read(change, attention=attention)
    else:
        with pytest.raises(Unknown, match="values without constants"):
            read(change, attention=attention)


def test_a_mask_shows_these_tokens() -> None:
    rows = ["010", "101", "001"]
    network = read(put(*HEAD, "seen", value=rows)).network
    (head,), x = network.layers[0].heads, network.tokens[2].vectors[0]
    tokens = network.keyed(head, [[x]] * 3)
    told = [[score for ((score, _),) in network.told(head, tokens, x, i, 0)] for i in range(3)]
    assert ["".join("01"[score is not None] for score in scores) for scores in told] == rows


@pytest.mark.parametrize("residual", [False, True])
def test_coordinates_that_a_layer_does_not_set_are_kept_only_by_a_residual(residual: bool) -> None:
    network = read(put("layers", 0, "residual", value=residual)).network
    one = network.numbers.one
    assert network.after(network.layers[0], [one, one, one], {2: one}) == ([one, one, 2 * one] if residual else [0, 0, one])


NORMS: list[tuple[dict[str, Any], list[int], list[str]]] = [
    ({"kind": "rms", "eps": "0"}, [1, 5, 7], ["1/5", "1", "7/5"]),
    ({"kind": "layer", "eps": "0", "only": ["x", "h"]}, [1, 5, 3], ["-1", "0", "1"]),
    ({"kind": "rms", "eps": "0", "only": ["x", "h"]}, [1, 9, 7], ["1/5", "0", "7/5"]),
    ({"kind": "rms", "eps": "11", "only": ["x", "h"]}, [1, 5, 7], ["1/6", "0", "7/6"]),
    (
        {"kind": "layer", "eps": "0", "only": ["x", "h"], "gain": [["h", "2"]], "shift": [["x", "3"], ["h", "1"]]},
        [1, 5, 3],
        ["2", "0", "3"],
    ),
]


@pytest.mark.parametrize(("norm", "given", "expected"), NORMS, ids=str)
def test_a_norm_of_these_coordinates(norm: dict[str, Any], given: list[int], expected: list[str]) -> None:
    network = read(put("layers", 1, "after", value=[{**NORM, **norm}]), format="float64").network
    found = network.normed([x * network.numbers.one for x in given], network.layers[1].after[0])
    assert found == [network.numbers.fraction(Fraction(x)) for x in expected]


@pytest.mark.parametrize(
    ("ends", "answer"), [((INF, INF), "yes"), ((-INF, -INF), "no"), ((2, INF), "yes"), ((-INF, -1), "no"), ((NAN, NAN), "nan")]
)
def test_an_infinity_is_compared_with_numbers(ends: tuple[int, int], answer: str) -> None:
    conditions = {"yes": [">", "x", "0"], "no": ["<", "x", "0"], "nan": "nan"}
    answers = read(put(*OUTPUT, value={"kind": "accept", "function": "true", "promise": "true", "at": "0", **conditions}))
    assert answers.of([between(*ends), 0, 0]) == answer


FORMULAS = tables(__file__, "refused.toml")["formulas"]
X = Fraction(7, 2)
STRINGS = {(name, k): int(symbol) for name, symbols in (("w", "1011"), ("v", "0011")) for k, symbol in enumerate(symbols)} | {"x": X}


def formula(data: Any, letters: int = 2) -> Formula:
    return Formula(At(data), {"w": 4, "v": 4, "u": 3}, letters, ("x",), Limits())


@pytest.mark.parametrize(("data", "value"), FORMULAS["have"], ids=str)
def test_a_formula_has_its_value(data: Any, value: Any) -> None:
    assert formula(data).value(STRINGS) == (value if isinstance(value, bool) else Fraction(value))


@pytest.mark.parametrize("data", [*FORMULAS["are_none"], None], ids=str)
def test_what_is_no_formula_is_refused(data: Any) -> None:
    with pytest.raises(Unknown):
        formula(data)


HUGE = [["*", *(["**", "2", "2000"],) * 11], ["/", ["*", *(["**", "3", "1200"],) * 6], ["*", *(["**", "5", "1200"],) * 4]]]
"""The one is no longer computed, the other no longer reduced."""


@pytest.mark.parametrize("data", [*FORMULAS["lack"], *HUGE], ids=str)
def test_an_operation_without_a_value_is_refused(data: Any) -> None:
    found = Formula(At(data), {}, 2, ("x", "out"), Limits())
    with pytest.raises(Unknown):
        found.value({"x": X, "out": float("inf")})


def test_powers_and_sizes_just_within_their_bounds_have_values() -> None:
    assert formula(["**", "2", "2048"]).value({}) == 2**2048
    assert formula(["*", *(["**", "2", "2000"],) * 9]).value({}) == 2**18000


def test_a_right_answer_of_1000_characters_is_printed_as_a_whole() -> None:
    assert [shortened("x" * count) for count in (1000, 1001)] == ["x" * 1000, "x" * 997 + "..."]


def test_ones_are_those_of_bits_only() -> None:
    with pytest.raises(Unknown, match="a string of bits"):
        formula(["popcount", "w"], letters=3)
    assert formula(["popcount", "w"]).value({"w": 2}) == 2


def test_orders_are_of_two_strings_of_one_length() -> None:
    assert formula(["<", "v", "w"]).orders == {("v", "w")}
    assert formula(["<", "u", "w"]).orders == formula(["<", "w", "w"]).orders == set()
    assert [formula([named, "v", "w"]).value({("v", "w"): sign}) for named in ("<", "==", ">") for sign in (-1, 0, 1)] == [
        True, False, False, False, True, False, False, False, True,
    ]  # fmt: skip


def test_a_symbol_that_is_not_known_is_not_guessed() -> None:
    with pytest.raises(Unknown, match="not known"):
        formula("w").value({("w", 0): 1, ("w", 1): 1, ("w", 2): 1})
    assert formula(["bits", "w", "1", "3"]).value({("w", 0): 1, ("w", 1): 1, ("w", 2): 1}) == 7


def test_what_a_formula_reads_is_named() -> None:
    found = formula(["and", ["==", ["bits", "w", "2", "3"], "x"], ["==", ["popcount", "v"], "u"]])
    assert found.symbols == {("w", 1), ("w", 2), ("u", 0), ("u", 1), ("u", 2)}
    assert (found.counts, found.names, found.orders) == ({"v"}, {"x"}, set())


def test_no_operation_is_of_a_number_of_which_only_ends_are_known() -> None:
    for data in (["abs", "x"], ["+", "x", "1"], ["max", "x", "1"], ["/", "1", "x"], ["**", "x", "1"], ["popcount", "x"]):
        with pytest.raises(Open):
            formula(data).value({"x": Between(0, 1)})
    assert formula(["<", "x", "2"]).value({"x": Between(0, 1)}) is True


def test_work_is_counted_by_the_parts_of_a_formula() -> None:
    limits = Limits(work=10)
    found = Formula(At(["+", "1", "2", "3"]), {}, 2, (), limits)
    found.value({})
    assert limits.spent == 4
    assert formula(["bits", "w", "2", "4"]).size == 3
    assert formula(["<", "w", "v"]).size == 1 + 2 * 3
    found.value({})
    with pytest.raises(TooMuch):
        found.value({})


@pytest.mark.parametrize("steps", [4096, 4097])
def test_a_network_appends_up_to_4096_symbols(steps: int) -> None:
    digit, row = ["%", ["//", "a", "1"], "2"], [["0", "1", "0"], ["1", "1", "0"]]
    outputs = both(put(*OUTPUT, "function", value=[digit] * steps), put("outputs", value=[row] * (steps - 1)))
    change = both(outputs, put(*HEAD, "bias", value=[]))
    if steps == 4096:
        assert read(change).steps == steps
    else:
        with pytest.raises(Unknown, match="1 to 4096 right outputs"):
            read(change)
