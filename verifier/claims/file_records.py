"""The records into which a paper's files are read: ``paper.toml`` and the statement files, every field with its description for readers.

These records define the shapes against which a file is checked, the JSON schemas, and the reference of fields. A claim also has the fields
of its judge: those of the core's judges are in :mod:`verifier.judges.fields`.

Entries that change the values of a statement file stand below them: the row of a family, and the overlays (repair, neighbour, hypothesis,
question).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias, get_type_hints

import msgspec
from msgspec import Meta, field

from verifier.networks.files import misfits
from verifier.networks.record_base import Strict
from verifier.running.errors import FileDefects, InputError

Said = Annotated[str, Meta(description="The sentence, in your own words and notation.")]
Over = Annotated[dict[str, str], Meta(description='The ranges in which it is asked, `over = { p = "1..6" }`.')]


class Open(msgspec.Struct, frozen=True, kw_only=True):
    """Base of the records that also have fields of a judge."""


class ParameterOfClaim(Strict, frozen=True):
    """A parameter: an option of the command line of the same name. `paper.toml` may describe a parameter once for all statements."""

    meaning: Annotated[str, Meta(description="The meaning of the parameter, for help texts.")] = ""
    where: Annotated[str, Meta(description="Its domain, a condition such as `p >= 3`. Outside it the claim is declined.")] = ""
    typical: Annotated[str | None, Meta(description="The values that are run where none is given, such as `1..4`.")] = None
    default: Annotated[str | None, Meta(description="Or its value where none is given, a formula in the parameters before it.")] = None
    meant: Annotated[
        str | None, Meta(description="The part of the domain that the authors intend. A failure only outside this part is of class edge.")
    ] = None
    family: Annotated[
        bool, Meta(description="Only your family of cases has this parameter; the paper's sentence is about all its values.")
    ] = False
    names: Annotated[list[str], Meta(description="Names for the values 0, 1, …, such as those of activations.")] = field(
        default_factory=list
    )


class SectionEntry(Strict, frozen=True):
    """A section of the paper."""

    title: Annotated[str, Meta(description="The title of the section, with its number.")]
    statements: Annotated[list[str], Meta(description="The ids of its statements, in the paper's order; each is a file in `statements/`.")]


class PaperFile(Strict, frozen=True):
    """The file `paper.toml`: the title page, and data that the statements share."""

    id: Annotated[str, Meta(description="Names the paper: small letters, digits, dots and dashes.")]
    title: Annotated[str, Meta(description="Its title.")]
    authors: Annotated[str, Meta(description="Its authors.")]
    section: Annotated[list[SectionEntry], Meta(description="The sections in their order. At least one is needed.")] = field(
        default_factory=list
    )
    arithmetic: Annotated[
        Literal["fixed", "floating", "none"], Meta(description="The bounded arithmetic that its claims are about, if they do not say it.")
    ] = "none"
    parameters: Annotated[
        dict[str, ParameterOfClaim], Meta(description="Meaning, domain and values of parameters that several statements share.")
    ] = field(default_factory=dict)
    readings: Annotated[
        dict[str, str],
        Meta(description="The readings that the paper's text supports, the default first, each with an explanation."),
    ] = field(default_factory=dict)
    called: Annotated[dict[str, str], Meta(description="A name for each reading, such as matrix order.")] = field(default_factory=dict)
    main: Annotated[list[str], Meta(description="The ids of the statements that are its main results.")] = field(default_factory=list)
    proved: Annotated[
        list[str],
        Meta(description="Steps that symbols decide for all parameters. Pages ask for these, besides all statements, and show no range."),
    ] = field(default_factory=list)
    tables: Annotated[
        dict[str, str], Meta(description="Files in `tables/` by name, each with the claim that the table computes its function.")
    ] = field(default_factory=dict)
    functions: Annotated[
        dict[str, str], Meta(description="Functions of `mathematics/` that formulas may use, by name: `module:function`.")
    ] = field(default_factory=dict)
    assumptions: Annotated[dict[str, Any], Meta(description="Assumptions that no claim decides, each with its reason.")] = field(
        default_factory=dict
    )


class RepairEntry(Open, frozen=True):
    """A correction of a claim: the fields that it changes, and why. An empty text removes a field."""

    why: Annotated[str, Meta(description="The reason, in a sentence.")] = ""
    name: Annotated[str, Meta(description="Names this repair, if a claim has several.")] = ""
    in_words: Annotated[str, Meta(description="The correction in words, with the cell before and after.")] = field(
        default="", name="in-words"
    )
    step: Annotated[str, Meta(description="In place of all other fields: the step whose repair also corrects this claim.")] = ""


class NeighbourEntry(Open, frozen=True):
    """A claim one change away that must be refused: the fields that it changes. A claim without one may be a test that cannot fail."""

    why: Annotated[str, Meta(description="Why it must be refused, in a sentence.")] = ""
    because: Annotated[
        str | None,
        Meta(description="Words that the counterexample or the reason must contain, so that the claim is refused for the right reason."),
    ] = None
    at: Annotated[dict[str, int], Meta(description="The parameters at which it is judged.")] = field(default_factory=dict)
    verdict: Annotated[str, Meta(description="The verdict that the changed claim must get.")] = "refuted"
    edition: Annotated[
        str, Meta(description="statement, printed or repaired; by default repaired if the claim has a repair or names a table.")
    ] = ""


class HypothesisEntry(Open, frozen=True):
    """A hypothesis of the statement, and the fields that change without it."""

    name: Annotated[str, Meta(description="Names it.")] = ""
    says: Annotated[str, Meta(description="The hypothesis, in words.")] = ""
    over: Over = field(default_factory=dict)
    columns: Annotated[list[str], Meta(description="Hypotheses that differ in few words, as in a family.")] = field(default_factory=list)
    rows: Annotated[list[list[Any]], Meta(description="The values of each of them.")] = field(default_factory=list)


class QuestionEntry(Open, frozen=True):
    """A question of yours to the statement, with the judge that answers it and its fields. `verify show --questions` answers."""

    asks: Annotated[str, Meta(description="The question, in words.")] = ""
    judge: Annotated[str, Meta(description="The judge that answers it.")] = ""
    over: Over = field(default_factory=dict)


class RowEntry(Strict, frozen=True):
    """A part of the statement in words, with the claim that decides it. Pages show these parts as rows."""

    says: Annotated[str, Meta(description="The part, in words.")]
    claim: Annotated[str, Meta(description="The claim that decides it.")]
    example: Annotated[str, Meta(description="The smallest counterexample in words, with the values in braces, such as `{p}`.")] = ""


class OverviewEntry(Strict, frozen=True):
    """A table below the results of a range: the statement of another claim under several readings."""

    claim: Annotated[str, Meta(description="The claim whose results are the rows.")]
    readings: Annotated[list[str], Meta(description="The readings.")]


class TableOfClaim(Strict, frozen=True):
    """A table without some of its errata."""

    name: Annotated[str, Meta(description="The file in `tables/`, without `.toml`.")]
    without: Annotated[list[str], Meta(description="Errata and promises that are not applied.")] = field(default_factory=list)


class ProofEntry(Strict, frozen=True):
    """A theorem that a kernel checks, and the part of the claim's domain that it decides."""

    file: Annotated[str, Meta(description="The file in `proofs/`, without its suffix.")]
    theorem: Annotated[str, Meta(description="The theorem in it.")]
    kernel: Annotated[Literal["coq"], Meta(description="The proof assistant whose kernel checks it.")]
    where: Annotated[str, Meta(description="The part of the domain that the theorem decides, if it is smaller.")] = ""
    at: Annotated[
        dict[str, str], Meta(description="The theorem's variables that the claim does not have, as formulas in the claim's parameters.")
    ] = field(default_factory=dict)
    edition: Annotated[
        Literal["statement", "repaired"],
        Meta(description="What the theorem decides: the claim itself, or the corrected claim, such as one about a corrected table."),
    ] = "statement"


