"""Judge inequalities for every real. Balls decide them on an interval, and sums of products derive them from others.

A formula g is positive on [a, b] except at its stated zeros (:func:`judge`). Away from these, a ball around g on a part of the interval
decides the part, or a ball around its value in the middle and its slope. At a zero, g and its derivatives up to some order vanish as
symbols, and a ball around the next derivative has one sign on a whole neighbourhood: Taylor's remainder decides there.

Other formulas are sums of products of terms that such claims show to be non-negative, with formulas in place of their real
(:func:`combination`); the verdicts of these claims are requested. Symbols prove that a formula equals its sum, and the factors of each term
show that it is not negative. A point shows that the conditions under ``given`` can hold.

The formulas of a combination may follow from its sentence by an argument, which its ``checks`` then give. No program reads these words, so
such a claim is conditional on them, whether or not it says so (``words``).

The mean of a formula over a box (:func:`mean`): balls bound it on parts of the box, and the part with the widest bounds is split. A ball
encloses the formula on each part. If every choice in it (``if``, ``abs``, ``min``, ``max``) is decided, the formula is smooth, and its mean
is the value in the middle plus, for each real, an error of at most the second derivative times the square of the side over 24: the midpoint
rule, one real after the other. A function of a paper that is a formula is replaced by it.
"""

from __future__ import annotations

import heapq
import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import flint
import msgspec

from verifier.arithmetic.enclosure import ends
from verifier.arithmetic.rationals import Fraction
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim, Query, by_edition
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import IN_WORDS, Outcome, Scope, Verdict
from verifier.judges.evaluation import Reader
from verifier.judges.fields import Combination, Mean, Reals
from verifier.language import balls
from verifier.language.definitions import inlined_text, with_meanings, written_out
from verifier.language.exact import rational
from verifier.language.printer import printed
from verifier.language.real_functions import as_choices, chooses, derivative, slopes
from verifier.language.syntax import names_in
from verifier.language.tree import Call, Choice, Name, Node, Numeral, Operation, Signed, rebuilt
from verifier.proofs.rational_numbers import sympy
from verifier.running.errors import InputError

MOST_ORDER = 4
"""The largest order of the first derivative that does not vanish at a zero."""
NEAREST = 24
"""A neighbourhood of a zero is at least 2^-NEAREST of the part that it ends."""
MOST_PARTS = 20_000
SMALLEST = 60
"""A part is at least 2^-SMALLEST of the piece."""
BITS = 128


class Wrong(Exception):  # noqa: N818  # a value that travels up
    """The failure of a formula, with its point and the reason."""

    def __init__(self, at: str, how: str) -> None:
        super().__init__(at, how)
        self.at, self.how = at, how


@dataclass(frozen=True)
class Piece:
    """A formula g of the real ``name`` between two formulas, and its stated zeros."""

    name: str
    g: Node
    ends: tuple[Node, Node]
    zeros: tuple[Node, ...]
    numbers: Mapping[str, Fraction]

    def ball(self, x: Any, order: int = 0) -> Any:
        names = {**self.numbers, self.name: x}
        return derivative(self.g, self.name, names, order, BITS) if order else balls.enclosure(self.g, names, bits=BITS)

    def number(self, formula: Node) -> Any:
        """A ball around a point of the line."""

        return balls.enclosure(formula, self.numbers, bits=BITS)


def judge(query: Query, fields: Reals) -> Outcome:
    """Judge whether every formula is positive except at its zeros, on every piece."""
    name, first, last = fields.over
    text = " and ".join(f"{g} > 0{f' but at {zeros}, where it is 0' if zeros else ''}" for g, zeros in fields.positive)
    scope = Scope(f"every real {name} from {first} to {last}: {text} {query.at}".rstrip(), None, "intervals")
    parts, asked = 0, pieces(query, fields)
    try:
        for piece in asked:
            parts += _on(piece)
    except Wrong as wrong:
        point = {key: str(value) for key, value in query.parameters.items()}
        return Outcome(Verdict.REFUTED, scope, reason=wrong.how, counterexample={**point, name: wrong.at, "found": wrong.how})
    except InputError as error:
        return Outcome(Verdict.OPEN, scope, reason=str(error))
    return Outcome(Verdict.VERIFIED, scope, f"{parts} interval{'s' * (parts != 1)} of balls, and derivatives at the zeros")


