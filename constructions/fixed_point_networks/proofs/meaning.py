"""What the propositions say of sets, layers, weights, bounds and slopes: each has to have one of the forms that stand here.

Those of slopes are read here, inequality by inequality; the others stand in ``forms.toml``.
"""

from __future__ import annotations

from pathlib import Path

from verifier.arithmetic.rationals import Fraction
from verifier.kernel.forms import Forms
from verifier.kernel.propositions import Meaning, Proposition, form, matched
from verifier.kernel.terms import Term
from verifier.running.errors import InputError

Fields = dict[str, object]
FORMS = Forms.of(Path(__file__).with_name("forms.toml"))

CONDITION = """forall L p s f act, setting p s act -> rounded_activation L p f act -> _name L p f ->
    forall b, everything p s _a (gap p act) b"""
"""That a condition gives S or BS: the conditions speak of the steps of an activation, which the mean value theorem bounds."""

BETWEEN_TWO = "exists q1 q2, levels_from p q1 q2 /\\ values L f q1 q2 _low _high /\\ steps L f q1 q2 (fun x y => _below /\\ _above) /\\ "
SLOPES = {
    BETWEEN_TWO + "(le L (shift L (f q1) _d) (f q2) \\/ le L (shift L (f q2) _d) (f q1))": "[{_d}, inf)",
    BETWEEN_TWO + "lt L (f q2) (shift L (f q1) (_d * (q2 - q1) - 1)) /\\ "
    "lt L (f q1) (shift L (f q2) (_d * (q2 - q1) - 1))": "[0, {_d}*n - 1)",
    "3 <= p /\\ values L f _from _to _low _high /\\ steps L f _from _to (fun x y => _below /\\ _above)": "",
}  # fmt: skip
"""The forms of (A1) to (A7), each with the distance of the ends, where it has one."""
BELOW = {
    "_r L (shift L (times L _c x) _k) (times L _c y)": 1, "_r L (shift L x _k) y": 1,
    "_r L (times L _c y) (shift L (times L _c x) _k)": -1, "_r L y (shift L x _k)": -1,
}  # fmt: skip
"""An inequality between a step's ends x and y: 1 bounds the slope from below, -1 from above; the bound is k/c."""


LEVELS = {form("0"): "0", form("top p"): "top", form("- top p"): "-top"}


def meaning(stated: Proposition) -> Meaning:
    """What a proposition says of sets, layers, weights, bounds and slopes.

    Raises:
        InputError: it has none of the forms.
    """
    if (found := matched(form(CONDITION), stated.stated)) is not None:
        condition, binary = found["_name"], found["_a"].text == "binary"
        fields = _slopes(stated, stated.unfolded(Term("call", "", (condition, *map(form, "Lpf")))))
        named: Fields = {"condition": f"condition-{condition.text}", "set": "BS"}
        about = {key: str(value) for key, value in fields.items()} if binary else {}
        return Meaning(about=about, fields=named if binary else fields, given="the mean value theorem")
    return FORMS.meaning(stated)


def _slopes(stated: Proposition, condition: Term) -> Fields:
    for text, ends in SLOPES.items():
        if (found := matched(form(text), condition)) is not None:
            (least, reached), (most, reached_too) = _bound(found["_below"], 1), _bound(found["_above"], -1)
            slope = f"{'[' if reached else '('}{least}, {most}{']' if reached_too else ')'}"
            if not {found["_low"], found["_high"]} <= LEVELS.keys():
                raise InputError(f"{stated.theorem.states}: the values of its condition have no counterpart in the program")
            low, high = (LEVELS[found[end]] for end in ("_low", "_high"))
            values = f"[{low}, {high}]"
            between = [_whole(found["_from"]), _whole(found["_to"])] if not ends else ""
            distance = {"ends": ends.format(_d=found["_d"].text)} if ends else {}
            return {"slope": slope, "values": values, "between": between, **distance}
    raise InputError(f"{stated.theorem.states}: its condition has no counterpart in the program")


def _bound(inequality: Term, side: int) -> tuple[Fraction, bool]:
    """The bound of a slope, and whether it is reached."""
    for text, of in BELOW.items():
        if of == side and (found := matched(form(text), inequality)) is not None and found["_r"].text in ("le", "lt"):
            by = _whole(found["_c"]) if "_c" in found else 1
            return Fraction(_whole(found["_k"]), by), found["_r"].text == "le"
    raise InputError("a bound of the steps has no counterpart in the program")


def _whole(term: Term) -> int:
    inner = term.parts[0] if term.kind in ("-_", "scope") else term
    return -int(inner.text) if term.kind == "-_" else int(inner.text)
