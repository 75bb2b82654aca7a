"""The page of the gallery: a row for each construction, a column for each format, and below them what happens and how to see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.gate.gallery import FORMATS, LENGTHS, LIMIT, Entry, Found
from verifier.show.adders_page import adder_lines, split
from verifier.show.precision_screen import runs

GENERATED = "<!-- Written by `verify precision gallery`; edit the network files, not this page. -->"


def gallery_page(entries: Sequence[Entry]) -> str:
    """The page as Markdown."""
    return "\n".join(_lines(entries)) + "\n"


def cell_anchor(entry: Entry, cell: Found) -> str:
    """The anchor of a cell's replay."""
    return f"{entry.id}-{cell.arithmetic}"


def summary(entries: Sequence[Entry]) -> list[str]:
    """The results of the networks whose table has lengths, in sentences; adders have a summary of their own."""
    entries, _ = split(entries)
    right = sum(entry.right for entry in entries)
    broken = {form: [e.id for e in entries for c in e.cells if c.arithmetic == form and c.first_wrong is not None] for form in FORMATS}
    said = "; ".join(f"{len(names)} in {form}" for form, names in broken.items())
    return [
        f"{right} of {len(entries)} constructions answer every input rightly over real numbers, as far as they were tried.",
        f"Rounded, some input is answered wrongly by {said}.",
    ]


def _lines(entries: Sequence[Entry]) -> Iterator[str]:
    entries, adders = split(entries)
    yield from (GENERATED, "# What precision breaks", "")
    yield (
        "Published transformers, run on every input of every length in each format: each operation is rounded once, sums run from left to "
        "right, and the maximum is subtracted before softmax. A cell is the first length at which some input is answered wrongly. *> 12*: "
        "right up to length 12; not known beyond. Each file in `constructions/gallery` says what is asked and where it is from: our "
        "transcription of the authors' code, of their text, or of an abstract. Adders have a [table of their own](#adders)."
    )
    yield from ("", " ".join(summary(entries)), "", "![lengths against formats](gallery.svg)", "")
    yield f"| construction | from | authors assume | real numbers | {' | '.join(FORMATS)} |"
    yield f"| --- | --- | --- | ---: | {' | '.join('---:' for _ in FORMATS)} |"
    for entry in entries:
        yield f"| `{entry.id}`: {entry.title} | {entry.source} | {entry.assumes} | {' | '.join(length(cell) for cell in entry.cells)} |"
    if adders:
        yield from adder_lines(adders)
    yield from (
        "",
        "All cells, with the first wrong inputs: [gallery.tsv](gallery.tsv). The site (`verify report --site DIR`) has the trace of each. "
        "`verify precision gallery/ID` computes a row again, `verify precision gallery` the page.",
    )


def length(cell: Found) -> str:
    """The first wrong length of a cell; else ``> 64``, up to where all is right."""
    return f"> {LENGTHS[-1]}" if cell.text == "none" else cell.text


def decided(entry: Entry, cells: Sequence[Found]) -> Iterator[tuple[str, list[Found]]]:
    """What is said of the cells that are right as far as they were decided, and of which."""
    right = [cell for cell in cells if cell.first_wrong is None]
    for said in dict.fromkeys(_right(entry, cell) for cell in right):
        yield said, [cell for cell in right if _right(entry, cell) == said]


def again(entry: Entry, cells: Sequence[Found]) -> str:
    """The command that decides cells again, up to the same length."""
    limit = f" --limit {LIMIT.states}" if any(cell.stopped for cell in cells) else ""
    formats = ",".join(cell.arithmetic for cell in cells)
    return f"verify precision gallery/{entry.id} --{entry.length} {LENGTHS[0]}..{LENGTHS[-1]} --arithmetic {formats}{limit}"


def sentence(entry: Entry, cell: Found) -> str:
    """The first wrong input of a cell, and what happens there."""
    texts = ", ".join(f"{name} = {runs(text)}" for name, text in cell.strings.items())
    happens = f"; {cell.happens}" if cell.happens else ""
    return f"{entry.length} = {cell.first_wrong}, {texts}: {cell.found}, not {cell.expected} ({cell.values}){happens}"


def _right(entry: Entry, cell: Found) -> str:
    if cell.first_wrong is not None:
        return f"wrong at {entry.length} = {cell.first_wrong}"
    return f"right up to {entry.length} = {cell.decided_to}, by {cell.method}"
