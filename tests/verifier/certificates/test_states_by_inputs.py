"""States beside every input: of random networks whose right answers are what they answer, and of these with one answer changed."""

from __future__ import annotations

from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.verifier.certificates.decoders import form, head
from tests.verifier.certificates.samples import INPUTS, STATES, good, put
from tests.verifier.certificates.test_rules import answered, strictly_causal
from verifier.certificates import recheck_states
from verifier.certificates.recheck_answers import Answers
from verifier.certificates.recheck_network import Sum
from verifier.certificates.recheck_numbers import INF, NAN, Numbers
from verifier.certificates.recheck_reading import At, Limits, Rejected
from verifier.certificates.recheck_states import OneHead, Walk, check_quotients, denominators
from verifier.certificates.statement import arithmetic_record, certificate, layer_record

NUMBERS = ["0", "1", "-1", "1/2", "2", "-3", "1/4"]
KNOBS: list[dict[str, str]] = [{}, {"division": "output"}, {"maximum": "kept"}, {"maximum": "kept", "division": "output"}]
KNOBS += [{"attention": "inputs", "division": "output"}, {"attention": "products"}]


def spelled(answers: dict[tuple[int, ...], str], length: int) -> Any:
    """A formula that is true where the answer is yes, of all symbols of w."""

    def below(prefix: tuple[int, ...]) -> Any:
        if len(prefix) == length:
            return "true" if answers[prefix] == "yes" else "false"
        k = str(len(prefix) + 1)
        return ["if", ["==", ["bits", "w", k, k], "0"], below((*prefix, 0)), below((*prefix, 1))]

    return below(())


def made(rng: Random, kind: str, knobs: dict[str, str], length: int, alike: bool = False, layers: int = 1, asks: bool = False) -> Any:
    """A certificate of a random network; its right answers are all yes."""
    number = lambda: rng.choice(NUMBERS)  # noqa: E731
    one = [[number(), "1", "0"], [number(), "1", "0"]]
    tokens = [[[["w", str(k)]], one if alike else [[number(), "1", "0"], [number(), "1", "0"]]] for k in range(length)]
    rng.shuffle(tokens)
    tokens.append([[["w", "0"]], [["1", "1", "0"], ["-1", "1", "0"]]] if asks else [[], [[number(), "1", "0"]]])
    bias = [["0"] * len(tokens)] * len(tokens) if alike else [[number() for _ in tokens] for _ in tokens]
    heads = [
        {**head(kind, bias if rng.random() < 0.7 else []), "key": [form(x=number(), one=number())], "value": [form(x=number(), one="1")]}
        for _ in range(rng.choice([1, 2]))
    ]
    if knobs.get("attention", "values") == "inputs":
        heads = [{**each, "value": [form(x=number())]} for each in heads]
    combine = [["h", [[str(k), "0", number()] for k in range(len(heads))]]]
    hidden = {"activation": "relu", "hidden": [form(number(), x="1", h="2")], "gate": [], "into": [["x", form(number(), first="1")]]}
    network = [layer_record(units=[{**hidden, "factor": []}], residual=rng.random() < 0.5)] if rng.random() < 0.5 else []
    layer = layer_record(heads=heads, combine=combine)
    uniform = {**head("softmax", []), "query": [], "key": [], "value": [form(x="1", one="0")]}
    first = {**layer, "heads": [uniform], "combine": [["x", [["0", "0", "2"]]]]}
    output = {"kind": "accept", "function": "true", "promise": "true", "at": str(len(tokens) - 1), "nan": "no"}
    output |= {"yes": "true", "no": "true"}
    record = {"coordinates": ["x", "one", "h"], "symbols": ["0", "1"], "letters": "2", "strings": {"w": str(length)}, "tokens": tokens}
    record |= {"outputs": [], "layers": [first] * (layers - 1) + [layer, *network], "output": output}
    arithmetic = arithmetic_record({"format": rng.choice(["float16", "e4m3", "e5m2"]), **knobs})
    arithmetic["overflow"] = "nan" if arithmetic["format"] == "e4m3" else "infinity"
    return certificate("mine", "", arithmetic, [{"parameters": {}, "network": record, "evidence": STATES}])


