"""The run of the whole gallery, kept between commands like the runs of papers.

Every construction in six formats, and over real numbers; adders of ten digits in their own arithmetic and others.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files as resources
from typing import TYPE_CHECKING

import msgspec

from verifier.arithmetic.semantics import EXACT, arithmetic
from verifier.networks.record_base import Strict
from verifier.running.answers import FOLDER, below_seal, read, sealed
from verifier.running.limits import Advance, Limits, silent
from verifier.running.printable import shell_line
from verifier.running.processes import workers
from verifier.running.results import READ, Store
from verifier.transformers.cells import trace_words

if TYPE_CHECKING:
    from verifier.transformers.cells import Cell
    from verifier.transformers.records import NetworkFile

FORMATS = ("float64", "float32", "float16", "bfloat16", "e5m2", "e4m3")
LENGTHS = range(1, 65)
LIMIT = Limits(1 << 22)
"""Work for each cell, so that the whole gallery takes some minutes and its answer is the same everywhere."""


FILE = "gallery.jsonl"
"""The run that ships with the program, in :data:`verifier.running.answers.FOLDER`: a line for each construction."""
ROOMS = ("arithmetic", "engines", "language", "networks", "running", "transformers")
PARTS = ("verifier/__init__.py", "verifier/gate/gallery.py", *(f"verifier/{room}/" for room in ROOMS))
"""The files of the program that can change it."""


DIGITS = 10
UNFUSED = "float64"
"""The format in which no engine computes fused products."""
ALSO = ("float16", "bfloat16")
"""Formats in which every adder is tried, besides the format of its file."""


class Listed(Strict, frozen=True):
    """A file of the gallery, its entries in the published list, and the published page's statement on each.

    readings: further arithmetics for its operations, beside the one that the file assumes.
    """

    file: str
    entries: str
    status: list[str]
    readings: list[str]


class Board(Strict, frozen=True):
    """The published page. source: its address. orders: knobs of other orders of a matrix product, tried for each entry."""

    source: str
    orders: list[str]
    adder: list[Listed]


@cache
def board() -> Board:
    """The entries of ``constructions/gallery/published/adderboard.toml``."""
    path = resources("constructions") / "gallery" / "published" / "adderboard.toml"
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Board)


def listed(name: str) -> Listed | None:
    """The line of a network of the gallery, or None if it is not an adder."""
    return next((each for each in board().adder if each.file == name), None)


def arithmetics(name: str, own: str) -> list[str]:
    """The arithmetics in which an adder is judged. The adder's own arithmetic comes first, then other orders of its products and its other
    readings, then narrow formats.
    """
    entry = listed(name)
    assert entry is not None
    orders = [f"{own}+{order}" for order in board().orders if not (own == UNFUSED and "products=fused" in order)]
    return [str(arithmetic(text)) for text in dict.fromkeys((own, *orders, *entry.readings, *ALSO))]


class Found(msgspec.Struct, frozen=True, omit_defaults=True):
    """A cell of the table, as texts and numbers that can be kept. stopped: why larger lengths are not decided, if so."""

    arithmetic: str
    first_wrong: int | None = None
    strings: dict[str, str] = {}
    expected: str = ""
    found: str = ""
    values: str = ""
    happens: str = ""
    kind: str = ""
    decided_to: int | None = None
    cases: str = ""
    method: str = ""
    stopped: str = ""


class Entry(msgspec.Struct, frozen=True):
    """A construction with its cells, the one over real numbers first, or in an adder's own arithmetic.

    question: the condition or symbol that its file asks for. expected: the file's expectation, and the lengths for which it holds.
    """

    id: str
    title: str
    question: str
    assumes: str
    length: str
    cells: tuple[Found, ...]
    expected: tuple[tuple[str, str, bool], ...]

    @property
    def source(self) -> str:
        """The place where the construction was published, as its file says."""
        return _said(self.id, "source")

    @property
    def note(self) -> str:
        """The note of its file."""
        return " ".join(_said(self.id, "note").split())

    def replay(self, cell: Found) -> str:
        """The command that shows the first wrong input of a cell that has one."""
        return shell_line(["verify", *trace_words(f"gallery/{self.id}", cell.arithmetic, {self.length: cell.first_wrong, **cell.strings})])

    @property
    def right(self) -> bool:
        """Whether nothing is refuted over real numbers."""
        return self.cells[0].first_wrong is None and all(holds for _, _, holds in self.expected)


@cache
def _said(name: str, field: str) -> str:
    """A text of a network's file, which the run has checked: its network is not built for it."""
    path = resources("constructions") / "gallery" / f"{name}.toml"
    return str(tomllib.loads(path.read_text(encoding="utf-8")).get(field, ""))


