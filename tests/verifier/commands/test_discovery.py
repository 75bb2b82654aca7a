"""Tools of papers are found, not known."""

import importlib

import click

from tests.command_line import CommandLine
from verifier.commands.main import MOVED, SUBCOMMANDS
from verifier.commands.tool import found_commands


def test_every_command_found_is_a_click_command_of_that_name() -> None:
    found = found_commands()
    assert {"protocol", "represent", "sets"} <= set(found)
    for name, (place, text) in found.items():
        module, _, attribute = place.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        assert command.name == name
        assert text.endswith(".")


def test_tools_are_listed_and_the_spellings_of_earlier_versions_are_told(verify: CommandLine) -> None:
    listed = verify("tool").out
    for name in found_commands().keys() - {"protocol"}:
        assert f"\n  {name} " in listed
        assert f"did you mean `verify tool {name}`?" in verify(name).err
    for name, spelling in MOVED.items():
        assert f"did you mean `{spelling}`?" in verify(name).err
    assert verify("tool nothing").status == 2


def test_there_are_sixteen_verbs(verify: CommandLine) -> None:
    listed = [line.split()[0] for line in verify("--help").out.splitlines() if line.startswith("  ") and line[2] != " "]
    verbs = [name for name in SUBCOMMANDS if name not in ("claim", "construction", "check")]
    assert len(verbs) == 15  # and `verify SUBJECT…`
    assert [word for word in listed if word in verbs] == verbs
    assert not {"claim", "construction", "check"} & set(listed)


def test_subjects_of_several_kinds_are_judged_in_turn(verify: CommandLine) -> None:
    done = verify("docs/examples/parity.toml definition-a.5 gallery/parity --m 3")
    assert done.status == 2  # the network has no --m
    done = verify("docs/examples/parity.toml gallery/parity definition-a.5")
    assert [done.out.index(name) < done.out.index(other) for name, other in (("construction/", "network/"), ("network/", "definition-a.5"))]
    assert done.status in (0, 3)
    assert "alone were expected" in verify("docs/examples/parity.toml definition-a.5 --format json").err
