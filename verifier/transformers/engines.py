"""The table of engines: each decides every input of one length, or says why it does not; they are asked in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass

from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import Advance, silent
from verifier.transformers import decoded, induction, local_states, prefixes
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.enumeration import LEAST, WHOLE, Part, first_in, method_of
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network
from verifier.transformers.outputs import Answer
from verifier.transformers.records import NetworkFile
from verifier.transformers.smallest_wrong import smallest_wrong

Found = tuple[Strings, Answer]

FEW = {"arrays": 1 << 12, "definition": 1 << 5}
"""Inputs that are better run one by one than by the symbols that heads read."""
MANY = 1 << 16
"""More inputs are not run one by one where induction finds a wrong one, but not whether it is the smallest."""
FIRST = 12
"""How many inputs of a network that appends symbols are tried, the first ones, where induction does not find the first wrong one."""
BY_INPUT = "every input"
"""The engine that is asked last, and the only one of networks that the definition alone runs."""
TOO_MUCH = "needs more work than --limit allows"


@dataclass(frozen=True)
class Asked:
    """A network in an arithmetic: are all inputs right, or those of a ``part``?

    work: how much may be done, in operations of arrays; pool: gives processes for long enumerations.
    """

    file: NetworkFile
    point: Mapping[str, int]
    network: Network
    arithmetic: Arithmetic
    part: Part = WHOLE
    work: int = 0
    advance: Advance = silent
    pool: Callable[[], Executor] | None = None

    @property
    def method(self) -> str:
        """``arrays`` where the arithmetic has them, else ``definition``."""
        return method_of(self.network, self.arithmetic)

    @property
    def whole(self) -> int:
        """How many inputs are counted where all are decided at once: they are those of the first part."""
        return self.network.input.count if self.part.number == 1 else 0

    @property
    def needed(self) -> int:
        """The work of running each input."""
        start, stop = self.part.span(self.network.input.count)
        return (stop - start) * len(self.network.input.layout) ** 2 * (1 if self.method == "arrays" else 1000)


@dataclass(frozen=True)
class Decision:
    """wrong: the first wrong input, None where all are right; cases: how many inputs are decided; work: what it took."""

    method: str
    wrong: Found | None
    cases: int
    work: int = 0


@dataclass(frozen=True)
class Engine:
    """For networks that answer at one token, or append symbols, or both.

    not_applicable: why it is not asked of a network; empty if it is. decide: raises a LimitError where it leaves something open.
    """

    name: str
    networks: tuple[str, ...]
    not_applicable: Callable[[Asked], str]
    decide: Callable[[Asked], Decision]


def decided(asked: Asked) -> tuple[Decision | None, dict[str, str]]:
    """What the first engine that decides finds; and why those before it do not, by their names."""
    reasons: dict[str, str] = {}
    kind = "answer" if asked.network.file.decode is None else "append"
    for engine in (each for each in ENGINES if kind in each.networks):
        reason = engine.not_applicable(asked) or (asked.network.not_by_arrays if engine.name != BY_INPUT else "")
        if not reason:
            try:
                return engine.decide(asked), reasons
            except (InputError, LimitError, ArithmeticError) as error:
                reason = str(error)
        reasons[engine.name] = reason
    return None, reasons


def _by_induction(asked: Asked) -> Decision:
    """Where smaller wrong inputs are not excluded, the first inputs are tried, then classes of inputs with the same first symbols."""
    built, arithmetic, many = asked.network, asked.arithmetic, asked.network.input.count > MANY
    try:
        found = decoded.decide(built, arithmetic, asked.advance)
    except (LimitError, ArithmeticError):
        if many and (first := _of_the_first(built, arithmetic)) is not None:
            return first
        raise
    if found.smallest:
        return Decision(induction.METHOD, found.wrong, asked.whole)
    if not many:
        raise LimitError("smaller wrong inputs are not excluded", "another arithmetic")
    if (first := _of_the_first(built, arithmetic)) is not None:
        return first
    assert found.wrong is not None
    try:
        return Decision(induction.METHOD, smallest_wrong(built, arithmetic, found.wrong[0], asked.advance), asked.whole)
    except (LimitError, ArithmeticError):
        return Decision(f"{induction.METHOD} (smaller wrong inputs are not excluded)", found.wrong, asked.whole)


def _of_the_first(built: Network, arithmetic: Arithmetic) -> Decision | None:
    """The first wrong one of the first inputs, which is the first of all."""
    try:
        wrong = wrong_by_arrays(built, arithmetic, [built.input.nth(k) for k in range(FIRST)])
    except (InputError, LimitError, ArithmeticError):
        return None
    return Decision(f"arrays, of the first {FIRST} inputs", wrong[0], FIRST) if wrong else None


def _no_prefixes(asked: Asked) -> str:
    if asked.method != "arrays":
        return "an arithmetic that has arrays was expected"
    return prefixes.not_applicable(asked.network, asked.arithmetic)


def _by_prefixes(asked: Asked) -> Decision:
    wrong = prefixes.Prefixes(asked.network, asked.arithmetic).first_wrong() if asked.whole else None
    return Decision(prefixes.METHOD, wrong, asked.whole)


def _no_local_states(asked: Asked) -> str:
    if not asked.arithmetic.of_programs:
        return "an arithmetic of programs was expected, with ties=even and order=values"
    if asked.network.input.count <= FEW[asked.method] and asked.needed <= asked.work:
        return "few inputs, which are run one by one"
    return local_states.not_applicable(asked.network)


def _by_local_states(asked: Asked) -> Decision:
    most = min(local_states.MOST_CASES, asked.network.input.count // 2)
    wrong = local_states.smallest_wrong(asked.network, asked.arithmetic, most)
    return Decision(local_states.METHOD, wrong if asked.whole else None, asked.whole)


def _one_by_one(asked: Asked) -> Decision:
    start, stop = asked.part.span(asked.network.input.count)
    pool = asked.pool() if asked.pool is not None and stop - start > LEAST else None
    wrong = first_in(asked.file, asked.point, asked.arithmetic, asked.part, asked.advance, pool)
    return Decision(asked.method, wrong, stop - start, asked.needed)


ENGINES = (
    Engine(induction.METHOD, ("append",), lambda asked: induction.not_applicable(asked.network, asked.arithmetic), _by_induction),
    Engine(prefixes.METHOD, ("answer",), _no_prefixes, _by_prefixes),
    Engine(local_states.METHOD, ("answer",), _no_local_states, _by_local_states),
    Engine(BY_INPUT, ("answer", "append"), lambda asked: TOO_MUCH if asked.needed > asked.work else "", _one_by_one),
)
