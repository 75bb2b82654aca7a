"""What is no certificate: refused with the place and what was expected there, never judged."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from pathlib import Path

import pytest

from tests.verifier.certificates.samples import Change, drop, good, put, titled
from tests.verifier.certificates.test_differential import transformer
from tests.verifier.certificates.test_limits import small
from verifier.arithmetic.semantics import NAMED, read_semantics
from verifier.certificates import recheck
from verifier.certificates.statement import construction_data, sealed, semantics_data
from verifier.networks.instance import Matrix

TOKEN = ("construction", "tokens", 3)
QUERY, KEY, VALUE, MLP = (("construction", name) for name in ("query", "key", "value", "mlp"))
STAGE = ("blocks", 0, "stages", 3)
LESS = (*STAGE, "less")
STATE = (*LESS, 0, 0, 0)

WRONG = [
    # keys
    ("verified", "an unknown key", put("author", value="me"), 'the certificate: "author" is not known here'),
    ("verified", "an unknown knob", put("semantics", "mood", value="good"), 'semantics: "mood" is not known here'),
    ("verified", "a knob missing", drop("semantics", "entries"), "semantics: no entries"),
    ("verified", "the scale missing", drop("semantics", "scale"), "semantics: no scale"),
    ("verified", "no construction", drop("construction"), "the certificate: no construction"),
    ("verified", "no blocks", drop("blocks"), "the certificate: no blocks"),
    ("verified", "an extra key in a token", put(*TOKEN, "note", value="x"), 'construction, tokens, number 4: "note" is not known'),
    (
        "verified",
        "an extra key in a stage",
        put("blocks", 0, "stages", 0, "every", value=[]),
        'blocks, number 1, stages, number 1: "every"',
    ),
    ("verified", "every left out in the second block", drop("blocks", 1, "stages", 0, "every"), "number 2, stages, number 1: no every"),
    ("verified", "another kind's facts", put("kind", value="refuted"), "the certificate: no input"),
    ("refuted", "an extra key in the trace", put("trace", "note", value="x"), 'trace: "note" is not known'),
    ("refuted", "a key of the trace missing", drop("trace", "output"), "trace: no output"),
    ("fooling-set", "a construction beside the problem", put("construction", value={}), '"construction" is not known here'),
    # words
    (
        "verified",
        "a format of the future",
        put("format", value="bitreferee/certificate/2"),
        "format: .* where bitreferee/certificate/1",
    ),
    (
        "verified",
        "another kind",
        put("kind", value="believed"),
        'kind: "believed" where refuted or verified or fooling-set or one-sum was expected',
    ),
    ("verified", "no kind", drop("kind"), "kind: a record where"),
    ("verified", "another edition", put("edition", value="final"), 'edition: "final" where statement or printed or repaired was'),
    ("verified", "a setting unknown", put("semantics", "ties", value="random"), 'semantics, ties: "random" where zero or even or away was'),
    (
        "verified",
        "a sum of another name",
        put("blocks", 0, "sums", value=["total"]),
        'sums, number 1: "total" where sum 1',
    ),
    ("fooling-set", "another problem", put("problem", "promise", value="none"), 'problem, promise: "none" where y <= z was'),
    ("fooling-set", "another function", put("problem", "function", value="GT"), 'problem, function: "GT" where EQ was'),
    ("fooling-set", "another rule", put("rule", value="antidiagonal"), 'rule: "antidiagonal" where diagonal was'),
    ("verified", "a parameter that cannot be compared", put("parameters", "q", value="8"), 'parameters: "q" is none of m, p, n'),
    ("fooling-set", "a parameter of constructions", put("parameters", "p", value="8"), 'parameters: "p" is none of m'),
    ("verified", "a parameter whose name is two lines", put("parameters", "p\nq", value=[]), r'parameters: "p\\nq" is none of m, p, n'),
    # types
    ("verified", "a name that is a list", put("claim", value=["lemma"]), "claim: a list where a text was expected"),
    ("verified", "a flag in words", put(*QUERY, "ln2", value="yes"), 'query, ln2: "yes" where true or false was'),
    ("verified", "a flag as a number", put(*QUERY, "ln2", value="1"), 'query, ln2: "1" where true or false was'),
    ("verified", "a number that is a flag", put("construction", "bits", value=True), "construction, bits: true where an exact number was"),
    ("verified", "a number that is nothing", put("cases", value=None), "cases: null where an exact number was"),
    ("verified", "a block that is no record", put("blocks", 0, value="all"), 'blocks, number 1: "all" where a record was'),
    ("verified", "a vector that is a text", put(*TOKEN, "vectors", 0, value="100"), 'vectors, number 1: "100" where a list was'),
    ("verified", "a certificate that is a list", lambda c: [c], "the certificate: a list where a record was expected"),
    ("refuted", "an input that is a number", put("input", "y", value=1), "input, y: 1 where a text was"),
    # numbers
    ("verified", "a decimal with an exponent", put("cases", value="1e3"), 'cases: "1e3" where an exact number was'),
    ("verified", "digits of another script", put("cases", value="٥"), "cases: .* where an exact number was"),
    ("verified", "an underscore", put("cases", value="1_0"), 'cases: "1_0" where an exact number was'),
    ("verified", "a space", put("cases", value=" 1"), "where an exact number was"),
    ("verified", "a division by zero", put("construction", "bits", value="8/0"), 'bits: "8/0" where an exact number was'),
    ("verified", "an entry of 301 digits", put(*MLP, "output", "bias", value="1" * 301), "bias: .* where an exact number was"),
    ("verified", "a denominator of 301 digits", put(*MLP, "output", "bias", value="1/" + "3" * 301), "bias: .* where an exact number was"),
    ("verified", "half a bit", put("construction", "bits", value="17/2"), 'bits: "17/2" where an integer from 1 to 64 was'),
    ("verified", "no bits", put("construction", "bits", value="0"), 'bits: "0" where an integer from 1 to 64 was'),
    ("verified", "a scale of 0", put("semantics", "scale", value="0"), 'semantics, scale: "0" where a positive scale'),
    ("verified", "a scale that is not used", put("semantics", "scale", value="1/2"), "1 where the point is free"),
    ("verified", "a state between the units", put(*STATE, value="1/2"), 'less, number 1, number 1, number 1: "1/2" where an integer'),
    ("verified", "a run of half a state", put(*LESS, 0, 2, value="1/2"), "where an integer from 1 on was"),
    ("verified", "a run of no states", put(*LESS, 0, 2, value="0"), "where an integer from 1 on was"),
    # infinities
    ("verified", "infinity in a word of its own", put(*STATE, value="Infinity"), '"Infinity" where an exact number was'),
    ("verified", "a list for a state", put(*STATE, value=["inf"]), "number 1: a list where an exact number was"),
    ("verified", "infinity with a plus sign", put(*STATE, value="+inf"), '"[+]inf" where an exact number was'),
    ("verified", "infinity in capitals", put(*STATE, value="INF"), '"INF" where an exact number was'),
    ("verified", "the state that stands for infinity", put(*STATE, value=str(1 << 200)), "where an integer from -16256 to 16256 was"),
    ("verified", "the state that stands for NaN", put(*STATE, value=str(1 << 201)), "where an integer from -16256 to 16256 was"),
    ("verified", "a step to infinity", put(*LESS, 0, 1, 0, value=str(1 << 200)), "where an integer from -32512 to 32512 was"),
    ("verified", "an infinity that steps", put(*LESS, 0, value=[["inf"], ["1"], "1"]), "where an integer from 0 to 0 was"),
    ("verified", "an infinite entry", put(*TOKEN, "vectors", 0, 1, value="inf"), "vectors, number 1, number 2: .inf. where an exact"),
    ("refuted", "NaN in capitals", put("trace", "output", value="NaN"), 'trace, output: "NaN" where an exact number was'),
    # shapes
    ("verified", "a token index twice", put(*TOKEN, "index", value="1"), 'tokens, number 4, index: "1" where index 2 was expected'),
    ("verified", "a token left out", drop(*TOKEN), "tokens, number 4, index: .* where index 2 was"),
    ("verified", "a vector too many", put(*TOKEN, "vectors", value=lambda v: [*v, v[0]]), "vectors: 3 entries where 2 were expected"),
    ("verified", "a vector that is too short", drop(*TOKEN, "vectors", 1, -1), "vectors, number 2: 2 entries where 3 were expected"),
    ("verified", "a row of W^K missing", drop(*KEY, "rows", -1), "key, rows: 2 entries where 3 were"),
    ("verified", "a row of W^V missing", drop(*VALUE, "rows", -1), "value, rows: 2 entries where 3 were"),
    ("verified", "a row of W^Q missing", drop(*QUERY, "rows", -1), "key, rows: 3 entries where 2 were"),
    (
        "verified",
        "a second column of W^V",
        put(*VALUE, "rows", 0, value=["1", "2"]),
        "value, rows, number 1: 2 entries",
    ),
    (
        "verified",
        "an edge of the MLP missing",
        drop(*MLP, "output", "weights", 0),
        "output, weights: 1 entries",
    ),
    ("verified", "no tokens", put("construction", "tokens", value=[]), "tokens: a list where a list whose last token asks"),
    (
        "verified",
        "a token that asks and reads",
        put("construction", "tokens", -1, "reads", value=["y[1]"]),
        "vectors: 1 entries where 2",
    ),
    ("verified", "a run of two parts", drop(*LESS, 0, -1), "less, number 1: 2 entries where 3 were"),
    ("verified", "a state with too many sums", put(*LESS, 0, 0, value=["1", "1"]), "number 1: 2 entries where 1 were"),
    ("refuted", "an input too short", put("input", "y", value="0"), 'input, y: "0" where a string of 15 bits was'),
    ("refuted", "an input of other digits", put("input", "y", value="2" * 15), "where a string of 15 bits was"),
    # the symbol N
    (
        "verified",
        "N where a number is due",
        put(*MLP, "output", "bias", value="N"),
        'bias: "N" where an exact number',
    ),
]

ILL_FORMED = [
    ("ln 2 in W^K", put("key", "ln2", value=True), "key, ln2: true where false, as only W.Q has the factor"),
    ("ln 2 in W^V", put("value", "ln2", value=True), "value, ln2: true where false"),
]


@pytest.mark.parametrize(("title", "change", "reason"), ILL_FORMED, ids=titled)
def test_a_construction_that_is_none_is_refused(title: str, change: Change, reason: str) -> None:
    given = construction_data(small(3, 2, 2))
    semantics = recheck.At(semantics_data(NAMED["a4"]))
    recheck.Transformer(semantics, recheck.At(given), recheck.Limits())
    with pytest.raises(recheck.Unknown, match=reason):
        recheck.Transformer(semantics, recheck.At(change(given)), recheck.Limits())


def test_a_matrix_has_rows_of_one_length_and_the_shape_that_is_wanted() -> None:
    t = transformer(small(3), NAMED["a4"])
    given = recheck.At({"rows": [["1", "2"], ["0", "1/2"]], "ln2": False})
    for shape in (None, (2, 2)):
        assert t.matrix(given, shape) == ([[1, 2], [0, F(1, 2)]], False)
    for wrong in ((1, 2), (3, 2), (2, 1), (2, 3)):
        with pytest.raises(recheck.Unknown, match=r" 2 entries where [13] were expected"):
            t.matrix(given, wrong)
    ragged: list[list[list[str]]] = [[["1"], ["2", "3"]], [["1", "2"], ["3"]], [[], []], []]
    for rows in ragged:
        with pytest.raises(recheck.Unknown, match="a record where a matrix with rows of one length was expected"):
            t.matrix(recheck.At({"rows": rows, "ln2": False}))


def test_a_bit_is_of_one_of_the_strings() -> None:
    t = transformer(small(3, 12), NAMED["a4"])
    assert [t.bit(recheck.At(text)) for text in ("y[1]", "z[10]", "y[12]")] == [("y", 1), ("z", 10), ("y", 12)]
    for text in ("y[13]", "z[0]", "y[02]", "x[1]", "y[1", "[1]", "y[-1]", "y[1] ", ""):
        with pytest.raises(recheck.Unknown, match=r" where y\[k\] or z\[k\] with k up to 12 was expected$"):
            t.bit(recheck.At(text))


def test_the_last_token_asks() -> None:
    """It reads nothing, also where it has a vector for each bit."""
    given = construction_data(small(3, 2))["tokens"]
    t = transformer(small(3, 2), NAMED["a4"])
    assert len(t.read_tokens(recheck.At(given), 1)) == 3
    for tokens in (given[:2], []):
        with pytest.raises(recheck.Unknown, match="a list whose last token asks and reads nothing was expected"):
            t.read_tokens(recheck.At(tokens), 1)


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
    t, given = transformer(small(3, 2), NAMED["a4"]), recheck.At({"input": {"y": y, "z": z}, "trace": {}}).names()
    with pytest.raises(recheck.Unknown, match=f"^input, {which}: .* where a string of 2 bits was expected$"):
        recheck.check_refuted(given, t)


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


@pytest.mark.parametrize(("kind", "title", "change", "reason"), WRONG, ids=titled)
def test_it_is_refused_with_the_place(kind: str, title: str, change: Change, reason: str, tmp_path: Path) -> None:
    """Also where a forger gave it a fresh digest."""
    changed = change(good(kind))
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(sealed(changed) if isinstance(changed, dict) else changed))
    with pytest.raises(recheck.Unknown, match=reason):
        recheck.recheck(changed)
    status, line, certificate = recheck.examine(str(path), recheck.Limits())
    assert (status, certificate) == (2, None)
    assert line.isascii()
    assert line.isprintable()


@pytest.mark.parametrize(("title", "change", "reason"), BYTES, ids=titled)
def test_a_file_that_is_no_json_is_refused(title: str, change: Callable[[bytes], bytes], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(change(json.dumps(good("verified"), separators=(",", ":")).encode()))
    with pytest.raises(recheck.Unknown, match=reason):
        recheck.recheck(recheck.read(str(path), recheck.Limits()))


def test_a_good_file_is_read_plain_and_packed(tmp_path: Path) -> None:
    """The same reading that refuses the files above accepts these."""
    for packed in (False, True):
        path = tmp_path / "certificate.json"
        data = json.dumps(good("verified"), separators=(",", ":")).encode()
        path.write_bytes(gzip.compress(data) if packed else data)
        assert recheck.recheck(recheck.read(str(path), recheck.Limits())).startswith("verified")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_has_as_many_bytes_as_the_limit(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """When unpacked."""
    path = tmp_path / "certificate.json"
    path.write_bytes(pack(b'["12"]' + b" " * 500))
    assert recheck.read(str(path), recheck.Limits(bytes=506)) == ["12"]
    with pytest.raises(recheck.TooMuch, match="more than 505 bytes"):
        recheck.read(str(path), recheck.Limits(bytes=505))


def test_numbers_may_be_json_numbers(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(put("cases", value=536887296)(put("parameters", "p", value=8)(good("verified")))))
    assert recheck.examine(str(path), recheck.Limits())[0] == 0
