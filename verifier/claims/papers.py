"""Finding papers and claims. A paper is a folder with a ``paper.toml``; a statement is a file in it, opened on demand.

Papers come from the entry-point group ``bitreferee.papers`` (a package each) and from the folders of ``--papers DIR``. Finding or reading a
paper imports none of its modules.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.file_records import PaperFile
from verifier.networks.files import Lines, misfits, read_toml_text
from verifier.running.errors import TRUST, FileDefects, InputError, UntrustedError, unusable
from verifier.running.identifiers import below, identifier, meant, nearest
from verifier.running.results import READ, entry_points
from verifier.running.shelf import SHELF

if TYPE_CHECKING:
    from verifier.claims.model import Claim, Sentence

GROUP = "bitreferee.papers"
FILE = "paper.toml"


@dataclass(frozen=True)
class Paper:
    """A paper, with its folder, the package of its Python modules, and the content of ``paper.toml``.

    Its statements are files; :meth:`statement` opens one, iterating opens all, in the paper's order, each followed by its steps.
    """

    folder: Path
    package: str
    raw: Mapping[str, Any]
    _read: dict[str, Claim] = field(default_factory=dict, compare=False, repr=False)

    def __hash__(self) -> int:
        """Equal papers have one folder."""
        return hash(self.folder)

    @property
    def id(self) -> str:
        return str(self.raw["id"])

    @property
    def title(self) -> str:
        return str(self.raw["title"])

    @property
    def authors(self) -> str:
        return str(self.raw["authors"])

    @property
    def readings(self) -> Mapping[str, str]:
        """The semantics that its text supports, the default first, each with a word for it."""
        return dict(self.raw.get("readings", {"a4": "as defined"}))

    @property
    def called(self) -> Mapping[str, str]:
        """The name of each reading for readers: ``matrix order`` for a4; the id if the paper gives no name."""
        return {name: self.raw.get("called", {}).get(name, name) for name in self.readings}

    @property
    def sections(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The paper's sections in their order, each with its statements."""
        return tuple((s["title"], tuple(s["statements"])) for s in self.raw["section"])

    @property
    def order(self) -> tuple[str, ...]:
        """The names of its statements, in the paper's order."""
        return tuple(name for _, names in self.sections for name in names)

    @property
    def main(self) -> tuple[str, ...]:
        """The names of the main results: those that ``paper.toml`` names; else the theorems and corollaries; else the propositions,
        equations and tables.
        """
        kinds = (("theorem", "corollary"), ("proposition", "equation", "table"), ("",))
        return tuple(self.raw.get("main") or next(found for kind in kinds if (found := [n for n in self.order if n.startswith(kind)])))

    def has(self, statement: str) -> bool:
        """Whether the paper has a statement of this name; this opens no file."""
        return statement in self.order

    def statement(self, name: str) -> Claim:
        """The statement of this name, with its steps.

        Raises:
            InputError: its file has a mistake.
        """
        READ.asks(self.id)
        if name not in self._read:
            from verifier.claims.files import read_statement

            self._read[name] = read_statement(below(self.folder / "statements", f"{name}.toml"), self.raw, self.folder, self.package)
        return self._read[name]

    def statements(self) -> tuple[Claim, ...]:
        """Every statement, in the paper's order."""
        return tuple(self.statement(name) for name in self.order)

    def sentences(self) -> Iterator[Sentence]:
        """The sentences of all statements and steps in the paper's order, without the formulas of their judges.

        Raises:
            InputError: a file has a mistake.
        """
        from verifier.claims.files import read_sentences

        for name in self.order:
            yield from read_sentences(below(self.folder / "statements", f"{name}.toml"), self.raw)

    def __iter__(self) -> Iterator[Claim]:
        for statement in self.statements():
            yield statement
            yield from statement.steps


def add_papers(folder: Path) -> None:
    """Add a user's folder, which is a paper or has papers in it.

    Raises:
        InputError: it holds neither.
    """
    if not _papers_in(folder):
        if not folder.exists():
            beside = [each.name for each in folder.parent.glob("*/") if _papers_in(each)]
            raise InputError(f"--papers {folder}: {'; '.join(filter(None, ('no such folder', meant(folder.name, beside))))}")
        raise InputError(f"--papers {folder}: no {FILE} in it or in a folder of it")
    SHELF.folders.append(folder)
    papers.cache_clear()


def _papers_in(folder: Path) -> list[Path]:
    return [folder] if (folder / FILE).is_file() else sorted(path.parent for path in folder.glob(f"*/{FILE}"))


