"""``verify repair FILE`` of a network of several layers, and the options that it shares with the repair of tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from verifier import EXIT_INTERRUPTED
from verifier.arithmetic.semantics import arithmetic
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.networks import READ, NetworkCommand, given_integers, one_arithmetic_option
from verifier.commands.options import Integer, output_option, write
from verifier.commands.precision import length_range
from verifier.commands.progress import Progress
from verifier.judges.own_networks import INPUTS
from verifier.networks.errata import NETWORK_ERRATA
from verifier.networks.files import read_toml
from verifier.repair.around_networks import AroundNetwork, NetworkSubject, errata_of, worth
from verifier.repair.edits import Edit
from verifier.repair.search import MOST_SYMBOLS, Searching
from verifier.repair.search_state import DEFAULT_LIMIT, Repair, Search
from verifier.repair.target import State
from verifier.running.errors import InputError
from verifier.show.screen import folded
from verifier.show.streams import written
from verifier.transformers.files import is_errata, path_of
from verifier.transformers.records import NetworkFile
from verifier.weights.toml_text import toml_text

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


MOST_SHOWN = 10


@click.command("repair", cls=NetworkCommand)
@click.argument("file")
@one_arithmetic_option
@repair_options("symbols of one entry to change")
@click.option("--work", type=Integer(1), default=INPUTS.states, show_default=True, help="The largest amount of work on one form.")
@click.pass_context
def command(
    context: click.Context, /, file: str, how: str, form: str, output: Path | None, symbols: int, limit: int, work: int, **given: str | None
) -> int:
    """Search the smallest edits of the network FILE that make it right on every input of the lengths given, such as --n 1..5.

    An edit changes a symbol of a formula, reads another coordinate in a map, or takes another mask, kind of attention or activation.
    Repairs with which more of what the file expects of coordinates holds go first. Where no single edit is enough, and expectations
    fail, edits that mend these are made one after the other.

    --output FILE is the best of them as a file of errata, which every command on networks takes.

    Exit status: 0 right as it is, or repairs that make it so; 1 wrong, and no such edit mends it; 3 the limit ended the search.
    """
    if is_errata(Path(file)):
        raise InputError(f"{file}: a network file was expected, and not errata")
    read: NetworkFile = context.meta[READ][file]
    texts = {key: value for key, value in given.items() if value is not None}
    lengths = length_range(texts.pop(read.length, "") or read.parameters[read.length].typical or "1..8", f"--{read.length}")
    subject = NetworkSubject(read_toml(path_of(file)), lengths, arithmetic(how), given_integers(read, texts), work)
    interrupted = False
    with Progress() as advance:
        search = Searching(AroundNetwork(subject), limit, advance)
        try:
            search.run(most=symbols)
        except KeyboardInterrupt:
            interrupted = True
    state = search.state
    state.found.sort(key=worth)
    if output is not None and state.found:
        write(output, _errata(subject, file, state))
    text = _as_json(subject, state) if form == "json" else "\n".join(_lines(subject, state, output)) + "\n"
    written(text)
    if interrupted:
        return EXIT_INTERRUPTED
    if state.nothing or state.found:
        return EXIT_VERIFIED
    return EXIT_REFUTED if state.complete and not state.undecided else EXIT_UNDECIDED


def _errata(subject: NetworkSubject, file: str, state: Search) -> str:
    name = file if file.startswith("gallery/") else Path(file).name
    also = "".join(f"\nas small, number {k}: {_said(repair)}" for k, repair in enumerate(state.found[1:], 2))
    found = f"Found by a search over {state.considered:,} edited forms.{also}"
    return toml_text({"format": NETWORK_ERRATA, **errata_of(subject, name, state.found[0], state.before)}, found)


def _said(repair: Repair) -> str:
    return "; ".join(str(edit) for edit in repair.edits)


def _lines(subject: NetworkSubject, state: Search, output: Path | None) -> Iterator[str]:
    file, lengths = subject.written, subject.lengths
    others = "".join(f", {name} = {value}" for name, value in subject.given.items())
    yield f"network/{file.id}  {file.length} = {lengths[0]} .. {lengths[-1]}{others}  {subject.arithmetic}"
    failing = f"; expectations fail: {', '.join(state.broken)}" if state.broken else ""
    yield from folded(f"as written  {state.before.state.value}{f': {state.before.reason}' if state.before.reason else ''}{failing}", 14, 2)
    if state.nothing:
        yield from folded(f"there is nothing to repair: right on all {state.before.cases:,} inputs", 4, 2)
        return
    if state.found:
        count = "1 repair" if len(state.found) == 1 else f"{len(state.found)} repairs, the best first"
        yield from folded(f"{count}, each checked on all {state.found[0].cases:,} inputs:", 4, 2)
    for number, repair in enumerate(state.found[:MOST_SHOWN], 1):
        for k, edit in enumerate(repair.edits):
            yield from folded(f"{'' if k else f'{number}.':4}{edit}", 10, 4)
        if repair.broken:
            yield from folded(f"expectations fail: {', '.join(repair.broken)}", 8, 8)
    if len(state.found) > MOST_SHOWN:
        yield f"  … and {len(state.found) - MOST_SHOWN} more; --format json lists all"
    ended = "were considered" if state.complete else "were considered; not finished: --limit goes on"
    if state.before.state is State.UNDECIDED:
        ended = f"were considered; not searched: {state.before.reason}"
    undecided = f"; {state.undecided:,} of them need more than --work" if state.undecided else ""
    yield from folded(f"{'' if state.found else 'no repair: '}{state.considered:,} edited forms {ended}{undecided}", 4, 2)
    if output is not None and state.found:
        yield f"  written to {output}, which is the repaired network for every command:"
        yield f"    verify construction {output}"


def _as_json(subject: NetworkSubject, state: Search) -> str:
    """The document; every quantity is an exact string."""
    record = {
        "schema": "bitreferee/network-repairs/1",
        "network": subject.written.id,
        "lengths": [str(subject.lengths[0]), str(subject.lengths[-1])],
        "given": {name: str(value) for name, value in subject.given.items()},
        "arithmetic": str(subject.arithmetic),
        "before": {"state": state.before.state.value, "reason": state.before.reason, "failing": list(state.broken)},
        "considered": str(state.considered),
        "undecided": str(state.undecided),
        "complete": state.complete,
        "repairs": [
            {
                "cases": str(repair.cases),
                "failing": list(repair.broken),
                "edits": [
                    {"at": edit.at, "printed": str(edit.printed), "repaired": str(edit.repaired)}
                    for edit in repair.edits
                    if isinstance(edit, Edit)
                ],
            }
            for repair in state.found
        ],
    }
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"
