"""Sweeps: every job once, finished jobs never again, memory bounds decline, and a local Dask cluster gives the same records."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.verdicts import EXIT_REFUTED, Edition
from verifier.commands.options import chosen_semantics
from verifier.running.errors import InputError
from verifier.running.memory import bounded
from verifier.sweep.alone import run_alone
from verifier.sweep.folder import Folder
from verifier.sweep.job_records import digest, seal
from verifier.sweep.jobs import Job, jobs, run
from verifier.sweep.workers import on_cluster, on_processes

LEMMA = "every-bit-counts/lemma-2.6"
TOY = Path(__file__).parents[2] / "papers" / "toy"


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


def some_jobs(memory: int | None = None) -> list[Job]:
    readings = [read_semantics("a4"), read_semantics("ties=even")]
    return list(jobs([LEMMA], {"p": "8..9"}, readings, [Edition.PRINTED, Edition.REPAIRED], "auto", 1 << 31, memory))


def without_times(record: dict[str, Any]) -> Any:
    return {**record, "seal": "", "results": [{k: v for k, v in r.items() if k != "seconds"} for r in record["results"]]}


def test_jobs_are_every_combination_once() -> None:
    listed = some_jobs()
    assert len(listed) == len({job.key for job in listed}) == 8
    assert {job.semantics for job in listed} == {"a4", "a4+ties=even"}


def test_the_key_names_everything_that_the_answer_may_depend_on() -> None:
    job = Job(LEMMA, "repaired", (("p", 8), ("n", 34)), "a4")
    others = [
        replace(job, claim="every-bit-counts/lemma-2.3"),
        replace(job, edition="printed"),
        replace(job, parameters=(("p", 9), ("n", 34))),
        replace(job, semantics="narrative"),
        replace(job, method="enumerate"),
        replace(job, limit=1000),
        replace(job, memory=1 << 30),
    ]
    assert {field.name for field in fields(Job)} == {name for other in others for name in vars(job) if vars(other)[name] != vars(job)[name]}
    assert len({each.key for each in (job, *others)}) == 1 + len(others)


@pytest.mark.campaign
def test_a_finished_job_is_never_run_again(tmp_path: Path, verify: CommandLine) -> None:
    words = f"sweep {LEMMA} --p 8..9 --edition repaired --workers 1 --folder {tmp_path}"
    first = verify(words)
    assert (first.status, "2 jobs, 0 finished before" in first.err) == (0, True)
    files = {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    assert len(files) == 2
    again = verify(words)
    assert (again.status, again.out, "2 jobs, 2 finished before" in again.err) == (0, first.out, True)
    assert {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == files
    next(iter(files)).unlink()
    assert "2 jobs, 1 finished before" in verify(words).err


@pytest.mark.campaign
def test_a_stopped_run_keeps_what_was_finished(tmp_path: Path) -> None:
    folder, listed = Folder(tmp_path), some_jobs()[:3]
    finished = on_processes(listed, 1)
    job, record = next(finished)
    folder.keep(job, record)
    finished.close()
    assert [j for j in listed if folder.record(j) is not None] == [job]


def test_what_a_killed_run_wrote_half_is_taken_away(tmp_path: Path) -> None:
    part = tmp_path / ".12345.part"
    part.write_text("{")
    with Folder(tmp_path) as folder:
        assert not part.exists()
        assert folder.record(some_jobs()[0]) is None


def test_a_record_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at the last moment before the file takes its name, a job is not there."""
    folder, job = Folder(tmp_path), some_jobs()[0]
    record = run(job)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", killed)
        with pytest.raises(KeyboardInterrupt):
            folder.keep(job, record)
    assert list(tmp_path.iterdir()) == []
    folder.keep(job, record)
    assert folder.record(job) == record


@pytest.mark.campaign
def test_two_sweeps_do_not_share_a_folder(tmp_path: Path, verify: CommandLine) -> None:
    words = f"sweep {LEMMA} --p 8 --edition printed --workers 1 --folder {tmp_path}"
    with Folder(tmp_path):
        refused = verify(words)
        assert (refused.status, "another sweep is running there" in refused.err) == (2, True)
    assert verify(words).status == 1