class ClaimFields(Open, frozen=True):
    """The fields that statements and steps have in common. All other fields are the judge's."""

    says: Said = ""
    place: Annotated[str, Meta(description="The place in the paper: section, statement, page.")] = ""
    judge: Annotated[
        str,
        Meta(
            description="The judge that decides it: one of the core, or `module.function` of your `judges/`; with `holds` none is needed."
        ),
    ] = ""
    where: Annotated[str, Meta(description="A condition that restricts its domain further than the parameters do.")] = ""
    let: Annotated[
        dict[str, str], Meta(description="Names for formulas that other formulas use. A step also has those of its statement.")
    ] = field(default_factory=dict)
    parameters: Annotated[dict[str, ParameterOfClaim], Meta(description="The parameters of a statement, or those that a step changes.")] = (
        field(default_factory=dict)
    )
    takes: Annotated[
        list[str],
        Meta(description="The parameters that a step takes from its statement or from the paper. By default, those in its formulas."),
    ] = field(default_factory=list)
    table: Annotated[str | TableOfClaim, Meta(description="The construction in `tables/` that the claim is about.")] = ""
    arithmetic: Annotated[
        Literal["fixed", "floating", "none", ""], Meta(description="The bounded arithmetic that the claim is about, if not the paper's.")
    ] = ""
    parts: Annotated[
        list[str | dict[str, str | int]],
        Meta(description='Its parts; the worst verdict decides. A part is an id or `{ claim = "lemma-2", p = "p - 1" }`.'),
    ] = field(default_factory=list)
    supports: Annotated[
        dict[str, str | dict[str, str | int]], Meta(description="Assumptions by name, each with the claim that decides it, as in `parts`.")
    ] = field(default_factory=dict)
    checks: Annotated[str, Meta(description="What is checked, in words.")] = ""
    words: Annotated[
        bool,
        Meta(description="`checks` holds an argument, which no program reads: what is verified is conditional on `argument-in-words`."),
    ] = False
    kind: Annotated[
        str, Meta(description="The sort of assertion: definition, identity, inequality, tail bound, order or in probability.")
    ] = ""
    ours: Annotated[bool, Meta(description="Your own result or question; the paper does not state it.")] = False
    note: Annotated[str, Meta(description="A note for readers of the file.")] = ""
    sample: Annotated[str, Meta(description="What the sentence is about, if the judge checks only a sample.")] = ""
    exists: Annotated[
        str, Meta(description="The object whose existence the sentence claims. One example that fails does not refute such a sentence.")
    ] = ""
    proof: Annotated[ProofEntry | list[ProofEntry], Meta(description="The theorems that decide it for all its parameters.")] = field(
        default_factory=list
    )
    certificate: Annotated[str, Meta(description="`module.function` of your `judges/` that says what a certificate holds.")] = ""
    repair: Annotated[
        RepairEntry | list[RepairEntry], Meta(description="The correction, `[repair]`, or several corrections, `[[repair]]`.")
    ] = field(default_factory=list)
    neighbour: Annotated[list[NeighbourEntry], Meta(description="`[[neighbour]]`: claims one change away that must be refused.")] = field(
        default_factory=list
    )


