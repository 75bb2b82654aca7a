"""Judge claims, and keep each outcome so that it is computed once. :mod:`verifier.claims.rules` derives what follows from outcomes.

:class:`Proof` describes the steps of a statement's proof at one point: how many hold, fail, are slips, or are undecided.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from verifier.arithmetic.semantics import Semantics
from verifier.claims import rules
from verifier.claims.file_records import THE_FIELDS
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim, Query, depends_on_edition
from verifier.claims.papers import find_claim, find_paper
from verifier.claims.points import Point, Values, constituents, parameter_words, part_points, step_points
from verifier.claims.verdicts import Edition, Outcome, Result, Verdict, declined, worst
from verifier.networks.files import Lines, read_toml_text
from verifier.running.errors import FileDefect, FileDefects, InputError, LimitError, MissingExtraError, TooLargeError, UntrustedError
from verifier.running.limits import CLOCK, SHORT_OF_MEMORY, Advance, Limits, OutOfTime, silent
from verifier.running.results import READ

Judged = Callable[[Point], Outcome]

MOST_NAMED = 3
"""The number of undecided steps that the line names."""


@dataclass(frozen=True)
class Proof:
    """The steps of a statement as printed, each with its worst verdict at one of the statement's points.

    ``states``: the work that a step may take, where that is less than ``--limit``. Steps that do not apply at this point are left out.
    Results of ours that belong to the statement are not steps of its proof.
    """

    claim: Claim
    stood: tuple[tuple[Claim, Outcome], ...]
    states: int | None = None

    @classmethod
    def of(cls, owner: Point, judged: Judged, states: int | None = None) -> Proof:
        stood = []
        for step in owner.claim.steps:
            if step.ours:
                continue
            found = [judged(point) for point in step_points(step, owner.values)]
            if found:
                verdict = worst(f.verdict for f in found)
                stood.append((step, next(f for f in found if f.verdict is verdict)))
        return cls(owner.claim, tuple(stood), states)

    def _with(self, verdict: Verdict) -> list[tuple[Claim, Outcome]]:
        return [(s, f) for s, f in self.stood if f.verdict is verdict]

    @property
    def slips(self) -> int:
        """The number of refuted steps on which the statement does not rest, because they are asides or it has a verified witness."""
        return rules.slips(self.claim, (step for step, _ in self._with(Verdict.REFUTED)))

    @property
    def undecided(self) -> list[Claim]:
        """The steps that are open, or declined and not blocked."""
        return [step for step, _ in self._undecided()]

    def _undecided(self) -> list[tuple[Claim, Outcome]]:
        left_out = [*self._with(Verdict.OPEN), *self._with(Verdict.DECLINED)]
        return [(step, outcome) for step, outcome in left_out if not outcome.blocked_by]

    @property
    def line(self) -> str | None:
        """``proof: 18 of 24 steps hold, 5 fail but nothing rests on them, 1 blocked``; None for a statement without steps.

        The line never tells a reader to start with a slip.
        """
        if not self.stood:
            return None
        refuted = self._with(Verdict.REFUTED)
        failing = len(refuted) - self.slips
        blocked = sum(1 for _, f in self.stood if f.blocked_by)
        conditional = self._with(Verdict.CONDITIONAL)
        on = ", ".join(dict.fromkeys(a for _, f in conditional for a in f.assumptions))
        limited = [step for step, outcome in self._undecided() if outcome.out_of_reach and self.states]
        undecided = [step for step in self.undecided if step not in limited]
        within = f"within {self.states:,} states a step" if self.states else ""
        counts = [
            f"{len(self._with(Verdict.VERIFIED))} of {len(self.stood)} steps hold",
            *([f"{failing} fail{'s' if failing == 1 else ''}"] if failing else []),
            *([_slips(self.slips, bool(failing))] if self.slips else []),
            *([f"{blocked} blocked"] if blocked else []),
            *([f"{len(conditional)} conditional on {on}"] if conditional else []),
            *([f"{len(undecided)} undecided: {_listed(undecided)}"] if undecided else []),
            *([f"{len(limited)} undecided {within}: {_listed(limited)} (--steps judges with --limit)"] if limited else []),
        ]
        first = next((s for s, _ in refuted if s.role == "argument"), None) if failing else None
        return f"proof: {', '.join(counts)}" + (f"; start with {first.name}" if first else "")


def _slips(count: int, more: bool) -> str:
    """``5 more fail but nothing rests on them``."""
    return f"{count} {'more ' if more else ''}{'fails but nothing rests on it' if count == 1 else 'fail but nothing rests on them'}"


def _listed(steps: Sequence[Claim]) -> str:
    """The names of the first steps, without the name of their statement."""
    names = [step.name.partition(":")[2] for step in steps]
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


if TYPE_CHECKING:
    from verifier.errata.by_name import Only

_Values = tuple[tuple[str, int], ...]
_Key = tuple[str, Edition, _Values, Semantics]

DEEPEST_CLAIMS = 20
"""The length of the longest chain of claims that rest on each other."""
STEP_STATES = 1 << 24
"""The work that a step may take for the verdict and the proof line of its owner (``--limit`` if that is less)."""


class Session:
    """A run with its limits, progress and method, and its outcomes so far. only: the errata of the repaired edition, if not all."""

    def __init__(self, limits: Limits = Limits(), advance: Advance = silent, method: str = "auto", only: Only | None = None) -> None:
        self.limits = limits
        self.only = only
        self.advance = advance
        self.method = method
        self.count_slips = False
        """Whether results of statements say how many slips their proofs have: their steps are judged for it."""
        self._judged: dict[_Key, Outcome] = {}
        self._made: dict[_Key, tuple[Outcome, float]] = {}
        self._decided: dict[tuple[int, tuple[tuple[str, int], ...]], tuple[Claim, Outcome]] = {}
        """The outcomes for all parameters, by the given parameters and the address of the claim, which is kept with them."""
        self._asked: dict[_Key, set[str]] = {}
        """The claims that are being judged, each asked for by the one before, with the extras that were missing for it so far."""
        self._of_steps: Session | None = None
        self._counting: Session | None = None

    @property
    def steps(self) -> Session:
        """The session that judges steps for their owners, which is this one or one with a lower limit for each step."""
        if self.limits.states <= STEP_STATES:
            return self
        if self._of_steps is None:
            self._of_steps = Session(replace(self.limits, states=STEP_STATES), self.advance, self.method, self.only)
        return self._of_steps

    def ask(self, claim: str, edition: Edition, parameters: Values, semantics: Semantics) -> Outcome:
        """The outcome of a claim, by id; parameters that the claim lacks are left out."""
        found = find_claim(claim)
        known = {p.name for p in found.parameters}
        return self.at(Point.of(found, {k: v for k, v in parameters.items() if k in known}), edition, semantics)

    def outcome(self, claim: Claim, edition: Edition, given: Values, semantics: Semantics) -> tuple[Outcome, float]:
        """The outcome of a claim at the values given, and the seconds that it took."""
        return self._timed(Point.of(claim, given), edition, semantics)

    def decided(self, claim: Claim, fixed: Mapping[str, int]) -> Outcome:
        """Decide a formula by symbols for all values of the parameters that have no value. The outcome is kept."""
        key = id(claim), tuple(sorted(fixed.items()))
        if key not in self._decided:
            assert isinstance(claim.judge, NamedJudge)
            assert claim.judge.every is not None
            self._decided[key] = claim, claim.judge.every(claim, fixed)
        return self._decided[key][1]

    def at(self, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
        """The outcome at a point. The claim that asks for it lacks the same extras."""
        return self._timed(point, edition, semantics)[0]

    def result(self, point: Point, edition: Edition, semantics: Semantics) -> Result:
        """The outcome at a point, with the question."""
        label = semantics.label if point.claim.bounded else None
        return Result(point.claim.id, edition, point.values, label, *self._timed(point, edition, semantics))

    def _timed(self, point: Point, edition: Edition, semantics: Semantics) -> tuple[Outcome, float]:
        """The outcome at a point, computed once, and the seconds that it took."""
        if self.only is not None:
            point = replace(point, claim=self.only.applied(point.claim))
        key = (point.claim.id, edition, point.key, semantics)
        READ.asks(point.claim.paper)
        if key not in self._made:
            start = time.perf_counter()
            with READ.on_behalf_of(point.claim.paper), self._under_way(key):
                own = self._own(point, edition, semantics)
                made = self._noted(self._with_others(own, point, edition, semantics), key)
            self._made[key] = made, time.perf_counter() - start
        self._heard(self._made[key][0])
        return self._made[key]

    @contextmanager
    def _under_way(self, key: _Key) -> Iterator[None]:
        """Refuse a claim that asks for itself while it is judged.

        Raises:
            InputError: the claim is being judged already, or the chain of claims that ask for each other is too long.
        """
        asked, before = [claim for claim, *_ in self._asked], list(self._asked)
        if key in self._asked:
            raise InputError(f"{' -> '.join([*asked[before.index(key) :], key[0]])}: a claim rests on itself")
        if len(asked) >= DEEPEST_CLAIMS:
            raise InputError(f"{' -> '.join(asked[:3])} -> ...: claims that rest on others more than {DEEPEST_CLAIMS} deep")
        self._asked[key] = set()
        try:
            yield
        finally:
            del self._asked[key]

    def _heard(self, made: Outcome) -> None:
        """Record missing extras of an outcome for the claim that asked for it."""
        if self._asked:
            next(reversed(self._asked.values())).update(made.needs)

    def _noted(self, made: Outcome, key: _Key) -> Outcome:
        """Add to an outcome the extras that were missing for it and for the outcomes on which it rests."""
        needs = self._asked[key]
        return replace(made, needs=tuple(sorted({*made.needs, *needs}))) if needs else made

    def results(self, point: Point, editions: tuple[Edition, ...], semantics: Semantics) -> Iterator[Result]:
        """The results of a claim at a point in the given editions, then those of its parts, each part once."""
        yield from self._results(point, editions, semantics, set())

    def _results(
        self, point: Point, editions: tuple[Edition, ...], semantics: Semantics, seen: set[tuple[str, _Values]]
    ) -> Iterator[Result]:
        claim = point.claim
        if (claim.id, point.key) in seen:
            return
        seen.add((claim.id, point.key))
        for edition in editions:
            result = self.result(point, edition, semantics)
            counted = self.count_slips and edition is Edition.PRINTED and claim.steps and point.outside is None and not point.of_all
            yield replace(result, slips=self.proof(point, semantics).slips) if counted else result
        if point.outside is None:
            for part in part_points(claim.parts, point.values):
                yield from self._results(part, editions, semantics, seen)

    def proof(self, point: Point, semantics: Semantics) -> Proof:
        """Judge the printed steps of a statement at one of its points. A step may take less work than the statement."""
        states = None if self.steps is self else STEP_STATES
        return Proof.of(point, lambda step: self.steps._counted(step, Edition.PRINTED, semantics), states)

    def _counted(self, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
        """The earlier outcome at a point, or else a new one, which need not have the smallest counterexample."""
        if self.only is not None or (point.claim.id, edition, point.key, semantics) in self._made:
            return self.at(point, edition, semantics)
        if self._counting is None:
            self._counting = Session(replace(self.limits, smallest=False), self.advance, self.method)
        return self._counting.at(point, edition, semantics)

    def own(self, claim: Claim, edition: Edition, given: Values, semantics: Semantics) -> Outcome:
        """The outcome of a claim's own judge or parts, without the consequences of its steps and assumptions."""
        point = Point.of(claim, given)
        with self._under_way((claim.id, edition, point.key, semantics)):
            return self._own(point, edition, semantics)

    def _own(self, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
        """The outcome by judge or parts, computed once for all editions that share it."""
        key = (point.claim.id, edition, point.key, semantics)
        if key not in self._judged:
            try:
                made, shared = self._judge(point, edition, semantics, self._asked[key])
            except OutOfTime:
                READ.undigested()
                made, shared = declined(CLOCK.told(), out_of_reach=True), (edition,)
            except UntrustedError as refused:
                self._asked[key].add(refused.extra)
                made, shared = declined(str(refused), out_of_reach=True), (edition,)
            except InputError as error:
                raise in_its_file(error, point.claim) from None
            made = self._noted(made, key)
            self._judged |= {(key[0], other, *key[2:]): made for other in shared}
        return self._judged[key]

    def _judge(self, point: Point, edition: Edition, semantics: Semantics, needs: set[str]) -> tuple[Outcome, tuple[Edition, ...]]:
        if outside := rules.outside(point, edition):
            return declined(outside), tuple(Edition) if point.outside else (edition,)
        asked = point.claim.of_edition(edition)
        if point.of_all:
            from verifier.claims.for_all import for_all, is_formula

            proved = rules.on_sample(for_all(self, point, edition, semantics), point, edition)
            return rules.on_words(proved, asked), rules.alike(point.claim, edition, not is_formula(asked) or any(point.claim.arguments))
        if asked.judge is None:
            every = list(constituents(asked, point.claim, point.values))
            parts = [(part.claim, self.at(part, edition, semantics)) for part in every if part.outside is None]
            speaking = {claim.id for claim, _ in parts}
            silent = {part.claim.id: part.claim for part in every if asked.parts and part.claim.id not in speaking}
            made = rules.on_words(rules.composed(parts, tuple(silent.values())), asked)
            return rules.on_existence(made, asked, edition, parts), (edition,)
        by_edition = depends_on_edition(asked.judge)
        query = Query(asked, edition if by_edition else None, point.values, semantics, self, self.limits, self.advance, self.method)
        self.advance(str(point), 0, 0)
        made = rules.on_sample(self._bounded(asked, query, needs), point, edition)
        if made.verdict is Verdict.OPEN and (whole := rules.of_every_family(point, edition)) is not None:
            from verifier.claims.for_all import for_all

            proved = for_all(self, whole, edition, semantics)
            made = proved if proved.verdict is Verdict.VERIFIED else made
        made = rules.on_words(made, asked)
        self.advance(str(point), 1, 0)
        if (made.out_of_reach or made.verdict is Verdict.OPEN) and asked.proofs:
            from verifier.claims.for_all import by_theorem_at

            return by_theorem_at(made, asked, edition, point.values, semantics), (edition,)
        return made, rules.alike(point.claim, edition, by_edition)

    def _bounded(self, claim: Claim, query: Query, needs: set[str]) -> Outcome:
        """The judge's outcome, or one that says which limit or missing extra prevents a decision."""
        assert claim.judge is not None
        try:
            if CLOCK.over:
                raise OutOfTime
            return claim.judge(query)
        except OutOfTime:
            READ.undigested()
            return declined(CLOCK.told(), out_of_reach=True)
        except (LimitError, TooLargeError) as limit:
            return declined(str(limit), out_of_reach=True)
        except MemoryError:
            if self.limits.memory is not None:  # a job's own bound, which its caller names
                raise
            READ.undigested()
            return declined(SHORT_OF_MEMORY, out_of_reach=True)
        except MissingExtraError as missing:
            needs.add(missing.extra)
            return declined(str(missing), out_of_reach=True)
        except FileDefects as defects:
            raise in_its_file(defects, claim) from None

    def _with_others(self, made: Outcome, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
        """The outcome with the consequences of the claim's assumptions, of its steps and of the intended domain."""
        made = rules.on_assumptions(made, self.deciding(made, point.claim.of_edition(edition), point.values, semantics))
        if rules.rests_on_steps(made, point, edition):
            made = rules.on_steps(made, self._argued(point, edition, semantics))
        made = rules.on_meant_domain(made, point)
        return rules.replayed(made, judge_words(point, edition, semantics))

    def deciding(self, made: Outcome, claim: Claim, values: Values, semantics: Semantics) -> Iterator[tuple[str, Point, Outcome]]:
        """The assumptions of an outcome, each with the claim that decides it at this point, if that claim applies there."""
        for name in made.assumptions:
            for support in part_points((claim.supports[name],), values) if name in claim.supports else ():
                if support.outside is None:
                    yield name, support, self.at(support, Edition.STATEMENT, semantics)

    def _argued(self, point: Point, edition: Edition, semantics: Semantics) -> Iterator[tuple[Point, Outcome, rules.Words]]:
        """The argument steps at their points, judged with the work that a step may take."""
        for step in point.claim.arguments:
            for at in step_points(step, point.values):
                found = self.steps.at(at, edition, semantics)
                self._heard(found)
                yield at, found, judge_words(at, edition, semantics)


def judge_words(point: Point, edition: Edition, semantics: Semantics) -> tuple[str, ...]:
    """The words after ``verify`` that judge one edition of a claim at one point."""
    words = [point.claim.id, *parameter_words(point.values), "--edition", edition.value]
    if point.claim.bounded and semantics.label != "a4":
        words += ["--arithmetic", semantics.label]
    return tuple(words)


def in_its_file(error: InputError, claim: Claim, *place: str | int) -> FileDefects:
    """Add to a mistake of a claim its line in the statement's file, or to a mistake of a table its line in the table's file. A mistake that
    has a line keeps it.

    place: of a mistake that is none of the fields of the claim's judge.
    """
    said = f"{claim.name}: {str(error).removeprefix(f'{claim.name} ')}"
    defects = error if isinstance(error, FileDefects) else FileDefects([FileDefect(place, said, "")], THE_FIELDS)
    paper = find_paper(claim.paper)
    if claim.table is not None and claim.table.source.lines is not None and defects.within == claim.table.source.file.id:
        return claim.table.source.located(defects, claim.table.path)
    if paper is None or not paper.has(claim.owner) or defects.within != THE_FIELDS:
        return defects
    path = paper.folder / "statements" / f"{claim.owner}.toml"
    raw, text = read_toml_text(path)
    steps = [k for k, step in enumerate(raw.get("step", ())) if step.get("id") == claim.name.partition(":")[2]]
    own, entry = (("step", steps[0]), raw["step"][steps[0]]) if steps else ((), raw)
    what = next(((key,) for key in ("judge", "holds", "parts") if key in entry), ("id",))
    return defects.located(str(path), lambda path: Lines(text).of((*own, *(path or what))) or 1)
