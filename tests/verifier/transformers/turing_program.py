"""The decoder of Broesamle and Eckstein, 2605.18079, for a machine of one tape: its layers as data, and NumPy that runs them.

Coordinates are registers of several bits and flags. A head compares registers of the query with registers of the key; units of the ReLU
networks copy, clear, add and look up under conditions. Two equal units of the source are one unit with factor 2 here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Names = list[str]
MOVES = {"L": (-1, -1), "S": (1, -1), "R": (1, 1)}


@dataclass(frozen=True)
class Machine:
    """transitions: from a state and the symbol that is read to the next state, the symbol that is written and the move."""

    states: Sequence[str]
    symbols: Sequence[str]
    transitions: Mapping[tuple[str, str], tuple[str, str, str]]

    def run(self, word: str) -> tuple[list[tuple[str, str, str]], str]:
        """The steps, each with the new state, the written symbol and the move; and the word on the tape at the end."""
        state, head, tape, steps = self.states[0], 0, list(word) or [self.symbols[0]], []
        while state != self.states[-1]:
            step = self.transitions[state, tape[head]]
            state, tape[head], move = step
            steps.append(step)
            head = max(head + {"L": -1, "S": 0, "R": 1}[move], 0)
            tape += [self.symbols[0]] * (head == len(tape))
        return steps, "".join(tape).rstrip(self.symbols[0])


FLIP = Machine(
    ("run", "halt"),
    ("_", "0", "1"),
    {("run", "0"): ("run", "1", "R"), ("run", "1"): ("run", "0", "R"), ("run", "_"): ("halt", "_", "S")},
)


def bits(number: int, width: int) -> tuple[int, ...]:
    """A number in signs, from the least bit."""
    return tuple(1 if number >> k & 1 else -1 for k in range(width))


@dataclass
class Layer:
    """heads: query, key, value and result, coordinates by name. units: the weights, the bias and the results of a ReLU unit."""

    heads: list[tuple[Names, Names, Names, Names]] = field(default_factory=list)
    units: list[tuple[dict[str, int], int, dict[str, int]]] = field(default_factory=list)


When = Sequence[str]
"""Conditions: a flag that is 1, a bit that is 1, or a flag with a minus that is 0."""


class Decoder:
    """The layers for a machine and positions of ``width`` bits."""

    def __init__(self, machine: Machine, width: int) -> None:
        self.machine, self.width = machine, width
        self.state_bits, self.symbol_bits = (len(machine.states) - 1).bit_length(), (len(machine.symbols) - 1).bit_length()
        self.first, self.second = width // 2 + 1, width // 2 + width + 3
        self.third = self.second + width + 1
        self.layers = [Layer() for _ in range(self.third + 4)]
        self.registers = {
            name: [name] if size == 1 else [f"{name}{k}" for k in range(size)]
            for names, size in (
                ("pos hpos spos posoutp backpos backposs posback hposback possym maxpos hpospos posbacktwo", width),
                ("state stateex newstate", self.state_bits),
                ("symbol symex newsym newsymsigma", self.symbol_bits),
                ("move newmove", 2),
                ("bit const bitsex bitsexx nextposbit", 1),
                ("finp feinp foutp feoutp fpos fepos frun fsigma fposbits fexistsoutp finput foutput fhalt flastrun fwritepos", 1),
                ("fwriteepos fexblank fwriteeoutp fwritesigma notinp fextok fexistshigh", 1),
            )
            for name in names.split()
        }
        self.coordinates = [name for names in self.registers.values() for name in names]
        self.runs = [(q, s, m) for q in machine.states for s in machine.symbols for m in MOVES]
        self.words = ["0", "1", "INP", "EINP", "OUTP", "EOUTP", "POS", "EPOS"]
        self.words += [f"{q}{s}{m}".replace("_", "b") for q, s, m in self.runs] + ["minus", "plus"]
        self._build()

    def of(self, item: str) -> Names:
        """The coordinates of a register or a flag; of ``name[k]`` one bit, of ``name[k:l]`` some."""
        name, _, part = item.partition("[")
        found = self.registers[name]
        if part:
            first, colon, last = part.rstrip("]").partition(":")
            return found[int(first) : int(last) if colon else int(first) + 1]
        return found

    def many(self, items: Sequence[str]) -> Names:
        return [name for item in items for name in self.of(item)]

    def head(self, layer: int, query: Sequence[str], key: Sequence[str], value: str, out: str) -> None:
        found = self.many(query), self.many(key), self.of(value), self.of(out)
        assert len(found[0]) == len(found[1])
        assert len(found[2]) == len(found[3])
        self.layers[layer - 1].heads.append(found)

    def unit(self, layer: int, weights: Mapping[str, int], bias: int, out: Mapping[str, int], when: When = ()) -> None:
        weights = dict(weights)
        for item in when:
            (name,) = self.of(item.removeprefix("-"))
            weights[name] = weights.get(name, 0) + (-1 if item.startswith("-") else 1)
            bias -= not item.startswith("-")
        self.layers[layer - 1].units.append((weights, bias, dict(out)))

    def copy(self, layer: int, source: str, target: str, when: When = ()) -> None:
        for x, y in zip(self.of(source), self.of(target), strict=True):
            for sign in (1, -1):
                self.unit(layer, {x: sign}, 0, {y: sign}, when)

    def clear(self, layer: int, target: str, when: When = ()) -> None:
        for x in self.of(target):
            for sign in (1, -1):
                self.unit(layer, {x: sign}, 0, {x: -sign}, when)

    def look_up(self, layer: int, inputs: Sequence[str], table: Mapping[tuple[int, ...], Sequence[int]], out: str, when: When = ()) -> None:
        names, targets = self.many(inputs), self.of(out)
        for key, value in table.items():
            weights = {name: 1 if x == 1 else -1 for name, x in zip(names, key, strict=True)}
            self.unit(layer, weights, 1 - sum(x != 0 for x in key), dict(zip(targets, value, strict=True)), when)

    def subtract(self, layer: int, source: str, target: str, k: int, when: When = ()) -> None:
        """target = source − 2^k, where target is 0 before, or the source itself."""
        if source != target:
            self.copy(layer, source, target, when)
        x, y = self.of(source), self.of(target)
        for bit in range(k, len(x)):
            below = range(k, bit)
            self.unit(layer, {**{x[c]: -1 for c in below}, x[bit]: 1}, k - bit, {**{y[c]: 2 for c in below}, y[bit]: -2}, when)
        for bit in range(k):
            self.unit(layer, {**{x[c]: -1 for c in range(k, len(x))}, x[bit]: 1}, k - len(x), {y[bit]: -2}, when)

    def moved(self, layer: int, source: str, move: str, target: str, when: When) -> None:
        """target = source, moved by a step."""
        self.clear(layer, target, when)
        self.copy(layer, source, target, when)
        x, y, m = self.of(source), self.of(target), self.of(move)
        for way, sign in (("R", 1), ("L", -1)):
            turn = dict(zip(m, MOVES[way], strict=True))
            for bit in range(len(x)):
                weights = {**turn, x[bit]: -sign, **{x[c]: sign for c in range(bit)}}
                self.unit(layer, weights, -bit - 2, {y[bit]: 2 * sign, **{y[c]: -2 * sign for c in range(bit)}}, when)

    def _build(self) -> None:
        r, one, two, three = self.width, self.first, self.second, self.third
        self.head(1, ["const"], ["foutp"], "foutp", "fexistsoutp")
        self.look_up(1, ["fsigma", "fexistsoutp"], {(1, 1): (1,)}, "foutput")
        self.look_up(1, ["fsigma", "fexistsoutp"], {(1, 0): (1,)}, "finput")
        self.subtract(1, "pos", "spos", 0, ["fsigma", "-fexistsoutp"])
        self.copy(1, "pos", "posoutp", ["foutp"])
        for target, k in (("backpos", 0), ("backposs", 1), ("posback", 0)):
            self.subtract(1, "pos", target, k)
        self.head(2, ["const", "foutp", "foutp"], ["foutp", "finp", "finp"], "posoutp", "posoutp")
        self.copy(2, "pos", "hpos", ["foutput"])
        self.copy(2, "pos", "possym", ["frun"])
        self.copy(2, "pos", "possym", ["finput"])
        for bit in range(r):
            self.subtract(3 + bit, "hpos", "hpos", bit, ["foutput", f"posoutp[{bit}]"])
        for j in range(1, r // 2 + 1):
            for back, ex, bit in (("backpos", "bitsex", r - 2 * j + 1), ("backposs", "bitsexx", r - 2 * j)):
                self.head(j + 1, [back], ["pos"], "bit", ex)
                self.copy(j + 1, ex, f"hpos[{bit}]", ["fepos"])
                self.clear(j + 1, ex)
                self.subtract(j + 1, back, back, 1)
        for j in range(1, r + 2):
            self.head(one + j, ["posback"], ["pos"], "hpos", "hposback")
            self.moved(one + j, "hposback", "move", "hpos", ["frun"])
            self.clear(one + j, "hpos", ["fpos"])
            self.copy(one + j, "hposback", "hpos", ["fpos"])
            if j <= r:
                self.clear(one + j, "hposback")
        self.clear(two, "spos", ["frun"])
        self.copy(two, "hposback", "spos", ["frun"])
        self.copy(two, "hpos", "hpospos", ["fpos"])
        self.copy(two, "hpos[0]", "nextposbit", ["fpos"])
        self.subtract(two, "pos", "posbacktwo", 0)
        self.head(two + 1, ["hpos", *["const"] * (r - 1)], ["spos", *["finp"] * (r - 1)], "notinp", "fextok")
        for j in range(r):
            b = r - 1 - j
            query = ["hpos", *["const"] * (r + j + 1), f"maxpos[{b + 1}:{r}]"]
            self.head(two + 1 + j, query, ["spos", *["finp"] * (r + j), f"possym[{b}:{r}]"], "notinp", "fexistshigh")
            self.look_up(two + 1 + j, ["fexistshigh", "fextok"], {(1, 1): (1,), (0, 1): (-1,)}, f"maxpos[{b}]")
            self.clear(two + 1 + j, "fexistshigh")
        self.head(three, ["maxpos", "const"], ["possym", "finp"], "symbol", "symex")
        self.look_up(three, ["fextok", "fpos", "fposbits", "finput"], {(0, 0, 0, 0): self._symbol("_")}, "symex")
        for p in range(1, r):
            self.head(two + p, ["posbacktwo"], ["pos"], f"hpospos[{p}]", "nextposbit")
            self.subtract(two + p, "posbacktwo", "posbacktwo", 0)
        self.head(two + r, ["posbacktwo"], ["pos"], "fpos", "fwriteepos")
        self.subtract(two + r, "posbacktwo", "posbacktwo", 1)
        self.head(two + r - 1, ["posbacktwo"], ["pos"], "frun", "flastrun")
        self.look_up(two + r - 1, ["flastrun", "frun", "fhalt"], {(1, 1, 0): (1,)}, "fwritepos")
        self.head(three, ["posbacktwo"], ["pos"], "state", "stateex")
        self.clear(three, "state", ["fepos"])
        self.copy(three, "stateex", "state", ["fepos"])
        for (state, read), (then, written, move) in self.machine.transitions.items():
            names = self.many(["state", "symex"])
            key = (*self._state(state), *self._symbol(read))
            out = dict(zip(self.many(["newstate", "newsym", "newmove"]), self._run((then, written, move)), strict=True))
            self.unit(three + 1, dict(zip(names, key, strict=True)), 1 - len(key), out)
        self.look_up(three + 1, ["symex"], {self._symbol("_"): (1,)}, "fexblank")
        for register in ("newstate", "newsym", "newmove"):
            self.clear(three + 2, register, ["fhalt"])
            self.clear(three + 2, register, ["fwritepos"])
        self.look_up(three + 2, ["foutput", "foutp", "fexblank"], {(1, 0, 1): (1,), (0, 1, 1): (1,)}, "fwriteeoutp")
        self.look_up(three + 3, ["fexistsoutp", "fwriteeoutp"], {(1, 0): (1,)}, "fwritesigma")
        self.clear(three + 4, "newsymsigma", ["fwritesigma"])
        self.copy(three + 4, "symex", "newsymsigma", ["fwritesigma"])

    def _state(self, state: str) -> tuple[int, ...]:
        return bits(self.machine.states.index(state), self.state_bits)

    def _symbol(self, symbol: str) -> tuple[int, ...]:
        return bits(self.machine.symbols.index(symbol), self.symbol_bits)

    def _run(self, step: tuple[str, str, str]) -> tuple[int, ...]:
        return (*self._state(step[0]), *self._symbol(step[1]), *MOVES[step[2]])

    def embedding(self, word: str) -> dict[str, int]:
        """The coordinates of a word that are not 0, but for the position."""
        found = {"const": 1, "notinp": int(word != "INP")}
        flag = {"INP": "finp", "EINP": "feinp", "OUTP": "foutp", "EOUTP": "feoutp", "POS": "fpos", "EPOS": "fepos"}.get(word)
        if flag:
            found[flag] = 1
        if word in ("EINP", "OUTP"):
            found |= dict.fromkeys(self.of("hpos"), -1)
        if word == "EINP":
            found |= zip(self.of("state"), self._state(self.machine.states[0]), strict=True)
        if word in ("0", "1"):
            found |= {"fsigma": 1} | dict(zip(self.of("symbol"), self._symbol(word), strict=True))
        if word in ("minus", "plus"):
            found |= {"fposbits": 1, "bit": 1 if word == "plus" else -1}
        if (step := self._step(word)) is not None:
            found |= {"frun": 1} | dict(zip(self.many(["state", "symbol", "move"]), self._run(step), strict=True))
            found |= {"fhalt": 1} if step[0] == self.machine.states[-1] else {}
        return {name: x for name, x in found.items() if x}

    def _step(self, word: str) -> tuple[str, str, str] | None:
        at = self.words.index(word) - 8
        return self.runs[at] if 0 <= at < len(self.runs) else None

    def logit(self, word: str) -> dict[str, int]:
        """The row of the unembedding."""
        flag = {"OUTP": "fhalt", "POS": "fwritepos", "EPOS": "fwriteepos", "EOUTP": "fwriteeoutp"}.get(word)
        if flag:
            return {flag: 1}
        if word in ("minus", "plus"):
            return {"nextposbit": 1 if word == "plus" else -1}
        if word in ("0", "1"):
            return dict(zip(self.of("newsymsigma"), self._symbol(word), strict=True))
        step = self._step(word)
        return {} if step is None else dict(zip(self.many(["newstate", "newsym", "newmove"]), self._run(step), strict=True))

    def right(self, word: str) -> list[str]:
        """What the decoder is to append to INP, the word and EINP."""
        steps, output = self.machine.run(word)
        assert len(steps) <= self.width
        return [*("".join(step).replace("_", "b") for step in steps), "OUTP", *output, "EOUTP"]

    def run(self, words: Sequence[str]) -> tuple[Any, Any]:
        """The logits at the last of these tokens, and its coordinates at the end."""
        at = {name: k for k, name in enumerate(self.coordinates)}

        def row(form: Mapping[str, int]) -> Any:
            found = np.zeros(len(at))
            for name, x in form.items():
                found[at[name]] = x
            return found

        x = np.array([row(self.embedding(word)) for word in words])
        for i in range(len(words)):
            x[i, [at[name] for name in self.of("pos")]] = bits(i, self.width)
        for layer in self.layers:
            added = np.zeros_like(x)
            for query, key, value, out in layer.heads:
                scores = x[:, [at[n] for n in query]] @ x[:, [at[n] for n in key]].T
                scores[np.triu_indices(len(x), 1)] = -np.inf
                best = scores == scores.max(axis=1, keepdims=True)
                added[:, [at[n] for n in out]] += best / best.sum(axis=1, keepdims=True) @ x[:, [at[n] for n in value]]
            x = x + added
            if layer.units:
                inside = np.array([row(weights) for weights, _, _ in layer.units])
                hidden = np.maximum(x @ inside.T + np.array([bias for _, bias, _ in layer.units]), 0)
                x = x + hidden @ np.array([row(out) for _, _, out in layer.units])
        return np.array([row(self.logit(word)) for word in self.words]) @ x[-1], x[-1]
