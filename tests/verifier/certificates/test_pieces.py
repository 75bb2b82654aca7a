"""Pieces of a certificate as the checker reads them: integers, records, sizes, the digest, and what a trace claims."""

from __future__ import annotations

import pytest

from tests.verifier.certificates.test_limits import small
from tests.verifier.certificates.test_recheck import A4
from verifier.certificates import recheck
from verifier.certificates.recheck import At, Limits, Rejected, TooMuch, Transformer, Unknown
from verifier.certificates.statement import construction_data


@pytest.mark.parametrize(
    ("data", "low", "high", "refused"),
    [
        ("3", 3, 3, ""),
        ("6/2", 1, 5, ""),
        ("3.0", None, None, ""),
        ("-7", None, 0, ""),
        ("1" * 1000, 0, None, ""),
        ("2", 3, None, "an integer from 3 on"),
        ("4", None, 3, "an integer"),
        ("4", 0, 3, "an integer from 0 to 3"),
        ("-1", 0, 3, "an integer from 0 to 3"),
        ("1/2", None, None, "an integer"),
        (3, None, None, "an exact number"),
        ("3 ", None, None, "an exact number"),
        ("٣", None, None, "an exact number"),
        ("1_0", None, None, "an exact number"),
        ("1" * 2001, None, None, "an exact number"),
    ],
)
def test_integers_and_their_bounds(data: object, low: int | None, high: int | None, refused: str) -> None:
    if not refused:
        assert At(data).integer(low, high) == recheck.Fraction(str(data))
    else:
        with pytest.raises(Unknown, match=f" where {refused} was expected$"):
            At(data).integer(low, high)


def test_a_record_has_its_keys_and_no_others() -> None:
    keys = ("bits", "tokens", "mlp")
    for k, key in enumerate(keys):
        whole = dict.fromkeys(keys, "1")
        assert {name: each.data for name, each in At(whole).record(*keys).items()} == whole
        with pytest.raises(Unknown, match=f"^the certificate: no {key}$"):
            At({name: "1" for name in keys if name != key}).record(*keys)
        with pytest.raises(Unknown, match=f'^the certificate: "{key}" is not known here; '):
            At(whole).record(*keys[:k], *keys[k + 1 :])


@pytest.mark.parametrize("data", [None, True, 1, "a", [], {}], ids=repr)
def test_a_text_a_flag_a_list_and_a_record_are_told_apart(data: object) -> None:
    readers = {"a text": At.text, "true or false": At.flag, "a list": At.items, "a record": At.names}
    kinds = {"a text": str, "true or false": bool, "a list": list, "a record": dict}
    for what, reader in readers.items():
        if isinstance(data, kinds[what]):
            assert reader(At(data)) == data
        else:
            with pytest.raises(Unknown, match=f" where {what} was expected$"):
                reader(At(data))


def test_strings_and_formats_have_a_largest_size() -> None:
    """Of 3000 bits and of 64."""
    problem = {"function": "EQ", "promise": "y <= z", "length": "3000"}
    assert recheck.read_problem(At(problem)) == 3000
    with pytest.raises(Unknown, match="from 1 to 3000 was expected"):
        recheck.read_problem(At(problem | {"length": "3001"}))
    given = construction_data(small(64))
    assert Transformer(At(A4), At(given), Limits()).bits == 64
    with pytest.raises(Unknown, match="from 1 to 64 was expected"):
        Transformer(At(A4), At(given | {"bits": "65"}), Limits())


@pytest.mark.parametrize(("limit", "power"), [("bytes", 24), ("entries", 20), ("work", 24), ("states", 20)])
def test_what_is_spent_where_nothing_is_said(limit: str, power: int) -> None:
    Limits().keep(limit, 1 << power)
    with pytest.raises(TooMuch, match=f"more than {1 << power} {limit}"):
        Limits().keep(limit, (1 << power) + 1)


def test_a_statement_has_one_digest() -> None:
    """Of its keys and of those of its records, and in any spelling; its facts are not in it, but each part of the statement is."""
    inner = {"b": ["1", "2/4"], "a": {"y": "1.0", "x": "inf"}}
    whole = dict.fromkeys((*recheck.STATEMENT, "cases", "digest"), inner)
    turned = {key: {"a": {"x": "inf", "y": "1"}, "b": ["1", "1/2"]} for key in reversed(whole)}
    assert recheck.digest(whole) == recheck.digest(turned) == recheck.digest({**whole, "cases": "1"})
    for key in recheck.STATEMENT:
        without = {name: each for name, each in whole.items() if name != key}
        for other in (without, {**whole, key: "1"}, {**whole, key: inner | {"b": ["1"]}}, {**whole, key: inner | {"b": ["1", "1"]}}):
            assert recheck.digest(other) != recheck.digest(whole)


def test_a_place_is_said_from_the_outside_in() -> None:
    entry = At({"rows": [["1"], ["x"]]}).names()["rows"].items(2)[1].items(1)[0]
    assert entry.place == "rows, number 2, number 1"
    with pytest.raises(Unknown, match=r'^rows, number 2, number 1: "x" where an exact number was expected$'):
        entry.number()
    with pytest.raises(Unknown, match=r"^the certificate: a record where a list was expected$"):
        At({}).items()
    with pytest.raises(Unknown, match="2 entries where 3 were expected"):
        At([1, 2], "rows").items(3)


FOUND = {
    "steps": [{"content": "01", "sums": [recheck.Fraction(1, 2), "inf"]}, {"content": "", "sums": []}],
    "cases": 3,
    "answer": "neither",
}


def test_what_is_claimed_has_every_part_of_what_was_found() -> None:
    def claim(**other: object) -> dict[str, object]:
        first = {"content": other.get("content", "01"), "sums": other.get("sums", ["2/4", "inf"])}
        last = {"content": other.get("last", ""), "sums": []}
        steps = other.get("steps", [first, last])
        return {"steps": steps, "cases": other.get("cases", "6/2"), "answer": other.get("answer", "neither")}

    recheck.agree(At(claim()), FOUND)
    recheck.agree(At(str(1 << 3000)), 1 << 3000)
    wrong = [{"content": "1"}, {"last": "0"}, {"cases": "4"}, {"answer": "1"}, {"steps": []}, {"sums": ["1/2"]}]
    wrong += [{"sums": sums} for sums in (["1/3", "inf"], ["1/2", "-inf"], ["1/2", "5"], ["1/2", "inf", "inf"])]
    for other in wrong:
        with pytest.raises(Rejected, match=r" (was|were) found$"):
            recheck.agree(At(claim(**other)), FOUND)
    for other in ({"cases": "1/2"}, {"cases": "inf"}, {"sums": ["1/2", "infinity"]}, {"sums": ["half", "inf"]}, {"content": None}):
        with pytest.raises(Unknown, match=r" was expected$"):
            recheck.agree(At(claim(**other)), FOUND)
