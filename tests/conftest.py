"""Fixtures that several test files use."""

from __future__ import annotations

import pytest

from tests.command_line import CommandLine


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs that are kept between commands are kept in a folder of the test's own."""
    monkeypatch.setenv("BITREFEREE_CACHE", str(tmp_path_factory.mktemp("kept")))


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The command line."""
    return CommandLine(capsys)
