"""What each question to Coq refuses. Coq's answers are given: what Coq itself says is in `test_coq.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.imports import imported, outside
from tests.verifier.kernel.test_coq import LISTING, PROOF, STATEMENT
from verifier.kernel import answer_cache, checking
from verifier.kernel.checking import Checked, check_folder, check_theorem
from verifier.kernel.coq import CLOSED, Coq, CoqError, Library
from verifier.kernel.folders import ProofFolder, read_folder
from verifier.running.errors import InputError

COQ = Coq("coqc", "coqchk", "8.16.1")


@dataclass
class Answers:
    """A library whose Coq says what a test tells it to."""

    coq: Coq
    place: Path
    namespace: str
    said: dict[str, Any] = field(default_factory=dict)

    def _answer(self, name: str, otherwise: Any) -> Any:
        answer = self.said.get(name, otherwise)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def compiled(self, module: str, source: str) -> str:
        return str(self._answer(f"compiled {module}", ""))

    def parts(self, modules: Sequence[str]) -> list[Sequence[str]]:
        return [modules]

    def recursive(self, part: Sequence[str]) -> list[str]:
        return list(self._answer("recursive", []))

    def rechecked(self, modules: Sequence[str]) -> dict[str, str]:
        return dict(self._answer("rechecked", {}))

    def assumptions(self, pairs: Sequence[tuple[str, str]], modules: Sequence[str]) -> str:
        assert pairs == [("Proof.proved", "Statement.stated")]
        return str(self._answer("assumptions", CLOSED))

    closed = Library.closed


@pytest.fixture
def folder(tmp_path: Path) -> ProofFolder:
    for name, text in (("Statement.v", STATEMENT), ("Proof.v", PROOF), ("proofs.toml", LISTING)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return read_folder("mine", tmp_path)


def reasons(check: Callable[[], Checked], said: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.setattr(checking, "Library", lambda coq, place, namespace: Answers(coq, place, namespace, said))
    return check().reasons


REFUSED = [
    ({"compiled Statement": CoqError("no statement")}, "Coq: no statement"),
    ({"compiled Proof": CoqError("no proof")}, "Coq: no proof"),
    ({"recursive": ["Proof.loop"]}, "Proof.loop has recursion of its own"),
    ({"recursive": CoqError("cannot print")}, "Coq: cannot print"),
    ({"assumptions": "Axioms: false"}, "proved rests on assumptions: Axioms: false"),
    ({"assumptions": CoqError("another type")}, "Proof.proved does not prove Statement.stated: another type"),
]
OF_FOLDERS = [
    ({"rechecked": {"Axioms": "false"}}, "coqchk: Axioms: false"),
    ({"rechecked": CoqError("a term")}, "Coq: a term"),
]


@pytest.mark.parametrize(("said", "reason"), [*REFUSED, *OF_FOLDERS])
def test_a_folder_is_refused(folder: ProofFolder, monkeypatch: pytest.MonkeyPatch, said: dict[str, Any], reason: str) -> None:
    assert reasons(lambda: check_folder(folder, COQ)[0], said, monkeypatch) == (reason,)


@pytest.mark.parametrize(("said", "reason"), REFUSED)
def test_a_theorem_is_refused(folder: ProofFolder, monkeypatch: pytest.MonkeyPatch, said: dict[str, Any], reason: str) -> None:
    assert reasons(lambda: check_theorem(folder.listing.theorem[0], folder, COQ), said, monkeypatch) == (reason,)


def test_what_coq_accepts_is_accepted(folder: ProofFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reasons(lambda: check_folder(folder, COQ)[0], {}, monkeypatch) == ()
    assert reasons(lambda: check_theorem(folder.listing.theorem[0], folder, COQ), {}, monkeypatch) == ()


def test_answers_of_a_run_that_began_with_other_sources_are_not_kept(folder: ProofFolder) -> None:
    begun, theorem = answer_cache.question(folder, COQ.version), folder.listing.theorem[0]
    (folder.folder / "Proof.v").write_text(f"{PROOF}\n", encoding="utf-8")
    answer_cache.keep(folder, COQ, [Checked(theorem, ())], begun)
    assert answer_cache.kept(folder, COQ) is None
    answer_cache.keep(folder, COQ, [Checked(theorem, ())], answer_cache.question(folder, COQ.version))
    assert answer_cache.kept(folder, COQ) == {"proved": ()}


@pytest.mark.parametrize(("change", "message"), [("bytes", "cannot be read as text"), ("gone", "cannot be read as text")])
def test_a_source_that_cannot_be_read_is_named(folder: ProofFolder, change: str, message: str) -> None:
    source = folder.folder / "Proof.v"
    source.write_bytes(b"\xff") if change == "bytes" else source.unlink()
    with pytest.raises(checking.InputError, match=rf"Proof\.v: {message}"):
        folder.source("Proof")


def test_the_listing_and_the_sources_that_are_there_are_the_same(folder: ProofFolder) -> None:
    more = folder.folder / "More.v"
    more.write_text("", encoding="utf-8")
    with pytest.raises(checking.InputError, match=r"More\.v is present, but not listed"):
        read_folder("mine", folder.folder)
    more.unlink()
    (folder.folder / "Statement.v").unlink()
    with pytest.raises(checking.InputError, match=r"Statement\.v is listed, but missing"):
        read_folder("mine", folder.folder)


@pytest.mark.parametrize("part", ["file", "statement"])
def test_a_theorem_is_in_listed_modules(folder: ProofFolder, part: str) -> None:
    named = {"file": "Proof", "statement": "Statement"}[part]
    (folder.folder / "proofs.toml").write_text(LISTING.replace(f'{part} = "{named}"', f'{part} = "Other"'), encoding="utf-8")
    with pytest.raises(checking.InputError, match="theorem proved: Other is not one of its modules"):
        read_folder("mine", folder.folder)


def test_an_acceptance_depends_on_every_module_that_takes_part() -> None:
    """Any other change of the program leaves what Coq accepted."""
    found = imported("verifier.kernel.answer_cache")
    assert {"verifier.kernel.lint", "verifier.language.tree", "verifier.networks.files"} <= found
    assert outside("verifier.kernel.answer_cache", answer_cache.PARTS) == []


ENDS = {
    "a full disk": ("""echo 'Error: System error: "No space left on device"' >&2; exit 1""", "System error"),
    "no memory": ("echo 'Fatal error: out of memory.' >&2; exit 2", "out of memory"),
    "a killed process": ("kill -9 $$", "it was ended by SIGKILL"),
}


@pytest.mark.parametrize(("does", "said"), ENDS.values(), ids=list(ENDS))
def test_what_ends_coq_on_this_machine_refuses_no_theorem(folder: ProofFolder, tmp_path: Path, does: str, said: str) -> None:
    program = tmp_path / "coqc"
    program.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(InputError, match=f"coqc did not finish: .*{said}"):
        check_folder(folder, Coq(str(program), "coqchk", "8.16.1"))


def test_a_disk_without_room_for_the_sources_refuses_no_theorem(folder: ProofFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(library: Library, module: str, source: str) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Library, "compiled", full)
    with pytest.raises(InputError, match="proofs cannot be built: No space left on device"):
        check_folder(folder, COQ)
