"""``findings`` and ``verify findings [PAPER | FINDING]…``: what is wrong in a paper, the most serious first, with what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import click

from verifier.claims.papers import Paper, chosen_papers, find_paper, papers
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.gate import not_compared
from verifier.commands.options import completing, jobs_option, output_option, paper_option, put, screen_or_json_option
from verifier.commands.progress import Progress
from verifier.errata.findings import CLASSES, Finding
from verifier.errata.findings import listed as listed_findings
from verifier.errata.listings import Listing, chosen
from verifier.interface.arguments import of_arguments, one_of
from verifier.running.errors import InputError
from verifier.running.identifiers import meant
from verifier.running.notebooks import INTEGER, TEXT, Columns, Listed
from verifier.running.printable import json_text, many
from verifier.show.documents import correction_lines, corrections_as_json, details, document, lines
from verifier.show.judged import Judged, judged_paper
from verifier.show.screen import COLUMNS, notice


@dataclass(frozen=True, repr=False)
class Findings(Listed[Listing]):
    """The findings of a paper. A :class:`~verifier.errata.listings.Listing` has the finding, its consequences, and its smallest example.

    What the paper's file says is there at once, as ``verify findings`` shows it; the paper is judged when a consequence is first asked for.
    """

    of: Paper
    kind: str | None
    jobs: int
    only: str | None = None
    columns: ClassVar[Columns] = {"class": CLASSES, **dict.fromkeys(("id", "title", "place"), TEXT), "fails": INTEGER, "replay": TEXT}

    @property
    def paper(self) -> str:
        """The id of the paper."""
        return self.of.id

    @cached_property
    def judged(self) -> Judged:
        """The paper with its run, which is made unless it is kept."""
        with Progress() as advance:
            return judged_paper(self.of, self.jobs, advance)

    @property
    def listed(self) -> tuple[Listing, ...]:  # type: ignore[override]
        """The findings with their consequences."""
        return tuple(each for each in chosen(self.judged.listings, self.kind) if self.only in (None, each.finding.entry.id))

    @property
    def status(self) -> int:
        return _status(self.judged.faults, self.judged.run.needs)

    @cached_property
    def _stated(self) -> list[Finding]:
        return [each for each in listed_findings(self.of) if self.kind in (None, each.kind) and self.only in (None, each.entry.id)]

    def __len__(self) -> int:
        return len(self._stated)

    def caption(self) -> str:
        return f"{self.paper}: {many(len(self), 'finding')}"

    def outline(self) -> list[dict[str, Any]]:
        return [{"class": each.kind, "id": each.id, "title": each.entry.title, "place": each.entry.place} for each in self._stated]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each: class, id, title, place, the number of claims that fail only because of it, and the replay of its smallest
        example."""
        return [
            {**row, "fails": len(each.follows.fails), "replay": each.replay} for row, each in zip(self.outline(), self.listed, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The document ``bitreferee/findings/1``."""
        return document(self.listed)


@of_arguments
def findings(paper: str, kind: str | None = None, *, jobs: int = 1) -> Findings:
    """List what is wrong in a paper, the most serious first, as ``verify findings`` does.

    Args:
        paper: its id, such as ``every-bit-counts``, or the id of one finding.
        kind: only the findings of this class, such as ``wrong``.
        jobs: processes that judge the paper when a consequence is asked for, which takes minutes unless an earlier run is kept; a script
        that asks for several guards its own run with ``if __name__ == "__main__"``.

    Raises:
        TypeError: a paper that is no text.
        InputError: no such paper or class.

    >>> [row["class"] for row in findings("every-bit-counts/table-6-constants").outline()]
    ['broken']
    """
    owners = [each for each in papers() if find_paper(paper) is None and _has(each, paper)]
    (found,) = owners[:1] or chosen_papers(papers(), (), paper)
    one_of("kind", kind, CLASSES)
    return Findings(found, kind, jobs, _short(paper) if owners else None)


def _names() -> list[str]:
    """The names of papers and findings."""
    return [name for paper in papers() for name in (paper.id, *(each.entry.id for each in listed_findings(paper)))]


@click.command("findings")
@click.argument("words", nargs=-1, metavar="[PAPER | FINDING]…", shell_complete=completing(lambda word: _names()))
@click.option("--corrections", "read", is_flag=True, help="List our corrections: where, what to read, for what.")
@click.option("--class", "kind", type=click.Choice(CLASSES), help="List only the findings of this class.")
@screen_or_json_option
@output_option
@paper_option
@jobs_option
@click.pass_obj
def command(
    named: tuple[Path, ...] | None,
    /,
    words: tuple[str, ...],
    read: bool,
    kind: str | None,
    paper: str | None,
    form: str,
    output: Path | None,
    jobs: int,
) -> int:
    """List the findings of a PAPER, the most serious first, or show a FINDING in full. Without a name, list the findings of all papers, or
    of those of --papers DIR.

    The program computes the consequences of a finding: claims that fail as printed and hold with only its errata. The program keeps the run
    of a paper in the user's cache folder ($BITREFEREE_CACHE) until the paper or the program changes. Exit status: 1 if no finding explains
    some refutation; 3 if some claims were not compared because an extra is not installed; otherwise 0.
    """
    shelf = [p for p in map(find_paper, words) if p is not None]
    names = [w for w in words if find_paper(w) is None]
    among = chosen_papers(papers(), () if names else named or (), paper)
    asked = [p for p in shelf if paper in (None, p.id)] or [p for p in among if not names or any(_has(p, name) for name in names)]
    for name in names:
        if not any(_has(p, name) for p in asked):
            hint = meant(_short(name), _names(), "`verify findings` shows all", most=2)
            raise InputError(f"no paper and no finding {name!r}; {hint}")
    if output is not None and form == "screen":
        raise InputError("--output needs --format json")
    if read:
        of = [f for p in asked for f in listed_findings(p) if kind in (None, f.kind) and (not names or f.entry.id in map(_short, names))]
        with Progress("corrections"):
            text = corrections_as_json(of) if form == "json" else "".join(f"{line}\n" for line in correction_lines(of))
        put(text, output) if form == "json" else click.echo(text, nl=False)
        return EXIT_VERIFIED
    listed: list[Listing] = []
    missing: list[str] = []
    needs: dict[str, tuple[str, ...]] = {}
    with Progress() as advance:
        for each in asked:
            here = judged_paper(each, jobs, advance)
            missing += here.faults
            needs |= here.run.needs
            listed += [o for o in chosen(here.listings, kind) if not names or o.finding.entry.id in map(_short, names)]
    if form == "json":
        put(json_text(document(listed)), output)
    else:
        _show(asked, listed, bool(names))
    for line in missing:
        click.echo(line, err=form == "json")
    if needs:
        notice(not_compared(needs))
    return _status(missing, needs)


def _status(faults: Sequence[str], needs: Mapping[str, object]) -> int:
    """1 if no finding explains some refutation; 3 if some claims were not compared; otherwise 0."""
    return EXIT_REFUTED if faults else EXIT_UNDECIDED if needs else EXIT_VERIFIED


def _short(name: str) -> str:
    return name.rpartition("/")[2]


def _has(paper: Paper, name: str) -> bool:
    return name.partition("/")[0] in (paper.id, name) and any(m.entry.id == _short(name) for m in listed_findings(paper))


def _show(asked: list[Paper], listed: list[Listing], in_full: bool) -> None:
    for paper in asked:
        mine = [o for o in listed if o.finding.paper.id == paper.id]
        if in_full:
            for listing in mine:
                click.echo("\n".join(details(paper, listing)))
            continue
        if mine or len(asked) == 1:
            click.echo(f"{paper.id}: {many(len(mine), 'finding')}; `verify findings NAME` shows one in full"[:COLUMNS])
        for line in lines(mine):
            click.echo(line)
