"""The site's pages of the gallery of transformers: the table, and for each wrong input of a length its trace.

The trace of an adder has 10^5 words, and is printed by the command beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verifier.arithmetic.semantics import arithmetic
from verifier.gate.adders import ALSO, board, listed
from verifier.gate.gallery import FORMATS, Entry, Found
from verifier.show.adders_page import INTRODUCTION, adder_summary, right, rows, split, word
from verifier.show.adders_page import again as adders_again
from verifier.show.gallery_page import again, cell_anchor, decided, length, sentence, summary
from verifier.show.pictures.gallery import picture
from verifier.show.site.templates import page
from verifier.transformers.contexts import context
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.outputs import judged
from verifier.transformers.trace import trace_lines

FOLDER = "gallery"


def network_pages(entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Every page by its path."""
    networks, adders = split(entries)
    yield (
        f"{FOLDER}/index.html",
        page(
            "networks.html.jinja",
            f"{FOLDER}/index.html",
            "What precision breaks",
            summary=summary(networks),
            picture=picture(entries).inside(),
            formats=FORMATS,
            rows=[
                {"entry": entry, "cells": [_cell(entry, cell) for cell in entry.cells], "decided": _decided(entry)} for entry in networks
            ],
            adders=_adders(adders),
        ),
    )
    for entry in networks:
        for cell in entry.cells:
            if cell.first_wrong is not None:
                yield _path(entry, cell), _trace(entry, cell)


def _adders(entries: Sequence[Entry]) -> dict[str, Any] | None:
    """What the template says of the adders."""
    if not entries:
        return None

    def shown(entry: Entry, cell: Found) -> dict[str, str]:
        return {"arithmetic": cell.arithmetic, "text": word(cell), "href": _href(entry, cell), "says": cell.stopped or cell.method}

    listed = [
        {
            **row,
            "right": _right(row["entry"]),
            "wrong": [
                {"arithmetic": cell.arithmetic, "says": word(cell), "command": cell.replay}
                for cell in row["entry"].cells
                if cell.first_wrong is not None
            ],
            "own": shown(row["entry"], row["own"]),
            **{part: [shown(row["entry"], cell) for cell in row[part]] for part in ("readings", "also")},
        }
        for row in rows(entries)
    ]
    return {"summary": adder_summary(entries), "introduction": INTRODUCTION, "also": ALSO, "source": board().source, "rows": listed}


def _right(entry: Entry) -> dict[str, str] | None:
    """The arithmetics in which an adder is right, with the command."""
    cells = [cell for cell in entry.cells if right(cell)]
    return {"names": ", ".join(cell.arithmetic for cell in cells), "command": adders_again(entry, cells)} if cells else None


def _path(entry: Entry, cell: Found) -> str:
    return f"{FOLDER}/{cell_anchor(entry, cell)}.html"


def _cell(entry: Entry, cell: Found) -> dict[str, str]:
    return {"text": length(cell), "href": _href(entry, cell), "says": cell.happens or cell.stopped}


def _href(entry: Entry, cell: Found) -> str:
    """The trace of a wrong input; for an adder and for a cell that is right, where its method and its command stand."""
    return _path(entry, cell) if cell.first_wrong is not None and listed(entry.id) is None else f"{FOLDER}/index.html#about-{entry.id}"


def _decided(entry: Entry) -> list[dict[str, str]]:
    """The cells that are right, by what decides them, with the command."""
    return [
        {"names": ", ".join(cell.arithmetic for cell in cells), "says": said, "command": again(entry, cells)}
        for said, cells in decided(entry, entry.cells)
    ]


def _trace(entry: Entry, cell: Found) -> str:
    assert cell.first_wrong is not None
    built = network(find_network(f"gallery/{entry.id}"), {entry.length: cell.first_wrong})
    strings = {name: built.input.read(name, text) for name, text in cell.strings.items()}
    made = judged(built, strings, context(arithmetic(cell.arithmetic)))
    return page(
        "network_trace.html.jinja",
        _path(entry, cell),
        f"{entry.id} in {cell.arithmetic}",
        entry=entry,
        cell=cell,
        sentence=sentence(entry, cell),
        lines=list(trace_lines(built, made)),
    )
