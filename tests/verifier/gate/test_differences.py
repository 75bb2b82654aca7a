"""What the gate notices: each thing that is compared, changed in a result and in the committed text, makes a line that names it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.verifier.gate.toy import CLAIM, run
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.gate.differences import differences
from verifier.gate.rows import Row, rows
from verifier.gate.verdict_table import as_table, read_table

NAME = "toy/lemma-1.2:bound"


def of(results: list[Result]) -> list[Row]:
    return list(rows(results, {CLAIM.id: CLAIM}))


def changed(number: int, edition: Edition, change: Callable[[Result], Result]) -> list[Result]:
    """The toy's results with one of them changed."""
    every = run().every_result
    here = [r.parameters["n"] == number and r.edition is edition for r in every]
    assert sum(here) == 1
    return [change(r) if chosen else r for r, chosen in zip(every, here, strict=True)]


def outcome(**fields: object) -> Callable[[Result], Result]:
    return lambda result: replace(result, outcome=replace(result.outcome, **fields))


def scope(**fields: object) -> Callable[[Result], Result]:
    return lambda result: replace(result, outcome=replace(result.outcome, scope=replace(result.outcome.scope, **fields)))


REFUTED = Outcome(Verdict.REFUTED, Scope("n = 2", 2), reason="a change")

IN_RESULTS = [
    ("a verdict", 2, "printed", lambda r: replace(r, outcome=REFUTED), "n=2: printed was verified, is refuted"),
    ("a verdict of the repair", 3, "repaired", outcome(verdict=Verdict.OPEN), "n=3: repaired was verified, is open"),
    ("a scope", 1, "statement", scope(statement="n is 1"), "n=1..2: a scope, "),
    ("a scope of the repair", 4, "repaired", scope(statement="n = 4"), "n=4: a scope, "),
    ("a number of cases", 3, "repaired", scope(cases=4), "n=3: repaired had 3 cases, has 4"),
    ("a number of cases that was not counted", 3, "printed", scope(cases=0), "n=3: printed had uncounted cases, has 0"),
    (
        "an assumption more",
        4,
        "repaired",
        outcome(assumptions=("four", "new", "small")),
        "repaired assumed four, small, assumes four, new, small",
    ),
    ("an assumption less", 4, "repaired", outcome(assumptions=("four",)), "n=4: repaired assumed four, small, assumes four"),
    (
        "what blocks",
        5,
        "printed",
        outcome(blocked_by="toy/lemma-1"),
        "n=5: printed was blocked by toy/lemma-1.1, is by toy/lemma-1",
    ),
    ("nothing blocks", 5, "printed", outcome(blocked_by=None), "n=5: printed was blocked by toy/lemma-1.1, is by nothing"),
    ("something blocks", 5, "repaired", outcome(blocked_by="toy/x-1"), "n=5: repaired was blocked by nothing, is by toy/x-1"),
]


@pytest.mark.parametrize(("n", "edition", "change", "line"), [row[1:] for row in IN_RESULTS], ids=[row[0] for row in IN_RESULTS])
def test_a_changed_result_is_noticed_alone(n: int, edition: str, change: Callable[[Result], Result], line: str) -> None:
    (found,) = differences(of(run().every_result), of(changed(n, Edition(edition), change)))
    assert found.startswith(f"{NAME} ")
    assert line in found


def test_cases_that_move_from_point_to_point_are_noticed() -> None:
    moved = [scope(cases=3 - r.parameters["n"])(r) if r.parameters["n"] < 3 else r for r in run().every_result]
    (line,) = differences(of(run().every_result), of(moved))
    assert "n=1..2: a scope, a point's number of cases" in line


def test_another_default_is_noticed() -> None:
    other = [replace(r, parameters={"n": r.parameters["n"], "t": 2 * r.parameters["n"]}) for r in run().every_result]
    assert differences(of(run().every_result), of(other))


def test_equal_results_make_no_line() -> None:
    assert differences(of(run().every_result), of(run().every_result)) == []


def test_points_that_changed_alike_share_a_line() -> None:
    opened = [outcome(verdict=Verdict.OPEN)(r) if r.verdict is Verdict.VERIFIED else r for r in run().every_result]
    assert differences(of(run().every_result), of(opened)) == [
        f"{NAME} n=1..2: statement was verified, is open",
        f"{NAME} n=1..2: printed was verified, is open",
        f"{NAME} n=1..3: repaired was verified, is open",
    ]


