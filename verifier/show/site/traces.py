"""The traces of the site: inputs on which a construction or a network of the gallery fails; and the table of the gallery."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.arithmetic.numbers import Special
from verifier.arithmetic.semantics import EXACT, arithmetic, read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Result
from verifier.errata.listings import Listing
from verifier.gate.gallery import Entry, Found
from verifier.judges.editions import readable_instance
from verifier.networks.instance import Instance
from verifier.networks.problems import bits_of, read_bits
from verifier.running.printable import assignment, joined
from verifier.show.gallery_page import FOLDER, question, shown, split, why
from verifier.show.gallery_page import trace_path as network_path
from verifier.show.judged import Judged
from verifier.show.network_trace import rule, sections
from verifier.show.notation.plain import plain
from verifier.show.pages import example
from verifier.show.pictures.sums import Said, across, picture, said
from verifier.show.precision_screen import runs
from verifier.show.site.templates import page
from verifier.show.trace_screen import decides
from verifier.show.verdict_words import titled
from verifier.transformers.contexts import context
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.outputs import judged
from verifier.transformers.table_traces import Step, Trace, evaluate, numerator_of
from verifier.transformers.tables import Execution

OF_EDITION = {Edition.STATEMENT: "as stated", Edition.PRINTED: "as printed", Edition.REPAIRED: "after our corrections"}


@dataclass(frozen=True, eq=False)
class Traced:
    """The run of a claim's construction on one input, and the values that the proof states."""

    claim: Claim
    edition: Edition
    execution: Execution
    trace: Trace
    proof: tuple[Said, ...]

    @property
    def instance(self) -> Instance:
        return self.execution.instance

    @property
    def input(self) -> dict[str, str]:
        """The strings, by name."""
        return {name: bits_of(self.trace.inputs[name], length) for name, length in self.instance.task.strings.items()}

    @property
    def departs(self) -> Said | None:
        """The first value that differs from the proof's."""
        return next((each for each in self.proof if each.departs), None)


def replayed(result: Result | None) -> Traced | None:
    """The trace that a result's replay command shows, or None if that is another command or the construction is ill-formed."""
    words = list(result.outcome.replay or ()) if result is not None else []
    if words[:1] != ["trace"]:
        return None
    given = {name.removeprefix("--"): text for name, text in zip(words[2::2], words[3::2], strict=True)}
    claim, edition = find_claim(words[1]), Edition(given.pop("edition"))
    semantics = read_semantics(given.pop("semantics", "a4"))
    y, z = given.pop("y"), given.pop("z")
    instance = readable_instance(claim, edition, {k: int(v) for k, v in given.items()})
    if instance.defects:
        return None
    return traced(claim, edition, Execution(instance, semantics), read_bits(y, instance.m, "y"), read_bits(z, instance.m, "z"))


def traced(claim: Claim, edition: Edition, execution: Execution, y: int, z: int) -> Traced:
    """Trace one input of a well-formed construction."""
    trace = evaluate(execution, y, z)
    return Traced(claim, edition, execution, trace, tuple(said(claim, execution, trace, edition)))


def trace_page(judged: Judged, listing: Listing, found: Traced) -> str:
    """The viewer of a finding's smallest counterexample."""
    return page(
        "trace.html.jinja",
        judged.trace_page(listing),
        f"Trace: {listing.finding.entry.title}",
        here=judged,
        listing=listing,
        example=example(listing),
        found=found,
        trace=found.trace,
        answer="neither 0 nor 1" if found.trace.decision.answer is None else found.trace.decision.answer,
        caption=caption(found),
        reading=judged.paper.called.get(found.execution.semantics.label, found.execution.semantics.label),
        picture=picture(found.execution, found.trace, found.proof).inside(kind="trace"),
        rule=decides(found.instance.accept),
        tokens=[_token(found, number, step) for number, step in enumerate(found.trace.steps)],
    )


def _token(found: Traced, number: int, step: Step) -> dict[str, Any]:
    numerator = numerator_of(found.execution, step.sums)
    return {
        "step": step,
        "at": round(across(found.trace, number), 2),
        "holds": ", ".join(plain(f"{bit.string}_{bit.index} = {v}") for bit, v in zip(step.token.reads, step.content, strict=True)) or "0",
        "numerator": numerator,
        "overflow": isinstance(numerator, Special) or isinstance(step.denominator, Special),
        "idle": step.term.weight == 0 and not any(step.term.products),
        "said": [each for each in found.proof if each.after == step.token.index],
        "departs": found.departs is not None and found.departs.after == step.token.index,
    }


def caption(found: Traced) -> str:
    """``Table 6 as printed, p = 8``."""
    at = assignment(found.instance.parameters)
    return f"{_subject(found.claim)} {OF_EDITION[found.edition]}, {at}"


def _subject(claim: Claim) -> str:
    """The table that a step is about, or the step."""
    table = claim.table.name if claim.table is not None else ""
    return titled(table) if table and claim.name.endswith(f":{table}") else f"{titled(claim.name)},"


def network_pages(entries: Sequence[Entry], picture: str) -> Iterator[tuple[str, str]]:
    """The pages by their paths: the table below its picture, and a trace of each first wrong input.

    The trace of an adder has 10^5 words. A command on the page prints it.
    """
    index = f"{FOLDER}/index.html"
    yield index, page("networks.html.jinja", index, "What precision breaks", picture=picture, **shown(entries))
    for entry in split(entries)[0]:
        for cell in entry.cells:
            if cell.first_wrong is not None:
                yield network_path(entry, cell), _trace(entry, cell)


def _trace(entry: Entry, cell: Found) -> str:
    length = cell.first_wrong or 0
    built = network(find_network(f"{FOLDER}/{entry.id}"), {entry.length: length})
    strings = {name: built.input.read(name, text) for name, text in cell.strings.items()}
    made, real = (judged(built, strings, context(arithmetic(name))) for name in (cell.arithmetic, EXACT))
    return page(
        "network_trace.html.jinja",
        network_path(entry, cell),
        f"{entry.id} in {cell.arithmetic}",
        entry=entry,
        cell=cell,
        sentence=sentence(entry, cell),
        rule=rule(built.file),
        real=f"the answer {real.answer.found}{f' ({real.answer.shown})' if real.answer.shown else ''}",
        enough=joined([each.arithmetic for each in entry.cells[1:] if each.first_wrong is None and (each.decided_to or 0) >= length]),
        sections=sections(built, made, real, cell.happens),
        what=why(cell),
    )


def sentence(entry: Entry, cell: Found) -> str:
    """The first wrong input of a cell, and the reason why it is wrong."""
    texts = ", ".join(f"{name} = {runs(text)}" for name, text in cell.strings.items())
    values = f" ({cell.values})" if cell.values else ""
    asked = f"The question is {question(entry)}. On {texts} ({entry.length} = {cell.first_wrong}) the network"
    place, _, what = cell.happens.partition(": ")
    first = f" First error, in {place}: {what} ({why(cell)})." if what else ""
    return f"{asked} answers {_answered(cell.found)}{values}. The right answer is {cell.expected}.{first}"


def _answered(found: str) -> str:
    return "neither yes nor no" if found == "neither" else found
