"""``claims`` and ``verify list``: the names of papers, statements, steps and networks."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import click

from verifier.claims.model import Claim, Sentence
from verifier.claims.papers import Paper, chosen_papers, claims_called, find_claim, find_paper, papers
from verifier.claims.papers import add_papers as shelve
from verifier.commands.options import completing, output_option, paper_option, put, screen_or_json_option
from verifier.commands.progress import Progress
from verifier.commands.subjects import NetworkSubject, TableSubject, names_beginning
from verifier.gate.verdict_table import HERE, TABLE, claims_with, reports_folder
from verifier.interface.arguments import of_arguments, remember
from verifier.running.answers import folder_of, kept_screen
from verifier.running.errors import InputError
from verifier.running.identifiers import meant
from verifier.running.notebooks import TEXT, Columns, Listed
from verifier.running.printable import json_text, many
from verifier.running.shelf import SHELF
from verifier.show.documents import claims_document
from verifier.show.notation.plain import shown as shown_text
from verifier.show.screen import folded, say, tell

VERDICTS = ("verified", "refuted", "conditional", "open", "declined")

WIDEST_NAME = 30
"""The columns for the names in a list. A longer name has a separate line."""


@dataclass(frozen=True, repr=False)
class Claims(Listed[Claim]):
    """Claims in the papers' order, as a sequence; each has ``id``, ``statement``, ``place``, ``role`` and ``parameters``."""

    listed: tuple[Claim, ...]
    columns: ClassVar[Columns] = dict.fromkeys(("claim", "construction", "says", "place"), TEXT)

    def caption(self) -> str:
        return many(len(self), "claim")

    def rows(self) -> list[dict[str, Any]]:
        return [self.row(each.id, each.table and each.table.source.file.id, each.statement, each.place) for each in self.listed]

    def to_dict(self) -> dict[str, Any]:
        """The document of ``verify list --format json``."""
        return claims_document(self.listed)


@of_arguments
def add_papers(folder: str | PathLike[str], *, trust: bool = False) -> None:
    """Add your own paper, or a folder of papers, to those that ship, as ``verify --papers DIR`` does.

    Args:
        folder: a folder with a ``paper.toml``, or with such folders in it.
        trust: whether the Python of the folders that were added may run.

    Raises:
        InputError: the folder holds no paper, or a file of one is wrong; then none of them is added.

    >>> add_papers("nowhere")
    Traceback (most recent call last):
    verifier.running.errors.InputError: folder is 'nowhere'; no such folder
    """
    if Path(folder) not in SHELF.folders:
        shelve(Path(folder))
        try:
            for paper in papers():
                if paper.folder.resolve().is_relative_to(Path(folder).resolve()):
                    paper.statements()
        except InputError:
            SHELF.folders.remove(Path(folder))
            papers.cache_clear()
            raise
        remember(Path(folder))
    SHELF.trusted = trust


@of_arguments
def claims(*words: str, paper: str | None = None, steps: bool = False) -> Claims:
    """The statements of every paper, or those of which the words speak, in the papers' order, as ``verify list`` lists them.

    Args:
        words: a paper's id; a statement, whose steps are listed; or texts that a statement or step must contain.
        paper: only this paper, such as ``every-bit-counts``.
        steps: whether the steps of the proofs are listed also without words.

    Raises:
        InputError: no such paper, or no claim with these words.

    >>> [c.id for c in claims("every-bit-counts", "fooling") if c.role is None]
    ['every-bit-counts/definition-a.5', 'every-bit-counts/lemma-a.6']
    """
    _, groups = _groups(words, paper, steps)
    return Claims(tuple(find_claim(each.id) for _, listed in groups for each in listed))


Group: TypeAlias = tuple[Paper | None, Sequence[Claim | Sentence]]


def _groups(
    words: Sequence[str],
    paper: str | None,
    steps: bool,
    verdict: str | None = None,
    having: Container[str] | None = None,
) -> tuple[bool, list[Group]]:
    """The claims of each paper, and whether they are all statements, of which none was chosen by words.

    having: the claims with the verdict that is asked for.

    Raises:
        InputError: no such paper or no such claim.
    """
    among = chosen_papers(papers(), (), paper)
    shelves = [p for p in (find_paper(w) for w in words) if p is not None] or ([] if paper is None else among)
    if other := next((p for p in shelves if p not in among), None):
        raise InputError(f"--paper {paper}: {other.id} is another paper")
    rest = [w for w in words if find_paper(w) is None]
    named = {w: [c for c in claims_called(w) if not shelves or c.paper in [p.id for p in shelves]] for w in rest}
    owners = [claim for claims in named.values() for claim in claims]
    rest = [w for w in rest if not named[w]]

    def chosen(claim: Claim | Sentence) -> bool:
        return _speaks_of(claim, rest) and (having is None or claim.id in having)

    every = steps or bool(rest) or having is not None
    groups: list[Group]
    if owners:
        alone = len({o.paper for o in owners}) == 1
        groups = [(None if alone else find_paper(o.paper), [c for c in (o, *o.steps) if c is o or chosen(c)]) for o in owners]
    else:
        groups = [(p, [c for c in p.sentences() if (every or c.role is None) and chosen(c)]) for p in shelves or papers()]
    if not any(claims for _, claims in groups):
        asked = " ".join([*rest, *([verdict] if verdict else [])])
        names = [name for each in papers() for name in (each.id, *each.order)] if len(rest) == 1 else []
        hint = meant(asked, names, "`verify list --steps` shows all")
        raise InputError(f"no claim with {asked!r}; {hint}")
    return not (owners or every), groups


