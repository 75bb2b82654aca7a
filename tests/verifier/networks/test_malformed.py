"""Malformed construction files: a title in plain words, one change to a good file, and the one line that refuses it."""

import tomllib
from pathlib import Path

import pytest

from verifier.errata.tables import read_construction
from verifier.networks.files import Lines, misfits
from verifier.networks.instantiate import instantiate
from verifier.networks.partial_reading import fitted
from verifier.networks.records import ConstructionFile
from verifier.running.errors import FileDefects, InputError, LimitError

GOOD = (Path(__file__).parents[2] / "good.toml").read_text()
VALUE = 'matrix = [[0], [0], ["2**(h - 1)"]]'
KEY = "matrix = [[0], [1], [0]]"
HEX = "0x" + "F" * 5000

SHAPE = [
    ("no format", 'format = "bitreferee/construction/1"\n', "", 'no format is given, format = "bitreferee/construction/1" was expected'),
    ("another version", "construction/1", "construction/2", "format is 'bitreferee/construction/2'"),
    ("an errata file", "bitreferee/construction/1", "bitreferee/errata/1", "format is 'bitreferee/errata/1'"),
    ("no id", 'id = "example"\n', "", "missing required field id"),
    ("an id that is a number", 'id = "example"', "id = 3", "file.toml:2: id: a text was expected, not 3"),
    ("a misspelt key", "[derived]", "[derivd]", "file.toml:14: derivd: unknown field 'derivd'; did you mean derived"),
    ("a misspelt key in a row", "zero = [1, 0,", "zeros = [1, 0,", "file.toml:54: row 3: missing required field zero .and 1 more"),
    ("no rows", "[[row]]", "[[rows]]", "rows: unknown field 'rows'; did you mean row"),
    ("a row without vector for 0", 'zero = [1, 0, "1/2"]\n', "", "file.toml:54: row 3: missing required field zero"),
    ("a step that is not an integer", "step = 3", "step = 3.5", "row 3, step: an integer was expected, not the float 3.5"),
    (
        "a float entry",
        "zero = [1, 0,",
        "zero = [1, 0.5,",
        "row 3, zero 2: an integer or a formula in quotes or a table was expected, not the float 0.5",
    ),
    ("a truth value as an entry", "zero = [1, 0,", "zero = [1, true,", "row 3, zero 2: an integer or a formula .* not true"),
    ("a date as an entry", "zero = [1, 0,", "zero = [1, 2026-01-01,", "row 3, zero 2: .* not 2026-01-01"),
    ("a vector that is not a list", 'zero = [1, 0, "1/2"]', "zero = 1", "row 3, zero: a list was expected, not 1"),
    (
        "a weight matrix without brackets",
        "matrix = [[0], [1], [0]]",
        "matrix = [0, 1, 0]",
        "weights.key.matrix 1: a list or a table was expected, not 0 .and 2 more",
    ),
    ("no value weights", "[weights.value]\nmatrix", "[weights.valu]\nmatrix", "weights"),
    (
        "parameters that are no table",
        "[parameters.p]",
        "[parameters]\np = 3\n[old.p]",
        "parameters.p: a table was expected, not 3 .and 1 more",
    ),
    ("a parameter without domain", 'where = "p >= 3"\n', "", "parameters.p: missing required field where"),
    ("a key with a line break", "[derived]", '[derived]\n"a\\nb" = 1', r"'a\\nb' names no quantity"),
    ("a name that is two words", "h = ", '"h 2" = 3\nh = ', "'h 2' names no quantity"),
    ("the name N", "h = ", "N = 3\nh = ", "'N' names no quantity"),
    ("the name of the token index", "h = ", "i = 3\nh = ", "'i' names no quantity"),
    ("the name of a function", "h = ", "max = 3\nh = ", "'max' names no quantity"),
    ("a name that Python keeps", "h = ", "lambda = 3\nh = ", "'lambda' names no quantity"),
    ("an unknown factor", 'times = "ln2"', 'times = "pi"', "file.toml:60: weights.query.times: 1 or ln2 was expected, not 'pi'"),
    ("ln 2 in W^V", VALUE, f'times = "ln2"\n{VALUE}', 'file.toml:67: weights.value.times is "ln2", "1" was expected: only the scores of'),
    ("ln 2 in W^Q and W^K", KEY, f'times = "ln2"\n{KEY}', 'file.toml:64: weights.key.times is "ln2", "1" was expected: W.Q has the factor'),
    ("a parameter derived again", "h = ", "p = 3\nh = ", "'p' is both a parameter and a derived quantity"),
]
TOML = [
    ("two equal keys", 'id = "example"', 'id = "example"\nid = "again"', "not TOML: Cannot overwrite a value"),
    ("an open bracket", "zero = [1, 0,", "zero = [[1, 0,", "not TOML: "),
    ("an open string", 'id = "example"', 'id = "example', "not TOML: Illegal character"),
    ("prose", GOOD, "Dear referee,", "not TOML: "),
    ("nothing", GOOD, "", "no format is given"),
    ("a number of 5000 digits", "step = 3", "step = " + "9" * 5000, "a value that cannot be read"),
    ("many values", "step = 3", f"step = {[1] * 50_000}", r"50,1\d\d values; at most 50,000 were expected"),
    ("deep nesting", "step = 3", "step = " + "[" * 5000 + "]" * 5000, "nested too deeply|not TOML"),
]
EXPRESSIONS = [
    (
        "an unknown name",
        '"2**(h - i)"',
        '"2**(k - i)"',
        "example: step 1, token 1, one 3: no name 'k' here; the names are p, n, m, h, i, f1",
    ),
    (
        "a division by zero at one token",
        '"2**(h - i)"',
        '"1/(2 - i)"',
        "example: step 1, token 2, one 3: '1 / \\(2 - i\\)': 1/0 divides by zero",
    ),
    ("a call", '"2**(h - i)"', "\"__import__('os')\"", "example: step 1, token 1: .* is outside the formula language"),
    ("an endless power", '"2**(h - i)"', '"9**9**9**9"', "example: step 1, token 1, one 3: .*: a power of more than 4096 bits"),
    ("a number of 5000 hexadecimal digits", "zero = [1, 0,", f"zero = [1, {HEX},", "an integer of more than 4096 bits"),
    ("a step of 5000 hexadecimal digits", "step = 3", f"step = {HEX}", "an integer of more than 4096 bits"),
    ("an index of 5000 hexadecimal digits", 'i = "[2*m + 1 : n]"\nreads', f"i = {HEX}\nreads", "an integer of more than 4096 bits"),
    ("N where an index is due", 'i = "[2*m + 1 : n]"\nzero', 'i = "N"\nzero', "example: step 3: N stands for itself"),
    ("a range without colon", '"[2*m + 1 : n]"\nzero', '"[2*m + 1]"\nzero', r"example: step 3: .* is not a range such as \[7 : h\]"),
    ("an open range", '"[2*m + 1 : n]"\nzero', '"[2*m + 1 : n"\nzero', "example: step 3: .* is not a range such as"),
    ("an endless range", '"[2*m + 1 : n]"\nzero', '"[1 : 10**9]"\nzero', "example: step 3: .* has 1000000000 indices; at most 100000"),
    ("an empty set", '"{m + 1, m + 2}"', '"{}"', "example: input clause 2: '' is not a formula such as"),
    ("an open set", '"{m + 1, m + 2}"', '"{m + 1, m + 2"', r"example: input clause 2: .* is not a set such as \{0, 1\}"),
    ("half a token", '"{m + 1, m + 2}"', '"{m + 1, 7/2}"', "example: input clause 2: .*is 7/2, an integer was expected"),
    ("a bit of a third string", '"~z[i - m]"', '"x[i - m]"', "example: input clause 2, token 3: reads 'x.*: 0, a bit such as"),
    ("a bit without index", '"~z[i - m]"', '"z"', "example: input clause 2, token 3: reads 'z': 0, a bit"),
    ("an endless field", '"~z[i - m]"', '"z[1 : 10**12]"', "token 3: reads .*: 1000000000000 bits; at most 100000"),
    (
        "a bit index that is not an integer",
        '"~z[i - m]"',
        '"z[i/2]"',
        "example: input clause 2, token 3: .*is 3/2, an integer was expected",
    ),
    ("a derived quantity out of nothing", '"ceil(m/2)"', '"ceil(k/2)"', "example: derived.h: no name 'k' here; the names are p, n, m"),
    ("a domain that is not a condition", '"p >= 3"', '"p"', "example: parameters.p.where: 'p' is not a condition such as"),
    ("a default of an unknown name", 'default = "6"', 'default = "k"', "example: parameters.n.default: no name 'k' here"),
    ("half a bit of precision", 'bits = "p"', 'bits = "p/2"', "example: precision.bits: 'p/2' is 5/2, an integer was expected"),
    ("no bits", 'bits = "p"', "bits = 0", "example: precision.bits is 0"),
    ("strings of no bits", 'length = "m"', "length = 0", "example: problem.length is 0"),
    ("no tokens", 'last = "n"', "last = 0", "example: tokens: the first is 1, the last 0; at least one token was expected"),
    ("an unknown function", 'function = "EQ"', 'function = "LT"', "example: problem: no function 'LT'; there are EQ, GT"),
    ("a promise that is not a condition", '"y <= z"', '"y + z"', "example: problem.promise: 'y \\+ z' is not a condition"),
    ("a promise of an unknown name", '"y <= z"', '"y < x"', "example: problem.promise: no name 'x' here"),
    ("an unknown kind of attention", "source = ", 'attention = "hard"\nsource = ', "attention: softmax or linear was expected, not 'hard'"),
]
DIMENSIONS = [
    ("a vector too short", 'zero = [1, 0, "1/2"]', "zero = [1, 0]", "example: step 3, zero: 2 entries, 3 were expected as in"),
    ("a vector too long", 'one = [1, "-1",', 'one = [1, 1, "-1",', "example: step 1, one: 4 entries, 3 were expected"),
    ("no query weights", "matrix = [[1], [0], [0]]", "matrix = []", "example: step 1, zero: 3 entries, 0 were expected"),
    ("query weights without columns", "matrix = [[1], [0], [0]]", "matrix = [[], [], []]", "example: weights.query: a 3×1 matrix was"),
    ("ragged query weights", "matrix = [[1], [0], [0]]", "matrix = [[1], [0, 1], [0]]", "example: weights.query: a 3×1 matrix"),
    ("keys of another width", "matrix = [[0], [1], [0]]", "matrix = [[0, 0], [1, 0], [0, 0]]", "example: weights.key: a 3×1 matrix"),
    (
        "two value columns",
        VALUE,
        "matrix = [[0, 1], [0, 1], [1, 1]]",
        "mlp.hidden.1: 1 weights, 2 were expected, as W.V has columns .and 1 more",
    ),
    ("a weight that is not an expression", VALUE, 'matrix = [[0], [0], ["2^"]]', "example: weights.value: '2\\^' is no"),
    (
        "a hidden node with two weights",
        "weights = [-1]",
        "weights = [-1, 2]",
        "example: mlp.hidden.1: 2 weights, 1 was expected, as W.V has columns",
    ),
    ("an output weight too few", 'weights = ["-2", "-2"]', 'weights = ["-2"]', "example: mlp.output: 2 weights were expected"),
    ("a bias of an unknown name", 'bias = "-1/2"', 'bias = "-1/k"', "example: mlp.hidden.2: no name 'k' here"),
    ("an output bias N", "bias = 1\n", 'bias = "N"\n', "example: mlp.output: N stands for itself"),
]
ALL = [*SHAPE, *TOML, *EXPRESSIONS, *DIMENSIONS]


