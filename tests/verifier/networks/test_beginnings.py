"""What ``verify new`` writes, its schemas, and the page about the format: none says anything that the reader does not."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from tests.command_line import CommandLine
from tests.tables import FOLDER
from verifier.networks.errata import TableErrata
from verifier.networks.files import Lines, misfits
from verifier.networks.records import ConstructionFile
from verifier.networks.templates import NAMED, SYNONYMS, beginning
from verifier.show.field_reference import field_tables, json_schema

ROOT = Path(__file__).parents[3]
GOOD = ROOT / "tests" / "good.toml"
CONSTRUCTIONS = [GOOD, *sorted(p for p in FOLDER.glob("*.toml") if not p.name.endswith(".errata.toml"))]
ERRATA = sorted(FOLDER.glob("*.errata.toml"))
FORMULAS = ["popcount(x) % 3 == 1", "x[1] == y[m] and value(y) < 3", "all(x[j] <= x[j + 1] for j in (1, m - 1))"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("bits", ["2", "3"])
@pytest.mark.parametrize("function", [*NAMED, *SYNONYMS])
def test_a_new_file_verifies_as_it_stands(verify: CommandLine, tmp_path: Path, function: str, bits: str) -> None:
    path = str(tmp_path / "mine.toml")
    assert verify("new", path, f"--bits {bits}", f"--function '{function}'").status == 0
    assert "#" in Path(path).read_text()
    done = verify("construction", path, "--format json")
    verdicts = {r["claim"]: r["verdict"] for r in done.document["results"]}
    assert (done.status, set(verdicts.values())) == (0, {"verified"})
    assert len(verdicts) > 1, "they say what they expect on the way"
    assert verify("construction", path, "--m 2..4" if function != "parity" else "--m 1..2").status == 0


@pytest.mark.parametrize("bits", ["2", "3"])
@pytest.mark.parametrize("function", FORMULAS)
def test_a_table_for_a_condition_is_wrong_on_every_input_and_says_so(verify: CommandLine, tmp_path: Path, function: str, bits: str) -> None:
    path = tmp_path / "mine.toml"
    made = verify("new", str(path), f"--bits {bits}", f"--function '{function}'")
    assert (made.status, "wrong on every input" in made.out, "TO DO" in path.read_text()) == (0, True, True)
    done = verify("construction", str(path), "--format json")
    assert (done.status, done.document["results"][0]["verdict"]) == (1, "refuted")
    path.write_text(path.read_text().replace('"1/2"', f'"1 if {function} else 0"'))
    assert verify("construction", str(path)).status == 0


@pytest.mark.parametrize("function", NAMED)
def test_a_new_file_is_judged_and_not_waved_through(verify: CommandLine, tmp_path: Path, function: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(beginning(function, 3, "mine").replace("\nbias = 0\n", "\nbias = 1\n", 1).replace("floor(m/2)", "ceil(m/2)", 1))
    text = path.read_text()
    path.write_text(text.replace("bias = -1", "bias = -2", 1) if function == "first-equals-last" else text)
    done = verify("construction", str(path), "--format json")
    assert (done.status, done.document["results"][0]["verdict"]) == (1, "refuted")
    assert verify(done.document["results"][0]["replay"].removeprefix("verify ")).status == 1, "the replay fails as the verdict does"


def test_a_file_is_not_overwritten(verify: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("mine")
    assert "the file exists" in verify("new", str(tmp_path / "mine.toml")).err
    assert (tmp_path / "mine.toml").read_text() == "mine"


def validator(kind: str) -> Any:
    return jsonschema.Draft202012Validator(json.loads(json_schema(kind)))


def test_the_schema_accepts_what_the_reader_accepts() -> None:
    schema = validator("construction")
    texts = [path.read_text() for path in CONSTRUCTIONS] + [beginning(f, 3, "mine") for f in (*NAMED, *FORMULAS)]
    for text in texts:
        assert [error.message for error in schema.iter_errors(tomllib.loads(text))] == []
    for path in ERRATA:
        assert [error.message for error in validator("errata").iter_errors(tomllib.loads(path.read_text()))] == []
    assert len(CONSTRUCTIONS) > 8
    assert ERRATA


CHANGES = [
    ("", ""),
    ("[derived]", "[derivd]"),
    ("step = 3", "step = 3.5"),
    ("zero = [1, 0,", "zero = [1, 0.5,"),
    ('id = "example"\n', ""),
    ("matrix = [[0], [1], [0]]", "matrix = [0, 1, 0]"),
    ("zero = [1, 0,", 'zero = [{ for = "k", in = "[1 : 2]" }, 0,'),
    ('length = "m"', "length = true"),
    ('source = "', 'attention = "hard"\nsource = "'),
    ("[weights.query]", '[[expect]]\nof = "sum"\nis = 0\n\n[weights.query]'),
    ("[weights.query]", '[[expect]]\nof = "column"\ncolumn = 2\nis = 0\n\n[weights.query]'),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_the_schema_refuses_what_the_reader_refuses(old: str, new: str) -> None:
    raw = tomllib.loads(GOOD.read_text().replace(old, new, 1))
    assert validator("construction").is_valid(raw) == (not list(misfits(raw, ConstructionFile)))
    try:
        msgspec.convert(raw, ConstructionFile)
    except msgspec.ValidationError:
        assert list(misfits(raw, ConstructionFile)), "the gathered mistakes are none where msgspec finds one"
    else:
        assert not list(misfits(raw, ConstructionFile))


def test_every_field_says_what_it_means() -> None:
    for kind in (ConstructionFile, TableErrata):
        for name, record in msgspec.json.schema(kind)["$defs"].items():
            assert record["description"], name
            if kind is ConstructionFile:
                assert [f for f, each in record["properties"].items() if "description" not in each] == [], name


def test_the_page_says_where_every_field_is() -> None:
    page = (ROOT / "docs" / "format.md").read_text()
    assert "`verify new --schema construction --fields` lists every field" in page
    assert all(f"| `{name}` |" in field_tables("construction") for name in ("function", "promise", "strings", "times", "holds"))


def test_the_page_s_example_verifies(verify: CommandLine, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "format.md").read_text()
    (example,) = {target for target in re.findall(r"\]\((examples/[\w-]+\.toml)\)", page) if "networks" not in target}
    path = ROOT / "docs" / example
    assert verify("construction", str(path)).status == 0
    rows = [block.partition("\n```")[0] for block in page.split("```toml\n")[1:] if "[[row]]" in block]
    assert rows
    assert all(row.partition("\n")[2] in path.read_text(encoding="utf-8") for row in rows), "the page prints a row of it"


def test_the_commands_print_them(verify: CommandLine) -> None:
    assert verify("new --schema construction").out == json_schema("construction")
    assert verify("new --schema errata").out == json_schema("errata")
    assert verify("new --schema construction --fields").out == field_tables("construction")
    assert verify("new --schema statement").out == json_schema("statement")
    assert verify("new --schema nothing").status == 2


def test_lines() -> None:
    """Every key of a file stands on the line that is named for it, and every table under its header."""
    text = GOOD.read_text()
    lines, found = Lines(text), 0
    for path in _paths(tomllib.loads(text), ()):
        line = lines.of(path)
        assert line is not None
        here = text.splitlines()[line - 1]
        keys = [k for k in path if isinstance(k, str)]
        if isinstance(path[-1], str) and not here.startswith("["):
            assert here.replace(" ", "").startswith(f"{keys[-1]}="), (path, here)
            found += 1
        elif here.startswith("["):
            assert keys[0] in here, (path, here)
    assert found > 40
    assert lines.of(("row", 7)) == lines.of(("row",))
    assert lines.of(("nothing",)) is None
    assert Lines("a = 1\n\n# b\nb = [\n  2,\n]\n").of(("b", 0)) == 4


def _paths(value: Any, path: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [p for key, each in inside for p in [(*path, key), *_paths(each, (*path, key))]]
