"""What the search leaves out it leaves out for a reason: its fast ways say what the definition says, form by form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.tables import FOLDER
from tests.verifier.repair.test_planted import subject_at
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import sampled_failure, wrong_on
from verifier.engines.program import program_of
from verifier.errata.tables import read_construction
from verifier.language.syntax import parse
from verifier.networks.problems import bits_of
from verifier.repair.edits import edits, edits_of
from verifier.repair.patterns import failing_pattern
from verifier.repair.tables import Table
from verifier.running.errors import InputError
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution


@pytest.fixture
def wrong(tmp_path: Path) -> Table:
    """A table with an exponent that is too large, at three bits."""
    text = (FOLDER / "witness-t0-simple.toml").read_text(encoding="utf-8")
    (tmp_path / "wrong.toml").write_text(text.replace('1)", "2**(p - 2)"', '1)", "2**(p - 1)"'), encoding="utf-8")
    return subject_at(read_construction(tmp_path / "wrong.toml"), "p=3")


EDITS = [
    ("an integer and signs", "row.1.zero.2", "-(h - 1)", {"(h - 1)", "-(h + 1)", "-(h - 2)", "-h", "-(h - 3)"}),
    ("an integer", "row.1.zero.2", -6, {"6", "-7", "-5", "-8", "-4"}),
    ("a bound", "row.1.i", "[7 : h]", {"[8 : h]", "[6 : h]", "[9 : h]", "[5 : h]", "[7 : h - 1]", "[7 : h + 1]"}),
    ("N", "row.1.one.2", "-N", {"N"}),
    ("a bit", "input.1.reads", "y[i]", {"z[i]", "y[i - 1]", "y[i + 1]"}),
    (
        "a rounded number",
        "mlp.hidden.1.bias",
        "-floor(m/9)",
        {f"-floor({x})" for x in ("m/7", "m/8", "m/10", "m/11")}
        | {"floor(m/9)", "-floor((m + 1)/9)", "-floor((m - 1)/9)", "-floor(m/9) + 1", "-floor(m/9) - 1"},
    ),
    ("a power", "row.1.one.3", "2**p", {"3**p", "1**p", "4**p", "0**p", "2**(p - 1)", "2**(p + 1)", "-2**p"}),
]


@pytest.mark.parametrize(("at", "printed", "made"), [row[1:] for row in EDITS], ids=[row[0] for row in EDITS])
def test_edits_of_an_expression(at: str, printed: str | int, made: set[str]) -> None:
    assert {str(edit.repaired) for edit in edits_of(at, printed)} == made


def test_no_two_edits_make_one_text_and_each_can_be_read() -> None:
    raw = read_construction(FOLDER / "table-6.toml").raw
    texts = [(edit.at, str(edit.repaired)) for edit in edits(raw)]
    assert len(set(texts)) == len(texts)
    for edit in edits(raw):
        if not edit.ranges:
            parse(str(edit.repaired))


def test_the_instance_after_an_edit_is_that_of_the_edited_file(wrong: Table) -> None:
    base = wrong.instance((), 0)
    assert base is not None
    for edit in edits(wrong.source.raw)[::3]:
        made, whole = wrong.after(edit, base), wrong.instance((edit,), 0)
        assert (made is None) == (whole is None), edit
        if made is not None and whole is not None:
            assert (made.tokens, made.query, made.key, made.value, made.hidden, made.output, made.defects) == (
                *(whole.tokens, whole.query, whole.key, whole.value, whole.hidden, whole.output, whole.defects),
            ), edit


def test_chosen_inputs_fail_as_by_the_definition(wrong: Table) -> None:
    base = wrong.instance((), 0)
    assert base is not None
    execution = Execution(base, wrong.semantics)
    y, z = (side.ravel() for side in np.meshgrid(np.arange(8), np.arange(8), indexing="ij"))
    fails = [a <= b and not evaluate(execution, int(a), int(b)).correct for a, b in zip(y, z, strict=True)]
    assert wrong_on(program_of(execution), y, z).tolist() == fails
    assert any(fails)
    found = sampled_failure(program_of(execution))
    assert found is not None
    assert not evaluate(execution, *found).correct


def test_the_printed_table_6_fails_on_a_pattern() -> None:
    subject = subject_at(read_construction(FOLDER / "table-6.toml"), "p=8")
    base = subject.instance((), 0)
    assert base is not None
    execution = Execution(base, subject.semantics)
    found = failing_pattern(execution, getattr(decide(execution), "failures"))  # noqa: B009
    assert str(found) == "those that fail are exactly all with y = z and y_1 = 1"
    assert failing_pattern(execution, 0) is None


def test_a_pattern_holds_on_every_failing_input_and_counts_the_others(wrong: Table) -> None:
    base = wrong.instance((), 0)
    assert base is not None
    execution = Execution(base, wrong.semantics)
    pairs = [(y, z) for y in range(8) for z in range(y, 8)]
    fails = [pair for pair in pairs if not evaluate(execution, *pair).correct]
    found = failing_pattern(execution, len(fails))
    assert found is not None

    def holds(condition: str, y: int, z: int) -> bool:
        bits = {f"{name}_{k}": int(bit) for name, x in (("y", y), ("z", z)) for k, bit in enumerate(bits_of(x, 3), 1)}
        left, _, right = condition.partition(" = ")
        return {"y = z": y == z, "z = y+1": z == y + 1, "z = y or z = y+1": z - y in (0, 1), "y < z": y < z}.get(
            condition, left in bits and bits[left] == int(right) if right.isdecimal() else False
        )

    among = [pair for pair in pairs if all(holds(condition, *pair) for condition in found.conditions)]
    assert set(fails) <= set(among)
    assert (found.failing, found.among) == (len(fails), len(among))


def test_a_file_outside_its_domain_is_refused() -> None:
    with pytest.raises(InputError, match="p = 1 is outside"):
        subject_at(read_construction(FOLDER / "witness-t0-simple.toml"), "p=1")
