"""``verify CLAIM …``: judge claims over ranges of their parameters; ``verify PAPER``: all statements of a paper."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import Paper, find_claim, find_paper
from verifier.claims.parameters import ALL
from verifier.claims.points import points, shared_points
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Result, exit_status
from verifier.commands.claims import ClaimCommand
from verifier.commands.options import (
    certificate_option,
    chosen_editions,
    chosen_semantics,
    deliver,
    edition_option,
    format_option,
    limit_option,
    method_option,
    output_option,
    semantics_option,
)
from verifier.commands.progress import Progress
from verifier.running.errors import InputError
from verifier.running.limits import Limits
from verifier.show.range_screen import show_ranges
from verifier.show.screen import folded, show_overview, show_readings, show_results


@click.command("claim", cls=ClaimCommand)
@click.argument("claims", nargs=-1, required=True)
@edition_option
@semantics_option
@click.option("--steps", is_flag=True, help="The steps of the statements' proofs, too.")
@click.option("--verbose", is_flag=True, help="Of a range, every point in full; of a proof for all parameters, every case.")
@format_option
@output_option
@method_option
@limit_option
@certificate_option
@click.pass_context
def command(
    context: click.Context,
    /,
    claims: tuple[str, ...],
    edition: str | None,
    semantics: str,
    steps: bool,
    verbose: bool,
    form: str,
    output: Path | None,
    method: str,
    limit: int,
    certificate: Path | None,
    **given: str | None,
) -> int:
    """Judge CLAIMS, such as theorem-2.4 or every-bit-counts/lemma-2.6, at the parameters given; or a whole paper, by its id.

    Parameters are options of their own name and take an integer or a range, or every value: --p 5, --p 2..12, --p all.
    Shown are three editions: whether the statement is true, whether what is printed holds up, and what our errata make of it.
    """
    ranges = {k: v for k, v in given.items() if v is not None}
    shelf = [p for p in map(find_paper, claims) if p is not None]
    if shelf:
        if len(claims) > 1 or ranges or certificate is not None or semantics == "all":
            raise InputError(f"{claims[0]}: a paper is judged alone, at the typical parameters of its statements, under one reading")
        if form == "screen" and (edition, semantics, steps, limit, method) == (None, "a4", False, Limits().states, "auto"):
            return _in_small(shelf[0])
        return _paper(shelf[0], chosen_editions(edition), read_semantics(semantics), steps, form, output, limit, method)
    found = [find_claim(name) for name in claims]
    editions = chosen_editions(edition)
    many = semantics != "all" and _is_range(found, ranges)
    proofs: list[str | None] = []
    with Progress() as advance:
        session = Session(Limits(limit), advance, method)
        session.count_slips = form == "json" and semantics != "all"
        made = _judge(session, found, ranges, semantics, editions, steps)
        in_rows = many and form == "screen" and not verbose
        results = show_ranges(made, find_claim, editions) if in_rows else list(made)
        rows = list(_overviews(session, found, ranges)) if edition is None else []
        if edition is None and semantics != "all" and form == "screen" and (verbose or not many):
            proofs = list(_proofs(session, found, ranges, chosen_semantics(semantics)[0]))
    if certificate is not None:
        _certify(found, ranges, chosen_semantics(semantics), edition, certificate, limit)

    def show() -> None:
        if semantics == "all":
            show_readings(results)
        elif not in_rows:
            show_results(results, verbose)
        for line in proofs:
            if line is not None:
                click.echo("\n".join(folded(line, 2, 0)))
        show_overview(rows, verbose)

    deliver([*results, *rows], form, output, show)
    return exit_status([*results, *rows])


def _in_small(paper: Paper) -> int:
    """The referee's page on the screen, from the paper's run, which is kept as long as neither the paper nor the program changes."""
    from verifier.gate.run_cache import Kept
    from verifier.show.paper_screen import show_page

    with Progress() as advance:
        run = Kept.usual().run(paper, os.cpu_count() or 1, advance)
    show_page(paper, run)
    return exit_status([r for claim in paper.statements() for r in run.results[claim.id]])


def _paper(
    paper: Paper, editions: tuple[Edition, ...], semantics: Semantics, steps: bool, form: str, output: Path | None, limit: int, method: str
) -> int:
    """Every statement of a paper at its typical parameters, a line each as it comes."""
    from verifier.show.paper_screen import Lines

    lines = Lines(paper, steps) if form == "screen" else None
    results: list[Result] = []
    others = [name for name in paper.readings if name != semantics.label]
    with Progress() as advance:
        session = Session(Limits(limit), advance, method)
        for statement in paper.statements():
            for claim in (statement, *(statement.steps if steps else ())):
                made = [
                    Result(claim.id, e, point, semantics.label if claim.bounded else None, *session.outcome(claim, e, point, semantics))
                    for point in points(claim, {})
                    for e in editions
                ]
                elsewhere = {
                    name: [session.outcome(claim, e, r, read_semantics(name))[0] for r in _at(made) for e in editions]
                    for name in (others if claim.bounded and claim.role is None and lines is not None else ())
                }
                results += made
                if lines is not None:
                    lines.claim(claim, made, elsewhere)
    deliver(results, form, output, lines.end if lines is not None else lambda: None)
    return exit_status(results)


def _is_range(claims: list[Claim], ranges: dict[str, str]) -> bool:
    """Whether a claim is asked for at several points, none of them as a whole."""
    asked = [list(points(claim, _own(claim, claims, ranges))) for claim in claims]
    return any(len(each) > 1 for each in asked) and all(ALL not in point.values() for each in asked for point in each)


def _at(made: list[Result]) -> list[dict[str, int]]:
    """The points of results, each once."""
    return [dict(point) for point in dict.fromkeys(tuple(r.parameters.items()) for r in made)]


def _proofs(session: Session, claims: list[Claim], ranges: dict[str, str], semantics: Semantics) -> Iterator[str | None]:
    """A line on the proof of each statement, at each point, where it has steps."""
    for claim in claims:
        if claim.role is None and claim.steps:
            for point in points(claim, _own(claim, claims, ranges)):
                if claim.outside(point) is None and ALL not in point.values():
                    yield session.proof(claim, point, semantics).line


def _overviews(session: Session, claims: list[Claim], ranges: dict[str, str]) -> Iterator[Result]:
    """The rows of the claims' overviews, for the claims that a range of points is asked of."""
    for claim in claims:
        asked = list(points(claim, _own(claim, claims, ranges)))
        if claim.overview is None or len(asked) < 2:
            continue
        row = find_claim(claim.overview.claim)
        known = {p.name for p in row.parameters}
        for point in asked:
            for name in claim.overview.readings:
                at = {k: v for k, v in point.items() if k in known}
                yield from session.results(row, (Edition.STATEMENT,), at, read_semantics(name))


