"""The results of Coq's kernel on a proof folder, kept between commands, so that a question for all parameters does not run Coq again.

A kept result is named by a digest of the sources, of which theorem has to prove what, of the program that lints and checks them, of the
definitions that they were compared with, and of Coq's version: after any change nothing is known until ``verify proofs`` has run.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from verifier.kernel.checking import FRAGMENT, Checked
from verifier.kernel.coq import INSTALL, Coq, installed_coq
from verifier.kernel.definitions import FILE as DEFINITIONS
from verifier.kernel.definitions import digest_of_the_program
from verifier.kernel.folders import ProofFolder
from verifier.running.identifiers import below


@dataclass(frozen=True)
class Word:
    """The state of a theorem on this machine. accepted: None where the kernel has not been asked; said: who accepts it, or why not.

    kernel: ``Coq 8.16.1``.
    """

    accepted: bool | None
    said: str
    kernel: str = "Coq"


def cache_folder() -> Path:
    """``$BITREFEREE_CACHE``, else ``bitreferee`` in the user's cache folder."""
    own = os.environ.get("BITREFEREE_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(own) if own else Path(base) / "bitreferee"


def digest(folder: ProofFolder, version: str) -> str:
    """16 hexadecimal digits over all that an acceptance depends on."""
    made = hashlib.sha256(f"coq {version}\n{digest_of_the_program(folder)}\n".encode())
    listing = folder.listing
    wanted = [[t.name, t.file, t.statement, t.states] for t in listing.theorem]
    made.update(msgspec.json.encode([listing.kernel, listing.namespace, listing.modules, wanted]))
    own = [
        Path(__file__).with_name(f"{module}.py")
        for module in ("checking", "coq", "definitions", "fragment", "lexer", "lint", "propositions", "terms")
    ]
    compared = [path for path in [folder.folder / DEFINITIONS] if path.is_file()]
    for path in (*own, *compared, *(folder.folder / f"{module}.v" for module in listing.modules)):
        made.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return made.hexdigest()[:16]


def keep(folder: ProofFolder, coq: Coq, checked: Iterable[Checked], begun_with: str = "") -> None:
    """Keep the results of a run, each theorem with the reasons against it. A folder that cannot be written is ignored.

    begun_with: the digest when the run began; nothing is kept if a source has changed since, of which the run may have read either text.
    """
    if begun_with and begun_with != digest(folder, coq.version):
        return
    path = _file(folder, coq)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_bytes(msgspec.json.encode({each.theorem.name: each.reasons for each in checked}))
        part.replace(path)
    except OSError:
        return


def kept(folder: ProofFolder, coq: Coq) -> Mapping[str, tuple[str, ...]] | None:
    """The theorems of a kept run, each with the reasons against it; None where there is none."""
    try:
        return msgspec.json.decode(_file(folder, coq).read_bytes(), type=dict[str, tuple[str, ...]])
    except (OSError, msgspec.MsgspecError):
        return None


def word(folder: ProofFolder, theorem: str) -> Word:
    """The result of Coq's kernel, where it is installed, on a theorem."""
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


def _file(folder: ProofFolder, coq: Coq) -> Path:
    return below(cache_folder(), f"proofs-{folder.paper}-{digest(folder, coq.version)}.json")
