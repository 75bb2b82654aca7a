"""``verify CLAIM …``: judge claims over ranges of their parameters; ``verify PAPER``: all statements of a paper."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import click

from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.papers import Paper, find_claim, find_paper
from verifier.claims.parameters import ALL
from verifier.claims.points import asked_points
from verifier.claims.request import ALL_READINGS, Request
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Result, exit_status
from verifier.commands.options import (
    ClaimCommand,
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
from verifier.show.screen import folded, other_reading, show_overview, show_ranges, show_readings, show_results


@click.command("claim", cls=ClaimCommand)
@click.argument("claims", nargs=-1, required=True)
@edition_option
@semantics_option
@click.option("--steps", is_flag=True, help="Also judge the steps of the statements' proofs.")
@click.option("--verbose", is_flag=True, help="Show every point of a range in full, and every case of a proof for all parameters.")
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
    The result answers three questions: Is the statement true? Does the printed argument or table work? Does it work with our errata?
    """
    ranges = {k: v for k, v in given.items() if v is not None}
    shelf = [p for p in map(find_paper, claims) if p is not None]
    if shelf and ranges and len(claims) == 1:
        claims = statements_with(shelf[0], ranges)
    elif shelf:
        if len(claims) > 1 or ranges or certificate is not None or semantics == "all":
            raise InputError(f"{claims[0]}: a paper is judged alone, at the typical parameters of its statements, under one reading")
        if form == "screen" and (edition, semantics, steps, limit, method) == (None, "a4", False, Limits().states, "auto"):
            return _in_small(shelf[0])
        return _paper(shelf[0], chosen_editions(edition), read_semantics(semantics), steps, form, output, limit, method)
    request = Request(tuple(map(find_claim, claims)), ranges, semantics, Edition(edition) if edition else None, steps)
    proofs: list[str | None] = []
    with Progress() as advance:
        session = Session(Limits(limit), advance, method)
        several = semantics == ALL_READINGS
        session.count_slips = form == "json" and not several
        many = not several and request.is_range
        in_rows = many and form == "screen" and not verbose
        made = request.results(session)
        results = show_ranges(made, find_claim, request.editions) if in_rows else list(made)
        rows = list(request.overviews(session))
        if edition is None and not several and form == "screen" and not in_rows:
            proofs = [proof.line for proof in request.proofs(session)]
        if not several and form == "screen" and not in_rows:
            proofs += [other_reading(found) for found in request.elsewhere(session)]
    if certificate is not None:
        _certify(request, chosen_semantics(semantics), certificate, limit)

    def show() -> None:
        if several:
            show_readings(results, verbose)
        elif not in_rows:
            show_results(results, verbose)
        for line in proofs:
            if line is not None:
                click.echo("\n".join(folded(line, 2, 0)))
        show_overview(rows, verbose)

    deliver([*results, *rows], form, output, show)
    return exit_status([*results, *rows])


def statements_with(paper: Paper, ranges: Mapping[str, str]) -> tuple[str, ...]:
    """The statements of a paper that have all these parameters.

    Raises:
        InputError: none has.
    """
    found = tuple(c.id for c in paper.statements() if ranges.keys() <= {p.name for p in c.parameters})
    if not found:
        named = " and ".join(f"--{name}" for name in ranges)
        raise InputError(f"no statement of {paper.id} has {named}; `verify show` names the parameters of each")
    return found


def _in_small(paper: Paper) -> int:
    """The referee's page on the screen, from the paper's run, which is kept as long as neither the paper nor the program changes."""
    from verifier.gate.run import kept_runs
    from verifier.show.paper_screen import show_page

    with Progress() as advance:
        run = kept_runs([paper], os.cpu_count() or 1, advance)[paper.id]
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
                    Result(claim.id, e, point.values, semantics.label if claim.bounded else None, *session.at(point, e, semantics))
                    for point in asked_points(claim, {})
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


def _at(made: list[Result]) -> list[dict[str, int]]:
    """The points of results, each once."""
    return [dict(point) for point in dict.fromkeys(tuple(r.parameters.items()) for r in made)]


def _certify(request: Request, chosen: list[Semantics], path: Path, limit: int) -> None:
    """The certificate of the one construction that the run is about.

    Raises:
        InputError: several claims, points, readings or editions, or a claim that has no certificate.
    """
    at = request.points[0] if len(request.claims) == 1 else []
    if len(at) != 1 or len(chosen) != 1 or request.edition is None:
        raise InputError("--certificate: one claim, one point, one reading and one edition (such as --edition repaired) were expected")
    if ALL in at[0].values.values():
        every = ", ".join(name for name, value in at[0].values.items() if value is ALL)
        raise InputError(f"--certificate: {at[0].claim.name} for every {every} is decided by symbols, and there is no certificate for it")
    from verifier.certificates.catalogue import certify_claim

    certify_claim(at[0].claim, request.edition, dict(at[0].values), chosen[0], path, limit)