def tabled() -> list[str]:
    """The networks whose lengths are the rows of the table.

    An adder works on numbers of ten digits, 10^20 inputs of one length: :mod:`verifier.transformers.induction`.
    """
    from verifier.transformers.files import gallery

    return [name for name, _ in gallery() if listed(name) is None]


def adders() -> list[str]:
    """The networks that add numbers of ten digits, in the order of the published list."""
    from verifier.transformers.files import gallery

    present = dict(gallery())
    return [each.file for each in board().adder if each.file in present]


def gallery_run(jobs: int = 1, advance: Advance = silent, kept: Store | None = None) -> list[Entry]:
    """Return every construction from the kept results, or run it and keep its result."""
    if kept is not None and not kept.fresh and (shipped := shipped_run()):
        return shipped
    names = [*tabled(), *adders()]
    contents = {name: content for name in names if kept is not None and (content := kept.find(_question(name))) is not None}
    found = {name: msgspec.json.decode(content, type=Entry) for name, content in contents.items()}
    missing = [name for name in names if name not in found]
    with workers(min(jobs, len(missing))) as pool:
        made: Iterator[Entry] = map(entry_of, missing) if pool is None else pool.map(entry_of, missing)
        for done, (name, entry) in enumerate(zip(missing, made, strict=True), 1):
            advance("gallery", done, len(missing))
            found[name] = entry
            if kept is not None:
                kept.keep(_question(name), msgspec.json.encode(entry), READ.manifest(None))
    return [found[name] for name in names]


def shipped_run() -> list[Entry]:
    """The constructions of the run that ships with the program, or none if another program or other gallery files made it."""
    body = below_seal("gallery", read(FOLDER / FILE), PARTS)
    return [msgspec.json.decode(line, type=Entry) for line in (body or "").splitlines()]


def shipped_text(entries: Sequence[Entry]) -> str:
    """The file of the run that ships."""
    return sealed("gallery", "".join(f"{msgspec.json.encode(entry).decode()}\n" for entry in entries), PARTS)


def entry_of(name: str, formats: Sequence[str] = FORMATS, lengths: range = LENGTHS, limit: Limits = LIMIT) -> Entry:
    """A construction in every format."""
    from verifier.transformers.expectations import judged_expectations
    from verifier.transformers.files import find_network
    from verifier.transformers.precision import first_wrong

    file = find_network(f"gallery/{name}")
    if listed(name) is not None:
        formats, lengths = arithmetics(name, file.assumes), range(DIGITS, DIGITS + 1)
    else:
        formats = (EXACT, *formats)
    cells = [first_wrong(f"gallery/{name}", file, arithmetic(form), lengths, limits=limit) for form in formats]
    expected = []
    for each in judged_expectations(file, lengths, limits=limit):
        said = "fails" if each.broken else f"holds for all {each.cases:,} inputs up to {file.length} = {each.decided_to}"
        expected.append((each.name, said, each.broken is None))
    asked = file.accept or file.choose or file.decode
    question = "" if asked is None else str(asked.function)
    found = tuple(_found(cell, file) for cell in cells)
    return Entry(name, file.title, question, file.assumes, file.length, found, tuple(expected))


def _found(cell: Cell, file: NetworkFile) -> Found:
    from verifier.transformers.causes import cause_of

    wrong = cell.first_wrong
    decided = cell.decided_to, f"{cell.cases:,}", cell.method, cell.stopped
    if wrong is None:
        return Found(str(cell.arithmetic), None, {}, "", "", "", "", "", *decided)
    why, answer = cause_of(file, cell), wrong.answer
    return Found(
        str(cell.arithmetic), wrong.length, dict(wrong.strings), answer.expected, answer.found, answer.shown, why.says, why.kind, *decided
    )


def table(entries: Sequence[Entry]) -> str:
    """The table that the gate compares, with a line for each cell."""
    lines = ["construction\tarithmetic\tfirst wrong\tinput\tanswer\tright answer\tdecided to\tinputs\tmethod"]
    for entry in entries:
        for cell in entry.cells:
            wrong = "" if cell.first_wrong is None else str(cell.first_wrong)
            texts = " ".join(f"{key}={text}" for key, text in cell.strings.items())
            decided = "" if cell.decided_to is None else str(cell.decided_to)
            row = (entry.id, cell.arithmetic, wrong, texts, cell.found, cell.expected, decided, cell.cases, cell.method)
            lines.append("\t".join(row))
        lines += [
            "\t".join((f"{entry.id}:{name}", EXACT, "" if holds else "fails", "", "", "", said)) for name, said, holds in entry.expected
        ]
    return "\n".join(lines) + "\n"


def _question(name: str) -> list[object]:
    about = listed(name)
    return ["gallery", name, FORMATS, [LENGTHS[0], LENGTHS[-1]], LIMIT.states, None if about is None else msgspec.to_builtins(about)]
