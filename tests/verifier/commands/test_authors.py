"""What an author meets: every mistake at once with its line, the first input and token that depart, a folder of that name."""

from pathlib import Path

import pytest

from tests.command_line import CommandLine
from verifier.arithmetic.semantics import NAMED
from verifier.certificates.files import accepted
from verifier.certificates.statement import Subject
from verifier.certificates.tables import table_certificate
from verifier.errata.tables import read_construction
from verifier.networks.instantiate import instantiate
from verifier.networks.templates import beginning
from verifier.transformers.tables import Execution


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


def changed(folder: Path, function: str, *changes: tuple[str, str]) -> str:
    text = beginning(function, 3, "mine")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / "mine.toml"
    path.write_text(text)
    return str(path)


def line_of(path: str, text: str) -> int:
    return next(k for k, line in enumerate(Path(path).read_text().splitlines(), 1) if text in line)


def test_every_mistake_of_shape_at_once_with_its_line(verify: CommandLine, tmp_path: Path) -> None:
    path = changed(tmp_path, "parity", ("step = 1", "stp = 1"), ("one = [1, 1]", "one = [1, 1.5]"), ("title = ", "titel = "))
    lines = verify("construction", path).err.splitlines()
    assert [line.partition("mine.toml")[2] for line in lines] == [
        f":{line_of(path, 'titel')}: titel: unknown field 'titel'; did you mean title?",
        f":{line_of(path, '[[row]]')}: row 1: missing required field step",
        f":{line_of(path, 'stp')}: row 1, stp: unknown field 'stp'; did you mean step?",
        f":{line_of(path, '1.5')}: row 1, one 2: an integer or a formula in quotes or a table was expected, "
        'not the float 1.5 (an exact number is written in quotes, as "1/2" or "0.5")',
        ": missing required field title",
    ]


def test_every_mistake_of_content_at_once_with_its_line(verify: CommandLine, tmp_path: Path) -> None:
    changes = [
        ("one = [1, 1]", 'one = [1, "k"]'),
        ('bits = "m + 3"', 'bits = "m + "'),
        ('weights = [1]\nbias = "-j"', 'weights = [1, 2]\nbias = "-j"'),
        ('reads = "x[i]"', 'reads = "w[i]"'),
        ("zero = [1, 0]\n\n[weights", "zero = [1]\n\n[weights"),
        ('is = "popcount(x[1 : i])"', 'is = "popcount(q)"'),
    ]
    path = changed(tmp_path, "parity", *changes)
    done = verify("construction", path)
    assert done.status == 2
    lines = [line.partition("mine.toml:")[2] for line in done.err.splitlines()]
    wanted = ['bits = "m + "', "w[i]", '"k"', "zero = [1]", "[1, 2]"]
    found = [int(line.partition(":")[0]) for line in lines]
    assert found == sorted(found)
    assert {line_of(path, text) for text in wanted} <= set(found)
    said = " ".join(lines)
    assert "step 1, token 1, one 2: no name 'k' here" in said
    assert "'m + ' is not a formula" in said
    assert "2 weights, 1 was expected, as W^V has columns" in said
    assert "count: no name 'q' here; the names are m, x, i, v" in said
    assert "step 2, zero: 1 entries, 2 were expected as in weights.query" in said
    assert "input clause 1, token 1: reads 'w[i]'" in said


def test_a_quantity_without_value_is_blamed_once(verify: CommandLine, tmp_path: Path) -> None:
    path = changed(tmp_path, "parity", ("[precision]", '[derived]\nh = "q"\nk = "h + 1"\n\n[precision]'))
    done = verify("construction", path)
    assert done.err.count("\n") == 1
    assert "derived.h: no name 'q' here" in done.err


def test_the_mistakes_of_several_files(verify: CommandLine, tmp_path: Path) -> None:
    one, other = changed(tmp_path, "parity", ("step = 1", "stp = 1")), str(tmp_path / "none.toml")
    assert len(verify("construction", one, other).err.splitlines()) == 3


