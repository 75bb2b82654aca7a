"""``verify repair SUBJECT``: the smallest edits that make a table or a network right, each checked on every promised input."""

from __future__ import annotations

import json
from pathlib import Path

import click

from verifier import EXIT_INTERRUPTED
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.options import Integer, arithmetic_option, output_option, write
from verifier.commands.progress import Progress
from verifier.commands.subjects import SUBJECTS, SubjectCommand, texts
from verifier.interface.repairing import WORK, Repairs, Searched, search
from verifier.interface.subjects import PaperSubject, Subject, names_of
from verifier.repair.search import MOST_SYMBOLS
from verifier.repair.search_state import DEFAULT_LIMIT
from verifier.repair.target import STATES
from verifier.running.errors import InputError
from verifier.show.streams import written

WITHOUT = {PaperSubject: "one construction is repaired; `verify findings NAME --corrections` lists our corrections of the paper"}


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

    def kept(found: Repairs) -> str:
        """Write the best repair of those found until now; the file, where there is one."""
        if output is None or found.errata is None:
            return ""
        write(output, found.errata)
        return str(output)

    statuses = []
    for subject in named:
        with Progress() as advance:
            how = Searched(symbols, limit, every, states)
            found = search(subject, texts(given), arithmetic, how, advance, kept)
        where = kept(found)
        text = json.dumps(found.to_dict(), indent=1, ensure_ascii=False) if form == "json" else "\n".join(found.lines(where))
        written(f"{text}\n")
        if found.interrupted:
            return EXIT_INTERRUPTED
        statuses.append(found.status)
    return max(statuses, key=(EXIT_VERIFIED, EXIT_UNDECIDED, EXIT_REFUTED).index)