class Guard:
    """A finder of modules that refuses to import modules from a folder of the user's unless it is trusted."""

    def __init__(self) -> None:
        self.folders: dict[str, Path] = {}

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Let other finders look, or refuse the import.

        Raises:
            UntrustedError: the module is Python of a folder that is not trusted.
        """
        del path, target
        folder = self.folders.get(fullname.partition(".")[0])
        if folder is not None and not SHELF.trusted:
            raise UntrustedError(f"needs Python of the folder {folder.name}, which only {TRUST} runs", TRUST)

    def package(self, folder: Path) -> str:
        """The package made for a folder; two folders of one name have two packages."""
        stem = "paper_in_" + re.sub(r"[^a-zA-Z0-9_]", "_", folder.name)
        names = (stem if k == 1 else f"{stem}_{k}" for k in count(1))
        name = next(n for n in names if self.folders.get(n, folder) == folder)
        self.folders[name] = folder
        if not SHELF.trusted:  # what an earlier command of this process imported
            for module in [m for m in sys.modules if m.startswith(f"{name}.")]:
                del sys.modules[module]
        if sys.meta_path[:1] != [self]:
            sys.meta_path[:] = [self, *(finder for finder in sys.meta_path if finder is not self)]
        return name


GUARD = Guard()


@lru_cache(maxsize=1)
def papers() -> tuple[Paper, ...]:
    """Every paper found, by id.

    Raises:
        InputError: a ``paper.toml`` with a mistake, or two papers of one id.
    """
    found = [_installed(package) for _, package in entry_points(GROUP)]
    theirs = [_of_the_user(paper) for folder in SHELF.folders for paper in _papers_in(folder)]
    SHELF.ids = frozenset(paper.id for paper in theirs)
    by_id: dict[str, Paper] = {}
    for paper in [*found, *theirs]:
        if paper.id in by_id and by_id[paper.id].folder != paper.folder:
            line = Lines(read_toml_text(paper.folder / FILE)[1]).of(("id",))
            raise unusable(
                str(paper.folder / FILE), f"id: {paper.id} is the id of the paper in {by_id[paper.id].folder}; another was expected", line
            )
        by_id[paper.id] = paper
    return tuple(by_id[name] for name in sorted(by_id))


@lru_cache(maxsize=64)
def _installed(package: str) -> Paper:
    """The paper of an installed package; folders that a user adds do not change it.

    The program's papers are in the folder beside it, even if another package on the path is called ``constructions``.
    """
    top, _, rest = package.partition(".")
    beside = Path(__file__).resolve().parents[2] / top
    if rest and (beside / rest.replace(".", "/") / FILE).is_file():
        _own(top, beside)
        return _paper(beside / rest.replace(".", "/"), package)
    spec = importlib.util.find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise InputError(f"the entry point {package} of {GROUP} names no package")
    return _paper(Path(places[0]), package)


def _own(name: str, folder: Path) -> None:
    """Resolve the name of our own package to the folder beside this program."""
    if name in sys.modules and str(folder) in list(sys.modules[name].__path__):
        return
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


def _of_the_user(folder: Path) -> Paper:
    """The paper in a folder; its Python modules belong to a package made for it."""
    package = GUARD.package(folder.resolve())
    module = ModuleType(package)
    module.__path__ = [str(folder.resolve())]
    sys.modules[package] = module
    return _paper(folder.resolve(), package)


def _paper(folder: Path, package: str) -> Paper:
    raw, text = read_toml_text(folder / FILE)

    @contextmanager
    def at(*path: str | int) -> Iterator[None]:
        try:
            yield
        except InputError as error:
            raise InputError(f"{folder / FILE}:{Lines(text).of(path) or 1}: {error}") from None

    if defects := list(misfits(raw, PaperFile)):
        raise FileDefects(defects, str(folder / FILE)).located(str(folder / FILE), lambda path: Lines(text).of(path) or 1)
    with at():
        if not raw.get("section"):
            raise InputError("[[section]] with title and statements was expected, at least one")
    named = [("id", ("id",), raw["id"]), *(("a table", ("tables", name), name) for name in raw.get("tables", {}))]
    named += [
        ("a statement", ("section", k, "statements"), name) for k, section in enumerate(raw["section"]) for name in section["statements"]
    ]
    for what, path, name in named:
        with at(*path):
            identifier(name, what)
    every = [name for section in raw["section"] for name in section["statements"]]
    for table, claim in raw.get("tables", {}).items():
        with at("tables", table):
            if "/" not in claim and (owner := claim.partition(":")[0]) not in every:
                hint = meant(owner, every, f"one of {', '.join(every)} was expected")
                raise InputError(f'no statement {owner!r} (FILE = "STATEMENT" stands here); {hint}')
    for name in raw.get("readings", {}):
        with at("readings", name):
            read_semantics(name)
    paper = Paper(folder, package, raw)
    READ.shelve(paper.id, folder)
    files = {p.stem for p in (folder / "statements").glob("*.toml")}
    for k, section in enumerate(raw["section"]):
        with at("section", k, "statements"):
            if lost := set(section["statements"]) - files:
                raise InputError(f"{min(lost)} has no file in statements; {meant(min(lost), files, f'{min(lost)}.toml was expected')}")
    with at("section"):
        if unlisted := files - set(paper.order):
            raise InputError(f"{min(unlisted)} has a file in statements and no place in a section")
    return paper


def chosen_papers(at_hand: Sequence[Paper], named: Iterable[Path], wanted: str | None = None) -> list[Paper]:
    """The paper with the id ``wanted``. Without an id, the papers in the named folders; without folders, all papers.

    Raises:
        InputError: no paper has this id.
    """
    folders = {folder.resolve() for folder in named}
    if wanted is None:
        return [paper for paper in at_hand if not folders or folders & {paper.folder, paper.folder.parent}]
    if chosen := [paper for paper in at_hand if paper.id == wanted]:
        return chosen
    ids = [paper.id for paper in at_hand]
    raise InputError(f"no paper {wanted!r}; {meant(wanted, ids, 'there are ' + ', '.join(ids))}")


def catalogue() -> Mapping[str, Claim]:
    """Every claim by its full id; this reads all files of all papers."""
    shelf = papers()
    for paper in shelf:
        READ.asks(paper.id)
    if not _CATALOGUES or _CATALOGUES[0][0] is not shelf:
        _CATALOGUES[:] = [(shelf, {claim.id: claim for paper in shelf for claim in paper})]
    return _CATALOGUES[0][1]


_CATALOGUES: list[tuple[tuple[Paper, ...], Mapping[str, Claim]]] = []
"""The catalogue of the available papers, once it was requested."""


def find_paper(text: str) -> Paper | None:
    """The paper of this id, or None if there is none."""
    return next((p for p in papers() if p.id == text.lower()), None)


def claims_called(text: str) -> tuple[Claim, ...]:
    """Every claim with this id, full or without its paper, or as a paper writes it (``Theorem 2.4``). The function reads no other
    statement's file.

    The name of a construction's table (``table-6``) stands for the claim about it, unless the paper has a statement of that name. Claims of
    the user's papers come first, then constructions.
    """
    paper, slash, rest = re.sub(r"\s+", "-", text.strip().lower()).rpartition("/")
    found: list[Claim] = []
    for holder in (p for p in papers() if not slash or p.id == paper):
        about = None if holder.has(rest) else holder.raw.get("tables", {}).get(rest)
        owner, colon, step = (str(about) if about else rest).partition(":")
        if holder.has(owner):
            found += _named(holder.statement(owner), step if colon else None)
    return tuple(sorted(found, key=lambda c: (c.paper not in SHELF.ids, not _is_construction(c))))


def find_claim(text: str) -> Claim:
    """The claim of this name (:func:`claims_called`). If several claims have the name, the claim in a user's paper or the only construction
    is meant.

    Raises:
        InputError: no claim has this name, or several have and not exactly one is a construction; the message lists the candidates.
    """
    found = claims_called(text)
    if not found:
        raise no_claim(text)
    found = tuple(claim for claim in found if claim.paper in SHELF.ids) or found
    if len(found) > 1 and sum(map(_is_construction, found)) != 1:
        raise InputError(f"{text!r} is ambiguous; {' or '.join(c.id for c in found)} was expected")
    return found[0]


def no_claim(text: str, meant: str | None = None, others: Iterable[str] = ()) -> InputError:
    """An error that no claim has this name, with the likely one or with the nearest: those of this number (``2.6``), else similar names,
    also of other subjects.
    """
    names = dict.fromkeys([*(p.id for p in papers()), *catalogue(), *(c.name for c in catalogue().values()), *others])
    numbered = [name for name in names if "/" not in name and name.endswith(f"-{text.lower()}")]
    near = [meant] if meant else numbered[:3] or nearest(text, names, most=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`verify list` shows them"
    return InputError(f"no claim {text!r}; {hint}")


def _is_construction(claim: Claim) -> bool:
    """Whether the claim is that a construction's table computes its function."""
    return claim.table is not None and claim.table.claim == claim.id


def _named(statement: Claim, step: str | None) -> list[Claim]:
    return [statement] if step is None else [s for s in statement.steps if s.name.partition(":")[2] == step]