def test_every_defect_with_its_line(verify: CommandLine, tmp_path: Path) -> None:
    path = changed(tmp_path, "equality", ('i = "[1 : m]"\nzero', 'i = "[2 : m]"\nzero'), ('i = "2*m + 1"\nzero', 'i = "2*m + 2"\nzero'))
    said = " ".join(verify("construction", path).out.split())
    first, second, third = (line_of(path, f"step = {step}") - 1 for step in (1, 2, 3))
    assert (
        f"ill-formed: line {third}, step 3: token 8 lies outside the tokens 1 … 7; line {first}, table: no row for token 1; "
        f"line {second}, table: no row for token 7" in said
    )


def test_the_first_input_and_token_that_depart_at_eighty_columns(verify: CommandLine, tmp_path: Path) -> None:
    path = changed(tmp_path, "parity", ("one = [1, 1]", 'one = [1, "1 if i < 3 else 2"]'))
    done = verify("construction", path)
    said = " ".join(done.out.split())
    assert done.status == 1
    assert "popcount(x) % 2 == 1 fails on 4 of them counterexample: m = 3, x = 001" in said
    assert "the numerator after token 3 (step 1) is 2, 1 = popcount(x[1 : i]) was expected; fails on 4 of them" in said
    assert "token = 3, step = 1, found = 2" in said
    assert max(len(line) for line in done.out.splitlines() if "replay" not in line) <= 80
    result = verify("construction", path, "--format json").document["results"][1]
    assert result["claim"] == "construction/mine:count"
    assert {"x": "001", "token": "3", "step": "1", "found": "2"}.items() <= result["counterexample"].items()


def test_expectations_are_kept_by_the_gate_and_pointed_at(verify: CommandLine, tmp_path: Path) -> None:
    path, table = changed(tmp_path, "parity"), str(tmp_path / "verdicts.tsv")
    assert verify("gate", path, "--table", table, "--update").status == 0
    assert verify("gate", path, "--table", table).status == 0
    Path(path).write_text(Path(path).read_text().replace("x[1 : i]", "x[2 : i]"))
    done = verify("gate", path, "--table", table)
    assert done.status == 1
    assert "mine.toml:count" in done.out + done.err
    (result,) = verify("construction", path, "--format sarif").document["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (result["ruleId"], place["region"]["startLine"]) == ("expectation", line_of(path, "[[expect]]"))


def test_one_input_of_any_strings_is_traced(verify: CommandLine, tmp_path: Path) -> None:
    path = changed(tmp_path, "comparison")
    done = verify("trace", path, "--y 010 --z 011")
    assert done.status == 0
    assert "value(y) < value(z) is 1: right" in done.out
    assert "numerator    2 = 10₂, 3 = 11₂" in done.out
    assert verify("trace", path, "--y 010").err == f"verify: {path}: --z was expected, the symbols of the input\n"
    one = changed(tmp_path, "majority")
    assert "majority (as written)  m = 5" in verify("trace", one, "--x 01101").out.replace("mine", "majority"), "the length is the string's"
    assert "--x 01: a string of 3 binary digits was expected" in verify("trace", one, "--x 01 --m 3").err


def test_more_inputs_than_the_limit_are_declined(verify: CommandLine, tmp_path: Path) -> None:
    done = verify("construction", changed(tmp_path, "comparison"), "--limit 63 --format json")
    assert done.status == 3
    reasons = {r["reason"] or r["scope"]["statement"] for r in done.document["results"]}
    assert reasons == {"enumeration visits 64 inputs (y, z of 3 bits), the limit is 63; --limit lifts the limit"}


@pytest.mark.parametrize("function", ["parity", "comparison"])
def test_a_certificate_with_any_function_and_attention(tmp_path: Path, function: str) -> None:
    for attention in ("linear", "softmax"):
        path = Path(changed(tmp_path, function, ('"linear"', f'"{attention}"')))
        made = table_certificate(Subject("mine", "printed", {}), Execution(instantiate(read_construction(path).file, {}), NAMED["a4"]))
        assert not accepted(made)


def test_a_folder_called_constructions_hides_nothing(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "constructions").mkdir()
    (tmp_path / "constructions" / "__init__.py").write_text("raise ImportError('the wrong folder')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "lemma-2.6" in verify("list every-bit-counts").out
