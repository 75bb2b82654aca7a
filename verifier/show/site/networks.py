"""The site's pages of the gallery of transformers: the table, and for each wrong input its trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.gate.gallery import FORMATS, Entry, Found
from verifier.show.gallery_page import cell_anchor, sentence, summary
from verifier.show.pictures.gallery import picture
from verifier.show.site.templates import page
from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.contexts import context
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.outputs import judged
from verifier.transformers.trace import trace_lines

FOLDER = "gallery"


def network_pages(entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Every page by its path."""
    yield (
        f"{FOLDER}/index.html",
        page(
            "networks.html.jinja",
            f"{FOLDER}/index.html",
            "What precision breaks",
            summary=summary(entries),
            picture=picture(entries).inside(),
            formats=FORMATS,
            rows=[{"entry": entry, "cells": [_cell(entry, cell) for cell in entry.cells]} for entry in entries],
        ),
    )
    for entry in entries:
        for cell in entry.cells:
            if cell.first_wrong is not None:
                yield _path(entry, cell), _trace(entry, cell)


def _path(entry: Entry, cell: Found) -> str:
    return f"{FOLDER}/{cell_anchor(entry, cell)}.html"


def _cell(entry: Entry, cell: Found) -> dict[str, str]:
    return {"text": cell.text, "href": _path(entry, cell) if cell.first_wrong is not None else "", "says": cell.happens or cell.stopped}


def _trace(entry: Entry, cell: Found) -> str:
    assert cell.first_wrong is not None
    built = network(find_network(f"gallery/{entry.id}"), {entry.length: cell.first_wrong})
    strings = {name: built.input.read(name, text) for name, text in cell.strings.items()}
    made = judged(built, strings, context(Arithmetic(cell.arithmetic)))
    return page(
        "network_trace.html.jinja",
        _path(entry, cell),
        f"{entry.id} in {cell.arithmetic}",
        entry=entry,
        cell=cell,
        sentence=sentence(entry, cell),
        lines=list(trace_lines(built, made)),
    )
