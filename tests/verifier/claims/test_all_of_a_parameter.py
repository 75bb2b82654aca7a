"""Every parameter of every claim, asked for as a whole: an answer, or a line of what is wrong, and never a fault of the program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.command_line import CommandLine
from verifier.claims.model import Claim
from verifier.claims.papers import Paper, papers
from verifier.claims.points import points
from verifier.claims.verdicts import EXIT_FAULT


def asks(claim: Claim) -> Iterator[str]:
    """Each parameter alone, the others at the first typical point; and all of them."""
    first = next(points(claim, {}))
    names = list(first)
    wholes = [names, *([name] for name in names if len(names) > 1)] if names else []
    for whole in wholes:
        values = " ".join(f"--{name} {'all' if name in whole else value}" for name, value in first.items())
        yield f"{claim.id} {values} --limit 100000"


@pytest.mark.campaign
@pytest.mark.parametrize("paper", papers(), ids=[paper.id for paper in papers()])
def test_a_whole_parameter_is_no_fault(paper: Paper, verify: CommandLine) -> None:
    """A few of these are in ``tests/cases/claims.toml``, with their answers."""
    for ask in (ask for claim in paper for ask in asks(claim)):
        done = verify(ask)
        assert done.status != EXIT_FAULT, f"{ask}: {done.err}"
        assert done.out or done.err, ask
