"""The workers that run jobs: local processes, or the workers of a Dask cluster. Both give records back as they are finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from verifier.running.errors import InputError
from verifier.sweep.alone import end_all, run_alone
from verifier.sweep.jobs import Job, declined_for_memory, run

Finished = tuple[Job, dict[str, Any]]


def perform(job: Job) -> dict[str, Any]:
    """Run a job in this process, or in a process of its own if its memory is bounded."""
    return run(job) if job.memory is None else run_alone(job)


def on_processes(jobs: Sequence[Job], workers: int) -> Iterator[Finished]:
    """Run jobs on this machine. If a process is killed, its unfinished jobs run again, each in a process of its own."""
    done: set[Job] = set()
    for job, record in _in_pool([job for job in jobs if job.memory is None], workers):
        done.add(job)
        yield job, record
    yield from _each_alone([job for job in jobs if job not in done], workers)


def _in_pool(jobs: Sequence[Job], workers: int) -> Iterator[Finished]:
    from verifier.running.processes import processes

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
            end_all()
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
                raise InputError(f"--scheduler {address}: the cluster has gone; what is finished is kept") from None
            yield waiting[done], record
