"""What induction says of groups, sums and copies, beside every input of small decoders."""

from __future__ import annotations

from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.verifier.certificates.decoders import decoder, form, head
from verifier.certificates.recheck_answers import Answers
from verifier.certificates.recheck_induction import Digits, Induction, added
from verifier.certificates.recheck_network import Attention
from verifier.certificates.recheck_numbers import Numbers, ends
from verifier.certificates.recheck_reading import At, Limits, Rejected
from verifier.certificates.statement import arithmetic_record

TWO = {"a": "2", "b": "2"}


def digits_of(total: Any, outputs: int) -> list[Any]:
    """The right outputs of a sum."""
    return [["%", ["//", total, str(2**k)], "2"] for k in range(outputs)]


def small(total: Any, strings: dict[str, str] = TWO, outputs: int = 3, how: str = "float16", **of_head: Any) -> Answers:
    """A decoder that appends the bits of a sum: its digits, one head, and no network."""
    tokens = sum(map(int, strings.values())) + outputs
    read = [[["0", "1", "0"], ["1", "1", "0"]]] * (outputs - 1)
    of = {**head("softmax", [["0"] * tokens for _ in range(tokens)]), **of_head}
    made = decoder(strings, [of], [], [form("1/2", h="-1"), form("-1/2", h="1")], digits_of(total, outputs), read)
    numbers = Numbers(At(arithmetic_record({"format": how, "overflow": "infinity"})), Limits(work=1 << 40))
    return Answers(At(made["cases"][0]["network"]), numbers)


NO_SUMS = [["*", "a", "b"], ["-", "a", "b"], ["+", "a", "1"], ["+", "b", "a"], ["+", "a", "a"], "a", ["+", "a", "b", "1"]]


@pytest.mark.parametrize("total", NO_SUMS, ids=str)
def test_another_formula_is_not_the_sum_of_the_strings(total: Any) -> None:
    assert Digits(small(["+", "a", "b"]), "here").width == 2
    with pytest.raises(Rejected, match="right outputs"):
        Digits(small(total), "here")


@pytest.mark.parametrize("kth", [0, 1, 2])
def test_each_output_is_the_digit_of_its_place(kth: int) -> None:
    answers = small(["+", "a", "b"])
    answers.network.output.data["function"][kth][1][2] = "8"
    with pytest.raises(Rejected, match="right outputs"):
        Digits(answers, "here")


@pytest.mark.parametrize("case", range(24))
def test_groups_are_those_of_every_input(case: int) -> None:
    """(carry and total of a column, carry, digits that are watched), and the ends of sums over the inputs of a group."""
    rng = Random(case)
    width = rng.choice([2, 3])
    digits = Digits(small(["+", "a", "b"], {"a": str(width), "b": str(width)}, width + 1), "here")
    steps = width + 1
    step = rng.randrange(steps)
    tokens = digits.prompt + step
    watched: set[int] = set()
    tables: list[Any] = []
    for _ in range(rng.choice([0, 1, 2, 3])):
        boxes: list[Any] = [[tuple(sorted((rng.randint(-9, 9), rng.randint(-9, 9)))) for _ in (0, 1)] for _ in range(tokens)]
        boxes = [each if rng.random() < 0.9 else [] for each in boxes]
        if rng.random() < 0.5:  # one token alone adds to the sum
            alone = rng.randrange(tokens)
            boxes = [[(1, 2), (0, 0)] if j == alone else rng.choice([[(0, 0), (0, 0)], []]) for j in range(tokens)]
            watched.add(alone)
        tables.append(boxes)
    order = [(k, name) for k in range(step + 1) for name in ("a", "b", "") if (k < width if name else k < step - 1)]
    places = {("", k): digits.prompt + k for k in range(step)} | {each: j for each, (j,) in digits.tokens.items()}
    words = range(len(digits.t.embedding[tokens - 1]))
    for query in words:
        expected: dict[Any, list[int]] = {}
        for a, b in product(range(1 << width), repeat=2):
            whole = a + b
            outputs = [whole >> k & 1 for k in range(steps)]
            if step and outputs[step - 1] != query:
                continue
            held = {**{("a", k): a >> k & 1 for k in range(width)}, **{("b", k): b >> k & 1 for k in range(width)}}
            column = held.get(("a", step), 0) + held.get(("b", step), 0)
            below = a % (1 << step) + b % (1 << step)
            held |= {("", k): outputs[k] for k in range(step)}
            key = ((below >> step) + column, below >> step, *(held[name, k] for k, name in order if places[name, k] in watched))
            reads = [token.reads[0] if token.reads else None for token in digits.t.tokens]
            of_tokens = [held[read[0], width - 1 - read[1]] if read else 0 for read in reads]
            of_tokens += outputs[:step]
            sums = []
            for table in tables:
                adding = [of_word[word] for of_word, word in zip(table, of_tokens, strict=True) if of_word]
                sums += [sum(x for x, _ in adding), -sum(x for _, x in adding)]
            before = expected.setdefault(key, sums)
            expected[key] = [min(pair) for pair in zip(before, sums, strict=True)]
        found = digits.groups(step, query, tables)
        assert {key: list(sums) for key, sums in found.items()} == expected


