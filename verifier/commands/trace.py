"""``trace`` and ``verify trace SUBJECT --p 8 --y … --z …``: one input, step by step, with everything that was rounded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import click

from verifier.arithmetic.numbers import Number
from verifier.arithmetic.semantics import EXACT, arithmetic, read_arithmetic
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim, papers
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED, Edition
from verifier.commands.options import arithmetic_option, errata_option, of_table_option, put, screen_or_json_option, write
from verifier.commands.progress import Progress
from verifier.commands.subjects import (
    ClaimSubject,
    NetworkSubject,
    PaperSubject,
    Subject,
    SubjectCommand,
    TableSubject,
    given_subject,
    one_string_gives,
)
from verifier.errata.tables import read_with_errata
from verifier.interface.arguments import of_arguments, one_of, shown, standard, texts
from verifier.interface.constructions import AtPoint, Construction
from verifier.judges.expectations import departure_told, departures
from verifier.judges.one_input import fails_at
from verifier.networks.instance import Instance
from verifier.networks.problems import Problem, read_bits
from verifier.running.errors import InputError
from verifier.running.notebooks import INTEGER, OBJECT, TEXT, Shown
from verifier.running.printable import assignment, joined, json_text
from verifier.running.shelf import SHELF
from verifier.show.screen import folded_values
from verifier.show.trace_screen import held, show_trace, step_record, trace_record
from verifier.transformers import table_traces as definition
from verifier.transformers.tables import Execution

Symbols: TypeAlias = str
"""A string of one input, which :func:`trace` checks by its name."""

WITHOUT = {PaperSubject: "one input of one construction is traced; `verify list NAME --steps` shows the claims"}


class OneInput(Shown):
    """Base of traces. expected: the right answer; promised: whether the input keeps the promise; correct: whether the answer is right."""

    expected: Any
    promised: bool
    correct: bool

    def answered(self, about: str, answer: object) -> str:
        """The caption: the answer and the right one, or that none is asked for."""
        right = f"{self.expected} is right" if self.promised else "not asked for: the input breaks the promise"
        return f"{about}: answer {answer}, {right}"

    @property
    def status(self) -> int:
        """The exit status of the command line: 0 right, 1 wrong, 3 the input breaks the promise."""
        return EXIT_UNDECIDED if not self.promised else EXIT_VERIFIED if self.correct else EXIT_REFUTED


@dataclass(frozen=True, eq=False, repr=False)
class Trace(OneInput):
    """A construction on one input: for each token, in order, its content, the terms that it adds, and the sums after it; then the answer.

    Numbers are :class:`~fractions.Fraction`, or INF, NEG_INF, NAN. edition: of the construction; found: the run by the definition, with its
    ``steps``; input: the strings by name; numerators: one for each column of W^V; attentions: their quotients with the denominator,
    rounded; output: of the MLP's output node; answer: 1, 0, or None if the output is neither; expected: the function's value, None for a
    formula outside the promise.
    """

    edition: str
    execution: Execution
    found: definition.Trace
    parameters: dict[str, int]
    input: dict[str, str]
    numerators: tuple[Number, ...]
    denominator: Number
    attentions: tuple[Number, ...]
    output: Number
    answer: int | None
    expected: int | None
    correct: bool
    promised: bool

    @classmethod
    def of(cls, at: AtPoint, digits: Mapping[str, str]) -> Trace:
        """Run the construction on an input.

        Raises:
            InputError: a string does not fit, the reading does not exist, or the construction is ill-formed.
        """
        execution = at.execution()
        inputs = {name: read_bits(digits[name], length, name) for name, length in at.instance.task.strings.items()}
        found = definition.evaluate_at(execution, inputs)
        return cls(
            edition=at.edition,
            execution=execution,
            found=found,
            parameters=dict(at.instance.parameters),
            input={name: digits[name] for name in inputs},
            numerators=tuple(map(standard, found.numerators)),
            denominator=standard(found.denominator),
            attentions=tuple(map(standard, found.attentions)),
            output=standard(found.decision.output),
            answer=found.decision.answer,
            expected=found.expected,
            correct=found.correct,
            promised=found.promised,
        )

    def to_dict(self) -> dict[str, Any]:
        """The document of ``verify trace --format json``."""
        return trace_record(self.execution, self.found, self.edition)

    def caption(self) -> str:
        given = assignment({**self.parameters, **self.input})
        return self.answered(f"{self.execution.instance.id} ({self.edition}), {given}, {self.execution.semantics.label}", self.answer)

    @property
    def columns(self) -> dict[str, str]:
        types = {"token": INTEGER, "step": INTEGER, **dict.fromkeys(("holds", "score", "rounded"), TEXT)}
        return {name: types.get(name, OBJECT) for name in _row(self.found.steps[0])}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each token: token, step, holds, score, weight, products, sums and denominator, with exact numbers."""
        return [_row(step) for step in self.found.steps]


