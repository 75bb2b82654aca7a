"""Judge construction files of users, without a paper: at the points and under the reading of the request or of the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, count, product
from math import prod
from os.path import relpath
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from urllib.parse import quote

from verifier.arithmetic.semantics import ALL_READINGS, Semantics, read_arithmetic, readings
from verifier.claims.model import DEFAULT_SEMANTICS, declined
from verifier.claims.parameters import ALL, MOST_VALUES, SHORTER, Parameter, parse_values
from verifier.claims.verdicts import Edition, Outcome, Result, Verdict
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import Advance
from verifier.engines.failure_counts import Census
from verifier.errata.tables import Source
from verifier.judges.expectations import judged_expectations
from verifier.judges.tables import ill_formed, table_outcome
from verifier.judges.wording import lacking_text, witness_name
from verifier.language.syntax import names_in
from verifier.networks.instantiate import instantiate, row_to_write
from verifier.networks.record_base import complete, outside_domain
from verifier.networks.records import SEMANTICS
from verifier.repair.edits import printed_expressions
from verifier.repair.patterns import failing_pattern
from verifier.running.errors import FileDefect, FileDefects, InputError, LimitError, defects_of, unusable
from verifier.running.identifiers import slug
from verifier.running.limits import SHORT_OF_MEMORY
from verifier.running.limits import Advance as Labelled
from verifier.transformers.tables import Execution


def claim_names(sources: Mapping[str, Source]) -> dict[str, str]:
    """The name of each file's results, which is the id of its construction, or its path if another file has this id."""
    ids = [source.file.id for source in sources.values()]
    found: dict[str, str] = {}
    for file, name in zip(sources, ids, strict=True):
        wanted = f"construction/{slug(file) if ids.count(name) > 1 else name}"
        taken = {*found.values(), *(f"construction/{other}" for other in ids if other != name)}
        found[file] = next(each for each in chain([wanted], (f"{wanted}-{k}" for k in count(2))) if each not in taken)
    return found


def path_names(files: Iterable[str], folder: Path) -> dict[str, str]:
    """The name of each file's results in a table of verdicts in this folder. The name is the path from that folder, so that a copied folder
    keeps the names.
    """
    return {file: f"construction/{quote(Path(relpath(file, folder)).as_posix())}" for file in files}


def names_of(name: str, source: Source) -> list[str]:
    """The names of one file's results. An expectation has the construction's name, a colon and its own name."""
    return [name, *(f"{name}:{each}" for each in source.file.expectations)]


def file_points(source: Source, ranges: Mapping[str, str]) -> list[dict[str, int]]:
    """Every combination of the given values of the file's parameters; missing ones come from its ``[check]``."""
    listed: dict[str, list[int]] = {}
    for name, spec in source.file.parameters.items():
        if name in ranges:
            listed[name] = parse_values(ranges[name], Parameter(name, "", ""), of_claim=False)
        elif name in source.file.check:
            with _of_check(name):
                listed[name] = parse_values(str(source.file.check[name]), Parameter(name, "", ""), of_option=False, of_claim=False)
        elif spec.default is None:
            about = f"{source.file.id} needs --{name} ({spec.meaning or spec.where})"
            raise InputError(f'{about}, or [check] with {name} = "4..6" in the file')
    for name in (name for name, values in listed.items() if values == [ALL]):
        why = f"{_why_not_every(source, name)}; a number or a range was expected"
        raise InputError(f"--{name} all: {why}") if name in ranges else FileDefects([FileDefect(("check", name), f"all: {why}")], "check")
    if prod(len(values) for values in listed.values()) > MOST_VALUES:
        raise LimitError(f"{source.file.id}: the ranges have more than {MOST_VALUES:,} points, the limit for one run", SHORTER)
    return [dict(zip(listed, values, strict=True)) for values in product(*listed.values())]


def _why_not_every(source: Source, parameter: str) -> str:
    """Why a construction is not judged at every value of a parameter: the first entry that changes with the value."""
    depends = {parameter}
    for name, text in source.file.derived.items():
        depends |= {name} if depends & names_in(str(text)) else set()
    bits = source.file.precision
    entries = [*((f"precision.{name}", text) for name in ("bits", "t", "e") if (text := getattr(bits, name)) is not None)]
    entries += [(at, text) for at, text in printed_expressions(source.raw) if not at.startswith("input.") and not at.endswith(".i")]
    for at, text in entries:
        ends = str(text).strip("[]").split(" : ") if str(text).startswith("[") else [str(text)]
        if depends & frozenset().union(*map(names_in, ends)):
            return f"it is another construction at each value, as {at} is {text}"
    return "its states are followed for one length at a time, and we have no rule for every length"


def judge_file(
    source: Source, file: str, point: Mapping[str, int], semantics: Semantics, method: str, limit: int, advance: Advance
) -> tuple[Outcome, Iterator[tuple[str, Outcome]]]:
    """Judge whether the file's construction computes its function at a point; declined outside its domain or over a limit.

    The outcomes of its expectations, by name, follow if the construction can be evaluated.
    """
    values = complete(source.file, point)
    outside = outside_domain(source.file, values) or (source.errata and source.outside_errata(values))
    if outside:
        return declined(outside), iter(())
    written = source.repaired() if source.errata else source.file
    trace = ("trace", *_replaying(source, file, values, semantics))
    try:
        instance = instantiate(written, values)
        witness = witness_name(Path(file).name, Edition.REPAIRED, True) if source.errata else Path(file).name
        if instance.defects:
            line_of = source.lines.of if source.lines else None
            found = ill_formed(instance, witness, line_of)
            said = filter(None, [found.reason, row_to_write(written, instance)])
            return replace(found, reason="; ".join(said), replay=trace[1:]), iter(())
        execution = Execution(instance, semantics)
        census = decide(execution, method, limit, advance)
        found = located(execution, census, table_outcome(execution, census, witness, trace))
        constant = census.constant if found.verdict is Verdict.VERIFIED and isinstance(census, Census) else ""
        return replace(found, reason=constant) if constant else found, judged_expectations(execution, witness, trace, limit, advance)
    except LimitError as error:
        return declined(str(error), out_of_reach=True), iter(())
    except MemoryError:
        return declined(SHORT_OF_MEMORY, out_of_reach=True), iter(())


