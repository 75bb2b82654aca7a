"""``verify construction FILE`` and ``verify trace FILE`` of networks of several layers: every input, or one step by step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from verifier.arithmetic.semantics import arithmetic
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED, Edition, Result, exit_status
from verifier.commands.options import OWN_OPTIONS, Integer, OwnOptions, deliver, format_option, output_option, write
from verifier.commands.precision import length_range
from verifier.commands.progress import Progress
from verifier.judges.own_networks import INPUTS, judged_network
from verifier.networks.errata import errata_beside
from verifier.running.errors import InputError
from verifier.running.limits import Limits
from verifier.show.network_trace import as_document
from verifier.show.places import Place
from verifier.show.screen import notice, show_results
from verifier.show.streams import written
from verifier.transformers.contexts import context
from verifier.transformers.files import find_network, is_errata, is_network, read_repaired
from verifier.transformers.network import network
from verifier.transformers.outputs import judged, promised
from verifier.transformers.records import NetworkFile
from verifier.transformers.trace import trace_lines

READ = "the network files named"
one_arithmetic_option = click.option(
    "--arithmetic", "--semantics", "how", default="exact", show_default=True, help="`exact`, or one such as `float16+sums=pairwise`."
)


class NetworkCommand(OwnOptions):
    """A command whose options are the parameters, and where it runs one input the strings, of the networks named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[READ] = {word: find_network(word) for word in args if is_network(word)}
        taken = {parameter.name for parameter in self.params}
        options: dict[str, click.Option] = {}
        for name, file in ctx.meta[READ].items():
            own = {key: f"{entry.meaning or key}; {entry.where}" for key, entry in file.parameters.items()}
            own |= dict.fromkeys(file.input.strings, "A string of the input.") if self.name == "trace" else {}
            if clash := own.keys() & taken:
                raise InputError(f"{name}: {min(clash)}: the name is taken by an option of this command")
            options |= {key: click.Option([f"--{key}"], help=text) for key, text in own.items()}
        ctx.meta[OWN_OPTIONS] = list(options.values())
        return super().parse_args(ctx, args)


def given_integers(file: NetworkFile, given: Mapping[str, str]) -> dict[str, int]:
    values = {}
    for name, text in given.items():
        if name in file.parameters:
            if not (text.isascii() and text.removeprefix("-").isdecimal()) or len(text) > 12:
                raise InputError(f"--{name} {text}: an integer was expected")
            values[name] = int(text)
    return values


@click.command("construction", cls=NetworkCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--arithmetic", "--semantics", "how", default="exact", show_default=True, help="`exact`, or arithmetics such as `float16,bfloat16`."
)
@format_option
@output_option
@click.option(
    "--limit", type=Integer(1), default=INPUTS.states, show_default=True, help="The largest amount of work, in elements of arrays."
)
@click.pass_context
def construction(
    context: click.Context, /, files: tuple[str, ...], how: str, form: str, output: Path | None, limit: int, **given: str | None
) -> int:
    """Check the network in each FILE: is every input answered rightly, and are coordinates what the file expects, over real numbers?

    The length takes a range, such as --n 1..6; what --limit leaves undecided of it is declined. Without a range the lengths that the file
    calls typical are tried as far as --limit allows. If FILE.errata.toml lies beside FILE.toml, both are judged, as written and with the
    errata; the exit status is that of the file as written. Every command that takes a network also takes a file of errata.
    """
    read: dict[str, NetworkFile] = _with_errata_beside(context.meta[READ])
    results: list[Result] = []
    owners: dict[str, str] = {}
    with Progress() as advance:
        for name, file in read.items():
            texts = {key: value for key, value in given.items() if value is not None and key in file.parameters}
            wanted = texts.pop(file.length, "")
            lengths = length_range(wanted or file.parameters[file.length].typical or "1..8", f"--{file.length}")
            asked = [arithmetic(text.strip()) for text in how.split(",")]
            edition = Edition.REPAIRED if is_errata(Path(name)) else Edition.PRINTED
            own = given_integers(file, texts)
            found = list(judged_network(name, file, lengths, asked, own, Limits(limit), advance, edition, bool(wanted)))
            owners |= {result.claim: name for result in found if result.claim not in owners}
            results += found

    def placed(result: Result) -> Place:
        name = owners[result.claim]
        return Place(Path(name), 1, read[name].title)

    deliver(results, form, output, lambda: show_results(results), placed)
    return exit_status(results)


def _with_errata_beside(read: Mapping[str, NetworkFile]) -> dict[str, NetworkFile]:
    """The networks, each followed by what it is after the errata beside it; a line says which they are."""
    found: dict[str, NetworkFile] = {}
    for name, file in read.items():
        found[name] = file
        errata = errata_beside(Path(name))
        if errata is not None:
            found[str(errata)], record = read_repaired(errata)
            names = ", ".join(each.name for each in record.erratum)
            notice(f"{name}: as written, and repaired with {len(record.erratum)} errata of {errata.name}: {names}")
    return found


@click.command("trace", cls=NetworkCommand)
@click.argument("file")
@click.option(
    "--arithmetic", "--semantics", "how", default="exact", show_default=True, help="`exact`, or one such as `float16+sums=pairwise`."
)
@click.option("--format", "form", type=click.Choice(("screen", "json")), default="screen", show_default=True, help="How to show the trace.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the trace to this file.")
@click.pass_context
def trace(context_: click.Context, /, file: str, how: str, form: str, output: Path | None, **given: str | None) -> int:
    """Run the network of FILE on one input: every layer, its heads with scores and weights, and the coordinates of every token.

    Every string is given by its name, such as --w 0110; the length may be left out where the string tells it. Exit status: 0 the answer
    is right; 1 it is wrong; 3 the input breaks the promise.
    """
    read: NetworkFile = context_.meta[READ][file]
    texts = {key: value for key, value in given.items() if value is not None}
    missing = [f"--{name}" for name in read.input.strings if name not in texts]
    if missing:
        raise InputError(f"{file}: {' and '.join(missing)} was expected, the symbols of the input")
    built = network(read, given_integers(read, _with_length(read, texts)))
    strings = {name: built.input.read(name, texts[name]) for name in built.input.lengths}
    chosen = arithmetic(how)
    made = judged(built, strings, context(chosen))
    if form == "json":
        text = json.dumps(as_document(file, built, chosen, made), indent=2, ensure_ascii=False) + "\n"
    else:
        text = "\n".join([f"{file} in {chosen}", *trace_lines(built, made)]) + "\n"
    if output is None:
        written(text)
    else:
        write(output, text)
    if not promised(built, strings):
        return EXIT_UNDECIDED
    return EXIT_VERIFIED if made.answer.right else EXIT_REFUTED


def _with_length(file: NetworkFile, texts: Mapping[str, str]) -> dict[str, str]:
    """The length from the first string that has this length, where it is not given."""
    found = dict(texts)
    if file.length not in found:
        for name, length in file.input.strings.items():
            if length == file.length:
                single = all(len(symbol) == 1 for symbol in file.input.alphabet[: file.input.letters])
                found[file.length] = str(len(texts[name]) if single else len(texts[name].split()))
                break
        else:
            raise InputError(f"--{file.length} was expected: {file.parameters[file.length].meaning or 'the length'}")
    return found
