"""The one printer of formulas. Scopes, reports and certificates contain its texts, so its output must never change.

A part is bracketed if it binds less than its place requires. Two habits remain because of recorded texts: each further condition of ``and``
and ``or`` is bracketed as if it bound one step less, and a range has its own brackets, as in ``sum((j for j in (1, m)))``.
"""

from __future__ import annotations

from collections.abc import Iterable

from verifier.language.tree import Call, Choice, Comparison, Logic, Membership, Name, Node, Numeral, Operation, Ranged, Signed, Slice

CHOICE, OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, POWER, ATOM = 0, 1, 2, 3, 4, 9, 10, 11, 12, 14
"""The precedence of the operators."""
BINDS = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT, "%": PRODUCT, "**": POWER}


def printed(node: Node) -> str:
    """A formula as a text that :func:`verifier.language.syntax.parse` reads as this formula again."""
    return _printed(node, CHOICE)


def terms(node: Ranged) -> str:
    """The content of a range in brackets: ``(2 ** j for j in (1, m))``."""
    tests = "".join(f" if {_printed(test, OR)}" for test in node.tests)
    return f"({printed(node.body)} for {node.name} in ({_listed(node.ends)}){tests})"


def _printed(node: Node, place: int) -> str:
    """``place``: how closely a part must bind there to need no brackets."""
    match node:
        case Numeral(value):
            return repr(value)
        case Name(name):
            return name
        case Operation(left, operator, right):
            binds = BINDS[operator]
            first, second = (binds + 1, binds) if operator == "**" else (binds, binds + 1)
            return _bracketed(f"{_printed(left, first)} {operator} {_printed(right, second)}", binds, place)
        case Signed(sign, operand):
            return _bracketed(f"{sign}{_printed(operand, SIGN)}", SIGN, place)
        case Comparison(left, operators, others):
            pairs = (f" {operator} {_printed(other, COMPARISON + 1)}" for operator, other in zip(operators, others, strict=True))
            return _bracketed(_printed(left, COMPARISON + 1) + "".join(pairs), COMPARISON, place)
        case Membership(left, values, inside):
            listed = f"({_listed(values)}{',' * (len(values) == 1)})"
            return _bracketed(f"{_printed(left, COMPARISON + 1)} {'in' if inside else 'not in'} {listed}", COMPARISON, place)
        case Logic("not", (condition,)):
            return _bracketed(f"not {_printed(condition, NOT)}", NOT, place)
        case Logic(operator, parts):
            binds = AND if operator == "and" else OR
            texts = (_printed(part, min(binds + k, ATOM)) for k, part in enumerate(parts, 1))
            return _bracketed(f" {operator} ".join(texts), binds, place)
        case Choice(test, body, orelse):
            return _bracketed(f"{_printed(body, OR)} if {_printed(test, OR)} else {printed(orelse)}", CHOICE, place)
        case Call(function, arguments):
            return f"{function}({_listed(arguments)})"
        case Ranged():
            return f"{node.function}({terms(node)})"
        case Slice(name):
            return f"{name}[{':'.join(map(printed, node.ends))}]"
    raise TypeError(f"{node!r} is not a part of a formula")


def _listed(nodes: Iterable[Node]) -> str:
    return ", ".join(map(printed, nodes))


def _bracketed(text: str, binds: int, place: int) -> str:
    return f"({text})" if place > binds else text