def pieces(query: Query, fields: Reals) -> list[Piece]:
    """The formulas on the pieces into which the interval is cut; a zero belongs to every piece that contains it."""
    name, first, last = fields.over
    lets = {key: text for key, text in query.claim.lets.items() if key != name}
    cut: list[tuple[str, str, dict[str, str]]] = fields.pieces or [(first, last, {})]
    found = []
    if (cut[0][0], cut[-1][1]) != (first, last) or any(a[1] != b[0] for a, b in pairwise(cut)):
        raise InputError(f"{query.claim.name}: the pieces do not go from {first} to {last} without a gap")
    for low, high, values in cut:
        meanings = {key: inlined_text(text, lets) for key, text in values.items()}
        for text, zeros in fields.positive:
            g = with_meanings(inlined_text(text, lets), meanings)
            if unknown := names_in(g) - {name} - query.names.keys():
                raise InputError(f"{query.claim.name}: no name {min(unknown)!r} in {text}")
            points = tuple(inlined_text(zero, lets) for zero in zeros.split(",") if zero.strip())
            ends = inlined_text(low, lets), inlined_text(high, lets)
            found.append(Piece(name, g, ends, points, dict(query.names)))
    return found


def _on(piece: Piece) -> int:
    """The number of intervals that show the claim on a piece.

    Raises:
        Wrong: it is false. InputError: neither can be shown.
    """
    low, high = piece.ends
    symbols(piece.g, {**piece.numbers, piece.name: sympy.Symbol(piece.name)})  # smooth wherever it has a value
    inner = []
    for zero in piece.zeros:
        at = [equal(zero, end, piece.numbers) for end in piece.ends]
        if not any(at) and _between(piece, zero):
            inner.append(zero)
    cuts = [low, *sorted(inner, key=lambda z: float(piece.number(z).mid())), high]
    is_zero = {k: any(equal(zero, cut, piece.numbers) for zero in piece.zeros) for k, cut in enumerate(cuts)}
    for k, cut in enumerate(cuts):
        _check_point(piece, cut, is_zero[k])
    return sum(_part(piece, cuts[k], cuts[k + 1], is_zero[k], is_zero[k + 1]) for k in range(len(cuts) - 1))


def _between(piece: Piece, point: Node) -> bool:
    x, low, high = (piece.number(formula) for formula in (point, *piece.ends))
    if x > low and x < high:
        return True
    if x < low or x > high:
        return False
    raise InputError(f"{printed(point)} is not distinguished from an end of its piece")


def _check_point(piece: Piece, point: Node, zero: bool) -> None:
    """The sign of the value at an end or a zero, where 0 is decided by symbols."""
    value = piece.ball(piece.number(point))
    shown = printed(point)
    if zero and not (value.contains(0) and vanishes(piece, point, 0)):
        if value.contains(0):
            raise InputError(f"the value at {shown} is not shown to be 0")
        raise Wrong(shown, f"the value is {value.str(8, radius=False)}, 0 was claimed")
    if not zero and not value > 0:
        if value < 0 or vanishes(piece, point, 0):
            raise Wrong(shown, f"the value is {value.str(8, radius=False) if value < 0 else '0'}, a positive one was claimed")
        raise InputError(f"the sign at {shown} is not known")


def _part(piece: Piece, low: Node, high: Node, zero_low: bool, zero_high: bool) -> int:
    """The intervals from one cut to the next."""
    start, stop = piece.number(low), piece.number(high)

    def over(a: Fraction, b: Fraction) -> Any:
        """All reals between two points of this part, which are given as shares of its length."""
        share = flint.arb(_dyadic((a + b) / 2), _dyadic((b - a) / 2))
        return start + (stop - start) * share

    with flint.ctx.workprec(BITS):
        a = _neighbourhood(piece, low, lambda h: over(Fraction(0), h), 1) if zero_low else Fraction(0)
        b = 1 - _neighbourhood(piece, high, lambda h: over(1 - h, Fraction(1)), -1) if zero_high else Fraction(1)
        waiting, done = [(a, b)] if a < b else [], int(zero_low) + int(zero_high)
        while waiting:
            a, b = waiting.pop()
            done += 1
            if done > MOST_PARTS:
                raise InputError(f"the proof needs more than {MOST_PARTS:,} intervals")
            x, middle = over(a, b), over((a + b) / 2, (a + b) / 2)
            at = piece.ball(middle)
            if at <= 0:
                where = (middle.str(8, radius=False), f"the value is {at.str(8, radius=False)}, a positive one was claimed")
                raise Wrong(*where)
            if piece.ball(x) > 0 or at + piece.ball(x, 1) * (x - middle) > 0:
                continue
            if b - a < Fraction(1, 1 << SMALLEST):
                raise InputError(f"the sign near {middle.str(8, radius=False)} is not known")
            waiting += [((a + b) / 2, b), (a, (a + b) / 2)]
    return done


