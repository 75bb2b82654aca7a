"""Mistakes planted in right files: what the screen, SARIF, JUnit, Python and repair say of each."""

from __future__ import annotations

import re
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bitreferee import judge, repair
from tests.command_line import CommandLine
from tests.rows import tables
from tests.tables import FOLDER
from verifier.running.errors import FileDefects, lines_of

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
RIGHT = (EXAMPLES / "greater-than.toml").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Mistake:
    """One part of the file replaced by another; ``planted.toml`` says what its fields mean."""

    name: str
    right: str
    wrong: str
    rule: str
    at: str
    said: str
    example: dict[str, str] = field(default_factory=dict)
    mended: str | None = None

    @property
    def text(self) -> str:
        assert self.right in RIGHT
        return RIGHT.replace(self.right, self.wrong, 1)


PLANTED = [msgspec.convert(each, Mistake) for each in tables(__file__, "planted.toml")["mistake"]]
MENDED = [each for each in PLANTED if each.mended is not None]


@pytest.mark.long(
    "swapped sign",
    "missing token",
    "overlapping rows",
    "bit beyond the string",
    "off-by-one exponent",
    "wrong weight",
    "wrong rounding",
    "exchanged strings",
    "exchanged in the function",
    "long strings",
    "wrong value column",
    "missing row",
    "short strings",
    "few tokens",
)
@pytest.mark.parametrize("mistake", PLANTED, ids=[each.name for each in PLANTED])
def test_a_planted_mistake_is_found(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistake: Mistake) -> None:
    monkeypatch.chdir(tmp_path)
    text = mistake.text
    Path("mine.toml").write_text(text, encoding="utf-8")
    status = 2 if mistake.rule == "unreadable" else 1
    undone = bool(mistake.mended)
    lines = zip(RIGHT.splitlines(), text.splitlines(), strict=False)
    changed = next(number for number, (right, wrong) in enumerate(lines, 1) if right != wrong)
    added = "add [[" in str(mistake.mended)
    line = changed if undone and not added else text[: text.index(mistake.at)].count("\n") + 1
    inputs = [f"{name} = {digits}" for name, digits in mistake.example.items()]
    said = [mistake.said, *inputs]

    screen = verify("construction mine.toml --m 3")
    shown = " ".join((screen.out + screen.err).split())
    assert (screen.status, [part for part in said if part not in shown]) == (status, []), shown
    assert (f"mine.toml:{changed}: " in shown) == (status == 2)
    assert bool(re.search("replay: verify (trace )?mine.toml --m 3", shown)) == (status == 1)
    assert ("repair: verify repair mine.toml --m 3" in shown) == (status == 1)

    sarif = verify("construction mine.toml --m 3 --format sarif")
    (run,) = sarif.document["runs"]
    found = [r for r in run["results"] if r["ruleId"] == mistake.rule and all(part in r["message"]["text"] for part in said)]
    places = [r["locations"][0]["physicalLocation"] for r in found]
    assert sarif.status == status
    assert [(p["artifactLocation"]["uri"], p["region"]["startLine"]) for p in places] == [("mine.toml", line)], sarif.out
    assert run["invocations"][0]["executionSuccessful"] is (status == 1)
    if undone:
        (fix,) = found[0]["fixes"]
        assert tomllib.loads(with_fix(text, fix)) == tomllib.loads(RIGHT), fix
    else:
        assert "fixes" not in (found[0] if found else {}), "no edit of one symbol mends it"
        assert status == 2 or "; `verify repair mine.toml` searches further" in found[0]["message"]["text"]

    junit = verify("construction mine.toml --m 3 --format junit")
    cases = [case for case in ElementTree.fromstring(junit.out).iter("testcase") if case.get("line") == str(line) and len(case)]
    told = [f"{case[0].get('message')} {case[0].text}" for case in cases if case[0].tag == ("error" if status == 2 else "failure")]
    assert (junit.status, {case.get("file") for case in cases}) == (status, {"mine.toml"}), junit.out
    assert any(all(part in each for part in said) for each in told), junit.out

    if status == 2:
        with pytest.raises(FileDefects) as refused:
            judge("mine.toml", m=3)
        assert f"mine.toml:{line}: {mistake.said}" in lines_of(refused.value)
    else:
        judged = judge("mine.toml", m=3)
        assert (judged.verified, judged.status) == (False, 1)
        results = [r for r in judged if mistake.said in (r.outcome.reason or "")]
        assert any(mistake.example.items() <= (r.outcome.counterexample or {}).items() for r in results)


def with_fix(text: str, fix: Mapping[str, Any]) -> str:
    """A file after a suggested change of SARIF, whose places are those of the file before it."""
    written = text.splitlines(keepends=True)
    for change in sorted(fix["artifactChanges"][0]["replacements"], key=lambda each: -each["deletedRegion"]["startColumn"]):
        region = change["deletedRegion"]
        before = written[region["startLine"] - 1]
        after = before[: region["startColumn"] - 1] + change["insertedContent"]["text"] + before[region["endColumn"] - 1 :]
        written[region["startLine"] - 1] = after
    return "".join(written)


