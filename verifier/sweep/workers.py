"""Run jobs in local processes, in a process of its own if its memory is bounded, or on the workers of a Dask cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from verifier.running.errors import InputError
from verifier.running.results import READ
from verifier.running.shelf import SHELF
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
                raise InputError(f"--scheduler {address}: the connection to the cluster is lost; finished results are kept") from None
            yield waiting[done], record


SHORT_OF_MEMORY = (signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS)
"""Signals that end a process for want of memory."""

PROGRAM = "from verifier.sweep.workers import main; main()"
RUNNING: set[subprocess.Popen[bytes]] = set()


def run_alone(job: Job) -> dict[str, Any]:
    """The record of a job. A job whose process ends because of missing memory is declined.

    Raises:
        InputError: that of the job.
        RuntimeError: the process ended otherwise; the message is its last line.
    """
    query = json.dumps({"job": msgspec.to_builtins(job), "papers": [str(folder) for folder in SHELF.folders], "trusted": SHELF.trusted})
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    words = [sys.executable, "-P", "-c", PROGRAM]
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, env=environment, start_new_session=True
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        RUNNING.add(process)
        try:
            process.stdin.write(query.encode() + b"\n")
            process.stdin.flush()  # and it stays open: its end tells the process that this one is gone
            answer = process.stdout.read()
        except BrokenPipeError:  # it ended before it was asked
            answer = b""
        finally:
            with suppress(BrokenPipeError):  # what was not read is still there to be written
                process.stdin.close()
            process.wait()
            RUNNING.discard(process)
        said.seek(0)
        return _understood(job, answer, process.returncode, said.read().decode(errors="replace").strip())


def end_all() -> None:
    """End every process that is running a job."""
    for process in list(RUNNING):
        process.kill()


def _understood(job: Job, answer: bytes, status: int, said: str) -> dict[str, Any]:
    last = said.rpartition("\n")[2]
    if status == 0:
        found: dict[str, Any] = json.loads(answer)
        if "defect" in found:
            raise InputError(found["defect"])
        return dict(found["record"])
    if -status in SHORT_OF_MEMORY:
        return declined_for_memory(job, f" (its process was ended by {signal.Signals(-status).name})")
    if job.memory is not None and last.startswith("MemoryError"):
        return declined_for_memory(job, "")
    raise RuntimeError(f"{job}: its process ended with status {status}: {last or 'it said nothing'}")


def main() -> None:
    """Read one job from standard input, run it, and write its record to standard output."""
    READ.begin()
    query = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_the_asker, daemon=True).start()
    SHELF.folders += [Path(folder) for folder in query["papers"]]
    SHELF.trusted = query["trusted"]
    answer: dict[str, Any]
    try:
        answer = {"record": run(msgspec.convert(query["job"], Job))}
    except InputError as defect:
        answer = {"defect": str(defect)}
    sys.stdout.write(json.dumps(answer))
    sys.stdout.flush()
    os._exit(0)


def _end_with_the_asker() -> None:
    while os.read(0, 1 << 16):
        pass
    os._exit(1)