def _dyadic(x: Fraction) -> Any:
    """A fraction whose denominator is a power of two, without radius."""
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def _neighbourhood(piece: Piece, point: Node, over: Any, side: int) -> Fraction:
    """The distance from a zero, as a share of the part, up to which the first non-zero derivative shows that the formula is positive.

    If a derivative is non-negative beside a zero, and positive at it, the formula is positive there as well.
    """
    for order in range(1, MOST_ORDER + 1):
        at = piece.ball(piece.number(point), order)
        if at.contains(0):
            if not vanishes(piece, point, order):
                raise InputError(f"derivative {order} at {printed(point)} is not shown to be 0")
            continue
        sign = side**order
        if at * sign < 0:
            where = f"{printed(point)} and just {'above' if side > 0 else 'below'}"
            raise Wrong(where, f"derivative {order} is {at.str(8, radius=False)}: the values are negative")
        for halvings in range(1, NEAREST):
            share = Fraction(1, 1 << halvings)
            if piece.ball(over(share), order) * sign > 0:
                return share
        raise InputError(f"derivative {order} has no sign near {printed(point)}")
    raise InputError(f"{MOST_ORDER} derivatives vanish at {printed(point)}")


def vanishes(piece: Piece, point: Node, order: int) -> bool:
    """Whether a derivative at a point is 0 as symbols."""
    x, at = sympy.Symbol(piece.name, real=True), symbols(point, piece.numbers)
    if order == 0:  # x**2/x has no value at 0, and x has
        return _zero(symbols(piece.g, {**piece.numbers, piece.name: at}))
    return _zero(sympy.diff(symbols(piece.g, {**piece.numbers, piece.name: x}), x, order).subs(x, at))


def equal(left: Node, right: Node, numbers: Mapping[str, Any]) -> bool:
    """Whether two formulas without a free name are one number, as symbols."""
    return _zero(symbols(left, numbers) - symbols(right, numbers))


def _zero(expression: Any) -> bool:
    """Whether an expression of rationals, exp and log is 0 as symbols."""
    if expression.is_Rational:
        return bool(expression == 0)
    expanded = sympy.expand(sympy.powsimp(sympy.expand(sympy.expand_log(sympy.expand(expression)))))
    return bool(expanded == 0) or bool(sympy.simplify(expression) == 0)


def symbols(node: Node, names: Mapping[str, Any]) -> Any:
    """A formula of numbers, names, + - * / **, exp, log and sqrt as an expression of sympy.

    Raises:
        InputError: it has something else.
    """
    match node:
        case Numeral(value):
            return sympy.Rational(*value.as_integer_ratio())
        case Name(name) if name in names:
            given = names[name]
            return sympy.Rational(*given.as_integer_ratio()) if isinstance(given, Fraction) else given
        case Signed("-", operand):
            return -symbols(operand, names)
        case Operation(left, op, right) if op in OPERATIONS:
            return OPERATIONS[op](symbols(left, names), symbols(right, names))
        case Call("exp" | "log" | "sqrt" as name, (of,)):
            return getattr(sympy, name)(symbols(of, names))
    raise InputError(f"{printed(node)} has no reading as a smooth function")


OPERATIONS: dict[str, Any] = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow}


@by_edition
def combination(query: Query, fields: Combination) -> Outcome:
    """Check that each formula equals its sum, with premises that are verified and no negative term; open if that is not shown."""
    work, reason = Work(query, fields), None
    try:
        premises = {name: work.premise(name) for name in fields.from_}
        for text, total in fields.positive:
            work.check(text, total, premises)
        work.look_at_the_point()
    except InputError as error:
        reason = str(error)
    names = sorted({name for text, _ in fields.positive for name in names_in(work.formula(text))} - query.names.keys())
    given = f" with {' and '.join(f'{text} >= 0' for text in fields.given)}" if fields.given else ""
    defined = "".join(f", {name} {meaning}" for name, meaning in (*fields.means.items(), *work.meanings.items()))
    shown = " and ".join(f"{text} >= 0" for text, _ in fields.positive)
    scope = Scope(f"every real {', '.join(names)}{given}{defined}: {shown} {query.at}".rstrip(), None, "combination")
    if reason is not None:
        return Outcome(Verdict.OPEN, scope, reason=reason)
    shown_by = ", ".join(dict.fromkeys(claim for claim, _, _ in fields.from_.values()))
    witness = f"sums of what is not negative{f', by {shown_by}' if shown_by else ''}"
    if query.claim.checks:
        return Outcome(Verdict.CONDITIONAL, scope, witness, (IN_WORDS,))
    return Outcome(Verdict.VERIFIED, scope, witness)


