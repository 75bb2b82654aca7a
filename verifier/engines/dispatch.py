"""The table of engines, for tables and for networks: each decides every input, or says why it does not; they are asked in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

from verifier.arithmetic.semantics import Arithmetic
from verifier.engines import METHODS
from verifier.engines.blocks import of_two_blocks
from verifier.engines.by_states import by_states
from verifier.engines.enumerate import DEFAULT_LIMIT, METHOD, enumerate_inputs
from verifier.engines.enumerate import Advance as StepsDone
from verifier.engines.failure_counts import Census
from verifier.engines.program import Program, sums_of
from verifier.engines.search import NotApplicableError
from verifier.networks.problems import Problem
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import Advance, silent
from verifier.transformers.network import Network
from verifier.transformers.tables import Execution

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from verifier.transformers.answers import Part
    from verifier.transformers.inputs import Strings
    from verifier.transformers.outputs import Answer
    from verifier.transformers.records import NetworkFile

FEW_BITS = 16
"""Up to this number of bits, the inputs of a table are run one by one, unless states are requested."""
MANY = 1 << 16
"""More inputs are not run one by one where induction finds a wrong one, but not whether it is the smallest."""
FIRST = 12
"""The number of first inputs that are tried for a network that appends symbols, if induction does not find the first wrong input."""
TOO_MUCH = "needs more work than --limit allows"
TABLE, ANSWER, APPEND = "table", "answer", "append"
"""The subjects of engines, which are tables, networks that answer at one token, and networks that append symbols."""


@dataclass(frozen=True)
class Engine:
    """A row of the table.

    name: its name in ``--method`` and in messages. of: the kinds of questions that it may decide.
    not_applicable: why it is not asked, or empty if it is. decide: raises an error if it leaves something open.
    defines: whether it also runs what only the definition computes.

    An engine that decides has judged every input that keeps the promise. It stops with a LimitError at the limit of the question.
    """

    name: str
    of: tuple[str, ...]
    not_applicable: Callable[[Any], str]
    decide: Callable[[Any], Any]
    defines: bool = False


def decided(asked: OfTable | OfNetwork) -> tuple[Any, dict[str, str | Exception]]:
    """The result of the first engine that decides, None if none does; and the reasons of the engines before it, by their names.

    After an error of the kinds that the question allows, the next engine is asked.
    """
    reasons: dict[str, str | Exception] = {}
    for engine in ENGINES:
        if asked.kind not in engine.of or asked.method not in ("auto", engine.name):
            continue
        reason: str | Exception = ("" if engine.defines else asked.by_definition_alone) or engine.not_applicable(asked)
        if not reason:
            try:
                return engine.decide(asked), reasons
            except asked.passed_on as error:
                reason = error
            except LimitError as error:
                because = "".join(f"; states do not decide it: {why}" for why in reasons.values() if isinstance(why, NotApplicableError))
                raise LimitError(f"{error.message}{because}", error.flag) from None
        reasons.setdefault(engine.name, reason)
    return None, reasons


# --- tables


@dataclass(frozen=True)
class OfTable:
    """The question: is every input of a table right, under a reading?

    method: the engine, or ``auto``; limit: the most states to visit; smallest: whether to look for the smallest failure.
    """

    passed_on: ClassVar = (NotApplicableError,)
    kind: ClassVar = TABLE
    execution: Execution
    method: str
    limit: int
    advance: StepsDone
    smallest: bool

    @property
    def by_definition_alone(self) -> str:
        """Why only the definition computes it, or empty if another engine does."""
        return "" if self.execution.semantics.of_tables else "it decides readings such as a4"

    @property
    def pairs(self) -> bool:
        """Whether inputs are pairs of strings with a named function and one value column."""
        return isinstance(self.execution.instance.task, Problem) and self.execution.instance.outputs == 1


_FOUND: WeakKeyDictionary[Execution, dict[tuple[str, int, bool], Census]] = WeakKeyDictionary()
"""Results under the readings in use, because several claims ask the same about one table."""


def decide(
    execution: Execution,
    method: str = "auto",
    limit: int = DEFAULT_LIMIT,
    advance: StepsDone = lambda done, total: None,
    smallest: bool = True,
) -> Census:
    """The census of one method on a well-formed instance.

    Args:
        method: auto, enumerate or reachable.
        limit: the largest number of states to visit.
        smallest: whether to look for the smallest failure even if counting does not find it.

    Raises:
        InputError: no such method, or one that cannot handle this construction.
        LimitError: more work than ``limit``.
    """
    if method not in METHODS:
        raise InputError(f"--method {method}: {', '.join(METHODS)} were expected")
    known = _FOUND.setdefault(execution, {})
    for (by, within, all_of_it), found in known.items():
        enough = within == limit or (found.work is not None and found.work <= limit)
        if by == method and enough and all_of_it >= smallest:
            return found
    made, reasons = decided(OfTable(execution, method, limit, advance, smallest))
    if made is None:
        raise InputError(f"--method {method}: {next(iter(reasons.values()))}; --method enumerate can decide it")
    known[method, limit, smallest] = made
    return known[method, limit, smallest]


def _no_states(asked: OfTable) -> str:
    few = asked.method == "auto" and asked.execution.instance.task.bits <= FEW_BITS
    return "few inputs, which are run one by one" if few else ""


def _by_states(asked: OfTable) -> Census:
    return by_states(asked.execution, asked.limit, asked.advance, smallest=asked.smallest)


def _inputs_of_a_table(asked: OfTable) -> Census:
    """Split the positions into two blocks and decide every combination of their outcomes."""
    if asked.pairs and not asked.by_definition_alone and not asked.execution.instance.defects:
        with suppress(NotApplicableError):
            found = of_two_blocks(sums_of(asked.execution), asked.limit, asked.advance, Program.faults)
            return replace(found, method=METHOD)
    return enumerate_inputs(asked.execution, asked.limit, asked.advance)


# --- networks; what they need is imported when a network is asked about


@dataclass(frozen=True)
class OfNetwork:
    """The question whether all inputs of a network, or those of a ``part``, are right in an arithmetic.

    work: the limit, in operations of arrays; pool: supplies processes for long enumerations.
    """

    passed_on: ClassVar = (InputError, LimitError, ArithmeticError)
    method: ClassVar = "auto"
    file: NetworkFile
    point: Mapping[str, int]
    network: Network
    arithmetic: Arithmetic
    part: Part
    work: int = 0
    advance: Advance = silent
    pool: Callable[[], Executor] | None = None

    @property
    def kind(self) -> str:
        return ANSWER if self.network.file.decode is None else APPEND

    @property
    def by_definition_alone(self) -> str:
        """Why only the definition computes it, such as a kind of attention that arrays lack, or empty if another engine does."""
        return self.network.not_by_arrays

    @property
    def run_by(self) -> str:
        """``arrays`` if the network and the arithmetic allow them, else ``definition``."""
        from verifier.transformers.answers import method_of

        return method_of(self.network, self.arithmetic)

    @property
    def whole(self) -> int:
        """The number of inputs that are counted if all are decided together, as part of the first part."""
        return self.network.input.count if self.part.number == 1 else 0

    @property
    def needed(self) -> int:
        """The work of running each input."""
        start, stop = self.part.span(self.network.input.count)
        return (stop - start) * len(self.network.input.layout) ** 2 * (1 if self.run_by == "arrays" else 1000)


@dataclass(frozen=True)
class Decision:
    """The decision on a network. wrong: the first wrong input, None if all are right; cases: the number of inputs decided; work: its
    cost."""

    method: str
    wrong: tuple[Strings, Answer] | None
    cases: int
    work: int = 0


def _no_induction(asked: OfNetwork) -> str:
    from verifier.transformers import induction

    return induction.not_applicable(asked.network, asked.arithmetic)


def _by_induction(asked: OfNetwork) -> Decision:
    """Decide by induction. If a smaller wrong input is possible, try the first inputs, then classes with the same first symbols."""
    from verifier.transformers import decoded, induction
    from verifier.transformers.decoded import smallest_wrong

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
    """The first wrong one among the first inputs, which is then the first of all."""
    from verifier.transformers.answers import wrong_by_arrays

    try:
        wrong = wrong_by_arrays(built, arithmetic, [built.input.nth(k) for k in range(FIRST)])
    except (InputError, LimitError, ArithmeticError):
        return None
    return Decision(f"arrays, of the first {FIRST} inputs", wrong[0], FIRST) if wrong else None


def _no_prefixes(asked: OfNetwork) -> str:
    from verifier.transformers import prefixes

    if asked.run_by != "arrays" and not asked.arithmetic.exact:
        return "an arithmetic that has arrays, or real numbers, were expected"
    return prefixes.not_applicable(asked.network, asked.arithmetic)


def _by_prefixes(asked: OfNetwork) -> Decision:
    from verifier.transformers import prefixes

    wrong = prefixes.prefixes_of(asked.network, asked.arithmetic).first_wrong() if asked.whole else None
    return Decision(prefixes.METHOD, wrong, asked.whole)


def _too_many_inputs(asked: OfNetwork) -> str:
    return TOO_MUCH if asked.needed > asked.work else ""


def _inputs_of_a_network(asked: OfNetwork) -> Decision:
    from verifier.transformers.answers import LEAST, first_in

    start, stop = asked.part.span(asked.network.input.count)
    pool = asked.pool() if asked.pool is not None and stop - start > LEAST else None
    wrong = first_in(asked.file, asked.point, asked.arithmetic, asked.part, asked.advance, pool)
    return Decision(asked.run_by, wrong, stop - start, asked.needed)


ENGINES = (
    Engine("reachable", (TABLE,), _no_states, _by_states),
    Engine("enumerate", (TABLE,), lambda asked: "", _inputs_of_a_table, defines=True),
    Engine("induction", (APPEND,), _no_induction, _by_induction),
    Engine("prefix states", (ANSWER,), _no_prefixes, _by_prefixes),
    Engine("every input", (ANSWER, APPEND), _too_many_inputs, _inputs_of_a_network, defines=True),
)