def of_tokens(attention: Attention) -> list[Any]:
    """What each token adds, of one sum; with attention that chooses, only the chosen one does."""
    (terms, *_) = attention.sums()
    if not attention.chooses:
        return [x for (x,) in terms.adds]
    chosen = terms.fixed()
    return [chosen[1] if each is chosen else None for (each,) in terms.adds]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ["softmax", "leftmost", "rightmost", "average-hard"])
@pytest.mark.parametrize("knobs", [{}, {"division": "output"}, {"maximum": "kept"}], ids=str)
def test_sums_hold_what_every_input_adds(kind: str, knobs: dict[str, str]) -> None:
    """Each weight times a value, the divisor, and the whole sum with its rounding; of hard attention if one token is certainly chosen."""
    bounded, certain, causal = 0, 0, ["1" * k + "0" * (7 - k) for k in range(1, 8)]
    for case in range(20 if kind.startswith("softmax") else 60):
        rng = Random(f"{kind} {knobs} {case}")
        bias = [[str(rng.choice(["0", "1", "-1/2", "-3", "-17", "40"])) for _ in range(7)] for _ in range(7)]
        key, value = form(x=rng.choice(["0", "1", "-2"]), one="0"), form(x=rng.choice(["1", "-3"]), one=rng.choice(["0", "5/2"]))
        of = {**head(kind, bias), "key": [key], "value": [value], "seen": rng.choice([[], causal])}
        answers = small(["+", "a", "b"], **of)
        answers.numbers.knobs |= knobs
        t, step = answers.network, rng.choice([0, 1, 2])
        count, numbers = len(t.tokens) + step, answers.numbers
        words = [list(range(len(each))) for each in t.embedding[:count]]
        query, induction = rng.choice(words[-1]), Induction(answers, "here")
        try:
            summed = induction.summed(0, count - 1, query)
        except Rejected:
            continue
        bounded += 1
        (products,), bounds = summed
        for choice in product(*words[:-1]):
            chosen = (*choice, query)
            vectors = [t.embedding[j][word] for j, word in enumerate(chosen)]
            tokens = [each for (each,) in t.keyed(t.layers[0].heads[0], [[x] for x in vectors])]
            told = t.told(t.layers[0].heads[0], [[each] for each in tokens], vectors[-1], count - 1, 0)
            attention = Attention(t, t.layers[0].heads[0], told)
            for turn in (0, 1):
                attention.heard(turn, iter([each.fixed() for each in attention.asked(turn)]))
            divisor = attention.by(attention.total().fixed()) if attention.late else None
            made = of_tokens(attention)
            boxes = [of_word[word] if of_word else (0, 0) for of_word, word in zip(products, chosen, strict=True)]
            assert all(low <= (x or 0) <= high for x, (low, high) in zip(made, boxes, strict=True))
            assert bounds is None or ends(bounds)[0] <= divisor <= ends(bounds)[1]
            error = induction.rounding_of_sum(products)
            low, high = induction.share(sum(x for x, _ in boxes), -sum(x for _, x in boxes), error, None)
            assert low <= numbers.total(made) <= high
            certain += low == high
    assert bounded > 5
    assert certain or "maximum" in knobs


