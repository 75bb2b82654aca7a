"""Formulas in the notation of certificates: lists of an operation and its operands, ranges written out, every name a string.

See docs/certificate-format.md. Formulas that certificates cannot express are refused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.language.exact import integer, rational, truth
from verifier.language.printer import printed
from verifier.language.syntax import calls_in, names_in, parse, quoted
from verifier.language.tree import (
    Call,
    Choice,
    Comparison,
    Logic,
    Membership,
    Name,
    Node,
    Operation,
    Ranged,
    Signed,
    Slice,
)
from verifier.networks.acceptance import OUT, Acceptance
from verifier.networks.problems import NO_PROMISE, WRITTEN, Task
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
    written = Written(task.strings)
    return {
        "function": written.formula(function),
        "promise": "true" if task.promise == NO_PROMISE else written.formula(task.promise),
        "strings": {name: str(length) for name, length in task.strings.items()},
    }


def accept_data(accept: Acceptance) -> dict[str, Data]:
    """The conditions on outputs that count as yes and as no; without a condition for no, every other output is no."""
    written = Written({}, {}, (OUT,))
    return {"yes": written.formula(accept.yes), "no": written.formula(accept.no) if accept.no else "true"}


class Written:
    """Formulas on strings of these lengths, or on coordinates, with these values of names."""

    def __init__(self, lengths: Mapping[str, int], names: Mapping[str, Fraction] | None = None, coordinates: Collection[str] = ()) -> None:
        self.lengths, self.names, self.coordinates = lengths, names or {}, coordinates

    def formula(self, text: str) -> Data:
        """A formula written out.

        Raises:
            InputError: a certificate has no word for a part of it.
        """
        return self._node(parse(str(text)), self.names)

    def _node(self, tree: Node, names: Mapping[str, Fraction]) -> Data:
        """A part of a formula, with these values of names."""
        if not isinstance(tree, Comparison | Logic | Membership | Choice | Ranged) and self._settled(tree, names):
            return str(rational(printed(tree), names))
        match tree:
            case Name(name) if name in self.lengths or name in self.coordinates:
                return name
            case Signed(sign, operand):
                inner = self._node(operand, names)
                return inner if sign == "+" else ["-", "0", inner]
            case Operation(left, operator, right) if operator in ("+", "-", "*", "/", "//", "%", "**"):
                return [operator, self._node(left, names), self._node(right, names)]
            case Comparison():
                return _joined("and", [self._compared(each, names) for each in tree.links()])
            case Membership(left, values, inside):
                found = _joined("or", [["==", self._node(left, names), self._node(value, names)] for value in values])
                return found if inside else ["not", found]
            case Logic("not", (part,)):
                return ["not", self._node(part, names)]
            case Logic(operator, parts):
                return _joined(operator, [self._node(part, names) for part in parts])
            case Choice(test, body, orelse):
                if self._settled(test, names):
                    return self._node(body if truth(printed(test), names) else orelse, names)
                return ["if", self._node(test, names), self._node(body, names), self._node(orelse, names)]
            case Call("value", (inner,)):
                return self._node(inner, names)
            case Call(string, (index,)) if string in self.lengths:
                return self._symbols(string, index, None, names)
            case Call(("popcount" | "abs") as function, (inner,)):
                return [function, self._node(inner, names)]
            case Call(("min" | "max") as function, arguments):
                return [function, *(self._node(each, names) for each in arguments)]
            case Slice(string, index, last) if string in self.lengths:
                return self._symbols(string, index, last, names)
            case Ranged():
                return self._range(tree, names)
        raise InputError(f"a certificate has no word for {quoted(printed(tree))}")

    def _settled(self, tree: Node, names: Mapping[str, Fraction]) -> bool:
        """Whether a part reads neither strings nor coordinates."""
        read = names_in(tree) | {name for name, _ in calls_in(tree)}
        return not (read & self.lengths.keys() or any(name in self.coordinates for name in read)) and read <= names.keys()

    def _symbols(self, string: str, index: Node, last: Node | None, names: Mapping[str, Fraction]) -> Data:
        first = integer(printed(index), names)
        return ["bits", string, str(first), *([] if last is None else [str(integer(printed(last), names))])]

    def _compared(self, tree: Comparison, names: Mapping[str, Fraction]) -> Data:
        return [tree.operators[0], self._node(tree.left, names), self._node(tree.others[0], names)]

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
        body = self._node(tree.body, names)
        for test in tree.tests:
            asked = self._node(test, names)
            body = {"sum": ["if", asked, body, "0"], "all": ["or", ["not", asked], body]}.get(tree.function, ["and", asked, body])
        return body


def _joined(word: str, parts: list[Data]) -> Data:
    return parts[0] if len(parts) == 1 else [word, *parts]
