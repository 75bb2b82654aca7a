"""The campaign itself: what a change is, that a planted survivor is reported, and a sample of the program's changes that must all die."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutation import swap
from tests.mutation.__main__ import Journal
from tests.mutation.choosing import Telling, all_mutants, concerned, part, sample
from tests.mutation.operators import mutants
from tests.mutation.trial import ROOT

CHANGES = [
    ("a < b", ["a < b → a <= b"]),
    ("a is b", ["a is b → a is not b"]),
    ("a and b", ["a and b → b", "a and b → a"]),
    ("a & b", ["a & b → a", "a & b → b"]),
    ("a + b", ["a + b → a - b", "a + b → a"]),
    ("not a", ["not a → a"]),
    ("min(a)", ["min → max"]),
    ("7", ["7 → 8"]),
    ("True", ["True → False"]),
    ("a if b else c", ["a if b else c → a", "a if b else c → c"]),
    ("[x for x in a if b]", ["for x in a if b → for x in [*a][:-1] if b", "for x in a if b → for x in a"]),
    ("f'{a < b}'", []),
    ("zip(a, strict=True)", []),
]


@pytest.mark.parametrize(("text", "expected"), CHANGES)
def test_every_change_of_an_expression(text: str, expected: list[str]) -> None:
    made = list(mutants("m.py", f"found = {text}"))
    assert [each.change for each in made] == expected
    assert all(each.source != f"found = {text}" for each in made)


def test_statements_names_and_what_is_left_alone() -> None:
    text = 'def f(x: int = 2) -> None:\n    """1 < 2"""\n    if x:\n        raise ValueError(1 + 1)\n    for k in x:\n        x += k\n'
    made = [each.name for each in mutants("m.py", text)]
    expected = ["2 → 3", "if x → if False", "for k in x: → for k in [*x][:-1]:", "x += k → x -= k"]
    assert made == [f"m.py f: {change}" for change in expected]
    twice = [each.name for each in mutants("m.py", "a = x < y\nb = x < y")]
    assert twice == ["m.py module: x < y → x <= y", "m.py module: x < y → x <= y (2)"]


CONCERNED = [
    ("verifier/engines/columns.py", "tests/verifier/engines/test_columns.py", True),
    ("verifier/certificates/recheck.py", "tests/verifier/certificates/test_alone.py", True),
    ("verifier/judges/own_files.py", "tests/verifier/commands/test_own_files.py", True),
    ("verifier/engines/columns.py", "tests/verifier/sweep/test_sweep.py", False),
]


def test_tests_are_chosen_by_name_and_import_and_every_module_has_some() -> None:
    for module, test, concerns in CONCERNED:
        assert (test in concerned(module)) is concerns, module
    assert all(concerned(module) for module in {mutant.module for mutant in all_mutants(["verifier/engines", "verifier/repair"])})


def test_a_sample_stays_the_same_when_other_code_is_added() -> None:
    some = list(mutants("m.py", "a = x + 1\nb = y < 2\nc = z and not w"))
    more = [*mutants("n.py", "a = 1"), *some]
    kept = [mutant for mutant in sample(more, 5, seed=3) if mutant in some]
    assert kept == sample(some, len(kept), seed=3)


def test_parts_are_together_the_whole_in_order() -> None:
    every = list(mutants("m.py", "a = x + 1\nb = y < 2\nc = z and not w"))
    assert [mutant for k in range(1, 4) for mutant in part(every, f"{k}/3")] == every
    for wrong in ("0/2", "3/2", "1"):
        with pytest.raises(ValueError, match=r"."):
            part(every, wrong)


def test_the_body_of_a_class_is_told_by_what_reaches_its_functions_then_by_what_reaches_its_module() -> None:
    every = {mutant.function: mutant for mutant in all_mutants(["verifier/judges/fields.py"])}
    reached = {"Reals.formulas": "reals", "Fields.formulas": "fields"}
    baseline = {f"tests/verifier/judges/test_fields.py::{test}": (0.1, [f"verifier/judges/fields.py {f}"]) for f, test in reached.items()}
    for function, told in (("Reals", ["reals", "fields"]), ("Fields", ["fields", "reals"]), ("Fields.formulas", ["fields"])):
        assert [test.rpartition("::")[2] for test, _ in Telling(baseline, 1).tests(every[function])] == told
    assert len(Telling(baseline, 1).tests(every["Computes"])) == 2


def test_a_journal_names_its_survivors(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    journal.keep("survived m.py f: a < b → a <= b 0123 4567", "")
    journal.keep("died m.py f: 1 → 2 0123", "test_m.py::test_f")
    assert journal.survivors == Journal(journal.path).survivors == {"m.py f: a < b → a <= b"}


SWAPPED = """
from functools import cache, cached_property
WHOLE = 1 + 1
@cache
def kept(x): return x * 2
def given(x=3): return [x + k for k in range(2)]
class Pair:
    both = 5 + 5
    @property
    def half(self): return self.both // 2
    @cached_property
    def less(self): return self.both - 9
    @staticmethod
    def one(): return 6 + 1
"""
"""A module in which each change belongs to one function, except three."""


def test_a_change_of_one_function_is_put_in_its_place_and_no_other() -> None:
    left, told = [], 0
    for mutant in mutants("m.py", SWAPPED):
        module, changed = ModuleType("m"), ModuleType("m")
        exec(compile(SWAPPED, "m.py", "exec", dont_inherit=True), vars(module))
        exec(compile(mutant.source, "m.py", "exec", dont_inherit=True), vars(changed))
        pair = swap.found(module, SWAPPED, mutant.source)
        if pair is None:
            left.append(mutant.name)
        else:
            pair[0].__code__ = pair[1]
            shown = [(m.WHOLE, m.kept(5), m.given(), m.Pair().half, m.Pair().less, m.Pair.one()) for m in (module, changed)]
            assert shown[0] == shown[1], mutant.name
            told += shown[0] != (2, 10, [3, 4], 5, 1, 7)
    assert left == [
        *(f"m.py module: {change}" for change in ("1 + 1 → 1 - 1", "1 + 1 → 1", "1 → 2", "1 → 2 (2)")),
        "m.py given: 3 → 4",
        *(f"m.py Pair: {change}" for change in ("5 + 5 → 5 - 5", "5 + 5 → 5", "5 → 6", "5 → 6 (2)")),
    ]
    assert told > 10


def test_a_program_that_a_trial_starts_sets_its_own_limits() -> None:
    """A test that bounds a program by more seconds than the trial has would fail whatever the change is."""
    limits = "limited(5); resource.setrlimit(resource.RLIMIT_CPU, (60, 60)); print(resource.getrlimit(resource.RLIMIT_CPU))"
    code = f"import resource; from tests.mutation.trial import limited; {limits}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout) == (0, "(60, 60)\n"), done.stderr


SAMPLED = ["verifier/arithmetic/preimages.py", "verifier/judges/intermediate_values.py", "verifier/claims/finite_cases.py"]


@pytest.mark.campaign
def test_a_sample_of_the_changes_of_the_program_dies(tmp_path: Path) -> None:
    """Modules whose tests take seconds: all others are for the campaign."""
    words = ["--sample", "2", "--seed", "4", *SAMPLED]
    done = subprocess.run([sys.executable, "-m", "tests.mutation", *words], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 mutants: " in done.stdout
    assert ", 0 survived\n" in done.stdout