def _replaying(source: Source, file: str, values: Mapping[str, int], semantics: Semantics) -> list[str]:
    """The words of the command that judges the file at these parameters again; after ``trace`` those of an input are added."""
    words = [f"./{file}" if file.startswith("-") else file, *(w for k, v in values.items() for w in (f"--{k}", str(v)))]
    if semantics.label != "a4" or SEMANTICS in source.file.check:
        words += ["--arithmetic", semantics.label]
    return [*words, "--errata", source.errata_path] if source.errata_path else words


def located(execution: Execution, census: Census, outcome: Outcome) -> Outcome:
    """Add hints to a refutation. The lines describe the failing inputs, if possible, and the entries that the precision lacks."""
    if outcome.verdict is not Verdict.REFUTED:
        return outcome
    pattern = failing_pattern(execution, census.failures) if execution.semantics.of_tables else None
    said = [outcome.reason, str(pattern) if pattern else None]
    said += [lacking_text(execution, execution.unrepresentable)] if "exact-entries" in execution.assumptions else []
    return replace(outcome, reason="; ".join(each for each in said if each))


def judged(
    sources: Mapping[str, Source],
    ranges: Mapping[str, str],
    semantics: str | None,
    method: str,
    limit: int,
    advance: Labelled,
    refused: list[FileDefect] | None = None,
    repaired: Mapping[str, Source] = MappingProxyType({}),
    names: Mapping[str, str] | None = None,
) -> Iterator[Result]:
    """The results of every file at every point under every reading; ``semantics`` is that of each file's ``[check]`` if None.

    refused: receives the errors of a file, so that the others are judged anyway; raised if None. repaired: files that are also judged with
    errata, after the results of the files as written. names: the names of each file's results; by default its id.
    """
    names = claim_names(sources) if names is None else names
    for file, source in sources.items():
        try:
            both = [source, repaired[file]] if file in repaired else [source]
            with in_file(both[-1], file):
                yield from _judged(both, file, names[file], ranges, semantics, method, limit, advance)
        except InputError as error:
            if refused is None:
                raise
            refused += defects_of(error, file)


def _judged(
    editions: Sequence[Source],
    file: str,
    name: str,
    ranges: Mapping[str, str],
    semantics: str | None,
    method: str,
    limit: int,
    advance: Labelled,
) -> Iterator[Result]:
    first = editions[0]
    for point in file_points(first, ranges):
        for reading in file_readings(first, semantics):
            behind: list[Result] = []
            for source in editions:
                start = perf_counter()
                outcome, expected = judge_file(source, file, point, reading, method, limit, partial(advance, source.file.id))
                took = perf_counter() - start
                edition = Edition.REPAIRED if source.errata else Edition.PRINTED
                yield Result(name, edition, complete(source.file, point), reading.label, _replayed(source, outcome), took)
                start = perf_counter()
                for expectation, found in expected:
                    took, start = perf_counter() - start, perf_counter()
                    known = _replayed(source, found)
                    behind.append(Result(f"{name}:{expectation}", edition, complete(source.file, point), reading.label, known, took))
            yield from sorted(behind, key=lambda result: first.file.expectations.index(result.claim.rpartition(":")[2]))


def _replayed(source: Source, outcome: Outcome) -> Outcome:
    """The outcome; without its replay if no file holds the construction, as after an edit in Python."""
    return outcome if source.lines else replace(outcome, replay=None)


@contextmanager
def in_file(source: Source, file: str) -> Iterator[None]:
    """Add the file and, if it is known, the line to every mistake found inside."""
    try:
        yield
    except LimitError as error:
        raise LimitError(f"{file}: {error.message}", error.flag) from None
    except FileDefects as error:
        raise source.located(error, file) from None
    except InputError as error:
        raise unusable(file, str(error)) from None


@contextmanager
def _of_check(name: str) -> Iterator[None]:
    """Report a mistake found inside at its place in ``[check]``."""
    try:
        yield
    except InputError as error:
        raise FileDefects([FileDefect(("check", name), str(error))], "check") from None
    except LimitError as error:
        raise LimitError(f"check.{name}: {error.message}", error.flag) from None


def file_semantics(source: Source) -> str:
    """The reading that the file's ``[check]`` names, or the default.

    Raises:
        FileDefects: there is no such reading.
    """
    named = source.file.check.get(SEMANTICS)
    if named is None:
        return DEFAULT_SEMANTICS.label
    with _of_check(SEMANTICS):
        readings_of(str(named), source)
    return str(named)


def readings_of(text: str, source: Source) -> list[Semantics]:
    """The arithmetics in a text."""
    return list(readings(source.file.precision.point)) if text == ALL_READINGS else [read_arithmetic(text)]


def file_readings(source: Source, semantics: str | None) -> list[Semantics]:
    """The requested readings, where None means the reading of the file. The reading that the file names is the first of all readings."""
    own = file_semantics(source)
    asked = readings_of(semantics or own, source)
    if semantics != ALL_READINGS or own == ALL_READINGS:
        return asked
    first = read_arithmetic(own)
    return [first, *(each for each in asked if each.label != first.label)]
