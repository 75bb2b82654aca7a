"""``verify repair FILE``: the smallest edits of a construction file that make it right, each checked on every promised input."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from verifier import EXIT_INTERRUPTED
from verifier.arithmetic.semantics import ALL_READINGS, read_semantics
from verifier.claims.model import Claim
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.files_named import SOURCES, FileCommand, files_among
from verifier.commands.options import Integer, claim_meant, semantics_option, write
from verifier.commands.progress import Progress
from verifier.commands.repairing_networks import repair_options
from verifier.judges.own_files import file_points, file_semantics, in_file
from verifier.repair.around_tables import AroundTable
from verifier.repair.proof_sentences import Sentence, of_claim, of_file
from verifier.repair.ranking import Ranked, ranked, unranked
from verifier.repair.search import Searching
from verifier.repair.search_state import Search, errata_text
from verifier.repair.target import STATES, State, Subject
from verifier.running.errors import InputError
from verifier.show.repair_screen import as_json, shown
from verifier.show.streams import written

CLAIM = "the claim whose construction is meant"


class RepairCommand(FileCommand):
    """A command of a file, or of a claim that has a construction, whose proof then says what is expected of it on the way."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = files_among(args, super().get_params(ctx))
        if len(words) == 1 and not words[0].endswith(".toml") and not Path(words[0]).exists():
            claim = claim_meant(words[0])
            if claim.table is None:
                raise InputError(f"repair: {claim.name} has no construction; a file, or a claim that has one, was expected")
            ctx.meta[CLAIM] = claim
            path = str(Path(claim.table.folder) / claim.table.file_name)
            args = [path if word == words[0] else word for word in args]
        return super().parse_args(ctx, args)


@click.command("repair", cls=RepairCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE")
@semantics_option
@repair_options("symbols to change together")
@click.option("--every", is_flag=True, help="Try every edit of two symbols, instead of repairing step by step.")
@click.option(
    "--states", type=Integer(1), default=STATES, show_default=True, help="The largest number of states that an engine visits for one form."
)
@click.pass_context
def command(
    context: click.Context,
    /,
    files: tuple[str, ...],
    semantics: str,
    form: str,
    output: Path | None,
    symbols: int,
    limit: int,
    every: bool,
    states: int,
    **given: str | None,
) -> int:
    """Search the smallest edits of FILE that make it right: edits of one printed symbol, then of two. All are listed, the best first.

    The search also closes gaps: a token without a row or without an input clause, two rows for one token, a bit beyond a string, an unknown
    name.

    If the file has expectations, if FILE is a claim of a paper whose proof describes intermediate values, or if entries are not
    representable, a step-by-step search for repairs of more symbols comes before all edits of two symbols.

    --output FILE receives the best repair as an errata file, for `verify construction FILE --errata`. It is written as soon as a repair is
    found.

    Exit status: 0 right as it is, or repairs that make it so; 1 wrong, and no such edit corrects it; 3 the limit ended the search, or a
    repair rests on an assumption.
    """
    if len(files) != 1:
        raise InputError("repair: one file was expected")
    ((file, source),) = context.meta[SOURCES].items()
    with in_file(source, file):
        own = file_semantics(source)
    chosen = semantics if context.get_parameter_source("semantics") is not ParameterSource.DEFAULT else own
    if chosen == ALL_READINGS:
        raise InputError("--semantics all: a repair is for one reading; those that it survives are listed with it")
    with in_file(source, file):
        points = file_points(source, {k: v for k, v in given.items() if v is not None})
        subject = Subject(source, points, read_semantics(chosen), states)
        return _searched(subject, file, form, output, symbols, limit, every, context.meta.get(CLAIM))


def _sentences(subject: Subject, claim: Claim | None) -> list[Sentence]:
    """What is said of the construction at the first point."""
    if claim is not None:
        return of_claim(claim, subject.points[0], subject.semantics)
    instance = subject.instance((), 0)
    return [] if instance is None or instance.defects else of_file(instance, subject.source.file, subject.semantics)


def _searched(
    subject: Subject, file: str, form: str, output: Path | None, symbols: int, limit: int, every: bool, claim: Claim | None
) -> int:
    """Search, show what was found and write it; after an interruption what was found until then."""

    def kept(state: Search) -> None:
        if output is not None:
            write(output, errata_text(subject, state, state.found))

    interrupted = False
    with Progress() as advance:
        searching = Searching(AroundTable(subject), limit, advance, kept)
        order: list[Ranked] = []
        try:
            sentences = _sentences(subject, claim)
            searching.run(sentences, symbols, every)
            order = ranked(subject, searching.state.found, sentences, advance)
        except KeyboardInterrupt:
            interrupted = True
    state = searching.state
    order = order or [unranked(repair) for repair in state.found]
    best = [each.repair for each in order]
    where = str(output) if output is not None and (best or state.closed) else ""
    if output is not None and where:
        write(output, errata_text(subject, state, best))
    if form == "json":
        written(as_json(subject, state, order))
    else:
        for line in shown(subject, file, state, order, where):
            click.echo(line)
    return EXIT_INTERRUPTED if interrupted else _status(state)


def _status(state: Search) -> int:
    if state.nothing or any(repair.state is State.RIGHT for repair in state.found):
        return EXIT_VERIFIED
    undecided = not state.complete or state.undecided or state.found or state.closed or state.before.state is State.LACKING
    return EXIT_UNDECIDED if undecided else EXIT_REFUTED
