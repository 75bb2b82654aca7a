"""What the propositions say of sets, layers, weights, bounds and slopes: each has to have one of the forms that stand here.

A form is the whole text of a proposition; the names that begin with _ stand for what is read. So no word of a proposition can be another
one unless it is one of those, which have to be what the fields of a claim say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from verifier.arithmetic.rationals import Fraction
from verifier.kernel.propositions import Meaning, Proposition, form, matched
from verifier.kernel.terms import Term
from verifier.running.errors import InputError

Parts = Mapping[str, Term]
Fields = dict[str, object]
WEIGHTS = {"fixed_point": ("Q", ""), "binary": ("+-1", "B")}
"""The weights of a kind, and what begins the name of a set of sums with these."""
SETS = {"output": "N", "gap": "S"}
BOUND = "4 * s * top p + 3 * s"
"""Twice 2 q_max + 3/(2s), in 1/s^2."""
FURTHEST = {"furthest": "2*top/s + 3/(2*s)"}


def _set(found: Parts, name: str = "_X") -> str:
    return WEIGHTS[found["_a"].text][1] + SETS[found[name].text]


SIGNS = {
    "phi": """sum (map (fun abk => - rho (nearest p s (s * (snd abk - fst (fst abk) + z))) + rho (top p)
                                   - rho (nearest p s (s * (- snd abk + snd (fst abk) + z))) + rho (top p)) (combine c x))""",
    "g": "- rho (nearest p s (s * (phi p s rho z c x + (z - 1)))) + rho (top p)",
}
"""Eqs. (23) and (25): what is subtracted, and what is added."""


def _signs(stated: Proposition) -> Fields:
    if any(stated.definitions[name].term != form(text) for name, text in SIGNS.items()):
        raise InputError("the signs of phi and g have no counterpart in the program")
    return {"rho_2": [-1, 1], "rho_3": [-1, 1], "weights": "", "copies": ""}


FORMS: dict[str, Callable[[Parts, Proposition], Fields]] = {
    """forall p s act, setting p s act -> represents_everything p s _a act -> exists b, everything p s _a (_X p act) b""": (
        lambda found, _: {"set": _set(found)}
    ),
    """forall p s act d f v, setting p s act -> network_of p s _a d f -> (1 < depth f)%nat ->
       forall n x, last (others f) (first f) = [n] -> input p d x -> run p s act f x = [v] ->
       rounded p s _a (output p act) (bias n) v""": lambda found, _: {},
    """forall p s act d c t, setting p s act -> condition_1 p act -> (0 < d)%nat -> box p d c -> sums p s _a (gap p act) t ->
       exists f rho, network_of p s _a d f /\\ depth f = _layers /\\ neuron_of p s _a (outputs_of f) rho /\\ bias rho = 0 /\\
       forall x, input p d x -> (inside c x -> affine s rho (map act (run p s act f x)) = t) /\\
       (~ inside c x -> affine s rho (map act (run p s act f x)) = 0)""": (
        lambda found, _: {"layers": int(found["_layers"].text), "weights": WEIGHTS[found["_a"].text][0].removeprefix("Q")}
    ),
    """forall p s act, setting p s act -> condition_1 p act -> (exists b, everything p s _a (gap p act) b) ->
       represents_everything p s _a act""": lambda found, _: {"weights": WEIGHTS[found["_a"].text][0].removeprefix("Q")},
    """forall p s act, setting p s act -> condition_1 p act ->
       (forall b v, rounded p s _a (_X p act) b v <-> rounded p s _a (_Y p act) b v) ->
       (represents_everything p s _a act <-> exists b, everything p s _a (_Y p act) b)""": (
        lambda found, _: {"necessary": _set(found), "sufficient": _set(found, "_Y"), "weights": WEIGHTS[found["_a"].text][0]}
    ),
    """forall p s a d act f ns n m, (0 < m)%nat ->
       network_of p s a d (Network (first f) (others f ++ [ns])) -> neuron_of p s a (length ns) n ->
       network_of p s a d (Network (first f) (others f ++ [copied m ns])) /\\
       neuron_of p s a (length (copied m ns)) (summed m n) /\\
       depth (Network (first f) (others f ++ [copied m ns])) = depth (Network (first f) (others f ++ [ns])) /\\
       forall x, affine s (summed m n) (map act (run p s act (Network (first f) (others f ++ [copied m ns])) x)) =
       Z.of_nat m * affine s n (map act (run p s act (Network (first f) (others f ++ [ns])) x))""": lambda found, _: {"adds": "rho_2"},
    """forall p s rho z m q d c x, setting p s rho -> threshold p rho z -> box p d c -> input p d x -> level p q ->
       1 <= m -> 2 * top p * s < m * (top p * (rho (top p) - rho (z - 1))) ->
       (inside c x -> F p s rho z m q c x = rho (top p) - rho q) /\\ (~ inside c x -> F p s rho z m q c x = 0)""": (
        lambda found, stated: _signs(stated)
    ),
    """forall p s b gs, 1 <= p -> 1 <= s -> one_cube gs ->
       nearest p s (s * b + sum (map product gs)) = nearest p s (sum (map (fun gi => (fst gi + s * b) * snd gi) gs)) /\\
       nearest p s (sum (map (fun gi => (fst gi + s * b) * snd gi) gs)) =
       sum (map (fun gi => nearest p s (fst gi + s * b) * snd gi) gs)""": lambda found, _: {},
    f"""forall p s act, 3 <= p -> setting p s act -> (exists b, everything p s fixed_point (gap p act) b) ->
       exists b, level p b /\\ forall v, level p v ->
       exists t, sums p s fixed_point (gap p act) t /\\ 2 * Z.abs t <= {BOUND} /\\ nearest p s (s * b + t) = v""": (
        lambda found, _: {**FURTHEST}
    ),
    f"""forall p s act V t, setting p s act -> NoDup V -> (forall v, In v V <-> gap p act v) ->
       sums p s fixed_point (gap p act) t -> 2 * Z.abs t <= {BOUND} ->
       exists ts, terms p s fixed_point (gap p act) ts /\\ t = sum (map product ts) /\\
       Z.of_nat (length ts) <= s * (2 ^ (p + 2) - 1) * Z.of_nat (length V)""": (
        lambda found, _: {**FURTHEST, "at_most": "s*(2**(p + 2) - 1)*gaps"}
    ),
    f"""forall p s act d v t, setting p s act -> condition_1 p act -> (0 < d)%nat -> input p d v ->
       sums p s fixed_point (gap p act) t -> 2 * Z.abs t <= {BOUND} ->
       exists f rho, network_of p s fixed_point d f /\\ depth f = 3%nat /\\ neuron_of p s fixed_point (outputs_of f) rho /\\
       bias rho = 0 /\\
       (forall x, input p d x -> affine s rho (map act (run p s act f x)) = if list_eq_dec Z.eq_dec x v then t else 0) /\\
       parameters f rho <= _constant * 2 ^ (2 * p) * s ^ 2 * Z.of_nat d""": (
        lambda found, _: {**FURTHEST, "bound": f"{found['_constant'].text} * 2**(2*p) * s**2 * d"}
    ),
    """forall x1 xs d, 0 < x1 -> ascending (x1 :: xs) -> greatest_divisor d (x1 :: xs) ->
       exists c1 cs, length cs = length xs /\\ c1 * x1 + sum (map product (combine cs xs)) = d /\\
       Z.abs c1 <= last xs x1 / d /\\ Forall (fun c => Z.abs c <= x1 / d) cs""": (
        lambda found, _: {"first": "xn/d", "rest": "x1/d", "lengths": ["n"]}
    ),
    """forall L p f act, 1 <= p -> rising L p f \\/ falling L p f -> rounded_activation L p f act ->
       (exists j k, level p j /\\ level p k /\\ act j <> act k) -> condition_1 p act""": lambda found, _: {},
}
"""The forms, and what the fields of a claim have to be."""

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
    term = stated.stated
    if (found := matched(form(CONDITION), term)) is not None:
        condition, binary = found["_name"], found["_a"].text == "binary"
        fields = _slopes(stated, stated.unfolded(Term("call", "", (condition, *map(form, "Lpf")))))
        named: Fields = {"condition": f"condition-{condition.text}", "set": "BS"}
        about = {key: str(value) for key, value in fields.items()} if binary else {}
        return Meaning(about=about, fields=named if binary else fields, given="the mean value theorem")
    for text, fields_of in FORMS.items():
        if (found := matched(form(text), term)) is not None:
            return Meaning(fields=fields_of(found, stated))
    raise InputError(f"{stated.theorem.states} has no counterpart in the program")


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
