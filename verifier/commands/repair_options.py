"""The options that both searches for repairs have: of a construction, and of a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from verifier.commands.options import Integer, output_option
from verifier.repair.search import MOST_SYMBOLS
from verifier.repair.search_state import DEFAULT_LIMIT

F = TypeVar("F", bound=Callable[..., Any])


def repair_options(symbols: str) -> Callable[[F], F]:
    """The options of a search for repairs; ``symbols`` says what are changed together."""
    shown: dict[str, Any] = {"default": "screen", "show_default": True, "help": "How to show the repairs."}
    most: dict[str, Any] = {"default": MOST_SYMBOLS, "show_default": True, "help": f"The largest number of {symbols}."}
    forms: dict[str, Any] = {"default": DEFAULT_LIMIT, "show_default": True, "help": "The largest number of edited forms to try."}

    def with_options(command: F) -> F:
        for option in (
            click.option("--limit", type=Integer(1), **forms),
            click.option("--symbols", type=Integer(1, MOST_SYMBOLS), **most),
            output_option,
            click.option("--format", "form", type=click.Choice(["screen", "json"]), **shown),
        ):
            command = option(command)
        return command

    return with_options
