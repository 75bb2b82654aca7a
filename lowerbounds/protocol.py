"""Run the protocol of Lemmas 2.2 and 2.5: Alice adds up her tokens, sends her partial sums, and Bob continues from them alone.

The message has one number for each running sum of the semantics: the denominator L₁, and for the numerator one L₂ if each token's product
is summed, or one for each column of A X that W^V uses if columns come first (Section A.4).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from verifier.arithmetic.numbers import ONE, ZERO, Number, show
from verifier.networks.instance import Token
from verifier.networks.problems import bits_of
from verifier.running.errors import InputError, LimitError
from verifier.transformers.table_traces import decide, evaluate, numerator_of
from verifier.transformers.tables import Execution

LONGEST = 13
LONGEST_COMPARED = 7
KEPT = 1 << 16
"""The number of sums and outputs that are remembered. Few bits have few of them."""
Message = tuple[Number, ...]
"""The partial sums of the numerator, then that of the denominator."""


def sent(message: Message) -> str:
    """The message with the names of the sums, which are L1 for the denominator and L2 for the numerator."""
    *numerator, denominator = (show(x) for x in message)
    return f"L1 = {denominator} and L2 = {', '.join(numerator)}"


@dataclass(frozen=True)
class Collision:
    """Two of Alice's inputs with one message, and a z of Bob's that requires different answers: the construction computes nothing."""

    first: str
    second: str
    z: str
    message: Message

    def __str__(self) -> str:
        return f"y = {self.first} and y = {self.second} send {sent(self.message)}; z = {self.z} needs different answers"


@dataclass(frozen=True)
class Run:
    """The messages of a protocol over all of Alice's inputs."""

    inputs: int
    messages: int
    numbers: int
    collision: Collision | None


@dataclass(frozen=True)
class Comparison:
    """Bob's answers and the transformer's on all promise pairs: their number, the number on which Bob differs, and the first of these."""

    pairs: int
    differing: int
    first: Transcript | None


@dataclass(frozen=True)
class Transcript:
    """One pair, with Alice's message, Bob's sums, and the transformer's answer."""

    y: str
    z: str
    message: Message
    attention: Number
    answer: int | None
    transformer: int | None

    @property
    def agrees(self) -> bool:
        return self.answer == self.transformer

    def lines(self) -> list[str]:
        """The transcript, a line for each step."""
        return [
            f"Alice holds y = {self.y}",
            f"Alice sends {sent(self.message)}",
            f"Bob holds z = {self.z}, goes on and divides: {show(self.attention)}",
            f"Bob answers {self.answer}; the transformer answers {self.transformer}",
        ]


class Protocol:
    """A protocol in which Alice has the tokens up to index ``last``, and Bob the others.

    Raises:
        InputError: an ill-formed construction, a cut that is not a token, or one after which a token still reads y, or before which
            one reads z already.
    """

    def __init__(self, execution: Execution, last: int) -> None:
        instance = execution.instance
        if instance.defects:
            raise InputError(f"{instance.id} is ill-formed: {instance.defects[0]}")
        indices = [t.index for t in instance.tokens]
        if last not in indices:
            raise InputError(f"a cut after token {last}: {instance.id} has the tokens {indices[0]} … {indices[-1]}")
        cut = indices.index(last) + 1
        self.execution = execution
        self._add = lru_cache(maxsize=KEPT)(execution.machine.add)
        self._output = lru_cache(maxsize=KEPT)(self._divided)
        self.alice, self.bob = instance.tokens[:cut], instance.tokens[cut:]
        self._only(self.alice, "y", "Alice")
        self._only(self.bob, "z", "Bob")

    @staticmethod
    def _only(tokens: tuple[Token, ...], string: str, player: str) -> None:
        for token in tokens:
            for bit in token.reads:
                if bit.string != string:
                    raise InputError(f"the cut is not a prefix that reads y alone: {player}'s token {token.index} reads {bit}")

    def message(self, y: int) -> Message:
        """Alice's partial sums."""
        return self._go_on((ZERO,) * (self.execution.sums + 1), self.alice, y, 0)

    def attention(self, message: Message, z: int) -> Number:
        """The attention's output that Bob computes from a message and his tokens; linear attention divides by nothing.

        Bob's tokens read no bit of y and Alice's tokens no bit of z, which determines the cut.
        """
        return self._output(self._go_on(message, self.bob, 0, z))

    def _divided(self, message: Message) -> Number:
        *sums, denominator = message
        return self.execution.machine.divide(numerator_of(self.execution, tuple(sums)), denominator if self.execution.normalised else ONE)

    def _go_on(self, message: Message, tokens: tuple[Token, ...], y: int, z: int) -> Message:
        length = self.execution.instance.m
        for token in tokens:
            term = self.execution.term(token, token.pattern(y, z, length))
            message = tuple(map(self._add, message, (*term.products, term.weight)))
        return message

    def transcript(self, y: int, z: int) -> Transcript:
        """The protocol on one pair, beside the transformer."""
        length, message = self.execution.instance.m, self.message(y)
        attention = self.attention(message, z)
        answer = decide(self.execution, attention).answer
        own = evaluate(self.execution, y, z).decision.answer
        return Transcript(bits_of(y, length), bits_of(z, length), message, attention, answer, own)

    def run(self, advance: Callable[[int, int], None] = lambda done, total: None) -> Run:
        """Run the protocol on every y: the distinct messages, and the first collision for which some z needs different answers.

        Raises:
            LimitError: strings of more than 13 bits.
        """
        problem = self.execution.instance.problem
        if problem.length > LONGEST:
            raise LimitError(f"Alice has 2^{problem.length} inputs, a protocol is run up to 2^{LONGEST}", "a smaller --p")
        seen: dict[Message, list[int]] = {}
        collision = None
        for y in range(1 << problem.length):
            message = self.message(y)
            for other in seen.get(message, []) if collision is None else []:
                z = self._separating(other, y)
                if z is not None:
                    collision = Collision(bits_of(other, problem.length), bits_of(y, problem.length), bits_of(z, problem.length), message)
                    break
            seen.setdefault(message, []).append(y)
            advance(y + 1, 1 << problem.length)
        return Run(1 << problem.length, len(seen), self.execution.sums + 1, collision)

    def compare(self, advance: Callable[[int, int], None] = lambda done, total: None) -> Comparison:
        """Compare the answers on every promise pair. Bob answers from the message alone, and the transformer from the pair.

        Raises:
            LimitError: strings of more than 7 bits.
        """
        problem = self.execution.instance.problem
        if problem.length > LONGEST_COMPARED:
            raise LimitError(f"pairs of {problem.length} bits are compared one by one up to {LONGEST_COMPARED} bits", "a smaller --p")
        pairs = differing = 0
        first = None
        for y in range(1 << problem.length):
            advance(y, 1 << problem.length)
            for z in range(1 << problem.length):
                if not problem.promised(y, z):
                    continue
                pairs += 1
                found = self.transcript(y, z)
                if not found.agrees:
                    differing += 1
                    first = first or found
        return Comparison(pairs, differing, first)

    def _separating(self, first: int, second: int) -> int | None:
        """The least z with which both inputs keep the promise and have different values."""
        problem = self.execution.instance.problem
        for z in range(1 << problem.length):
            if problem.promised(first, z) and problem.promised(second, z) and problem.value(first, z) != problem.value(second, z):
                return z
        return None
