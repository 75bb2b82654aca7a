"""What the propositions say of strings, bits, tables and readings: each part of a clause has to be one that is known here.

A clause is one of three. ``output p T o = if y =? z then 1 else 0``: the transformer T computes EQ with p bits in the order o. ``answer N
D = (y =? z)`` for two running sums over all tokens: EQ is computed from them. ``~`` of that: it is not, whatever the products and the
weights are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.kernel.propositions import Clause, Meaning, Proposition, form
from verifier.kernel.terms import Term
from verifier.running.errors import InputError

ORDERS = {"matrix_order": "a4", "token_order": "narrative"}
"""The orders of `Arithmetic.v` and the readings that `cases.py` evaluates them with."""

TABLES = {
    "witness": "witness-t1",
    "on_T0 unpadded_row": "witness-t0",
    "on_T0 simple_row": "witness-t0-simple",
    "single": "witness-t0-p2",
    "corrected_table_6": "table-6 with its errata",
    "corrected_table_5": "table-5 with its errata",
    "grid_product grid_weight": "witness-grid",
}
"""The construction file of a transformer, or of the terms of two sums, as `cases.py` compares them."""

GRID = "narrative+point=grid"
ZEROS = (form("Fin 0"), form("whole p 0"))
ASIDE = """\
It takes e^(k ln 2) as 2^k. That entries and weights are numbers of so many bits is the theorem every_entry_has_the_bits."""
"""What the clauses on a transformer's output leave out; `Entries.v` has all transformers of :data:`TABLES`."""
GRIDS = (GRID, "a4+point=grid+order=values")
"""The readings in which a sum is one running sum of levels of one grid; the second sums other products, so that only a theorem about all
products speaks of it."""


def meaning(stated: Proposition) -> Meaning:
    """What a proposition says of strings, bits, tables and readings.

    Raises:
        InputError: a part that has no counterpart in the program.
    """
    computing = [clause for clause in stated.clauses if not _is_rejection(clause.conclusion)]
    for clause in stated.clauses:
        if _is_rejection(clause.conclusion) and not any(_rejects(clause, other) for other in computing):
            raise InputError(f"{stated.theorem.states}: what is rejected has no counterpart in the program")
    found = [_Clause(stated, clause).meaning() for clause in computing]
    about: dict[str, str] = {}
    for each in found:
        for key, value in each.about.items():
            if about.setdefault(key, value) != value:
                raise InputError(f"{stated.theorem.states}: its parts speak of {key} {about[key]} and {value}")
    strings = tuple(dict.fromkeys(name for each in found for name in each.strings))
    aside = " ".join(dict.fromkeys(each.aside for each in found))
    return Meaning(tuple(dict.fromkeys(name for each in found for name in each.readings)), about, strings, aside=aside)


def _is_rejection(term: Term) -> bool:
    """``x = Fin 0 \\/ x = NaN``: how strings that are not equal are rejected."""
    return term.kind == "\\/" and all(part.kind == "=" for part in term.parts) and term.parts[1].parts[1] == Term("name", "NaN")


def _rejects(clause: Clause, other: Clause) -> bool:
    """Whether the output of the same sums is 0 or NaN where the strings of the other clause, y <= z, are not equal."""
    (output, zero), (same, _) = (part.parts for part in clause.conclusion.parts)
    sums = other.conclusion.parts[0].parts[-2:] if other.conclusion.kind == "=" else ()
    own, others = set(clause.hypotheses) - set(other.hypotheses), set(other.hypotheses) - set(clause.hypotheses)
    ordered = [each.kind for each in own] == ["<"] and others == {Term("<=", "", each.parts) for each in own}
    return output == same and output.parts[-2:] == sums and zero in ZEROS and ordered


