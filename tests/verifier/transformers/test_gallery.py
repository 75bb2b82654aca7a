"""The gallery against programs that are written from the papers, not from our files, on all short strings; and files with one entry
changed, which are refuted for the right reason."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction as Exact
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.rows import tables
from verifier.arithmetic.semantics import Arithmetic
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.causes import cause
from verifier.transformers.contexts import context
from verifier.transformers.expectations import judged_expectations
from verifier.transformers.files import find_network, gallery, read_network
from verifier.transformers.network import network
from verifier.transformers.outputs import judged
from verifier.transformers.precision import first_wrong
from verifier.transformers.records import NetworkFile

ROWS = tables(__file__, "neighbours.toml")

Symbols = Sequence[int]


def softmax(scores: Sequence[float]) -> list[float]:
    weights = [math.exp(s) for s in scores]
    return [w / sum(weights) for w in weights]


def layer_norm(x: list[float], eps: float) -> list[float]:
    mean = sum(x) / len(x)
    variance = sum((v - mean) ** 2 for v in x) / len(x)
    return [(v - mean) / math.sqrt(variance + eps) if variance + eps else 0.0 for v in x]


def parity(bits: Symbols) -> float:
    """Section 3.1: k ones; position k is marked with 1/(n + 1); odd against even positions, seen from CLS."""
    n, k = len(bits), sum(bits)
    marks = [float(Exact(int(i == k), n + 1)) for i in range(n + 1)]
    even, odd = (softmax([sign * (-1) ** i / math.sqrt(5) for i in range(n + 1)]) for sign in (1, -1))
    return sum((o - e) * mark for o, e, mark in zip(odd, even, marks, strict=True))


def first(bits: Symbols) -> float:
    """Section 3.2: weights e at position 1 and 1 elsewhere (the score is divided by √6); values −1/2, and 1 more for a first 1."""
    weights = softmax([0.0, 1 / math.sqrt(6), *[0.0] * (len(bits) - 1)])
    return weights[1] * (bits[0] - 0.5)


def mirrored(x: list[list[float]]) -> list[list[float]]:
    return [[*row, *(-v for v in row)] for row in x]


def _normed_rows(x: list[list[float]], eps: float) -> list[list[float]]:
    return [layer_norm(row, eps) for row in x]


def parity_with_norm(eps: float) -> Callable[[Symbols], float]:
    def answer(bits: Symbols) -> float:
        n = len(bits)
        rows = []
        for i, symbol in enumerate((*bits, 2)):
            rows.append(
                [float(symbol == 0), float(symbol == 1), float(symbol == 2), i / (n + 1), float((-1) ** i), 0.0, 0.0, 0.0, 0.0, 0.0]
            )
        x = mirrored(rows)
        share, unit = sum(row[1] for row in x) / (n + 1), sum(row[2] for row in x) / (n + 1)
        for row in x:
            row[5], row[6], row[15], row[16] = share, unit, -share, -unit
        x = _normed_rows(x, eps)
        for row in x:
            h = [max(0.0, -row[3] + row[5] + d * row[6]) for d in (-1, 0, 1)]
            mark = h[0] - 2 * h[1] + h[2]
            row[7] += mark
            row[17] -= mark
        x = _normed_rows(x, eps)
        query = x[-1][2] / math.sqrt(10)
        heads = [sum(w * row[7] for w, row in zip(softmax([sign * query * row[4] for row in x]), x, strict=True)) for sign in (1, -1)]
        last = list(x[-1])
        last[8] += heads[1] - heads[0]
        last[18] += heads[0] - heads[1]
        last = layer_norm(last, eps)
        cleared = [v if k in (8, 18) else 0.0 for k, v in enumerate(last)]
        return layer_norm(cleared, eps)[8]

    return answer


def first_with_norm(eps: float) -> Callable[[Symbols], float]:
    def answer(bits: Symbols) -> float:
        rows = []
        for i, symbol in enumerate((2, *bits)):
            rows.append([float(symbol == 0), float(symbol == 1), float(symbol == 2), float(i == 1), 0.0, 0.0])
        x = _normed_rows(mirrored(rows), eps)
        for row in x:
            mark = max(0.0, row[3] - row[0] - row[2])
            row[4] += mark
            row[10] -= mark
        x = _normed_rows(x, eps)
        weights = softmax([x[0][2] * row[3] / math.sqrt(12) for row in x])
        seen = sum(w * (row[4] - row[3] / 2) for w, row in zip(weights, x, strict=True))
        last = list(x[0])
        last[5] += seen
        last[11] -= seen
        last = layer_norm(last, eps)
        cleared = [v if k in (5, 11) else 0.0 for k, v in enumerate(last)]
        return layer_norm(cleared, eps)[5]

    return answer


CASES: list[tuple[str, dict[str, int], Callable[[Symbols], float], int, str]] = [
    ("parity", {}, parity, 5, "CLS"),
    ("first", {}, first, 5, "CLS"),
    ("parity-layer-norm", {}, parity_with_norm(0.0), 2, "CLS"),
    ("parity-layer-norm", {"inverse": 100000}, parity_with_norm(1e-5), 2, "CLS"),
    ("first-layer-norm", {}, first_with_norm(0.0), 2, "CLS"),
    ("first-layer-norm", {"inverse": 100000}, first_with_norm(1e-5), 2, "CLS"),
]


def _number(x: Any) -> float:
    return (
        float(x.ball().mid())
        if hasattr(x, "ball")
        else float(sum(float(c) * m**0.5 for m, c in x.terms.items()) if hasattr(x, "terms") else x)
    )


@pytest.mark.one_in(2)
@pytest.mark.long("parity-others0-parity-5-CLS-float64")
@pytest.mark.parametrize("form", ["exact", "float64"])
@pytest.mark.parametrize(("name", "others", "answer", "longest", "at"), CASES)
def test_the_answer_is_that_of_the_paper(
    form: str, name: str, others: dict[str, int], answer: Callable[[Symbols], float], longest: int, at: str
) -> None:
    """The sign decides; that the values are near each other shows that the same network is meant."""
    how = context(Arithmetic(form))
    for n in range(1, longest + 1):
        built = network(find_network(f"gallery/{name}"), {"n": n, **others})
        for bits in product((0, 1), repeat=n):
            made = judged(built, {"w": bits}, how)
            value = made.runs[0].last[built.input.tokens({"w": bits}).index(built.input.words[at])]["answer"]
            theirs = answer(bits)
            assert (_number(value) > 0) == (theirs > 0)
            assert _number(value) == pytest.approx(theirs, rel=1e-6)
            assert made.answer.right, (bits, made.answer)


@pytest.mark.parametrize("name", [name for name, _ in gallery()])
def test_what_the_files_expect_holds_over_the_reals(name: str) -> None:
    """At every token of every input of the first lengths; a file without expectations says so in its note or leaves them out."""
    file = find_network(f"gallery/{name}")
    for each in judged_expectations(file, range(1, 4)):
        assert each.broken is None, each
        assert each.cases > 0


def lookup_in_floats(n: int, k: int, hashed: bool, dtype: Any) -> int:
    """The position that is looked up, from 1, in NumPy."""
    j = np.arange(1, n + 1)
    if hashed:
        root = np.sqrt(2.0 * j * j + 2)
        place, unit = (j / root).astype(dtype), (1 / root).astype(dtype)
        target, target_unit = place[k - 1], unit[k - 1]
        products = [target * place, target_unit * unit, target * place, target_unit * unit]
    else:
        products = [dtype(k) * (2 * j).astype(dtype), -(j * j).astype(dtype)]
    scores = products[0]
    for each in products[1:]:
        scores = scores + each
    return int(scores.argmax()) + 1


@pytest.mark.one_in(2)
@pytest.mark.parametrize("form", ["float32", "float16"])
@pytest.mark.parametrize("name", ["lookup-hash", "lookup-quadratic"])
def test_lookups_as_numpy_computes_them(name: str, form: str) -> None:
    """The answer to a string with one 1 at position k, for all k: right exactly where NumPy finds k."""
    for n, k in product((3, 30, 60), (1, 2, 3, 17, 29, 50, 60)):
        if k > n:
            continue
        with np.errstate(all="ignore"):
            there = lookup_in_floats(n, k, name == "lookup-hash", np.dtype(form).type)
        built = network(find_network(f"gallery/{name}"), {"n": n, "k": k})
        wrong = wrong_by_arrays(built, Arithmetic(form), [{"w": tuple(int(j == k) for j in range(1, n + 1))}])
        assert bool(wrong) == (there != k), (n, k, there)


EXACT = Arithmetic("exact")
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in gallery()}


def file_of(text: str, tmp_path_factory: pytest.TempPathFactory) -> NetworkFile:
    path = tmp_path_factory.mktemp("network") / "network.toml"
    path.write_text(text, encoding="utf-8")
    return read_network(path)


def balanced(w: Symbols) -> str:
    """An opening bracket is 0."""
    depths = [sum(1 - 2 * bit for bit in w[: k + 1]) for k in range(len(w))]
    return "yes" if min(depths) >= 0 and depths[-1] == 0 else "no"


def ngram(w: Symbols) -> str:
    """The likelier next symbol, of probabilities 3/4 and 1/4."""
    chances = {(0, 0): 0.25, (0, 1): 0.75, (1, 0): 0.75, (1, 1): 0.25}  # of a 1, by the last two symbols
    return "1" if math.log(chances[w[-2], w[-1]]) > math.log(1 - chances[w[-2], w[-1]]) else "0"


def even(w: Symbols) -> str:
    """Whether a position j has the angle of (2j, 1) equal to that of (ones/(n + 1), 1/(n + 1))."""
    share, unit = sum(w) / (len(w) + 1), 1 / (len(w) + 1)
    return "yes" if any(abs(math.atan2(2 * j, 1) - math.atan2(share, unit)) < 1e-9 for j in range(len(w) + 1)) else "no"


def majority(w: Symbols) -> str:
    weights = [math.exp(-50), *(1.0 for _ in w)]
    return "yes" if sum(w) / sum(weights) > 0.5 + 1e-12 else "no"


def looked_up(w: Symbols) -> str:
    return "yes" if w[-1] else "no"


def orthogonal(w: Symbols) -> str:
    vectors = [((0, 1), (1, 0), (1, 1))[k] for k in w]
    n = len(w)
    for v in vectors:
        weights = [n ** (-3 * (v[0] * u[0] + v[1] * u[1])) for u in vectors]
        if sum(x * sum(u) for x, u in zip(weights, vectors, strict=True)) / (1 + sum(weights)) > 1 / (n + 1):
            return "yes"
    return "no"


def matched(w: Symbols) -> str:
    """One head in complex numbers: the score of x and y is the real part of their angles' product; the blank token is halfway."""
    angles = np.exp(2j * np.pi * np.array(w) / 5)
    second = math.cos(2 * math.pi / 5)
    scale = 2 * math.log(4 * len(w)) / (1 - second)
    weights = np.exp(scale * np.outer(angles, angles).real)
    shares = weights.sum(axis=1) / (weights.sum(axis=1) + math.exp(scale * (1 + second) / 2))
    return "yes" if (shares > 0.5).any() else "no"


