"""``verify repair SUBJECT``: the smallest edits that make a table or a network right, each checked on every promised input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from verifier import EXIT_INTERRUPTED
from verifier.arithmetic.semantics import ALL_READINGS, EXACT, read_semantics
from verifier.arithmetic.semantics import arithmetic as number_format
from verifier.claims.model import Claim
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.options import Integer, arithmetic_option, output_option, write
from verifier.commands.progress import Progress
from verifier.commands.subjects import SUBJECTS, SubjectCommand, construction_of, texts
from verifier.interface.subjects import ClaimSubject, NetworkSubject, PaperSubject, Subject, TableSubject, names_of
from verifier.judges.own_files import file_points, file_semantics, in_file
from verifier.repair.around_tables import AroundTable
from verifier.repair.proof_sentences import Sentence, of_claim, of_file
from verifier.repair.ranking import Ranked, ranked, unranked
from verifier.repair.search import MOST_SYMBOLS, Around, Searching
from verifier.repair.search_state import DEFAULT_LIMIT, Search, errata_text
from verifier.repair.target import STATES, State
from verifier.repair.target import Subject as TableTarget
from verifier.running.errors import InputError
from verifier.show.repair_screen import as_json, shown
from verifier.show.streams import written

WITHOUT = {PaperSubject: "one construction is repaired; `verify findings NAME --corrections` lists our corrections of the paper"}
WORK = 30_000_000
"""The most work on one form of a network."""


@click.command("repair", cls=SubjectCommand, without=WITHOUT)
@click.argument("words", nargs=-1, required=True, metavar="SUBJECT...")
@arithmetic_option
@click.option(
    "--format", "form", type=click.Choice(["screen", "json"]), default="screen", show_default=True, help="How to show the repairs."
)
@output_option
@click.option(
    "--symbols", type=Integer(1, MOST_SYMBOLS), default=MOST_SYMBOLS, show_default=True, help="The most symbols that are changed together."
)
@click.option("--limit", type=Integer(1), default=DEFAULT_LIMIT, show_default=True, help="The largest number of edited forms to try.")
@click.option("--every", is_flag=True, help="Try every edit of two symbols, instead of repairing step by step.")
@click.option(
    "--states", type=Integer(1), help=f"The most states that an engine visits for one form.  [default: {STATES:,}; of a network {WORK:,}]"
)
@click.pass_context
def command(
    context: click.Context,
    /,
    words: tuple[str, ...],
    arithmetic: str | None,
    form: str,
    output: Path | None,
    symbols: int,
    limit: int,
    every: bool,
    states: int | None,
    **given: str | None,
) -> int:
    """Search the smallest edits of SUBJECT, a table file, a claim with a construction or a network file, that make it right.

    Edits of one printed symbol are tried first, then of two; all repairs are listed, the best first. The search of a table also closes
    gaps: a token without a row or without an input clause, two rows for one token, a bit beyond a string, an unknown name. Of a network an
    edit may also read another coordinate in a map, or take another mask, kind of attention or activation.

    If a file has expectations, if a proof describes intermediate values, or if entries are not representable, a step-by-step search for
    repairs of more symbols comes before all edits of two symbols.

    --output FILE receives the best repair as a file of errata: FILE.errata.toml beside FILE.toml is found by every command.

    Exit status: 0 right as it is, or repairs that make it so; 1 wrong, and no such edit corrects it; 3 the limit ended the search, or a
    repair rests on an assumption.
    """
    named: list[Subject] = context.meta[SUBJECTS]
    if len(named) > 1 and (form == "json" or output is not None):
        raise InputError(f"--format json and --output: one subject was expected; {names_of(named)} were named")
    statuses = []
    for subject in named:
        search = _Run(form, output, symbols, limit, every)
        if isinstance(subject, NetworkSubject):
            statuses.append(_network(subject, texts(given), EXACT if arithmetic is None else arithmetic, states or WORK, search))
        else:
            claim = subject.claim if isinstance(subject, ClaimSubject) else None
            statuses.append(_table(construction_of(subject, "repair"), texts(given), arithmetic, states or STATES, claim, search))
        if search.interrupted:
            return EXIT_INTERRUPTED
    return max(statuses, key=(EXIT_VERIFIED, EXIT_UNDECIDED, EXIT_REFUTED).index)


class _Run:
    """One search: what it may do, and where its result goes."""

    def __init__(self, form: str, output: Path | None, symbols: int, limit: int, every: bool) -> None:
        self.form, self.output, self.symbols, self.limit, self.every = form, output, symbols, limit, every
        self.interrupted = False

    def searched(
        self,
        around: Around,
        text: Callable[[Search], str],
        sentences: Callable[[], list[Sentence]] = list,
        order: Callable[[Search, list[Sentence]], list[Ranked]] = lambda state, _: [],
    ) -> tuple[Search, list[Ranked]]:
        """What is found and in which order; the best is in the file, also after an interruption."""

        def kept(state: Search) -> None:
            if self.output is not None:
                write(self.output, text(state))

        listed: list[Ranked] = []
        with Progress() as advance:
            searching = Searching(around, self.limit, advance, kept)
            try:
                said = sentences()
                searching.run(said, self.symbols, self.every)
                listed = order(searching.state, said)
            except KeyboardInterrupt:
                self.interrupted = True
        state = searching.state
        listed = listed or [unranked(repair) for repair in state.found]
        state.found[:] = [each.repair for each in listed]
        if self.output is not None and (state.found or state.closed):
            write(self.output, text(state))
        return state, listed

    def where(self, state: Search) -> str:
        """The file that the best repair is in, if there is one."""
        return str(self.output) if self.output is not None and (state.found or state.closed) else ""


def _table(subject: TableSubject, asked: dict[str, str], arithmetic: str | None, states: int, claim: Claim | None, run: _Run) -> int:
    source = subject.source
    with in_file(source, subject.name):
        chosen = arithmetic or file_semantics(source)
        if chosen == ALL_READINGS:
            raise InputError("--arithmetic all: a repair is for one reading; those that it survives are listed with it")
        target = TableTarget(source, file_points(source, asked), read_semantics(chosen), states)

        def sentences() -> list[Sentence]:
            """What is said of the construction at the first point."""
            if claim is not None:
                return of_claim(claim, target.points[0], target.semantics)
            instance = target.instance((), 0)
            return [] if instance is None or instance.defects else of_file(instance, source.file, target.semantics)

        state, order = run.searched(
            AroundTable(target),
            lambda state: errata_text(target, state, state.found),
            sentences,
            lambda state, said: ranked(target, state.found, said),
        )
    if run.form == "json":
        written(as_json(target, state, order))
    else:
        for line in shown(target, subject.name, state, order, run.where(state)):
            click.echo(line)
    if state.nothing or any(repair.state is State.RIGHT for repair in state.found):
        return EXIT_VERIFIED
    undecided = not state.complete or state.undecided or state.found or state.closed or state.before.state is State.LACKING
    return EXIT_UNDECIDED if undecided else EXIT_REFUTED


def _network(subject: NetworkSubject, asked: dict[str, str], how: str, work: int, run: _Run) -> int:
    from verifier.networks.files import read_toml
    from verifier.repair.around_networks import AroundNetwork, worth
    from verifier.repair.around_networks import NetworkSubject as Target
    from verifier.repair.around_networks import errata_text as text_of
    from verifier.show.repair_screen import network_as_json, network_shown
    from verifier.transformers.files import is_errata, path_of

    if is_errata(Path(subject.name)):
        raise InputError(f"{subject.name}: a network file was expected, and not errata")
    lengths = subject.lengths(asked.pop(subject.file.length, None))
    target = Target(read_toml(path_of(subject.name)), lengths, number_format(how), subject.integers(asked), work)
    name = subject.name if subject.name.startswith("gallery/") else Path(subject.name).name
    state, _ = run.searched(
        AroundNetwork(target),
        lambda state: text_of(target, name, state),
        order=lambda state, _: [unranked(repair) for repair in sorted(state.found, key=worth)],
    )
    written(network_as_json(target, state) if run.form == "json" else "\n".join(network_shown(target, state, run.where(state))) + "\n")
    if state.nothing or state.found:
        return EXIT_VERIFIED
    return EXIT_REFUTED if state.complete and not state.undecided else EXIT_UNDECIDED
