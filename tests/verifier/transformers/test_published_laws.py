"""The closed forms of constructions/laws, against the engines: the cells of the gallery, and inputs on either side of a border."""

from __future__ import annotations

from math import isqrt
from pathlib import Path

import pytest

from verifier.arithmetic.semantics import arithmetic, read_semantics
from verifier.claims.papers import _of_the_user
from verifier.claims.session import Session
from verifier.claims.verdicts import Verdict
from verifier.gate.gallery import FORMATS
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.files import find_network
from verifier.transformers.network import network

ROOT = Path(__file__).parents[3]


def quadratic(digits: int) -> int:
    """laws/claim-1: the first length n with n^2 > 2^t."""
    return isqrt(2**digits) + 1


def predecessor(digits: int) -> int:
    """laws/claim-4; with fewer than 15 digits the first length of all, 3."""
    return max(3, -(-digits // 2) - 4)


LAWS = {"lookup-quadratic": quadratic, "predecessor": predecessor}


def digits(form: str) -> int:
    return arithmetic(form).machine().form.precision


def cells_of(name: str) -> dict[str, list[str]]:
    """The cells of a network in the committed table, by arithmetic."""
    lines = (ROOT / "reports" / "gallery.tsv").read_text(encoding="utf-8").splitlines()
    return {row[1]: row for line in lines if (row := line.split("\t"))[0] == name}


@pytest.mark.parametrize("name", LAWS)
def test_every_cell_of_the_gallery_obeys_the_law(name: str) -> None:
    """A cell is wrong at the length of the law, or decided to a smaller one."""
    cells = cells_of(name)
    for form in FORMATS:
        law, row = LAWS[name](digits(form)), cells[form]
        assert row[2] == str(law) if row[2] else int(row[6]) < law


def hash_holds(n: int, t: int) -> bool:
    """laws/claim-5: position n is found with t digits."""
    return 25 * (n * n + 1) * ((n - 1) ** 2 + 1) <= 2**t


@pytest.mark.campaign
def test_the_hash_is_right_as_far_as_the_law_says() -> None:
    rows = cells_of("lookup-hash")
    wrong = {form: int(rows[form][2]) for form in FORMATS if rows[form][2]}
    assert {"float16", "bfloat16", "e5m2", "e4m3"} <= wrong.keys()
    assert not any(hash_holds(n, digits(form)) for form, n in wrong.items())
    assert [max(n for n in range(1, 6000) if hash_holds(n, digits(form))) for form in ("float16", "float32", "float64")] == [3, 29, 4357]


@pytest.mark.parametrize(("form", "n"), [("float16", 3), ("float32", 29), ("float64", 60)])
def test_the_hash_finds_the_last_position(form: str, n: int) -> None:
    built = network(find_network("gallery/lookup-hash"), {"n": n})
    assert hash_holds(n, digits(form))
    assert not wrong_by_arrays(built, arithmetic(form), [{"w": (*[0] * (n - 1), 1)}])


def test_the_carry_by_powers_of_ten_needs_the_digits_of_the_law() -> None:
    """laws/claim-6 with d = 11: 1 + 9 gives 9 where 2^(t - 3) <= 10^11; float64 has enough digits."""
    rows = cells_of("adder-33")
    for form in ("float64", "float32", "bfloat16"):
        short = 2 ** (digits(form) - 3) <= 10**11
        assert (rows[form][3:5] == ["a=0000000001 b=0000000009", "9 0 0 0 0 0 0 0 0 0 0"]) == short
        assert bool(rows[form][2]) == short


BORDERS = [
    ("lookup-quadratic", "e4m3"),
    ("lookup-quadratic", "bfloat16"),
    ("lookup-quadratic", "float16"),
    pytest.param("lookup-quadratic", "float32", marks=pytest.mark.campaign),
    ("predecessor", "float32"),
    ("predecessor", "float64"),
]


@pytest.mark.parametrize(("name", "form"), BORDERS)
def test_the_border_is_where_the_law_says(name: str, form: str) -> None:
    """The string 0…01 at the last right and the first wrong length; other strings cannot tell positions apart better."""
    law = LAWS[name](digits(form))
    for n in (law - 1, law):
        built = network(find_network(f"gallery/{name}"), {"n": n})
        wrong = wrong_by_arrays(built, arithmetic(form), [{"w": (*[0] * (n - 1), 1)}])
        assert bool(wrong) == (n == law)


@pytest.mark.parametrize(("form", "first"), [("bfloat16", 5), ("float16", 6), pytest.param("float32", 49, marks=pytest.mark.campaign)])
def test_the_hash_has_no_law_but_these_lengths(form: str, first: int) -> None:
    """docs/precision.md: the first length at which position n is missed."""
    for n in range(1, first + 1):
        built = network(find_network("gallery/lookup-hash"), {"n": n})
        assert bool(wrong_by_arrays(built, arithmetic(form), [{"w": (*[0] * (n - 1), 1)}])) == (n == first)


def test_changed_claims_are_refuted() -> None:
    claims = [claim for claim in _of_the_user(ROOT / "constructions" / "laws") if claim.neighbours]
    assert len(claims) == 6
    for claim in claims:
        (neighbour,) = claim.neighbours
        changed, session = neighbour.claim, Session()
        found = session.own(changed, neighbour.edition, changed.complete(neighbour.at), read_semantics("a4"))
        assert found.verdict is Verdict.REFUTED, claim.id
