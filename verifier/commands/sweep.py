"""``verify sweep``: many claims, points, readings and editions; finished jobs are never run again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from verifier.arithmetic.semantics import chosen_semantics
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.verdicts import Edition, Verdict, status_of, worst
from verifier.commands.options import (
    arithmetic_option,
    edition_option,
    jobs_option,
    limit_option,
    method_option,
)
from verifier.commands.progress import Progress
from verifier.commands.subjects import NetworkSubject, PaperSubject, Subject, SubjectCommand, TableSubject
from verifier.running.errors import InputError
from verifier.running.limits import Limits, read_bytes
from verifier.running.printable import assignment
from verifier.running.results import FILE, Store

WITHOUT: dict[type[Subject], str] = {
    PaperSubject: "the jobs of a sweep are claims; `verify gate --paper NAME` runs a paper",
    TableSubject: "the jobs of a sweep are claims; `verify gate NAME` runs a file at the points of its [check]",
    NetworkSubject: "the jobs of a sweep are claims; `verify precision NAME --journal FILE` keeps what is decided of a network",
}


@click.command("sweep", cls=SubjectCommand, without=WITHOUT)
@click.argument("claims", nargs=-1, required=True)
@edition_option
@arithmetic_option
@method_option
@limit_option
@click.option(
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("sweep"),
    show_default=True,
    help="The folder of finished jobs.",
)
@jobs_option
@click.option("--scheduler", metavar="ADDRESS", help="Run on this Dask cluster instead, such as tcp://host:8786.")
@click.option("--memory", help="Memory that a job may use, such as 6G; a job that would use more gets no verdict.")
def command(
    claims: tuple[str, ...],
    edition: str | None,
    arithmetic: str | None,
    method: str,
    limit: int | None,
    folder: Path,
    jobs: int,
    scheduler: str | None,
    memory: str | None,
    **given: str,
) -> int:
    """Judge CLAIMS over ranges of parameters, readings and editions. Each combination is a separate job.

    The folder keeps finished jobs, which are not run again; a stopped run continues with the others.
    """
    from verifier.sweep.jobs import jobs as jobs_of
    from verifier.sweep.jobs import keep, on_cluster, on_processes

    listed = list(
        jobs_of(
            claims,
            given,
            chosen_semantics(arithmetic or DEFAULT_SEMANTICS.label),
            (Edition(edition),) if edition else Edition,
            method,
            limit or Limits().states,
            None if memory is None else read_bytes(memory),
        )
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--output {folder}: cannot be used as a folder: {error.strerror}") from None
    store = Store(folder / FILE, "--output")
    store.prepare()
    results = {job: json.loads(content) for job in listed if (content := store.find(job.question)) is not None}
    waiting = [job for job in listed if job not in results]
    click.echo(f"{len(listed)} jobs, {len(results)} finished before", err=True)
    with Progress("jobs") as advance:
        for number, (job, record) in enumerate(on_cluster(waiting, scheduler) if scheduler else on_processes(waiting, jobs), 1):
            keep(store, job, record)
            results[job] = record["results"]
            click.echo(f"[{number}/{len(waiting)}] {job}: {record['results'][0]['verdict']}", err=True)
            advance("jobs", number, len(waiting))
    return _summary([results[job][0] for job in listed])


def _summary(heads: list[dict[str, Any]]) -> int:
    """Print a line for each job; return the exit status of the worst verdict of ``statement`` and ``printed`` (else of all)."""
    for head in heads:
        parameters = assignment(head["parameters"])
        click.echo(f"{head['claim']}  {parameters}  {head['semantics'] or ''}  {head['edition']}  {head['verdict']}  {head['seconds']} s")
    judged = [h for h in heads if h["edition"] != "repaired"] or heads
    return status_of(worst(Verdict(h["verdict"]) for h in judged))
