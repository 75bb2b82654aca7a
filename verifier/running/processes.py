"""Local processes that work for this one."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

from verifier.running.errors import InputError
from verifier.running.limits import ALLOWANCE, CLOCK, fewer_collections, keep_within
from verifier.running.results import READ, Told
from verifier.running.shelf import SHELF

T = TypeVar("T")


class Pool(ProcessPoolExecutor):
    """Local processes; files that they read count as read by this process."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        return super().submit(told, pickle.dumps(partial(fn, *args, **kwargs)))  # what it imports is imported while it is called


def told(call: bytes) -> Any:
    """Call a function in a worker, from its pickled name and arguments."""
    return Told(pickle.loads(call)())


class Worker(SpawnProcess):
    """A process that ends silently if it cannot go on, for example without memory: the process that started it reports why."""

    def run(self) -> None:
        try:
            super().run()
        except BaseException:
            os._exit(1)


class Afresh(SpawnContext):
    """Start workers afresh, so that they share no memory with this process."""

    Process = Worker


@contextmanager
def processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes with the same papers at hand. An error in the block ends them at once.

    Raises:
        InputError: one of them ended because a file of the program changed.
        MemoryError: the system, or a library without memory, ended one of them.
    """
    others = multiprocessing.active_children()
    with Pool(
        workers, mp_context=Afresh(), initializer=_prepare, initargs=(SHELF.folders, SHELF.trusted, workers, ALLOWANCE.bytes)
    ) as pool:
        try:
            yield pool
        except BaseException as error:
            _end(pool, others)
            if isinstance(error, BrokenProcessPool):
                raise (InputError(changed) if (changed := READ.changed()) else MemoryError(str(error))) from error
            raise
        if CLOCK.over:
            _end(pool, others)


def _end(pool: Pool, others: Sequence[BaseProcess]) -> None:
    """End the processes of a pool at once, whatever they do, then its threads; ``others`` belong to somebody else.

    Otherwise a thread that is still sending work would print that its pipe is closed.
    """
    for child in multiprocessing.active_children():
        if child not in others:
            child.terminate()
    pool.shutdown(cancel_futures=True)


@contextmanager
def workers(jobs: int) -> Iterator[ProcessPoolExecutor | None]:
    """Processes that work together, or None if this process is enough."""
    if jobs < 2:
        yield None
        return
    with processes(jobs) as pool:
        yield pool


@contextmanager
def processes_when_needed(workers: int) -> Iterator[Callable[[], ProcessPoolExecutor]]:
    """Do the same as :func:`processes`, but started on demand."""
    with ExitStack() as opened:
        pools: list[ProcessPoolExecutor] = []

        def pool() -> ProcessPoolExecutor:
            if not pools:
                pools.append(opened.enter_context(processes(workers)))
            return pools[0]

        yield pool


def _prepare(folders: list[Path], trusted: bool, workers: int, memory: int) -> None:
    """A worker has its share of the memory."""
    keep_within(memory, workers)
    fewer_collections()
    with_papers(folders, trusted)


def with_papers(folders: list[Path], trusted: bool) -> None:
    """A process that works for another leaves interrupts to that one, ends when that one ends, and has the same papers at hand."""
    READ.begin()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.excepthook = lambda *what: None  # as :class:`Worker` says
    SHELF.folders += folders
    SHELF.trusted = trusted
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
