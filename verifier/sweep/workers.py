"""Where jobs run: local processes, or the workers of a Dask cluster. Both give records back as they are finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verifier.errors import InputError
from verifier.sweep.jobs import Job, run

Finished = tuple[Job, dict[str, Any]]


def on_processes(jobs: Sequence[Job], workers: int) -> Iterator[Finished]:
    """Run on this machine."""
    from concurrent.futures import as_completed

    from verifier.processes import processes

    with processes(workers) as pool:
        waiting = {pool.submit(run, job): job for job in jobs}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def on_cluster(jobs: Sequence[Job], address: str) -> Iterator[Finished]:
    """Run on an existing Dask cluster, whose workers have this project installed.

    Raises:
        InputError: the extra ``cluster`` is missing, or nothing answers at the address.
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise InputError("--scheduler needs Dask: pip install 'bitreferee[cluster]'") from None
    try:
        client = Client(address, timeout=10)  # type: ignore[no-untyped-call,unused-ignore]
    except (OSError, ValueError) as error:
        raise InputError(f"--scheduler {address}: no cluster answers ({type(error).__name__})") from None
    with client:
        waiting = {client.submit(run, job, key=f"bitreferee-{job.key}", pure=True): job for job in jobs}
        for done in as_completed(list(waiting)):  # type: ignore[no-untyped-call,unused-ignore]
            yield waiting[done], done.result()
