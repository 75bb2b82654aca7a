"""Every parameter of every claim, asked for as a whole: an answer, or a line of what is wrong, and never a fault of the program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.command_line import CommandLine
from verifier.claims.model import Claim
from verifier.claims.papers import catalogue
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


ASKS = [ask for claim in catalogue().values() for ask in asks(claim)]


@pytest.mark.long(
    "every-bit-counts/definition-a.7 --p all --limit 100000",
    "one-bit-scaling/lemma-b.12 --k all --limit 100000",
    "one-bit-scaling/lemma-b.12:upper --k all --limit 100000",
    "every-bit-counts/theorem-c.1 --t all --e 2 --limit 100000",
    "fixed-point-networks/lemma-19:shift --p all --s all --limit 100000",
    "fixed-point-networks/section-4.1 --p all --s 1 --limit 100000",
    "one-bit-scaling/lemma-b.9 --n all --limit 100000",
    "piecewise-affine/equation-5:associative --n all --limit 100000",
    "piecewise-affine/equation-19 --n all --w all --limit 100000",
    "piecewise-affine/section-2.2:every-pattern --e all --m 1 --limit 100000",
    "piecewise-affine/section-2.2:every-pattern --e all --m all --limit 100000",
)
@pytest.mark.one_in(160)
@pytest.mark.parametrize("ask", ASKS)
def test_a_whole_parameter_is_no_fault(ask: str, verify: CommandLine) -> None:
    done = verify(ask)
    assert done.status != EXIT_FAULT, done.err
    assert done.out or done.err
