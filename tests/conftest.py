"""Fixtures that several test files use."""

from __future__ import annotations

import pytest

from tests.command_line import CommandLine


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The command line."""
    return CommandLine(capsys)
