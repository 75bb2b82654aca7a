"""Typeset a formula of our language: quotients as fractions, powers as scripts, sums with limits."""

from __future__ import annotations

from verifier.language.tree import (
    Algebra,
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
    fold,
)
from verifier.show.notation.marks import Bracketed, Fraction, Notation, Root, Run, Script, Word, name, operator, product, run

SHAPES = {"abs": ("|", "|"), "ceil": ("⌈", "⌉"), "floor": ("⌊", "⌋")}
RANGES = {"sum": "∑", "min": "min", "max": "max", "all": "for all", "any": "for some"}
LOOSE = ("+", "-", "%")


def of_formula(node: Node) -> Notation:
    """The formula as notation."""
    return fold(node, _Written())


def _text(word: str) -> Word:
    return Word("text", word)


def _factor(node: Node) -> Notation:
    """Write an operand, in brackets if it is a sum or another loose expression."""
    made = of_formula(node)
    loose = isinstance(node, Comparison | Logic | Choice | Membership | Signed)
    loose |= isinstance(node, Operation) and node.operator in LOOSE
    return Bracketed("(", (made,), ")") if loose else made


class _Written(Algebra[Notation]):
    def numeral(self, node: Numeral) -> Notation:
        return Word("number", str(node.value))

    def name(self, node: Name) -> Notation:
        head, _, rest = node.name.partition("_")
        return Script(name(head), name(rest)) if rest else name(head)

    def signed(self, node: Signed) -> Notation:
        return run([operator(node.sign), _factor(node.operand)])

    def operation(self, node: Operation) -> Notation:
        left, right = node.left, node.right
        match node.operator:
            case "/":
                return Fraction(of_formula(left), of_formula(right))
            case "//":
                return Bracketed("⌊", (Fraction(of_formula(left), of_formula(right)),), "⌋")
            case "**":
                if isinstance(left, Name | Slice) and isinstance(base := of_formula(left), Script):
                    return Script(base.base, base.below, of_formula(right))
                alone = of_formula(left)
                return Script(alone if isinstance(left, Numeral | Name) else Bracketed("(", (alone,), ")"), None, of_formula(right))
            case "*":
                return product(_factor(left), _factor(right))
            case "%":
                return run([_factor(left), _text(" mod "), _factor(right)])
            case sign:
                second = _factor(right) if sign == "-" or isinstance(right, Signed | Comparison | Logic | Choice) else of_formula(right)
                return run([of_formula(left), operator(sign), second])

    def comparison(self, node: Comparison) -> Notation:
        parts = [of_formula(node.left)]
        for sign, other in zip(node.operators, node.others, strict=True):
            parts += [operator(sign), of_formula(other)]
        return run(parts)

    def membership(self, node: Membership) -> Notation:
        values = Bracketed("{", tuple(map(of_formula, node.values)), "}")
        return run([of_formula(node.left), operator("∈" if node.inside else "∉"), values])

    def logic(self, node: Logic) -> Notation:
        if node.operator == "not":
            return run([_text("not "), Bracketed("(", (of_formula(node.parts[0]),), ")")])
        parts: list[Notation] = []
        for part in node.parts:
            made = of_formula(part)
            parts += [_text(f" {node.operator} ")] if parts else []
            parts.append(Bracketed("(", (made,), ")") if isinstance(part, Logic) and part.operator != "not" else made)
        return run(parts)

    def choice(self, node: Choice) -> Notation:
        return run([of_formula(node.body), _text(" if "), of_formula(node.test), _text(", else "), of_formula(node.orelse)])

    def call(self, node: Call) -> Notation:
        inside = tuple(map(of_formula, node.arguments))
        if node.function in SHAPES and len(inside) == 1:
            opens, closes = SHAPES[node.function]
            return Bracketed(opens, inside, closes)
        if node.function == "sqrt":
            return Root(inside[0])
        head: Notation = Script(_text("log"), Word("number", "2")) if node.function == "log2" else _text(node.function.replace("_", " "))
        return run([head, Bracketed("(", inside, ")")])

    def ranged(self, node: Ranged) -> Notation:
        first, last = map(of_formula, node.ends)
        start = run([name(node.name), operator("="), first])
        body = _factor(node.body)
        if node.function == "sum" and not node.tests:
            return Run((Script(Word("operator", "∑"), start, last), body))
        tests = [part for test in node.tests for part in (_text(", "), of_formula(test))]
        over = run([start, operator(".."), last, *tests])
        return run([_text(f"{RANGES.get(node.function, node.function)} "), over, _text(": "), body])

    def slice(self, node: Slice) -> Notation:
        first, *last = map(of_formula, node.ends)
        return Script(name(node.name), run([first, operator(".."), *last]) if last else first)
