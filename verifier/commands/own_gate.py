"""``verify gate`` for the user's papers and construction files, in place of everything that is shipped.

Files have no editions: their three columns are alike, as the results of :mod:`verifier.commands.construction` are of what is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.parameters import Parameter
from verifier.claims.verdicts import Edition, Result
from verifier.commands.files_named import complain, nothing_read, read_files
from verifier.errata.tables import Source
from verifier.gate.folder import HERE, TABLE
from verifier.gate.run import Run
from verifier.judges.own_files import judged, names_of, path_names
from verifier.running.errors import InputError
from verifier.running.limits import Advance, Limits


def chosen_papers(at_hand: Sequence[Paper], named: Iterable[Path], wanted: str | None = None) -> list[Paper]:
    """The paper with the id ``wanted``; else those in the folders named, each a paper's or one of papers; else all.

    Raises:
        InputError: no paper has this id.
    """
    folders = {folder.resolve() for folder in named}
    if wanted is None:
        return [paper for paper in at_hand if not folders or folders & {paper.folder, paper.folder.parent}]
    if chosen := [paper for paper in at_hand if paper.id == wanted]:
        return chosen
    raise InputError(f"no paper {wanted!r}; there are {', '.join(paper.id for paper in at_hand)}")


def own_pages(named: Sequence[Path]) -> Path:
    """The folder of the pages beside the user's papers.

    Raises:
        InputError: several folders were named.
    """
    if len(named) > 1:
        raise InputError(f"--papers names {len(named)} folders; --folder DIR was expected, the one place of their pages")
    return named[0] / HERE


def own_table(named: Sequence[Path]) -> Path:
    """The table of verdicts beside the user's papers.

    Raises:
        InputError: several folders were named, so that there is no one place for it.
    """
    if len(named) > 1:
        raise InputError(f"--papers names {len(named)} folders; --table FILE was expected, the one table of their verdicts")
    return named[0] / TABLE


def judge_files(paths: Sequence[str], table: Path, advance: Advance) -> tuple[Run, dict[str, Claim]]:
    """A run over construction files at the points of their ``[check]``, and the claims that these are, called as the table calls them.

    Raises:
        InputError: a file that cannot be used, or says nothing that is to be checked.
    """
    sources, refused = read_files(list(dict.fromkeys(paths)))
    if refused and not sources:
        nothing_read(refused)
    if refused:
        complain(refused[:-1])
        raise InputError(refused[-1])
    for file, source in sources.items():
        unsaid = [k for k, spec in source.file.parameters.items() if spec.default is None and k not in source.file.check]
        if unsaid:
            raise InputError(f'{file}: [check] with {unsaid[0]} = "..." was expected: the gate runs what the file says')
    names = path_names(sources, table.parent)
    claims = {each: as_claim(each, sources[file], file) for file, name in names.items() for each in names_of(name, sources[file])}
    results: dict[str, list[Result]] = {name: [] for name in claims}
    for result in judged(sources, {}, None, "auto", Limits().states, advance, names=names):
        results[result.claim] += [replace(result, edition=edition) for edition in Edition]
    return Run(results, {}), claims


def as_claim(name: str, source: Source, file: str) -> Claim:
    """The claim that the construction in a file computes its function."""
    parameters = tuple(
        Parameter(key, spec.meaning, spec.where, default=None if spec.default is None else str(spec.default))
        for key, spec in source.file.parameters.items()
    )
    return Claim(name, source.file.title, file, "", parameters)