def _row(step: definition.Step) -> dict[str, Any]:
    record, several = step_record(step, standard), len(step.sums) > 1
    row = {"token": step.token.index, "step": step.token.step, "holds": held(record), "score": record["score"], "weight": record["weight"]}
    for name in ("product", "sum"):
        row |= {f"{name}_{k}" if several else name: x for k, x in enumerate(record[f"{name}s"], 1)}
    return row | {"denominator": record["denominator"], "rounded": "; ".join(record["rounded"])}


@dataclass(frozen=True, repr=False)
class NetworkTrace(OneInput):
    """A network of several layers on one input. answer, expected: the answer and the right one, as words; lines: the trace in words."""

    network: str
    arithmetic: str
    input: dict[str, str]
    answer: str
    expected: str
    correct: bool
    promised: bool
    lines: tuple[str, ...]
    listed: tuple[dict[str, Any], ...] = field(compare=False)
    document: dict[str, Any] = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The document of ``verify trace --format json``."""
        return dict(self.document)

    def caption(self) -> str:
        return self.answered(f"{self.network}, {self.arithmetic}", self.answer)

    @property
    def columns(self) -> dict[str, str]:
        types = {"run": INTEGER, "block": TEXT, "position": INTEGER, "token": TEXT}
        return {name: types.get(name, OBJECT) for row in self.listed for name in row}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each token in each block: block, position, token, and the block's coordinates, exact where they are rational."""
        return list(self.listed)


def _at_point(
    subject: Subject, asked: Mapping[str, str], digits: Mapping[str, str], edition: Edition, reading: str | None, errata: Path | None = None
) -> AtPoint:
    """The construction of a claim or of a table file; a parameter that is a string's length is taken from the string."""
    if isinstance(subject, ClaimSubject) and subject.claim.table is not None:
        return AtPoint.of_claim(subject.claim, asked, edition, reading)
    if isinstance(subject, TableSubject):
        source = subject.source if errata is None else read_with_errata(Path(subject.name), errata)
        whole = one_string_gives(subject.lengths(), asked, {name: len(text) for name, text in digits.items()})
        return AtPoint.of_file(source, subject.name, whole, reading)
    raise InputError(f"{subject.name}: {WITHOUT[PaperSubject].replace('NAME', subject.name)}")


def network_trace(subject: NetworkSubject, digits: Mapping[str, str], ranges: Mapping[str, str], how: str | None) -> NetworkTrace:
    """Run a network on one input; a missing length is that of the string.

    Raises:
        InputError: a string or length that does not fit, or no such arithmetic.
    """
    from verifier.show.network_trace import as_document, trace_lines, trace_rows
    from verifier.transformers.contexts import context
    from verifier.transformers.network import network
    from verifier.transformers.outputs import judged, promised

    file = subject.file
    single = all(len(symbol) == 1 for symbol in file.input.alphabet[: file.input.letters])
    sizes = {name: len(text) if single else len(text.split()) for name, text in digits.items()}
    whole = one_string_gives({n: str(length) for n, length in file.input.strings.items() if str(length) in file.parameters}, ranges, sizes)
    if file.length not in whole:
        raise InputError(f"--{file.length} was expected: {file.parameters[file.length].meaning or 'the length'}")
    built = network(file, subject.integers(whole))
    strings = {name: built.input.read(name, digits[name]) for name in built.input.lengths}
    chosen = arithmetic(EXACT if how is None else how)
    made = judged(built, strings, context(chosen))
    return NetworkTrace(
        network=subject.name,
        arithmetic=str(chosen),
        input=dict(digits),
        answer=made.answer.found,
        expected=made.answer.expected,
        correct=made.answer.right,
        promised=promised(built, strings),
        lines=(f"{subject.name} in {chosen}", *trace_lines(built, made)),
        listed=tuple(trace_rows(built, made)),
        document=as_document(subject.name, built, chosen, made),
    )


