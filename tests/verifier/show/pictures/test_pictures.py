"""Pictures: a map of failures counts what the engines count, and depends on the table; a file of its own is well-formed SVG."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.command_line import CommandLine
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition
from verifier.engines.dispatch import decide
from verifier.engines.failure_counts import Census
from verifier.engines.program import Program
from verifier.judges.editions import edition_instance, table_parameters
from verifier.networks.instantiate import instantiate
from verifier.running.errors import LimitError
from verifier.show.pictures import failures
from verifier.show.pictures.drawing import Drawing, style
from verifier.show.pictures.failures import failure_map, png
from verifier.show.pictures.measured import HEIGHT, TOP, Mean, Series, picture
from verifier.show.pictures.sums import said
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

A4 = read_semantics("a4")
CASES = (
    ("lemma-2.6:table-6", Edition.PRINTED, {"p": 7}),
    ("lemma-2.6:table-6", Edition.REPAIRED, {"p": 7}),
    ("lemma-c.5:table-7", Edition.REPAIRED, {"t": 3, "e": 3}),
)


def coarser(counts: Any, cells: int) -> list[list[int]]:
    """The counts in so many cells along each side."""
    across = max(1, len(counts) // cells)
    return [
        [int(counts[y : y + across, z : z + across].sum()) for z in range(0, len(counts), across)] for y in range(0, len(counts), across)
    ]


def _reading(claim: str, edition: Edition, point: dict[str, int]) -> Execution:
    found = find_claim(claim)
    return Execution(edition_instance(found, edition, found.complete(point)), A4)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("claim", "edition", "point"), CASES)
def test_a_map_counts_what_the_engines_count(claim: str, edition: Edition, point: dict[str, int]) -> None:
    execution = _reading(claim, edition, point)
    found, census = failure_map(execution), decide(execution)
    assert isinstance(census, Census)
    assert (found.pairs, found.failures) == (census.cases, census.failures)
    assert failure_map(execution, cells=8).failing.tolist() == coarser(found.failing, 8)


@pytest.mark.campaign
def test_two_blocks_and_one_by_one_draw_the_same_map() -> None:
    claim = find_claim("lemma-2.6:table-6")
    assert claim.table is not None
    execution = Execution(instantiate(claim.table.source.repaired(without=["step-1-key"]), table_parameters(claim, {"p": 6})), A4)
    fast, slow = failure_map(execution), failures._one_by_one(Program(execution), 64, lambda done, total: None)
    cells = len(slow.failing)
    assert slow.failures > 0
    assert coarser(fast.failing, cells) == slow.failing.tolist()
    assert coarser(fast.promised, cells) == slow.promised.tolist()


def test_what_is_too_large_is_refused() -> None:
    with pytest.raises(LimitError, match="the picture has"):
        failure_map(_reading("lemma-c.5:table-7", Edition.REPAIRED, {"t": 3, "e": 3}), limit=100)


def test_the_proofs_values_are_those_of_its_formulas() -> None:
    claim, execution = find_claim("lemma-2.6:table-6"), _reading("lemma-2.6:table-6", Edition.REPAIRED, {"p": 8})
    found = {s.claim.name.partition(":")[2]: s for s in said(claim, execution, evaluate(execution, 1 << 14, 1 << 14))}
    assert (found["numerator-after-step-2"].value, found["numerator-after-step-2"].departs) == (1, False)
    printed = _reading("lemma-2.6:table-6", Edition.PRINTED, {"p": 8})
    departing = {s.claim.name.partition(":")[2]: s for s in said(claim, printed, evaluate(printed, 1 << 14, 1 << 14))}
    assert departing["numerator-after-step-2"].found == 64


def test_an_image_holds_its_pixels() -> None:
    data = png(np.array([[0, 1], [2, 1]], dtype=np.uint8), [(0, 0, 0, 0), (1, 2, 3, 255), (9, 9, 9, 255)])
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    start = data.index(b"IDAT") + 4
    size = int.from_bytes(data[start - 8 : start - 4], "big")
    assert zlib.decompress(data[start : start + size]) == b"\0\0\1\0\2\1"


@pytest.mark.long("plot lemma-2.6:table-6 --p 5-ill-formed at p = 5")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("plot lemma-2.6:table-6 --p 7", "4,096 of 33,558,528 promised pairs fail"),
        ("plot lemma-2.6:table-6 --p 5", "ill-formed at p = 5"),
        ("plot every-bit-counts/equation-1 --h 1..7", "Equation 1: verdicts by parameter"),
        ("trace lemma-2.6 --p 8 --y 100000000000000 --z 100000000000000", "WRONG"),
    ],
)
def test_a_picture_for_the_terminals_user_is_a_file_of_its_own(verify: CommandLine, tmp_path: Path, words: str, says: str) -> None:
    path = tmp_path / "picture.svg"
    done = verify(words, "--output", str(path))
    assert done.err == ""
    assert says in " ".join(done.out.split())
    root = ElementTree.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.find("{http://www.w3.org/2000/svg}title") is not None
    assert "prefers-color-scheme: dark" in path.read_text()


def test_a_file_has_its_colours_written_out() -> None:
    """Light colours come first, for programs that know neither variables nor queries of media; a page lends its own."""
    written = Drawing(10, 10, "a title").file()
    assert "var(" not in written
    assert "--ink" not in written
    first, _, dark = written.partition("@media (prefers-color-scheme: dark)")
    assert "fill: #1a7f37" in first
    assert "fill: #6fcf86" in dark
    assert "fill: #6fcf86" not in first
    assert "var(--ink)" in style()


def _heights(means: list[tuple[float, float, float]], logarithmic: bool) -> list[float]:
    series = Series("measured", tuple(Mean(2**k, *values) for k, values in enumerate(means)))
    return [float(y) for y in re.findall(r'<circle cx="[^"]*" cy="([^"]*)"', picture("t", "x", "y", [series], logarithmic).file())]


@pytest.mark.parametrize(
    ("means", "logarithmic", "shares"),
    [
        ([(0.1, 1.0, 10.0), (0.1, 0.1, 0.1)], True, [0.5, 0.0]),
        ([(-1.0, 1.0, 10.0), (1.0, 10.0, 10.0)], True, [0.0, 1.0]),  # an interval that reaches below 0 is cut
        ([(-4.0, -2.0, -1.0), (-4.0, -4.0, -4.0)], False, [0.5, 0.0]),  # 0 is on a linear scale
        ([(1.0, 1.0, 1.0)], True, [0.0]),
    ],
)
def test_where_means_are_drawn(means: list[tuple[float, float, float]], logarithmic: bool, shares: list[float]) -> None:
    assert _heights(means, logarithmic) == pytest.approx([TOP + HEIGHT * (1 - share) for share in shares])