def test_what_a_token_reads_in_the_wrong_order_is_found_in_its_clause(
    verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    right = (EXAMPLES / "index.toml").read_text(encoding="utf-8")
    text = right.replace('["k[1 : b]", "x[i]"]', '["x[i]", "k[1 : b]"]')
    Path("mine.toml").write_text(text, encoding="utf-8")
    found = verify("repair mine.toml --m 3")
    assert "1. input.1.reads.1: x[i] → k[1 : b] input.1.reads.2: k[1 : b] → x[i]" in " ".join(found.out.split())
    (alert,) = verify("mine.toml --m 3 --format sarif").document["runs"][0]["results"]
    line = alert["locations"][0]["physicalLocation"]["region"]["startLine"]
    assert text.splitlines()[line - 1] == 'reads = ["x[i]", "k[1 : b]"]'
    assert with_fix(text, alert["fixes"][0]) == right
    assert "; repair: input.1.reads.1: x[i] → k[1 : b]; " in alert["message"]["text"]


@pytest.mark.parametrize(("given", "place"), [("", 'm = "0..3"'), (" --m 0..3", 'where = "1 <= m')])
def test_a_range_outside_the_domain(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, place: str) -> None:
    """Every output gives the reason; the part of ``[check]`` inside the domain is suggested."""
    monkeypatch.chdir(tmp_path)
    text = RIGHT.replace('m = "1..6"', 'm = "0..3"')
    Path("mine.toml").write_text(text, encoding="utf-8")
    screen, sarif, junit = (verify(f"mine.toml{given}{form}") for form in ("", " --format sarif", " --format junit"))
    assert {screen.status, sarif.status, junit.status, judge("mine.toml").status} == {3}
    assert "declined: m = 0 is outside 1 ≤ m ≤ 24" in screen.out
    (alert,) = sarif.document["runs"][0]["results"]
    line = alert["locations"][0]["physicalLocation"]["region"]["startLine"]
    assert (place in text.splitlines()[line - 1], "m = 0 is outside" in alert["message"]["text"]) == (True, True)
    assert ('m = "1..3"' in with_fix(text, alert["fixes"][0])) if not given else "fixes" not in alert
    assert f'line="{line}"' in junit.out
    assert ("check.m: 0..3 → 1..3" in junit.out) is (not given)
    assert judge("mine.toml")[0].outcome.reason == "m = 0 is outside 1 <= m <= 24"
    assert "m = 0 is outside 1 <= m <= 24" in verify(f"repair mine.toml{given}").out
    assert "m = 0 is outside" in repr(repair("mine.toml"))


def test_a_promise_on_which_the_function_is_constant(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is right, but says little: every output says so, at the promise; with the intended promise none does."""
    monkeypatch.chdir(tmp_path)
    said = "the function is 0 on every promised input"
    for promise, constant in (("y <= z", True), ("none", False)):
        Path("mine.toml").write_text(RIGHT.replace('promise = "none"', f'promise = "{promise}"'), encoding="utf-8")
        screen, sarif, junit = (verify(f"mine.toml --m 2..3{form}") for form in ("", " --format sarif", " --format junit"))
        assert {screen.status, sarif.status, junit.status, judge("mine.toml", m="2..3").status} == {0}
        alerts = sarif.document["runs"][0]["results"]
        assert [(r["ruleId"], r["level"], said in r["message"]["text"]) for r in alerts] == [("constant", "warning", True)] * constant
        lines = [r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in alerts]
        assert lines == [RIGHT[: RIGHT.index("promise =")].count("\n") + 1] * constant
        assert [said in each for each in (screen.out, junit.out, verify("repair mine.toml --m 2").out)] == [constant] * 3
        assert (judge("mine.toml", m=2)[0].outcome.reason == said) is constant


@pytest.mark.campaign
@pytest.mark.parametrize("rounding", ["truncate", "nearest"])
def test_a_rounding_that_the_author_does_not_mean(
    verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounding: str
) -> None:
    """A table that works to the nearest value, judged as its ``[check]`` says: every output refutes it under truncation alone."""
    monkeypatch.chdir(tmp_path)
    written = (FOLDER / "witness-t0-simple.toml").read_text(encoding="utf-8")
    Path("mine.toml").write_text(f'{written}\n[check]\np = 4\nsemantics = "a4+rounding={rounding}"\n', encoding="utf-8")
    wrong = rounding == "truncate"
    screen, sarif, junit = (verify(f"construction mine.toml{form}") for form in ("", " --format sarif", " --format junit"))
    assert {screen.status, sarif.status, junit.status, judge("mine.toml").status} == {int(wrong)}
    assert ("--arithmetic a4+rounding=truncate --y 00000 --z 00000" in " ".join(screen.out.split())) is wrong
    assert [r["ruleId"] for r in sarif.document["runs"][0]["results"]] == ["refuted"] * wrong
    assert junit.out.count("<failure") == wrong
    assert ("it holds with rounding=nearest" in " ".join(verify("construction mine.toml --semantics all").out.split())) is wrong
    repaired = verify("repair mine.toml --p 3")
    assert (repaired.status, "1 of 12 readings" in repaired.out) == (0, wrong), repaired.out


@pytest.mark.long(
    *("off-by-one exponent", "swapped sign", "wrong weight", "wrong rounding", "overlapping rows", "bit beyond the string"),
    *("short row range", "exchanged strings", "long strings", "short strings", "few tokens"),
    "wrong value column",
)
@pytest.mark.parametrize("mistake", MENDED, ids=[each.name for each in MENDED])
def test_repair_undoes_it_or_says_why_not(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistake: Mistake) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(mistake.text, encoding="utf-8")
    found = verify("repair mine.toml --m 2 --output errata.toml")
    said = " ".join((found.out + found.err).split())
    if mistake.name == "unknown field":
        assert (found.status, "did you mean zero?" in said) == (2, True), said
    elif not mistake.mended:
        assert (found.status, "no repair: all" in said, "are not edited" in said) == (1, True, True), said
    else:
        assert (found.status, f"checked on all 16 promised inputs: 1. {mistake.mended}" in said) == (0, True), said
        repaired = verify("construction mine.toml --m 2 --errata errata.toml")
        assert (repaired.status, "verified" in repaired.out) == (0, True), repaired.out + repaired.err
