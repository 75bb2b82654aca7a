"""The Turing machine of the gallery against a simulation of the machine."""

from __future__ import annotations

import tomllib

import msgspec
import numpy as np
import pytest

from verifier.arithmetic.semantics import arithmetic
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.arrays import Arrays
from verifier.transformers.files import find_network, gallery
from verifier.transformers.network import network
from verifier.transformers.precision import first_wrong
from verifier.transformers.records import NetworkFile

FILE = find_network("gallery/turing-flip")
STATES, SYMBOLS = ("run", "halt"), ("_", "0", "1")
TRANSITIONS = {("run", "0"): ("run", "1", 1), ("run", "1"): ("run", "0", 1), ("run", "_"): ("halt", "_", 0)}
"""From a state and the symbol that is read to the next state, the symbol that is written and the move to the right."""


def run(word: str) -> list[str]:
    """What the decoder is to append to INP, the word and EINP: the steps of the machine, and the word on its tape at the end."""
    state, head, tape, steps = STATES[0], 0, list(word) or [SYMBOLS[0]], []
    while state != STATES[-1]:
        state, tape[head], move = TRANSITIONS[state, tape[head]]
        steps.append(state + tape[head].replace("_", "b") + "LSR"[move + 1])
        head = max(head + move, 0)
        tape += [SYMBOLS[0]] * (head == len(tape))
    return [*steps, "OUTP", *"".join(tape).rstrip(SYMBOLS[0]), "EOUTP"]


def changed(*changes: tuple[str, str]) -> NetworkFile:
    text = dict(gallery())["turing-flip"].read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return msgspec.convert(tomllib.loads(text), NetworkFile)


@pytest.mark.parametrize("word", ["1", pytest.param("011", marks=pytest.mark.campaign)])
def test_what_is_appended_is_the_machines_run(word: str) -> None:
    """All logits are small integers, which float64 computes exactly, and the largest is larger by 1 than the next."""
    built, arrays = network(FILE, {"n": len(word)}), Arrays(network(FILE, {"n": len(word)}), arithmetic("float64"))
    tokens = ["INP", *word, "EINP"]
    assert run(word)[-len(word) - 1 : -1] == ["10"[int(bit)] for bit in word]
    for right in run(word):
        columns = arrays.run(np.array([[FILE.input.alphabet.index(token) for token in tokens]]), len(tokens) - 1)
        logits = [float(arrays.applied(form, columns)[0, 0]) for form in built.logits]
        *_, second, best = sorted(range(len(logits)), key=logits.__getitem__)
        assert (FILE.input.alphabet[best], logits[best] >= logits[second] + 1) == (right, True)
        tokens.append(right)


@pytest.mark.one_in(3)
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


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("scale", "form", "right"),
    [(8, "float32", True), (8, "bfloat16", True), (8, "e4m3", True), (5, "float32", False), (5, "bfloat16", False), (5, "e4m3", True)],
)
def test_softmax_needs_a_large_factor(scale: int, form: str, right: bool) -> None:
    """Softmax in place of hard attention, all words: fewer digits of a weight need a smaller factor."""
    file = changed(('kind = "average-hard"\n', f'scale = "{scale}"\n'))
    assert (first_wrong("turing", file, arithmetic(form), range(1, 4)).first_wrong is None) is right
