"""Running ``verify`` inside the test process."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any

import pytest

from verifier.commands.main import run


@dataclass(frozen=True)
class Done:
    """What a run printed and how it ended."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


class CommandLine:
    """``verify`` with words, as a function."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> Done:
        self._capsys.readouterr()
        status = run([word for each in words for word in shlex.split(each)])
        captured = self._capsys.readouterr()
        return Done(status, captured.out, captured.err)
