"""Readings: ``--semantics all`` has a row for each and the knob that explains a failure; a single claim names another verdict in a line."""

from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.tables import FOLDER

TABLE = Path(__file__).parents[3] / "docs" / "examples" / "greater-than.toml"


def test_a_file_has_one_table_of_readings(verify: CommandLine) -> None:
    done = verify(f"{TABLE} --m 2 --semantics all")
    assert done.out.count("construction/greater-than  m = 2") == 1
    assert done.out.count("reading") == len({line.split("  ")[0] for line in done.out.splitlines() if line.startswith("construction/")})
    assert done.out.count("a4+rounding=truncate") == done.out.count("a4+ties=even") >= 1


@pytest.mark.campaign
def test_the_knob_under_which_it_holds_is_named(verify: CommandLine) -> None:
    """Two bits suffice in matrix order; token by token they do not."""
    done = verify("lemma-2.6 --p 7 --semantics all")
    assert "statement fails" not in done.out
    done = verify("every-bit-counts/lemma-2.5 --p 3 --semantics all --edition statement")
    refuted = [line.split()[0] for line in done.out.splitlines() if line.endswith("refuted")]
    verified = [line.split()[0].removeprefix("a4+") for line in done.out.splitlines() if line.endswith("verified")]
    assert "a4" in refuted
    said = " ".join(done.out.split())
    assert (f"statement fails under a4; it holds with {', '.join(verified)}" in said) == bool(verified)


def test_the_table_says_what_the_paper_calls_its_readings(verify: CommandLine) -> None:
    said = " ".join(verify("lemma-2.6 --p 2 --semantics all --edition statement").out.split())
    assert "a4 is matrix order; narrative is token order; a4+KNOB=SETTING changes one setting" in said.replace("NAME", "a4")
    assert "matrix order" not in verify(f"{TABLE} --m 2 --semantics all").out


def test_the_reading_of_a_file_is_the_first(verify: CommandLine, tmp_path: Path) -> None:
    """What the file's own reading refutes and another verifies is explained by the knob in which they differ."""
    path = tmp_path / "mine.toml"
    written = (FOLDER / "witness-t0-simple.toml").read_text(encoding="utf-8")
    path.write_text(f'{written}\n[check]\np = 4\nsemantics = "a4+rounding=truncate"\n', encoding="utf-8")
    assert verify(f"construction {path}").status == 1
    done = verify(f"construction {path} --semantics all")
    rows = [line.split() for line in done.out.splitlines() if line.endswith(("refuted", "verified"))]
    assert (rows[0], rows.count(rows[0])) == (["a4+rounding=truncate", "refuted"], 1)
    assert "printed fails under a4+rounding=truncate; it holds with rounding=nearest, narrative" in " ".join(done.out.split())


def test_a_rounded_ln_2_fails_the_repaired_table_and_the_other_order_does_not(verify: CommandLine) -> None:
    said = " ".join(verify("lemma-2.6:table-6", "--p", "8", "--edition", "repaired").out.split())
    assert "token order" not in said
    assert "if ln 2 is rounded (without ideal-ln2): repaired refuted (fails on 32,768 inputs)" in said


def test_a_claim_with_one_verdict_under_every_reading_has_no_such_line(verify: CommandLine) -> None:
    assert "token order" not in verify("lemma-2.6:mlp-weights", "--p", "8").out


def test_a_reading_that_is_asked_for_is_shown_alone(verify: CommandLine) -> None:
    assert "order:" not in verify("lemma-2.6:table-6", "--p", "8", "--edition", "repaired", "--semantics", "narrative").out
