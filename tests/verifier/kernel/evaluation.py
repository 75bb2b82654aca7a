"""The value of a closed term of the fragment: what Coq's kernel would compute, from the text alone.

Numbers and natural numbers are integers, booleans and decidable propositions are truth values, lists are lists, pairs are tuples. A
constructor with arguments is a tuple of its name and these; a function takes one argument at a time. The fragment has no recursion of its
own, so that every evaluation ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from verifier.kernel.propositions import Proposition
from verifier.kernel.terms import Term, over
from verifier.running.errors import InputError

Value = Any
Values = Mapping[str, Value]


def _curried(function: Callable[..., Value], number: int) -> Value:
    """The function as one of its first argument, with a function of the next as value."""
    if number == 1:
        return function
    return lambda first: _curried(lambda *others: function(first, *others), number - 1)


OPERATIONS: dict[str, Callable[[Value, Value], Value]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: a // b if b else 0, "mod": lambda a, b: a % b if b else a, "^": lambda a, b: a**b if b >= 0 else 0,
    "=": lambda a, b: a == b, "<>": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "=?": lambda a, b: a == b, "<?": lambda a, b: a < b, "<=?": lambda a, b: a <= b,
    "::": lambda a, b: [a, *b], "++": lambda a, b: [*a, *b],
}  # fmt: skip

LIBRARY: dict[str, tuple[int, Callable[..., Value]]] = {
    "Z.abs": (1, abs), "Z.sgn": (1, lambda a: (a > 0) - (a < 0)), "Z.opp": (1, lambda a: -a),
    "Z.min": (2, min), "Z.max": (2, max), "Z.add": (2, lambda a, b: a + b), "Z.mul": (2, lambda a, b: a * b),
    "Z.log2": (1, lambda a: a.bit_length() - 1 if a > 0 else 0), "Z.testbit": (2, lambda a, i: i >= 0 and bool(a >> i & 1)),
    "Z.to_nat": (1, lambda a: max(a, 0)), "Z.of_nat": (1, lambda a: a),
    "fst": (1, lambda pair: pair[0]), "snd": (1, lambda pair: pair[1]), "length": (1, len),
    "map": (2, lambda f, xs: [f(x) for x in xs]), "filter": (2, lambda f, xs: [x for x in xs if f(x)]),
    "seq": (2, lambda first, number: list(range(first, first + number))), "repeat": (2, lambda x, number: [x] * number),
    "combine": (2, lambda xs, ys: list(zip(xs, ys, strict=False))), "concat": (1, lambda lists: [x for xs in lists for x in xs]),
    "fold_left": (3, lambda f, xs, start: reduce(lambda s, x: f(s)(x), xs, start)),
    "fold_right": (3, lambda f, start, xs: reduce(lambda s, x: f(x)(s), reversed(xs), start)),
    "nth": (3, lambda i, xs, other: xs[i] if i < len(xs) else other), "last": (2, lambda xs, other: xs[-1] if xs else other),
    "option_map": (2, lambda f, x: x if x == ("None",) else ("Some", f(x[1]))),
}  # fmt: skip


class Evaluation:
    """Evaluates terms with the definitions that a proposition sees."""

    def __init__(self, stated: Proposition) -> None:
        self.stated = stated
        self.known: dict[str, Value] = {"true": True, "false": False}
        self.records: dict[frozenset[str], tuple[str, ...]] = {}
        self.known |= {name: _curried(function, number) for name, (number, function) in LIBRARY.items()}
        for declared in stated.definitions.values():
            for member, binders in declared.members:
                self.known[member] = self.constructor(member, len(binders))
                if declared.head == "Record":
                    fields = tuple(field for field, _ in binders)
                    self.records[frozenset(fields)] = (member, *fields)
                    self.known |= {field: lambda value, place=place: value[place] for place, field in enumerate(fields, 1)}
        self.known |= {"None": ("None",), "Some": self.constructor("Some", 1)}

    @staticmethod
    def constructor(name: str, number: int) -> Value:
        """A constructor: a value, or a function of its arguments."""
        return _curried(lambda *values: (name, *values), number) if number else (name,)

    def name(self, name: str) -> Value:
        """The value of a name that nothing binds.

        Raises:
            InputError: it has none, or is one of the library that stands in no definition that is evaluated.
        """
        if name not in self.known:
            found = self.stated.definitions.get(name)
            if found is None or found.head != "Definition":
                raise InputError(f"{name} has no value here")
            self.known[name] = self.value(over("fun", found.binders, found.term), {})
        return self.known[name]

    def value(self, term: Term, at: Values) -> Value:
        """The value of a term, with values for its free names.

        Raises:
            InputError: it has none that can be computed.
        """
        match term.kind:
            case "number":
                return int(term.text)
            case "name":
                return at[term.text] if term.text in at else self.name(term.text)
            case "call":
                function, *arguments = term.parts
                return reduce(lambda f, x: f(self.value(x, at)), arguments, self.value(function, at))
            case "fun":
                return lambda value: self.value(term.parts[1], {**at, term.names[0]: value})
            case "let":
                return self.value(term.parts[1], {**at, term.names[0]: self.value(term.parts[0], at)})
            case "if":
                return self.value(term.parts[1 if self.value(term.parts[0], at) else 2], at)
            case "scope" if term.parts[0].kind != "-":
                return self.value(term.parts[0], at)
            case "-_":
                return -self.value(term.parts[0], at)
            case "~_":
                return not self.value(term.parts[0], at)
            case "/\\" | "&&":
                return self.value(term.parts[0], at) and self.value(term.parts[1], at)
            case "\\/" | "||":
                return self.value(term.parts[0], at) or self.value(term.parts[1], at)
            case "->":
                return not self.value(term.parts[0], at) or self.value(term.parts[1], at)
            case "list":
                return [self.value(part, at) for part in term.parts]
            case "tuple":
                return reduce(lambda a, b: (a, b), (self.value(part, at) for part in term.parts))
            case "record":
                constructor, *fields = self.records[frozenset(term.names)]
                given = dict(zip(term.names, term.parts, strict=True))
                return (constructor, *(self.value(given[field], at) for field in fields))
            case "match":
                return self.match(term, at)
            case operator if operator in OPERATIONS:
                return OPERATIONS[operator](*(self.value(part, at) for part in term.parts))
        raise InputError(f"{term.kind} has no value that can be computed")

    def match(self, term: Term, at: Values) -> Value:
        """The first case whose patterns fit."""
        subjects = [self.value(part, at) for part in term.parts if part.kind != "case"]
        for case in term.parts[len(subjects) :]:
            bound: dict[str, Value] = {}
            if all(self.fits(pattern, value, bound) for pattern, value in zip(case.parts[:-1], subjects, strict=True)):
                return self.value(case.parts[-1], {**at, **bound})
        raise InputError("no case fits")

    def fits(self, pattern: Term, value: Value, bound: dict[str, Value]) -> bool:
        """Whether a value has a pattern's form; its variables are bound."""
        match pattern.kind:
            case "number":
                return bool(value == int(pattern.text))
            case "name" if pattern.text in self.stated.constructors:
                return bool(value == self.name(pattern.text))
            case "name":
                bound[pattern.text] = value
                return True
            case "call":
                constructor, *parts = pattern.parts
                return value[0] == constructor.text and all(self.fits(p, v, bound) for p, v in zip(parts, value[1:], strict=True))
            case "tuple" if len(pattern.parts) == 2:
                return all(self.fits(p, v, bound) for p, v in zip(pattern.parts, value, strict=True))
        raise InputError(f"the pattern {pattern.kind} is not read here")