class StepEntry(ClaimFields, frozen=True):
    """A step of the proof: a sentence, number, case split or display."""

    id: Annotated[str, Meta(description="Names the step within its statement.")] = ""
    role: Annotated[
        Literal["argument", "aside"], Meta(description="Whether the printed conclusion rests on it (`argument`) or not (`aside`).")
    ] = "argument"


class PassageEntry(ClaimFields, frozen=True):
    """Fields that the steps below share, up to the next passage: any but id, says, repair, neighbour and note."""

    role: Annotated[Literal["argument", "aside"], Meta(description="As of a step.")] = "argument"


class FamilyEntry(StepEntry, frozen=True):
    """Steps that differ in few words: a step for each row, whose values the other fields name in braces, `{value}`."""

    columns: Annotated[list[str], Meta(description="The names of the values; one that begins with `_` is not a field of the step.")] = (
        field(default_factory=list)
    )
    rows: Annotated[list[list[Any]], Meta(description="The values of each step.")] = field(default_factory=list)
    repair: Annotated[dict[str, RepairEntry | list[RepairEntry]], Meta(description="The repair of a row, by its first value.")] = field(
        default_factory=dict
    )  # type: ignore[assignment]


class StatementFile(ClaimFields, frozen=True, kw_only=True):
    """A statement: what its sentence says, where it stands, its parameters, what decides it, and the steps of its proof."""

    id: Annotated[str, Meta(description="Names it, as its file: `theorem-1`, `lemma-2.6`, `equation-1`.")]
    witness: Annotated[bool, Meta(description="The printed verdict rests on an object that another claim checks.")] = False
    diagonal: Annotated[
        bool, Meta(description="The witness of the claim is the fooling set {(x, x)} of EQ_m under y <= z; for certificates.")
    ] = False
    overview: Annotated[OverviewEntry | None, Meta(description="A table that a range of points ends with.")] = None
    row: Annotated[list[RowEntry], Meta(description="`[[row]]`: its halves in words, each with the claim that decides it.")] = field(
        default_factory=list
    )
    step: Annotated[list[StepEntry], Meta(description="`[[step]]`: the steps of its proof, in order.")] = field(default_factory=list)
    family: Annotated[list[FamilyEntry], Meta(description="`[[family]]`: steps that differ in few words.")] = field(default_factory=list)
    passage: Annotated[list[PassageEntry], Meta(description="`[[passage]]`: what the steps below it share.")] = field(default_factory=list)
    hypothesis: Annotated[list[HypothesisEntry], Meta(description="`[[hypothesis]]`: what it takes for granted.")] = field(
        default_factory=list
    )
    question: Annotated[list[QuestionEntry], Meta(description="`[[question]]`: questions of yours to it.")] = field(default_factory=list)