def _speaks_of(claim: Claim | Sentence, words: Sequence[str]) -> bool:
    text = f"{claim.name} {claim.statement} {claim.place}".lower()
    return all(word.lower() in text for word in words)


@click.command("list")
@click.argument(
    "words", nargs=-1, shell_complete=completing(lambda word: [*names_beginning(word, (TableSubject, NetworkSubject)), "gallery"])
)
@click.option("--steps", is_flag=True, help="Also list the steps below each statement.")
@click.option(
    "--verdict", type=click.Choice(VERDICTS), help="List only claims with this verdict at a typical point, as a statement or as printed."
)
@click.option(
    "--table",
    "verdicts",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"Where --verdict finds the verdicts; {HERE / TABLE} by default, here or where the program's source is.",
)
@screen_or_json_option
@paper_option
@output_option
def list_claims(
    words: tuple[str, ...], steps: bool, verdict: str | None, verdicts: Path | None, form: str, paper: str | None, output: Path | None
) -> int:
    """List the main results of every paper; of one PAPER all statements, the main results first.

    WORDS: a paper's id, a statement (its steps are listed), words that a line must contain, or `gallery` (the published transformers).
    --steps shows each statement in full, with the steps of its proof.
    """
    if words == ("gallery",) and form == "screen":
        return _networks()
    having = claims_with(verdicts or reports_folder() / TABLE, verdict) if verdict else None
    short, groups = _groups(words, paper, steps, verdict, having)
    listed = [claim for _, claims in groups for claim in claims]
    if form == "json":
        with Progress("claims"):
            text = json_text(claims_document(map(find_claim, (each.id for each in listed))))
        put(text, output)
    else:
        if output is not None:
            raise InputError("--output is for --format json")
        also = "; `:step` a step of its proof, `aside` one on which nothing rests" if any(c.role for c in listed) else ""
        say(folded(f"`verify NAME` judges each of these names; the sentences are in our words{also}.", 0, 0), "dim")
        for shelf, claims in groups:
            if short and shelf is not None:
                _in_short(shelf, claims, whole=len(groups) == 1)
                continue
            if claims and shelf is not None:
                say(folded(f"{shelf.id}: {shelf.title} ({shelf.authors}), {len(shelf.order)} statements", 0, 0), "bold")
            claim_lines(claims)
    return 0


def _networks() -> int:
    """A line for each network of the gallery."""
    from verifier.transformers.files import find_network, gallery

    names = [name for name, _ in gallery()]
    for name in names:
        click.echo("\n".join(folded(f"gallery/{name:<{max(map(len, names))}}  {find_network(f'gallery/{name}').title}", 4, 0)))
    return 0


def _in_short(paper: Paper, listed: Sequence[Claim | Sentence], whole: bool) -> None:
    """The names of a paper's main results; if the paper is listed alone, what each statement says, the main results first."""
    main = sorted((claim for claim in listed if claim.name in paper.main), key=lambda claim: paper.main.index(claim.name))
    others = [claim for claim in listed if claim not in main]
    say(folded(f"{paper.id}: {paper.title}", 2, 0), "bold")
    if not whole:
        say(folded(f"main results: {', '.join(claim.name for claim in main) or 'none'}", 4, 2))
        say(folded(f"what its {many(len(listed), 'statement')} say: verify list {paper.id}", 4, 2))
        if (kept := kept_screen(("show", paper.id))) is not None and paper.folder == folder_of(paper.id):
            say(folded(f"its {kept.text.splitlines()[-1]}: verify show {paper.id}", 4, 2))
        return
    claim_lines(main)
    say(["other statements"] if main and others else [])
    claim_lines(others)


def claim_lines(listed: Sequence[Claim | Sentence]) -> None:
    """A line for each claim, a step indented below its statement; ``owner:step`` if the statement is not shown."""
    shown = {c.name for c in listed}
    names = {c.id: f"  :{c.name.partition(':')[2]}" if c.role is not None and c.owner in shown else c.name for c in listed}
    width = min(max((len(n) for n in names.values()), default=0), WIDEST_NAME)
    for claim in listed:
        aside = "aside: " if claim.role == "aside" else ""
        first, *rest = folded(shown_text(f"{aside}{claim.statement}"), width + 4)
        name = f"  {names[claim.id]:<{width}}  "
        if len(name) > width + 4:
            say([name.rstrip()])
            name = " " * (width + 4)
        tell(name, (first.strip(), "dim"))
        say(rest, "dim")