@of_arguments
def trace(
    construction: Construction | str | PathLike[str],
    *strings: Symbols,
    edition: str | None = None,
    arithmetic: str | None = None,
    **parameters: int | str,
) -> Trace | NetworkTrace:
    """Run a construction, or a network such as ``gallery/parity``, on one input, with every step, as ``verify trace`` does.

    Args:
        construction: what :func:`bitreferee.load` returns, a file, a claim that has one, or a network.
        strings: the input, y then z (or the file's strings in their order), each as a text, the first bit first.
        edition: of a claim's construction: ``printed`` by default, or ``repaired``, with our errata.
        arithmetic: a reading, such as ``narrative`` or ``a4+ties=even``; by default that of the file; for a network ``exact``.
        parameters: the construction's, by name; a missing length is that of the string. The strings may also be named:
        ``trace("parity.toml", x="011")``.

    Raises:
        TypeError: strings that are missing or no texts.
        InputError: a wrong length, no such reading, or an ill-formed construction.

    Source: *Every Bit Counts*, Definitions A.2–A.4, A.7, A.10 and Section A.4.

    >>> y = "1" + "0" * 14
    >>> run = trace("lemma-2.6:table-6", y, y, p=8)
    >>> run.correct, run.answer, str(run.denominator), len(run.rows())
    (False, 0, '127', 35)
    """
    one_of("edition", edition, (Edition.PRINTED.value, Edition.REPAIRED.value))
    subject = given_subject(construction)
    if edition is not None and not isinstance(subject, ClaimSubject):
        raise InputError(f"{subject.name}: a {subject.kind} has no edition {edition}; the table of a claim has")
    if not subject.strings():
        raise InputError(f"{subject.name}: {WITHOUT[PaperSubject].replace('NAME', subject.name)}")
    _refuse_without_construction(subject)
    words = [option.name for option in subject.strings()]
    named = {name: parameters.pop(name) for name in words if name in parameters}
    digits: dict[str, Any] = {**dict(zip((name for name in words if name not in named), strings, strict=False)), **named}
    expected = f"{f'{joined(words)} were expected, each' if len(words) > 1 else 'it was expected'} as a text such as '0110'"
    if missing := [name for name in words if name not in digits]:
        raise TypeError(f"the string {missing[0]} is missing; {expected}")
    if (count := len(strings) + len(named)) > len(words):
        raise TypeError(f"{count} strings were given; {expected}")
    for name, text in digits.items():
        if not isinstance(text, str):
            raise TypeError(f"{name} is {shown(text)}; {expected}")
    subject.refuse_unknown(parameters, [*subject.parameters(), *subject.strings()], ("edition", "arithmetic"))
    asked = texts(parameters)
    if isinstance(subject, NetworkSubject):
        return network_trace(subject, digits, asked, arithmetic)
    chosen = edition or (construction.edition if isinstance(construction, Construction) else Edition.PRINTED.value)
    return Trace.of(_at_point(subject, asked, digits, Edition(chosen), arithmetic), digits)


@click.command("trace", cls=SubjectCommand, most=1, strings=True, constructions=True, without=WITHOUT)
@click.argument("word", metavar="SUBJECT")
@of_table_option
@arithmetic_option
@errata_option
@screen_or_json_option
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the sums of a claim's construction, and the proof's values for them, as SVG; or write the document of --format json.",
)
def command(
    subject: Subject,
    edition: str,
    arithmetic: str | None,
    errata: Path | None,
    form: str,
    output: Path | None,
    **asked: str,
) -> int:
    """Run SUBJECT, a claim's construction, a table file, a network file or gallery/ID, on one input, step by step.

    Every string of the input is an option of its own name, such as --y 0110 --z 0110, or --w 0110; a length that is not given is that of
    the string. For a table, show every token's weight, product and partial sums, all roundings, the MLP's nodes, and the token after which
    the run leaves the proof. For a network, show every layer, its heads with scores and weights, and the coordinates of every token.

    Exit status: 0 the answer is right; 1 it is wrong, or what a claim or the file expects of a sum or the output is wrong at this input, or
    the construction is ill-formed; 3 the input breaks the promise.
    """
    digits = _digits(subject, asked)
    if errata is not None and not isinstance(subject, TableSubject):
        raise InputError(f"--errata: a table file was expected, {subject.name} is a {subject.kind}")
    if isinstance(subject, NetworkSubject):
        with Progress(f"trace of {subject.name}"):
            found = network_trace(subject, digits, asked, arithmetic)
        if form == "json":
            lines = json.dumps(found.to_dict(), indent=2, ensure_ascii=False)
        else:
            lines = "\n".join(line for each in found.lines for line in folded_values(each))
        put(f"{lines}\n", output)
        return found.status
    if isinstance(subject, TableSubject) and form == "screen" and output is not None:
        raise InputError("--output: the trace of a file is written with --format json; `verify plot` draws where a table fails")
    with Progress(f"trace of {subject.name}"):
        run = _at_point(subject, asked, digits, Edition(edition), arithmetic, errata)
        made = None if run.instance.defects and form == "screen" else Trace.of(run, digits)
    return _told(run, made, form, output)


