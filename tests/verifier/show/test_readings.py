"""``--semantics all``: a row for each reading in one table, and the knob that explains a failure."""

from pathlib import Path

from tests.command_line import CommandLine

TABLE = Path(__file__).parents[3] / "docs" / "examples" / "greater-than.toml"


def test_a_file_has_one_table_of_readings(verify: CommandLine) -> None:
    done = verify(f"{TABLE} --m 2 --semantics all")
    assert done.out.count("construction/greater-than  m = 2") == 1
    assert done.out.count("reading") == len({line.split("  ")[0] for line in done.out.splitlines() if line.startswith("construction/")})
    assert done.out.count("a4+rounding=truncate") == done.out.count("a4+ties=even") >= 1


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