@dataclass(frozen=True)
class Meaning:
    """The meaning of a name: ``key`` of a claim that defines it by pieces, in which the claim's real is ``real``."""

    claim: str
    key: str
    real: str
    pieces: tuple[tuple[str, str, str], ...]

    def __str__(self) -> str:
        return f"the {self.key} of {self.claim} at {self.real}"


@dataclass
class Work:
    """One combination; ``meanings`` of the names that a premise defines by pieces, because each name can have only one."""

    query: Query
    fields: Combination
    meanings: dict[str, Meaning] = field(default_factory=dict)

    def formula(self, text: str) -> Node:
        return inlined_text(text, self.query.claim.lets)

    def premise(self, name: str) -> Node:
        """The formula of a premise, its names replaced as the combination says.

        Raises:
            InputError: its claim is not verified, or the formula is used beyond the claim's interval.
        """
        ident, number, names = self.fields.from_[name]
        ident = ident if "/" in ident else f"{self.query.claim.paper}/{ident}"
        verdict = self.query.ask(ident).verdict
        if verdict is not Verdict.VERIFIED:
            raise InputError(f"{name} rests on {ident}, which is {verdict.value}")
        claim = find_claim(ident).of_edition(self.query.edition)
        reals = _reals(claim)
        if not 0 <= number < len(reals.positive):
            raise InputError(f"{name} is formula {number} of {ident}, which has {len(reals.positive)}")
        real, first, last = reals.over
        lets = {key: text for key, text in claim.lets.items() if key != real}
        values = {key: self.formula(text) for key, text in names.items()}
        stated = inlined_text(reals.positive[number][0], lets)
        if missing := (names_in(stated) | {real}) - values.keys():
            raise InputError(f"{name}: the field from gives no value for {min(missing)} of {ident}")
        at, ends = values[real], (inlined_text(first, lets), inlined_text(last, lets))
        for bound in (Operation(at, "-", ends[0]), Operation(ends[1], "-", at)):
            if not self.not_negative(bound, {}):
                raise InputError(f"{name}: {printed(bound)} >= 0 is not given, but {ident} needs it")
        for key in sorted(names_in(stated) - {real}):
            written = [with_meanings(inlined_text(of[key], lets), {real: at}) for _, _, of in reals.pieces]
            cuts = [[printed(inlined_text(end, lets)) for end in piece[:2]] for piece in reals.pieces]
            pieces = tuple((low, high, printed(of)) for (low, high), of in zip(cuts, written, strict=True))
            self._define(values[key], Meaning(claim.name, key, printed(at), pieces))
        return with_meanings(stated, values)

    def _define(self, value: Node, meaning: Meaning) -> None:
        """Record the meaning of a name that a premise defines by pieces."""
        if not isinstance(value, Name):
            raise InputError(f"{printed(value)} is to be {meaning}: a name was expected")
        known = self.meanings.setdefault(value.name, meaning)
        if (known.real, known.pieces) != (meaning.real, meaning.pieces):
            raise InputError(f"{value.name} is {known}, and {meaning}")

    def check(self, text: str, total: str, premises: Mapping[str, Node]) -> None:
        """Check that a formula equals the sum and that no term of the sum is negative.

        Raises:
            InputError: one of them is not seen.
        """
        claimed, summed = self.formula(text), self.formula(total)
        if both := names_in(claimed) & premises.keys():
            raise InputError(f"{min(both)} is a premise and a name of {text}")
        if not self.not_negative(summed, premises):
            raise InputError(f"{total} may be negative: premises, what is given, squares, constants, their sums and products were expected")
        if not _same(claimed, with_meanings(summed, premises)):
            raise InputError(f"{text} is not shown to equal {total}")

    def not_negative(self, node: Node, premises: Mapping[str, Node]) -> bool:
        """Whether a formula is a premise, is given, is a square or a non-negative constant, or is a sum or product of such."""
        if isinstance(node, Name) and node.name in premises:
            return True
        if not names_in(node):
            return bool(_ball(node, {}) >= 0)
        match node:
            case Operation(left, "+" | "*", right):
                parts = self.not_negative(left, premises) and self.not_negative(right, premises)
            case Operation(left, "/", right) if not names_in(right):
                parts = self.not_negative(left, premises) and self.not_negative(right, premises)
            case Operation(left, "-", Numeral(0)):
                parts = self.not_negative(left, premises)
            case Operation(_, "**", Numeral(2)):
                parts = True
            case _:
                parts = False
        return parts or any(_same(node, self.formula(each)) for each in self.fields.given)

    def look_at_the_point(self) -> None:
        """Check with balls that the conditions under ``given`` hold at the point ``at``, and that the conclusion is true there.

        Raises:
            InputError: the point has no value for a name, or balls do not show a given condition there.
            AssertionError: the conclusion is false there, which is a fault of this program.
        """
        values = {name: _ball(self.formula(text), {}) for name, text in self.fields.at.items()}
        for name, meaning in self.meanings.items():
            at = _ball(inlined_text(meaning.real, {}), values)
            on = [of for low, high, of in meaning.pieces if _ball(inlined_text(low, {}), {}) <= at <= _ball(inlined_text(high, {}), {})]
            if not on:
                raise InputError(f"at the point {meaning.real} is not shown to lie on a piece of {meaning.claim}")
            values[name] = _ball(inlined_text(on[0], {}), values)
        for text in self.fields.given:
            if not _ball(self.formula(text), values) >= 0:
                raise InputError(f"{text} >= 0 is given, but not shown at the point")
        for text, _ in self.fields.positive:
            assert not _ball(self.formula(text), values) < 0, f"{self.query.claim.name}: {text} is shown, and false at the point"