PROGRAMS: list[tuple[str, Callable[[Symbols], str], range]] = [
    ("ngram", ngram, range(2, 5)),
    ("parity-no-positions", even, range(1, 4)),
    ("tracr-frac-prevs", majority, range(1, 6)),
    ("dyck-1", balanced, range(2, 5)),
    ("lookup-hadamard", looked_up, range(1, 5)),
    ("lookup-hash", looked_up, range(2, 5)),
    ("lookup-quadratic", looked_up, range(2, 5)),
    ("predecessor", looked_up, range(2, 5)),
    ("orthogonal-vectors", orthogonal, range(2, 4)),
    ("match-2", matched, range(1, 3)),
]


@pytest.mark.parametrize(("name", "program", "lengths"), PROGRAMS, ids=[name for name, _, _ in PROGRAMS])
def test_every_input_is_answered_as_by_a_program_of_its_own(
    name: str, program: Callable[[Symbols], str], lengths: range, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = file_of(TEXTS[name], tmp_path_factory)
    for n in lengths:
        built = network(file, {"n": n})
        for w in product(range(len(built.input.alphabet)), repeat=n):
            answer = judged(built, {"w": w}, context(EXACT)).answer
            assert answer.found == program(w)
            assert answer.right


@pytest.mark.parametrize(("name", "before", "after", "length", "text"), ROWS["networks"], ids=[each[0] for each in ROWS["networks"]])
def test_a_changed_entry_is_refuted_over_real_numbers(
    name: str, before: str, after: str, length: int, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert before in TEXTS[name]
    cell = first_wrong(name, file_of(TEXTS[name].replace(before, after), tmp_path_factory), EXACT, range(1, 5))
    assert cell.first_wrong is not None
    assert (cell.first_wrong.length, cell.first_wrong.strings) == (length, {"w": text})


def test_every_entry_has_a_neighbour() -> None:
    """The logits of those that append symbols are held against programs of their own."""
    assert {name for name, *_ in ROWS["networks"]} == {name for name, text in TEXTS.items() if "\n[decode]\n" not in text}


@pytest.mark.parametrize(("name", "before", "after"), ROWS["expectations"], ids=[each[0] for each in ROWS["expectations"]])
def test_a_changed_expectation_is_refuted(name: str, before: str, after: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert before in TEXTS[name]
    (found,) = judged_expectations(file_of(TEXTS[name].replace(before, after), tmp_path_factory), range(1, 4))
    assert found.broken is not None


@pytest.mark.parametrize(
    ("name", "form", "text", "kind"),
    [
        ("lookup-hash", "float16", "000001", "tie"),
        ("lookup-hash", "e5m2", "001", "order"),
        ("parity-layer-norm", "e4m3", "00111", "overflow"),
        ("first", "e2m1", "0", "lost"),
        ("dyck-1", "float32", "((()))", "residue"),
    ],
)
def test_what_happens_at_a_wrong_input(name: str, form: str, text: str, kind: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    built = network(file_of(TEXTS[name], tmp_path_factory), {"n": len(text)})
    assert cause(built, {"w": built.input.read("w", text)}, Arithmetic(form)).kind == kind
