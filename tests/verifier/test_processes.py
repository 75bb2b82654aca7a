"""Work in other processes: results and errors come back whole, and nothing goes on when the work is left."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time

import pytest

from verifier.errors import InputError, LimitError, MissingExtraError
from verifier.processes import processes

ERRORS = [InputError("a bad table"), LimitError("too much", "--limit"), MissingExtraError("the search needs a solver", "search")]


def fail(number: int) -> None:
    raise ERRORS[number]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_errors_come_back_whole(number: int) -> None:
    with processes(1) as pool, pytest.raises(type(ERRORS[number])) as error:
        pool.submit(fail, number).result()
    assert str(error.value) == str(ERRORS[number])
    assert {k: v for k, v in vars(error.value).items() if not k.startswith("__")} == vars(ERRORS[number])


def sleep_until_interrupted() -> None:
    with processes(1) as pool:
        running = pool.submit(time.sleep, 1_000_000)
        while not running.running():
            time.sleep(0.01)
        raise KeyboardInterrupt


def test_an_error_ends_the_work_at_once() -> None:
    """Whoever waited for it would wait for days."""
    before = set(multiprocessing.active_children())
    with pytest.raises(KeyboardInterrupt):
        sleep_until_interrupted()
    assert set(multiprocessing.active_children()) <= before


def interrupted() -> str:
    os.kill(os.getpid(), signal.SIGINT)
    return "went on"


def test_an_interrupt_is_left_to_the_process_that_started_the_work() -> None:
    with processes(1) as pool:
        assert pool.submit(interrupted).result() == "went on"