def run(given: Any, length: int) -> dict[tuple[int, ...], str]:
    """The answer to every input: yes where h is above the smallest h of all inputs, if that is a number."""
    output = given["cases"][0]["network"]["output"]
    answers = Answers(At(given["cases"][0]["network"]), Numbers(At(given["arithmetic"]), Limits(work=1 << 40)))
    t, inputs = answers.network, list(product((0, 1), repeat=length))
    vectors = [
        [token.vectors[sum(bits[k] << i for i, (_, k) in enumerate(reversed(token.reads)))] for j, token in enumerate(t.tokens)]
        for bits in inputs
    ]
    found = [t.run(each, answers.at)[2] for each in vectors]
    least = min((h for h in found if -INF < h < INF), default=0)
    output["yes"] = [">", "h", str(answers.numbers.value(least))]
    return {bits: "yes" if h != NAN and h > least else "no" for bits, h in zip(inputs, found, strict=True)}


def accepted(given: Any, function: Any, promise: Any = "true") -> str:
    given["cases"][0]["network"]["output"] |= {"function": function, "promise": promise}
    (case,) = given["cases"]
    return answered(certificate("mine", "", given["arithmetic"], [case]))


@pytest.mark.one_in(10)
@pytest.mark.parametrize("knobs", KNOBS, ids=str)
@pytest.mark.parametrize("kind", ["softmax", "linear", "leftmost", "rightmost", "average-hard"])
def test_states_say_what_every_input_says(kind: str, knobs: dict[str, str]) -> None:
    rng, several = Random(f"{kind} {knobs}"), 0
    for case in range(8):
        length = rng.choice([2, 3, 4])
        given = made(rng, kind, knobs, length, layers=(1, 1, 1, 2, 1, 3)[case % 6], asks=case % 3 == 1)
        answers = run(given, length)
        several += len(set(answers.values())) > 1
        assert accepted(given, spelled(answers, length)).startswith(f"accepted: right on all {2**length} inputs of w"), case
        wrong = rng.choice(list(answers))
        other = {**answers, wrong: "no" if answers[wrong] == "yes" else "yes"}
        said = accepted(given, spelled(other, length))
        assert "are answered with" in said, said
        kept = ["or", *(["!=", ["bits", "w", str(k + 1), str(k + 1)], str(bit)] for k, bit in enumerate(wrong))]
        assert accepted(given, spelled(other, length), kept).startswith(f"accepted: right on all {2**length - 1} inputs of w")
    assert several


@pytest.mark.parametrize("kind", ["softmax", "linear", "leftmost", "rightmost", "average-hard"])
@pytest.mark.parametrize("asks", [False, True])
def test_strings_of_one_symbol(kind: str, asks: bool) -> None:
    """The two inputs, and each of them answered otherwise."""
    rng, several = Random(f"{kind} {asks}"), 0
    for layers in (1, 2, 1, 2):
        given = made(rng, kind, {}, 1, layers=layers, asks=asks)
        answers = run(given, 1)
        several += len(set(answers.values())) > 1
        assert accepted(given, spelled(answers, 1)).startswith("accepted: right on all 2 inputs of w of 1 symbols")
        for wrong, answer in answers.items():
            said = accepted(given, spelled({**answers, wrong: "no" if answer == "yes" else "yes"}, 1))
            assert f"1 inputs are answered with {answer}" in said, said
    assert several


@pytest.mark.parametrize("kind", ["softmax", "average-hard", "linear"])
def test_ones_are_counted(kind: str) -> None:
    """Of networks whose tokens are alike, right by the number of ones; and wrong for one number."""
    rng, several = Random(kind), 0
    for _ in range(6):
        given = made(rng, kind, {}, 4, alike=True)
        answers = run(given, 4)
        by_count = {sum(bits): answer for bits, answer in answers.items()}
        if any(by_count[sum(bits)] != answer for bits, answer in answers.items()):
            continue  # sums from left to right may depend on the order
        several += 1
        right = ["or", "false", *(["==", ["popcount", "w"], str(k)] for k, answer in by_count.items() if answer == "yes")]
        assert accepted(given, right).startswith("accepted: right on all 16 inputs")
        assert "are answered with" in accepted(given, ["not", right])
        assert "are answered with" in accepted(given, ["if", ["==", ["popcount", "w"], "3"], ["not", right], right])
    assert several > 1


