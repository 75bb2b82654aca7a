"""Repairs step by step: what is said of a table on the way leads to more mistakes than a search over one or two symbols mends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tables import FOLDER
from tests.verifier.repair.test_planted import MLP, subject_at, without
from verifier.claims.papers import find_claim
from verifier.errata.tables import Source, read_construction, read_with_errata
from verifier.networks.instantiate import instantiate
from verifier.repair.edits import Edit
from verifier.repair.proof_sentences import Sentence, kept, of_claim, of_file
from verifier.repair.search import Search, State, Walk
from verifier.repair.tables import StepByStep, Table

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


def expecting(folder: Path, planted: dict[str, str], text: str) -> Table:
    """A table with mistakes, and what its author expects of it."""
    path = folder / "wrong.toml"
    source = (FOLDER / "witness-t0-simple.toml").read_text(encoding="utf-8")
    for printed, wrong in planted.items():
        assert source.count(printed) == 1
        source = source.replace(printed, wrong)
    path.write_text(source + text, encoding="utf-8")
    return subject_at(read_construction(path), "p=3")


def sentences_of(subject: Table) -> list[Sentence]:
    instance = subject.instance((), 0)
    assert instance is not None
    return of_file(instance, subject.source.file, subject.semantics)


def stepped(subject: Table, sentences: list[Sentence]) -> Walk:
    return StepByStep(subject, sentences, Search(subject)).run()


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


def table_6(at: str) -> tuple[Table, list[Sentence]]:
    """As printed, with the sentences of its proof."""
    claim = find_claim("every-bit-counts/lemma-2.6:table-6")
    assert claim.table is not None
    subject = subject_at(claim.table.source, at)
    subject.ask_first(subject.check(()).point)
    return subject, of_claim(claim, subject.points[0], subject.semantics)


def test_sentences_of_a_proof_are_those_that_look_at_the_table() -> None:
    subject, sentences = table_6("p=7")
    names = [s.name.partition(":")[2] for s in sentences]
    assert "numerator-after-step-2" in names
    assert not {"table-6", "promise-on-first-bits", "mlp-target", "denominator-first"} & set(names)
    few = [s for s in sentences if s.name.endswith(("numerator-after-step-2", "numerator-step-19"))]
    ours = read_with_errata(FOLDER / "table-6.toml", FOLDER / "table-6.errata.toml").repaired()
    assert (kept(few, subject.file(())), kept(few, ours)) == ((False, False), (True, True))


def needed_in_token_order(source: Source, at: str, walk: Walk) -> None:
    """A repair that is right in matrix order is wrong in token order, and right there with the second node's weight turned."""
    fifth = Edit("mlp.hidden.2.weights.1", 1, -1, "")
    subject = subject_at(source, at, "narrative")
    assert subject.check(walk.edits).state is State.WRONG
    assert subject.check((*walk.edits, fifth)).state is State.RIGHT


DOUBLED = {
    "mlp.hidden.1.weights.1: -1 → -2",
    "mlp.hidden.1.bias: 1/2**(h - 1) → 1/2**(h - 2)",
    "mlp.output.weights.1: -2**(h - 1) → -2**(h - 2)",
    "mlp.output.weights.2: -2**(h - 1) → -2**(h - 2)",
}
"""As few edits of the MLP as ours has, right in matrix order only."""


def right(walk: Walk) -> Walk:
    assert walk.checked is not None
    assert walk.checked.state is State.RIGHT
    return walk


def walked(at: str) -> tuple[Table, Walk]:
    subject, sentences = table_6(at)
    return subject, right(stepped(subject, sentences))


@pytest.mark.campaign
def test_the_errata_of_table_6_that_act_from_8_bits_on_are_found_from_the_printed_table() -> None:
    """The rows word for word; in the MLP, where matrix order has two repairs of four edits, the one that token order refuses.

    The errata that act at 7 bits alone put a minimum where a number is, which is no small edit.
    """
    source = read_with_errata(FOLDER / "table-6.toml", FOLDER / "table-6.errata.toml")
    assert source.errata is not None
    subject, walk = walked("p=8..9")
    rows = [e for e in source.errata.erratum if e.name not in MLP and "min(" not in str(e.repaired)]
    assert {str(e) for e in walk.edits} == {f"{at}: {e.printed} → {e.repaired}" for e in rows for at in e.places} | DOUBLED
    needed_in_token_order(subject.source, "p=8..9", walk)


@pytest.mark.campaign
def test_the_repair_of_table_6_found_at_7_bits_is_ours_number_by_number() -> None:
    subject, walk = walked("p=7")
    found = subject.instance(walk.edits, 0)
    meant = instantiate(without([]).file, subject.points[0])
    assert found is not None
    assert (found.tokens, found.key, found.value, found.output) == (meant.tokens, meant.key, meant.value, meant.output)
    assert {str(e) for e in walk.edits if e.at.startswith("mlp.")} == DOUBLED


@pytest.mark.campaign
def test_four_errata_of_the_mlp_are_found_in_their_absence_with_nothing_said_on_the_way() -> None:
    """In matrix order; token order needs a fifth edit then, and ours are four others."""
    source = without(list(MLP))
    walk = right(stepped(subject_at(source, "p=8"), []))
    assert {str(e) for e in walk.edits} == DOUBLED
    needed_in_token_order(source, "p=8", walk)


@pytest.mark.campaign
@pytest.mark.parametrize("semantics", ["a4", "narrative"])
def test_where_the_second_node_has_the_weight_of_the_first_its_bias_is_all_else_that_changes(semantics: str) -> None:
    """With the output weights halved, two nodes that are alike do what the first one does with its weight and bias doubled."""
    source = without([name for name in MLP if name != "mlp-weight-2"])
    walk = right(stepped(subject_at(source, "p=8", semantics), []))
    assert {str(e) for e in walk.edits} == {
        "mlp.hidden.2.bias: -1/2**(h - 1) → 1/2**(h - 1)",
        "mlp.output.weights.1: -2**(h - 1) → -2**(h - 2)",
        "mlp.output.weights.2: -2**(h - 1) → -2**(h - 2)",
    }
    assert subject_at(source, "p=7..12", semantics).check(walk.edits).state is State.RIGHT
