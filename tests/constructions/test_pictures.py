"""The pictures that the papers bring: each is drawn, and shows what its paper's mathematics says."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from constructions.every_bit_counts.pictures.messages_and_answers import messages
from constructions.fixed_point_networks.mathematics.activations import NAMED, rounded
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.pictures.objects import SHOWN, P, S
from verifier.arithmetic.rationals import Fraction
from verifier.claims.papers import Paper, papers
from verifier.show.own_pages import own_pictures


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.id)
def test_every_picture_of_a_paper_is_drawn(paper: Paper) -> None:
    for picture in own_pictures(paper):
        drawn = picture.drawn(paper.package)
        assert drawn is not None
        ElementTree.fromstring(drawn.file())


def test_a_free_point_has_more_messages_than_the_bits_that_are_charged() -> None:
    says = messages().says  # at p = 2: (2 + 1) 2 - 1 = 5 values and two infinities, log2 7 = 2.81
    assert "2: 2.81" in says.split("; ")[1]


@pytest.mark.parametrize("name", SHOWN)
def test_the_balls_that_are_drawn_lie_in_the_boxes_that_are_drawn(name: str) -> None:
    grid, half = FixedPoint(P, S), Fraction(1, 2)
    table = rounded(NAMED[name], grid)
    for k in grid.levels():
        low, high = (end * S for end in NAMED[name].real.at(0, Fraction(k, S)))
        clamped = abs(table(k)) == grid.top
        assert clamped or table(k) - half <= low <= high <= table(k) + half
