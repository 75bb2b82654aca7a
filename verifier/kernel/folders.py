"""Proof folders: ``proofs/`` in a paper's folder, with a ``proofs.toml`` that lists the sources and the theorems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from verifier.networks.files import read_toml
from verifier.networks.record_base import Strict
from verifier.running.errors import InputError

FILE = "proofs.toml"
DEFINITIONS = "definitions.toml"
"""The definitions that were compared (:mod:`verifier.kernel.definitions`)."""
FORMS = "forms.toml"
"""The forms of propositions (:mod:`verifier.kernel.propositions`)."""

Module = Annotated[str, msgspec.Meta(pattern=r"\A[A-Z][A-Za-z0-9]*\Z")]
Name = Annotated[str, msgspec.Meta(pattern=r"\A[a-z][A-Za-z0-9_]*\Z")]


class Theorem(Strict, frozen=True):
    """A theorem: module ``file`` proves what module ``statement`` defines as ``states``.

    Its range, its readings and its facts about the problem come from that proposition (:mod:`verifier.kernel.propositions`); the claims
    that it decides name it.
    """

    name: Name
    file: Module
    statement: Module
    states: Name


class Listing(Strict, frozen=True):
    """A ``proofs.toml``. version: the kernel version that pages name; modules: the sources in the order of their imports, without the
    suffix.

    accepted: the digest of the sources whose theorems the kernel has all accepted (:func:`verifier.kernel.answer_cache.digest_of_sources`).
    """

    kernel: Literal["coq"]
    version: Annotated[str, msgspec.Meta(pattern=r"\A[0-9]+(\.[0-9]+)*\Z")]
    namespace: Module
    modules: tuple[Module, ...]
    theorem: tuple[Theorem, ...]
    accepted: str = ""

    @property
    def checked_by(self) -> str:
        """``Coq 8.16.1``."""
        return f"{self.kernel.capitalize()} {self.version}"


@dataclass(frozen=True)
class Meaning:
    """The facts that a proposition states about the problem: the readings of the arithmetic, none if the proposition defines its own
    arithmetic; and formulas or words by the names of a claim's fields.

    strings: the variables that are strings; fields: what other fields of a claim have to be, as a statement file gives them, an empty text
    for one that is left out; given: a known theorem of mathematics from which its hypotheses follow, and which the kernel has not checked;
    aside: what it takes for granted, in sentences.
    """

    readings: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    strings: tuple[str, ...] = ()
    fields: Mapping[str, object] = field(default_factory=dict)
    given: str = ""
    aside: str = ""

    @property
    def in_words(self) -> str:
        """``function EQ, length 2*p - 1, promise y <= z, bits p``; readings last."""
        said = [f"{key} {value}" for key, value in (*self.about.items(), *self.fields.items()) if value != ""]
        return ", ".join([*said, *(f"reading {name}" for name in self.readings)])


@dataclass(frozen=True)
class ProofFolder:
    """The proofs of one paper."""

    paper: str
    folder: Path
    listing: Listing

    def theorem(self, name: str) -> Theorem | None:
        """The theorem of this name."""
        return next((theorem for theorem in self.listing.theorem if theorem.name == name), None)

    def source(self, module: str) -> str:
        """The text of a module.

        Raises:
            InputError: it cannot be read.
        """
        try:
            return (self.folder / f"{module}.v").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise InputError(f"{self.folder / module}.v: cannot be read as text") from None


def read_folder(paper: str, folder: Path) -> ProofFolder:
    """A proof folder.

    Raises:
        InputError: a mistake in ``proofs.toml``, a source that is not listed, or a theorem in a module that is not.
    """
    path = folder / FILE
    try:
        listing = msgspec.convert(read_toml(path), Listing)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {error}") from None
    listed, there = set(listing.modules), {source.stem for source in folder.glob("*.v")}
    for module in sorted(listed ^ there):
        raise InputError(f"{path}: {module}.v is {'listed, but missing' if module in listed else 'present, but not listed'}")
    for theorem in listing.theorem:
        for module in {theorem.file, theorem.statement} - listed:
            raise InputError(f"{path}: theorem {theorem.name}: {module} is not one of its modules")
    return ProofFolder(paper, folder, listing)


def proof_folders(papers: Iterable[tuple[str, Path]]) -> Iterator[ProofFolder]:
    """The proof folders of papers, given by id and folder; most have none.

    Raises:
        InputError: as :func:`read_folder`.
    """
    for paper, folder in papers:
        if (folder / "proofs" / FILE).is_file():
            yield read_folder(paper, folder / "proofs")
