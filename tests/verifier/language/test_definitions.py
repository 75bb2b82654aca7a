"""Definitions that are put into formulas: each once, none into itself, and nothing that grows without bound."""

from __future__ import annotations

import pytest

from verifier.language.definitions import inlined, inlined_text
from verifier.language.exact import rational
from verifier.language.printer import printed
from verifier.language.syntax import parse
from verifier.running.errors import InputError


def chain(count: int, body: str) -> dict[str, str]:
    """``a1`` to ``a<count>``, each made of the one before, the first 1."""
    return {"a0": "1", **{f"a{k + 1}": body.replace("x", f"a{k}") for k in range(count)}}


def test_definitions_inside_definitions_are_put_in() -> None:
    assert printed(inlined(parse("m + h"), {"m": "2*h - 1", "h": "p + 1"})) == "2 * (p + 1) - 1 + (p + 1)"
    assert rational(inlined_text("a9", chain(9, "x + x")), {}) == 2**9


TOO_MUCH = [
    ("itself", {"a": "a + 1"}, "a", "the definition of a uses itself: a -> a"),
    ("another that uses it", {"a": "b", "b": "c", "c": "a"}, "a", "the definition of a uses itself: a -> b -> c -> a"),
    (
        "a long way round",
        {f"a{k}": f"a{(k + 1) % 2000}" for k in range(2000)},
        "a0",
        "definitions more than 60 deep: a0 -> a1 -> a2 -> a3 -> ...",
    ),
    ("2^60 parts", chain(59, "x * x"), "a59", "'a13 * a13' with its definitions put in has 32,767 parts; at most 20,000 were expected"),
    ("parts within parts", chain(59, "x + 1 + 2 + 3"), "a59", "is 121 deep; at most 120 were expected"),
    ("a bound name", {"j": "2"}, "j + sum(j for j in (1, 3))", "j is defined and bound"),
]


@pytest.mark.parametrize(("title", "definitions", "text", "line"), TOO_MUCH, ids=[each[0] for each in TOO_MUCH])
def test_what_cannot_be_put_in_is_a_line(title: str, definitions: dict[str, str], text: str, line: str) -> None:
    with pytest.raises(InputError) as refused:
        inlined_text(text, definitions)
    assert line in str(refused.value)
    assert len(str(refused.value)) < 200


def test_many_definitions_that_share_others_are_put_together_once() -> None:
    """Each name uses the two before it: as many ways down as Fibonacci numbers, and 20 definitions."""
    definitions = {"a0": "1", "a1": "1", **{f"a{k + 2}": f"a{k} + a{k + 1}" for k in range(18)}}
    assert rational(inlined_text("a19", definitions), {}) == 6765
