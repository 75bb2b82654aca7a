"""What a paper's file names is a function of its folder, or one line says what was expected."""

import pytest

from verifier.claims.judge_names import imported
from verifier.claims.papers import find_paper
from verifier.running.errors import InputError
from verifier.show.own_pages import Picture


def test_a_function_is_found() -> None:
    assert imported("verifier.claims.papers:find_paper") is find_paper


@pytest.mark.parametrize(
    "name", ["", ":", "papers", "papers:", "papers:no", "no:find_paper", "..os:system", "papers:SHELF:add", "\0:x", "papers:SHELF"]
)
def test_another_name_is_one_line(name: str) -> None:
    with pytest.raises(InputError, match=r"; module:function was expected$") as refused:
        imported(f"verifier.claims.{name}")
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(("draw", "said"), [("no:drawing", "no module"), ("papers:papers", "returns no Drawing")])
def test_a_picture_that_nothing_draws_is_one_line(draw: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        Picture("mine", "Mine", "A picture.", draw).drawn("verifier.claims")
    assert str(refused.value).startswith("pictures.toml, mine: ")
