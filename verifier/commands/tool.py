"""``verify tool NAME``: commands of the papers, found by their ``commands.toml``: a table for each, with ``run`` and ``help``.

This imports nothing. An entry with ``verb = "trace"`` is not a tool: ``verify trace --NAME`` runs it.
"""

from __future__ import annotations

import importlib
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import click

from verifier.running.identifiers import nearest

FILE = "commands.toml"
TOOL = "tool"


@dataclass(frozen=True)
class Found:
    """A command of a paper: ``module:attribute`` of the click command, a line of help, and the verb to which it belongs."""

    run: str
    help: str
    verb: str = TOOL


@lru_cache(maxsize=1)
def found_commands() -> dict[str, Found]:
    """The commands by name, in the order of the folders."""
    return {name: Found(**entry) for file in _files() for name, entry in tomllib.loads(file.read_text(encoding="utf-8")).items()}


def _files() -> list[Path]:
    folders = [Path(place) for package in ("lowerbounds", "constructions") for place in _places(package)]
    return [file for folder in folders for file in (folder / FILE, *sorted(folder.glob(f"*/{FILE}"))) if file.is_file()]


def _places(package: str) -> list[str]:
    spec = find_spec(package)
    return list(spec.submodule_search_locations or ()) if spec else []


def imported(entry: str) -> click.Command:
    """The command of ``module:attribute``."""
    module, _, attribute = entry.partition(":")
    command: click.Command = getattr(importlib.import_module(module), attribute)
    return command


class Tools(click.Group):
    """A group of the commands found, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, found in found_commands().items() if found.verb == TOOL]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return imported(found_commands()[cmd_name].run) if cmd_name in self.list_commands(ctx) else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of a name.

        Raises:
            click.UsageError: there is none, with the nearest name.
        """
        tools = self.list_commands(ctx)
        if args[0] not in tools and not args[0].startswith("-"):
            near = nearest(args[0], tools)
            hint = f"did you mean `verify tool {near[0]}`?" if near else f"there are {', '.join(tools)}"
            raise click.UsageError(f"no tool {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Tools"):
            formatter.write_dl([(name, found_commands()[name].help) for name in self.list_commands(ctx)])


@click.command("tool", cls=Tools, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Run a tool that a paper brings. Without a name, list the tools."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
