"""A paper of one's own: what `verify new DIR --paper` writes checks, and each mistake in it is named with its line."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import FOLDER, empty_shelf
from verifier.commands import show
from verifier.networks.templates import paper_files
from verifier.running.limits import silent
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


def test_it_checks(verify: CommandLine, mine: Path) -> None:
    found = verify("--papers mine mine --steps --format json")
    verdicts = {result["claim"]: result["verdict"] for result in found.document["results"]}
    assert found.status == 0
    assert verdicts == dict.fromkeys(("mine/lemma-1", "mine/lemma-1:pairs", "mine/table-1", "mine/theorem-2"), "verified")


def test_its_neighbour_is_refused(verify: CommandLine, mine: Path) -> None:
    path = mine / "statements" / "lemma-1.toml"
    text = path.read_text()
    path.write_text(text.replace('holds = "sum(j for j in (0, 2**p - 1))', 'holds = "sum(j for j in (1, 2**p))'))
    assert "10" in verify("--papers mine mine/lemma-1 --p 2").out
    with empty_shelf():
        assert verify("--papers mine mine/lemma-1 --p 2").status == 1


def test_a_statement_is_shown_with_how_it_stands(verify: CommandLine, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a run of the paper is kept, in the words of its screen; a step says nothing of it."""

    def second(claim: str) -> str:
        done = verify(f"--papers mine show mine/{claim}")
        assert done.status == 0, done.err
        return done.out.splitlines()[1]

    monkeypatch.setattr(show, "_kept", lambda paper: None)
    assert second("lemma-1").endswith("show mine` judges the paper and says how it stands")
    said = verify("--papers mine show mine").out.splitlines()
    monkeypatch.setattr(show, "_kept", lambda paper: show._judged(paper, 1, silent))
    assert second("lemma-1") in said
    assert second("lemma-1:pairs").startswith("says ")


def test_check_and_report_judge_the_folder(verify: CommandLine, mine: Path) -> None:
    """Table and pages stand in the paper's folder; no other paper is judged."""
    assert verify("check --papers mine --update --jobs 1").status == 0
    assert {path.name for path in (mine / "reports").iterdir()} == {"README.md", "mine.md", "mine.svg", "mine.bib"}
    for words in (
        "check --papers mine",
        "report --papers mine --check",
        "check --papers mine --paper mine",
        "gate --papers mine --paper mine",
    ):
        done = verify(f"{words} --jobs 1")
        assert (done.status, "every-bit-counts" in done.out) == (0, False), words
    statement = mine / "statements" / "lemma-1.toml"
    statement.write_text(statement.read_text().replace("(2**p - 1)", "(2**p - 2)", 1))
    with empty_shelf():
        done = verify("check --papers mine --jobs 1")
    assert (done.status, "\n+ mine/lemma-1  -  p=1..4  refuted" in f"\n{done.out}") == (1, True)


SLIP = """
[[finding]]
id = "counted-twice"
class = "slip"
place = "proof of Lemma 1"
title = "Each pair is counted twice"
about = ["lemma-1:pairs"]
"""


def test_a_slip_that_fells_its_owner_is_no_misprint(verify: CommandLine, mine: Path) -> None:
    """The finding is objected to, and the printed proof is not said to hold but for misprints: no correction mends it."""
    (mine / "findings.toml").write_text(SLIP, encoding="utf-8")
    statement = mine / "statements" / "lemma-1.toml"
    statement.write_text(statement.read_text().replace('holds = "j + ', 'holds = "j + 1 + '), encoding="utf-8")
    assert "class slip, and lemma-1 fails because of it: the step is not an aside" in verify("--papers mine findings mine").out
    with empty_shelf():
        done = verify("--papers mine mine")
    assert (done.status, "✓ Lemma 1: true for every p (symbols); printed proof: fails" in done.out) == (1, True), done.out


def test_nothing_is_overwritten(verify: CommandLine, mine: Path) -> None:
    found = verify("new mine --paper")
    assert (found.status, "a new or an empty folder was expected" in found.err) == (2, True)


MISTAKES = [
    (
        "statements/lemma-1.toml",
        'holds = "sum(j for j in (0',
        'hold = "sum(j for j in (0',
        "lemma-1.toml, line 5: hold: unknown field 'hold'; did you mean holds?",
    ),
    ("statements/lemma-1.toml", "says =", "say =", "line 4: unknown field 'say'; did you mean says?"),
    ("statements/lemma-1.toml", "typical", "typcial", "line 11: parameters.p.typcial: unknown field 'typcial'; did you mean typical?"),
    (
        "statements/lemma-1.toml",
        'typical = "1..4"',
        'typical = "4..1"',
        "line 11: parameters.p.typical: 4..1: the range is empty, its end lies before its start",
    ),
    ("statements/lemma-1.toml", "each =", "ech =", "line 25, step pairs: ech: unknown field 'ech'; did you mean each?"),
    ("statements/lemma-1.toml", "at = { p = 2 }", "at = { p = '2' }", "line 16: neighbour 1, at.p: an integer was expected, not '2'"),
    ("statements/lemma-1.toml", 'half = "2**(p - 1)"', 'half = "2**(p - "', "line 6: let.half: '2**(p - ' is not a formula"),
    ("statements/table-1.toml", '"computes"', '"compute"', "table-1.toml, line 5: judge is 'compute'; did you mean computes?"),
    ("statements/theorem-2.toml", 'parts = ["lemma-1", ', "parts = [3, ", "theorem-2.toml, line 5: parts 1: "),
    ("paper.toml", "authors", "author", "mine/paper.toml:4: author: unknown field 'author'; did you mean authors?"),
    (
        "findings.toml",
        "# [[finding]]",
        "[[finding]]\nid = 'x'\nklass = 'slip'",
        "findings.toml:5: finding 1, klass: unknown field 'klass'; did you mean class?",
    ),
]


@pytest.mark.parametrize(("file", "right", "wrong", "said"), MISTAKES, ids=[row[3].split(": ")[-1] for row in MISTAKES])
def test_a_mistake_has_its_line(verify: CommandLine, mine: Path, file: str, right: str, wrong: str, said: str) -> None:
    path = mine / file
    assert right in path.read_text()
    path.write_text(path.read_text().replace(right, wrong, 1))
    command = "findings mine" if file == "findings.toml" else "mine"
    found = verify(f"--papers mine {command}")
    assert (found.status, said in found.err) == (2, True), found.err


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
