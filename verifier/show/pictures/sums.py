"""Draw the running sums of one input: numerator and denominator against the token, the roundings, and the values that the proof states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from verifier.arithmetic.numbers import INF, NEG_INF, Number, Special, show
from verifier.arithmetic.rationals import Fraction
from verifier.claims.judge_names import NamedJudge, converted
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition
from verifier.judges.evaluation import supplied
from verifier.judges.fields import PartialSum
from verifier.judges.partial_sum import applied, steps
from verifier.language.definitions import inlined_text
from verifier.language.exact import Bits, Given, truth, value
from verifier.networks.instantiate import names_at
from verifier.networks.problems import bits_of
from verifier.running.errors import InputError
from verifier.show.pictures.drawing import Drawing
from verifier.transformers.table_traces import Step, Trace, numerator_of
from verifier.transformers.tables import Execution


@dataclass(frozen=True)
class Said:
    """A value that the proof states for a sum on this input, after the token with index ``after``.

    of: numerator or denominator; value: the claimed value; found: the computed value.
    """

    claim: Claim
    of: str
    after: int
    value: Number
    found: Number

    @property
    def departs(self) -> bool:
        return self.value != self.found


def said(claim: Claim, execution: Execution, trace: Trace, edition: Edition = Edition.PRINTED) -> list[Said]:
    """The values that the steps of the claim's proof give for sums from the first token on, in the order of the tokens.

    edition: of the proof; the corrected construction is compared with the corrected proof.
    """
    owner = find_claim(f"{claim.paper}/{claim.owner}")
    found = [each for step in owner.steps for each in _of_step(step.of_edition(edition), claim, execution, trace)]
    order = {s.token.index: k for k, s in enumerate(trace.steps)}
    return sorted(found, key=lambda each: (order[each.after], each.of))


def _of_step(step: Claim, claim: Claim, execution: Execution, trace: Trace) -> Iterator[Said]:
    """The value that a step states, if it is about this table and a whole sum on this input."""
    if not isinstance(step.judge, NamedJudge) or step.judge.kind is not PartialSum or step.table is None or claim.table is None:
        return
    if (step.table.folder, step.table.name) != (claim.table.folder, claim.table.name):
        return
    fields = converted(step.fields, PartialSum)
    assert isinstance(fields, PartialSum)
    first, last = steps(fields.steps)
    rows = sorted({s.token.step for s in trace.steps})
    if fields.is_ is None or fields.of not in ("numerator", "denominator") or not rows or first > rows[0]:
        return
    done = [s for s in trace.steps if s.token.step <= last]
    if tuple(done) != trace.steps[: len(done)]:
        return  # rows that are not the first tokens: no running sum is theirs alone
    names: dict[str, Given] = {
        **names_at(step.table.source.file, execution.instance.parameters),
        "applied": applied(execution),
        "y": Bits(trace.y, execution.instance.m),
        "z": Bits(trace.z, execution.instance.m),
    }
    try:
        speaks = fields.when is None or truth(inlined_text(fields.when, step.lets), names, supplied(step.functions))
        claimed = value(inlined_text(fields.is_, step.lets), names, supplied(step.functions)) if speaks and done else None
    except InputError:
        return  # a formula in names that this table does not have: the step speaks of another input or parameter
    if isinstance(claimed, Fraction | Special):
        yield Said(step, fields.of, done[-1].token.index, claimed, _sum(fields.of, execution, done[-1]))


def _sum(quantity: str, execution: Execution, step: Step) -> Number:
    return step.denominator if quantity == "denominator" else numerator_of(execution, step.sums)


LEFT, WIDTH, HEIGHT, TOP = 64.0, 620.0, 150.0, 66.0
BETWEEN = 44.0


@dataclass(frozen=True)
class Panel:
    """A sum after each token. rounded: the tokens at which it was rounded; said: the proof's values, by the number of the token."""

    name: str
    kind: str
    values: tuple[Number, ...]
    rounded: tuple[tuple[str, ...], ...]
    said: tuple[tuple[int, Said], ...]


def panels(execution: Execution, trace: Trace, proof: Sequence[Said]) -> list[Panel]:
    """The panels of the numerator and, if the table divides, of the denominator."""
    place = {s.token.index: k for k, s in enumerate(trace.steps)}

    def panel(name: str, kind: str, values: Sequence[Number], words: tuple[str, ...]) -> Panel:
        rounded = tuple(tuple(r for r in s.rounded if r.startswith(words)) for s in trace.steps)
        return Panel(name, kind, tuple(values), rounded, tuple((place[s.after], s) for s in proof if s.of == name))

    found = [panel("numerator", "", [numerator_of(execution, s.sums) for s in trace.steps], ("sum", "product"))]
    if execution.normalised:
        found.append(panel("denominator", " second", [s.denominator for s in trace.steps], ("denominator",)))
    return found


