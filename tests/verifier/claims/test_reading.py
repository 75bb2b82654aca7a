"""Statement files: what is read, and the one line that each mistake gets."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.papers_of_tests import FOLDER
from verifier.claims.files import read_statement
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.parameters import Parameter
from verifier.claims.records import Table
from verifier.errata.by_name import claim_errata, named_errata, touched
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


def test_a_claim_is_touched_by_its_own_errata_and_by_those_of_its_table(tmp_path: Path) -> None:
    path = tmp_path / "lemma-9.toml"
    path.write_text(TWO_STEPS)
    whole = read(path)
    about = replace(whole, table=Table("", "table-1", claim="toy/lemma-9"))
    assert touched(whole.steps[0], frozenset({"lemma-9:half"}))
    assert touched(about, frozenset({"table-1/key"}))
    for claim, others in (
        (whole, "table-1/key"),
        (about, "table-10/key"),
        (replace(about, table=Table("", "table-1", False)), "table-1/key"),
    ):
        assert not touched(claim, frozenset({others, "lemma-9:half"}))


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
    with pytest.raises(InputError, match=r"lemma-9.toml, line 9, step residue: holds: "):
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
