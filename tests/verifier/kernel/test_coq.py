"""What is read from Coq: recursion in compiled terms, assumptions, coqchk's lists. Without Coq these tests are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.papers_of_tests import the_paper
from verifier.kernel.checking import check_folder, check_theorem
from verifier.kernel.coq import CLOSED, CoqError, Library, installed_coq
from verifier.kernel.folders import read_folder
from verifier.kernel.propositions import imported

COQ = installed_coq()
HERE = Path(__file__).parent
pytestmark = [pytest.mark.campaign, pytest.mark.skipif(COQ is None, reason="Coq is not installed: apt-get install coq")]

LISTING = """
kernel = "coq"
version = "8.16.1"
namespace = "Mine"
modules = ["Statement", "Proof"]

[[theorem]]
name = "proved"
file = "Proof"
statement = "Statement"
states = "stated"
"""
STATEMENT = "Definition stated : Prop := forall n : nat, n = n.\n"
PROOF = "From Mine Require Import Statement.\nTheorem proved : stated.\nProof. intros n. reflexivity. Qed.\n"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    assert COQ is not None
    return Library(COQ, tmp_path, "Mine")


def recursions(library: Library, module: str) -> list[str]:
    """The constants of a module whose terms contain a recursion."""
    return [name for part in library.parts([module]) for name in library.recursive(part)]


def refusals(folder: Path, statement: str = STATEMENT, proof: str = PROOF, listing: str = LISTING) -> tuple[str, ...]:
    """Why the one theorem of a folder is refused."""
    assert COQ is not None
    for name, text in (("Statement.v", statement), ("Proof.v", proof), ("proofs.toml", listing)):
        (folder / name).write_text(text, encoding="utf-8")
    (checked,) = check_folder(read_folder("mine", folder), COQ)
    assert checked.accepted is (not checked.reasons)
    return checked.reasons


def test_a_small_proof_is_accepted(tmp_path: Path) -> None:
    assert refusals(tmp_path) == ()


def test_a_theorem_proves_the_statement_that_it_names(tmp_path: Path) -> None:
    (reason,) = refusals(tmp_path, proof=PROOF.replace(": stated", ": forall n : nat, n = n + 0").replace("reflexivity", "apply plus_n_O"))
    assert reason.startswith("Proof.proved does not prove Statement.stated: ")


def test_what_leaves_the_fragment_is_not_built(tmp_path: Path) -> None:
    (reason,) = refusals(tmp_path, proof=PROOF + "Axiom more : True.\n")
    assert reason == "Proof.v:4: Axiom is not in the fragment"


def test_a_module_may_have_the_name_of_any_question(tmp_path: Path) -> None:
    """A folder whose modules are called as the files are in which the program asks Coq about them."""
    (tmp_path / "Terms.v").write_text("Definition size : nat := 1.\n", encoding="utf-8")
    assert refusals(tmp_path, listing=LISTING.replace('"Proof"]', '"Proof", "Terms"]')) == ()


@pytest.mark.parametrize("declared", ["Definition stated : Set := nat.\n", "Definition stated (n : nat) : Prop := n = n.\n"])
def test_what_is_stated_is_a_proposition(tmp_path: Path, declared: str) -> None:
    (reason,) = refusals(tmp_path, statement=declared)
    assert reason.endswith("Statement.v: Definition stated : Prop := … was expected")


def test_a_proof_with_a_gap_is_refused(tmp_path: Path) -> None:
    assert any(reason.startswith("Coq: ") for reason in refusals(tmp_path, proof=PROOF.replace("reflexivity", "intros")))


@pytest.mark.parametrize(
    ("name", "proved", "recursive"),
    [("false_by_fixpoint", "wrong", "loop"), ("false_by_fix", "wrong", "loop"), ("rocq_issue_20455", "error", "issue")],
)
def test_coq_believes_the_recursion_that_the_fragment_leaves_out(library: Library, name: str, proved: str, recursive: str) -> None:
    """Rocq issue 20455: False with no assumption, and coqchk finds nothing; only the term shows the recursion."""
    library.compiled("Hole", (HERE / "refused" / f"{name}.v").read_text(encoding="utf-8"))
    library.compiled("Ask", f"From Mine Require Hole.\nDefinition absurd : False := Hole.{proved}.")
    assert " ".join(library.compiled("Ask", f"From Mine Require Hole.\nPrint Assumptions Hole.{proved}.").split()) == CLOSED
    assert library.rechecked(["Hole"]) == {}
    assert recursions(library, "Hole") == [f"Hole.{recursive}"]


def test_assumptions_are_named(library: Library) -> None:
    library.compiled("Gap", "Axiom taken : False.\nDefinition stated : Prop := False.\nLemma proved : stated.\nProof. exact taken. Qed.\n")
    assert "taken" in library.assumptions([("Gap.proved", "Gap.stated")], ["Gap"])
    assert library.rechecked(["Gap"]) == {"Axioms": "Mine.Gap.taken"}


def test_generated_recursion_is_seen(library: Library) -> None:
    library.compiled("Tree", "Inductive tree := leaf | node (l r : tree).\n")
    assert {"tree_ind", "tree_rect"} <= {name.rpartition(".")[2] for name in recursions(library, "Tree")}


def test_an_error_of_coq_is_one_line(library: Library) -> None:
    with pytest.raises(CoqError, match="not found") as error:
        library.compiled("Bad", "Definition f := unknown.\n")
    assert "\n" not in str(error.value)


def test_one_theorem_is_checked_with_what_it_rests_on(tmp_path: Path) -> None:
    """A module that it does not import may be wrong; one that it imports may not."""
    assert COQ is not None
    listing = LISTING.replace('"Proof"]', '"Proof", "Other"]')
    texts = {"Statement.v": STATEMENT, "Proof.v": PROOF, "Other.v": "Definition wrong : nat := True.\n", "proofs.toml": listing}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    folder = read_folder("mine", tmp_path)
    (theorem,) = folder.listing.theorem
    assert imported(folder, theorem.file, theorem.statement) == ["Statement", "Proof"]
    assert check_theorem(theorem, folder, COQ).accepted
    (tmp_path / "Proof.v").write_text(PROOF + "Definition more : nat := True.\n", encoding="utf-8")
    assert check_theorem(theorem, folder, COQ).reasons[0].startswith("Coq: ")
    (tmp_path / "Proof.v").write_text(PROOF + "Axiom more : True.\n", encoding="utf-8")
    assert check_theorem(theorem, folder, COQ).reasons == ("Proof.v:4: Axiom is not in the fragment",)


def test_the_main_theorem_rests_on_nothing_of_the_other_theorems() -> None:
    paper = the_paper("every-bit-counts")
    folder = read_folder(paper.id, paper.folder / "proofs")
    theorem = folder.theorem("denominator_first_computes_equality")
    assert theorem is not None
    assert not {"Cases", "Table6", "Unpadded", "SplitProof"} & set(imported(folder, theorem.file, theorem.statement))
