"""Check a proof folder: the fragment first, then the kernel, the assumptions, the terms, and the second checker."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
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
BUILDS, LOCK = "bitreferee-proofs-", "in-use"
"""The prefix of the folders in which sources are built, and the file in them that the process holds locked."""


@dataclass(frozen=True)
class Checked:
    """A theorem with the reasons for its refusal; no reasons if it is accepted."""

    theorem: Theorem
    reasons: tuple[str, ...]

    @property
    def accepted(self) -> bool:
        return not self.reasons


def left_fragment(folder: ProofFolder) -> list[Departure]:
    """The places where the sources leave the fragment. Each source may import those listed before it."""
    read: dict[str, Module] = {}
    for name in folder.listing.modules:
        read[name] = read_module(folder.source(name), f"{name}.v", folder.listing.namespace, read)
    return [departure for module in read.values() for departure in module.departures]


def refusals(folder: ProofFolder) -> list[str]:
    """The reasons why nothing of the folder is built: its sources leave the fragment, a statement is no proposition, or something has
    changed since the comparison.
    """
    left = [*map(str, left_fragment(folder))]
    return [*(left or _not_stated(folder)), *differences(folder)]


def _not_stated(folder: ProofFolder) -> Iterator[str]:
    for theorem in folder.listing.theorem:
        try:
            proposition(folder, theorem)
        except InputError as error:
            yield str(error)


def check_folder(folder: ProofFolder, coq: Coq, advance: Advance = silent, jobs: int = 1) -> list[Checked]:
    """Check every theorem of the folder, with this many processes. A fault of the folder as a whole refuses all its theorems."""
    return _check(folder, folder.listing.theorem, folder.listing.modules, coq, advance, jobs, recheck=True)


def check_theorem(theorem: Theorem, folder: ProofFolder, coq: Coq, advance: Advance = silent, jobs: int = 1) -> Checked:
    """Check one theorem, built only with the modules on which it rests, without coqchk: a quick check."""
    modules = () if refusals(folder) else imported(folder, theorem.file, theorem.statement)
    (checked,) = _check(folder, (theorem,), modules, coq, advance, jobs, recheck=False)
    return checked


def _check(
    folder: ProofFolder, theorems: Sequence[Theorem], modules: Sequence[str], coq: Coq, advance: Advance, jobs: int, recheck: bool
) -> list[Checked]:
    reasons = refusals(folder)
    if reasons:
        return [Checked(theorem, tuple(reasons)) for theorem in theorems]
    with _place() as place:
        library = Library(coq, place, folder.listing.namespace)
        pool = ThreadPoolExecutor(jobs)
        try:
            reasons = list(_of_the_library(folder, modules, library, advance, pool, recheck))
        except CoqError as error:
            return [Checked(theorem, (f"Coq: {error}",)) for theorem in theorems]
        finally:
            pool.shutdown(cancel_futures=True)
        pairs = [(f"{theorem.file}.{theorem.name}", f"{theorem.statement}.{theorem.states}") for theorem in theorems]
        if library.closed(pairs, modules):
            return [Checked(theorem, tuple(reasons)) for theorem in theorems]
        return [Checked(theorem, (*reasons, *_of_the_theorem(theorem, modules, library))) for theorem in theorems]


@contextmanager
def _place() -> Iterator[Path]:
    """A new folder to build in, locked while it is used; folders of killed processes are removed.

    Raises:
        InputError: the disk is full, or nothing can be written there.
    """
    try:
        for lock in Path(tempfile.gettempdir()).glob(f"{BUILDS}*/{LOCK}"):
            with suppress(OSError), lock.open("rb") as left:
                fcntl.flock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent)
        with tempfile.TemporaryDirectory(prefix=BUILDS) as made:
            place = Path(made)
            with (place / f"{LOCK}.new").open("wb") as held:
                fcntl.flock(held, fcntl.LOCK_EX)
                (place / f"{LOCK}.new").rename(place / LOCK)
                yield place
    except OSError as error:
        raise InputError(f"proofs cannot be built: {error.strerror or error}") from None


def _of_the_library(
    folder: ProofFolder, modules: Sequence[str], library: Library, advance: Advance, pool: Executor, recheck: bool
) -> Iterator[str]:
    """Compile the modules, each after those that it imports; then search their terms, while coqchk checks them again.

    Raises:
        CoqError: Coq refuses a module, or coqchk a term.
    """
    compiled: dict[str, Future[None]] = {}
    for module in modules:
        before = [compiled[other] for other in imported(folder, module) if other != module]
        compiled[module] = pool.submit(_compile, library, module, folder.source(module), before)
    steps = len(modules) + 2
    for number, module in enumerate(modules):
        proved = [theorem.name for theorem in folder.listing.theorem if theorem.file == module]
        advance(f"{folder.paper}: {', '.join([f'{module}.v', *proved])}", number, steps)
        compiled[module].result()
    rechecked = pool.submit(library.rechecked, modules) if recheck else None
    advance(f"{folder.paper}: terms", len(modules), steps)
    for found in pool.map(library.recursive, library.parts(modules)):
        yield from (f"{name} has recursion of its own" for name in found)
    advance(f"{folder.paper}: coqchk", len(modules) + 1, steps)
    if rechecked is not None:
        yield from (f"coqchk: {title}: {content}" for title, content in rechecked.result().items())
    advance(f"{folder.paper}: coqchk", steps, steps)


def _compile(library: Library, module: str, source: str, before: Sequence[Future[None]]) -> None:
    """Compile a module once its imports, which come before it in the queue, are compiled."""
    for other in before:
        other.result()
    library.compiled(module, source)


def _of_the_theorem(theorem: Theorem, modules: Sequence[str], library: Library) -> Iterator[str]:
    try:
        proof, statement = f"{theorem.file}.{theorem.name}", f"{theorem.statement}.{theorem.states}"
        printed = library.assumptions([(proof, statement)], modules)
    except CoqError as error:
        yield f"{theorem.file}.{theorem.name} does not prove {theorem.statement}.{theorem.states}: {error}"
        return
    if printed != CLOSED:
        yield f"{theorem.name} rests on assumptions: {printed}"
