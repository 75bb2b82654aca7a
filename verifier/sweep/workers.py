"""Where jobs run: local processes, or the workers of a Dask cluster. Both give records back as they are finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verifier.errors import InputError
from verifier.sweep.jobs import Job, run

Finished = tuple[Job, dict[str, Any]]


def on_processes(jobs: Sequence[Job], workers: int) -> Iterator[Finished]:
    """Run on this machine. Processes are started afresh, so that they share no memory with this one."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent) as pool:
        waiting = {pool.submit(run, job): job for job in jobs}
        try:
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _end_with_parent() -> None:
    """A worker ends when the process that started it is gone, however it went; by itself it would wait for work for ever."""
    import multiprocessing
    import os
    import threading

    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


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
