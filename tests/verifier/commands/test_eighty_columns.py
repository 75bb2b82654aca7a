"""The terminal at 80 columns: no word, fraction or bit string is broken, a range is a table, and what a reader writes is found."""

import re
import sys

import pytest
from rich.cells import cell_len
from rich.console import Console

from tests.command_line import CommandLine
from verifier.claims.papers import claims_called, find_claim
from verifier.commands import browse
from verifier.show.screen import COLUMNS, folded, folded_values

ONE = "100000000000000"

FITTING = [
    f"trace lemma-2.6 --p 8 --y {ONE} --z {ONE}",
    "lemma-2.6:table-6 --p 6..8",
    "theorem-2.4:every-n",
    "show lemma-2.6:table-6",
    "trace gallery/parity --w 0110",
]


@pytest.mark.long("theorem-2.4:every-n")
@pytest.mark.parametrize("words", FITTING)
def test_every_line_fits_but_the_commands_that_are_to_be_pasted(verify: CommandLine, words: str) -> None:
    lines = verify(words).out.splitlines()
    assert len(lines) > 5
    assert [line for line in lines if len(line) > COLUMNS and "replay: " not in line] == []


FOLDED = [
    ("a fraction", f"{'x' * 70} 8213/128 is rounded", [f"{'x' * 70} 8213/128", "is rounded"]),
    ("a value with its name", f"{'x' * 70} output = 1/2, answer = 1", ["x" * 70, "output = 1/2, answer = 1"]),
    ("a string that is longer than a line", "0" * 100, ["0" * 100]),
    ("a verdict", f"{'x' * 75} refuted", ["x" * 75, "refuted"]),
    ("nothing", "", [""]),
]


@pytest.mark.parametrize(("text", "lines"), [row[1:] for row in FOLDED], ids=[row[0] for row in FOLDED])
def test_nothing_is_broken_but_at_spaces(text: str, lines: list[str]) -> None:
    assert folded(text, 0) == lines


def test_a_name_of_a_coordinate_stays_whole_with_its_value() -> None:
    line = f"  CLS: scores {'0 ' * 20}1; weights 1/5 each; {', '.join(f'the unit {k} of it = {k}/7' for k in range(5))}"
    folds = folded_values(line)
    assert max(map(len, folds)) <= COLUMNS
    assert " ".join(each.strip() for each in folds) == line.strip()
    assert sum(each.count("the unit") for each in folds) == sum(len(re.findall(r"the unit \d of it = \d/7", each)) for each in folds) == 5


def test_a_range_is_a_table_and_verbose_shows_every_point(verify: CommandLine) -> None:
    short, full = (
        verify("every-bit-counts/equation-1 --h 4..7").out.splitlines(),
        verify("every-bit-counts/equation-1 --h 4..7 --verbose").out.splitlines(),
    )
    assert [line.split() for line in short[2:4]] == [["h=4..5", "refuted", "refuted", "declined"], ["h=6..7", *["verified"] * 3]]
    assert sum("h = " in line and line.startswith("every-bit-counts") for line in full) == 4


def test_bit_strings_stand_below_each_other(verify: CommandLine) -> None:
    lines = verify("lemma-2.6:table-6 --p 8 --edition printed").out.splitlines()
    at = [line.index("= ") for line in lines if line.strip() in (f"y = {ONE}", f"z = {ONE}")]
    assert len(at) == 2
    assert at[0] == at[1]


FOUND = [
    ("Theorem 2.4", "theorem-2.4"),
    ("every-bit-counts/table-6", "lemma-2.6:table-6"),
    ("every-bit-counts/Table 7", "lemma-c.5:table-7"),
    ("lemma 2.6:table-6", "lemma-2.6:table-6"),
    ("fixed-point-networks/Table 1", "table-1"),
    ("Table 6", "lemma-2.6:table-6"),
    ("piecewise-affine/table-6", "table-6"),
]


@pytest.mark.parametrize(("text", "name"), FOUND)
def test_what_the_paper_calls_it_is_found(text: str, name: str) -> None:
    assert find_claim(text).name == name


def listed(text: str) -> list[str]:
    """The names at the beginnings of a list's lines."""
    return re.findall(r"^ {2,4}(\S+)", text, re.MULTILINE)


def test_the_trace_marks_the_token_after_which_the_run_leaves_the_proof(verify: CommandLine) -> None:
    """Steps 1 and 2 add half of the shift that the proof states; with the errata nothing departs."""
    words = f"trace lemma-2.6:table-6 --p 8 --y {ONE} --z {ONE}"
    lines = verify(words).out.splitlines()
    mark = next(k for k, line in enumerate(lines) if "the run leaves the proof here, which says: numerator 1" in line)
    tokens = [line.split()[0] for line in lines[3:mark] if "rounded" not in line]
    assert any(line.startswith(f"leaves the proof after token {tokens[-1]}: ") for line in lines)
    assert "leaves the proof" not in verify(f"{words} --edition repaired").out


@pytest.mark.campaign
def test_an_answer_has_a_line_for_each_point(verify: CommandLine) -> None:
    lines = verify("show theorem-2.4 --questions --p 1..2").out.splitlines()
    assert [line for line in lines if line.endswith("with 2 no table exists")] == ["    p = 2, n = 10: 3 bits; with 2 no table exists"] * 2
    assert not any(line.count("n = 10") > 1 for line in lines)


def test_a_name_of_several_papers_shows_the_construction_and_names_the_others(verify: CommandLine) -> None:
    shown = verify("show table-6").out.splitlines()
    assert shown[0] == "every-bit-counts/lemma-2.6:table-6"
    assert shown[1].split()[:7] == ["also", "'table-6'", "is", "also", "the", "name", "of"]
    assert listed(verify("list table-6").out) == ["lemma-2.6:table-6", "table-6"]
    traced = verify("trace table-6 --p 2 --y 000 --z 000")
    assert (
        traced.err == "verify: 'table-6' is read as every-bit-counts/lemma-2.6:table-6; it is also the name of piecewise-affine/table-6\n"
    )
    assert traced.out.startswith("table-6 (printed)")


@pytest.mark.one_in(2)
@pytest.mark.long("list every-bit-counts --steps")
@pytest.mark.parametrize("words", ["list every-bit-counts --steps", "list slope", "list table-1"])
def test_a_list_folds_sentences_and_cuts_no_name(verify: CommandLine, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    piped = verify(words).out
    monkeypatch.setattr(browse, "console", lambda: Console(file=sys.stdout, width=COLUMNS, force_terminal=True, color_system=None))
    lines = verify(words).out.splitlines()
    assert max(map(cell_len, lines)) <= COLUMNS
    assert max(map(cell_len, piped.splitlines())) <= COLUMNS
    assert listed("\n".join(lines)) == listed(piped)


def test_a_step_without_its_statement_is_listed_by_a_name_that_finds_it(verify: CommandLine) -> None:
    names = listed(verify("list slope").out)
    assert len(names) > 5
    assert [name for name in names if not claims_called(name)] == []