def load(text: str, folder: Path) -> None:
    path = folder / "file.toml"
    path.write_text(text)
    instantiate(read_construction(path).file, {"p": 5})


def test_the_good_file_is_good(tmp_path: Path) -> None:
    load(GOOD, tmp_path)


@pytest.mark.parametrize(("title", "old", "new", "message"), ALL, ids=[c[0] for c in ALL])
def test_refused_in_one_line(title: str, old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in GOOD
    with pytest.raises(InputError, match=message) as refusal:
        load(GOOD.replace(old, new, 1), tmp_path)
    line = str(refusal.value)
    assert line.isprintable()
    assert line.startswith(("file.toml:", "example: ", str(tmp_path)))


@pytest.mark.parametrize(
    ("title", "old", "new", "message"),
    [
        ("a billion bits", 'bits = "p"', 'bits = "10**9"', "precision.bits is 1000000000, at most 4096 is built"),
        ("strings of a billion bits", 'length = "m"', 'length = "10**9"', "problem.length is 1000000000, at most 20000"),
        ("a million tokens", 'last = "n"', 'last = "10**6"', "example has 1000000 tokens, at most 20000 are built"),
        ("more tokens than a machine word counts", 'last = "n"', 'last = "10**40"', "at most 20000 are built"),
        ("a token of twenty bits", '["~z[i - m]"]', '["~z[1 : 20]"]', "token 3 holds 20 bits, at most 12 are tabulated"),
    ],
)
def test_beyond_the_limits(title: str, old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(LimitError, match=message):
        load(GOOD.replace(old, new, 1), tmp_path)


@pytest.mark.parametrize(
    ("title", "given", "message"),
    [
        ("a missing parameter", {}, r"example needs --p \(bits of precision\)"),
        ("an unknown parameter", {"p": 5, "q": 1}, "example has no parameter 'q'; it takes p, n"),
        ("a value outside the domain", {"p": 2}, "example: p = 2 is outside p >= 3"),
        ("a default overridden outside its domain", {"p": 5, "n": 5}, "example: n = 5 is outside n >= 6"),
    ],
)
def test_refused_parameters(title: str, given: dict[str, int], message: str, tmp_path: Path) -> None:
    (tmp_path / "file.toml").write_text(GOOD)
    with pytest.raises(InputError, match=message):
        instantiate(read_construction(tmp_path / "file.toml").file, given)


@pytest.mark.parametrize(
    ("title", "name", "content", "message"),
    [
        ("no such file", "other.toml", b"", "other.toml: no such file"),
        ("a folder", ".", b"", "a directory"),
        ("a file within a file", "file.toml/more.toml", b"", "no such file"),
        ("a name too long", "x" * 300, b"", "name too long"),
        ("bytes that are no text", "file.toml", b"\xff\xfe", "not a text file; a construction file is TOML in UTF-8"),
        ("a zero byte", "file.toml", b"id = \x00", "not TOML"),
    ],
)
def test_files_that_cannot_be_read(title: str, name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "file.toml").write_bytes(content)
    with pytest.raises(InputError, match=f"(?i){message}"):
        read_construction(tmp_path / name)


SHAPES_AND_CONTENTS = [
    ('id = "example"', "id = 3", "id = 3", "id: a text was expected, not 3"),
    ('"2**(h - i)"', '"2**(k - i)"', "2**(k", "step 1, token 1, one 3: no name 'k' here"),
    ("step = 3\n", "step = 3\nextra = 1\n", "extra = 1", "row 3, extra: unknown field 'extra'"),
    ("matrix = [[0], [1], [0]]", "matrix = [[0], [1]]", "[weights.key]", "weights.key: a 3×1 matrix was expected"),
    ("bias = 1\n", "bias = 1.5\n", "bias = 1.5", "mlp.output.bias: an integer or a formula in quotes was expected, not the float 1.5"),
]


def test_mistakes_of_shape_and_of_content_are_told_at_once_each_with_its_line(tmp_path: Path) -> None:
    path, text = tmp_path / "file.toml", GOOD
    for old, new, _, _ in SHAPES_AND_CONTENTS:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileDefects) as caught:
        read_construction(path)
    lines = text.splitlines()
    for found, (_, _, there, message) in zip(caught.value.lines, SHAPES_AND_CONTENTS, strict=True):
        line = next(k for k, line in enumerate(lines, 1) if there in line)
        assert found.startswith(f"{path}:{line}: {message}")


FITTING = [
    row
    for row in SHAPE
    if not any(words in row[3] for words in ("format is", "no format is", "names no quantity", "both a parameter", '"1" was expected'))
]


@pytest.mark.parametrize(("old", "new"), [row[1:3] for row in FITTING], ids=[row[0] for row in FITTING])
def test_what_fits_of_a_file_has_the_shape_of_one(old: str, new: str) -> None:
    raw = tomllib.loads(GOOD.replace(old, new, 1))
    assert list(misfits(raw, ConstructionFile))
    assert not list(misfits(fitted(raw, ConstructionFile), ConstructionFile))


def test_a_long_file_has_lines_too() -> None:
    rows = "".join(f'[[row]]\nstep = {k}\ni = "{k}"\nzero = [\n1,\n2]\n# a remark\n\n' for k in range(1000))
    lines = Lines(f"{rows}[[row.inner]]\na.b = 1\n")
    assert [lines.of(path) for path in (("row", 0), ("row", 999, "zero", 1), ("row", 999, "inner", 0, "a", "b"), ("other",))] == [
        *(1, 999 * 8 + 4, 8002, None)
    ]
