"""Judge a mean over all reals of a box. Balls bound it on parts of the box, and the part with the widest bounds is split.

A ball encloses the formula on each part. If every choice in it (``if``, ``abs``, ``min``, ``max``) is decided, the formula is smooth, and
its
mean is the value in the middle plus, for each real, an error of at most the second derivative times the square of the side over 24: the
midpoint rule, one real after the other. A function of a paper that is a formula is replaced by it.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import flint

from verifier.arithmetic.enclosure import ends
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.evaluation import Reader
from verifier.judges.fields import Mean
from verifier.language import balls
from verifier.language.definitions import inlined_text, written_out
from verifier.language.exact import rational
from verifier.language.real_functions import as_choices, chooses, derivative, slopes
from verifier.language.syntax import names_in
from verifier.language.tree import Choice, Node, Numeral, rebuilt
from verifier.running.errors import InputError

MOST_PARTS = 20_000
BITS = 64

Side = tuple[Fraction, Fraction]


def judge(query: Query, fields: Mean) -> Outcome:
    """Judge whether the mean of the formula is positive; refute it otherwise."""
    sides = tuple((rational(low, query.names), rational(high, query.names)) for _, low, high in fields.over)
    names = tuple(name for name, _, _ in fields.over)
    tree = written_out(inlined_text(fields.positive, query.claim.lets), Reader(query.claim.functions).written)
    if unknown := names_in(tree) - {*names} - query.names.keys():
        raise InputError(f"{query.claim.name}: no name {min(unknown)!r} in {fields.positive}")
    where = ", ".join(f"{name} from {low} to {high}" for name, low, high in fields.over)
    scope = Scope(f"the mean of {fields.positive} over all reals {where} is above 0 {query.at}".rstrip(), None, "intervals")
    low, high, parts = bounds(query, Part(as_choices(tree), names, sides, dict(query.names)))
    if low > 0:
        return Outcome(Verdict.VERIFIED, scope, f"the mean is at least {float(low):.2g}, by {parts:,} boxes of balls")
    if high <= 0:
        point = {key: str(value) for key, value in query.parameters.items()}
        return Outcome(Verdict.REFUTED, scope, counterexample={**point, "mean": f"at most {float(high):.2g}, by {parts:,} boxes of balls"})
    return Outcome(Verdict.OPEN, scope, reason=f"the mean is from {float(low):.2g} to {float(high):.2g} by {parts:,} boxes of balls")


@dataclass(frozen=True)
class Part:
    """A box and a formula whose only choices are ``if``."""

    tree: Node
    names: tuple[str, ...]
    sides: tuple[Side, ...]
    numbers: Mapping[str, Fraction]

    def bounds(self) -> tuple[Part, Fraction, Fraction]:
        """The part without the choices that are decided on it, and bounds of the formula's mean there.

        Raises:
            InputError: the formula has no value somewhere.
        """
        over = {**self.numbers, **{name: _ball(*side) for name, side in zip(self.names, self.sides, strict=True)}}
        tree = _decided(self.tree, over)
        least, most = _ends(balls.enclosure(tree, over, bits=BITS))
        if smooth(tree):
            middle = dict(over)
            correction = _ball(Fraction(0), Fraction(0))
            for name, (low, high) in zip(self.names, self.sides, strict=True):
                correction += derivative(tree, name, middle, 2, BITS) * _ball(*[(high - low) ** 2 / 24] * 2)
                middle[name] = (low + high) / 2
            low, high = _ends(balls.enclosure(tree, middle, bits=BITS) + correction)
            least, most = max(least, low), min(most, high)
        return Part(tree, self.names, self.sides, self.numbers), least, most

    def halves(self, whole: Part) -> tuple[Part, Part]:
        """The part cut in the middle of the side that is longest relative to the whole."""
        shares = [(high - low) / (b - a) for (low, high), (a, b) in zip(self.sides, whole.sides, strict=True)]
        longest = shares.index(max(shares))
        low, high = self.sides[longest]
        cut = [(*self.sides[:longest], side, *self.sides[longest + 1 :]) for side in ((low, (low + high) / 2), ((low + high) / 2, high))]
        first, second = (Part(self.tree, self.names, sides, self.numbers) for sides in cut)
        return first, second


def bounds(query: Query, whole: Part) -> tuple[Fraction, Fraction, int]:
    """Bounds of the mean, once both are on one side of 0, and the number of parts."""
    part, low, high = whole.bounds()
    waiting, made = [(low - high, 0, part, Fraction(1), low, high)], 0
    while low <= 0 < high and made < MOST_PARTS:
        _, _, part, size, least, most = heapq.heappop(waiting)
        low, high = low - size * least, high - size * most
        for half in part.halves(whole):
            known, least, most = half.bounds()
            made += 1
            low, high = low + size / 2 * least, high + size / 2 * most
            heapq.heappush(waiting, (size / 2 * (least - most), made, known, size / 2, least, most))
        query.advance(query.claim.name, made, MOST_PARTS)
    return low, high, len(waiting)


def smooth(tree: Node) -> bool:
    """Whether a formula has two continuous derivatives wherever all three have values: it has no choice and no rounding."""
    try:
        return slopes(tree, "", 0) is tree and not chooses(tree)
    except InputError:
        return False


def _decided(node: Node, over: Mapping[str, Any]) -> Node:
    """Replace each choice whose test has one answer for all of these values by its branch."""
    if isinstance(node, Choice):
        answer = balls.enclosure(Choice(node.test, Numeral(1), Numeral(0)), over, bits=BITS)
        if answer == 1 or answer == 0:
            return _decided(node.body if answer == 1 else node.orelse, over)
    return rebuilt(node, lambda part: _decided(part, over))


def _ball(low: Fraction, high: Fraction) -> Any:
    """All reals from low to high."""
    middle, radius = (low + high) / 2, (high - low) / 2
    centre, around = (flint.arb(flint.fmpq(x.numerator, x.denominator)) for x in (middle, radius))
    return centre + flint.arb(0, around)


def _ends(ball: Any) -> tuple[Fraction, Fraction]:
    if not ball.is_finite():
        raise InputError("the formula has no known bounds on a part of the box")
    return ends(ball)