def _digits(subject: Subject, asked: dict[str, str]) -> dict[str, str]:
    """The strings of the input, removed from the other options."""
    _refuse_without_construction(subject)
    strings = [option.name for option in subject.strings()]
    if missing := [f"--{name}" for name in strings if name not in asked]:
        raise InputError(
            f"{subject.name}: {' and '.join(missing)} {'was' if len(missing) == 1 else 'were'} expected, the symbols of the input"
        )
    return {name: asked.pop(name) for name in strings}


def _refuse_without_construction(subject: Subject) -> None:
    if isinstance(subject, ClaimSubject) and subject.claim.table is None:
        raise InputError(f"{subject.claim.name} has no construction to run{_constructions_of(subject.claim)}")


def _told(run: AtPoint, made: Trace | None, form: str, output: Path | None) -> int:
    """Show the trace of one input, or why the construction cannot be run; return the exit status."""
    claim = run.claim
    if made is None:
        click.echo(f"{run.instance.id} ({run.edition}) is ill-formed at these parameters:")
        for defect in run.instance.defects:
            click.echo(f"  {defect}")
        return EXIT_REFUTED
    pairs = claim is not None and isinstance(run.instance.task, Problem)
    if form == "json":
        put(json_text(made.to_dict()), output)
    else:
        from verifier.show.pictures.sums import picture, said

        proof = said(claim, made.execution, made.found, Edition(run.edition)) if claim is not None and pairs else []
        if output is not None:
            write(output, picture(made.execution, made.found, proof).file())
        show_trace(made.execution, made.found, run.edition, proof)
    failing = list(_failing(run.instance, made)) if made.promised else []
    if failing:
        if form == "screen":
            click.echo("\n".join(line for each in failing for line in folded_values(each)))
        return EXIT_REFUTED
    if made.status == EXIT_VERIFIED and claim is not None and pairs and read_arithmetic(run.reading).of_papers:
        pair = (made.found.inputs["y"], made.found.inputs["z"])
        if against := fails_at(claim, Edition(run.edition), run.point, made.execution, *pair):
            if form == "screen":
                click.echo("\n".join(folded_values(f"{claim.name} is refuted here: {against}")))
            return EXIT_REFUTED
    return made.status


def _failing(instance: Instance, made: Trace) -> Iterator[str]:
    """What the file expects of a sum or the output, and does not find on this input."""
    for expectation in instance.expectations:
        if first := next(departures(made.execution, expectation, made.found.inputs), None):
            yield f"expectation {expectation.name}: {departure_told(expectation, instance, first)}"


def _constructions_of(claim: Claim) -> str:
    """The constructions on which the claim is built, as the end of a message; without any, those of its paper."""
    program = SHELF.program(claim.id)
    waiting, inside = [claim], []
    while waiting:
        each = waiting.pop(0)
        inside += [each.name] if each.table is not None and each.role is None else []
        waiting += [find_claim(part.claim) for part in each.parts]
    if inside:
        return f"; `{program} trace {inside[0]}` runs that of {' or '.join(inside)}"
    paper = next(p for p in papers() if p.id == claim.paper)
    tables = list(paper.raw.get("tables", {}))
    return f"; {', '.join(tables)} have one: `{program} trace {tables[0]}`" if tables else f"; `{program} {claim.id}` judges it"
