"""Tools of papers are found, not known."""

import importlib
import re
from pathlib import Path

import click
import pytest

from tests.command_line import CommandLine
from verifier.commands.main import MOVED, SUBCOMMANDS
from verifier.commands.tool import found_commands


def test_every_command_found_is_a_click_command_of_that_name() -> None:
    found = found_commands()
    assert {"protocol", "represent", "sets"} <= set(found)
    for name, each in found.items():
        module, _, attribute = each.run.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        assert command.name == name
        assert each.help.endswith(".")


def test_tools_are_listed_and_the_spellings_of_earlier_versions_are_told(verify: CommandLine) -> None:
    listed = verify("tool").out
    for name, found in found_commands().items():
        assert (f"\n  {name} " in listed) == (found.verb == "tool")
        meant = f"verify tool {name}" if found.verb == "tool" else f"verify {found.verb} … --{name}"
        assert f"did you mean `{meant}`?" in verify(name).err
    for name, spelling in MOVED.items():
        assert f"did you mean `{spelling}`?" in verify(name).err
    assert verify("tool nothing").status == 2


SPELLED_ELSEWHERE = {"--type", "--threads", "--out", "--processes", "--overwrite", "--seconds"}


def test_options_have_one_spelling(verify: CommandLine) -> None:
    """``--format`` is that of output everywhere, ``--arithmetic`` a number format."""
    for name in [*SUBCOMMANDS, *(f"tool {tool}" for tool, found in found_commands().items() if found.verb == "tool")]:
        help = verify(f"{name if name != 'SUBJECT' else 'lemma-2.6'} --help").out
        assert not SPELLED_ELSEWHERE & set(re.findall(r"--[a-z]+", help)), name
        assert re.findall(r"^  --format (?!\[screen\|json)", help, re.M) == [], name


def test_a_folder_called_constructions_hides_nothing(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "constructions").mkdir()
    (tmp_path / "constructions" / "__init__.py").write_text("raise ImportError('the wrong folder')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "lemma-2.6" in verify("list every-bit-counts").out
