"""Statement files: what is read, what a family fills in, what overlays and errata change, and the one line that each mistake gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.papers_of_tests import FOLDER
from verifier.claims.file_records import filled, overlaid
from verifier.claims.files import read_statement
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.parameters import Parameter
from verifier.claims.records import erratum
from verifier.errata.by_name import claim_errata, named_errata
from verifier.networks.files import read_toml
from verifier.running.errors import InputError

HEAD = 'id = "lemma-9"\nplace = "here"\nsays = "something"\n'
PARAMETER = '[parameters.p]\nmeaning = "bits"\nwhere = "p >= 1"\ntypical = "1..3"\n'


def read(path: Path) -> Claim:
    return read_statement(path, read_toml(FOLDER / "paper.toml"), FOLDER, "toy")


def test_a_statement_with_its_steps() -> None:
    claim = read(FOLDER / "statements" / "lemma-1.toml")
    assert [s.id for s in claim.steps] == ["toy/lemma-1:pairs", "toy/lemma-1:count"]
    assert [s.role for s in claim.steps] == ["argument", "aside"]
    assert all([p.name for p in s.parameters] == ["p"] for s in claim.steps)
    assert not claim.bounded
    (erratum,) = claim.steps[1].errata
    assert (erratum.printed, erratum.repaired) == ("double(half) / 2 == 2**p", "double(half) / 2 == 2**(p - 1)")


def test_an_overlay_changes_what_the_judge_reads_and_nothing_else() -> None:
    step = read(FOLDER / "statements" / "lemma-1.toml").steps[1]
    assert step.repaired is not None
    assert isinstance(step.judge, NamedJudge)
    assert isinstance(step.repaired.judge, NamedJudge)
    assert step.judge.fields["holds"] != step.repaired.judge.fields["holds"]
    assert (step.id, step.statement, step.parameters, step.role) == (
        step.repaired.id,
        step.repaired.statement,
        step.repaired.parameters,
        step.repaired.role,
    )


TWO_STEPS = f"""{HEAD}let = {{ k = "1" }}
holds = "1 == 1"
[[step]]
id = "double"
place = "here"
says = "2k is 4"
holds = "2*k == 4"
repair.step = "half"
[[step]]
id = "half"
place = "here"
says = "k/2 is 1"
holds = "k/2 == 1"
repair = {{ let.k = "2", why = "k is 2" }}
"""


def test_a_slip_that_two_steps_show_is_one_erratum(tmp_path: Path) -> None:
    path = tmp_path / "lemma-9.toml"
    path.write_text(TWO_STEPS)
    double, half = read(path).steps
    assert double.repaired is not None
    assert double.repaired.lets == {"k": "2"}
    assert claim_errata(double) == claim_errata(half) == list(named_errata((double, half))) == ["lemma-9:half"]


OVERRIDDEN = f"""{HEAD}takes = ["p"]
[parameters.p]
typical = "2..3"
[[step]]
id = "half"
place = "here"
says = "p/2 is less"
holds = "p/2 < p"
[[step]]
id = "one"
place = "here"
says = "1 is 1"
holds = "1 == 1"
[[step]]
id = "one-at-p"
place = "here"
says = "1 is 1 at p"
takes = ["p"]
holds = "1 == 1"
"""


def test_a_step_has_those_of_its_owners_parameters_that_it_uses_or_takes(tmp_path: Path) -> None:
    path = tmp_path / "lemma-9.toml"
    path.write_text(OVERRIDDEN)
    shared = {"p": {"meaning": "bits", "where": "p >= 1", "typical": "1..9"}}
    claim = read_statement(path, {**read_toml(FOLDER / "paper.toml"), "parameters": shared}, FOLDER, "toy")
    assert claim.parameters == (Parameter("p", "bits", "p >= 1", "2..3"),)
    assert [step.parameters for step in claim.steps] == [claim.parameters, (), claim.parameters]


def test_a_mistake_in_a_step_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "lemma-9.toml"
    path.write_text(HEAD + '\n[[step]]\nid = "residue"\nplace = "b"\nsays = "c"\nholds = "1 =="\n')
    with pytest.raises(InputError, match=r"lemma-9.toml:9: step residue: holds: "):
        read(path)


def test_a_row_of_hypotheses_is_a_hypothesis(tmp_path: Path) -> None:
    head = HEAD + 'holds = "p == 1"\n[[hypothesis]]\n'
    alone = head + "[[hypothesis]]\n".join(f'name = "{n}"\nsays = "p is {n}"\nholds = "p == {n}"\n' for n in (1, 2)) + PARAMETER
    rows = head + 'columns = ["name", "says"]\nrows = [["1", "p is 1"], ["2", "p is 2"]]\nholds = "p == {name}"\n' + PARAMETER
    made = []
    for text in (alone, rows):
        (tmp_path / "lemma-9.toml").write_text(text)
        made.append(read(tmp_path / "lemma-9.toml"))
    assert made[0].hypotheses == made[1].hypotheses
    assert [h.claim.assuming for h in made[1].hypotheses] == [("2",), ("1",)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{h}*{q} and {_q}", "3*x and x"),
        ("{_r} of {other} in { h }", "1 of {other} in { h }"),
        (["{h}", ["{q}"], 7], ["3", ["x"], 7]),
        ({"{h}": "{h}", "deep": {"q": "{q}"}}, {"{h}": "3", "deep": {"q": "x"}}),
        (7, 7),
        (True, True),
    ],
)
def test_names_in_braces_are_filled_in_wherever_texts_stand(value: Any, expected: Any) -> None:
    assert filled(value, {"h": 3, "q": "x", "_r": 1}) == expected


OF_CLAIMS = {"id": "a", "says": "b", "note": "c"}
OF_A_STATEMENT, OF_A_STEP = {"hypothesis": ["d"], "witness": True}, {"role": "aside"}


@pytest.mark.parametrize(
    ("raw", "changes", "expected"),
    [
        ({"let": {"h": "1", "k": "2"}}, {"let": {"h": "3"}}, {"let": {"h": "3", "k": "2"}}),
        ({}, {"parameters": {"p": {}}}, {"parameters": {"p": {}}}),
        ({"each": {"i": "1"}, "over": "x"}, {"each": {"j": "2"}}, {"each": {"j": "2"}, "over": "x"}),
        ({"is": "1", "over": "x"}, {"holds": "v > 1"}, {"over": "x", "holds": "v > 1"}),
        ({"over": "x", "holds": "v > 1"}, {"is": "1"}, {"over": "x", "is": "1"}),
        ({"holds": "1", "of": "x", "over": "y"}, {"is": "1"}, {"of": "x", "over": "y", "is": "1"}),
        ({"holds": "v > 1"}, {"when": "v > 0"}, {"holds": "v > 1", "when": "v > 0"}),
        ({"holds": "v > 1", "when": "v > 0"}, {"when": ""}, {"holds": "v > 1"}),
        (
            {"holds": "1", **OF_CLAIMS, "each": {}, **OF_A_STEP, **OF_A_STATEMENT},
            {"judge": "pairs", "length": "2"},
            {**OF_CLAIMS, **OF_A_STEP, **OF_A_STATEMENT, "judge": "pairs", "length": "2"},
        ),
    ],
)
def test_an_overlay_replaces_fields_and_single_entries_of_definitions(raw: Any, changes: Any, expected: Any) -> None:
    """With another judge the fields of the former are gone; and a condition is one."""
    assert overlaid(raw, changes) == expected


@pytest.mark.parametrize("key", ["id", "role", "step", "family", "hypothesis", "question", "repair", "neighbour", "witness"])
def test_what_a_claim_is_no_overlay_changes(key: str) -> None:
    with pytest.raises(InputError, match=f"^an overlay cannot change {key}$"):
        overlaid({"says": "a"}, {"says": "b", key: "c"})


CASES: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    ({"holds": "x < 1"}, {"holds": "x <= 1"}, "x < 1", "x <= 1"),
    ({"holds": "x < 1", "says": "small"}, {"holds": "x <= 1", "says": "not large"}, "x < 1", "x <= 1"),
    ({"says": "small"}, {"says": "not large"}, "small", "not large"),
    ({}, {"where": "p >= 2"}, "every value in the domain", "p >= 2"),
    ({}, {"when": "y <= z"}, "no when", "y <= z"),
    ({"steps": "1..8", "is": "0"}, {"steps": "1..9", "is": "1"}, "steps: 1..8; is: 0", "steps: 1..9; is: 1"),
    ({"is": "0"}, {"is": "1", "when": "y <= z"}, "is: 0", "is: 1; when: y <= z"),
    ({}, {"is": "1", "when": "y <= z"}, "nothing", "is: 1; when: y <= z"),
    ({"let": {"a": "1", "b": "2"}}, {"let": {"b": "3"}}, "b = 2", "b = 3"),
    ({"let": {"a": "1"}}, {"let": {"b": "3"}}, "no let", "b = 3"),
    ({"let": {"a": "1"}, "is": "a"}, {"let": {"a": "2"}, "is": "-a"}, "let: a = 1; is: a", "let: a = 2; is: -a"),
    ({"even": True}, {"even": False}, "True", "False"),
]


@pytest.mark.parametrize(("printed", "fields", "before", "after"), CASES)
def test_an_erratum_shows_what_it_replaces(printed: dict[str, Any], fields: dict[str, Any], before: str, after: str) -> None:
    made = erratum(printed, fields, "because", "read it so")
    assert (made.printed, made.repaired, made.why, made.in_words) == (before, after, "because", "read it so")
