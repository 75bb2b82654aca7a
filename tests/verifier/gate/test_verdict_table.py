"""The table of verdicts: how a line is written, what is refused, and that each thing that is compared makes a difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.verifier.gate.toy import CLAIM, run
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.gate.verdict_table import COLUMNS, as_table, differences, lines_of, read_table
from verifier.running.errors import InputError


def of(results: list[Result]) -> list[str]:
    return lines_of(results, {CLAIM.id: CLAIM})


EVERY = run().every_result
LINES = of(EVERY)


def test_points_that_agree_share_a_line(tmp_path: Path) -> None:
    assert [line.split("\t")[:9] for line in LINES] == [
        ["toy/lemma-1.2:bound", "-", "n=1..2", "verified", "verified", "verified", "-", "-", "3"],
        ["toy/lemma-1.2:bound", "-", "n=3", "refuted", "refuted", "verified", "-", "-", "- | - | 3"],
        ["toy/lemma-1.2:bound", "-", "n=4", "refuted", "refuted", "conditional", "- | - | four,small", "-", "- | - | 4"],
        ["toy/lemma-1.2:bound", "-", "n=5", "declined", "declined", "declined", "-", "toy/lemma-1.1 | toy/lemma-1.1 | -", "-"],
    ]
    path = tmp_path / "verdicts.tsv"
    path.write_text(as_table(LINES), encoding="utf-8")
    assert read_table(path) == LINES


def test_a_point_without_one_of_its_editions_is_a_fault() -> None:
    for results in (EVERY[:-1], [*EVERY, EVERY[-1]]):
        with pytest.raises(ValueError, match="one result for each edition"):
            of(results)


HEADER = "\t".join(COLUMNS)
MALFORMED = [
    ("an empty file", b"", "not a table of verdicts"),
    ("no header", b"toy/lemma-1\n", "not a table of verdicts"),
    ("another version", HEADER.replace("/1", "/2").encode(), "not a table of verdicts"),
    ("a carriage return", f"{HEADER}\r\n".encode(), "not a table of verdicts"),
    ("bytes that are no text", f"{HEADER}\ntoy/".encode() + b"\xff\n", "not UTF-8"),
]


@pytest.mark.parametrize(("content", "message"), [row[1:] for row in MALFORMED], ids=[row[0] for row in MALFORMED])
def test_malformed_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "verdicts.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_table(path)


@pytest.mark.parametrize("place", ["no-such.tsv", "."])
def test_what_is_no_file_is_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(InputError, match="no such table of verdicts; --output FILE names one"):
        read_table(tmp_path / place)


def outcome(**fields: object) -> Callable[[Result], Result]:
    return lambda result: replace(result, outcome=replace(result.outcome, **fields))


def scope(**fields: object) -> Callable[[Result], Result]:
    return lambda result: replace(result, outcome=replace(result.outcome, scope=replace(result.outcome.scope, **fields)))


REFUTED = Outcome(Verdict.REFUTED, Scope("n = 2", 2), reason="a change")
CHANGES = [
    ("a verdict", 2, "printed", lambda r: replace(r, outcome=REFUTED), "verified  refuted  verified"),
    ("a verdict of the repair", 3, "repaired", outcome(verdict=Verdict.OPEN), "refuted  refuted  open"),
    ("a scope", 1, "statement", scope(statement="n is 1"), "n=1..2"),
    ("a scope of the repair", 4, "repaired", scope(statement="n = 4"), "n=4"),
    ("a number of cases", 3, "repaired", scope(cases=4), "- | - | 4"),
    ("a number of cases that was not counted", 3, "printed", scope(cases=0), "- | 0 | 3"),
    ("an assumption more", 4, "repaired", outcome(assumptions=("four", "new", "small")), "four,new,small"),
    ("an assumption less", 4, "repaired", outcome(assumptions=("four",)), "- | - | four "),
    ("what blocks", 5, "printed", outcome(blocked_by="toy/lemma-1"), "toy/lemma-1.1 | toy/lemma-1 | -"),
    ("nothing blocks", 5, "printed", outcome(blocked_by=None), "toy/lemma-1.1 | - | -"),
]


@pytest.mark.parametrize(("number", "edition", "change", "text"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_a_changed_result_is_noticed(number: int, edition: str, change: Callable[[Result], Result], text: str) -> None:
    changed = [change(r) if r.parameters["n"] == number and r.edition is Edition(edition) else r for r in EVERY]
    told = differences(LINES, of(changed))
    assert any(line.startswith("- toy/lemma-1.2:bound") for line in told)
    assert any(line.startswith("+ toy/lemma-1.2:bound") and text in line for line in told)


def test_cases_that_move_from_point_to_point_are_noticed() -> None:
    moved = [scope(cases=3 - r.parameters["n"])(r) if r.parameters["n"] < 3 else r for r in EVERY]
    assert [line[:1] for line in differences(LINES, of(moved))] == ["-", "+"]


def test_another_default_is_noticed() -> None:
    assert differences(LINES, of([replace(r, parameters={"n": r.parameters["n"], "t": 2 * r.parameters["n"]}) for r in EVERY]))


def test_points_and_claims_that_come_and_go() -> None:
    fewer = of([r for r in EVERY if r.parameters["n"] != 4])
    assert differences(LINES, fewer) == [f"- {LINES[2]}".replace("\t", "  ")]
    assert differences(fewer, LINES) == [f"+ {LINES[2]}".replace("\t", "  ")]
    other = [line.replace("lemma-1.2", "lemma-9") for line in LINES]
    assert [line[:15] for line in differences(LINES, [*LINES, *other])] == ["+ toy/lemma-9:b"] * 4
    assert differences(LINES, LINES) == []


def test_each_character_of_each_line_counts() -> None:
    for number, line in enumerate(LINES):
        for at, letter in enumerate(line):
            tampered = [*LINES[:number], f"{line[:at]}{'x' if letter != 'x' else 'y'}{line[at + 1 :]}", *LINES[number + 1 :]]
            assert differences(tampered, LINES)


def test_a_line_moved_or_twice_is_noticed() -> None:
    for lines in (LINES[::-1], [*LINES, LINES[-1]]):
        assert differences(lines, LINES) == ["toy/lemma-1.2:bound: its lines are in another order, or one stands twice"]