COMPARED = ["==", "!=", "<", "<=", ">", ">="]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("named", COMPARED)
def test_two_strings_are_compared_in_any_order_of_tokens(named: str) -> None:
    """One number more for a symbol of y, and one less for z: the sum is above 0 where y is above z."""
    for case in range(6):
        rng = Random(f"{named} {case}")
        places = [(name, k) for name in "yz" for k in range(3)]
        rng.shuffle(places)
        groups = [places[:2], places[2:4], places[4:]] if case % 2 else [[place] for place in places]
        weight = {(name, k): (1 if name == "y" else -1) << (2 - k) for name, k in places}
        tokens: list[Any] = []
        for group in groups:
            vectors = [
                [str(sum(weight[p] for p, bit in zip(group, bits, strict=True) if bit)), "1", "0"]
                for bits in product((0, 1), repeat=len(group))
            ]
            tokens.append([[[name, str(k)] for name, k in group], vectors])
        tokens.append([[], [["0", "1", "0"]]])
        of = {**head("linear", []), "query": [form(one="1")], "key": [form(one="1")], "value": [form(x="1")]}
        layer = layer_record(heads=[of], combine=[["h", [["0", "0", "1"]]]])
        output = {"kind": "accept", "function": [named, "y", "z"], "promise": "true", "at": str(len(tokens) - 1), "nan": "no"}
        output |= {"yes": [named, "h", "0"], "no": "true"}
        record = {
            "coordinates": ["x", "one", "h"],
            "symbols": ["0", "1"],
            "letters": "2",
            "strings": {"y": "3", "z": "3"},
            "tokens": tokens,
        }
        record |= {"outputs": [], "layers": [layer], "output": output}
        given = certificate(
            "mine",
            "",
            arithmetic_record({"format": "float16", "overflow": "infinity"}),
            [{"parameters": {}, "network": record, "evidence": STATES}],
        )
        assert accepted(given, [named, "y", "z"]).startswith("accepted: right on all 64 inputs of y of 3 symbols, z of 3 symbols"), case
        assert accepted(given, [named, "y", "z"], ["<=", "y", "z"]).startswith("accepted: right on all 36 inputs")
        assert accepted(given, [named, "y", "z"], ["==", "y", "z"]).startswith("accepted: right on all 8 inputs")
        for other in COMPARED:
            if other != named:
                assert "inputs are answered with" in accepted(given, [other, "y", "z"])


@pytest.mark.parametrize("kind", ["softmax", "linear", "leftmost", "average-hard"])
@pytest.mark.parametrize("division", ["weights", "output"])
def test_a_head_that_sees_no_token_gives_0(kind: str, division: str) -> None:
    given = made(Random(kind), kind, {"division": division}, 3)
    record = given["cases"][0]["network"]
    seen = strictly_causal(len(record["tokens"]))
    record["layers"][0]["heads"] = [{**each, "seen": seen} for each in record["layers"][0]["heads"]]
    record["output"]["at"] = "0"
    answers = run(given, 3)
    assert accepted(given, spelled(answers, 3)).startswith("accepted: right on all 8 inputs of w")
    assert "are answered with" in accepted(given, ["not", spelled(answers, 3)])


UNREAD = [
    (["==", ["popcount", "y"], "1"], "0"),
    (["==", ["bits", "y", "2", "2"], "1"], "0"),
    (["<", "y", "z"], "2"),
    (["!=", "z", "y"], "2"),
]