Raw = Mapping[str, Any]

THE_FIELDS = "the fields"
"""Within these lie the mistakes of a statement's entries."""
OF_NEIGHBOUR = frozenset(NeighbourEntry.__struct_fields__)
OF_STATEMENT = frozenset(StatementFile.__struct_fields__)
"""The keys of a statement that are not its judge's own."""
OF_STEP = frozenset(StepEntry.__struct_fields__)

_Tables: TypeAlias = list[dict[str, Any]]
SHAPES: Mapping[str, Any] = {
    **{k: v for k, v in get_type_hints(StatementFile).items() if k not in ("id", "says", "place", "judge", "kind", "arithmetic")},
    **dict.fromkeys(("passage", "step", "family"), _Tables),
}
"""The shapes of the fields that no judge reads, where a statement or an overlay has them; ``""`` takes one away."""

NOT_REPLACED = frozenset(("id", "role", "passage", "step", "family", "hypothesis", "question", "repair", "neighbour", "witness", "row"))
"""The fields that an overlay cannot change."""
OF_ONE_STEP = frozenset(("id", "says", "repair", "neighbour", "note", "columns", "rows"))
"""The fields that a passage cannot give to several steps."""
MERGED = ("let", "parameters")
"""Tables of which an overlay changes single entries."""
KEEPS_PROOF = frozenset(("says", "place", "checks", "where", "parameters", "note"))
"""The fields that an overlay may change without losing the theorem of the claim, which are its words and its domain."""


def well_shaped(raw: Raw, shapes: Mapping[str, Any] = SHAPES) -> None:
    """Raise an error for every field whose shape differs from the expected one."""
    defects = [each for key, shape in shapes.items() if raw.get(key, "") != "" for each in misfits(raw[key], shape, (key,))]
    if defects:
        raise FileDefects(defects, THE_FIELDS)


def texts_of(entry: Raw, what: str, *keys: str) -> tuple[str, ...]:
    """The texts that an entry must have."""
    for key in keys:
        if not isinstance(entry.get(key), str):
            raise InputError(f"{what} has {key} {entry.get(key)!r}; a text was expected")
    return tuple(entry[key] for key in keys)


def of_passage(entry: Raw) -> Raw:
    """The fields that a passage of a proof gives all the steps below it, up to the next passage.

    Raises:
        InputError: a field that each step has of its own.
    """
    if own := entry.keys() & OF_ONE_STEP:
        raise InputError(f"a passage has {min(own)}; what several steps share was expected, such as place, judge, role, of or over")
    well_shaped(entry)
    return entry


def within(passage: Raw, step: Raw) -> Raw:
    """A step with the fields of its passage that it lacks. A step with another judge takes no fields from the passage."""
    other = "judge" in passage and "judge" in step
    shared = {k: v for k, v in passage.items() if k in OF_STEP} if other else passage
    return {**shared, **step}


def filled(value: Any, names: Mapping[str, Any]) -> Any:
    """A field with the values of a family's row in place of the names in braces."""
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda found: str(names.get(found[1].removeprefix("_"), names.get(found[1], found[0]))), value)
    if isinstance(value, list):
        return list(map(partial(filled, names=names), value))
    return {k: filled(v, names) for k, v in value.items()} if isinstance(value, dict) else value


def overlaid(raw: Raw, changes: Raw) -> Raw:
    """``raw`` with the fields of an overlay in place of its own; an empty field of the overlay removes a field.

    Raises:
        InputError: a field that no overlay changes.
    """
    if fixed := changes.keys() & NOT_REPLACED:
        raise InputError(f"an overlay cannot change {min(fixed)}")
    well_shaped(changes)
    merged = {k: {**raw.get(k, {}), **v} if k in MERGED else v for k, v in changes.items()}
    if "judge" in changes:
        raw = {k: v for k, v in raw.items() if k in OF_STATEMENT | OF_STEP}
    elif changes.keys() & {"is", "holds"}:
        raw = {k: v for k, v in raw.items() if k not in ("is", "holds")}
    if not changes.keys() <= KEEPS_PROOF:
        raw = {k: v for k, v in raw.items() if k != "proof"}
    return {k: v for k, v in {**raw, **merged}.items() if v != ""}