@pytest.mark.campaign
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


def killed_at_random(folder: Path, moments: random.Random, kills: int) -> int:
    """Sweeps of eight jobs on one folder, killed with what they started at random moments until one ends; how many were killed."""
    words = ["sweep", LEMMA, "--p", "8..9", "--semantics", "all", "--edition", "repaired", "--workers", "2", "--folder", str(folder)]
    program = [sys.executable, "-c", "from verifier.commands.main import main; main()", *words]
    seen: dict[str, int] = {}
    for number in range(kills + 1):
        sweep = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            sweep.wait(moments.uniform(0.5, 6) if number < kills else 300)
        except subprocess.TimeoutExpired:
            sweep.kill()
        sweep.wait()
        now = {file.name: file.stat().st_mtime_ns for file in folder.glob("*.json")}
        assert seen.items() <= now.items(), "a finished job was lost or run twice"
        assert all(json.loads((folder / name).read_text())["results"] for name in now)
        seen = now
        if sweep.returncode != -signal.SIGKILL:
            assert sweep.returncode == EXIT_REFUTED, "some readings refute"
            return number
    raise AssertionError("no sweep was left alone")


@pytest.mark.campaign
@pytest.mark.parametrize("kills", [3, 40])
def test_sweeps_killed_at_random_moments_lose_nothing_and_run_nothing_twice(tmp_path: Path, kills: int) -> None:
    for seed in range(1 if kills == 3 else 10):
        folder = tmp_path / str(seed)
        folder.mkdir()
        killed = killed_at_random(folder, random.Random(seed), kills)
        with Folder(folder) as kept:
            assert not list(folder.glob(".*"))
            listed = list(jobs([LEMMA], {"p": "8..9"}, chosen_semantics("all"), [Edition.REPAIRED], "auto", 1 << 31, None))
            assert {kept.file(job) for job in listed} == set(folder.iterdir())
            assert all(isinstance(kept.record(job), dict) for job in listed)
        print(f"{len(listed)} jobs, killed {killed} times: lost 0, run twice 0")


def wait_for(condition: Callable[[], bool], seconds: float = 600) -> None:
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


def changed(record: dict[str, Any], **fields: Any) -> str:
    """The record with other fields, sealed anew."""
    other = {k: v for k, v in (record | fields).items() if k != "seal"}
    return json.dumps({**other, "seal": seal(other)})


OF_ANOTHER_POINT = {"claim": LEMMA, "edition": "printed", "parameters": {"p": "9", "n": "38"}}
RECORDS: dict[str, Callable[[dict[str, Any]], str]] = {
    "not a record of a job": lambda record: "{",
    "Expected `object`, got `array`": lambda record: "[]",
    "missing required field `job`": lambda record: changed({k: v for k, v in record.items() if k != "job"}),
    "contains unknown field": lambda record: changed(record, remark=""),
    "Expected `str`, got `null`": lambda record: changed(record, results=[{**record["results"][0], "seconds": None}]),
    "Invalid enum value": lambda record: changed(record, results=[{**record["results"][0], "verdict": "proved"}]),
    "changed after it was written": lambda record: json.dumps(record).replace('"refuted"', '"verified"'),
    "of another job": lambda record: changed(record, job={**record["job"], "limit": 5}),
    "of version 0.0.1": lambda record: changed(record, program="0.0.1"),
    "files have changed": lambda record: changed(record, data="0" * 24),
    "another claim, edition or point": lambda record: changed(record, results=[{**record["results"][0], **OF_ANOTHER_POINT}]),
    "first result": lambda record: changed(record, results=[]),
}


@pytest.fixture(scope="module")
def sound() -> dict[str, Any]:
    return run(some_jobs()[0])