def _own(claim: Claim, claims: list[Claim], ranges: dict[str, str]) -> dict[str, str]:
    """The ranges that are the claim's; those that it lacks are an error where neither another claim nor a step takes them."""
    known = {p.name for p in claim.parameters}
    steps = {p.name for step in claim.steps for p in step.parameters}
    return {k: v for k, v in ranges.items() if k in known or (len(claims) == 1 and k not in steps)}


def _certify(claims: list[Claim], ranges: dict[str, str], chosen: list[Semantics], edition: str | None, path: Path, limit: int) -> None:
    """The certificate of the one construction that the run is about.

    Raises:
        InputError: several claims, points, readings or editions, or a claim without a construction or fooling set.
    """
    from verifier.certificates.claims import certify_claim

    at = list(points(claims[0], ranges)) if len(claims) == 1 else []
    if len(at) != 1 or len(chosen) != 1 or edition is None:
        raise InputError("--certificate: one claim, one point, one reading and --edition were expected")
    certify_claim(claims[0], Edition(edition), at[0], chosen[0], path, limit)


def _judge(
    session: Session,
    claims: list[Claim],
    ranges: dict[str, str],
    semantics: str,
    editions: tuple[Edition, ...],
    steps: bool,
) -> Iterator[Result]:
    """The results of every claim, point and reading; of parts only where the run is no table of readings, of steps where asked for."""
    for claim in claims:
        chosen = chosen_semantics(semantics, claim.point)
        for point in points(claim, _own(claim, claims, ranges)):
            for reading in chosen if claim.bounded else chosen[:1]:
                for result in session.results(claim, editions, point, reading):
                    if semantics != "all" or result.claim == claim.id:
                        yield result
            for step in claim.steps if steps and claim.outside(point) is None else ():
                for at in shared_points(step, point):
                    yield from session.results(step, editions, at, chosen[0])
