"""Ten mistakes planted in a right file: what the screen, repair, SARIF, JUnit and Python say of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitreferee import judge
from tests.command_line import CommandLine
from verifier.running.errors import InputError

RIGHT = (Path(__file__).parents[3] / "docs" / "examples" / "greater-than.toml").read_text()

PLANTED = [
    ("wrong weight", "weights = [1, -1]\nbias = 0\n\n[[mlp", "weights = [1, -2]\nbias = 0\n\n[[mlp", "refuted", "counterexample: m = 3"),
    ("short row range", '[m + 1 : 2*m]"\nzero', '[m + 1 : 2*m - 1]"\nzero', "ill-formed", "no row for token 6"),
    ("swapped sign", "weights = [1, -1]\nbias = 0\n\n[[mlp", "weights = [1, 1]\nbias = 0\n\n[[mlp", "refuted", "counterexample: m = 3"),
    ("missing token", '[[input]]\ni = "2*m + 1"\nreads = 0\n', "", "ill-formed", "no clause says what token"),
    ("off-by-one exponent", '"2**(m - i)"', '"2**(m - i + 1)"', "expectation", "fails on 56 of them"),
    ("wrong rounding", 'bits = "m + 3"', 'bits = "m"', "refuted", "entries that are not representable in 3 bits"),
    ("formula typo", '"2**(2*m - i)"', '"2**(2*m - ii)"', "unreadable", "no name 'ii' here; the names are m, i, f1"),
    ("overlapping rows", 'step = 1\ni = "[1 : m]"', 'step = 1\ni = "[1 : m + 1]"', "ill-formed", "token 4 has a row already, of step 1"),
    ("unknown field", 'zero = [1, 0, 0]\none = [1, "2**(m', 'zeros = [1, 0, 0]\none = [1, "2**(m', "unreadable", "did you mean zero?"),
    ("bit beyond the string", 'reads = "z[i - m]"', 'reads = "z[i - m + 1]"', "ill-formed", "token 6 reads z[4]"),
]


@pytest.mark.parametrize(("right", "wrong", "rule", "said"), [row[1:] for row in PLANTED], ids=[row[0] for row in PLANTED])
def test_a_planted_mistake_is_found(
    verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str, rule: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert right in RIGHT
    Path("mine.toml").write_text(RIGHT.replace(right, wrong, 1))
    status = 2 if rule == "unreadable" else 1
    screen = verify("construction mine.toml --m 3")
    assert (screen.status, said in " ".join((screen.out + screen.err).split())) == (status, True), screen.out + screen.err
    sarif = verify("construction mine.toml --m 3 --format sarif")
    rules = {each["ruleId"] for each in sarif.document["runs"][0]["results"]}
    lines = [each["locations"][0]["physicalLocation"]["region"]["startLine"] for each in sarif.document["runs"][0]["results"]]
    assert (sarif.status, rule in rules, min(lines) > 1) == (status, True, True), sarif.out
    junit = verify("construction mine.toml --m 3 --format junit")
    assert (junit.status, ("<error" if rule == "unreadable" else "<failure") in junit.out) == (status, True), junit.out
    if rule == "unreadable":
        with pytest.raises(InputError, match=r"mine\.toml:\d+: "):
            judge("mine.toml", m=3)
    else:
        assert not judge("mine.toml", m=3).verified


MENDED = {
    "wrong weight": "mlp.hidden.1.weights.2: -2 → -1",
    "short row range": "row.2.i: [m + 1 : 2*m - 1] → [m + 1 : 2*m]",
    "swapped sign": "mlp.hidden.1.weights.2: 1 → -1",
    "missing token": 'add [[input]] i = "2*m + 1", reads = "0"',
    "off-by-one exponent": "row.1.one.2: 2**(m - i + 1) → 2**(m - i)",
    "wrong rounding": None,
    "formula typo": "row.2.one.3: 2**(2*m - ii) → 2**(2*m - i)",
    "overlapping rows": "row.1.i: [1 : m + 1] → [1 : m]",
    "unknown field": None,
    "bit beyond the string": "input.2.reads: z[i - m + 1] → z[i - m]",
}
"""What ``repair`` proposes first: what undoes the mistake, or nothing."""


@pytest.mark.long("off-by-one exponent", "swapped sign", "wrong weight", "wrong rounding")
@pytest.mark.parametrize(("name", "right", "wrong", "rule"), [row[:4] for row in PLANTED], ids=[row[0] for row in PLANTED])
def test_repair_undoes_it_or_says_why_not(
    verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, right: str, wrong: str, rule: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(RIGHT.replace(right, wrong, 1))
    found = verify("repair mine.toml --m 2 --output errata.toml")
    said = " ".join((found.out + found.err).split())
    if name == "unknown field":
        assert (found.status, "did you mean zero?" in said) == (2, True), said
    elif MENDED[name] is None:
        assert (found.status, "no repair: all" in said, "are not edited" in said) == (1, True, True), said
    else:
        assert (found.status, f"checked on all 16 promised inputs: 1. {MENDED[name]}" in said) == (0, True), said
        repaired = verify("construction mine.toml --m 2 --errata errata.toml")
        assert (repaired.status, "verified" in repaired.out) == (0, True), repaired.out + repaired.err
