"""Sweeps: every job once, finished jobs never again, memory bounds decline, and a local Dask cluster gives the same records."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields, replace

from tests.command_line import CommandLine
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.verdicts import EXIT_REFUTED, Edition
from verifier.running.errors import InputError
from verifier.running.limits import bounded
from verifier.running.results import FILE, Store, key_of
from verifier.sweep import jobs as jobs_room
from verifier.sweep.jobs import Job, jobs, keep, on_cluster, on_processes, run, run_alone

LEMMA = "every-bit-counts/lemma-2.6"


def some_jobs(memory: int | None = None) -> list[Job]:
    readings = [read_semantics("a4"), read_semantics("ties=even")]
    return list(jobs([LEMMA], {"p": "8..9"}, readings, [Edition.PRINTED, Edition.REPAIRED], "auto", 1 << 31, memory))


def without_times(record: dict[str, Any]) -> Any:
    return {"key": record["key"], "results": [{k: v for k, v in r.items() if k != "seconds"} for r in record["results"]]}


def test_jobs_are_every_combination_once() -> None:
    listed = some_jobs()
    assert len(listed) == len({job.key for job in listed}) == 8
    assert {job.semantics for job in listed} == {"a4", "a4+ties=even"}


def test_the_key_names_everything_that_the_answer_may_depend_on() -> None:
    job = Job(LEMMA, "repaired", (("p", 8), ("n", 34)), "a4")
    changes: dict[str, Any] = {"claim": "every-bit-counts/lemma-2.3", "edition": "printed", "parameters": (("p", 9), ("n", 34))}
    changes |= {"semantics": "narrative", "method": "enumerate", "limit": 1000, "memory": 1 << 30}
    assert {field.name for field in fields(Job)} == changes.keys()
    others = [replace(job, **{name: value}) for name, value in changes.items()]
    assert len({key_of(each.question) for each in (job, *others)}) == 1 + len(others)


@pytest.mark.campaign
def test_a_finished_job_is_never_run_again(tmp_path: Path, verify: CommandLine) -> None:
    words = f"sweep {LEMMA} --p 8..9 --edition repaired --jobs 1 --output {tmp_path}"
    first = verify(words)
    assert (first.status, "2 jobs, 0 finished before" in first.err) == (0, True)
    again = verify(words)
    assert (again.status, again.out, "2 jobs, 2 finished before" in again.err) == (0, first.out, True)
    with sqlite3.connect(tmp_path / FILE) as base:
        base.execute("UPDATE kept SET content = CAST(replace(content, 'verified', 'refuted') AS BLOB) WHERE number = 1")
    damaged = verify(words)
    assert (damaged.status, "2 jobs, 1 finished before" in damaged.err) == (0, True)
    assert "result 1 was changed after it was kept; it is made again" in damaged.err


@pytest.mark.campaign
def test_sweeps_killed_at_random_moments_lose_nothing_and_run_nothing_twice(tmp_path: Path) -> None:
    words = ["sweep", LEMMA, "--p", "8..9", "--semantics", "all", "--edition", "repaired", "--jobs", "2", "--output", str(tmp_path)]
    program = [sys.executable, "-c", "from verifier.commands.main import main; main()", *words]
    moments, before = random.Random(1), 0
    for number in range(30):
        sweep = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            sweep.wait(moments.uniform(1, 8) if number < 29 else 300)
        except subprocess.TimeoutExpired:
            sweep.kill()
        said = sweep.communicate()[1]
        if "finished before" in said:
            finished = int(said.partition(" jobs, ")[2].partition(" ")[0])
            assert finished >= before, "a finished job was lost or run twice"
            before = finished + said.count(f"] {LEMMA}")
        if sweep.returncode != -signal.SIGKILL:
            break
    assert sweep.returncode == EXIT_REFUTED, "some readings refute"
    assert {path.name for path in tmp_path.iterdir()} == {FILE}


def test_a_worker_with_another_program_or_other_files_is_found_out(tmp_path: Path) -> None:
    job = some_jobs()[0]
    sound = run(job)
    store = Store(tmp_path / FILE, "--output")
    with pytest.raises(InputError, match="record is not kept: its program, libraries or options differ from those here"):
        keep(store, job, {**sound, "key": "0" * 64})
    with pytest.raises(InputError, match="record is not kept: the paper's files differ from those here"):
        keep(store, job, {**sound, "read": {"every-bit-counts:paper.toml": "0" * 64}})
    assert store.find(job.question) is None
    keep(store, job, {**sound, "read": {}})
    assert json.loads(store.find(job.question) or b"") == sound["results"]


@pytest.mark.campaign
def test_a_job_that_would_pass_its_memory_bound_is_declined() -> None:
    job = Job(LEMMA, "repaired", (("p", 17), ("n", 70)), "a4", memory=1 << 20)
    ((_, record),) = on_processes([job], 1)  # a process of its own: this one may have freed memory to use again
    result = record["results"][0]
    assert result["verdict"] == "declined"
    assert "--memory lifts the limit" in result["reason"]
    assert run(Job(LEMMA, "repaired", (("p", 8), ("n", 34)), "a4", memory=1 << 31))["results"][0]["verdict"] == "verified"


def test_the_bound_is_lifted_behind_a_job() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(MemoryError), bounded(1 << 20):
        bytearray(1 << 30)
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def killed(*job: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def aborted(*job: Any) -> None:
    os.abort()


def out_of_memory(there: Connection, *job: Any) -> None:
    there.send(("fault", "MemoryError: "))
    os._exit(1)


def faulty(job: Job) -> None:
    raise ZeroDivisionError("of the program")


@pytest.mark.parametrize(
    ("end", "reason"), [(killed, "ended by SIGKILL"), (aborted, "ended by SIGABRT"), (out_of_memory, "needs more than")]
)
def test_a_process_that_is_ended_for_want_of_memory_is_a_job_declined(
    end: Callable[..., None], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.sweep.jobs.answer", end)
    small, large = (replace(job, memory=1 << 30) for job in some_jobs()[:2])
    for _, record in on_processes([small, large], 2):
        (result,) = record["results"]
        assert (result["claim"], result["verdict"], record["read"]) == (LEMMA, "declined", None)
        assert reason in result["reason"]


def answered_by_a_fault(there: Connection, *job: Any) -> None:
    jobs_room.run = faulty  # type: ignore[assignment]
    jobs_room.answer(there, *job)


def test_a_fault_in_a_process_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.sweep.jobs.answer", answered_by_a_fault)
    with pytest.raises(RuntimeError, match="ended with status 1: ZeroDivisionError: of the program"):
        run_alone(replace(some_jobs()[0], memory=1 << 30))


@pytest.mark.campaign
def test_where_the_pool_breaks_each_job_is_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.sweep.jobs.run", break_off)
    listed = some_jobs()[:2]
    there = {job.key: without_times(record) for job, record in on_processes(listed, 1)}
    assert there == {job.key: without_times(run(job)) for job in listed}


def break_off(job: Job) -> None:
    os._exit(1)


def test_a_library_that_does_not_fit_counts_as_memory() -> None:
    with pytest.raises(MemoryError), bounded(1 << 40):
        raise ImportError("x.so: failed to map segment from shared object")
    with pytest.raises(ImportError, match="no such module"), bounded(1 << 40):
        raise ImportError("no such module")


@pytest.mark.campaign
@pytest.mark.parametrize("threads", [1, 4])
def test_a_dask_cluster_gives_the_same_records(threads: int) -> None:
    distributed = pytest.importorskip("distributed")
    too_large = replace(some_jobs(1 << 20)[0], parameters=(("p", 17), ("n", 70)), edition="repaired")
    listed = [*some_jobs()[:2], *some_jobs(1 << 32)[:2]]
    with distributed.LocalCluster(n_workers=1, threads_per_worker=threads, processes=False, dashboard_address=None) as cluster:
        there = {job.key: without_times(record) for job, record in on_cluster([*listed, too_large], cluster.scheduler_address)}
    assert there.pop(too_large.key)["results"][0]["verdict"] == "declined"
    assert there == {job.key: without_times(run(job)) for job in listed}


@pytest.mark.campaign
def test_no_cluster_at_the_address() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="no cluster answers"):
        list(on_cluster(some_jobs()[:1], "nonsense://nowhere"))