def test_a_point_more_and_a_point_less() -> None:
    every = run().every_result
    fewer = [r for r in every if r.parameters["n"] != 4]
    assert differences(of(every), of(fewer)) == [f"{NAME} n=4: gone, was refuted refuted conditional"]
    assert differences(of(fewer), of(every)) == [f"{NAME} n=4: new, refuted refuted conditional"]
    first = [r for r in every if r.parameters["n"] != 1]
    assert f"{NAME} n=1: gone, was verified verified verified" in differences(of(every), of(first))


def test_a_claim_more_and_a_claim_less() -> None:
    every = of(run().every_result)
    other = [replace(row, claim="toy/lemma-9") for row in every]
    assert differences(every, [*every, *other])[0] == "toy/lemma-9 n=1..2: new, verified verified verified"
    assert differences([*every, *other], every)[0] == "toy/lemma-9 n=1..2: gone, was verified verified verified"
    assert differences(every, [replace(row, semantics="narrative") for row in every])[-1].startswith(f"{NAME} n=5: gone, was")


def test_a_claim_whose_parameters_changed_is_gone_and_new() -> None:
    every = of(run().every_result)
    renamed = [replace(row, points=tuple((("m", value),) for ((_, value),) in row.points)) for row in every]
    mixed = [replace(every[0], points=((("n", "1"), ("t", "9")),)), *every[1:]]
    assert f"{NAME} m=1..2: new, verified verified verified" in differences(every, renamed)
    assert f"{NAME} n=1 t=9: new, verified verified verified" in differences(every, mixed)


IN_TEXT = [
    ("a verdict", "n=3\trefuted", "n=3\topen", "n=3: statement was open, is refuted"),
    ("a number of cases", "\t3\t", "\t30\t", "n=1..2: statement had 30 cases, has 3"),
    ("a number of cases of one edition", "- | - | 3", "- | 1 | 3", "n=3: printed had 1 cases, has uncounted"),
    ("an assumption", "four,small", "four", "n=4: repaired assumed four, assumes four, small"),
    ("what blocks", "toy/lemma-1.1 | toy/lemma-1.1 | -", "-", "n=5: statement was blocked by nothing, is by toy/lemma-1.1"),
    ("a point less", "n=1..2", "n=1", "n=2: new, verified verified verified"),
    ("a point more", "n=5", "n=5..6", "n=6: gone, was declined declined declined"),
    ("a claim", "toy/lemma-1.2:bound\t-\tn=4", "toy/lemma-1.3\t-\tn=4", "toy/lemma-1.3 n=4: gone, was refuted refuted conditional"),
]


@pytest.mark.parametrize(("old", "new", "line"), [row[1:] for row in IN_TEXT], ids=[row[0] for row in IN_TEXT])
def test_a_tampered_text_is_noticed(tmp_path: Path, old: str, new: str, line: str) -> None:
    found = of(run().every_result)
    text = as_table(found)
    assert old in text
    path = tmp_path / "verdicts.tsv"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert line in "\n".join(differences(read_table(path), found))


def test_each_digit_of_each_digest_counts(tmp_path: Path) -> None:
    found = of(run().every_result)
    for row in found:
        for i, digit in enumerate(row.digest):
            digest = row.digest[:i] + ("0" if digit != "0" else "1") + row.digest[i + 1 :]
            (line,) = differences([replace(r, digest=digest) if r is row else r for r in found], found)
            assert f"(digest {digest}, now {row.digest})" in line


def test_a_line_removed_and_a_line_moved_are_noticed(tmp_path: Path) -> None:
    found = of(run().every_result)
    head, *lines = as_table(found).splitlines(keepends=True)
    path = tmp_path / "verdicts.tsv"
    path.write_text(head + "".join(lines[:-1]), encoding="utf-8")
    assert differences(read_table(path), found) == [f"{NAME} n=5: new, declined declined declined"]
    path.write_text(head + "".join(reversed(lines)), encoding="utf-8")
    assert differences(read_table(path), found) == [f"{NAME} its rows are ordered or cut otherwise"]
