"""The Turing machine of the gallery against NumPy, which runs the layers of its source, and against the machine itself."""

from __future__ import annotations

import tomllib
from itertools import product

import msgspec
import numpy as np
import pytest

from tests.verifier.transformers.turing_program import FLIP, Decoder
from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.running.limits import Limits
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.arrays import Arrays
from verifier.transformers.files import find_network, gallery
from verifier.transformers.network import Network, network
from verifier.transformers.precision import first_wrong
from verifier.transformers.records import NetworkFile

FILE = find_network("gallery/turing-flip")
DECODER = Decoder(FLIP, 4)


def changed(*changes: tuple[str, str]) -> NetworkFile:
    text = dict(gallery())["turing-flip"].read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return msgspec.convert(tomllib.loads(text), NetworkFile)


def logits(built: Network, tokens: list[int]) -> list[float]:
    arrays = Arrays(built, arithmetic("float64"))
    columns = arrays.run(np.array([tokens]), len(tokens) - 1)
    return [float(arrays.applied(form, columns)[0, 0]) for form in built.logits]


def test_the_words_are_those_of_the_source() -> None:
    assert FILE.input.alphabet == DECODER.words
    assert [len(layer.head) for layer in FILE.layer] == [len(layer.heads) for layer in DECODER.layers]
    assert [len(layer.network.hidden) if layer.network else 0 for layer in FILE.layer] == [len(layer.units) for layer in DECODER.layers]


def test_numpy_simulates_the_machine() -> None:
    """All words of up to three letters: what the layers append is the machine's run, and no logit is nearer than 1."""
    for n in range(4):
        for word in map("".join, product("01", repeat=n)):
            tokens = ["INP", *word, "EINP"]
            assert DECODER.right(word)[-n - 1 : -1] == ["10"[int(bit)] for bit in word]
            for right in DECODER.right(word):
                found, _ = DECODER.run(tokens)
                order = np.argsort(found)
                assert DECODER.words[order[-1]] == right
                assert found[order[-1]] - found[order[-2]] >= 1
                tokens.append(right)


@pytest.mark.parametrize("word", ["1", pytest.param("011", marks=pytest.mark.campaign)])
def test_logits_are_those_of_numpy(word: str) -> None:
    """At every step; all are small integers, so that float64 computes real numbers."""
    built = network(FILE, {"n": len(word)})
    tokens = ["INP", *word, "EINP"]
    for right in DECODER.right(word):
        assert logits(built, [DECODER.words.index(token) for token in tokens]) == DECODER.run(tokens)[0].tolist()
        tokens.append(right)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('newmove0 = "u1 + u2 + u3"', 'newmove0 = "u1 + u2 - u3"'),
        ('u1 = "-state + symex0 - symex1 - 2"', 'u1 = "-state + symex0 - symex1 - 3"'),
        ("0 if token == INP else 1", "1"),
    ],
)
def test_a_changed_entry_is_refused(before: str, after: str) -> None:
    built = network(changed((before, after)), {"n": 1})
    assert [strings["w"] for strings, _ in wrong_by_arrays(built, arithmetic("float64"), list(built.input.every()))][:1] == [(0,)]


@pytest.mark.long("bfloat16-True")
@pytest.mark.parametrize(("form", "right"), [("bfloat16", True), ("e2m1", False)])
def test_the_narrowest_format_loses_it(form: str, right: bool) -> None:
    cell = first_wrong("turing", FILE, arithmetic(form), range(1, 2))
    assert (cell.first_wrong is None) is right


@pytest.mark.campaign
def test_every_input_over_real_numbers() -> None:
    cell = first_wrong("turing", FILE, Arithmetic("exact"), range(1, 4), limits=Limits(1 << 26))
    assert (cell.first_wrong, cell.decided_to, cell.cases) == (None, 3, 14)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("scale", "form", "right"),
    [(8, "float32", True), (8, "bfloat16", True), (8, "e4m3", True), (5, "float32", False), (5, "bfloat16", False), (5, "e4m3", True)],
)
def test_softmax_needs_a_large_factor(scale: int, form: str, right: bool) -> None:
    """Softmax in place of hard attention, all words: fewer digits of a weight need a smaller factor."""
    file = changed(('kind = "average-hard"\n', f'scale = "{scale}"\n'))
    assert (first_wrong("turing", file, arithmetic(form), range(1, 4)).first_wrong is None) is right
