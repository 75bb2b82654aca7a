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
    ("wrong rounding", 'bits = "m + 3"', 'bits = "m"', "refuted", "entries that 3 bits lack"),
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
    assert verify("repair mine.toml --m 3").status != 0 or rule in ("refuted", "expectation")
