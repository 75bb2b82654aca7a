"""What was compared is what is there now; one changed definition, on either side, is named and refuses the theorems."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from verifier.claims.papers import papers
from verifier.kernel import answer_cache, checking, definitions
from verifier.kernel.checking import check_folder
from verifier.kernel.coq import Coq, CoqError, Library, _place
from verifier.kernel.definitions import FILE, differences, read, written
from verifier.kernel.folders import ProofFolder, proof_folders, read_folder

FOLDERS = list(proof_folders((paper.id, paper.folder) for paper in papers()))
Changed = Callable[[str, str, str], ProofFolder]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.paper)
def test_nothing_has_changed_since_it_was_compared(folder: ProofFolder) -> None:
    assert differences(folder) == []
    assert written(folder) == (folder.folder / FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.paper)
def test_each_group_has_both_sides(folder: ProofFolder) -> None:
    assert all(group.coq and group.program for group in read(folder).compared)


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """A copy of the tables and proofs of *Every Bit Counts* in which one file has another word."""
    (folder,) = (each for each in FOLDERS if each.paper == "every-bit-counts")

    def change(name: str, old: str, new: str) -> ProofFolder:
        for part in ("tables", "proofs"):
            shutil.copytree(folder.folder.parent / part, tmp_path / part, dirs_exist_ok=True)
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert old in text
        (tmp_path / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        definitions._of_the_program.cache_clear()
        return read_folder("every-bit-counts", tmp_path / "proofs")

    return change


CHANGES = [
    ("proofs/Arithmetic.v", "if d * s <? 2 * rest", "if d * s <=? 2 * rest", "Arithmetic.to_grid has changed"),
    ("proofs/Arithmetic.v", "| Fin a, Fin b => round p (a + b) 1", "| Fin a, Fin b => round p (a - b) 1", "Arithmetic.add has changed"),
    ("proofs/Arithmetic.v", "Definition rectified", "Definition rectifies", "Arithmetic.rectified is not there"),
    ("proofs/Table6.v", "Z.min 6 (p - 2)", "Z.min 6 (p - 1)", "Table6.six has changed"),
    ("tables/witness-t1.toml", "4*p + 2", "4*p + 3", "tables/witness-t1.toml has changed"),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "old", "new", "said"), CHANGES, ids=[change[3] for change in CHANGES])
def test_a_changed_definition_is_named(changed: Changed, name: str, old: str, new: str, said: str) -> None:
    folder = changed(name, old, new)
    assert any(f": {said} since the definitions were compared; read it beside " in line for line in differences(folder))


@pytest.mark.campaign
def test_a_changed_definition_refuses_every_theorem(changed: Changed) -> None:
    refused = check_folder(changed(*CHANGES[0][:3]), Coq("coqc", "coqchk", "8.16.1"))
    assert refused
    assert all("Arithmetic.to_grid has changed" in each.reasons[0] for each in refused)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("proofs/Arithmetic.v", "(* 2^(p-1): how many units make 1. *)", "(* Another. *)"),
        ("tables/witness-t1.toml", 'note = """', 'note = """Another. '),
    ],
)
def test_a_comment_changes_nothing(changed: Changed, name: str, old: str, new: str) -> None:
    assert differences(changed(name, old, new)) == []


def test_a_changed_function_is_named_and_forgets_what_the_kernel_said(monkeypatch: pytest.MonkeyPatch) -> None:
    folder, asked = FOLDERS[0], answer_cache.question(FOLDERS[0], "8.16.1")
    *_, name = read(folder).compared[0].program
    of_the_program = definitions._of_the_program
    monkeypatch.setattr(definitions, "_of_the_program", lambda *asked: "0" * 16 if asked[0] == name else of_the_program(*asked))
    (line,) = differences(folder)
    assert line.startswith(f"{read(folder).compared[0].what}: {name} has changed since the definitions were compared; read it beside ")
    assert answer_cache.question(folder, "8.16.1") != asked
    monkeypatch.setattr(checking, "left_fragment", lambda folder: [])
    assert checking.refusals(folder) == [line]


def test_docstrings_and_comments_are_no_part_of_a_definition() -> None:
    one = 'def f(x: int) -> int:\n    """One."""\n    # why\n    return g(x, "words")\n'
    other = 'def f(x: int) -> int:\n    return g(\n        x, "words"\n    )\n'
    assert definitions._without_comments(one) == definitions._without_comments(other)
    assert definitions._without_comments(one) != definitions._without_comments(one.replace("words", "others"))


def test_an_example_that_fails_is_named(tmp_path: Path) -> None:
    source = "Example add_3 : 1 = 1.\nProof. reflexivity. Qed.\n\nExample add_4 : 1 + 1 = 3.\nProof. reflexivity. Qed.\n"
    assert _place('File "./Cases.v", line 5, characters 7-18: Error: Unable to unify', "Cases", source) == "Cases.add_4: "
    assert _place("took more than 900 seconds", "Cases", source) == ""
    library = Library(Coq("false", "false", "8.16.1"), tmp_path, "Mine")
    with pytest.raises(CoqError):
        library.compiled("Cases", source)