@pytest.mark.parametrize("how", ["float:3:3", "float:4:4", "e5m2"])
def test_the_rounding_of_a_sum_is_bounded(how: str) -> None:
    """Of sums of exact products in order, in a format with few digits; and the bound is reached within its half."""
    induction, nearest = Induction(small(["+", "a", "b"], how=how), "here"), 0.0
    numbers = induction.numbers
    for case in range(400):
        rng = Random(f"{how} {case}")
        terms = [numbers.settle(rng.randint(-200, 200) * rng.choice([1, numbers.one // 8])) for _ in range(rng.randint(1, 5))]
        if sum(map(abs, terms)) > numbers.largest // 4:
            continue
        error = induction.rounding_of_sum([[(x, x)] for x in terms])
        assert 2 * abs(numbers.total(terms) - sum(terms)) <= error
        nearest = max(nearest, 2 * abs(numbers.total(terms) - sum(terms)) / max(error, 1))
        low, high = induction.share(sum(terms), -sum(terms), error, None)
        assert low <= numbers.total(terms) <= high
    assert nearest >= 0.5


def test_a_sum_beyond_the_format_is_refused() -> None:
    induction = Induction(small(["+", "a", "b"], how="e5m2"), "here")
    largest = induction.numbers.largest
    assert induction.rounding_of_sum([[(largest, largest)]]) == 0
    with pytest.raises(Rejected, match="beyond the format"):
        induction.rounding_of_sum([[(largest, largest)], [(0, largest)]])


@pytest.mark.parametrize(("least", "most"), [(-4, 0), (0, 4), (-4, 4)])
def test_a_sum_that_may_round_to_an_infinity_is_refused(least: int, most: int) -> None:
    induction = Induction(small(["+", "a", "b"], how="e5m2"), "here")
    largest = induction.numbers.largest
    with pytest.raises(Rejected, match="a sum may be beyond the format"):
        induction.share(least * largest, -most * largest, 0, None)
    assert induction.share(largest, -largest, 0, None) == (largest, largest)


def test_what_heads_give_is_their_sums_divided() -> None:
    induction = Induction(small(["+", "a", "b"]), "here")
    one = induction.numbers.one
    induction.heads = [SimpleNamespace(value=[None, None]), SimpleNamespace(value=[None])]
    induction.combine = {0: [(0, 1, one)], 2: [(1, 0, one), (0, 0, 2 * one)]}
    sums = [end for k in (1, 2, 3) for end in (k * one, -(k + 1) * one)]
    found = induction.given((None, None, (2 * one, 2 * one)), (0, 0, 0), tuple(sums))
    assert found == ((2 * one, 3 * one), (3 * one // 2 + 2 * one, 2 * one + 4 * one))


@pytest.mark.parametrize(("of_digits", "others"), [((0, 10, 1, 11), (0, 0, 0, 0)), ((0, 0, 1, 1), (10, 0, 11, 1))])
def test_cases_are_parted_where_neighbours_are_farthest_apart(
    of_digits: tuple[int, ...], others: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the coordinate that differs most; cases of one part need no other."""
    induction, tried = Induction(small(["+", "a", "b"]), "here"), []
    cases = {((x, 0, y), ((0, 0),)): (1, 0, k) for k, (x, y) in enumerate(zip(of_digits, others, strict=True))}
    induction.cases = {1: cases}

    def certain(whole: list[tuple[int, int]], right: int) -> bool:
        tried.append(tuple(high - low for low, high in whole))
        return max(tried[-1]) <= 1

    monkeypatch.setattr(induction.boxes, "certain", certain)
    induction.check()
    assert len(tried) == 3
    monkeypatch.setattr(induction.boxes, "certain", lambda whole, right: not whole[0][0] <= 1 <= whole[0][1])
    with pytest.raises(Rejected, match=r"output 1: query 0, carry and digits [23]: 1 is not certainly chosen"):
        induction.check()


def test_a_token_without_a_word_adds_nothing() -> None:
    assert added((5, -5), [[[]]], 0, [0]) == (5, -5)
    assert added((5, -5), [[[(1, 2), (-1, 4)]]], 0, [0, 1]) == (4, -9)


def test_strings_of_one_length_are_read() -> None:
    for names in ("abcd", "abcde"):
        assert Digits(small(["+", *names], dict.fromkeys(names, "1")), "here").width == 1
    with pytest.raises(Rejected, match="strings of one length"):
        Digits(small(["+", "a", "b"], {"a": "1", "b": "2"}), "here")