def picture(execution: Execution, trace: Trace, proof: Sequence[Said] = ()) -> Drawing:
    """The sums of one input, one panel for each."""
    instance = execution.instance
    listed = panels(execution, trace, proof)
    y, z = (bits_of(x, instance.m) for x in (trace.y, trace.z))
    title = f"{instance.id}: y = {y}, z = {z}"
    answer = "neither 0 nor 1" if trace.decision.answer is None else str(trace.decision.answer)
    says = f"quotient {show(trace.attention)}, answer {answer}, {instance.problem.function}(y, z) = {trace.expected}"
    drawing = Drawing(LEFT + WIDTH + 16, TOP + len(listed) * (HEIGHT + BETWEEN) + 18, title, says)
    drawing.text((8, 16), title)
    drawing.text((8, 34), says, "small faint")
    for number, panel in enumerate(listed):
        _draw(drawing, panel, TOP + number * (HEIGHT + BETWEEN), trace)
    return drawing


def across(trace: Trace, number: int) -> float:
    """The horizontal position of a token, by its number."""
    return LEFT + WIDTH * (number + 0.5) / len(trace.steps)


def _draw(drawing: Drawing, panel: Panel, top: float, trace: Trace) -> None:
    finite = [float(x) for x in (*panel.values, *(s.value for _, s in panel.said)) if isinstance(x, Fraction)]
    low, high = min([0.0, *finite]), max([0.0, *finite])
    room = (high - low) or 1.0

    def down(x: Number) -> float:
        """An infinite value stands on the edge of the panel, NaN in its middle."""
        if isinstance(x, Fraction):
            return top + HEIGHT - 8 - (HEIGHT - 16) * (float(x) - low) / room
        return top if x is INF else top + HEIGHT if x is NEG_INF else top + HEIGHT / 2

    drawing.rectangle((LEFT, top), (WIDTH, HEIGHT), "frame")
    drawing.line([(LEFT, down(Fraction(0))), (LEFT + WIDTH, down(Fraction(0)))], "grid")
    drawing.text((LEFT, top - 8), panel.name)
    for level in sorted({low, 0.0, high}):
        drawing.text((LEFT - 6, down(Fraction(level)) + 4), show(Fraction(level).limit_denominator(1 << 20)), "small end")
    points = [(across(trace, k), down(x)) for k, x in enumerate(panel.values)]
    drawing.line(_stairs(points), f"line{panel.kind}")
    shown = _shown(trace)
    for k, step in enumerate(trace.steps):
        if k in shown:
            drawing.text((across(trace, k), top + HEIGHT + 14), str(step.token.index), "small middle faint")
    drawing.text((LEFT - 6, top + HEIGHT + 14), "token", "small end faint")
    before: Said | None = None
    for place, each in panel.said:
        y = down(each.value)
        drawing.line([(LEFT if before is None else across(trace, place) - 24, y), (across(trace, place) + 4, y)], "said")
        before = each
        if each.departs:
            drawing.circle((across(trace, place), down(each.found)), 7, "ring", f"{each.claim.name}: the proof says {show(each.value)}")
    for k, x in enumerate(panel.values):
        if not isinstance(x, Fraction) and (k == 0 or panel.values[k - 1] != x):
            drawing.text((across(trace, k) + 4, down(x) + (12 if x is not NEG_INF else -4)), show(x), "small")
            drawing.circle((across(trace, k), down(x)), 5, "dot bad", f"token {trace.steps[k].token.index}: {show(x)}")
        elif panel.rounded[k]:
            says = f"token {trace.steps[k].token.index}: {'; '.join(panel.rounded[k])}"
            drawing.circle((across(trace, k), down(x)), 4, f"dot{panel.kind}", says)


def _stairs(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Draw each value as a level that lasts until the next token."""
    stairs = list(points[:1])
    for (_, y), (x, z) in pairwise(points):
        stairs += [(x, y), (x, z)]
    return stairs


def _shown(trace: Trace) -> set[int]:
    """The tokens whose numbers are written below the axis."""
    every = max(1, len(trace.steps) // 20)
    return set(range(0, len(trace.steps), every))