class _Clause:
    def __init__(self, stated: Proposition, clause: Clause) -> None:
        self.stated = stated
        self.clause = clause

    def refuse(self, what: str) -> InputError:
        return InputError(f"{self.stated.theorem.states}: {what} has no counterpart in the program")

    def meaning(self) -> Meaning:
        match self.clause.conclusion:
            case Term("=", _, (Term("call", _, (Term("name", "output"), *_)) as output, answer)):
                return self.computes(output, answer)
            case Term("if", _, (equal, Term("=", _, (output, one)), Term("call", _, (Term("name", "rejected"), _, other)))) if (
                output == other
            ):
                zero = Term("call", "", (one.parts[0], one.parts[1], Term("number", "0")))
                return self.computes(output, Term("if", "", (equal, one, zero)))
            case Term("=", _, (Term("call", _, (_, Term(), Term())) as answer, Term("=?") as equal)) | Term(
                "=", _, (Term("call", _, (_, _, Term(), Term())) as answer, Term("=?") as equal)
            ):
                return self.from_two_sums(answer, equal)
            case Term("~_", _, (inner,)):
                (found,) = Proposition(self.stated.theorem, self.stated.definitions, self.stated.constructors).of(inner)
                clause = Clause((*self.clause.variables, *found.variables), (*self.clause.hypotheses, *found.hypotheses), found.conclusion)
                return _Clause(self.stated, clause).impossible()
        raise self.refuse("the conclusion")

    def strings(self, y: Term, z: Term) -> dict[str, str]:
        """Length and promise, from the hypotheses on the two strings, which may be no others than these."""
        names = {y.text, z.text}
        here = [each for each in self.clause.hypotheses if self.stated.free(each) & names]
        zero, powers = Term("number", "0"), {each.parts[1] for each in here if each.kind == "<"}
        if len(powers) != 1:
            raise self.refuse("the range of the strings")
        power = powers.pop()
        match power:
            case Term("^", _, (Term("number", "2"), exponent)):
                length = self.stated.formula(exponent)
            case Term("number", "2"):
                length = "1"
            case _:
                raise self.refuse("the range of the strings")
        below = {Term("<=", "", (zero, y)), Term("<", "", (z, power))}
        if set(here) == below | {Term("<=", "", (y, z))}:
            return {"length": length, "promise": "y <= z"}
        if set(here) == below | {Term("<=", "", (zero, z)), Term("<", "", (y, power))}:
            return {"length": length}
        raise self.refuse("a hypothesis on the strings")

    def only(self, *allowed: str) -> None:
        """The clause has no other hypotheses than comparisons, and those that begin with these names under quantifiers."""
        for each in self.clause.hypotheses:
            inner = each
            while inner.kind == "forall":
                inner = inner.parts[1]
            known = inner.kind == "call" and inner.parts[0].text in allowed
            if each.kind not in ("<", "<=") and not known:
                raise self.refuse("a hypothesis")

    def computes(self, output: Term, answer: Term) -> Meaning:
        self.only()
        _, bits, transformer, order = output.parts
        match answer:
            case Term("if", _, (Term("=?", _, (y, z)), yes, no)) if (yes, no) == (self.whole(bits, "1"), self.whole(bits, "0")):
                strings = self.strings(y, z)
            case _:
                raise self.refuse("the output for equal and other strings")
        read = self.representation(transformer, strings["length"], y, z)
        about = {"function": "EQ", **strings, "bits": self.stated.formula(bits), "representation": read}
        head = " ".join([transformer.parts[0].text, *(part.text for part in transformer.parts[1:2] if part.text.endswith("_row"))])
        if head in TABLES:
            about["table"] = TABLES[head]
        if order.text in ORDERS:
            return Meaning((ORDERS[order.text],), about, (y.text, z.text), aside=ASIDE)
        if any(name == order.text for name, _ in self.clause.variables):
            return Meaning(tuple(ORDERS.values()), about, (y.text, z.text), aside=ASIDE)
        raise self.refuse("the order of evaluation")

    def whole(self, bits: Term, value: str) -> Term:
        return Term("call", "", (Term("name", "whole"), bits, Term("number", value)))

    def representation(self, transformer: Term, length: str, y: Term, z: Term) -> str:
        """The input representation that the tokens read, from the definition of the transformer or the sum."""
        unfolded = self.stated.unfolded(transformer)
        while unfolded.kind == "let":
            unfolded = self.stated.put_in(unfolded.parts[1], unfolded.names[0], unfolded.parts[0])
        found = {(call[0].text, self.stated.formula(call[1]), *call[2:4]) for call in _calls(unfolded) if call[0].text in ("T0", "T1")}
        if len(found) != 1:
            raise self.refuse("the input representation")
        ((name, read, *strings),) = found
        if strings != [y, z] or read != length:
            raise self.refuse("what the tokens read")
        return str(name)

    def from_two_sums(self, answer: Term, equal: Term) -> Meaning:
        self.only()
        (n_add, n_bits, product), (d_add, d_bits, weight), about = self.sums(answer, equal)
        heads = f"{product.parts[0].text} {weight.parts[0].text}"
        if n_add != d_add or n_bits != d_bits:
            raise self.refuse("the additions of the two sums")
        found, names = {"function": "EQ", **about, "bits": n_bits}, tuple(part.text for part in equal.parts)
        if n_add == "grid_add" and heads in TABLES:
            return Meaning((GRID,), {**found, "table": TABLES[heads]}, names)
        if n_add == "split_add":
            return Meaning((), found, names)
        raise self.refuse("the addition")

    def impossible(self) -> Meaning:
        self.only("nonnegative")
        conclusion = self.clause.conclusion
        (n_add, n_bits, product), (d_add, d_bits, weight), about = self.sums(*conclusion.parts)
        names = tuple(part.text for part in conclusion.parts[1].parts)
        free = {name for name, _ in self.clause.variables}
        if n_add != d_add or n_bits != d_bits or not {product.text, weight.text, conclusion.parts[0].parts[0].text} <= free:
            raise self.refuse("what the sums are made of")
        splits = [
            each for each in self.clause.hypotheses if self.stated.free(each) & free - {"p", "n", *names} and each.kind in ("<", "<=")
        ]
        if any(each.kind != "<=" or each.parts[0] != Term("number", "0") for each in splits):
            raise self.refuse("a hypothesis on the splits")
        if n_add == "grid_add":
            return Meaning(GRIDS, {"length": about["length"], "fewer": n_bits}, names)
        if n_add == "split_add":
            return Meaning((), {"length": about["length"], "fewer": n_bits}, names)
        raise self.refuse("the addition")

    def sums(self, answer: Term, equal: Term) -> tuple[tuple[str, str, Term], tuple[str, str, Term], dict[str, str]]:
        """Of each running sum the addition, its bits and its terms; then what is said of the strings."""
        y, z = equal.parts
        about = self.strings(y, z)
        found = []
        for sum_ in answer.parts[-2:]:
            match sum_:
                case Term("call", _, (Term("name", "running"), Term("call", _, (addition, bits, *_)), terms, *_)):
                    about["representation"] = self.representation(sum_, about["length"], y, z)
                    found.append((addition.text, self.stated.formula(bits), terms))
                case _:
                    raise self.refuse("a sum")
        numerator, denominator = found
        return numerator, denominator, about


def _calls(term: Term) -> Iterator[Sequence[Term]]:
    if term.kind == "call":
        yield term.parts
    for part in term.parts:
        yield from _calls(part)