@pytest.mark.parametrize("reason", RECORDS)
def test_a_record_that_does_not_fit_is_not_used(tmp_path: Path, sound: dict[str, Any], reason: str) -> None:
    folder, job = Folder(tmp_path), some_jobs()[0]
    folder.keep(job, sound)
    assert folder.record(job) == sound
    folder.file(job).write_text(RECORDS[reason](sound))
    assert reason in str(folder.record(job))


@pytest.mark.campaign
def test_a_job_with_a_record_that_does_not_fit_is_run_again(tmp_path: Path, verify: CommandLine) -> None:
    words = f"sweep {LEMMA} --p 8 --edition printed --workers 1 --folder {tmp_path}"
    verify(words)
    (file,) = tmp_path.iterdir()
    file.write_text("{")
    again = verify(words)
    assert again.status == 1
    assert f"{file}: not used, it is not a record of a job; {LEMMA} p = 8 n = 34 a4 printed is run again" in again.err
    assert "2 jobs" not in verify(words).err


def test_a_worker_with_another_program_is_found_out(tmp_path: Path, sound: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"record is not kept: it is of version 0\.0\.1"):
        Folder(tmp_path).keep(some_jobs()[0], json.loads(changed(sound, program="0.0.1")))


def test_a_change_in_the_papers_files_is_another_digest(tmp_path: Path) -> None:
    shutil.copytree(TOY, tmp_path / "toy")
    before = digest(tmp_path / "toy")
    file = tmp_path / "toy" / "statements" / "lemma-1.toml"
    file.write_text(file.read_text() + "\n")
    digest.cache_clear()
    assert digest(tmp_path / "toy") != before


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


ENDS: dict[str, tuple[str, str]] = {
    "killed": ("os.kill(os.getpid(), signal.SIGKILL)", "ended by SIGKILL"),
    "aborted": ("os.abort()", "ended by SIGABRT"),
    "out of memory": ("raise MemoryError", "needs more than"),
}


@pytest.mark.parametrize("end", ENDS)
def test_a_process_that_is_ended_for_want_of_memory_is_a_job_declined(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    how, reason = ENDS[end]
    monkeypatch.setattr("verifier.sweep.alone.PROGRAM", f"import os, signal; {how}")
    small, large = (replace(job, memory=1 << 30) for job in some_jobs()[:2])
    for job, record in on_processes([small, large], 2):
        (result,) = record["results"]
        assert (result["claim"], result["verdict"], record["job"]) == (LEMMA, "declined", job.data())
        assert reason in result["reason"]


def test_a_process_that_is_gone_before_it_is_asked_is_a_job_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    start = subprocess.Popen

    def gone(*words: Any, **options: Any) -> subprocess.Popen[bytes]:
        process = start(*words, **options)
        process.wait()
        return process

    monkeypatch.setattr("verifier.sweep.alone.PROGRAM", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    monkeypatch.setattr("verifier.sweep.alone.subprocess.Popen", gone)
    (result,) = run_alone(replace(some_jobs()[0], memory=1 << 30))["results"]
    assert result["verdict"] == "declined"


def test_a_fault_in_a_process_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.sweep.alone.PROGRAM", "raise ZeroDivisionError('of the program')")
    with pytest.raises(RuntimeError, match="ZeroDivisionError: of the program"):
        run_alone(replace(some_jobs()[0], memory=1 << 30))


@pytest.mark.campaign
def test_where_the_pool_breaks_each_job_is_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.sweep.workers.run", break_off)
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


def test_bad_options(verify: CommandLine, tmp_path: Path) -> None:
    for memory in ("much", "0", "-1", "1.5G", "10X", "1e9", "٥", "1_0", "", "9" * 30):
        assert verify(*f"sweep {LEMMA} --p 8 --folder {tmp_path} --memory={memory}".split()).status == 2, memory
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert verify(f"sweep {LEMMA} --p 8 --folder {blocked}").status == 2


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


def test_no_cluster_at_the_address() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="no cluster answers"):
        list(on_cluster(some_jobs()[:1], "nonsense://nowhere"))
