"""The table of verdicts: how a row is written, that it comes back, and every way in which a file is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verifier.gate.toy import CLAIM, run
from verifier.claims.papers import catalogue
from verifier.claims.points import points
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.gate.folder import reports_folder
from verifier.gate.point_sets import as_text, from_text
from verifier.gate.rows import full_points, rows
from verifier.gate.verdict_table import COLUMNS, as_table, read_table
from verifier.running.errors import InputError

COMMITTED = reports_folder() / "verdicts.tsv"
TOY = {CLAIM.id: CLAIM}


def test_points_that_agree_share_a_line() -> None:
    lines = as_table(rows(run().every_result, TOY)).splitlines()
    assert [line.split("\t")[:9] for line in lines[1:]] == [
        ["toy/lemma-1.2:bound", "-", "n=1..2", "verified", "verified", "verified", "-", "-", "3"],
        ["toy/lemma-1.2:bound", "-", "n=3", "refuted", "refuted", "verified", "-", "-", "- | - | 3"],
        ["toy/lemma-1.2:bound", "-", "n=4", "refuted", "refuted", "conditional", "- | - | four,small", "-", "- | - | 4"],
        ["toy/lemma-1.2:bound", "-", "n=5", "declined", "declined", "declined", "-", "toy/lemma-1.1 | toy/lemma-1.1 | -", "-"],
    ]


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    found = list(rows(run().every_result, TOY))
    path = tmp_path / "verdicts.tsv"
    path.write_text(as_table(found), encoding="utf-8")
    assert read_table(path) == found


def test_parameters_by_default_are_left_out_and_found_again() -> None:
    found = list(rows(run().every_result, TOY))
    assert [full_points(row, CLAIM) for row in found] == [
        [{"n": 1, "t": 3}, {"n": 2, "t": 5}],
        [{"n": 3, "t": 7}],
        [{"n": 4, "t": 9}],
        [{"n": 5, "t": 11}],
    ]


def test_a_parameter_that_is_not_its_default_is_shown() -> None:
    results = [Result(CLAIM.id, e, {"n": n, "t": 3}, None, Outcome(Verdict.OPEN, Scope("-"))) for n in (1, 2) for e in Edition]
    (row,) = rows(results, TOY)
    assert as_table([row]).splitlines()[1].split("\t")[2] == "n=1..2 t=3"
    assert full_points(row, CLAIM) == [{"n": 1, "t": 3}, {"n": 2, "t": 3}]


def test_a_point_without_one_of_its_editions_is_a_fault() -> None:
    results = run().every_result
    with pytest.raises(ValueError, match="without a result for each edition"):
        list(rows(results[:-1], TOY))
    with pytest.raises(ValueError, match="repaired twice"):
        list(rows([*results, results[-1]], TOY))


def test_the_committed_table_is_written_as_it_stands() -> None:
    assert as_table(read_table(COMMITTED)).encode() == COMMITTED.read_bytes()


def test_the_typical_points_of_every_claim_come_back_from_their_line() -> None:
    for claim in catalogue().values():
        listed = list(points(claim, {}))
        results = [Result(claim.id, e, point, None, Outcome(Verdict.OPEN, Scope("-"))) for point in listed for e in Edition]
        (row,) = rows(results, {claim.id: claim})
        assert full_points(row, claim) == listed
        assert from_text(as_text(row.points)) == row.points


HEADER = "\t".join(COLUMNS)
GOOD = "toy/lemma-1\ta4\tp=1..3\tverified\trefuted\tverified\t- | - | exact-entries\t-\t3 | 1 | 3\t0123456789abcdef"
OTHER = GOOD.replace("lemma-1", "lemma-2")
TABLE = f"{HEADER}\n{GOOD}\n{OTHER}\n"


def test_a_good_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.tsv"
    path.write_text(TABLE, encoding="utf-8")
    assert [row.claim for row in read_table(path)] == ["toy/lemma-1", "toy/lemma-2"]


MALFORMED = [
    ("an empty file", TABLE, "", 1, "not a table of verdicts"),
    ("no header", f"{HEADER}\n", "", 1, "not a table of verdicts"),
    ("another version", "bitreferee/verdicts/1", "bitreferee/verdicts/2", 1, "not a table of verdicts"),
    ("a column less in the header", "\tcases", "", 1, "not a table of verdicts"),
    ("a byte order mark", "claim\tsemantics", "\ufeffclaim\tsemantics", 1, "not a table of verdicts"),
    ("a carriage return after the header", f"{HEADER}\n", f"{HEADER}\r\n", 1, "not a table of verdicts"),
    ("a carriage return after a line", f"{GOOD}\n", f"{GOOD}\r\n", 2, "is not a digest"),
    ("an empty line", f"{GOOD}\n", f"{GOOD}\n\n", 3, "1 columns, 10 were expected"),
    ("a column less", "\tverified\trefuted", "\trefuted", 2, "9 columns"),
    ("a column more", "\tverified\trefuted", "\tverified\tverified\trefuted", 2, "11 columns"),
    ("a claim without its paper", "toy/lemma-1\t", "lemma-1\t", 2, "'lemma-1' is not a claim"),
    ("no semantics", "\ta4\t", "\t\t", 2, "'' is not a semantics"),
    ("another word for a verdict", "\trefuted\t", "\tfalse\t", 2, "'false' is not a verdict"),
    ("a verdict in capitals", "\trefuted\t", "\tREFUTED\t", 2, "'REFUTED' is not a verdict"),
    ("a verdict with a space", "\trefuted\t", "\trefuted \t", 2, "'refuted ' is not a verdict"),
    ("parameters without values", "p=1..3", "p", 2, "a value or a range"),
    ("an empty range", "p=1..3", "p=3..1", 2, "a value or a range"),
    ("too long a range", "p=1..3", "p=1..99999999", 2, "a value or a range"),
    ("a point twice in a line", "p=1..3", "p=1..3,2", 2, "a point twice"),
    ("points in another spelling", "p=1..3", "p=1,2,3", 2, "'p=1..3' is how this is written"),
    ("a point twice in two lines", OTHER, GOOD.replace("p=1..3", "p=3..4"), 3, "toy/lemma-1 has p=3 twice"),
    ("a line twice", OTHER, GOOD, 3, "toy/lemma-1 has p=1 twice"),
    ("an assumption with a space", "exact-entries", "exact entries", 2, "'exact entries' is not assumptions"),
    ("assumptions of two editions", "- | - | exact", "- | exact", 2, "one entry, or one for each edition"),
    ("three equal cells", "3 | 1 | 3", "3 | 3 | 3", 2, "is written as"),
    ("a negative number of cases", "3 | 1 | 3", "3 | -1 | 3", 2, "'-1' is not a number of cases"),
    ("a number of cases with a comma", "3 | 1 | 3", "3 | 1,000 | 3", 2, "'1,000' is not a number of cases"),
    ("a digest cut short", "0123456789abcdef", "0123456789ab", 2, "'0123456789ab' is not a digest"),
    ("an unfinished last line", f"{OTHER}\n", OTHER, 3, "the last line has no end"),
]


@pytest.mark.parametrize(("old", "new", "line", "message"), [row[1:] for row in MALFORMED], ids=[row[0] for row in MALFORMED])
def test_malformed_files_are_refused_with_file_and_line(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    assert old in TABLE
    path = tmp_path / "verdicts.tsv"
    path.write_bytes(TABLE.replace(old, new, 1).encode())
    with pytest.raises(InputError) as refusal:
        read_table(path)
    assert str(refusal.value).startswith(f"{path}:{line}: ")
    assert message in str(refusal.value)


def test_bytes_that_are_no_text_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.tsv"
    path.write_bytes(f"{HEADER}\n{GOOD}\n".encode() + b"toy/\xff\n")
    with pytest.raises(InputError, match=r"verdicts.tsv:3: byte 0xff is not UTF-8"):
        read_table(path)


@pytest.mark.parametrize("place", ["no-such.tsv", "."])
def test_what_is_no_file_is_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(InputError, match="no such table of verdicts; --table FILE names one"):
        read_table(tmp_path / place)
