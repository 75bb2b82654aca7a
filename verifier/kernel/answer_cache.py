"""The kept results of Coq's kernel on a proof folder.

The results are kept between commands, so that a question for all parameters does not run Coq again. The key holds the sources, the
statement that each theorem must prove, the definitions with which they were compared, and Coq's version: after any change nothing is known
until ``verify proofs`` has run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from verifier.kernel.folders import DEFINITIONS, ProofFolder
from verifier.running.results import READ, Store

if TYPE_CHECKING:
    from verifier.kernel.checking import Checked
    from verifier.kernel.coq import Coq

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
    """The theorems of a kept run, each with the reasons against it, or None without one."""
    content = Store.usual(PARTS).find(question(folder, coq.version))
    return None if content is None else msgspec.json.decode(content, type=dict[str, tuple[str, ...]])


def word(folder: ProofFolder, theorem: str) -> Word:
    """The result of Coq's kernel, if it is installed, on a theorem."""
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
    from verifier.kernel.checking import FRAGMENT

    return Word(True, f"checked by Coq {coq.version} {FRAGMENT}", f"Coq {coq.version}")
