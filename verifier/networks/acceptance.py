"""The meaning of the output node. Yes and no are conditions on ``out``, or 1 and 0 as in the papers.

A condition compares ``out`` with numbers, so it has one truth value between two neighbouring thresholds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from verifier.arithmetic.numbers import NAN, Number
from verifier.arithmetic.rationals import Fraction
from verifier.language import exact
from verifier.language.definitions import with_numbers
from verifier.language.printer import printed
from verifier.language.syntax import condition, names_in, parse, quoted
from verifier.language.tree import Comparison, Logic, Membership, Name, Node
from verifier.networks.entries import Names
from verifier.running.errors import InputError, misplaced, placed

OUT = "out"
"""The output node's value in conditions."""
OVERLAP = "yes and no both hold where {}; conditions that exclude each other were expected"
EXPECTED = "on out such as out > 1/2"


@dataclass(frozen=True)
class Acceptance:
    """The conditions on ``out`` for yes and no; no: empty if every output that is not yes is no.

    rectified: whether ``out`` is max{0, sum}, as in the papers, or the sum itself.
    """

    yes: str = "out == 1"
    no: str = "out == 0"
    rectified: bool = True

    @property
    def usual(self) -> bool:
        """Whether this is the papers' rule: 1 is yes and 0 is no."""
        return self == USUAL

    def answer(self, output: Number) -> int | None:
        """1 for yes, 0 for no and for NaN, None for neither."""
        return _answer(self, output)

    @cached_property
    def thresholds(self) -> tuple[Fraction, ...]:
        """The numbers with which ``out`` is compared, ascending: between two of them the answer is constant."""
        found = {exact.rational(each, {}) for text in (self.yes, self.no) if text for each in _compared(parse(text))}
        return tuple(sorted(found))

    @property
    def both(self) -> Fraction | None:
        """The least output for which both conditions hold: of the thresholds, one number between any two, and one beyond each end."""
        numbers = self.thresholds or (Fraction(0),)
        between = [(low + high) / 2 for low, high in pairwise(numbers)]
        tried = sorted([numbers[0] - 1, *numbers, *between, numbers[-1] + 1])
        outputs = [max(x, Fraction(0)) for x in tried] if self.rectified else tried
        return next((x for x in outputs if self.no and all(exact.truth(each, {OUT: x}) for each in (self.yes, self.no))), None)


USUAL = Acceptance()


@lru_cache(maxsize=1 << 16)
def _answer(acceptance: Acceptance, output: Number) -> int | None:
    if output is NAN:
        return 0
    if exact.truth(acceptance.yes, {OUT: output}):
        return 1
    return 0 if not acceptance.no or exact.truth(acceptance.no, {OUT: output}) else None


def acceptance_at(yes: str, no: str, rectified: bool, names: Names) -> Acceptance:
    """The conditions of a file with the parameters put into them.

    Raises:
        InputError: a text that is not a condition on ``out``, or compares anything but ``out`` with numbers; or both hold for an output.
    """
    if OUT in names:
        raise misplaced("out is the output node; no parameter or derived quantity of that name was expected", "accept")
    with placed("accept.yes", ("accept", "yes")):
        asked = _condition(yes, names)
    with placed("accept.no", ("accept", "no")):
        found = Acceptance(asked, _condition(no, names) if no else "", rectified)
    if found.both is not None:
        raise misplaced(OVERLAP.format(f"{OUT} = {found.both}"), "accept")
    return found


def _condition(text: str, names: Names) -> str:
    if OUT not in names_in(condition(text, EXPECTED)):
        raise InputError(f"{quoted(text)} is not a condition {EXPECTED}")
    numbered = printed(with_numbers(text, names, open_names=(OUT,)))
    for each in _compared(parse(numbered)):
        exact.rational(each, {})
    return numbered


def _compared(tree: Node) -> Iterator[Node]:
    """The numbers with which ``out`` is compared.

    Raises:
        InputError: another kind of condition.
    """
    match tree:
        case Logic():
            for each in tree.parts:
                yield from _compared(each)
        case Comparison() | Membership():
            sides = (tree.left, *(tree.others if isinstance(tree, Comparison) else tree.values))
            for side in sides:
                if side != Name(OUT):
                    if OUT in names_in(side):
                        raise InputError(f"{quoted(printed(tree))} computes with out; comparisons of out with numbers were expected")
                    yield side
        case _:
            raise InputError(f"{quoted(printed(tree))} is not a comparison of out with numbers")
