"""The smallest wrong input of a decoding network, by induction on classes of inputs with the same first symbols."""

from __future__ import annotations

from verifier.running.errors import LimitError
from verifier.running.limits import Advance, silent
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.decoded import Decided, decide
from verifier.transformers.induction import Induction
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network
from verifier.transformers.outputs import Answer
from verifier.transformers.significant_columns import right_by_columns

FEW = 1000
"""Inputs of a class that are tried one by one."""
MOST_CLASSES = 40

Found = tuple[Strings, Answer]


def smallest_wrong(network: Network, arithmetic: Arithmetic, wrong: Strings, advance: Advance = silent) -> Found:
    """The first wrong input in lexicographic order.

    wrong: a wrong input; classes that hold it are cut by their next symbol at once. Others are passed over where induction finds them
    right, and cut where it leaves them open.

    Raises:
        LimitError: more than 40 classes.
    """
    found = _Search(network, arithmetic, wrong, advance).first(())
    assert found is not None, "an input that was wrong is right"
    return found


class _Search:
    def __init__(self, network: Network, arithmetic: Arithmetic, wrong: Strings, advance: Advance) -> None:
        self.network, self.arithmetic, self.advance = network, arithmetic, advance
        self.places = [(name, k) for name, length in network.input.lengths.items() for k in range(length)]
        self.base = len(network.input.letters)
        self.known = tuple(wrong[name][k] for name, k in self.places)
        self.classes = 0

    def first(self, prefix: tuple[int, ...]) -> Found | None:
        """The first wrong input that begins with these symbols."""
        size = self.base ** (len(self.places) - len(prefix))
        if size <= FEW:
            number = 0
            for symbol in prefix:
                number = number * self.base + symbol
            inputs = [self.network.input.nth(number * size + k) for k in range(size)]
            return next(iter(wrong_by_arrays(self.network, self.arithmetic, inputs)), None)
        if prefix != self.known[: len(prefix)]:
            decided = self._decided(prefix)
            if decided is not None and (decided.wrong is None or decided.smallest):
                return decided.wrong
        for symbol in range(self.base):
            found = self.first((*prefix, symbol))
            if found is not None:
                return found
        return None

    def _decided(self, prefix: tuple[int, ...]) -> Decided | None:
        """What induction says of the inputs that begin with these symbols, None where it leaves them open."""
        self.classes += 1
        if self.classes > MOST_CLASSES:
            raise LimitError(f"more than {MOST_CLASSES} classes of inputs", "another arithmetic")
        self.advance(f"{self.network.file.id} {self.arithmetic}, inputs that begin with {''.join(map(str, prefix))}", 0, 0)
        lengths = self.network.input.lengths
        fixed = {(name, lengths[name] - 1 - k): symbol for (name, k), symbol in zip(self.places, prefix, strict=False)}
        try:
            return decide(self.network, self.arithmetic, fixed=fixed)
        except LimitError:
            return Decided(None) if right_by_columns(Induction(self.network, self.arithmetic, fixed)) else None
