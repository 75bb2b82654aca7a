"""Progress on a terminal: nothing for quick work, later the current task, its progress and its time."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

from verifier.running.limits import Advance, silent

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID


class Progress:
    """Lines on standard error, only on a terminal, from the second second on; they disappear when the work is done.

    Each label has a line while it runs. A total of 0 means that nobody counts the steps: ``done`` 0 begins the work and 1 ends it. Work
    that begins after a label is part of it, and ends with it at the latest: an engine that finds a counterexample does not finish its
    count. ``named`` is work that reports nothing of its own.
    """

    PATIENCE = 1.0

    def __init__(self, named: str = "") -> None:
        self._lock = threading.Lock()
        self._running: dict[str, tuple[int, int]] = {named: (0, 0)} if named else {}
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}
        self._timer = threading.Timer(self.PATIENCE, self._open)
        self._timer.daemon = True

    def __enter__(self) -> Advance:
        if not sys.stderr.isatty():
            return silent
        self._timer.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._timer.cancel()
        with self._lock:
            if self._bar is not None:
                self._bar.stop()

    def __call__(self, label: str, done: int, total: int) -> None:
        with self._lock:
            if done >= max(total, 1):
                self._end(label)
                return
            self._running[label] = done, total
            self._show(label)

    def _open(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        from verifier.show.styled_console import StyledConsole

        columns = TextColumn("{task.description}", markup=False), BarColumn(), TextColumn("{task.fields[steps]}"), TimeElapsedColumn()
        with self._lock:
            # rows of a terminal appear above the bar; those of a file stay in the file
            self._bar = Progress(*columns, console=StyledConsole(sys.stderr), transient=True, redirect_stdout=sys.stdout.isatty())
            self._bar.start()
            for label in self._running:
                self._show(label)

    def _end(self, label: str) -> None:
        running = list(self._running)
        for ended in running[running.index(label) :] if label in running else ():
            del self._running[ended]
            if self._bar is not None and ended in self._tasks:
                self._bar.remove_task(self._tasks.pop(ended))

    def _show(self, label: str) -> None:
        if self._bar is None:
            return
        done, total = self._running[label]
        steps = f"{done:,} of {total:,}" if total else ""
        if label not in self._tasks:
            self._tasks[label] = self._bar.add_task(label, total=total or None, steps=steps)
        self._bar.update(self._tasks[label], completed=done, total=total or None, steps=steps)