@pytest.mark.parametrize(("function", "zeros"), UNREAD, ids=str)
def test_symbols_that_no_token_reads_take_part_in_the_right_answer(function: Any, zeros: str) -> None:
    """The first symbol of y is read, its second is not, and z is not; the network says whether the first one is 1."""
    given = made(Random(1), "linear", {}, 1)
    record = given["cases"][0]["network"]
    record |= {"strings": {"y": "2", "z": zeros}, "tokens": [[[["y", "0"]], [["0", "1", "0"], ["1", "1", "0"]]], [[], [["0", "1", "0"]]]]}
    of = {**head("linear", []), "query": [form(one="1")], "key": [form(one="1")], "value": [form(x="1")]}
    record["layers"] = [layer_record(heads=[of], combine=[["h", [["0", "0", "1"]]]])]
    record["output"]["yes"] = [">", "h", "0"]
    right = ["==", ["bits", "y", "1", "1"], "1"]
    assert accepted(given, right).startswith(f"accepted: right on all {4 << int(zeros)} inputs of y")
    assert "are answered with" in accepted(given, function)
    unless = ["or", ["and", function, right], ["not", ["or", function, right]]]
    assert accepted(given, function, unless).startswith("accepted: right on all ")


@pytest.mark.parametrize("evidence", [STATES, INPUTS], ids=["states", "inputs"])
@pytest.mark.parametrize("kind", ["leftmost", "rightmost"])
def test_one_hot_attention_chooses_the_first_or_the_last(kind: str, evidence: dict[str, str]) -> None:
    """Of two tokens whose scores are alike."""
    empty = {part: [] for part in ("query", "key", "scale", "seen", "bias", "turns", "normed")}
    head = {"kind": kind, "score": "product", "base": "e", **empty, "value": [[[["0", "1"]], []]]}
    layer = layer_record(heads=[head], combine=[["x", [["0", "0", "1"]]]], residual=False)
    for place in ("1", "2"):
        network: dict[str, Any] = {
            "coordinates": ["x"],
            "symbols": ["0", "1"],
            "letters": "2",
            "strings": {"w": "2"},
            "tokens": [[[["w", str(k)]], [["0"], ["1"]]] for k in range(2)],
            "outputs": [],
            "layers": [layer],
            "output": {"kind": "accept", "function": ["==", ["bits", "w", place, place], "1"], "promise": "true", "at": "1"},
        }
        network["output"] |= {"yes": [">", "x", "1/2"], "no": "true", "nan": "nan"}
        case = {"parameters": {}, "network": network, "evidence": evidence}
        said = answered(certificate("mine", "", arithmetic_record({"format": "float16", "overflow": "infinity"}), [case]))
        assert said.startswith("accepted") is ((kind, place) in (("leftmost", "1"), ("rightmost", "2"))), said


def test_a_sum_is_alike_where_no_content_changes_it() -> None:
    assert Sum(0, max, [[1, 1], [None], [2, 2]]).alike()
    assert Sum(0, max, [[1, 1], [None], [2, 2]]).fixed() == 2
    assert not Sum(0, max, [[1, 1], [1, None]]).alike()
    assert not Sum(0, max, [[1, 2]]).alike()


