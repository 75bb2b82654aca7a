"""The answer of a certificate's network to an input, and the right answer."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .recheck_floats import Floats
from .recheck_formulas import Formula, Text
from .recheck_layers import Vector
from .recheck_reading import At
from .recheck_rounding import INF, NAN
from .recheck_transformer import Transformer

OUTPUTS = {
    "accept": ("at", "yes", "no"),
    "choose": ("at", "logits"),
    "decode": ("steps", "until", "logits"),
}
MOST_STEPS = 4096


class Answers:
    """A network with its output: ``accept`` says yes or no, ``choose`` a symbol, ``decode`` appends symbols."""

    def __init__(self, given: At, floats: Floats, point: Mapping[str, int]) -> None:
        self.transformer = Transformer(given, floats)
        self.floats, t = floats, self.transformer
        output = t.output
        self.kind = output.names()["kind"].one_of(*OUTPUTS) if "kind" in output.names() else output.refuse("a record with a kind")
        parts = output.record("kind", "function", "promise", "names", *OUTPUTS[self.kind])
        self.names: dict[str, Any] = {name: x.number() for name, x in parts["names"].names().items()}
        taken = {*t.strings, *t.coordinates} | ({"k"} if self.kind == "decode" else set())
        for name in (
            {*self.names} & taken | {*point} & {*t.strings, *t.coordinates} | {x for x in point if self.names.get(x, point[x]) != point[x]}
        ):
            parts["names"].refuse(f"a name that has no other meaning or value than {name!a}")
        if self.kind == "decode" and "k" in t.strings:
            output.refuse("an output of a network without a string k")
        promise = parts["promise"].text()
        self.meaning = ascii(parts["function"].text()) + ("" if promise == "none" else f", under {promise!a},")
        self.function = self.formula(parts["function"])
        self.promise = None if promise == "none" else self.formula(parts["promise"])
        self.logits = t.maps(parts["logits"]) if "logits" in parts else []
        if self.kind != "accept" and len(self.logits) != len(t.symbols):
            parts["logits"].refuse("a map for each symbol")
        self.at, self.steps, self.until = len(t.layout) - 1, 0, ""
        if self.kind == "decode":
            self.steps, self.until = parts["steps"].integer(1, MOST_STEPS), parts["until"].text()
        else:
            self.at = parts["at"].integer(0, len(t.layout) - 1)
        if t.positions != len(t.layout) + max(0, self.steps - 1):
            parts["kind"].refuse("a vector for each token that is read")
        if self.kind == "accept":
            self.yes, self.no = self.formula(parts["yes"]), None if parts["no"].text() == "" else self.formula(parts["no"])

    def formula(self, given: At) -> Formula:
        return Formula(given.text(), given.place, self.floats.limits)

    def promised(self, strings: Mapping[str, Text]) -> bool:
        return self.promise is None or self.promise.truth(self.names, strings)

    def expected(self, strings: Mapping[str, Text]) -> str:
        """The right answer."""
        if self.kind == "accept":
            return "yes" if self.function.truth(self.names, strings) else "no"
        if self.kind == "choose":
            return self.symbol(self.function.value(self.names, strings))
        found: list[str] = []
        for k in range(1, self.steps + 1):
            found.append(self.symbol(self.function.value({**self.names, "k": Fraction(k)}, strings)))
            if found[-1] == self.until:
                break
        return " ".join(found)

    def symbol(self, x: Any) -> str:
        symbols = self.transformer.symbols
        return symbols[int(x)] if not isinstance(x, bool) and x.denominator == 1 and 0 <= x < len(symbols) else f"no symbol: {x}"

    def found(self, strings: Mapping[str, Text]) -> str:
        """What the network answers."""
        t = self.transformer
        tokens = [entry if isinstance(entry, int) else strings[entry[0]].known[entry[1] + 1] for entry in t.layout]
        if self.kind != "decode":
            return self.of(t.run(tokens, self.at))
        said: list[str] = []
        for _ in range(self.steps):
            chosen = self.chosen(t.run(tokens, len(tokens) - 1))
            said.append("nan" if chosen is None else t.symbols[chosen])
            if chosen is None or said[-1] == self.until:
                break
            tokens.append(chosen)
        return " ".join(said)

    def of(self, x: Vector) -> str:
        """The answer that the coordinates at the end give."""
        if self.kind == "choose":
            chosen = self.chosen(x)
            return "nan" if chosen is None else self.transformer.symbols[chosen]
        read = self.yes.names() | (self.no.names() if self.no else set())
        if any(x[k] == NAN for name, k in self.transformer.index.items() if name in read):
            return "nan"
        names = {**self.names, **{name: self.compared(x[k]) for name, k in self.transformer.index.items() if name in read}}
        if self.yes.truth(names, {}):
            return "yes"
        return "no" if self.no is None or self.no.truth(names, {}) else "neither"

    def compared(self, state: int) -> Any:
        """A number, or an infinity, with which formulas only compare."""
        return float("inf" if state > 0 else "-inf") if abs(state) == INF else self.floats.value(state)

    def chosen(self, x: Vector) -> int | None:
        """The first of the largest logits; None where one is NaN."""
        logits = [self.transformer.applied(form, x) for form in self.logits]
        return None if NAN in logits else logits.index(max(logits))
