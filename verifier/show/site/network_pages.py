"""The gallery on the site: its table below its picture, and the trace of each first wrong input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.arithmetic.semantics import EXACT, arithmetic
from verifier.gate.gallery import Entry, Found
from verifier.show.gallery_page import FOLDER, shown, split, trace_path
from verifier.show.network_trace import sections
from verifier.show.precision_screen import runs
from verifier.show.site.templates import page
from verifier.transformers.contexts import context
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.outputs import judged

FIRST = {
    "overflow": "overflow",
    "tie": "tie of scores",
    "order": "exchange of two scores",
    "lost": "number that becomes 0",
    "residue": "0 that becomes another number",
}
"""The step at which a trace opens, by the kind of the cause."""


def network_pages(entries: Sequence[Entry], picture: str) -> Iterator[tuple[str, str]]:
    """The pages by their paths: the table below its picture, and a trace of each first wrong input.

    The trace of an adder has 10^5 words, and is printed by the command beside it.
    """
    index = f"{FOLDER}/index.html"
    yield index, page("networks.html.jinja", index, "What precision breaks", picture=picture, **shown(entries))
    for entry in split(entries)[0]:
        for cell in entry.cells:
            if cell.first_wrong is not None:
                yield trace_path(entry, cell), _trace(entry, cell)


def _trace(entry: Entry, cell: Found) -> str:
    assert cell.first_wrong is not None
    built = network(find_network(f"{FOLDER}/{entry.id}"), {entry.length: cell.first_wrong})
    strings = {name: built.input.read(name, text) for name, text in cell.strings.items()}
    made, real = (judged(built, strings, context(arithmetic(name))) for name in (cell.arithmetic, EXACT))
    return page(
        "network_trace.html.jinja",
        trace_path(entry, cell),
        f"{entry.id} in {cell.arithmetic}",
        entry=entry,
        cell=cell,
        sentence=sentence(entry, cell),
        sections=sections(built, made, real, cell.happens),
        first=FIRST.get(cell.kind, "difference of a sign"),
        answer=made.answer,
    )


def sentence(entry: Entry, cell: Found) -> str:
    """The first wrong input of a cell, and what happens there."""
    texts = ", ".join(f"{name} = {runs(text)}" for name, text in cell.strings.items())
    values = f" ({cell.values})" if cell.values else ""
    said = f"At {entry.length} = {cell.first_wrong}, {texts} the network answers {cell.found}{values}. The right answer is {cell.expected}."
    first = FIRST.get(cell.kind, "difference of a sign")
    return f"{said} The first {first}: {cell.happens}." if cell.kind in {*FIRST, "sign"} else said
