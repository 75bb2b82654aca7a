"""A job is one claim in one edition at one point under one reading. Its record has the results.

Jobs run in local processes, in a process of their own if their memory is bounded, or on the workers of a Dask cluster.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import msgspec

from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.papers import find_claim
from verifier.claims.points import points
from verifier.claims.verdicts import Edition, Result
from verifier.running.errors import InputError
from verifier.running.processes import Afresh, processes, with_papers
from verifier.running.results import READ, Manifest, Store, key_of
from verifier.running.shelf import SHELF


class Job(msgspec.Struct, frozen=True):
    """A job in plain values, which can be sent to other machines. memory: in bytes, None for no bound."""

    claim: str
    edition: str
    parameters: tuple[tuple[str, int], ...]
    semantics: str
    method: str = "auto"
    limit: int = 1 << 31
    memory: int | None = None

    @property
    def question(self) -> list[Any]:
        """The key under which its results are kept."""
        return ["job", msgspec.to_builtins(self)]

    @property
    def key(self) -> str:
        """A short name, for a cluster."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:24]

    def __str__(self) -> str:
        return " ".join([self.claim, *(f"{k} = {v}" for k, v in self.parameters), self.semantics, self.edition])


def jobs(
    claims: Iterable[str],
    ranges: Mapping[str, str],
    semantics: Iterable[Semantics],
    editions: Iterable[Edition],
    method: str,
    limit: int,
    memory: int | None,
) -> Iterator[Job]:
    """List every combination, claims slowest, editions fastest. A claim without bounded arithmetic has the first reading only."""
    chosen = list(semantics)
    for name in claims:
        claim = find_claim(name)
        known = {p.name for p in claim.parameters}
        for point in points(claim, {k: v for k, v in ranges.items() if k in known}):
            for reading in chosen if claim.bounded else chosen[:1]:
                for edition in editions:
                    yield Job(claim.id, edition.value, tuple(point.items()), reading.label, method, limit, memory)


def run(job: Job) -> dict[str, Any]:
    """Judge the claim and its parts in this process; decline a job that exceeds its memory bound."""
    READ.begin()
    from verifier.claims.points import Point
    from verifier.claims.session import Session
    from verifier.running.limits import Limits, bounded

    claim, edition, point = find_claim(job.claim), Edition(job.edition), dict(job.parameters)
    try:
        with bounded(job.memory):
            session = Session(Limits(job.limit, job.memory), method=job.method)
            results = list(session.results(Point.of(claim, point), (edition,), read_semantics(job.semantics)))
            return _record(job, results, READ.manifest(claim.paper))
    except MemoryError:
        return declined_for_memory(job, "", READ.manifest(claim.paper) if job.memory is not None else None)


def declined_for_memory(job: Job, how: str, read: Manifest | None = None) -> dict[str, Any]:
    """The record of a job that did not have the memory it needs.

    Args:
        how: in which way that was met, if not by an allocation that failed.
        read: what it depends on, where the bound is the job's own, or else it depends on the machine, and is not kept.
    """
    from verifier.claims.model import declined

    bound = "needs more memory than there is" if job.memory is None else f"needs more than {job.memory:,} bytes of memory"
    lifted = "--memory SIZE makes each job's memory its own" if job.memory is None else "--memory lifts the limit"
    outcome = declined(f"{bound}{how}; {lifted}")
    return _record(job, [Result(job.claim, Edition(job.edition), dict(job.parameters), job.semantics, outcome)], read)


def _record(job: Job, results: Iterable[Result], read: Manifest | None) -> dict[str, Any]:
    """Results as they are kept. key: the digest of the program and of the question; read: the other files on which the results depend."""
    return {"key": key_of(job.question), "read": read, "results": [result.to_dict() for result in results]}


def keep(store: Store, job: Job, record: Mapping[str, Any]) -> None:
    """Keep the record of a job that may have been run elsewhere.

    Raises:
        InputError: it cannot be written, or it comes from a worker with another program or other files.
    """
    if record["key"] != key_of(job.question):
        raise InputError(f"{job}: the worker's record is not kept: its program, libraries or options differ from those here")
    if record["read"] is not None and not READ.holds(record["read"]):
        raise InputError(f"{job}: the worker's record is not kept: the paper's files differ from those here")
    store.keep(job.question, json.dumps(record["results"]).encode(), record["read"])


