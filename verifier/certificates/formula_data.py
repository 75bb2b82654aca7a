"""Formulas as certificates write them: lists of an operation and what it is of, ranges written out, every name a string.

See docs/certificate-format.md. What a certificate has no word for is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.language.exact import integer, rational
from verifier.language.syntax import names_in, parse, printed, quoted
from verifier.language.tree import (
    Call,
    Choice,
    Comparison,
    Logic,
    Membership,
    Name,
    Node,
    Numeral,
    Operation,
    Ranged,
    Signed,
    Slice,
)
from verifier.networks.acceptance import Acceptance
from verifier.networks.problems import WRITTEN
from verifier.networks.tasks import NO_PROMISE, Task
from verifier.running.errors import InputError

Data = str | list[Any]
GATHERED = {"sum": "+", "min": "min", "max": "max", "all": "and", "any": "or"}
EMPTY: dict[str, Data] = {"+": "0", "and": "true", "or": "false"}
MOST_TERMS = 4096


def problem_formulas(task: Task) -> dict[str, Any]:
    """The function, the promise and the strings of a task.

    Raises:
        InputError: a formula that a certificate cannot say.
    """
    function = next((text for text, name in WRITTEN.items() if name == task.function), task.function)
    promise: Data = "true" if task.promise == NO_PROMISE else formula_data(task.promise, task.strings)
    return {
        "function": formula_data(function, task.strings),
        "promise": promise,
        "strings": [[name, str(length)] for name, length in task.strings.items()],
    }


def formula_data(text: str, strings: Mapping[str, int]) -> Data:
    """A condition on strings."""
    return _Written(strings).node(parse(text), {})


def accept_data(accept: Acceptance) -> dict[str, Any]:
    """The outputs that count as yes and as no; without a condition for no, everything else is no."""
    no: Data = _Written({}).node(parse(accept.no), {}) if accept.no else "true"
    return {"yes": _Written({}).node(parse(accept.yes), {}), "no": no, "rectified": accept.rectified}


class _Written:
    def __init__(self, strings: Collection[str]) -> None:
        self.strings = strings

    def node(self, tree: Node, names: Mapping[str, Fraction]) -> Data:
        """A part of a formula, where loop variables have these values."""
        if not names_in(tree) - names.keys() and not isinstance(tree, Comparison | Logic | Membership | Choice | Ranged):
            return str(rational(printed(tree), names))
        match tree:
            case Name(name):
                return name
            case Numeral(value):
                return str(value)
            case Signed(sign, operand):
                inner = self.node(operand, names)
                return inner if sign == "+" else ["-", "0", inner]
            case Operation(left, operator, right) if operator in ("+", "-", "*", "//", "%", "**"):
                return [operator, self.node(left, names), self.node(right, names)]
            case Comparison():
                return _joined("and", [self._compared(each, names) for each in tree.links()])
            case Membership(left, values, inside):
                found = _joined("or", [["==", self.node(left, names), self.node(value, names)] for value in values])
                return found if inside else ["not", found]
            case Logic("not", (part,)):
                return ["not", self.node(part, names)]
            case Logic(operator, parts):
                return _joined(operator, [self.node(part, names) for part in parts])
            case Choice(test, body, orelse):
                return ["if", self.node(test, names), self.node(body, names), self.node(orelse, names)]
            case Call("value", (inner,)):
                return self.node(inner, names)
            case Call(("popcount" | "abs") as function, (inner,)):
                return [function, self.node(inner, names)]
            case Call(("min" | "max") as function, arguments):
                return [function, *(self.node(each, names) for each in arguments)]
            case Slice(string, index, last) if string in self.strings:
                first = integer(printed(index), names)
                return ["bits", string, str(first), str(first if last is None else integer(printed(last), names))]
            case Ranged():
                return self._range(tree, names)
        raise InputError(f"a certificate has no word for {quoted(printed(tree))}")

    def _compared(self, tree: Comparison, names: Mapping[str, Fraction]) -> Data:
        return [tree.operators[0], self.node(tree.left, names), self.node(tree.others[0], names)]

    def _range(self, tree: Ranged, names: Mapping[str, Fraction]) -> Data:
        if tree.function not in GATHERED or (tree.tests and tree.function in ("min", "max")):
            raise InputError(f"a certificate has no word for {quoted(printed(tree))}")
        first, last = (integer(printed(end), names) for end in tree.ends)
        if last - first >= MOST_TERMS:
            raise InputError(f"{quoted(printed(tree))} has {last - first + 1} terms; a certificate has at most {MOST_TERMS}")
        parts = [self._term(tree, {**names, tree.name: Fraction(k)}) for k in range(first, last + 1)]
        word = GATHERED[tree.function]
        if not parts and word not in EMPTY:
            raise InputError(f"{quoted(printed(tree))} has no terms")
        return _joined(word, parts) if parts else EMPTY[word]

    def _term(self, tree: Ranged, names: Mapping[str, Fraction]) -> Data:
        body = self.node(tree.body, names)
        for test in tree.tests:
            asked = self.node(test, names)
            body = {"sum": ["if", asked, body, "0"], "all": ["or", ["not", asked], body]}.get(tree.function, ["and", asked, body])
        return body


def _joined(word: str, parts: list[Data]) -> Data:
    return parts[0] if len(parts) == 1 else [word, *parts]