def _reals(claim: Claim) -> Reals:
    """The formulas of a claim of the judge ``reals``.

    Raises:
        InputError: it is of another judge, or has parameters.
    """
    if not isinstance(claim.judge, NamedJudge) or claim.judge.kind is not Reals or claim.parameters:
        raise InputError(f"{claim.name} is not a claim of the judge reals without parameters")
    return msgspec.convert(claim.judge.fields, Reals)


def _same(left: Node, right: Node) -> bool:
    """Whether symbols show that two formulas are equal. Two sides are not equal if balls separate their values at one point."""
    names = sorted(names_in(left) | names_in(right))
    apart = {name: Fraction(k + 2, k + 3) for k, name in enumerate(names)}
    try:
        if not _ball(Operation(left, "-", right), apart).contains(0):
            return False
    except InputError:  # no value at this point
        pass
    return equal(left, right, {name: sympy.Symbol(name, real=True) for name in names})


def _ball(formula: Node, names: Mapping[str, Any]) -> Any:
    if missing := names_in(formula) - names.keys():
        raise InputError(f"the point has no value for {min(missing)}")
    return balls.enclosure(formula, names, bits=BITS)


BITS_OF_A_MEAN = 64

Side = tuple[Fraction, Fraction]


def mean(query: Query, fields: Mean) -> Outcome:
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
        over = {**self.numbers, **{name: _reals_from(*side) for name, side in zip(self.names, self.sides, strict=True)}}
        tree = _decided(self.tree, over)
        least, most = _ends(balls.enclosure(tree, over, bits=BITS_OF_A_MEAN))
        if smooth(tree):
            middle = dict(over)
            correction = _reals_from(Fraction(0), Fraction(0))
            for name, (low, high) in zip(self.names, self.sides, strict=True):
                correction += derivative(tree, name, middle, 2, BITS_OF_A_MEAN) * _reals_from(*[(high - low) ** 2 / 24] * 2)
                middle[name] = (low + high) / 2
            low, high = _ends(balls.enclosure(tree, middle, bits=BITS_OF_A_MEAN) + correction)
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
        answer = balls.enclosure(Choice(node.test, Numeral(1), Numeral(0)), over, bits=BITS_OF_A_MEAN)
        if answer == 1 or answer == 0:
            return _decided(node.body if answer == 1 else node.orelse, over)
    return rebuilt(node, lambda part: _decided(part, over))


def _reals_from(low: Fraction, high: Fraction) -> Any:
    """All reals from low to high."""
    middle, radius = (low + high) / 2, (high - low) / 2
    centre, around = (flint.arb(flint.fmpq(x.numerator, x.denominator)) for x in (middle, radius))
    return centre + flint.arb(0, around)


def _ends(ball: Any) -> tuple[Fraction, Fraction]:
    if not ball.is_finite():
        raise InputError("the formula has no known bounds on a part of the box")
    return ends(ball)
