"""How the checker reads: files, records, integers, matrices, bits and names; what is none is refused with its place."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from itertools import combinations, product
from pathlib import Path

import pytest

from tests.verifier.certificates.samples import A4, Change, good, put, small, titled, transformer
from verifier.arithmetic.semantics import NAMED, read_semantics
from verifier.certificates import recheck, recheck_arithmetic, recheck_blocks, recheck_construction, recheck_reading, recheck_refuted
from verifier.certificates.recheck_arithmetic import KNOBS
from verifier.certificates.recheck_construction import Transformer
from verifier.certificates.recheck_reading import At, Limits, Rejected, TooMuch, Unknown, agree, digest
from verifier.certificates.recheck_rounding import INF, NAN
from verifier.certificates.statement import construction_data, sealed, semantics_data
from verifier.networks.instance import Matrix

ILL_FORMED = [
    ("ln 2 in W^Q and W^K", put("key", "ln2", value=True), "key, ln2: true where false, as one of W.Q and W.K at most has the factor"),
    ("ln 2 in W^V", put("value", "ln2", value=True), "value, ln2: true where false"),
]


@pytest.mark.parametrize(("title", "change", "reason"), ILL_FORMED, ids=titled)
def test_a_construction_that_is_none_is_refused(title: str, change: Change, reason: str) -> None:
    given = construction_data(small(3, 2, 2))
    semantics = At(semantics_data(NAMED["a4"]))
    recheck_construction.Transformer(semantics, At(given), Limits())
    with pytest.raises(Unknown, match=reason):
        recheck_construction.Transformer(semantics, At(change(given)), Limits())


def test_a_matrix_has_rows_of_one_length_and_the_shape_that_is_wanted() -> None:
    t = transformer(small(3), NAMED["a4"])
    given = At({"rows": [["1", "2"], ["0", "1/2"]], "ln2": False})
    for shape in (None, (2, 2)):
        assert t.matrix(given, shape) == [[1, 2], [0, F(1, 2)]]
    for wrong in ((1, 2), (3, 2), (2, 1), (2, 3)):
        with pytest.raises(Unknown, match=r" 2 entries where [13] were expected"):
            t.matrix(given, wrong)
    ragged: list[list[list[str]]] = [[["1"], ["2", "3"]], [["1", "2"], ["3"]], [[], []], []]
    for rows in ragged:
        with pytest.raises(Unknown, match="a record where a matrix with rows of one length was expected"):
            t.matrix(At({"rows": rows, "ln2": False}))


def test_a_bit_is_of_one_of_the_strings() -> None:
    t = transformer(small(3, 12), NAMED["a4"])
    assert [t.bit(At(text)) for text in ("y[1]", "z[10]", "y[12]")] == [("y", 1), ("z", 10), ("y", 12)]
    for text in ("y[13]", "z[0]", "y[02]", "x[1]", "y[1", "[1]", "y[-1]", "y[1] ", ""):
        with pytest.raises(Unknown, match=r" where y\[k\] or z\[k\] with k up to 12 was expected$"):
            t.bit(At(text))


def test_the_last_token_asks() -> None:
    """It reads nothing, also where it has a vector for each bit."""
    given = construction_data(small(3, 2))["tokens"]
    t = transformer(small(3, 2), NAMED["a4"])
    assert len(t.read_tokens(At(given), 1)) == 3
    for tokens in (given[:2], []):
        with pytest.raises(Unknown, match="a list whose last token asks and reads nothing was expected"):
            t.read_tokens(At(tokens), 1)


def test_which_columns_count_and_how_many_sums_run() -> None:
    """Where the second entry of W^V is 0; in as few bits as there are."""
    instance = replace(small(1, 2, 3), value=Matrix(((F(1),), (F(0),), (F(-1, 2),))))
    used, every = [0, 2], [0, 1, 2]
    for words, columns, sums in (
        ("a4", used, 2),
        ("columns=all", every, 3),
        ("order=products", used, 1),
        ("order=values+columns=all", every, 1),
    ):
        t = transformer(instance, read_semantics(words))
        assert (t.columns, t.sums) == (columns, sums), words


@pytest.mark.parametrize(
    ("y", "z", "which"), [("01", "011", "z"), ("01", "0", "z"), ("01", "02", "z"), ("001", "01", "y"), ("0b", "11", "y")]
)
def test_an_input_has_as_many_bits_as_the_strings(y: str, z: str, which: str) -> None:
    t, given = transformer(small(3, 2), NAMED["a4"]), At({"input": {"y": y, "z": z}, "trace": {}}).names()
    with pytest.raises(Unknown, match=f"^input, {which}: .* where a string of 2 bits was expected$"):
        recheck_refuted.check_refuted(given, t)


BYTES = [
    ("nothing", lambda data: b"", "Expecting value"),
    ("half of it", lambda data: data[: len(data) // 2], "not readable as JSON"),
    ("no text", lambda data: b"\xff\xfe", "can't decode byte"),
    ("a key twice", lambda data: data.replace(b'{"format"', b'{"claim":"lemma-1","format"'), "claim.* is there twice"),
    ("a key twice, deep inside", lambda data: data.replace(b'"ties":', b'"ties":"even","ties":'), "ties.* is there twice"),
    ("NaN", lambda data: data.replace(b'"cases":"536887296"', b'"cases":NaN'), "NaN is not JSON"),
    ("Infinity", lambda data: data.replace(b'"cases":"536887296"', b'"cases":-Infinity'), "-Infinity is not JSON"),
    ("a number of a million digits", lambda data: data.replace(b'"536887296"', b"9" * 1_000_000), "cases: .* where an exact number was"),
    ("lists in lists", lambda data: b"[" * 100_000, "more than 64 deep"),
    ("records in records", lambda data: b'{"a":' * 100_000, "more than 64 deep"),
    ("a gzip cut short", lambda data: gzip.compress(data)[:-20], "end-of-stream"),
    ("a gzip with a byte changed", lambda data: flipped(gzip.compress(data), 400), "not readable as JSON"),
    ("a gzip of nothing", lambda data: gzip.compress(b""), "Expecting value"),
    ("the head of a gzip", lambda data: b"\x1f\x8b", "end-of-stream|not readable"),
]


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


@pytest.mark.parametrize(("title", "change", "reason"), BYTES, ids=titled)
def test_a_file_that_is_no_json_is_refused(title: str, change: Callable[[bytes], bytes], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(change(json.dumps(good("verified"), separators=(",", ":")).encode()))
    with pytest.raises(Unknown, match=reason):
        recheck.recheck(recheck_reading.read(str(path), Limits()))


def test_a_good_file_is_read_plain_and_packed(tmp_path: Path) -> None:
    """The same reading that refuses the files above accepts these."""
    for packed in (False, True):
        path = tmp_path / "certificate.json"
        data = json.dumps(good("verified"), separators=(",", ":")).encode()
        path.write_bytes(gzip.compress(data) if packed else data)
        assert recheck.recheck(recheck_reading.read(str(path), Limits())).startswith("verified")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_has_as_many_bytes_as_the_limit(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """When unpacked."""
    path = tmp_path / "certificate.json"
    path.write_bytes(pack(b'["12"]' + b" " * 500))
    assert recheck_reading.read(str(path), Limits(bytes=506)) == ["12"]
    with pytest.raises(TooMuch, match="more than 505 bytes"):
        recheck_reading.read(str(path), Limits(bytes=505))


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
        assert At(data).integer(low, high) == F(str(data))
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
    assert recheck_construction.read_problem(At(problem)) == 3000
    with pytest.raises(Unknown, match="from 1 to 3000 was expected"):
        recheck_construction.read_problem(At(problem | {"length": "3001"}))
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
    whole = dict.fromkeys((*recheck_reading.STATEMENT, "cases", "digest"), inner)
    turned = {key: {"a": {"x": "inf", "y": "1"}, "b": ["1", "1/2"]} for key in reversed(whole)}
    assert digest(whole) == digest(turned) == digest({**whole, "cases": "1"})
    for key in recheck_reading.STATEMENT:
        without = {name: each for name, each in whole.items() if name != key}
        for other in (without, {**whole, key: "1"}, {**whole, key: inner | {"b": ["1"]}}, {**whole, key: inner | {"b": ["1", "1"]}}):
            assert digest(other) != digest(whole)


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
    "steps": [{"content": "01", "sums": [F(1, 2), "inf"]}, {"content": "", "sums": []}],
    "cases": 3,
    "answer": "neither",
}


def test_what_is_claimed_has_every_part_of_what_was_found() -> None:
    def claim(**other: object) -> dict[str, object]:
        first = {"content": other.get("content", "01"), "sums": other.get("sums", ["2/4", "inf"])}
        last = {"content": other.get("last", ""), "sums": []}
        steps = other.get("steps", [first, last])
        return {"steps": steps, "cases": other.get("cases", "6/2"), "answer": other.get("answer", "neither")}

    agree(At(claim()), FOUND)
    agree(At(str(1 << 3000)), 1 << 3000)
    wrong = [{"content": "1"}, {"last": "0"}, {"cases": "4"}, {"answer": "1"}, {"steps": []}, {"sums": ["1/2"]}]
    wrong += [{"sums": sums} for sums in (["1/3", "inf"], ["1/2", "-inf"], ["1/2", "5"], ["1/2", "inf", "inf"])]
    for other in wrong:
        with pytest.raises(Rejected, match=r" (was|were) found$"):
            agree(At(claim(**other)), FOUND)
    for other in ({"cases": "1/2"}, {"cases": "inf"}, {"sums": ["1/2", "infinity"]}, {"sums": ["half", "inf"]}, {"content": None}):
        with pytest.raises(Unknown, match=r" was expected$"):
            agree(At(claim(**other)), FOUND)


TURNED = [(knob, setting) for knob, settings in KNOBS.items() for setting in settings[1:]]


@pytest.mark.parametrize(("knob", "setting"), TURNED)
def test_every_knob_is_in_the_name_of_the_semantics(knob: str, setting: str) -> None:
    knobs, scale, label = recheck_arithmetic.read_semantics(At({**A4, knob: setting}))
    assert (label, scale) == (f"a4+{knob}={setting}", 1)
    assert read_semantics(label) == read_semantics(f"{knob}={setting}")
    assert knobs == {**{k: v for k, v in A4.items() if k != "scale"}, knob: setting}


@pytest.mark.parametrize(
    ("point", "scale", "accepted"), [("grid", "2/3", True), ("grid", "0", False), ("grid", "-1", False), ("free", "2", False)]
)
def test_a_scale_is_positive_and_of_a_grid(point: str, scale: str, accepted: bool) -> None:
    given = At({**A4, "point": point, "scale": scale})
    if accepted:
        assert recheck_arithmetic.read_semantics(given)[2] == f"a4+point=grid+scale={scale}"
    else:
        with pytest.raises(Unknown, match="a positive scale"):
            recheck_arithmetic.read_semantics(given)


def test_long_texts_are_cut_and_everything_is_on_one_line() -> None:
    assert [recheck_reading.shown("x" * n) for n in (80, 81)] == [json.dumps("x" * 80), json.dumps("x" * 77 + "...")]
    assert [recheck_reading.shown(data) for data in ({}, [], "a\nb\u2028", None, True)] == [
        "a record",
        "a list",
        r'"a\nb\u2028"',
        "null",
        "true",
    ]


@pytest.mark.parametrize(
    ("start", "step", "length", "found"),
    [
        ("3", "2", 4, [3, 5, 7, 9]),
        ("3", "-2", 3, [3, 1, -1]),
        ("-20", "0", 2, [-20, -20]),
        ("inf", "0", 3, [INF] * 3),
        ("-inf", "0", 1, [-INF]),
        ("nan", "0", 1, [NAN]),
        ("20", "40", 1, [20]),
        ("21", "0", 1, None),
        ("-21", "0", 1, None),
        ("0", "41", 1, None),
        ("0", "-41", 1, None),
        ("inf", "1", 1, None),
    ],
)
def test_a_run_of_states(start: str, step: str, length: int, found: list[int] | None) -> None:
    if found is None:
        with pytest.raises(Unknown):
            recheck_blocks.progression(At(start), At(step), 20, length)
    else:
        assert list(recheck_blocks.progression(At(start), At(step), 20, length)) == found


def test_a_statement_goes_by_its_kind_and_its_parameters() -> None:
    for kind, parameters, shown in (
        ("fooling-set", {}, "no parameters"),
        ("fooling-set", {"m": "15"}, "m = 15"),
        ("verified", {"n": "34", "p": "8"}, "n = 34, p = 8"),
    ):
        given = sealed(put("parameters", value=parameters)(good(kind)))
        assert recheck.Statement(given, Limits()).name.endswith(f" at {shown}")
    for key in ("format", "kind"):
        with pytest.raises(Unknown, match=f'^{key}: "believed" where '):
            recheck.recheck({**good("fooling-set"), key: "believed"})


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_fooling_set_is_counted(length: int) -> None:
    """All strings, every two of them, and a bit of each: any other number is refused."""
    strings = list(product("01", repeat=length))
    counted = {"size": len(strings), "pairs": len(list(combinations(strings, 2))), "bits": length}
    facts = {"rule": At("diagonal"), **{key: At(str(count), key) for key, count in counted.items()}}
    assert f"force at least {length} bits" in recheck.check_fooling(facts, length)
    for key, count in counted.items():
        for other in (count - 1, count + 1):
            with pytest.raises(Rejected, match=key):
                recheck.check_fooling({**facts, key: At(str(other), key)}, length)
