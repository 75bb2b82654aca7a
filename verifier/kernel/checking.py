"""Check a proof folder: the fragment first, then the kernel, the assumptions, the terms, and the second checker."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from verifier.kernel.coq import CLOSED, Coq, CoqError, Library
from verifier.kernel.definitions import differences
from verifier.kernel.folders import ProofFolder, Theorem
from verifier.kernel.lint import Departure, Module, read_module
from verifier.kernel.propositions import imported, proposition
from verifier.running.errors import InputError
from verifier.running.limits import Advance, silent

FRAGMENT = "in a fragment that leaves out its known bugs"


@dataclass(frozen=True)
class Checked:
    """A theorem and why it is refused; no reasons where it is accepted."""

    theorem: Theorem
    reasons: tuple[str, ...]

    @property
    def accepted(self) -> bool:
        return not self.reasons


def left_fragment(folder: ProofFolder) -> list[Departure]:
    """The places where the sources leave the fragment. Each may import those listed before it."""
    read: dict[str, Module] = {}
    for name in folder.listing.modules:
        read[name] = read_module(folder.source(name), f"{name}.v", folder.listing.namespace, read)
    return [departure for module in read.values() for departure in module.departures]


def refusals(folder: ProofFolder) -> list[str]:
    """Why nothing of the folder is built: its sources leave the fragment, what is to be proved is no proposition, or something has changed
    since it was compared.
    """
    left = [*map(str, left_fragment(folder))]
    return [*(left or _not_stated(folder)), *differences(folder)]


def _not_stated(folder: ProofFolder) -> Iterator[str]:
    for theorem in folder.listing.theorem:
        try:
            proposition(folder, theorem)
        except InputError as error:
            yield str(error)


def check_folder(folder: ProofFolder, coq: Coq, advance: Advance = silent) -> list[Checked]:
    """Every theorem of the folder. What concerns the folder as a whole refuses all its theorems."""
    reasons = refusals(folder)
    if reasons:
        return [Checked(theorem, tuple(reasons)) for theorem in folder.listing.theorem]
    with tempfile.TemporaryDirectory() as place:
        library = Library(coq, Path(place), folder.listing.namespace)
        reasons = list(_of_the_library(folder, library, advance))
        modules = folder.listing.modules
        return [Checked(theorem, (*reasons, *_of_the_theorem(theorem, modules, library))) for theorem in folder.listing.theorem]


def check_theorem(theorem: Theorem, folder: ProofFolder, coq: Coq, advance: Advance = silent) -> Checked:
    """One theorem, built with the modules that it rests on and no others, and not checked again by coqchk: a quick look."""
    reasons = refusals(folder)
    if reasons:
        return Checked(theorem, tuple(reasons))
    modules = imported(folder, theorem.file, theorem.statement)
    with tempfile.TemporaryDirectory() as place:
        library = Library(coq, Path(place), folder.listing.namespace)
        try:
            for number, module in enumerate(modules):
                advance(f"proof of {theorem.name}", number, len(modules))
                library.compiled(module, folder.source(module))
            advance(f"proof of {theorem.name}", len(modules), len(modules))
            reasons = [f"{name} has recursion of its own" for name in library.recursive(modules)]
        except CoqError as error:
            return Checked(theorem, (f"Coq: {error}",))
        return Checked(theorem, (*reasons, *_of_the_theorem(theorem, modules, library)))


def _of_the_library(folder: ProofFolder, library: Library, advance: Advance) -> Iterator[str]:
    modules = folder.listing.modules
    label, steps = f"proofs of {folder.paper}", len(modules) + 2
    try:
        for number, module in enumerate(modules):
            advance(label, number, steps)
            library.compiled(module, folder.source(module))
        advance(label, len(modules), steps)
        yield from (f"{name} has recursion of its own" for name in library.recursive(modules))
        advance(label, len(modules) + 1, steps)
        yield from (f"coqchk: {title}: {content}" for title, content in library.rechecked(modules).items())
    except CoqError as error:
        yield f"Coq: {error}"
    finally:
        advance(label, steps, steps)


def _of_the_theorem(theorem: Theorem, modules: Sequence[str], library: Library) -> Iterator[str]:
    try:
        proof, statement = f"{theorem.file}.{theorem.name}", f"{theorem.statement}.{theorem.states}"
        printed = library.assumptions(proof, statement, modules)
    except CoqError as error:
        yield f"{theorem.file}.{theorem.name} does not prove {theorem.statement}.{theorem.states}: {error}"
        return
    if printed != CLOSED:
        yield f"{theorem.name} rests on assumptions: {printed}"
