"""The folder that remembers which jobs are done: a file each, there whole or not at all."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from verifier.running.errors import InputError
from verifier.show.output_files import write_whole
from verifier.sweep.job_records import misfit
from verifier.sweep.jobs import Job


class Folder:
    """Finished jobs. A killed run loses at most what was running; what it wrote half is taken away by the next.

    ``with`` the folder, it is this sweep's alone: another one is refused until this one ends, however it ends.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"--folder {path}: cannot be used: {error.strerror}") from None

    def __enter__(self) -> Folder:
        self._held = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._held)
            raise InputError(f"--folder {self.path}: another sweep is running there; wait for it, or name another folder") from None
        for part in self.path.glob(".*.part"):
            part.unlink(missing_ok=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._held)

    def file(self, job: Job) -> Path:
        return self.path / f"{job.key}.json"

    def record(self, job: Job) -> dict[str, Any] | str | None:
        """The record of a finished job; a sentence where the one that is there does not fit; None where there is none.

        Raises:
            InputError: the file is there and cannot be read.
        """
        try:
            record: Any = json.loads(self.file(job).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(f"{self.file(job)}: cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError):
            return "it is not a record of a job"
        why = misfit(record, job.claim, job.data())
        return why if why is not None else dict(record)

    def keep(self, job: Job, record: Mapping[str, Any]) -> None:
        """Write a record.

        Raises:
            InputError: it cannot be written, or it comes from a worker with another program or other files.
        """
        why = misfit(record, job.claim, job.data())
        if why is not None:
            raise InputError(f"{job}: the worker's record is not kept: {why}")
        write_whole(self.file(job), json.dumps(record, indent=1, ensure_ascii=False).encode())
