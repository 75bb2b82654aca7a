"""Formulas of certificates of symbols: how they are read, shown and taken apart."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from .recheck_reading import At

Node = Any  # a text (a number or a name), or a list of an operation and its operands
MOST_CASES, MOST_DEEP, MOST_JOINED = 8, 40, 100
SIGNS = {"==": {0}, "!=": {-1, 1}, "<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}}
DENIED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
RANGED = ("sum", "least", "greatest", "all", "any")
OPERANDS = dict.fromkeys(("neg", "floor", "ceil", "abs", "log2", "popcount", "sqrt", "exp", "log", "erf", "tanh"), 1)
OPERANDS |= dict.fromkeys(("+", "-", "*", "/", "//", "%", "**", "binom"), 2)
OPERANDS |= dict.fromkeys(SIGNS, 2)
SEVERAL = ("min", "max", "gcd")
NAME = re.compile("[A-Za-z_][A-Za-z0-9_]{0,40}")


def read_name(given: At) -> str:
    if not NAME.fullmatch(given.text()):
        given.refuse("a name")
    return given.text()


def read_formula(given: At, names: Sequence[str], condition: bool, depth: int = 0) -> Node:
    """A formula whose free names are these: a condition, or a number."""
    if depth > MOST_DEEP:
        given.refuse("a shallower formula")
    if not isinstance(given.data, list):
        if condition:
            given.refuse("a condition")
        return given.data if isinstance(given.data, str) and given.data in names else str(given.number())
    operation, *operands = given.items()[: MOST_JOINED + 2] or [given]
    if len(operands) > MOST_JOINED:
        given.refuse(f"at most {MOST_JOINED} operands")
    word = operation.text()

    def part(at: At, is_condition: bool = False, bound: Sequence[str] = ()) -> Node:
        return read_formula(at, (*names, *bound), is_condition, depth + 1)

    if word in RANGED:
        body, name, first, last, tests = given.items(6)[1:]
        bound = read_name(name)
        if bound in names or (word in ("all", "any")) != condition:
            given.refuse("a range of a name of its own, of conditions where one stands,")
        over = [part(test, True, (bound,)) for test in tests.items()]
        return [word, part(body, condition, (bound,)), bound, part(first), part(last), over]
    if word == "if":
        test, body, orelse = given.items(4)[1:]
        return [word, part(test, True), part(body, condition), part(orelse, condition)]
    if word in ("not", "and", "or"):
        if not condition or not operands or (word == "not" and len(operands) > 1):
            given.refuse("a number" if not condition else "something to join")
        return [word, *(part(each, True) for each in operands)]
    if (word in SIGNS) != condition or (word not in OPERANDS and word not in SEVERAL):
        operation.refuse("an operation of conditions" if condition else "an operation of numbers")
    if len(operands) != OPERANDS.get(word, len(operands)) or (word not in OPERANDS and len(operands) < 2):
        given.refuse("another number of operands")
    return [word, *map(part, operands)]


def shown(node: Node) -> str:
    """A formula as one reads it."""
    if isinstance(node, str):
        return node
    word, *parts = node
    if word in RANGED:
        tests = "".join(f" if {shown(test)}" for test in parts[4])
        return f"{word}({shown(parts[0])} for {parts[1]} in ({shown(parts[2])}, {shown(parts[3])}){tests})"
    if word == "if":
        return f"({shown(parts[1])} if {shown(parts[0])} else {shown(parts[2])})"
    if word in ("neg", "not"):
        return f"{'-' if word == 'neg' else 'not '}{inner(parts[0])}"
    if word in SIGNS or word in ("and", "or"):
        return f" {word} ".join(inner(part) if word in ("and", "or") else shown(part) for part in parts)
    if word in OPERANDS and OPERANDS[word] == 2 and word != "binom":
        return ("**" if word == "**" else f" {word} ").join(map(inner, parts))
    return f"{word}({', '.join(map(shown, parts))})"


def brief(text: str, most: int = 200) -> str:
    """The text, of which a line shows at most so much; the file has the whole of it."""
    return text if len(text) <= most else f"{text[:most]}..."


def inner(node: Node) -> str:
    """A part of a formula, in brackets unless it is a number, a name or a function."""
    plain = node.isalnum() if isinstance(node, str) else node[0].isalnum() and node[0] not in ("if", "not", "and", "or", "neg")
    return shown(node) if plain else f"({shown(node)})"


def bound_names(node: Node) -> list[str]:
    if isinstance(node, str):
        return []
    parts = [node[1], *node[3:5], *node[5]] if node[0] in RANGED else node[1:]
    return [*([node[2]] if node[0] in RANGED else []), *(name for part in parts for name in bound_names(part))]


def in_cases(node: Node) -> tuple[Node, Node, Node] | None:
    """A test, and the comparison where it holds and where it fails, by the first number in it that is a choice."""
    found = list(choices(node))
    if not 0 < len(found) <= MOST_CASES:
        return None
    operation, *operands = choice = found[0]
    if operation == "if":
        test, body, orelse = operands
    elif operation == "abs":
        test, body, orelse = [">=", operands[0], "0"], operands[0], ["neg", operands[0]]
    else:
        x, y, *others = operands
        test = [">=" if operation == "max" else "<=", x, y]
        body, orelse = ([operation, each, *others] if others else each for each in (x, y))
    return test, replaced(node, choice, body), replaced(node, choice, orelse)


def choices(node: Node) -> Iterator[Node]:
    if isinstance(node, str) or node[0] in RANGED:
        return
    if node[0] in ("if", "abs", "max", "min"):
        yield node
    for part in node[1:]:
        yield from choices(part)


def replaced(node: Node, old: Node, new: Node) -> Node:
    if node is old:
        return new
    return node if isinstance(node, str) or node[0] in RANGED else [node[0], *(replaced(part, old, new) for part in node[1:])]
