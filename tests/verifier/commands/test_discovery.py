"""Subcommands of papers are found, not known."""

import importlib

import click

from verifier.commands.discovery import found_commands
from verifier.commands.main import SUBCOMMANDS, subcommands


def test_every_command_found_is_a_click_command_of_that_name() -> None:
    found = found_commands()
    assert {"protocol", "represent", "sets"} <= set(found)
    for name, (place, text) in found.items():
        module, _, attribute = place.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        assert command.name == name
        assert text.endswith(".")


def test_ours_cannot_be_taken() -> None:
    assert not set(found_commands()) & set(SUBCOMMANDS)
    assert list(subcommands())[: len(SUBCOMMANDS)] == list(SUBCOMMANDS)
