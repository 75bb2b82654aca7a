"""Repairs step by step: what is said of a table on the way leads to more mistakes than a search over one or two symbols mends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tables import FOLDER
from tests.verifier.repair.test_planted import MLP, subject_at, without
from verifier.claims.papers import find_claim
from verifier.errata.tables import read_construction, read_with_errata
from verifier.networks.instantiate import instantiate
from verifier.repair.edits import Edit
from verifier.repair.search_state import Search, Walk
from verifier.repair.sentences import Sentence, kept, of_claim, of_file
from verifier.repair.stepwise import StepByStep
from verifier.repair.target import State, Subject

EXPECTED = """
[[expect]]
step = 2
is = "y[p - 1]/2"

[[expect]]
step = 3
is = "y[p - 1 : m]/2**(p - 1)"

[[expect]]
step = 6
is = "(y[p - 1 : m] - z[p - 1 : m])/2**(p - 1)"

[[expect]]
of = "denominator"
step = 1
is = "2**(p - 2) - 1 - y[1 : p - 2]"
"""
FEW = {
    'zero = [1, "p - 2 - i", 0]': 'zero = [1, "p - 1 - i", 0]',
    'one = [1, "-(p - 1)", "2**(m - i)"]': 'one = [1, "-(p - 1)", "-2**(m - i)"]',
}
MANY = FEW | {
    'one = [1, "-(p - 1)", "-2**(2*m - i)"]': 'one = [1, "-(p - 1)", "2**(2*m - i)"]',
}
WRONG = '\n[[expect]]\nname = "mine"\nstep = 3\nis = "y[p - 1 : m]"\n'
PLANTED = [
    pytest.param(FEW, "", id="two mistakes"),
    pytest.param(MANY, "", id="three mistakes"),
    pytest.param(MANY, WRONG, id="three mistakes, and an expectation that is wrong itself"),
]


def expecting(folder: Path, planted: dict[str, str], text: str) -> Subject:
    """A table with mistakes, and what its author expects of it."""
    path = folder / "wrong.toml"
    source = (FOLDER / "witness-t0-simple.toml").read_text(encoding="utf-8")
    for printed, wrong in planted.items():
        assert source.count(printed) == 1
        source = source.replace(printed, wrong)
    path.write_text(source + text, encoding="utf-8")
    return subject_at(read_construction(path), "p=3")


def sentences_of(subject: Subject) -> list[Sentence]:
    instance = subject.instance((), 0)
    assert instance is not None
    return of_file(instance, subject.source.file, subject.semantics)


def stepped(subject: Subject, sentences: list[Sentence]) -> Walk:
    return StepByStep(subject, sentences, Search(subject.check(())), lambda *_: None).run()


@pytest.mark.campaign
@pytest.mark.parametrize(("planted", "more"), PLANTED)
def test_expectations_lead_to_mistakes(tmp_path: Path, planted: dict[str, str], more: str) -> None:
    subject = expecting(tmp_path, planted, EXPECTED + more)
    walk = stepped(subject, sentences_of(subject))
    right = read_construction(FOLDER / "witness-t0-simple.toml").file
    assert subject.file(walk.edits).row == right.row
    assert walk.checked is not None
    assert (walk.checked.state, len(walk.edits), walk.kept) == (State.RIGHT, len(planted), 4)
    assert walk.failing == (("mine",) if more else ())


@pytest.mark.campaign
def test_without_expectations_nothing_leads(tmp_path: Path) -> None:
    walk = stepped(expecting(tmp_path, FEW, ""), [])
    assert walk.checked is None


SLIPS = [
    ("-(h - 1)", "-(h - 2)", ("(h - 1)", "(h - 2)")),
    ("1/2**(h - 1)", "1/2**(h - 2)", ("(h - 1)", "(h - 2)")),
    ("1/2**(h - 1)", "2/2**(h - 1)", ("1/2**(h - 1)", "2/2**(h - 1)")),
    (-6, -5, ("-6", "-5")),
]


@pytest.mark.parametrize(("printed", "repaired", "slip"), SLIPS)
def test_the_slip_of_an_edit(printed: str | int, repaired: str | int, slip: tuple[str, str]) -> None:
    assert Edit("row.1.zero.2", printed, repaired, "").slip == slip


def table_6(at: str) -> tuple[Subject, list[Sentence]]:
    """As printed, with the sentences of its proof."""
    claim = find_claim("every-bit-counts/lemma-2.6:table-6")
    assert claim.table is not None
    subject = subject_at(claim.table.source, at)
    subject.start(subject.check(()).point)
    return subject, of_claim(claim, subject.points[0], subject.semantics)


def test_sentences_of_a_proof_are_those_that_look_at_the_table() -> None:
    subject, sentences = table_6("p=7")
    names = [s.name.partition(":")[2] for s in sentences]
    assert "numerator-after-step-2" in names
    assert not {"table-6", "promise-on-first-bits", "mlp-target", "denominator-first"} & set(names)
    few = [s for s in sentences if s.name.endswith(("numerator-after-step-2", "numerator-step-19"))]
    ours = read_with_errata(FOLDER / "table-6.toml", FOLDER / "table-6.errata.toml").repaired()
    assert (kept(few, subject.file(())), kept(few, ours)) == ((False, False), (True, True))


ON_THE_FIRST_NODE = {
    "mlp.hidden.1.weights.1: -1 → -2",
    "mlp.hidden.1.bias: 1/2**(h - 1) → 1/2**(h - 2)",
    "mlp.output.weights.1: -2**(h - 1) → -2**(h - 2)",
    "mlp.output.weights.2: -2**(h - 1) → -2**(h - 2)",
}
"""What mends the MLP in matrix order. Our errata turn the second node instead, which token order needs as well."""


def right(walk: Walk) -> Walk:
    assert walk.checked is not None
    assert walk.checked.state is State.RIGHT
    return walk


def walked(at: str) -> tuple[Subject, Walk]:
    subject, sentences = table_6(at)
    return subject, right(stepped(subject, sentences))


@pytest.mark.campaign
def test_the_errata_of_table_6_that_act_from_8_bits_on_are_found_from_the_printed_table() -> None:
    """Those of the rows word for word; the MLP is mended on its first node.

    The errata that act at 7 bits alone put a minimum where a number is, which is no small edit.
    """
    source = read_with_errata(FOLDER / "table-6.toml", FOLDER / "table-6.errata.toml")
    assert source.errata is not None
    rows = [e for e in source.errata.erratum if e.name not in MLP and "min(" not in str(e.repaired)]
    subject, walk = walked("p=8..9")
    assert {str(e) for e in walk.edits} == {f"{at}: {e.printed} → {e.repaired}" for e in rows for at in e.places} | ON_THE_FIRST_NODE
    assert subject_at(subject.source, "p=8..9", "narrative").check(walk.edits).state is State.WRONG


@pytest.mark.campaign
def test_the_repair_of_table_6_found_at_7_bits_is_ours_number_by_number_but_for_the_mlp() -> None:
    subject, walk = walked("p=7")
    found = subject.instance(walk.edits, 0)
    meant = instantiate(without([]).file, subject.points[0])
    assert found is not None
    assert (found.tokens, found.key, found.value) == (meant.tokens, meant.key, meant.value)


@pytest.mark.campaign
def test_four_errata_of_the_mlp_are_found_in_their_absence_with_nothing_said_on_the_way() -> None:
    """In matrix order on the other node; in token order with half the value weight."""
    source = without(list(MLP))
    walk = right(stepped(subject_at(source, "p=8"), []))
    assert {str(e) for e in walk.edits} == ON_THE_FIRST_NODE
    assert subject_at(source, "p=8", "narrative").check(walk.edits).state is State.WRONG
    halved = right(stepped(subject_at(source, "p=8", "narrative"), []))
    assert {str(e) for e in halved.edits} == {*ON_THE_FIRST_NODE, "weights.value.matrix.3.1: 2**(h - 2) → 2**(h - 3)"}
