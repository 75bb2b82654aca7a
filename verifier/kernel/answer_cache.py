"""The kept results of Coq's kernel on a proof folder, and an index of the contents of its propositions.

The results are kept between commands, so that a question for all parameters does not run Coq again. The key holds the sources, the
statement that each theorem must prove, the definitions with which they were compared, and Coq's version: after any change nothing is known
until ``verify proofs`` has run.

The index (``index.json`` in a folder that ships) has the facts that are read from the propositions and compared with the statements, which
takes longer than judging a claim. Its seal is the digest of the sources, of the program that reads them, and of the index itself. If the
seal differs, the propositions are read; ``verify check --update`` writes the index again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from verifier.kernel.folders import DEFINITIONS, FORMS, Bound, Meaning, ProofFolder, Theorem
from verifier.networks.record_base import Strict
from verifier.running.errors import InputError
from verifier.running.results import READ, Store, program_digest

if TYPE_CHECKING:
    from verifier.kernel.checking import Checked
    from verifier.kernel.coq import Coq
    from verifier.kernel.definitions import Definitions

IMPORTED = ("__init__.py", "language/", "running/", "arithmetic/", "networks/files.py", "networks/record_base.py")
PARTS = ("verifier/kernel/", *(f"verifier/{part}" for part in IMPORTED))
"""The files of the program that an acceptance depends on: those of this room and what it imports."""


@dataclass(frozen=True)
class Word:
    """The state of a theorem on this machine. accepted: None if the kernel has not been asked; said: who accepts it, or why not.

    kernel: ``Coq 8.16.1``.
    """

    accepted: bool | None
    said: str
    kernel: str = "Coq"


INDEX = "index.json"


class Said(Strict, frozen=True):
    """The content of a theorem's proposition: its statement on the problem, and its bounds."""

    meaning: Meaning
    bounds: tuple[Bound, ...]


class Index(Strict, frozen=True):
    """The theorems that are as they were compared, and the statement files that say of theorems what they said then, by their digests."""

    theorems: dict[str, Said] = msgspec.field(default_factory=dict)
    statements: dict[str, str] = msgspec.field(default_factory=dict)
    seal: str = ""

    def says(self, theorem: str, statement: Path) -> Said | None:
        """The content of a theorem, if the theorem and the links of the statement file are unchanged since they were compared."""
        found = self.theorems.get(theorem)
        return found if found is not None and self.statements.get(statement.stem) == _digest_of(statement) else None


def read_index(folder: ProofFolder) -> Index:
    """Read the index of a folder; an empty index if the file is missing or its seal differs."""
    try:
        found = msgspec.json.decode((folder.folder / INDEX).read_bytes(), type=Index)
    except (OSError, msgspec.MsgspecError, UnicodeError):
        return Index()
    return found if found.seal == _seal(folder, found) else Index()


def index_of(folder: ProofFolder) -> Index:
    """The index of a folder as it has to be."""
    from verifier.kernel import definitions

    then = definitions.read(folder)
    theorems = {theorem.name: said for theorem in folder.listing.theorem if (said := _said(folder, then, theorem)) is not None}
    places = [folder.folder.parent / "statements" / f"{name}.toml" for name in then.links]
    statements = {place.stem: _digest_of(place) for place in places if definitions.of_links(place) == then.links[place.stem]}
    made = Index(theorems, statements)
    return Index(theorems, statements, _seal(folder, made))


def index_text(folder: ProofFolder) -> str:
    """The file of the index, a line for each theorem, so that a change shows."""
    made = msgspec.to_builtins(index_of(folder))
    theorems = ",\n".join(f"{_json(name)}:{_json(said)}" for name, said in made["theorems"].items())
    return f'{{"seal":{_json(made["seal"])},\n"statements":{_json(made["statements"])},\n"theorems":{{\n{theorems}\n}}}}\n'


def _said(folder: ProofFolder, then: Definitions, theorem: Theorem) -> Said | None:
    from verifier.kernel.definitions import changes
    from verifier.kernel.forms import meaning_of
    from verifier.kernel.propositions import proposition

    try:
        return None if changes(folder, then, theorem) else Said(meaning_of(folder, theorem), proposition(folder, theorem).bounds)
    except InputError:
        return None


def _seal(folder: ProofFolder, index: Index) -> str:
    content = msgspec.json.encode([index.theorems, index.statements], order="sorted")
    covered = [program_digest(PARTS), digest_of_sources(folder), _digest_of(folder.folder / FORMS), hashlib.sha256(content).hexdigest()]
    return hashlib.sha256("\n".join(covered).encode()).hexdigest()


def _digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "absent"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def question(folder: ProofFolder, version: str) -> list[object]:
    """The data on which an acceptance depends, except :data:`PARTS` of the program."""
    from verifier.kernel.definitions import digest_of_the_program

    return ["proofs", folder.paper, version, digest_of_the_program(folder), *_sources(folder)]


def digest_of_sources(folder: ProofFolder) -> str:
    """The digest of the theorems that a folder lists, of their sources and of the definitions read beside them."""
    return hashlib.sha256(msgspec.json.encode(_sources(folder))).hexdigest()


def _sources(folder: ProofFolder) -> list[object]:
    listing = folder.listing
    wanted = [[t.name, t.file, t.statement, t.states] for t in listing.theorem]
    compared = [path for path in [folder.folder / DEFINITIONS] if path.is_file()]
    sources = [*compared, *(folder.folder / f"{module}.v" for module in listing.modules)]
    digests = [[path.name, hashlib.sha256(path.read_bytes()).hexdigest()] for path in sources]
    return [msgspec.to_builtins([listing.kernel, listing.namespace, list(listing.modules), wanted]), digests]


def keep(folder: ProofFolder, coq: Coq, checked: Iterable[Checked], begun_with: object = None) -> None:
    """Keep the results of a run, each theorem with the reasons against it.

    begun_with: the key when the run began; nothing is kept if a source has changed since, because the run may have read either text.
    """
    asked = question(folder, coq.version)
    if begun_with in (None, asked):
        Store.usual(PARTS).keep(asked, msgspec.json.encode({each.theorem.name: each.reasons for each in checked}), {})


def kept(folder: ProofFolder, coq: Coq) -> Mapping[str, tuple[str, ...]] | None:
    """The theorems of a kept run, each with the reasons against it; None without one."""
    content = Store.usual(PARTS).find(question(folder, coq.version))
    return None if content is None else msgspec.json.decode(content, type=dict[str, tuple[str, ...]])


def word(folder: ProofFolder, theorem: str) -> Word:
    """The result of Coq's kernel, if it is installed, on a theorem."""
    from verifier.kernel.checking import FRAGMENT
    from verifier.kernel.coq import INSTALL, installed_coq

    READ.undigested()
    coq = installed_coq()
    again = f"verify proofs {folder.paper}"
    if coq is None:
        return Word(None, f"Coq is not installed: {INSTALL}, then {again}")
    found = kept(folder, coq)
    if found is None:
        return Word(None, f"Coq {coq.version} has not checked these sources here: {again}")
    reasons = found.get(theorem, ("not among the theorems checked",))
    if reasons:
        return Word(False, f"Coq {coq.version} refuses {theorem}: {reasons[0]}")
    return Word(True, f"checked by Coq {coq.version} {FRAGMENT}", f"Coq {coq.version}")
