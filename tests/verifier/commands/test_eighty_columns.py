"""The terminal at 80 columns: no word, fraction or bit string is broken, a range is a table, and what a reader writes is found."""

import re
import sys

import pytest
from rich.cells import cell_len
from rich.console import Console

from tests.command_line import CommandLine
from verifier.claims.papers import claims_called
from verifier.show import screen
from verifier.show.screen import COLUMNS, folded, folded_values

ONE = "100000000000000"


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


@pytest.mark.long("theorem-1.1", "theorem-2.4")
@pytest.mark.parametrize("words", ["theorem-2.4 --p 5", "theorem-2.4", "theorem-1.1"])
def test_the_answer_on_a_theorem_has_at_most_twelve_lines(verify: CommandLine, words: str) -> None:
    lines = verify(words).out.splitlines()
    assert "bits suffice: " in lines[1]
    assert lines[-1].strip().startswith("More: ")
    assert len(lines) <= 12


def test_bit_strings_stand_below_each_other(verify: CommandLine) -> None:
    lines = verify("lemma-2.6:table-6 --p 8 --edition printed").out.splitlines()
    at = [line.index("= ") for line in lines if line.strip() in (f"y = {ONE}", f"z = {ONE}")]
    assert len(at) == 2
    assert at[0] == at[1]


def listed(text: str) -> list[str]:
    """The names at the beginnings of a list's lines."""
    return re.findall(r"^ {2,4}(\S+)", text, re.MULTILINE)


@pytest.mark.one_in(2)
@pytest.mark.long("list every-bit-counts --steps")
@pytest.mark.parametrize("words", ["list every-bit-counts --steps", "list slope", "list table-1"])
def test_a_list_folds_sentences_and_cuts_no_name(verify: CommandLine, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    piped = verify(words).out
    monkeypatch.setattr(screen, "console", lambda: Console(file=sys.stdout, width=COLUMNS, force_terminal=True, color_system=None))
    lines = verify(words).out.splitlines()
    assert max(map(cell_len, lines)) <= COLUMNS
    assert max(map(cell_len, piped.splitlines())) <= COLUMNS
    assert listed("\n".join(lines)) == listed(piped)


def test_a_step_without_its_statement_is_listed_by_a_name_that_finds_it(verify: CommandLine) -> None:
    names = listed(verify("list slope").out)
    assert len(names) > 5
    assert [name for name in names if not claims_called(name)] == []
