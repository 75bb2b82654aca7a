"""``--semantics all``: a row for each reading in one table, and the knob that explains a failure."""

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
