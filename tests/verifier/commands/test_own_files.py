"""Files of one's own in CI: several at once, ``[check]``, certificates, and the gate against a table of their own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from tests import papers_of_tests as toy
from tests.command_line import CommandLine
from tests.tables import FOLDER
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.engines.failure_counts import Census
from verifier.judges.own_files import located
from verifier.transformers.tables import Execution

GOOD = (FOLDER / "witness-t0-simple.toml").read_text(encoding="utf-8")
TABLE_6 = (FOLDER / "table-6.toml").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a file that says what to check and is right, and one that is wrong."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.toml").write_text(f'{GOOD}\n[check]\np = "3..5"\n', encoding="utf-8")
    (tmp_path / "wrong.toml").write_text(f"{TABLE_6}\n[check]\np = 7\n", encoding="utf-8")
    return tmp_path


def test_every_file_is_run_at_the_points_it_says(verify: CommandLine, folder: Path) -> None:
    done = verify("construction good.toml wrong.toml --format json")
    assert done.status == 1
    assert [(r["claim"], r["parameters"]["p"], r["verdict"]) for r in done.document["results"]] == [
        *(("construction/witness-t0-simple", p, "verified") for p in "345"),
        ("construction/table-6", "7", "refuted"),
    ]


def test_a_file_is_judged_as_printed_and_with_its_errata_where_these_reach(verify: CommandLine, folder: Path) -> None:
    errata = str(FOLDER / "table-6.errata.toml")
    (printed,) = verify("construction wrong.toml --format json").document["results"]
    found = [verify("construction wrong.toml --errata", errata, f"--p {p} --format json").document["results"] for p in (6, 7)]
    assert [printed["witness"], *(r["witness"] for (r,) in found)] == ["wrong.toml", None, "wrong.toml with its errata"]
    assert (printed["edition"], printed["reason"].count("EQ fails on")) == ("printed", 1)
    assert [(r["edition"], r["verdict"], "errata's domain" in r["reason"]) for (r,) in found] == [
        ("repaired", "declined", True),
        ("repaired", "verified", False),
    ]


def test_what_is_not_refuted_is_said_once() -> None:
    found = Outcome(Verdict.CONDITIONAL, Scope("all inputs", 1, "enumeration"), None, ("exact-entries",), reason="an entry is lacking")
    assert located(cast(Execution, None), Census(1, 0, 0, None, "enumeration", 0, 0), found) is found


def test_the_command_line_goes_first(verify: CommandLine, folder: Path) -> None:
    (result,) = verify("construction good.toml --p 6 --semantics narrative --format json").document["results"]
    assert (result["parameters"], result["semantics"]) == ({"p": "6", "n": "25"}, "narrative")


def test_a_file_says_its_reading_and_its_replay_keeps_it(verify: CommandLine, folder: Path) -> None:
    (folder / "wrong.toml").write_text(f'{TABLE_6}\n[check]\np = 7\nsemantics = "narrative"\n', encoding="utf-8")
    for words, execution in (("", "narrative"), ("--semantics a4", "a4")):
        (result,) = verify(f"construction wrong.toml {words} --format json").document["results"]
        assert result["semantics"] == execution
        assert verify(*result["replay"].split()[1:]).out.splitlines()[0].endswith(execution)


REFUSED = [
    ("p = 7", "q = 7", "wrong.toml:204: check.q: p, n or semantics was expected"),
    ("p = 7", 'p = "7..3"', "wrong.toml:204: check.p: 7..3: the range is empty, its end lies before its start"),
    (
        "p = 7",
        'p = "all"',
        "check.p: all: it is another construction at each value, as precision.bits is h; a number or a range was expected",
    ),
    ("p = 7", "p = 7.5", "wrong.toml:204: check.p: an integer or a formula"),
    ("p = 7", "n = 70", "wrong.toml: table-6 needs --p (bits of precision)"),
    ("p = 7", 'p = 7\nsemantics = "a5"', "wrong.toml:205: check.semantics: no arithmetic 'a5'"),
    ("p = 7", 'p = 7\nsemantics = "a4+rounding=down"', "wrong.toml:205: check.semantics: rounding=down is not a setting"),
    ("p = 7", "p = 7\nsemantics = 4", "wrong.toml:205: check.semantics is 4, the name of a reading was expected"),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("old", "new", "message"), REFUSED, ids=[new for _, new, _ in REFUSED])
def test_a_bad_file_is_a_line_and_the_others_are_judged(verify: CommandLine, folder: Path, old: str, new: str, message: str) -> None:
    text = (folder / "wrong.toml").read_text(encoding="utf-8")
    (folder / "wrong.toml").write_text(text.replace(f"\n{old}\n", f"\n{new}\n"), encoding="utf-8")
    done = verify("construction wrong.toml good.toml missing.toml")
    assert done.status == 2
    assert "missing.toml: no such file" in done.err
    assert message in done.err
    assert len(done.err.splitlines()) == 2
    assert "p=3..5        verified" in done.out


def test_an_index_set_makes_each_length_another_construction(verify: CommandLine, folder: Path) -> None:
    text = (Path(__file__).parents[3] / "docs" / "examples" / "parity.toml").read_text(encoding="utf-8")
    (folder / "parity.toml").write_text(text.replace('bits = "m + 3"', "bits = 12"), encoding="utf-8")
    done = verify("construction parity.toml --m all")
    assert (done.status, done.out) == (2, "")
    assert "it is another construction at each value, as mlp.hidden.1.in is [0 : m - 1]" in done.err


def test_a_certificate_is_of_the_file(verify: CommandLine, folder: Path) -> None:
    assert verify("construction wrong.toml --certificate made.json").status == 1
    accepted = verify("recheck made.json --construction wrong.toml")
    assert accepted.status == 0
    assert accepted.out.endswith("\nentry for entry wrong.toml at p = 7, n = 30\n")
    assert verify("recheck made.json").status == 3
    (folder / "wrong.toml").write_text(TABLE_6.replace('"2**5"', '"2**4"'), encoding="utf-8")
    changed = verify("recheck made.json --construction wrong.toml")
    assert changed.status == 3
    assert "not of 'wrong.toml': statement, cases, number 1, network, tokens, number 5, number 2, number 2, number 3 is" in changed.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("good.toml", "nothing was written: good.toml: 3 points were given; one was expected, such as --p 3"),
        ("good.toml wrong.toml --p 5", "one claim or one file was expected, not good.toml and wrong.toml"),
        ("wrong.toml --p 7 --semantics all", "nothing was written: --arithmetic all: one reading was expected"),
    ],
)
def test_a_certificate_is_of_one_thing(verify: CommandLine, folder: Path, words: str, says: str) -> None:
    done = verify(f"construction {words} --certificate made.json")
    assert done.status == 2
    assert says in done.err
    assert not (folder / "made.json").exists()


def test_files_have_a_gate_of_their_own(verify: CommandLine, folder: Path) -> None:
    assert verify("gate good.toml wrong.toml --update").out == "verdicts.tsv written: 12 results in 2 rows, 0 rows kept\n"
    assert verify("gate good.toml wrong.toml").status == 0
    (folder / "good.toml").write_text((folder / "good.toml").read_text().replace('p = "3..5"', 'p = "3..4"'), encoding="utf-8")
    done = verify("gate good.toml")
    assert done.status == 1
    *told, last = done.out.splitlines()
    assert [line.split()[:4] for line in told] == [
        ["-", "construction/good.toml", "a4", "p=3..5"],
        ["+", "construction/good.toml", "a4", "p=3..4"],
        ["-", "construction/wrong.toml", "a4", "p=7"],
    ]
    assert last == "6 results, 3 lines of difference from verdicts.tsv"


def test_a_copy_of_a_file_renames_no_row_of_the_gate(verify: CommandLine, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verify("gate good.toml --update").status == 0
    (folder / "again.toml").write_text((folder / "good.toml").read_text(encoding="utf-8"), encoding="utf-8")
    done = verify("gate again.toml good.toml")
    assert done.out.startswith("+ construction/again.toml  a4  p=3..5  verified  verified  verified  ")
    assert done.out.endswith("\n18 results, 1 lines of difference from verdicts.tsv\n")
    (folder / "in side").mkdir()
    monkeypatch.chdir(folder / "in side")
    assert verify("gate ../good.toml --table ../verdicts.tsv").out == "9 results as in ../verdicts.tsv\n"
    (folder / "in side" / "Ünser: one.toml").write_text((folder / "good.toml").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(folder)
    assert verify("gate 'in side/Ünser: one.toml' --table other.tsv --update").status == 0
    assert verify("gate 'in side/Ünser: one.toml' --table other.tsv").out == "9 results as in other.tsv\n"


def test_a_gate_runs_what_the_file_says(verify: CommandLine, folder: Path) -> None:
    (folder / "wrong.toml").write_text(TABLE_6, encoding="utf-8")
    done = verify("gate wrong.toml --update")
    assert (done.status, done.err) == (2, 'verify: wrong.toml: [check] with p = "..." was expected: the gate runs what the file says\n')


@pytest.fixture
def shelf(folder: Path) -> Iterator[Path]:
    """A folder of papers of one's own, forgotten afterwards."""
    shutil.copytree(toy.FOLDER, folder / "papers" / "toy")
    with toy.empty_shelf():
        yield Path("papers")