Finished = tuple[Job, dict[str, Any]]


def perform(job: Job) -> dict[str, Any]:
    """Run a job in this process, or in a separate process if its memory is bounded."""
    return run(job) if job.memory is None else run_alone(job)


def on_processes(jobs: Sequence[Job], workers: int) -> Iterator[Finished]:
    """Run jobs on this machine. If a process is killed, each of its unfinished jobs runs again in a separate process."""
    done: set[Job] = set()
    for job, record in _in_pool([job for job in jobs if job.memory is None], workers):
        done.add(job)
        yield job, record
    yield from _each_alone([job for job in jobs if job not in done], workers)


def _in_pool(jobs: Sequence[Job], workers: int) -> Iterator[Finished]:
    if not jobs:
        return
    with processes(min(workers, len(jobs))) as pool:
        waiting = {pool.submit(run, job): job for job in jobs}
        for done in as_completed(waiting):
            try:
                record = done.result()
            except BrokenProcessPool:
                return
            yield waiting[done], record


def _each_alone(jobs: Sequence[Job], workers: int) -> Iterator[Finished]:
    if not jobs:
        return
    with ThreadPoolExecutor(workers) as pool:
        waiting = {pool.submit(run_alone, job): job for job in jobs}
        try:
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(RUNNING):
                process.kill()
            raise


def on_cluster(jobs: Sequence[Job], address: str) -> Iterator[Finished]:
    """Run on an existing Dask cluster, whose workers have this project installed.

    Raises:
        InputError: the extra ``cluster`` is missing, nothing answers at the address, or the cluster goes away.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed import as_completed as as_completed_there
    except ImportError:
        raise InputError("--scheduler needs Dask: pip install 'bitreferee[cluster]'") from None
    try:
        client = Client(address, timeout=10)  # type: ignore[no-untyped-call,unused-ignore]
    except (OSError, ValueError) as error:
        raise InputError(f"--scheduler {address}: no cluster answers ({type(error).__name__})") from None
    with client:
        waiting = {client.submit(perform, job, key=f"bitreferee-{job.key}", pure=True): job for job in jobs}
        for done in as_completed_there(list(waiting)):  # type: ignore[no-untyped-call,unused-ignore]
            try:
                record = done.result()
            except KilledWorker:
                record = declined_for_memory(waiting[done], " (the workers that took it were ended)")
            except CancelledError:
                raise InputError(f"--scheduler {address}: the connection to the cluster is lost; finished results are kept") from None
            yield waiting[done], record


SHORT_OF_MEMORY = (signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS)
"""Signals that end a process for want of memory."""
RUNNING: set[BaseProcess] = set()


def run_alone(job: Job) -> dict[str, Any]:
    """The record of a job. A job whose process ends because of missing memory is declined.

    Raises:
        InputError: that of the job.
        RuntimeError: the process ended otherwise; the message has its error.
    """
    here, there = multiprocessing.Pipe(duplex=False)
    process = Afresh().Process(target=answer, args=(there, job, SHELF.folders, SHELF.trusted))
    process.start()
    RUNNING.add(process)
    there.close()
    try:
        kind, said = here.recv()
    except EOFError:
        kind, said = "", "it said nothing"
    finally:
        process.join()
        RUNNING.discard(process)
    status = process.exitcode or 0
    if kind == "record":
        return dict(said)
    if kind == "defect":
        raise InputError(said)
    if -status in SHORT_OF_MEMORY:
        return declined_for_memory(job, f" (its process was ended by {signal.Signals(-status).name})")
    if job.memory is not None and said.startswith("MemoryError"):
        return declined_for_memory(job, "")
    raise RuntimeError(f"{job}: its process ended with status {status}: {said}")


def answer(there: Connection, job: Job, folders: list[Path], trusted: bool) -> None:
    """Run a job in a separate process, and send its record or the reason why it has none."""
    with_papers(folders, trusted)
    try:
        there.send(("record", run(job)))
    except InputError as defect:
        there.send(("defect", str(defect)))
    except Exception as error:
        there.send(("fault", f"{type(error).__name__}: {error}"))
        os._exit(1)
