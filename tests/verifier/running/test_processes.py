"""Work in other processes: results and errors come back whole, and nothing goes on when the work is left."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest

from tests.command_line import CommandLine
from verifier.running.errors import InputError, LimitError, MissingExtraError
from verifier.running.limits import keep_within
from verifier.running.processes import processes

ERRORS = [InputError("a bad table"), LimitError("too much", "--limit"), MissingExtraError("the search needs a solver", "search")]


def fail(number: int) -> None:
    raise ERRORS[number]


@pytest.mark.campaign
@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_errors_come_back_whole(number: int) -> None:
    with processes(1) as pool, pytest.raises(type(ERRORS[number])) as error:
        pool.submit(fail, number).result()
    assert str(error.value) == str(ERRORS[number])
    assert {k: v for k, v in vars(error.value).items() if not k.startswith("__")} == vars(ERRORS[number])


def sleep_until_interrupted(started: list[int]) -> None:
    others = multiprocessing.active_children()
    with processes(1) as pool:
        running = pool.submit(time.sleep, 1_000_000)
        while not running.running():
            time.sleep(0.01)
        started += [child.pid or 0 for child in multiprocessing.active_children() if child not in others]
        raise KeyboardInterrupt


def test_an_error_ends_the_work_at_once() -> None:
    """Whoever waited for it would wait for days. (Another thread may have seen its end first, and not have written it down yet.)"""
    started: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        sleep_until_interrupted(started)
    (pid,) = started
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def send_until_interrupted() -> None:
    with processes(1) as pool:
        for length in (1 << 22, 1 << 22, 1 << 22):
            pool.submit(time.sleep, 1_000_000)
            pool.submit(len, bytes(length))
        raise KeyboardInterrupt


def test_an_error_ends_the_threads_that_send_work() -> None:
    """One that outlives its pool prints a traceback when this process ends."""
    with pytest.raises(KeyboardInterrupt):
        send_until_interrupted()
    assert [thread.name for thread in threading.enumerate() if "Queue" in thread.name] == []


def interrupted() -> str:
    os.kill(os.getpid(), signal.SIGINT)
    return "went on"


@pytest.mark.campaign
def test_an_interrupt_is_left_to_the_process_that_started_the_work() -> None:
    with processes(1) as pool:
        assert pool.submit(interrupted).result() == "went on"


def test_no_more_is_allocated_than_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """An allocation fails in this program, where the system would end some process."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    monkeypatch.setattr("verifier.running.limits._free", lambda: 1 << 28)
    try:
        keep_within(None, processes=2)
        bytearray(1 << 26)
        with pytest.raises(MemoryError):
            bytearray(3 << 26)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def test_a_worker_shares_what_is_free_and_so_does_the_command_line() -> None:
    with processes(2) as pool:
        assert pool.submit(resource.getrlimit, resource.RLIMIT_AS).result()[0] != resource.RLIM_INFINITY
    program = "import resource; from verifier.commands.main import main, verify\n" + (
        "verify.main = lambda **k: print(resource.getrlimit(resource.RLIMIT_AS)[0])\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 0


def test_processes_short_of_memory_decline(verify: CommandLine) -> None:
    done = verify("--memory 8M gate --jobs 2 --claims every-bit-counts/lemma-2.2*")
    assert (done.status, "declined: needs more memory than --memory allows" in done.err) == (3, True)
