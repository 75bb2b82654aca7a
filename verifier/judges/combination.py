"""Judge inequalities that follow from others: each formula is a sum of products of terms that other claims show to be non-negative.

The premises are formulas of claims of the judge ``reals``, with formulas in place of their real; their verdicts are requested. Symbols
prove that a formula equals its sum, and the factors of each term show that it is not negative. A point shows that the conditions under
``given`` can hold.

The claim's formulas may follow from its sentence by an argument, which its ``checks`` then give. No program reads these words, so such a
claim is conditional on them, whether or not it says so (``words``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from verifier.arithmetic.rationals import Fraction
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim, Query, by_edition
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import IN_WORDS, Outcome, Scope, Verdict
from verifier.judges.fields import Combination, Reals
from verifier.judges.reals import equal
from verifier.language.definitions import inlined_text, with_meanings
from verifier.language.printer import printed
from verifier.language.syntax import names_in
from verifier.language.tree import Name, Node, Numeral, Operation
from verifier.running.errors import InputError

BITS = 128


@by_edition
def judge(query: Query, fields: Combination) -> Outcome:
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
    """Whether two formulas are the same, as symbols: no, if balls separate their values at one point."""
    from verifier.proofs.rational_numbers import sympy

    names = sorted(names_in(left) | names_in(right))
    apart = {name: Fraction(k + 2, k + 3) for k, name in enumerate(names)}
    try:
        if not _ball(Operation(left, "-", right), apart).contains(0):
            return False
    except InputError:  # no value at this point
        pass
    return equal(left, right, {name: sympy.Symbol(name, real=True) for name in names})


def _ball(formula: Node, names: Mapping[str, Any]) -> Any:
    from verifier.language import balls

    if missing := names_in(formula) - names.keys():
        raise InputError(f"the point has no value for {min(missing)}")
    return balls.enclosure(formula, names, bits=BITS)