def test_papers_of_ones_own_have_a_table_beside_them(verify: CommandLine, shelf: Path) -> None:
    assert verify("gate --update --jobs 1 --trust --papers papers").out.startswith("papers/verdicts.tsv written: 63 results")
    done = verify("gate --jobs 1 --trust --papers papers")
    assert (done.status, done.out) == (0, "63 results as in papers/verdicts.tsv\n")
    done = verify("gate --jobs 1 --papers papers --papers papers/toy")
    assert "--papers names 2 folders; --output was expected" in done.err


def test_a_run_of_one_point_is_named_though_it_is_the_default(verify: CommandLine, tmp_path: Path) -> None:
    """The table of a range and the gate name m = 3, which is the default and the only length at which the file is wrong."""
    text = Path("docs/examples/parity.toml").read_text(encoding="utf-8")
    wrong = text.replace("default = 4", "default = 3").replace("one = [1, 1]", 'one = [1, "2 if m == 3 else 1"]', 1)
    (tmp_path / "mine.toml").write_text(wrong.replace('m = "1..6"', 'm = "2..4"'), encoding="utf-8")
    lines = [line.split() for line in verify(str(tmp_path / "mine.toml"), "--m 2..4").out.splitlines()]
    assert [line for line in lines if line[1:] in (["verified"], ["refuted"])][:3] == [
        ["m=2", "verified"],
        ["m=3", "refuted"],
        ["m=4", "verified"],
    ]
    table = tmp_path / "verdicts.tsv"
    assert verify("gate", str(tmp_path / "mine.toml"), "--table", str(table), "--update").status in (0, 1)
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
    assert [row[2] for row in rows if row[0].endswith("mine.toml")] == ["m=2", "m=3", "m=4"]
    (tmp_path / "mine.toml").write_text(
        (tmp_path / "mine.toml").read_text(encoding="utf-8").replace("default = 3", "default = 2"), encoding="utf-8"
    )
    assert verify("gate", str(tmp_path / "mine.toml"), "--table", str(table)).status == 0
