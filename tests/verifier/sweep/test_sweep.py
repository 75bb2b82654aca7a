"""Sweeps: every job once, finished jobs never again, memory bounds decline, and a local Dask cluster gives the same records."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from verifier.errors import InputError
from verifier.semantics import read_semantics
from verifier.sweep.jobs import Folder, Job, jobs, run
from verifier.sweep.memory import bounded
from verifier.sweep.workers import on_cluster, on_processes
from verifier.verdicts import Edition

LEMMA = "every-bit-counts/lemma-2.6"


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


def some_jobs(memory: int | None = None) -> list[Job]:
    readings = [read_semantics("a4"), read_semantics("ties=even")]
    return list(jobs([LEMMA], {"p": "8..9"}, readings, [Edition.PRINTED, Edition.REPAIRED], "auto", 1 << 31, memory))


def without_times(record: dict[str, Any]) -> Any:
    return {**record, "results": [{k: v for k, v in r.items() if k != "seconds"} for r in record["results"]]}


def test_jobs_are_every_combination_once() -> None:
    listed = some_jobs()
    assert len(listed) == len({job.key for job in listed}) == 8
    assert {job.semantics for job in listed} == {"a4", "a4+ties=even"}


def test_a_finished_job_is_never_run_again(tmp_path: Path, verify: CommandLine) -> None:
    words = f"sweep {LEMMA} --p 8..9 --edition repaired --workers 1 --folder {tmp_path}"
    first = verify(words)
    assert (first.status, "2 jobs, 0 finished before" in first.err) == (0, True)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2
    record = json.loads(files[0].read_text())
    record["results"][0]["verdict"] = "refuted"
    files[0].write_text(json.dumps(record))
    again = verify(words)
    assert (again.status, "2 jobs, 2 finished before" in again.err) == (1, True)
    files[1].unlink()
    assert "2 jobs, 1 finished before" in verify(words).err


def test_a_stopped_run_keeps_what_was_finished(tmp_path: Path) -> None:
    folder, listed = Folder(tmp_path), some_jobs()[:3]
    finished = on_processes(listed, 1)
    job, record = next(finished)
    folder.keep(job, record)
    finished.close()
    assert [j for j in listed if folder.record(j) is not None] == [job]
    (tmp_path / f".{listed[1].key}.1.part").write_text("{")
    assert folder.record(listed[1]) is None or listed[1] == job


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, verify: CommandLine) -> None:
    """A process with three jobs, the last of which takes seconds, is killed after one or two; the next run leaves their files alone."""
    words = ["sweep", LEMMA, "--p", "8..10", "--semantics", "a4+ties=even", "--workers", "1", "--folder", str(tmp_path)]
    words += ["--method", "enumerate", "--edition"]
    program = [sys.executable, "-c", "from verifier.commands.main import main; main()", *words, "repaired"]
    running = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: len(list(tmp_path.glob("*.json"))) >= 1 or running.poll() is not None)
        children = children_of(running.pid)
        assert children
        assert running.poll() is None, "all jobs were finished before the process could be killed"
    finally:
        running.kill()
        running.wait()
    kept = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("*.json")}
    assert 1 <= len(kept) < 3
    wait_for(lambda: not any(is_running(child) for child in children))
    again = verify(*words, "repaired")
    assert f"3 jobs, {len(kept)} finished before" in again.err
    after = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("*.json")}
    assert len(after) == 3
    assert kept.items() <= after.items(), "a finished job was run again"


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


def children_of(pid: int) -> list[int]:
    """The processes that a process has started and that run still (Linux)."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_damaged_record_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    folder, job = Folder(tmp_path), some_jobs()[0]
    folder.file(job).write_text("{")
    with pytest.raises(InputError, match=job.key):
        folder.record(job)


def test_a_job_that_would_pass_its_memory_bound_is_declined() -> None:
    job = Job(LEMMA, "repaired", (("p", 17), ("n", 70)), "a4", memory=1 << 20)
    ((_, record),) = on_processes([job], 1)  # a process of its own: this one may have freed memory to use again
    result = record["results"][0]
    assert result["verdict"] == "declined"
    assert "--memory lifts the limit" in result["reason"]
    assert run(Job(LEMMA, "repaired", (("p", 8), ("n", 34)), "a4", memory=1 << 31))["results"][0]["verdict"] == "verified"


def test_a_library_that_does_not_fit_counts_as_memory() -> None:
    with pytest.raises(MemoryError), bounded(1 << 40):
        raise ImportError("x.so: failed to map segment from shared object")
    with pytest.raises(ImportError, match="no such module"), bounded(1 << 40):
        raise ImportError("no such module")


def test_bad_options(verify: CommandLine, tmp_path: Path) -> None:
    assert verify(f"sweep {LEMMA} --memory much --folder {tmp_path}").status == 2
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert verify(f"sweep {LEMMA} --p 8 --folder {blocked}").status == 2


def test_a_dask_cluster_gives_the_same_records() -> None:
    distributed = pytest.importorskip("distributed")
    listed = some_jobs()[:3]
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        there = {job.key: without_times(record) for job, record in on_cluster(listed, cluster.scheduler_address)}
    assert there == {job.key: without_times(run(job)) for job in listed}


def test_no_cluster_at_the_address() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="no cluster answers"):
        list(on_cluster(some_jobs()[:1], "nonsense://nowhere"))
