"""A paper of one's own: what `verify new DIR --paper` writes checks, and each mistake in it is named with its line."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from bitreferee import add_papers, judge
from tests.command_line import CommandLine
from tests.papers_of_tests import FOLDER, empty_shelf
from verifier.networks.templates import paper_files
from verifier.running.errors import InputError
from verifier.show.field_reference import field_tables, json_schema

ROOT = Path(__file__).parents[3]
PAPERS = [path.parent for path in (*ROOT.glob("constructions/*/paper.toml"), FOLDER / "paper.toml")]


@pytest.fixture
def mine(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The paper that `verify new --paper` writes, in the working directory."""
    monkeypatch.chdir(tmp_path)
    assert verify("new mine --paper").status == 0
    with empty_shelf():
        yield Path("mine")


def test_a_statement_is_shown_with_how_it_stands(verify: CommandLine, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a run of the paper is kept, in the words of its screen; otherwise the command that judges the claim."""

    def shown(subject: str) -> list[str]:
        done = verify(f"--papers mine show {subject}")
        assert done.status == 0, done.err
        return done.out.splitlines()

    monkeypatch.setattr("verifier.gate.run.kept_run", lambda paper: None)
    unknown = "  not computed here; `verify --papers mine show lemma-1 --fresh` computes it,"
    assert unknown in shown("mine/lemma-1")
    assert "  true for every p (symbols)" not in shown("mine/lemma-1")
    assert shown("mine")[:2] == ["✓ Lemma 1: true for every p (symbols)", "  printed proof: works for every p"]
    assert "  true for every p (symbols)" in shown("mine/lemma-1 --fresh")
    assert "  The proof rests on this step." in shown("mine/lemma-1:pairs --fresh")
    whole = {record["claim"]: record for record in json.loads("\n".join(shown("mine --format json")))}
    for name in whole:  # judged without the rest of the paper
        assert json.loads("\n".join(shown(f"{name} --format json"))) == whole[name]


def test_a_finding_without_a_correction_spares_no_failure(verify: CommandLine, mine: Path) -> None:
    """Only a correction that mends a failure is taken for the result; the replay shows the failure that is named."""
    paper = mine / "paper.toml"
    paper.write_text(paper.read_text().replace('"lemma-1", ', '"lemma-1", "lemma-4", '))
    lemma = ('id = "lemma-4"', 'place = "Lemma 4"', 'says = "2^p > p^2."', 'holds = "2**p > p**2"')
    parameter = 'parameters.p = { meaning = "bits", where = "p >= 1", typical = "1..6" }'
    (mine / "statements" / "lemma-4.toml").write_text("\n".join([*lemma, parameter]))
    finding = (
        'id = "small"',
        'class = "edge"',
        'place = "Lemma 4"',
        'title = "fails for p = 2, 3, 4"',
        'about = ["lemma-4"]',
        'where = "2 <= p <= 4"',
    )
    (mine / "findings.toml").write_text("\n".join(["[[finding]]", *finding]))
    said = verify("--papers mine mine/lemma-4")
    assert said.status == 1
    assert "false for p = 2..4 (counterexample)\n" in said.out
    replay = next(line for line in said.out.splitlines() if "replay: verify " in line).partition("verify ")[2]
    assert verify(replay).status == 1
    assert verify("--papers mine report --paper mine --output pages").status == 0
    assert "| Lemma 4 |  | (no correction is given) fails for p = 2, 3, 4 |" in Path("pages/mine.md").read_text()


def test_a_mistake_of_a_table_stands_in_its_file(verify: CommandLine, mine: Path) -> None:
    table = mine / "tables" / "table-1.toml"
    table.write_text(table.read_text().replace('reads = "y[i]"', 'reads = "yy[i]"'))
    line = table.read_text().splitlines().index('reads = "yy[i]"') + 1
    done = verify("--papers mine mine")
    assert done.status == 2
    assert f"tables/table-1.toml:{line}: input clause 1, token 1: reads 'yy[i]'" in done.err


def test_python_judges_it(mine: Path) -> None:
    add_papers(mine)
    assert judge("mine/theorem-2").verified
    with pytest.raises(InputError, match=r"no paper\.toml in it"):
        add_papers(mine / "tables")
    lemma = mine / "statements" / "lemma-1.toml"
    lemma.write_text(lemma.read_text().replace('half = "2**(p - 1)"', 'half = "2**p"'))
    with pytest.raises(InputError, match=r"lemma-1\.toml changed after add_papers, and a paper is read once"):
        judge("mine/theorem-2")


def test_python_adds_no_wrong_paper(mine: Path) -> None:
    """Then the papers that ship are judged as before."""
    paper = mine / "paper.toml"
    paper.write_text(paper.read_text().replace('"lemma-1", ', '"lemma-44", '))
    with pytest.raises(InputError, match=r"paper\.toml:\d+: lemma-44 has no file"):
        add_papers(mine)
    assert judge("lemma-a.6", k=2).verified


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("right", "wrong", "said", "fix"),
    [
        ('"-2**(2*m - i)"', '"2**(2*m - i)"', "EQ fails on", "row.2.one.2: 2**(2*m - i) → -2**(2*m - i)"),
        ('"[m + 1 : 2*m]"\nzero', '"[m + 1 : 2*m - 1]"\nzero', "no row for token", "row.2.i: [m + 1 : 2*m - 1] → [m + 1 : 2*m]"),
        ('is = "value(y)"', 'is = "popcount(y)"', "[[expect]] after-y: the numerator", ""),
    ],
)
def test_a_wrong_table_is_shown_in_its_file(verify: CommandLine, mine: Path, right: str, wrong: str, said: str, fix: str) -> None:
    """SARIF and JUnit point to the entry of the table; a false expectation refutes the printed argument alone."""
    table = mine / "tables" / "table-1.toml"
    text = table.read_text().replace(right, wrong)
    table.write_text(text)
    line = next(
        number for number, each in enumerate(text.splitlines(), 1) if wrong.split("\n")[0] in each or ("[[expect]]" in each and not fix)
    )
    sarif = verify("--papers mine mine/table-1 --format sarif")
    found = {r["message"]["text"]: r for r in sarif.document["runs"][0]["results"] if r["properties"]["edition"] == "printed"}
    ((message, alert),) = found.items()
    place = alert["locations"][0]["physicalLocation"]
    assert (sarif.status, place["artifactLocation"]["uri"], place["region"]["startLine"]) == (1, "mine/tables/table-1.toml", line)
    assert (said in message, f": {fix}" in message, "fixes" in alert) == (True, bool(fix), bool(fix))
    assert f'file="mine/tables/table-1.toml" line="{line}"' in verify("--papers mine mine/table-1 --format junit").out
    assert (verify("--papers mine mine/table-1 --edition statement").status == 0) is (not fix)


@pytest.mark.parametrize("kind", ["paper", "statement", "findings"])
def test_the_schema_accepts_every_file_of_ours(kind: str) -> None:
    schema = jsonschema.Draft202012Validator(json.loads(json_schema(kind)))
    pattern = "statements/*.toml" if kind == "statement" else f"{kind}.toml"
    texts = [path.read_text() for folder in PAPERS for path in folder.glob(pattern)]
    texts += [text for place, text in paper_files("mine").items() if Path(place).match(pattern)]
    assert len(texts) > 5
    for text in texts:
        assert [error.message for error in schema.iter_errors(tomllib.loads(text))] == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("paper", 'id = "a"\ntitle = "b"\nauthor = "c"\n'),
        ("statement", 'id = "lemma-1"\nholds = 3\njudge = "formula"\n'),
        ("statement", 'id = "lemma-1"\nparameters = { p = { wher = "p >= 1" } }\n'),
        ("findings", "[[finding]]\nid = 'x'\n"),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(kind: str, text: str) -> None:
    assert not jsonschema.Draft202012Validator(json.loads(json_schema(kind))).is_valid(tomllib.loads(text))


@pytest.mark.parametrize("kind", ["paper", "statement", "findings"])
def test_the_page_names_the_command_that_prints_every_field(kind: str, verify: CommandLine) -> None:
    page = (ROOT / "docs" / "paper-format.md").read_text()
    assert f"verify new --schema {kind} --fields" in page
    assert verify(f"new --schema {kind} --fields").out == field_tables(kind)