@pytest.mark.parametrize(("sums", "ends"), [(([0, 1], [2, 3]), ((8, 1), (-8, 4))), (([0, 3], [1, 2]), ((8, 4), (1, -8)))])
def test_columns_of_two_blocks_are_summed_in_their_order(sums: Any, ends: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of numbers of three digits 8 + 1 is 8, and 8 - 8 is 0; the denominator is the last sum, of either block."""
    given = arithmetic_record({"format": "float:3:6", "overflow": "infinity", "ties": "zero"})
    numbers, asked = Numbers(At(given), Limits()), []
    t: Any = SimpleNamespace(linear=False, columns=3, numbers=numbers, t=SimpleNamespace(limits=Limits()))
    first, second = ({tuple(numbers.fraction(x) for x in end): 1} for end in ends)
    monkeypatch.setattr(recheck_states, "check_quotients", lambda t, tops, bottoms, wanted: asked.append((*tops, *bottoms)))
    recheck_states.check_ends(t, sums, (first, second), "yes")
    assert asked == [(0, numbers.fraction(4))]


def test_states_that_miss_an_input_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = Walk.ends
    monkeypatch.setattr(Walk, "ends", lambda *given: [*ends(*given)][1:])
    assert "the states hold 0 of 32 inputs" in answered(good("prefixes"))


def test_states_whose_order_breaks_the_promise_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a block that ends before the cut, where y is above z."""
    asked, ends = [], OneHead.ends
    monkeypatch.setattr(OneHead, "ends", lambda t, *given: asked.append(given[2:]) or ends(t, *given))
    assert answered(good("pairs in two blocks")).startswith("accepted")
    assert asked == [((((-1, 1),),),), ()]


def test_denominators_are_the_sums_of_as_many_weights_or_more() -> None:
    """Of strings of every length: here sums of eleven tokens, and of up to thirty."""
    given = good("length")
    answers = Answers(At(given["cases"][0]["network"]), Numbers(At(given["arithmetic"]), Limits()))
    t = OneHead(answers, "here")
    for weights in ([0, 1], [1], [1, 2], [0, 2]):
        t.sums[-1] = t.sums[-1]._replace(grow=lambda x, y: min(x + y, 9), adds=[[w] for w in weights])
        t.t.tokens = t.t.tokens[:3]
        expected = {min(sum(choice), 9) for count in range(3, 10) for choice in product(weights, repeat=count)}
        assert denominators(t) == expected


@pytest.mark.parametrize("wrong", [None, *product(range(5), range(1, 4))])
def test_every_quotient_of_a_rectangle_is_answered_rightly(wrong: tuple[int, int] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the corners are right and one quotient inside is not."""
    given = good("pairs in one block")
    answers = Answers(At(given["cases"][0]["network"]), Numbers(At(given["arithmetic"]), Limits()))
    t, tops, bottoms = OneHead(answers, "here"), range(0, 500, 100), (1, 2, 3)
    bad = None if wrong is None else tops[wrong[0]] * 60 // wrong[1]

    def answer(tops: list[int], bottoms: list[int]) -> str:
        found = [top * 60 // bottom for top in tops for bottom in bottoms]
        return "yes" if bad not in found else "no" if len(found) == 1 else ""

    monkeypatch.setattr(t, "answer", answer)
    if bad is None:
        check_quotients(t, tops, bottoms, "yes")
    else:
        with pytest.raises(Rejected, match="to be answered with yes"):
            check_quotients(t, tops, bottoms, "yes")


@pytest.mark.parametrize("tops", [range(-2, 3), (-1, 0, 1), (0,)])
def test_zero_over_zero_between_other_quotients_is_answered_alone(tops: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every number and both infinities are answered rightly, and NaN is not."""
    given = good("pairs in one block")
    answers = Answers(At(given["cases"][0]["network"]), Numbers(At(given["arithmetic"]), Limits()))
    t = OneHead(answers, "here")
    monkeypatch.setattr(t.heads, "answer", lambda given: "no" if given == [[NAN]] else "yes")
    check_quotients(t, tops, (1, 2), "yes")
    with pytest.raises(Rejected, match="to be answered with yes"):
        check_quotients(t, tops, (0, 1, 2), "yes")


@pytest.mark.parametrize(("kind", "asked"), [("linear", 3), ("softmax", 6)])
def test_sums_of_linear_attention_are_divided_by_nothing(kind: str, asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    given = put("cases", 0, "network", "layers", 0, "heads", 0, value=lambda head: {**head, "kind": kind, "base": "e"})(good("length"))
    numbers = Numbers(At({**given["arithmetic"], "format": "fixed:8"}), Limits())
    t = OneHead(Answers(At(given["cases"][0]["network"]), numbers), "here")
    monkeypatch.setattr(t.heads, "answer", str)
    bottoms = denominators(t) if kind == "linear" else {numbers.one // 2}
    assert t.answer([numbers.fraction(3)], [*bottoms]) == str([[numbers.fraction(asked)]])
